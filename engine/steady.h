/* When is a load settled, and how sure is its mean: the one rule for marks, ghosts, steps and sweeps. Pure functions of slices. */
#ifndef IODECK_STEADY_H
#define IODECK_STEADY_H

#include <stdbool.h>
#include <stdint.h>

/* Slices are 100 ms of engine time. */
enum {
	STEADY_SLICES = 30,       /* settled is judged over 3 s */
	STEADY_BATCH = 5,         /* in means of 0.5 s: a 0.1 s slice of a slow device holds too few requests */
	STEADY_GIVE_UP = 150,     /* after 15 s a result is given anyway */
	STEADY_MOST = 100,        /* a mean is taken over the last 10 s at most */
};
#define STEADY_CV 0.03

/* Coefficient of variation of the half-second means of the last 3 s of `x` (n slices since the change, oldest first); NaN with
 * fewer than STEADY_SLICES, or when nothing was done. Settled: below STEADY_CV. */
double steady_cv(const double *x, uint32_t n);

/* A mean with the half width of its 95 % interval by batch means (Student's t): slices are joined into batches twice as long until
 * neighbouring batches no longer correlate (lag-1 below 0.2) or fewer than 10 batches would be left. half is NaN with fewer than two slices. */
struct estimate {
	double mean, half;
};
struct estimate steady_mean(const double *x, uint32_t n);

/* b / a with its 95 % interval (delta method); NaN when a is 0 or unknown. */
struct ratio {
	double ratio, low, high;
};
struct ratio steady_ratio(struct estimate a, struct estimate b);

#endif
