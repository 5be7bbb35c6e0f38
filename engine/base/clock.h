/* Time, handed in. Monotonic nanoseconds; the wall clock is never used for a duration. */
#ifndef IODECK_CLOCK_H
#define IODECK_CLOCK_H

#include <stdint.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/* `now` tells the time in ns; `data` is borrowed. */
struct clock {
	int64_t (*now)(void *data);
	void *data;
};

static inline int64_t clock_now(const struct clock *c)
{
	return c->now(c->data);
}

/* CLOCK_MONOTONIC. Any thread. */
struct clock clock_monotonic(void);
/* A clock that stands still until its `int64_t` is changed by the owner; for tests and scripted decks. */
struct clock clock_manual(int64_t *ns);

#endif
