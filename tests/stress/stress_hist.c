/* Histograms of random values against the sorted values themselves, for several kinds of values:
 * totals and log2 rows exactly, a thousand percentiles within 1/128. Argument: values per kind
 * (default 200000). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hist.h"
#include "base/rng.h"

static int64_t any_magnitude(struct rng *r)
{
	uint64_t shift = 1 + rng_below(r, 63); /* a line of its own fixes the order of draws */

	return (int64_t)(rng_next(r) >> shift);
}

static int64_t exponential(struct rng *r)
{
	const struct dist d = { .mean_ns = 430000, .shape = 1 };

	return rng_draw(r, &d);
}

static int64_t two_humps(struct rng *r)
{
	const struct dist hit = { .mean_ns = 150000, .shape = 20 };
	const struct dist miss = { .mean_ns = 8000000, .shape = 3 };

	return rng_draw(r, rng_below(r, 4) ? &hit : &miss);
}

static int64_t near_log2_edges(struct rng *r)
{
	int64_t edge = INT64_C(4000) << rng_below(r, 40);

	return edge + (int64_t)rng_below(r, 3) - 1;
}

static int64_t few_and_small(struct rng *r)
{
	return (int64_t)rng_below(r, 200);
}

static int64_t always_the_same(struct rng *r)
{
	(void)r;
	return 1234567;
}

static const struct kind {
	const char *name;
	int64_t (*draw)(struct rng *r);
} kinds[] = {
	{ "any magnitude", any_magnitude },
	{ "exponential", exponential },
	{ "two humps", two_humps },
	{ "near the log2 edges", near_log2_edges },
	{ "few and small", few_and_small },
	{ "always the same", always_the_same },
};

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool totals_agree(const struct hist *h, const int64_t *sorted, size_t n)
{
	__extension__ unsigned __int128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)sorted[i];
	return h->n == n && h->min == sorted[0] && h->max == sorted[n - 1] &&
	       h->sum_lo == (uint64_t)sum && h->sum_hi == (uint64_t)(sum >> 64);
}

/* The largest relative error of a thousand percentiles. */
static double worst_error(const struct hist *h, const int64_t *sorted, size_t n)
{
	double worst = 0;

	for (size_t i = 0; i <= 1000; i++) {
		size_t rank = 1 + i * (n - 1) / 1000;
		double exact = (double)sorted[rank - 1];
		double error = fabs(hist_percentile(h, (double)rank / (double)n) - exact);

		if (error > worst * exact)
			worst = error / exact;
	}
	return worst;
}

static uint32_t kernel_row(uint64_t us)
{
	uint32_t i;

	for (i = 0; i < 31 && us >> (2 + i); i++)
		;
	return i;
}

static bool rows_agree(const struct hist *h, const int64_t *sorted, size_t n)
{
	uint64_t rows[HIST_LOG2_ROWS], expected[HIST_LOG2_ROWS] = { 0 };

	for (size_t i = 0; i < n; i++)
		expected[kernel_row((uint64_t)sorted[i] / 1000)]++;
	hist_log2(h, rows);
	return !memcmp(rows, expected, sizeof(rows));
}

/* Record in two parts, one of them into a histogram used before, and add them up. */
static void fill(struct hist *h, struct hist *part, const int64_t *values, size_t n)
{
	hist_clear(h);
	hist_clear(part);
	for (size_t i = 0; i < n; i++)
		hist_record(i % 3 ? h : part, values[i]);
	hist_add(h, part);
}

static int report(int *number, bool ok, const char *what, const char *kind)
{
	printf("%sok %d - %s: %s\n", ok ? "" : "not ", ++*number, kind, what);
	return !ok;
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
	size_t n_kinds = sizeof(kinds) / sizeof(kinds[0]);
	int64_t *values = n ? malloc(n * sizeof(*values)) : NULL;
	static struct hist h, part;
	int failed = 0, number = 0;
	struct rng r;

	if (!values) {
		printf("Bail out! no memory\n");
		return 1;
	}
	hist_init(&h);
	hist_init(&part);
	printf("1..%zu\n", 3 * n_kinds);
	for (size_t k = 0; k < n_kinds; k++) {
		const char *name = kinds[k].name;
		double worst;

		rng_init(&r, 1, k);
		for (size_t i = 0; i < n; i++)
			values[i] = kinds[k].draw(&r);
		fill(&h, &part, values, n);
		qsort(values, n, sizeof(values[0]), by_value);
		worst = worst_error(&h, values, n);
		printf("# %s: worst error of a percentile %.3f %%\n", name, worst * 100);
		failed |= report(&number, totals_agree(&h, values, n), "n sum min max", name);
		failed |= report(&number, worst <= 1.0 / 128, "percentiles", name);
		failed |= report(&number, rows_agree(&h, values, n), "log2 rows", name);
	}
	free(values);
	return failed;
}
