#include "steady.h"

#include <math.h>

#include "base/rng.h"

static double root(double x)
{
	return x > 0 ? det_pow(x, 0.5) : 0;
}

static double mean_of(const double *x, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += x[i];
	return sum / n;
}

static double variance_of(const double *x, uint32_t n, double mean)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (n - 1);
}

/* Means of batches of `size`, the newest slices first served: what does not fill a batch is left out at the old end. */
static uint32_t batches(const double *x, uint32_t n, uint32_t size, double *out)
{
	uint32_t n_out = n / size, skip = n - n_out * size;

	for (uint32_t i = 0; i < n_out; i++)
		out[i] = mean_of(x + skip + i * size, size);
	return n_out;
}

double steady_cv(const double *x, uint32_t n)
{
	double b[STEADY_SLICES / STEADY_BATCH];

	if (n < STEADY_SLICES)
		return NAN;
	uint32_t n_b = batches(x + n - STEADY_SLICES, STEADY_SLICES, STEADY_BATCH, b);
	double mean = mean_of(b, n_b);
	return mean > 0 ? root(variance_of(b, n_b, mean)) / mean : NAN;
}

static double lag1(const double *x, uint32_t n, double mean, double variance)
{
	double sum = 0;

	for (uint32_t i = 1; i < n; i++)
		sum += (x[i] - mean) * (x[i - 1] - mean);
	return variance > 0 ? sum / ((n - 1) * variance) : 0;
}

/* Two-sided 95 % quantile of Student's t (tables of any statistics book). */
static double student_t(uint32_t degrees)
{
	static const double t[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
				   2.201, 2.179,  2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};

	if (degrees <= 20)
		return t[degrees];
	return 1.960 + 2.4 / degrees; /* within 0.3 % up to infinity */
}

struct estimate steady_mean(const double *x, uint32_t n)
{
	double b[STEADY_MOST];
	double mean, variance;

	if (n > STEADY_MOST) {
		x += n - STEADY_MOST;
		n = STEADY_MOST;
	}
	if (n < 2)
		return (struct estimate){n ? x[0] : NAN, NAN};
	for (uint32_t size = 1;; size *= 2) {
		uint32_t n_b = batches(x, n, size, b);
		mean = mean_of(b, n_b);
		variance = variance_of(b, n_b, mean);
		if (n / (size * 2) < 10 || lag1(b, n_b, mean, variance) < 0.2)
			return (struct estimate){mean_of(x, n), student_t(n_b - 1) * root(variance / n_b)};
	}
}

struct ratio steady_ratio(struct estimate a, struct estimate b)
{
	if (!(a.mean > 0) || !isfinite(b.mean))
		return (struct ratio){NAN, NAN, NAN};
	double r = b.mean / a.mean;
	double of_a = a.half / a.mean, of_b = b.mean > 0 ? b.half / b.mean : 0;
	double half = isfinite(of_a) && isfinite(of_b) ? r * root(of_a * of_a + of_b * of_b) : NAN;
	return (struct ratio){r, r - half, r + half};
}
