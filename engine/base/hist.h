/* Log-linear latency histogram in nanoseconds: 64 sub-buckets per octave (error <= 1/128 of a value), the whole range of
 * int64_t (292 years), exact n, sum, min and max. One writer; readers copy or add. */
#ifndef IODECK_HIST_H
#define IODECK_HIST_H

#include <stdint.h>

enum {
	HIST_SUB_BITS = 6,
	HIST_SUB = 1 << HIST_SUB_BITS,
	HIST_BUCKETS = (64 - HIST_SUB_BITS) * HIST_SUB,
	HIST_LOG2_ROWS = 32,
};

/* All-zero memory is NOT valid (min): call hist_init. ~29.7 KiB. */
struct hist {
	uint64_t n;
	uint64_t sum_hi, sum_lo; /* 128-bit sum of all values, ns */
	int64_t min, max;        /* ns; min = INT64_MAX, max = -1 while n = 0 */
	uint64_t count[HIST_BUCKETS];
};

void hist_init(struct hist *h);
/* The same for memory that is all-zero: its pages stay untouched until something is recorded. */
static inline void hist_init_zero(struct hist *h)
{
	h->min = INT64_MAX;
	h->max = -1;
}
/* Empty it again; touches only the buckets between min and max. */
void hist_clear(struct hist *h);

/* Index of the bucket of a value >= 0. */
static inline uint32_t hist_bucket(int64_t ns)
{
	uint64_t v = (uint64_t)ns;

	if (v < HIST_SUB)
		return (uint32_t)v;
	unsigned shift = 63u - (unsigned)__builtin_clzll(v) - HIST_SUB_BITS;
	return ((shift + 1) << HIST_SUB_BITS) + (uint32_t)((v >> shift) & (HIST_SUB - 1));
}

/* Lower (inclusive) and upper (exclusive) edge of a bucket, ns. */
int64_t hist_bucket_low(uint32_t bucket);
int64_t hist_bucket_high(uint32_t bucket);

/* Record one value; a negative value (a clock that stepped) counts as 0. Hot path: the three rare cases are marked, because
 * gcc otherwise makes one slow 16 byte add of n and the carry (2.8 ns in place of 1.6). */
static inline void hist_record(struct hist *h, int64_t ns)
{
	if (ns < 0)
		ns = 0;
	h->n++;
	h->sum_lo += (uint64_t)ns;
	if (__builtin_expect(h->sum_lo < (uint64_t)ns, 0))
		h->sum_hi++;
	if (__builtin_expect(ns < h->min, 0))
		h->min = ns;
	if (__builtin_expect(ns > h->max, 0))
		h->max = ns;
	h->count[hist_bucket(ns)]++;
}

/* The same value `n` times. */
void hist_record_many(struct hist *h, int64_t ns, uint32_t n);

/* Record the value 0 `n` > 0 times. */
static inline void hist_record_zeros(struct hist *h, uint64_t n)
{
	h->n += n;
	h->count[0] += n;
	h->min = 0;
	h->max = h->max < 0 ? 0 : h->max;
}

/* dst += src; touches only the buckets between src's min and max. */
void hist_add(struct hist *dst, const struct hist *src);
/* Mean in ns, NaN while empty. Sum in seconds. */
double hist_mean(const struct hist *h);
double hist_sum_s(const struct hist *h);
/* Value below or at which the share q (0..1) of the values lies: middle of its bucket, clamped to [min, max]; NaN while empty. */
double hist_percentile(const struct hist *h, double q);
/* Several percentiles in one pass; q ascending. */
void hist_percentiles(const struct hist *h, const double *q, double *ns, unsigned n_q);

/* So many values a percentile (0 < q < 1) needs. Order statistics, whatever the distribution (H. A. David, H. N. Nagaraja, Order Statistics,
 * section 7.1): the largest of n values lies above it with probability 1 - q^n; with fewer than this, that is below 97.5 %, so no two-sided
 * 95 % interval has an upper end. 6, 72, 368, 3688 for p50, p95, p99, p99.9. */
uint64_t hist_needs(double q);
static inline int hist_enough(uint64_t n, double q)
{
	return n >= hist_needs(q);
}

/* The 32 rows of /proc/dasd/statistics in microseconds (dasd.c: bucket 0 is 0..3 us, row i is [2^(i+1), 2^(i+2)) us, row 31 is
 * the rest). Exact: the edges 4000 * 2^k ns lie on sub-bucket edges. */
void hist_log2(const struct hist *h, uint64_t rows[HIST_LOG2_ROWS]);
/* The row of one value in whole microseconds. */
uint32_t hist_log2_row(uint64_t us);

#endif
