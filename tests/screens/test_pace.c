/* When frames come: at rest, after keys, on slow lines; time is a number. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "pace.h"

#define MS(n) ((n) * NS_PER_MS)

static struct pace p;

/* Frames drawn from `from` to `to` ms in steps of 10 ms. */
static int frames(int from, int to, bool dirty, bool busy)
{
	int n = 0;

	for (int t = from; t < to; t += 10)
		n += pace_turn(&p, MS(t), dirty, busy) != PACE_WAIT;
	return n;
}

static void start(bool slow_speed) { pace_start(&p, 0, slow_speed); }

static void test_rates(void **state)
{
	(void)state;
	start(false);
	assert_int_equal(frames(10, 2010, false, false), 8);
	pace_key(&p, MS(2010));
	assert_int_equal(frames(2010, 3010, false, false), 10);
	assert_int_equal(frames(3010, 4010, false, false), 4);
	start(true);
	pace_key(&p, MS(10));
	assert_int_equal(frames(10, 5010, false, false), 5);
}

/* What was asked for is shown at once; on a slow line ten times a second at most. */
static void test_answers(void **state)
{
	(void)state;
	start(false);
	assert_int_equal(pace_turn(&p, MS(5), true, false), PACE_DRAW);
	assert_int_equal(pace_turn(&p, MS(6), true, false), PACE_DRAW);
	start(true);
	assert_int_equal(pace_turn(&p, MS(99), true, false), PACE_WAIT);
	assert_int_equal(pace_turn(&p, MS(100), true, false), PACE_DRAW);
	assert_int_equal(pace_turn(&p, MS(150), true, false), PACE_WAIT);
}

static void test_busy_line_is_left_alone(void **state)
{
	(void)state;
	start(false);
	assert_int_equal(frames(10, 2000, true, true), 0);
	assert_int_equal(pace_turn(&p, MS(2500), true, false), PACE_DRAW);
}

/* Three frames in a row that were due while the line was busy. */
static void test_three_skips_are_slow(void **state)
{
	(void)state;
	start(false);
	frames(10, 520, false, true);
	assert_int_equal(p.skips, 2);
	assert_false(pace_slow(&p));
	frames(520, 530, false, false); /* busy no longer: it counts anew */
	frames(530, 780, false, false);
	assert_int_equal(p.skips, 0);
	frames(780, 1800, false, true);
	assert_true(pace_slow(&p));
	frames(1800, 2800, false, false);
	assert_int_equal(frames(2800, 5800, false, false), 3);
}

/* First ms from `from` on at which the line is taken for a fast one. */
static int fast_again(int from)
{
	while (pace_slow(&p) && from < 1000000) {
		pace_turn(&p, MS(from), false, false);
		from += 10;
	}
	return from;
}

static void test_fast_again(void **state)
{
	int now;

	(void)state;
	start(false);
	frames(10, 1000, false, true);
	assert_true(pace_slow(&p));
	now = fast_again(1000);
	assert_in_range(now, 10750, 12000); /* ten seconds after the last skip, at the next frame */
	frames(now, now + 1000, false, true);
	assert_true(pace_slow(&p));
	now = fast_again(now + 1000) - now;
	assert_in_range(now, 20000, 23000); /* twice as long the second time */
	start(false); /* long after, the short time again */
	frames(10, 1000, false, true);
	now = fast_again(1000);
	frames(now, now + 70000, false, false);
	frames(now + 70000, now + 71000, false, true);
	assert_true(pace_slow(&p));
	assert_in_range(fast_again(now + 71000), now + 80000, now + 83000);
	start(true); /* a slow speed stays slow */
	frames(10, 100000, false, false);
	assert_true(pace_slow(&p));
}

static int paints(int seconds)
{
	int n = 0;

	for (int t = 10; t < seconds * 1000; t += 10)
		n += pace_turn(&p, MS(t), false, false) == PACE_PAINT;
	return n;
}

/* Everything is sent each minute, not on a slow line. */
static void test_paints(void **state)
{
	(void)state;
	start(false);
	assert_int_equal(paints(59), 0);
	start(false);
	assert_int_equal(paints(190), 3);
	start(true);
	assert_int_equal(paints(190), 0);
}

static void test_timeout(void **state)
{
	(void)state;
	start(false);
	assert_int_equal(pace_timeout_ms(&p, 0, false), 250);
	assert_int_equal(pace_timeout_ms(&p, MS(249) + 1, false), 1);
	assert_int_equal(pace_timeout_ms(&p, MS(900), false), 0);
	assert_int_equal(pace_timeout_ms(&p, 0, true), 10);
	start(true);
	assert_int_equal(pace_timeout_ms(&p, 0, false), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_busy_line_is_left_alone),
		cmocka_unit_test(test_three_skips_are_slow),
		cmocka_unit_test(test_fast_again),
		cmocka_unit_test(test_paints),
		cmocka_unit_test(test_timeout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
