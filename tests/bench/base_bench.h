/* Median of repeated runs, for the benchmarks of engine/base. */
#ifndef BASE_BENCH_H
#define BASE_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"

enum { BENCH_RUNS = 11 };

/* Do the thing `n` times; the result is not shown, but the compiler must believe it is needed. */
typedef uint64_t bench_function(void *data, uint64_t n);

static inline int bench_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Print and return ns per operation: median (and quartiles) of BENCH_RUNS runs after a warm-up. */
static inline double bench(const char *what, bench_function *f, void *data, uint64_t n)
{
	struct clock clock = clock_monotonic();
	double ns[BENCH_RUNS];
	uint64_t sink = f(data, n);

	for (int i = 0; i < BENCH_RUNS; i++) {
		int64_t start = clock_now(&clock);

		sink += f(data, n);
		ns[i] = (double)(clock_now(&clock) - start) / (double)n;
	}
	__asm__ volatile(""
			 :
			 : "r"(sink));
	qsort(ns, BENCH_RUNS, sizeof(ns[0]), bench_by_value);
	printf("%-44s %10.2f ns  [%.2f, %.2f]\n", what, ns[BENCH_RUNS / 2], ns[BENCH_RUNS / 4],
	       ns[BENCH_RUNS - 1 - BENCH_RUNS / 4]);
	return ns[BENCH_RUNS / 2];
}

#endif
