/* Histogram: bucket edges, exact totals, percentiles against sorted values, log2 rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hist.h"
#include "base/rng.h"

#define DAY INT64_C(86400000000000)

static struct hist h, other; /* too large for some stacks under the sanitizers */

static int fresh(void **state)
{
	(void)state;
	hist_init(&h);
	hist_init(&other);
	return 0;
}

/* All magnitudes from ns to centuries alike. The shift is a line of its own: C fixes no order for
 * two draws in one expression. */
static int64_t any_magnitude(struct rng *r)
{
	uint64_t shift = 1 + rng_below(r, 63);

	return (int64_t)(rng_next(r) >> shift);
}

static void assert_all_zero(const struct hist *x)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		assert_int_equal(x->count[i], 0);
	assert_int_equal(x->n, 0);
	assert_int_equal(x->sum_hi, 0);
	assert_int_equal(x->sum_lo, 0);
	assert_true(x->min == INT64_MAX);
	assert_true(x->max == -1);
}

static void fits_in_32_kib(void **state)
{
	(void)state;
	assert_true(sizeof(struct hist) <= 32 * 1024);
}

/* Every bucket begins where the one before ends, both its edges map back to it, and none is wider
 * than 1/64 of its values. */
static void buckets_tile_the_range(void **state)
{
	(void)state;
	assert_int_equal(hist_bucket_low(0), 0);
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		int64_t low = hist_bucket_low(i), high = hist_bucket_high(i);

		assert_true(low < high);
		assert_int_equal(hist_bucket(low), i);
		assert_int_equal(hist_bucket(high - 1), i);
		assert_true(high - low == 1 || (high - low) <= low / 64);
		if (i + 1 < HIST_BUCKETS)
			assert_true(high == hist_bucket_low(i + 1));
	}
	assert_int_equal(hist_bucket(INT64_MAX), HIST_BUCKETS - 1);
	assert_true(hist_bucket_high(HIST_BUCKETS - 1) == INT64_MAX);
}

static void empty_has_no_figures(void **state)
{
	double q[3] = { 0, 0.5, 1 }, ns[3] = { 1, 2, 3 };
	uint64_t rows[HIST_LOG2_ROWS];

	(void)state;
	assert_true(isnan(hist_mean(&h)));
	assert_true(isnan(hist_percentile(&h, 0.99)));
	hist_percentiles(&h, q, ns, 3);
	for (int i = 0; i < 3; i++)
		assert_true(isnan(ns[i]));
	assert_true(hist_sum_s(&h) == 0);
	memset(rows, 0xff, sizeof(rows));
	hist_log2(&h, rows);
	for (int i = 0; i < HIST_LOG2_ROWS; i++)
		assert_int_equal(rows[i], 0);
	assert_all_zero(&h);
}

static void totals_are_exact(void **state)
{
	static const int64_t values[] = { 5, 1000001, 0, 77, DAY * 30, 999999999 };
	int64_t sum = 0;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		hist_record(&h, values[i]);
		sum += values[i];
	}
	assert_int_equal(h.n, 6);
	assert_true(h.sum_hi == 0 && h.sum_lo == (uint64_t)sum);
	assert_true(h.min == 0 && h.max == DAY * 30);
	assert_true(fabs(hist_mean(&h) - (double)sum / 6) < 1);
	assert_true(fabs(hist_sum_s(&h) - (double)sum / 1e9) < 1e-6);
}

static void negative_counts_as_zero(void **state)
{
	(void)state;
	hist_record(&h, -1);
	hist_record(&h, INT64_MIN);
	assert_int_equal(h.n, 2);
	assert_int_equal(h.count[0], 2);
	assert_true(h.min == 0 && h.max == 0 && h.sum_lo == 0);
	assert_true(hist_percentile(&h, 0.5) == 0);
}

/* 64 bits of sum hold 584 years; with a million requests stuck for a day they do not. */
static void sum_has_128_bits(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		hist_record(&h, INT64_MAX);
	/* 5 * (2^63 - 1) = 2 * 2^64 + 2^63 - 5 */
	assert_int_equal(h.sum_hi, 2);
	assert_true(h.sum_lo == (UINT64_C(1) << 63) - 5);
	assert_true(fabs(hist_mean(&h) / 0x1p63 - 1) < 1e-15);
	hist_add(&other, &h);
	hist_add(&other, &h);
	/* 10 * (2^63 - 1) = 4 * 2^64 + 2^64 - 10 */
	assert_int_equal(other.sum_hi, 4);
	assert_true(other.sum_lo == -UINT64_C(10));
}

static void days_are_not_cut(void **state)
{
	static const int64_t values[] = { DAY, DAY + 1, 7 * DAY, 100 * 365 * DAY };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		hist_clear(&h);
		hist_record(&h, 1000);
		hist_record(&h, values[i]);
		assert_true(h.max == values[i]);
		assert_true(fabs(hist_percentile(&h, 0.99) / (double)values[i] - 1) <= 1.0 / 128);
	}
}

