/* What random numbers cost. A simulated I/O takes two logarithms, with 10 ns each to spend. */
#include "base_bench.h"

#include "base/rng.h"

struct data {
	struct rng r;
	struct dist dist;
	struct zipf zipf;
};

static uint64_t next(void *p, uint64_t n)
{
	struct data *d = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += rng_next(&d->r);
	return sum;
}

static uint64_t below(void *p, uint64_t n)
{
	struct data *d = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += rng_below(&d->r, 1000003);
	return sum;
}

static uint64_t logarithm(void *p, uint64_t n)
{
	struct data *d = p;
	double sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += det_log(rng_unit(&d->r));
	return (uint64_t)-sum;
}

/* Each waits for the one before: the time from argument to result. */
static uint64_t logarithm_chain(void *p, uint64_t n)
{
	double x = 0.5;

	(void)p;
	for (uint64_t i = 0; i < n; i++)
		x = 0.6 + det_log(x + 1);
	return (uint64_t)(x * 1e6);
}

static uint64_t exponential_function(void *p, uint64_t n)
{
	struct data *d = p;
	double sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += det_exp(rng_unit(&d->r) * -20);
	return (uint64_t)sum;
}

static uint64_t power(void *p, uint64_t n)
{
	struct data *d = p;
	double sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += det_pow(rng_unit(&d->r), 1.7);
	return (uint64_t)sum;
}

static uint64_t draw(void *p, uint64_t n)
{
	struct data *d = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += (uint64_t)rng_draw(&d->r, &d->dist);
	return sum;
}

static uint64_t draw_rank(void *p, uint64_t n)
{
	struct data *d = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += zipf_draw(&d->zipf, &d->r);
	return sum;
}

static void bench_shapes(struct data *d)
{
	static const uint32_t shapes[] = { 0, 1, 2, 4, 16, 64 };
	char what[64];

	for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		d->dist = (struct dist){ .mean_ns = 430000, .shape = shapes[i] };
		snprintf(what, sizeof(what), "rng_draw shape %u", shapes[i]);
		bench(what, draw, d, 2000000);
	}
}

static void bench_zipf(struct data *d)
{
	static const double thetas[] = { 0.5, 1, 1.2 };
	char what[64];

	for (unsigned i = 0; i < sizeof(thetas) / sizeof(thetas[0]); i++) {
		zipf_init(&d->zipf, UINT64_C(1) << 28, thetas[i]);
		snprintf(what, sizeof(what), "zipf_draw theta %.1f, 2^28 ranks", thetas[i]);
		bench(what, draw_rank, d, 500000);
	}
}

int main(void)
{
	struct data d;

	rng_init(&d.r, 1, 1);
	bench("rng_next", next, &d, 10000000);
	bench("rng_below", below, &d, 10000000);
	bench("rng_unit + det_log (<= 10 ns)", logarithm, &d, 5000000);
	bench("det_log, each from the one before", logarithm_chain, &d, 5000000);
	bench("rng_unit + det_exp", exponential_function, &d, 5000000);
	bench("rng_unit + det_pow", power, &d, 2000000);
	bench_shapes(&d);
	bench_zipf(&d);
	return 0;
}
