/* The settled rule and the interval of a mean, against hand-made series. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "steady.h"

static void too_little(void **state)
{
	double x[29] = {0};

	(void)state;
	assert_true(isnan(steady_cv(x, 29)));
	assert_true(isnan(steady_mean(x, 0).mean));
	assert_true(isnan(steady_mean(x, 1).half));
}

static void nothing_done_is_not_settled(void **state)
{
	double x[30] = {0};

	(void)state;
	assert_true(isnan(steady_cv(x, 30)));
	assert_false(steady_cv(x, 30) < STEADY_CV);
}

static void cv_of_half_seconds(void **state)
{
	double x[35];

	(void)state;
	for (int i = 0; i < 35; i++)
		x[i] = 1e9; /* the first five are older than 3 s and must not count */
	for (int i = 5; i < 35; i++)
		x[i] = (i / 5) % 2 ? 90 : 110; /* half-second means 90 and 110 in turn: sd 10.954 */
	assert_true(fabs(steady_cv(x, 35) - 0.10954) < 1e-4);
	for (int i = 5; i < 35; i++)
		x[i] = i % 5 ? 100 : 50; /* slices differ, half seconds do not: a slow device is settled */
	assert_true(steady_cv(x, 35) < 1e-12);
}

/* Independent values: the interval holds the true mean in about 95 of 100 runs. */
static void coverage(double memory, int low, int high)
{
	struct rng r;
	int held = 0;
	enum { RUNS = 2000, N = 100 };

	rng_init(&r, 3, 14);
	for (int run = 0; run < RUNS; run++) {
		double x[N], now = 0;
		for (int i = 0; i < N; i++) {
			double noise = rng_unit(&r) + rng_unit(&r) + rng_unit(&r) + rng_unit(&r) - 2;
			now = memory * now + noise;
			x[i] = 1000 + now;
		}
		struct estimate e = steady_mean(x, N);
		held += fabs(e.mean - 1000) < e.half;
	}
	assert_in_range(held * 1000 / RUNS, low, high);
}

static void interval_of_independent_slices(void **state)
{
	(void)state;
	coverage(0, 920, 970);
}

/* Neighbours that correlate: the plain formula would hold the mean in only some 70 of 100 runs. */
static void interval_of_correlated_slices(void **state)
{
	(void)state;
	coverage(0.6, 860, 970);
}

static void small_sample_by_hand(void **state)
{
	static const double x[] = {9, 11, 10, 10};
	struct estimate e = steady_mean(x, 4);

	(void)state;
	/* s = sqrt(2/3), t(3) = 3.182: half = 3.182 * 0.8165 / 2 */
	assert_true(fabs(e.mean - 10) < 1e-12);
	assert_true(fabs(e.half - 1.2990) < 1e-3);
}

static void ratios(void **state)
{
	struct ratio r = steady_ratio((struct estimate){100, 3}, (struct estimate){200, 8});

	(void)state;
	assert_true(fabs(r.ratio - 2) < 1e-12);
	assert_true(fabs(r.high - 2 - 0.1) < 1e-9); /* 2 * sqrt(.03^2 + .04^2) */
	assert_true(fabs(2 - r.low - 0.1) < 1e-9);
	assert_true(isnan(steady_ratio((struct estimate){0, 0}, (struct estimate){1, 1}).ratio));
	assert_true(isnan(steady_ratio((struct estimate){NAN, NAN}, (struct estimate){1, 1}).ratio));
	r = steady_ratio((struct estimate){10, NAN}, (struct estimate){20, 1});
	assert_true(r.ratio == 2 && isnan(r.low) && isnan(r.high));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_little),
		cmocka_unit_test(nothing_done_is_not_settled),
		cmocka_unit_test(cv_of_half_seconds),
		cmocka_unit_test(interval_of_independent_slices),
		cmocka_unit_test(interval_of_correlated_slices),
		cmocka_unit_test(small_sample_by_hand),
		cmocka_unit_test(ratios),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