static void percentiles_stay_between_min_and_max(void **state)
{
	(void)state;
	/* the bucket is 1048576..1064959, its middle 1056767.5 */
	hist_record(&h, 1048577);
	assert_true(hist_percentile(&h, 0) == 1048577);
	assert_true(hist_percentile(&h, 0.5) == 1048577);
	assert_true(hist_percentile(&h, 1) == 1048577);
	hist_clear(&h);
	hist_record(&h, 1048576 + 16383);
	assert_true(hist_percentile(&h, 0.5) == 1048576 + 16383);
}

/* Rank = q n rounded up; 0.07 * 100 is 7.000000000000001 in floating point and means rank 7. */
static void percentile_takes_the_right_rank(void **state)
{
	static const struct {
		double q, value;
	} rows[] = {
		{ -1, 0 },
		{ 0, 0 },
		{ 0.001, 0 },
		{ 0.01, 0 },
		{ 0.011, 1 },
		{ 0.02, 1 },
		{ 0.07, 6 },
		{ 0.14, 13 },
		{ 0.28, 27 },
		{ 0.5, 49 },
		{ 0.505, 50 },
		{ 0.55, 54 },
		{ 0.56, 55 },
		{ 0.57, 56 },
		{ 0.58, 57 },
		{ 0.63, 62 },
		{ 0.63001, 63 },
		{ 2, 99 },
	};

	(void)state;
	for (int i = 0; i < 100; i++)
		hist_record(&h, i < 64 ? i : 99);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double ns = hist_percentile(&h, rows[i].q);

		if (rows[i].value < 64)
			assert_true(ns == rows[i].value);
		else
			assert_true(fabs(ns - 99) <= 0.5);
	}
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

enum { N_RANDOM = 20000 };
static int64_t sorted[N_RANDOM];

static void compare_with_sorted(void)
{
	qsort(sorted, N_RANDOM, sizeof(sorted[0]), by_value);
	for (unsigned rank = 1; rank <= N_RANDOM; rank += 7) {
		double exact = (double)sorted[rank - 1];
		double ns = hist_percentile(&h, (double)rank / N_RANDOM);

		assert_true(fabs(ns - exact) <= exact * 0.0079);
	}
	assert_true(h.min == sorted[0] && h.max == sorted[N_RANDOM - 1]);
}

static void percentiles_of_every_magnitude(void **state)
{
	struct rng r;

	(void)state;
	rng_init(&r, 1, 1);
	for (int i = 0; i < N_RANDOM; i++) {
		sorted[i] = any_magnitude(&r);
		hist_record(&h, sorted[i]);
	}
	compare_with_sorted();
}

static void percentiles_of_latencies(void **state)
{
	const struct dist d = { .mean_ns = 430000, .shape = 3 };
	struct rng r;

	(void)state;
	rng_init(&r, 2, 1);
	for (int i = 0; i < N_RANDOM; i++) {
		sorted[i] = 60000 + rng_draw(&r, &d);
		hist_record(&h, sorted[i]);
	}
	compare_with_sorted();
}

static void several_percentiles_equal_single_ones(void **state)
{
	static const double q[] = { 0, 0.5, 0.5, 0.95, 0.99, 0.999, 1 };
	double ns[7];
	struct rng r;

	(void)state;
	rng_init(&r, 3, 1);
	for (int i = 0; i < 5000; i++)
		hist_record(&h, (int64_t)rng_below(&r, 10000000));
	hist_percentiles(&h, q, ns, 7);
	for (int i = 0; i < 7; i++)
		assert_true(ns[i] == hist_percentile(&h, q[i]));
}

static void clear_clears_everything(void **state)
{
	static const int64_t edges[] = { 0, 63, 64, 127, 128, 1000000, DAY, INT64_MAX };

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		for (unsigned k = i; k < 8; k++) {
			hist_record(&h, edges[i]);
			hist_record(&h, edges[k]);
			hist_clear(&h);
			assert_int_equal(h.n, 0);
		}
		assert_all_zero(&h);
	}
	hist_clear(&h);
	assert_all_zero(&h);
}

static void add_is_like_recording_both(void **state)
{
	static struct hist both;
	struct rng r;

	(void)state;
	rng_init(&r, 4, 1);
	hist_init(&both);
	for (int i = 0; i < 3000; i++) {
		int64_t ns = any_magnitude(&r);

		hist_record(i % 3 ? &h : &other, ns);
		hist_record(&both, ns);
	}
	hist_add(&h, &other);
	assert_memory_equal(&h, &both, sizeof(h));
	hist_init(&other);
	hist_add(&h, &other); /* an empty one must not touch min */
	assert_memory_equal(&h, &both, sizeof(h));
	hist_add(&other, &h);
	assert_memory_equal(&other, &both, sizeof(h));
}

