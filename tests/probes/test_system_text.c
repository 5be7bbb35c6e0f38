/* mdstat, one-line attributes, pressure, processor time: what each fixture says, and every cut of each. */
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

#include "fixture.h"
#include "md_text.h"
#include "system_text.h"

static void check_mdstat(const char *cut, size_t n, const char *whole, size_t length)
{
	struct md_array a[4];

	(void)whole;
	if (n < length)
		assert_int_equal(md_parse_mdstat(cut, n, a, 4), -EINVAL);
	else
		assert_true(md_parse_mdstat(cut, n, a, 4) >= 0);
}

static void test_mdstat(void **state)
{
	static const struct {
		int n;
		const char *action, *up;
		double percent, finish;
		int64_t done, speed;
		char flag0;
	} want[] = {
		{ 0, "", "", 0, 0, 0, 0, 0 },
		{ 1, "resync", "UU", 2.6, 1.1, 2688, 1344, 0 },
		{ 1, "resync", "UU", 52.3, 0.5, 51200, 1299, 0 },
		{ 1, "", "UU", NAN, NAN, -1, -1, 0 },
		{ 1, "check", "UU", 1.5, 3.2, 1920, 480, 0 },
		{ 1, "", "U_", NAN, NAN, -1, -1, 'F' },
		{ 1, "recovery", "U_", 18.8, 0.0, 18432, 18432, 0 },
	};
	struct md_array a[4];

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		char name[32];
		size_t n;
		char *text;

		snprintf(name, sizeof(name), "md/mdstat_%zu.txt", i);
		text = fixture(name, &n);
		assert_int_equal(md_parse_mdstat(text, n, a, 4), want[i].n);
		every_cut(text, n, check_mdstat);
		free(text);
		if (!want[i].n)
			continue;
		assert_string_equal(a[0].name, "md0");
		assert_string_equal(a[0].state, "active");
		assert_string_equal(a[0].level, "raid1");
		assert_int_equal(a[0].blocks, 97280);
		assert_int_equal(a[0].n_members, 2);
		assert_int_equal(a[0].member[0].flag, want[i].flag0);
		assert_string_equal(a[0].action, want[i].action);
		assert_string_equal(a[0].up, want[i].up);
		assert_int_equal(a[0].working, strcmp(want[i].up, "UU") ? 1 : 2);
		assert_true(isnan(want[i].percent) ? isnan(a[0].percent) : a[0].percent == want[i].percent);
		assert_true(isnan(want[i].finish) ? isnan(a[0].finish_min) : a[0].finish_min == want[i].finish);
		assert_int_equal(a[0].done_kib, want[i].done);
		assert_int_equal(a[0].speed_kib_s, want[i].speed);
	}
}

/* States that are not among the recordings, from the format strings of md.c. */
static void test_mdstat_other_states(void **state)
{
	static const char text[] = "Personalities : [raid1] [raid6] \n"
				   "md1 : active (auto-read-only) raid6 sdd[3] sdc[2](S) sdb[1](W) sda[0]\n"
				   "      1046528 blocks super 1.2 level 6, 512k chunk, algorithm 2 [4/4] [UUUU]\n"
				   "      \tresync=PENDING\n"
				   "      bitmap: 0/1 pages [0KB], 65536KB chunk\n\n"
				   "md2 : inactive sde[0](S)\n      97280 blocks super 1.2\n       \n"
				   "md3 : active raid1 sdf[0]\n      97280 blocks [2/1] [U_]\n      \tresync=DELAYED\n      \nunused devices: sdz \n";
	struct md_array a[4];

	(void)state;
	assert_int_equal(md_parse_mdstat(text, strlen(text), a, 4), 3);
	assert_true(a[0].read_only);
	assert_string_equal(a[0].level, "raid6");
	assert_int_equal(a[0].n_members, 4);
	assert_int_equal(a[0].member[1].flag, 'S');
	assert_string_equal(a[0].waiting, "PENDING");
	assert_string_equal(a[1].state, "inactive");
	assert_string_equal(a[1].level, "");
	assert_int_equal(a[1].disks, -1);
	assert_string_equal(a[2].waiting, "DELAYED");
	every_cut(text, strlen(text), check_mdstat);
	assert_int_equal(md_parse_mdstat(text, strlen(text), a, 1), 1);
}

static void test_speeds(void **state)
{
	int64_t kib;
	bool local;

	(void)state;
	assert_int_equal(md_parse_speed("500 (system)\n", 13, &kib, &local), 0);
	assert_true(kib == 500 && !local);
	assert_int_equal(md_parse_speed("5000 (local)\n", 13, &kib, &local), 0);
	assert_true(kib == 5000 && local);
	assert_int_equal(md_parse_speed("none\n", 5, &kib, &local), 0);
	assert_int_equal(kib, -1);
	assert_int_equal(md_parse_speed("5000", 4, &kib, &local), -EINVAL);
	assert_int_equal(md_parse_speed("x\n", 2, &kib, &local), -EINVAL);
}

