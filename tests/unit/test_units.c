/* Numbers as people write them: each accepted spelling exactly, everything else refused; writers
 * and readers agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/units.h"
#include "comma_locale.h"

#define UNTOUCHED UINT64_C(0xdeadbeef)
#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))

/* Refused everywhere: signs, blanks, exponents, other bases, commas, nothing at all. */
static const char *const junk[] = {
	"",
	" ",
	"-1",
	"+1",
	" 1",
	"1 ",
	"1e3",
	"0x10",
	"4,5",
	"1_000",
	"x",
	".",
	"-",
	"1\n",
	"\xd9\xa1", /* an Arabic digit one */
	"1\xc2\xa0",
	"inf",
	"nan",
	"1..2",
	"1.2.3",
	"--1",
	"1-",
	"4KiBx",
	" 4k",
	"4k ",
	"4 k",
	"-4k",
	"1.5.ms",
	"32x",
};

static void junk_is_refused_by_all(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(junk); i++) {
		uint64_t number = UNTOUCHED, bytes = UNTOUCHED;
		int64_t ns = UNTOUCHED;
		double decimal = 77;
		bool flag = true;
		const char *why[5] = { NULL };

		assert_int_equal(units_parse_u64(junk[i], &number, &why[0]), -EINVAL);
		assert_int_equal(units_parse_size(junk[i], &bytes, &why[1]), -EINVAL);
		assert_int_equal(units_parse_time(junk[i], &ns, &why[2]), -EINVAL);
		assert_int_equal(units_parse_decimal(junk[i], &decimal, &why[3]), -EINVAL);
		assert_int_equal(units_parse_bool(junk[i], &flag, &why[4]), -EINVAL);
		assert_true(number == UNTOUCHED && bytes == UNTOUCHED && ns == UNTOUCHED);
		assert_true(decimal == 77 && flag);
		for (int k = 0; k < 5; k++)
			assert_non_null(why[k]);
	}
}

static void why_may_be_null(void **state)
{
	uint64_t number;
	int64_t ns;
	double decimal;
	bool flag;

	(void)state;
	assert_int_equal(units_parse_u64("x", &number, NULL), -EINVAL);
	assert_int_equal(units_parse_size("99999999999999999999", &number, NULL), -ERANGE);
	assert_int_equal(units_parse_time("5", &ns, NULL), -EINVAL);
	assert_int_equal(units_parse_decimal("x", &decimal, NULL), -EINVAL);
	assert_int_equal(units_parse_bool("x", &flag, NULL), -EINVAL);
}

struct row {
	const char *text;
	int ret;
	uint64_t value;
};

static void plain_numbers(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0 },
		{ "010", 0, 10 },
		{ "08", 0, 8 },
		{ "2147483648", 0, 2147483648 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "000000000000000000000000000007", 0, 7 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999", -ERANGE, 0 },
		{ "184467440737095516150", -ERANGE, 0 },
		{ "4k", -EINVAL, 0 },
		{ "1.5", -EINVAL, 0 },
		{ "99999999999999999999x", -EINVAL, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++) {
		uint64_t value = UNTOUCHED;

		assert_int_equal(units_parse_u64(rows[i].text, &value, NULL), rows[i].ret);
		assert_true(value == (rows[i].ret ? UNTOUCHED : rows[i].value));
	}
}

static const struct row sizes[] = {
	{ "0", 0, 0 },
	{ "4096", 0, 4096 },
	{ "4096B", 0, 4096 },
	{ "010", 0, 10 },
	{ "4k", 0, 4096 },
	{ "4K", 0, 4096 },
	{ "4Ki", 0, 4096 },
	{ "4KiB", 0, 4096 },
	{ "4kB", 0, 4000 },
	{ "4KB", 0, 4000 },
	{ "3m", 0, 3145728 },
	{ "3M", 0, 3145728 },
	{ "3Mi", 0, 3145728 },
	{ "3MiB", 0, 3145728 },
	{ "3MB", 0, 3000000 },
	{ "3mB", 0, 3000000 },
	{ "2g", 0, UINT64_C(2147483648) },
	{ "2G", 0, UINT64_C(2147483648) },
	{ "2Gi", 0, UINT64_C(2147483648) },
	{ "2GiB", 0, UINT64_C(2147483648) },
	{ "2GB", 0, UINT64_C(2000000000) },
	{ "2gB", 0, UINT64_C(2000000000) },
	{ "5t", 0, UINT64_C(5497558138880) },
	{ "5T", 0, UINT64_C(5497558138880) },
	{ "5Ti", 0, UINT64_C(5497558138880) },
	{ "5TiB", 0, UINT64_C(5497558138880) },
	{ "5TB", 0, UINT64_C(5000000000000) },
	{ "5tB", 0, UINT64_C(5000000000000) },
	{ "16777215T", 0, UINT64_C(16777215) << 40 },
	{ "16777216T", -ERANGE, 0 },
	{ "18446744073709551615B", 0, UINT64_MAX },
	{ "18446744073709551616", -ERANGE, 0 },
	{ "18014398509481984k", -ERANGE, 0 },
	/* spellings that mean different things to different programs */
	{ "4kb", -EINVAL, 0 },
	{ "4Kb", -EINVAL, 0 },
	{ "4b", -EINVAL, 0 },
	{ "4ki", -EINVAL, 0 },
	{ "4kiB", -EINVAL, 0 },
	{ "4KIB", -EINVAL, 0 },
	{ "4p", -EINVAL, 0 },
	{ "4BB", -EINVAL, 0 },
	{ "4.5k", -EINVAL, 0 },
	{ "k", -EINVAL, 0 },
	{ "4,5k", -EINVAL, 0 },
	{ "4ms", -EINVAL, 0 },
};

