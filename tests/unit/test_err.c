/* Error texts: format, cut, quote each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/err.h"

static void formats_and_returns_the_code(void **state)
{
	struct err e;
	int ret = err_set(&e, -EBUSY, "cannot write '%s': mounted on %s", "/dev/sdb", "/var");

	(void)state;
	assert_int_equal(ret, -EBUSY);
	assert_string_equal(e.text, "cannot write '/dev/sdb': mounted on /var");
}

static void null_is_allowed(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, -EINVAL, "%d", 1), -EINVAL);
}

static void cut_at_the_end_of_the_buffer(void **state)
{
	struct {
		struct err e;
		char behind;
	} s = { .behind = 'x' };
	char text[2000];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(err_set(&s.e, -EINVAL, "%s", text), -EINVAL);
	assert_int_equal(strlen(s.e.text), sizeof(s.e.text) - 1);
	assert_true(s.behind == 'x');
}

static void outer_error_quotes_the_inner_one(void **state)
{
	struct err e;

	(void)state;
	err_set(&e, -ENOENT, "no such file");
	err_set(&e, -ENOENT, "preset '%s': %s", "x.ini", e.text);
	assert_string_equal(e.text, "preset 'x.ini': no such file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_and_returns_the_code),
		cmocka_unit_test(null_is_allowed),
		cmocka_unit_test(cut_at_the_end_of_the_buffer),
		cmocka_unit_test(outer_error_quotes_the_inner_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