static void check_attr(const char *cut, size_t n, const char *whole, size_t length)
{
	char text[64];
	int64_t value;
	uint32_t a, b;

	(void)whole;
	if (n == length)
		return;
	assert_int_equal(attr_parse_i64(cut, n, &value), -EINVAL);
	assert_int_equal(attr_parse_timeout(cut, n, &value), -EINVAL);
	assert_int_equal(attr_parse_text(cut, n, text, sizeof(text)), -EINVAL);
	assert_int_equal(attr_parse_choice(cut, n, text, sizeof(text)), -EINVAL);
	assert_int_equal(attr_parse_dev(cut, n, &a, &b), -EINVAL);
}

static void test_attributes(void **state)
{
	static const char *const texts[] = { "128\n", "-1\n", "0x2e\n", "[mq-deadline] kyber none \n", "none\n", "off\n", "253:1\n", "Linux   \n" };
	char text[64];
	int64_t value;
	uint64_t hex;
	uint32_t a, b;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		every_cut(texts[i], strlen(texts[i]), check_attr);
	assert_true(!attr_parse_i64("-1\n", 3, &value) && value == -1);
	assert_true(!attr_parse_hex("0x2e\n", 5, &hex) && hex == 0x2e);
	assert_true(!attr_parse_hex("0xffffffffffffffff\n", 19, &hex) && hex == UINT64_MAX);
	assert_int_equal(attr_parse_hex("0x\n", 3, &hex), -EINVAL);
	assert_int_equal(attr_parse_hex("2e\n", 3, &hex), -EINVAL);
	assert_int_equal(attr_parse_i64("32x\n", 4, &value), -EINVAL);
	assert_int_equal(attr_parse_i64("1\n2\n", 4, &value), -EINVAL);
	assert_true(!attr_parse_choice("none [mq-deadline] kyber bfq \n", 30, text, sizeof(text)) && !strcmp(text, "mq-deadline"));
	assert_true(!attr_parse_choice("none\n", 5, text, sizeof(text)) && !strcmp(text, "none"));
	assert_int_equal(attr_parse_choice("none mq-deadline\n", 17, text, sizeof(text)), -EINVAL);
	assert_true(!attr_parse_text("Linux   \n", 9, text, sizeof(text)) && !strcmp(text, "Linux"));
	assert_true(!attr_parse_timeout("off\n", 4, &value) && value == -1);
	assert_int_equal(attr_parse_timeout("-5\n", 3, &value), -EINVAL);
	assert_true(!attr_parse_dev("253:1\n", 6, &a, &b) && a == 253 && b == 1);
}

/* The first recorded here, Linux 6.18; the second as kernels before 5.13 print it for the processor. */
static const char pressure[] = "some avg10=2.01 avg60=0.50 avg300=0.12 total=123456\nfull avg10=1.00 avg60=0.25 avg300=0.06 total=65432\n";

static void check_pressure(const char *cut, size_t n, const char *whole, size_t length)
{
	struct pressure_text p;

	(void)whole;
	if (pressure_parse(cut, n, &p))
		return;
	assert_true(p.some10 == 2.01 && p.some_us == 123456);
	assert_true(n == length ? p.full10 == 1.00 && p.full_us == 65432 : isnan(p.full10));
}

static const char cpu[] = "cpu  100 5 50 800 40 1 4 0 0 0\ncpu0 50 5 25 400 20 1 2 0 0 0\nintr 1\n";

static void check_cpu(const char *cut, size_t n, const char *whole, size_t length)
{
	struct cpu_text c;

	(void)whole;
	(void)length;
	if (!cpu_parse(cut, n, &c))
		assert_true(c.user == 100 && c.softirq == 4 && c.iowait == 40);
	else
		assert_true(n < 31);
}

static void test_system(void **state)
{
	struct pressure_text p;
	struct cpu_text a, b;
	double busy, iowait;

	(void)state;
	assert_int_equal(pressure_parse(pressure, strlen(pressure), &p), 0);
	assert_true(p.full300 == 0.06);
	every_cut(pressure, strlen(pressure), check_pressure);
	assert_int_equal(cpu_parse(cpu, strlen(cpu), &a), 0);
	every_cut(cpu, strlen(cpu), check_cpu);
	b = a;
	assert_false(cpu_shares(&a, &b, &busy, &iowait));
	b.user += 30;
	b.idle += 50;
	b.iowait += 20;
	assert_true(cpu_shares(&a, &b, &busy, &iowait));
	assert_true(fabs(busy - 0.3) < 1e-9 && fabs(iowait - 0.2) < 1e-9);
	b.user = 0;
	assert_false(cpu_shares(&a, &b, &busy, &iowait));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mdstat),	   cmocka_unit_test(test_mdstat_other_states), cmocka_unit_test(test_speeds),
		cmocka_unit_test(test_attributes), cmocka_unit_test(test_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
