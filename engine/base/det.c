/* ln, exp and pow that give the same bits on every machine: + - * / on doubles and integer shifts,
 * nothing else. */
#include "base/rng.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/det_table.h"

#ifdef __FAST_MATH__
#error "-ffast-math reorders sums: results would differ between compilers"
#endif
/* 0 and 1 compute doubles as doubles; 2 (x87) does not. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1,
	       "doubles must be computed as doubles");

#define LN2_HI		0x1.62e42fefa3800p-1 /* ln 2 as a multiple of 2^-42, and the rest */
#define LN2_LO		0x1.ef35793c76730p-45
#define LOG2_E		0x1.71547652b82fep+0
#define BITS_MIN_NORMAL UINT64_C(0x0010000000000000)
#define BITS_INF	UINT64_C(0x7ff0000000000000)

static inline uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline double of_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* x = z * 2^k, z in [0.6875, 1.375): nothing cancels between k ln 2 and ln z for x near 1. */
struct split {
	double z, k;
	unsigned row;
};

static inline struct split split(uint64_t bits)
{
	uint64_t above = bits - DET_OFF;
	/* the shift must keep the sign, which C leaves to the compiler for negative numbers */
	int64_t k = (int64_t)((above >> 52) ^ 0x800) - 0x800;

	return (struct split){
		.z = of_bits(bits - ((uint64_t)k << 52)),
		.k = (double)k,
		.row = (above >> 45) & 127,
	};
}

/* (ln(1 + r) - r) / r^2 for |r| < 2^-7: the series up to r^7 / 7, in pairs to shorten the chain of
 * dependent operations. */
static inline double log_tail(double r, double r2)
{
	double low = -1.0 / 2 + r * (1.0 / 3);
	double high = (-1.0 / 4 + r * (1.0 / 5)) + r2 * (-1.0 / 6 + r * (1.0 / 7));

	return low + r2 * high;
}

static inline double log_bits(uint64_t bits)
{
	struct split s = split(bits);
	double c = det_log_table[s.row].c;
	double r = (s.z - c) * det_log_table[s.row].inv_c;
	double r2 = r * r;
	double hi = s.k * LN2_HI + det_log_table[s.row].log_hi;
	double lo = s.k * LN2_LO + det_log_table[s.row].log_lo;

	return hi + (r + (r2 * log_tail(r, r2) + lo));
}

/* Not a positive normal number. Below zero there is no logarithm. */
static double log_special(double x)
{
	if (x == 0)
		return -(double)INFINITY;
	if (!(x > 0))
		return (double)NAN;
	if (bits_of(x) >= BITS_INF)
		return x;
	return log_bits(bits_of(x * 0x1p54)) - 54 * (LN2_HI + LN2_LO);
}

double det_log(double x)
{
	uint64_t bits = bits_of(x);

	if (bits - BITS_MIN_NORMAL >= BITS_INF - BITS_MIN_NORMAL)
		return log_special(x);
	return log_bits(bits);
}

/* r + r^2/2! + r^3/3! ... for |r| <= ln(2) / 2, in pairs */
static double exp_tail(double r)
{
	double r2 = r * r;
	double p = 1.0 / 479001600 + r * (1.0 / 6227020800);

	p = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * p;
	p = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * p;
	p = (1.0 / 720 + r * (1.0 / 5040)) + r2 * p;
	p = (1.0 / 24 + r * (1.0 / 120)) + r2 * p;
	p = (1.0 / 2 + r * (1.0 / 6)) + r2 * p;
	return r + r2 * p;
}

static double power_of_2(int k)
{
	return of_bits((uint64_t)(1023 + k) << 52);
}

double det_exp(double x)
{
	if (x != x)
		return x;
	if (x > 709.8)
		return (double)INFINITY;
	if (x < -745.2)
		return 0;

	int k = (int)(x * LOG2_E + (x < 0 ? -0.5 : 0.5));
	double r = (x - k * LN2_HI) - k * LN2_LO;
	double y = 1 + exp_tail(r);

	/* in two steps: 2^k alone may lie outside the range although the product lies in it */
	return y * power_of_2(k / 2) * power_of_2(k - k / 2);
}

/* ln x as a sum of two doubles, good to about 2^-60 of itself: x^y multiplies the error of ln x by
 * y ln x, up to 745. */
static double log_wide(double x, double *low)
{
	double shift = x < 0x1p-1022 ? 54 : 0;
	struct split s = split(bits_of(shift != 0 ? x * 0x1p54 : x));
	double c = det_log_table[s.row].c;
	double inv_c = det_log_table[s.row].inv_c;
	double k = s.k - shift;
	/* the quotient (z - c) / c in two parts; the first is short, so that its product with c is
	 * exact */
	double r = of_bits(bits_of((s.z - c) * inv_c) & ~UINT64_C(0xfff));
	double r_low = ((s.z - c) - r * c) * inv_c;
	double r2 = r * r;
	double t = k * LN2_HI + det_log_table[s.row].log_hi;
	double hi = t + r;
	double lo = ((t - hi) + r) + (k * LN2_LO + det_log_table[s.row].log_lo);
	double sum;

	lo += r_low * (1 - r + r2);
	lo += r2 * (log_tail(r, r2) + r2 * r2 * r2 * (-1.0 / 8 + r * (1.0 / 9)));
	sum = hi + lo;
	*low = (hi - sum) + lo;
	return sum;
}

/* The upper 26 bits: the product of two such halves is exact. */
static double upper_half(double x)
{
	return of_bits(bits_of(x) & ~UINT64_C(0x7ffffff));
}

/* x > 0. Outside the range of doubles the result is infinity or 0. */
double det_pow(double x, double y)
{
	double low;
	double log_x = log_wide(x, &low);
	double p = y * log_x;

	if (!(p > -746 && p < 710))
		return det_exp(p);

	double y_hi = upper_half(y), y_lo = y - y_hi;
	double l_hi = upper_half(log_x), l_lo = log_x - l_hi;
	double rest = ((y_hi * l_hi - p) + y_hi * l_lo + y_lo * l_hi) + y_lo * l_lo + y * low;
	double e = det_exp(p);

	return e + e * rest;
}
