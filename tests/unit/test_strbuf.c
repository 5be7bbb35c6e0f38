/* Growing text: content, growth across the first rooms, failure that sticks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/strbuf.h"

static void zero_is_empty(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	strbuf_clear(&b);
	strbuf_release(&b);
	strbuf_puts(&b, "");
	assert_string_equal(b.text, "");
	assert_int_equal(b.length, 0);
	strbuf_release(&b);
	assert_null(b.text);
	assert_int_equal(b.room, 0);
}

static void appends_in_order(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	strbuf_puts(&b, "qd");
	strbuf_add(&b, "=32xyz", 3);
	strbuf_printf(&b, ", path=%s:%d", "round-robin", 1000);
	strbuf_printf(&b, "%s", "");
	assert_string_equal(b.text, "qd=32, path=round-robin:1000");
	assert_int_equal(b.length, strlen(b.text));
	assert_false(b.failed);
	strbuf_release(&b);
}

static void bytes_may_hold_nul(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	strbuf_add(&b, "a\0b", 3);
	strbuf_printf(&b, "%c%s", 0, "c");
	assert_int_equal(b.length, 5);
	assert_memory_equal(b.text, "a\0b\0c", 6);
	strbuf_release(&b);
}

/* Every length around the first rooms: an off-by-one shows under the address sanitizer and in the
 * text. */
static void grows_at_every_length(void **state)
{
	char line[1100];

	(void)state;
	memset(line, 'y', sizeof(line));
	for (int n = 0; n < 1050; n++) {
		struct strbuf b = { 0 };

		strbuf_printf(&b, "%.*s", n, line);
		assert_int_equal(b.length, n);
		strbuf_printf(&b, "%.*s", n % 300, line);
		strbuf_puts(&b, "z");
		assert_int_equal(b.length, n + n % 300 + 1);
		assert_int_equal(strlen(b.text), b.length);
		assert_true(b.length < b.room);
		strbuf_release(&b);
	}
}

static void clear_keeps_the_memory(void **state)
{
	struct strbuf b = { 0 };
	char *text;

	(void)state;
	strbuf_puts(&b, "something");
	text = b.text;
	strbuf_clear(&b);
	assert_string_equal(b.text, "");
	strbuf_puts(&b, "new");
	assert_string_equal(b.text, "new");
	assert_ptr_equal(b.text, text);
	strbuf_release(&b);
}

static void failure_sticks_and_keeps_the_text(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	strbuf_puts(&b, "good");
	strbuf_add(&b, "bad", SIZE_MAX - 2);
	assert_true(b.failed);
	strbuf_puts(&b, "more");
	strbuf_printf(&b, "%d", 5);
	assert_string_equal(b.text, "good");
	assert_int_equal(b.length, 4);
	strbuf_release(&b);
	assert_false(b.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zero_is_empty),
		cmocka_unit_test(appends_in_order),
		cmocka_unit_test(bytes_may_hold_nul),
		cmocka_unit_test(grows_at_every_length),
		cmocka_unit_test(clear_keeps_the_memory),
		cmocka_unit_test(failure_sticks_and_keeps_the_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