static void every_spelling_of_a_size(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(sizes); i++) {
		uint64_t value = UNTOUCHED;

		if (units_parse_size(sizes[i].text, &value, NULL) != sizes[i].ret)
			fail_msg("%s", sizes[i].text);
		assert_true(value == (sizes[i].ret ? UNTOUCHED : sizes[i].value));
	}
}

static const struct row times[] = {
	{ "0", 0, 0 },
	{ "0s", 0, 0 },
	{ "0.0d", 0, 0 },
	{ "1ns", 0, 1 },
	{ "1us", 0, 1000 },
	{ "1ms", 0, 1000000 },
	{ "1s", 0, UINT64_C(1000000000) },
	{ "1m", 0, UINT64_C(60000000000) },
	{ "1h", 0, UINT64_C(3600000000000) },
	{ "1d", 0, UINT64_C(86400000000000) },
	{ "1.5ms", 0, 1500000 },
	{ "1.50000000000000000000000000ms", 0, 1500000 },
	{ "0.001us", 0, 1 },
	{ "010s", 0, UINT64_C(10000000000) },
	{ "2148s", 0, UINT64_C(2148000000000) },
	{ "36m", 0, UINT64_C(2160000000000) },
	{ "8h", 0, UINT64_C(28800000000000) },
	{ "30d", 0, UINT64_C(2592000000000000) },
	{ "0.25d", 0, UINT64_C(21600000000000) },
	{ "0.0000152587890625d", 0, 1318359375 },
	{ "1.0ns", 0, 1 },
	{ "9223372036854775807ns", 0, INT64_MAX },
	{ "106751d", 0, UINT64_C(9223286400000000000) },
	{ "9223372036.854775807s", 0, INT64_MAX },
	{ "9223372036854775808ns", -ERANGE, 0 },
	{ "9223372036.854775808s", -ERANGE, 0 },
	{ "106752d", -ERANGE, 0 },
	{ "1000000000000d", -ERANGE, 0 },
	{ "18446744073709551615.5s", -ERANGE, 0 },
	{ "99999999999999999999ns", -ERANGE, 0 },
	{ "0.5ns", -EINVAL, 0 },
	{ "0.0005us", -EINVAL, 0 },
	{ "1.0000000001s", -EINVAL, 0 },
	{ "0.3333333333333333s", -EINVAL, 0 },
	{ "0.00000762939453125d", -EINVAL, 0 }, /* 659179687.5 ns */
	{ "0.000000000000000000001d", -EINVAL, 0 },
	{ "0.18446744073709551616d", -EINVAL, 0 }, /* the digits are 2^64 */
	{ "5", -EINVAL, 0 },
	{ "00", -EINVAL, 0 },
	{ "0.0", -EINVAL, 0 },
	{ "5S", -EINVAL, 0 },
	{ "5 s", -EINVAL, 0 },
	{ "5sec", -EINVAL, 0 },
	{ "5min", -EINVAL, 0 },
	{ "5µs", -EINVAL, 0 },
	{ ".5s", -EINVAL, 0 },
	{ "5.s", -EINVAL, 0 },
	{ "1,5ms", -EINVAL, 0 },
	{ "1e3s", -EINVAL, 0 },
	{ "1e3", -EINVAL, 0 },
	{ "s", -EINVAL, 0 },
	{ "1m30s", -EINVAL, 0 },
	{ "-1s", -EINVAL, 0 },
};

static void every_spelling_of_a_time(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(times); i++) {
		int64_t value = UNTOUCHED;

		if (units_parse_time(times[i].text, &value, NULL) != times[i].ret)
			fail_msg("%s", times[i].text);
		assert_true((uint64_t)value == (times[i].ret ? UNTOUCHED : times[i].value));
	}
}

