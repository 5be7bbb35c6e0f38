/* What the host side has to do at a later time: one heap for a worker. */
#ifndef IODECK_TIMERS_H
#define IODECK_TIMERS_H

#include "base/heap.h"

enum timer_type {
	TIMER_THINK,     /* id = job << 16 | clone: a think time is over */
	TIMER_ARRIVAL,   /* id = job << 16: the next request of an open job is due */
	TIMER_FAILOVER,  /* the standby path is active now */
	TIMER_TRANSPORT, /* requests lost on a dead path come back */
	TIMER_JOURNAL,   /* look whether what was put into the journal is durable */
	TIMER_CLEAN,     /* AU that nobody writes to any more are marked as clean */
	TIMER_FAILED,    /* a request that no disk could take comes back with its error */
};

struct timers {
	struct event_heap heap;
	uint64_t sequence;
};

static inline void timers_at(struct timers *t, int64_t t_ns, enum timer_type type, uint32_t id)
{
	heap_push(&t->heap, event_make(t_ns, t->sequence++, type, id));
}

#endif
