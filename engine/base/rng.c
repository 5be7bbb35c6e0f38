/* Streams of random numbers, durations drawn from them, and Zipf ranks. ln and exp are in det.c. */
#include "base/rng.h"

/* splitmix64 (Steele, Lea, Flood 2014): a step of the golden ratio, then this mixer. It is a
 * bijection. */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* Mixed twice, so that neighbouring seeds and neighbouring streams start from unrelated places; two
 * streams of one seed are never the same. At most one of the four words can be 0, so the state
 * never is. */
void rng_init(struct rng *r, uint64_t seed, uint64_t stream)
{
	uint64_t x = mix(mix(seed + GOLDEN) ^ stream);

	for (int i = 0; i < 4; i++)
		r->s[i] = mix(x += GOLDEN);
}

/* Lemire 2019: the upper half of next * n is the result; the lower half tells when a result would
 * come up too often. */
uint64_t rng_reject(struct rng *r, uint64_t n, uint64_t high, uint64_t low)
{
	uint64_t reject = -n % n;

	while (low < reject) {
		__extension__ unsigned __int128 product = (unsigned __int128)rng_next(r) * n;
		high = (uint64_t)(product >> 64);
		low = (uint64_t)product;
	}
	return high;
}

/* Minus the logarithm of a product of n uniform numbers: the sum of n exponential ones, with a
 * single logarithm. The product is kept above 2^-565 by taking out 2^512 whenever it gets small. */
static double sum_of_exponentials(struct rng *r, uint32_t n)
{
	double product = rng_unit(r);
	double taken = 0;

	for (uint32_t i = 1; i < n; i++) {
		if (product < 0x1p-512) {
			product *= 0x1p512;
			taken += 512 * 0x1.62e42fefa39efp-1;
		}
		product *= rng_unit(r);
	}
	return taken - det_log(product);
}

int64_t rng_draw(struct rng *r, const struct dist *d)
{
	if (d->mean_ns <= 0)
		return 0;
	if (!d->shape)
		return d->mean_ns;

	double mean = (double)d->mean_ns;
	double ns;

	if (d->shape == 1)
		ns = mean * -det_log(rng_unit(r));
	else
		ns = mean * sum_of_exponentials(r, d->shape) / d->shape;
	return ns < 0x1p63 - 1024 ? (int64_t)(ns + 0.5) : INT64_MAX;
}

/* (e^t - 1) / t and ln(1 + t) / t. The quotients of *computed* values stay accurate for small t
 * (Kahan): the rounding of e^t or 1 + t appears above and below the line. */
static double exp_quotient(double t)
{
	double e = det_exp(t);

	if (e == 1)
		return 1;
	return t > -0.5 && t < 0.5 ? (e - 1) / det_log(e) : (e - 1) / t;
}

static double log_quotient(double t)
{
	double u = 1 + t;

	return u == 1 ? 1 : det_log(u) / (u - 1);
}

/* H(x): the integral of x^-theta from 1; good at and near theta = 1, where it is ln x. */
static double zipf_h(double x, double theta)
{
	double log_x = det_log(x);

	return log_x * exp_quotient((1 - theta) * log_x);
}

static double zipf_h_inverse(double y, double theta)
{
	double t = y * (1 - theta);

	/* rounding may lead beyond the limit of H for theta > 1 */
	return t > -1 ? det_exp(y * log_quotient(t)) : 0x1p1000;
}

static double zipf_weight(double rank, double theta)
{
	return det_exp(-theta * det_log(rank));
}

/* Hoermann and Derflinger, "Rejection-inversion to generate variates from monotone discrete
 * distributions", 1996. Their ranks start at 1; n = 0 is taken as 1. */
void zipf_init(struct zipf *z, uint64_t n, double theta)
{
	z->n = n ? n : 1;
	z->theta = theta;
	z->h_x1 = zipf_h(1.5, theta) - 1;
	z->h_n = zipf_h((double)z->n + 0.5, theta);
	z->s = 2 - zipf_h_inverse(zipf_h(2.5, theta) - zipf_weight(2, theta), theta);
}

static double nearest_rank(const struct zipf *z, double x)
{
	if (!(x < (double)z->n))
		return (double)z->n;

	double rank = (double)(uint64_t)(x + 0.5);

	return rank < 1 ? 1 : rank;
}

uint64_t zipf_draw(const struct zipf *z, struct rng *r)
{
	for (;;) {
		double u = z->h_n + rng_unit(r) * (z->h_x1 - z->h_n);
		double x = zipf_h_inverse(u, z->theta);
		double rank = nearest_rank(z, x);

		if (rank - x <= z->s ||
		    u >= zipf_h(rank + 0.5, z->theta) - zipf_weight(rank, z->theta))
			return (uint64_t)rank - 1;
	}
}
