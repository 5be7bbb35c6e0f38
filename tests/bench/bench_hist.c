/* What a histogram costs: recording a latency, taking a snapshot with five percentiles, room.
 * Targets: T9. */
#include "base_bench.h"

#include <string.h>

#include "base/hist.h"
#include "base/rng.h"

enum { N_VALUES = 4096 };

struct data {
	struct hist h, copy;
	int64_t values[N_VALUES];
};

static uint64_t only_read(void *p, uint64_t n)
{
	struct data *d = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		sum += (uint64_t)d->values[i % N_VALUES];
		__asm__ volatile(""
				 : "+r"(sum));
	}
	return sum;
}

/* The histogram is memory to the compiler after each value, as it is to a worker between two
 * completions. */
static uint64_t record(void *p, uint64_t n)
{
	struct data *d = p;

	for (uint64_t i = 0; i < n; i++) {
		hist_record(&d->h, d->values[i % N_VALUES]);
		__asm__ volatile(""
				 :
				 : "r"(&d->h)
				 : "memory");
	}
	return d->h.n;
}

static uint64_t snapshot(void *p, uint64_t n)
{
	static const double q[5] = { 0.5, 0.9, 0.95, 0.99, 0.999 };
	struct data *d = p;
	double ns[5], sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		memcpy(&d->copy, &d->h, sizeof(d->h));
		__asm__ volatile(""
				 :
				 : "r"(&d->copy)
				 : "memory");
		hist_percentiles(&d->copy, q, ns, 5);
		sum += ns[0] + ns[4];
	}
	return (uint64_t)sum;
}

static uint64_t add(void *p, uint64_t n)
{
	struct data *d = p;

	for (uint64_t i = 0; i < n; i++)
		hist_add(&d->copy, &d->h);
	return d->copy.n;
}

static uint64_t log2_rows(void *p, uint64_t n)
{
	uint64_t rows[HIST_LOG2_ROWS], sum = 0;
	struct data *d = p;

	for (uint64_t i = 0; i < n; i++) {
		hist_log2(&d->h, rows);
		sum += rows[9];
	}
	return sum;
}

static void fill(struct data *d, const char *what, const struct dist *dist)
{
	struct rng r;

	rng_init(&r, 1, 1);
	hist_init(&d->h);
	hist_init(&d->copy);
	for (int i = 0; i < N_VALUES; i++)
		d->values[i] = rng_draw(&r, dist);
	printf("%s\n", what);
}

int main(void)
{
	static const struct dist narrow = { .mean_ns = 430000, .shape = 16 };
	static const struct dist wide = { .mean_ns = 430000, .shape = 1 };
	struct data *d = malloc(sizeof(*d));
	double ns;

	if (!d)
		return 1;
	fill(d, "latencies Erlang-16 around 430 us", &narrow);
	bench("  loop without record", only_read, d, 10000000);
	ns = bench("  record, with that loop", record, d, 10000000);
	fill(d, "latencies exponential, mean 430 us", &wide);
	bench("  loop without record", only_read, d, 10000000);
	bench("  record, with that loop", record, d, 10000000);
	double snapshot_ns = bench("  snapshot copy + 5 percentiles", snapshot, d, 5000);
	bench("  add one to another", add, d, 5000);
	bench("  log2 rows", log2_rows, d, 5000);
	bench_judge("T9 histogram, record (Erlang-16)", ns, "ns", false, 2);
	bench_judge("T9 histogram, size", sizeof(struct hist) / 1024.0, "KiB", false, 32);
	bench_judge("T9 snapshot and 5 percentiles", snapshot_ns / 1000, "us", false, 10);
	free(d);
	return 0;
}