static void messages_name_the_trouble(void **state)
{
	uint64_t bytes;
	int64_t ns;
	const char *why;

	(void)state;
	units_parse_time("5", &ns, &why);
	assert_string_equal(why, "has no unit (ns us ms s m h d)");
	units_parse_time("5x", &ns, &why);
	assert_string_equal(why, "has an unknown unit (ns us ms s m h d)");
	units_parse_time("0.5ns", &ns, &why);
	assert_string_equal(why, "is not a whole number of ns");
	units_parse_size("4KiBx", &bytes, &why);
	assert_non_null(strstr(why, "unknown unit"));
	units_parse_u64("99999999999999999999", &bytes, &why);
	assert_string_equal(why, "does not fit in 64 bit");
}

static void check_decimals(void)
{
	static const struct {
		const char *text;
		int ret;
		double value;
	} rows[] = {
		{ "0", 0, 0 },
		{ "010", 0, 10 },
		{ "0.015", 0, 0.015 },
		{ "203.3", 0, 203.3 },
		{ "0.1", 0, 0.1 },
		{ "0.10000000000000001", 0, 0.1 },
		{ "123456789012345678901234567890", 0, 123456789012345678901234567890.0 },
		{ "0.000000000000000000000000000000123456789", 0, 1.23456789e-31 },
		{ "9007199254740993", 0, 9007199254740992.0 },
		{ ".5", -EINVAL, 0 },
		{ "5.", -EINVAL, 0 },
		{ "1,5", -EINVAL, 0 },
		{ "1.5x", -EINVAL, 0 },
		{ "1.5e3", -EINVAL, 0 },
	};
	char digits[400];

	for (unsigned i = 0; i < COUNT(rows); i++) {
		double value = 77;

		assert_int_equal(units_parse_decimal(rows[i].text, &value, NULL), rows[i].ret);
		assert_true(value == (rows[i].ret ? 77 : rows[i].value));
	}
	memset(digits, '9', sizeof(digits));
	digits[sizeof(digits) - 1] = '\0';
	assert_int_equal(units_parse_decimal(digits, &(double){ 0 }, NULL), -ERANGE);
}

static void decimals(void **state)
{
	(void)state;
	check_decimals();
}

static void booleans(void **state)
{
	static const char *const yes[] = { "1", "yes", "true", "on", "YES", "True", "oN" };
	static const char *const no[] = { "0", "no", "false", "off", "NO", "False", "oFF" };
	static const char *const neither[] = { "y", "n", "2", "01", "yess", "ye", "offf", "\x11" };
	bool value;

	(void)state;
	for (unsigned i = 0; i < COUNT(yes); i++) {
		value = false;
		assert_int_equal(units_parse_bool(yes[i], &value, NULL), 0);
		assert_true(value);
		assert_int_equal(units_parse_bool(no[i], &value, NULL), 0);
		assert_false(value);
	}
	for (unsigned i = 0; i < COUNT(neither); i++)
		assert_int_equal(units_parse_bool(neither[i], &value, NULL), -EINVAL);
}

static void exact_sizes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 1, "1B" },
		{ 512, "512B" },
		{ 1000, "1kB" },
		{ 1024, "1KiB" },
		{ 8192, "8KiB" },
		{ 1025, "1025B" },
		{ 1048576, "1MiB" },
		{ 1000000, "1MB" },
		{ UINT64_C(15) << 20, "15MiB" },
		{ UINT64_C(3) << 40, "3TiB" },
		{ UINT64_C(4096) << 40, "4096TiB" },
		{ 1536, "1536B" },
		{ 1572864, "1536KiB" },
		{ 128000, "128kB" },
		{ 10112000, "9875KiB" }, /* not "10112kB" */
		{ UINT64_MAX, "18446744073709551615B" },
	};
	char buf[32];

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++)
		assert_string_equal(units_format_size(buf, 32, rows[i].bytes), rows[i].text);
}

static void exact_times(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 1, "1ns" },
		{ 1500000, "1500us" },
		{ 20000000000, "20s" },
		{ 60000000000, "1m" },
		{ 90000000000, "90s" },
		{ 3600000000000, "1h" },
		{ 86400000000000, "1d" },
		{ 5400000000000, "90m" },
		{ 1000001, "1000001ns" },
		{ INT64_MAX, "9223372036854775807ns" },
		{ -20000000000, "-20s" },
		{ INT64_MIN, "-9223372036854775808ns" },
	};
	char buf[32];

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++)
		assert_string_equal(units_format_time(buf, sizeof(buf), rows[i].ns), rows[i].text);
}