static const struct {
	uint64_t us;
	uint32_t row;
} log2_rows[] = {
	{ 0, 0 },
	{ 1, 0 },
	{ 3, 0 },
	{ 4, 1 },
	{ 7, 1 },
	{ 8, 2 },
	{ 511, 7 },
	{ 512, 8 },
	{ 1023, 8 },
	{ 1024, 9 },
	{ 2047, 9 },
	{ 2048, 10 },
	{ 8191, 11 },
	{ (UINT64_C(1) << 31) - 1, 29 },
	{ UINT64_C(1) << 31, 30 },
	{ (UINT64_C(1) << 32) - 1, 30 },
	{ UINT64_C(1) << 32, 31 },
	{ UINT64_C(1) << 33, 31 },
	{ UINT64_C(1) << 40, 31 },
};

static void log2_row_is_the_kernels(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(log2_rows) / sizeof(log2_rows[0]); i++)
		assert_int_equal(hist_log2_row(log2_rows[i].us), log2_rows[i].row);
	assert_int_equal(hist_log2_row(UINT64_MAX), 31);
}

/* One value at a time, at both ends of its microsecond. */
static void log2_rows_of_single_values(void **state)
{
	uint64_t rows[HIST_LOG2_ROWS];

	(void)state;
	for (unsigned i = 0; i < sizeof(log2_rows) / sizeof(log2_rows[0]); i++) {
		for (int64_t ns = 0; ns < 1000; ns += 999) {
			hist_clear(&h);
			hist_record(&h, (int64_t)log2_rows[i].us * 1000 + ns);
			hist_log2(&h, rows);
			for (uint32_t k = 0; k < HIST_LOG2_ROWS; k++)
				assert_int_equal(rows[k], k == log2_rows[i].row);
		}
	}
}

static uint32_t kernel_row(uint64_t us)
{
	uint32_t i;

	for (i = 0; i < 31 && us >> (2 + i); i++)
		;
	return i;
}

static void log2_rows_are_exact(void **state)
{
	uint64_t rows[HIST_LOG2_ROWS], expected[HIST_LOG2_ROWS] = { 0 };
	struct rng r;

	(void)state;
	rng_init(&r, 5, 1);
	for (int i = 0; i < 20000; i++) {
		/* near an edge half of the time */
		int64_t edge = INT64_C(4000) << rng_below(&r, 32);
		int64_t ns = i % 2 ? edge + (int64_t)rng_below(&r, 5) - 2 : any_magnitude(&r);

		hist_record(&h, ns);
		expected[kernel_row((uint64_t)ns / 1000)]++;
	}
	hist_log2(&h, rows);
	assert_memory_equal(rows, expected, sizeof(rows));
}

/* The least n with 1 - q^n >= 0.975, by logarithms here. */
static void what_a_percentile_needs(void **state)
{
	static const struct {
		double q;
		uint64_t n;
	} rows[] = { { 0.5, 6 }, { 0.95, 72 }, { 0.99, 368 }, { 0.999, 3688 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(hist_needs(rows[i].q), rows[i].n);
		assert_int_equal(rows[i].n, ceil(log(0.025) / log(rows[i].q)));
		assert_true(hist_enough(rows[i].n, rows[i].q));
		assert_false(hist_enough(rows[i].n - 1, rows[i].q));
	}
}

static void many_at_once_are_as_many_one_by_one(void **state)
{
	static const int64_t ns[] = {0, -5, 63, 64, 1234567, INT64_MAX, INT64_MAX};
	struct hist *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));

	(void)state;
	hist_init(a);
	hist_init(b);
	hist_record_many(a, 17, 0);
	assert_memory_equal(a, b, sizeof(*a));
	for (uint32_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++) {
		hist_record_many(a, ns[i], i + 1);
		for (uint32_t k = 0; k <= i; k++)
			hist_record(b, ns[i]);
		assert_memory_equal(a, b, sizeof(*a));
	}
	assert_true(a->sum_hi > 0);
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_at_once_are_as_many_one_by_one),
		cmocka_unit_test_setup(fits_in_32_kib, fresh),
		cmocka_unit_test_setup(buckets_tile_the_range, fresh),
		cmocka_unit_test_setup(empty_has_no_figures, fresh),
		cmocka_unit_test_setup(totals_are_exact, fresh),
		cmocka_unit_test_setup(negative_counts_as_zero, fresh),
		cmocka_unit_test_setup(sum_has_128_bits, fresh),
		cmocka_unit_test_setup(days_are_not_cut, fresh),
		cmocka_unit_test_setup(percentiles_stay_between_min_and_max, fresh),
		cmocka_unit_test_setup(percentile_takes_the_right_rank, fresh),
		cmocka_unit_test_setup(percentiles_of_every_magnitude, fresh),
		cmocka_unit_test_setup(percentiles_of_latencies, fresh),
		cmocka_unit_test(what_a_percentile_needs),
		cmocka_unit_test_setup(several_percentiles_equal_single_ones, fresh),
		cmocka_unit_test_setup(clear_clears_everything, fresh),
		cmocka_unit_test_setup(add_is_like_recording_both, fresh),
		cmocka_unit_test_setup(log2_row_is_the_kernels, fresh),
		cmocka_unit_test_setup(log2_rows_of_single_values, fresh),
		cmocka_unit_test_setup(log2_rows_are_exact, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
