/* Median of repeated runs, for the benchmarks of engine/base. */
#ifndef BASE_BENCH_H
#define BASE_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"

enum { BENCH_RUNS = 11 };

/* Do the thing `n` times; the result is not shown, but the compiler must believe it is needed. */
typedef uint64_t bench_function(void *data, uint64_t n);

static inline int bench_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* CPU time of this thread: what others do on the machine is not in it. */
static inline int64_t bench_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* Print whether a figure is at most (or, with `least`, at least) what it must be. */
static inline void bench_judge(const char *what, double figure, const char *unit, bool least, double limit)
{
	bool held = least ? figure >= limit : figure <= limit;

	printf("   %-50s %.2f %s  %s %g  %s\n", what, figure, unit, least ? ">=" : "<=", limit, held ? "held" : "MISSED");
}

/* Print and return ns of CPU per operation: median (and quartiles) of BENCH_RUNS runs after a warm-up. */
static inline double bench(const char *what, bench_function *f, void *data, uint64_t n)
{
	double ns[BENCH_RUNS];
	uint64_t sink = f(data, n);

	for (int i = 0; i < BENCH_RUNS; i++) {
		int64_t start = bench_now_ns();

		sink += f(data, n);
		ns[i] = (double)(bench_now_ns() - start) / (double)n;
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