static void what_is_written_reads_back(void **state)
{
	static const uint64_t factors[] = {
		1,
		1000,
		1024,
		1000000,
		1048576,
		60000000000,
		3600000000000,
	};
	struct rng r;
	char buf[32];

	(void)state;
	rng_init(&r, 1, 1);
	for (int i = 0; i < 20000; i++) {
		uint64_t factor = factors[rng_below(&r, COUNT(factors))];
		uint64_t shift = 1 + rng_below(&r, 63);
		uint64_t value = (rng_next(&r) >> shift) / factor * factor;
		uint64_t bytes;
		int64_t ns;

		units_format_size(buf, sizeof(buf), value);
		assert_int_equal(units_parse_size(buf, &bytes, NULL), 0);
		assert_true(bytes == value);
		units_format_time(buf, sizeof(buf), (int64_t)value);
		assert_int_equal(units_parse_time(buf, &ns, NULL), 0);
		assert_true(ns == (int64_t)value);
	}
}

static void small_buffers_are_respected(void **state)
{
	char buf[8];

	(void)state;
	for (size_t room = 1; room < 7; room++) {
		memset(buf, 'X', sizeof(buf));
		units_format_size(buf, room, 1234567);
		units_format_time(buf, room, -1234567);
		units_format_count(buf, room, 32812);
		units_format_ms(buf, room, 12345678);
		assert_true(strlen(buf) < room);
		assert_int_equal(buf[room], 'X');
	}
}

struct people {
	double value;
	const char *text;
};

static const struct people counts[] = {
	{ 0, "0" },
	{ 1, "1" },
	{ 950, "950" },
	{ 999, "999" },
	{ 1510, "1.51k" },
	{ 32812, "32.8k" },
	{ 1000, "1.00k" },
	{ 999.4, "999" },
	{ 999.5, "1.00k" },
	{ 999.6, "1.00k" },
	{ 9994, "9.99k" },
	{ 9996, "10.0k" },
	{ 99940, "99.9k" },
	{ 99960, "100k" },
	{ 999400, "999k" },
	{ 999500, "1.00M" },
	{ 999600, "1.00M" },
	{ 1.234e9, "1.23G" },
	{ 123.4e9, "123G" },
	{ 5e12, "5.00T" },
	{ 18446744073709551615.0, "18.4E" },
	{ 1e30, ">999E" },
	{ 0.5, "0.500" },
	{ 0.0123, "0.012" },
	{ 0.9996, "1.00" },
	{ 5.5, "5.50" },
	{ 57.17, "57.2" },
	{ 9.996, "10.0" },
	{ 99.96, "100" },
	{ 123.4, "123" },
	{ -1, "-" },
	{ -0.001, "-" },
};

static const struct people milliseconds[] = {
	{ 610000, "0.61" },
	{ 609600, "0.61" },
	{ 5900000, "5.90" },
	{ 18200000, "18.2" },
	{ 1204000000, "1204" },
	{ 0, "0.00" },
	{ 12345, "0.012" },
	{ 1000, "0.001" },
	{ 400, "0.000" },
	{ 99400, "0.099" },
	{ 99600, "0.10" },
	{ 994000, "0.99" },
	{ 9994000, "9.99" },
	{ 9996000, "10.0" },
	{ 99940000, "99.9" },
	{ 99960000, "100" },
	{ 430500, "0.43" },
	{ 123456789, "123" },
	{ 86400e9, "86400000" },
	{ 9.2e18, "9200000000000" },
	{ -5, "-" },
};

static void check_people(void)
{
	char buf[32];

	for (unsigned i = 0; i < COUNT(counts); i++) {
		assert_string_equal(units_format_count(buf, 32, counts[i].value), counts[i].text);
		assert_true(strlen(buf) <= 5);
	}
	for (unsigned i = 0; i < COUNT(milliseconds); i++)
		assert_string_equal(units_format_ms(buf, sizeof(buf), milliseconds[i].value),
				    milliseconds[i].text);
	assert_string_equal(units_format_count(buf, sizeof(buf), (double)NAN), "-");
	assert_string_equal(units_format_count(buf, sizeof(buf), (double)INFINITY), "-");
	assert_string_equal(units_format_ms(buf, sizeof(buf), (double)NAN), "-");
	assert_string_equal(units_format_ms(buf, sizeof(buf), (double)INFINITY), "-");
}

static void for_people(void **state)
{
	(void)state;
	check_people();
}

static void no_comma_in_a_comma_locale(void **state)
{
	(void)state;
	if (!use_comma_locale())
		skip();
	check_decimals();
	check_people();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(junk_is_refused_by_all),
		cmocka_unit_test(why_may_be_null),
		cmocka_unit_test(plain_numbers),
		cmocka_unit_test(every_spelling_of_a_size),
		cmocka_unit_test(every_spelling_of_a_time),
		cmocka_unit_test(messages_name_the_trouble),
		cmocka_unit_test(decimals),
		cmocka_unit_test(booleans),
		cmocka_unit_test(exact_sizes),
		cmocka_unit_test(exact_times),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(small_buffers_are_respected),
		cmocka_unit_test(for_people),
		cmocka_unit_test(no_comma_in_a_comma_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
