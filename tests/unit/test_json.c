/* Documents: exact bytes for small ones, every double back unchanged, hostile text, failure that is
 * told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/rng.h"
#include "comma_locale.h"

/* The written document, owned by the caller; frees j. */
static char *written(struct json *j)
{
	char *text = NULL;
	size_t length = 0;
	FILE *f = open_memstream(&text, &length);

	assert_non_null(f);
	assert_int_equal(json_write(j, f), 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(strlen(text), length);
	json_free(j);
	return text;
}

static void assert_written(struct json *j, const char *expected)
{
	char *text = written(j);

	assert_string_equal(text, expected);
	free(text);
}

static void empty_document(void **state)
{
	(void)state;
	assert_written(json_new(), "{}\n");
	json_free(NULL);
}

static void every_kind_of_member_in_order(void **state)
{
	struct json *j = json_new();

	(void)state;
	json_put_str(j, "schema", "iodeck/1");
	json_put_int(j, "zeta", INT64_MIN);
	json_put_int(j, "alpha", INT64_MAX);
	json_put_real(j, "half", 0.5);
	json_put_real(j, "whole", 60);
	json_put_bool(j, "yes", true);
	json_put_bool(j, "no", false);
	json_put_null(j, "none");
	json_put_str(j, "empty", "");
	assert_written(j, "{\"schema\": \"iodeck/1\", \"zeta\": -9223372036854775808, "
			  "\"alpha\": 9223372036854775807, \"half\": 0.5, \"whole\": 60.0, "
			  "\"yes\": true, \"no\": false, \"none\": null, \"empty\": \"\"}\n");
}

static void order_is_that_of_insertion_for_many_keys(void **state)
{
	struct json *j = json_new();
	char key[16], *text, *at;

	(void)state;
	for (int i = 0; i < 500; i++) {
		snprintf(key, sizeof(key), "k%d", i * 7919 % 500);
		json_put_int(j, key, i);
	}
	text = at = written(j);
	for (int i = 0; i < 500; i++) {
		snprintf(key, sizeof(key), "\"k%d\"", i * 7919 % 500);
		at = strstr(at, key);
		assert_non_null(at);
	}
	free(text);
}

static void nesting(void **state)
{
	struct json *j = json_new();

	(void)state;
	json_open_array(j, "steps");
	for (int i = 0; i < 2; i++) {
		json_open_object(j, NULL);
		json_put_int(j, "n", i);
		json_open_array(j, "row");
		json_put_int(j, NULL, 4);
		json_put_real(j, NULL, (double)NAN);
		json_put_str(j, NULL, "x");
		json_put_bool(j, NULL, true);
		json_put_null(j, NULL);
		json_open_array(j, NULL);
		json_close(j);
		json_close(j);
		json_close(j);
	}
	json_close(j);
	json_open_object(j, "after");
	json_close(j);
	json_put_int(j, "last", 1);
	assert_written(j, "{\"steps\": [{\"n\": 0, \"row\": [4, null, \"x\", true, null, []]}, "
			  "{\"n\": 1, \"row\": [4, null, \"x\", true, null, []]}], "
			  "\"after\": {}, \"last\": 1}\n");
}

/* After a signal the document is written as far as it got; it must be whole all the same. */
static void open_ends_are_closed(void **state)
{
	struct json *j = json_new();

	(void)state;
	json_open_array(j, "steps");
	json_open_object(j, NULL);
	json_put_int(j, "n", 1);
	assert_written(j, "{\"steps\": [{\"n\": 1}]}\n");
}

static void what_is_no_number_is_null(void **state)
{
	struct json *j = json_new();

	(void)state;
	json_put_real(j, "a", (double)NAN);
	json_put_real(j, "b", (double)INFINITY);
	json_put_real(j, "c", -(double)INFINITY);
	assert_written(j, "{\"a\": null, \"b\": null, \"c\": null}\n");
}

static void doubles_come_back_unchanged(void **state)
{
	struct rng r;

	(void)state;
	rng_init(&r, 1, 1);
	for (int i = 0; i < 3000; i++) {
		double size = det_exp((rng_unit(&r) - 0.5) * 1400);
		double value = (rng_unit(&r) - 0.5) * size;
		struct json *j = json_new();
		char *text;

		json_put_real(j, "x", value);
		text = written(j);
		assert_true(strtod(text + strlen("{\"x\": "), NULL) == value);
		free(text);
	}
}

static void foreign_text_is_cleaned(void **state)
{
	struct json *j = json_new();

	(void)state;
	json_put_str(j, "title", "\033]0;x\007\xff \"quoted\" back\\slash \xc3\xbc\xe2\x80\xae");
	json_put_str(j, "bad\xffkey\n", "v");
	assert_written(j, "{\"title\": \"?]0;x?? \\\"quoted\\\" back\\\\slash \xc3\xbc?\", "
			  "\"bad?key?\": \"v\"}\n");
}

static void a_point_in_a_comma_locale(void **state)
{
	struct json *j = json_new();
	char probe[8];

	(void)state;
	if (!use_comma_locale()) {
		json_free(j);
		skip();
	}
	snprintf(probe, sizeof(probe), "%.1f", 0.5);
	assert_string_equal(probe, "0,5"); /* the trap is set */
	json_put_real(j, "a", 4.97);
	json_put_real(j, "b", 0.5);
	json_put_real(j, "c", 1e300);
	json_put_real(j, "d", 1234567.25);
	json_put_int(j, "e", 1234567);
	assert_written(j, "{\"a\": 4.9699999999999998, \"b\": 0.5, \"c\": 1.0000000000000001e300, "
			  "\"d\": 1234567.25, \"e\": 1234567}\n");
	setlocale(LC_ALL, "C");
}

static void assert_failed(struct json *j)
{
	FILE *f = fopen("/dev/null", "w");

	assert_non_null(f);
	assert_int_equal(json_write(j, f), -ENOMEM);
	fclose(f);
	json_free(j);
}

static void misuse_is_told_and_harmless(void **state)
{
	struct json *j = json_new();

	(void)state;
	json_put_int(j, NULL, 1); /* a member of an object without a key */
	json_open_array(j, "x");
	json_close(j);
	assert_failed(j);
	j = json_new();
	json_close(j); /* the root */
	json_put_int(j, "x", 1);
	assert_failed(j);
}

static void too_deep_is_told_and_harmless(void **state)
{
	struct json *j = json_new();

	(void)state;
	for (int i = 0; i < 100; i++)
		json_open_object(j, "x");
	json_put_int(j, "y", 1);
	for (int i = 0; i < 100; i++)
		json_close(j);
	assert_failed(j);
}

static void a_full_disk_is_an_error(void **state)
{
	struct json *j = json_new();
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	if (!f) {
		json_free(j);
		skip();
	}
	json_put_str(j, "x", "y");
	assert_int_equal(json_write(j, f), -EIO);
	fclose(f);
	json_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_document),
		cmocka_unit_test(every_kind_of_member_in_order),
		cmocka_unit_test(order_is_that_of_insertion_for_many_keys),
		cmocka_unit_test(nesting),
		cmocka_unit_test(open_ends_are_closed),
		cmocka_unit_test(what_is_no_number_is_null),
		cmocka_unit_test(doubles_come_back_unchanged),
		cmocka_unit_test(foreign_text_is_cleaned),
		cmocka_unit_test(a_point_in_a_comma_locale),
		cmocka_unit_test(misuse_is_told_and_harmless),
		cmocka_unit_test(too_deep_is_told_and_harmless),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
