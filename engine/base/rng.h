/* Seeded random numbers, the same on every machine and compiler: xoshiro256++ seeded by splitmix64, one stream per purpose,
 * own ln and exp (only + - * / on doubles; build with -ffp-contract=off). */
#ifndef IODECK_RNG_H
#define IODECK_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

/* Start the stream `stream` of `seed`; streams of one seed are independent of each other. */
void rng_init(struct rng *r, uint64_t seed, uint64_t stream);

static inline uint64_t rng_rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t result = rng_rotl(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

/* Uniform in (0, 1], 53 bits. */
static inline double rng_unit(struct rng *r)
{
	return (double)((rng_next(r) >> 11) + 1) * 0x1p-53;
}

/* Uniform in 0..n-1 (n >= 1), unbiased (Lemire's multiply and reject). */
uint64_t rng_reject(struct rng *r, uint64_t n, uint64_t high, uint64_t low); /* its rare case */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	__extension__ unsigned __int128 product = (unsigned __int128)rng_next(r) * n;

	if (__builtin_expect((uint64_t)product < n, 0))
		return rng_reject(r, n, (uint64_t)(product >> 64), (uint64_t)product);
	return (uint64_t)(product >> 64);
}

/* Natural logarithm of x > 0 (finite), e^x, x^y; relative error below 4e-15. */
double det_log(double x);
double det_exp(double x);
double det_pow(double x, double y);

/* A duration: shape 0 constant, 1 exponential, k > 1 Erlang-k (k <= 64). */
struct dist {
	int64_t mean_ns;
	uint32_t shape;
};

/* One draw in ns, >= 0. No draw is taken from the stream when the mean is 0 or the shape 0. */
int64_t rng_draw(struct rng *r, const struct dist *d);

/* Zipf over ranks 0..n-1 with P(rank) ~ 1/(rank+1)^theta, theta > 0, by rejection-inversion (Hoermann and Derflinger 1996):
 * no table, any n up to 2^48. */
struct zipf {
	uint64_t n;
	double theta, h_x1, h_n, s;
};
void zipf_init(struct zipf *z, uint64_t n, double theta);
uint64_t zipf_draw(const struct zipf *z, struct rng *r);

#endif
