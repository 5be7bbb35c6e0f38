/* Events in time order: a 4-ary heap of 16-byte records. Events at equal time come out in the order they were made. */
#ifndef IODECK_HEAP_H
#define IODECK_HEAP_H

#include <stdbool.h>
#include <stdint.h>

enum { EVENT_ID_BITS = 20, EVENT_TYPE_BITS = 4, EVENT_SEQ_SHIFT = EVENT_ID_BITS + EVENT_TYPE_BITS };

/* key = sequence number << 24 | type << 20 | id. The sequence has 40 bits and may wrap: then two events of the very same
 * nanosecond made on both sides of the wrap change places, on every machine alike. */
struct event {
	int64_t t_ns;
	uint64_t key;
};

static inline struct event event_make(int64_t t_ns, uint64_t sequence, uint32_t type, uint32_t id)
{
	return (struct event){t_ns, sequence << EVENT_SEQ_SHIFT | (uint64_t)type << EVENT_ID_BITS | id};
}

static inline uint32_t event_type(struct event e)
{
	return (uint32_t)(e.key >> EVENT_ID_BITS) & ((1u << EVENT_TYPE_BITS) - 1);
}

static inline uint32_t event_id(struct event e)
{
	return (uint32_t)e.key & ((1u << EVENT_ID_BITS) - 1);
}

static inline bool event_before(struct event a, struct event b)
{
	return (a.t_ns < b.t_ns) | ((a.t_ns == b.t_ns) & (a.key < b.key));
}

/* All-zero is a valid empty heap. `e` is owned. */
struct event_heap {
	struct event *e;
	uint32_t n, room;
	bool failed; /* memory ran out: an event was lost, the run must end */
};

/* Room for n events in all. 0 or -ENOMEM. */
int heap_reserve(struct event_heap *h, uint32_t n);
void heap_release(struct event_heap *h);
void heap_push(struct event_heap *h, struct event e);
/* Remove the first event (n > 0). */
void heap_pop(struct event_heap *h);

/* Time of the first event, INT64_MAX when empty. */
static inline int64_t heap_next(const struct event_heap *h)
{
	return h->n ? h->e[0].t_ns : INT64_MAX;
}

#endif
