/* The slow side of the histogram: clearing, adding up, percentiles, the kernel's log2 rows.
 * Recording is inline in hist.h. */
#include "base/hist.h"

#include <math.h>
#include <string.h>

void hist_init(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	hist_init_zero(h);
}

static void empty_totals(struct hist *h)
{
	h->n = 0;
	h->sum_hi = h->sum_lo = 0;
	h->min = INT64_MAX;
	h->max = -1;
}

void hist_clear(struct hist *h)
{
	if (h->n) {
		uint32_t first = hist_bucket(h->min);
		uint32_t last = hist_bucket(h->max);

		memset(&h->count[first], 0, (last - first + 1) * sizeof(h->count[0]));
	}
	empty_totals(h);
}

/* The inverse of hist_bucket: the first octaves are linear (one value per bucket), then HIST_SUB
 * buckets share an octave. */
int64_t hist_bucket_low(uint32_t bucket)
{
	uint32_t octave = bucket >> HIST_SUB_BITS;
	int64_t sub = bucket & (HIST_SUB - 1);

	return octave ? (HIST_SUB + sub) << (octave - 1) : sub;
}

/* The edge above the last bucket would be 2^63; the largest number there is stands for it. */
int64_t hist_bucket_high(uint32_t bucket)
{
	return bucket + 1 < HIST_BUCKETS ? hist_bucket_low(bucket + 1) : INT64_MAX;
}

static void add_sum(struct hist *dst, const struct hist *src)
{
	dst->sum_lo += src->sum_lo;
	dst->sum_hi += src->sum_hi + (dst->sum_lo < src->sum_lo);
}

void hist_record_many(struct hist *h, int64_t ns, uint32_t n)
{
	if (ns < 0)
		ns = 0;
	__extension__ unsigned __int128 sum = (unsigned __int128)(uint64_t)ns * n + h->sum_lo;
	h->n += n;
	h->sum_lo = (uint64_t)sum;
	h->sum_hi += (uint64_t)(sum >> 64);
	h->min = n && ns < h->min ? ns : h->min;
	h->max = n && ns > h->max ? ns : h->max;
	h->count[hist_bucket(ns)] += n;
}

void hist_add(struct hist *dst, const struct hist *src)
{
	if (!src->n)
		return;

	uint32_t last = hist_bucket(src->max);

	for (uint32_t i = hist_bucket(src->min); i <= last; i++)
		dst->count[i] += src->count[i];
	dst->n += src->n;
	add_sum(dst, src);
	if (src->min < dst->min)
		dst->min = src->min;
	if (src->max > dst->max)
		dst->max = src->max;
}

static double sum_ns(const struct hist *h)
{
	return (double)h->sum_hi * 0x1p64 + (double)h->sum_lo;
}

double hist_mean(const struct hist *h)
{
	return h->n ? sum_ns(h) / (double)h->n : (double)NAN;
}

double hist_sum_s(const struct hist *h)
{
	return sum_ns(h) / 1e9;
}

/* The rank (1..n) of the value that stands for share q: q * n rounded up. The product may come out
 * a few units in the last place too large (0.07 * 100 > 7), which must not cost a whole rank. */
static uint64_t rank_of(double q, uint64_t n)
{
	if (!(q > 0))
		return 1;
	if (q >= 1)
		return n;

	double x = q * (double)n;
	uint64_t rank = (uint64_t)x;

	rank += x - (double)rank > x * 0x1p-50;
	if (rank < 1)
		return 1;
	return rank < n ? rank : n;
}

/* The middle of the whole numbers in a bucket, clamped: a bucket at the rim may reach beyond what
 * was ever seen. */
static double middle(const struct hist *h, uint32_t bucket)
{
	int64_t low = hist_bucket_low(bucket);
	double ns = (double)low + (double)(hist_bucket_high(bucket) - low - 1) * 0.5;

	if (ns < (double)h->min)
		return (double)h->min;
	return ns > (double)h->max ? (double)h->max : ns;
}

void hist_percentiles(const struct hist *h, const double *q, double *ns, unsigned n_q)
{
	uint32_t bucket = h->n ? hist_bucket(h->min) : 0;
	uint64_t upto = h->count[bucket];

	for (unsigned i = 0; i < n_q; i++) {
		if (!h->n) {
			ns[i] = (double)NAN;
			continue;
		}
		for (uint64_t rank = rank_of(q[i], h->n); upto < rank && bucket + 1 < HIST_BUCKETS;)
			upto += h->count[++bucket];
		ns[i] = middle(h, bucket);
	}
}

double hist_percentile(const struct hist *h, double q)
{
	double ns;

	hist_percentiles(h, &q, &ns, 1);
	return ns;
}

uint64_t hist_needs(double q)
{
	uint64_t n = 0;

	for (double all_below = 1; all_below > 0.025; n++)
		all_below *= q;
	return n;
}

/* dasd.c: for (i = 0; i < 31 && us >> (2 + i); i++) */
uint32_t hist_log2_row(uint64_t us)
{
	if (us < 4)
		return 0;

	uint32_t row = 62u - (uint32_t)__builtin_clzll(us);

	return row < HIST_LOG2_ROWS ? row : HIST_LOG2_ROWS - 1;
}

/* First bucket of a row: its lower edge is 4000 * 2^k ns = 125 * 2^(5+k), and 125 is one of the
 * sub-buckets 64..127. */
static uint32_t row_first(uint32_t row)
{
	return row ? hist_bucket(INT64_C(4000) << (row - 1)) : 0;
}

void hist_log2(const struct hist *h, uint64_t rows[HIST_LOG2_ROWS])
{
	memset(rows, 0, HIST_LOG2_ROWS * sizeof(rows[0]));
	if (!h->n)
		return;

	uint32_t row = hist_log2_row((uint64_t)h->min / 1000);
	uint32_t next = row_first(row + 1);
	uint32_t last = hist_bucket(h->max);

	for (uint32_t i = hist_bucket(h->min); i <= last; i++) {
		if (i >= next && row < HIST_LOG2_ROWS - 1)
			next = row_first(++row + 1);
		rows[row] += h->count[i];
	}
}
