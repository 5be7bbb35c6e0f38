/* The two clocks: one that runs by itself, one that is moved by hand. */
#include "base/clock.h"

#include <time.h>

static int64_t monotonic_now(void *data)
{
	struct timespec t;

	(void)data;
	/* cannot fail: the clock exists on every Linux and the pointer is good */
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

struct clock clock_monotonic(void)
{
	return (struct clock){ .now = monotonic_now };
}

static int64_t manual_now(void *data)
{
	return *(const int64_t *)data;
}

struct clock clock_manual(int64_t *ns)
{
	return (struct clock){ .now = manual_now, .data = ns };
}
