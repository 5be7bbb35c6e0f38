/* The clock of the model: a heap of events, and lanes for stations whose departures never overtake each other (a link is one),
 * so that most events skip the heap. Virtual time in ns. */
#ifndef IODECK_MODEL_SIM_H
#define IODECK_MODEL_SIM_H

#include "base/heap.h"

enum { SIM_MAX_LANES = 64 };

/* A FIFO of events with rising times. `ring` is owned; its size is mask + 1, a power of two. */
struct lane {
	struct event *ring;
	uint32_t head, tail, mask;
};

struct sim {
	int64_t now_ns;
	uint64_t sequence;
	struct event_heap heap;
	uint32_t n_lanes;
	struct event front[SIM_MAX_LANES]; /* first event of each lane, time INT64_MAX when empty */
	struct lane lane[SIM_MAX_LANES];
};

/* 0, -EINVAL (too many lanes) or -ENOMEM. */
int sim_init(struct sim *s, uint32_t n_lanes, int64_t now_ns);
void sim_release(struct sim *s);
/* Room for n events in one lane (also used for other queues of events). 0 or -ENOMEM. */
int lane_reserve(struct lane *l, uint32_t n);
/* Room for n pending events in the heap and in every lane; called before they can exist. 0 or -ENOMEM. */
int sim_reserve(struct sim *s, uint32_t n);

static inline void sim_at(struct sim *s, int64_t t_ns, uint32_t type, uint32_t id)
{
	heap_push(&s->heap, event_make(t_ns, s->sequence++, type, id));
}

/* `t_ns` is not before any event already in the lane. */
static inline void sim_lane_at(struct sim *s, uint32_t lane, int64_t t_ns, uint32_t type, uint32_t id)
{
	struct lane *l = &s->lane[lane];
	struct event e = event_make(t_ns, s->sequence++, type, id);

	if (l->head == l->tail)
		s->front[lane] = e;
	l->ring[l->tail++ & l->mask] = e;
}

/* Take the next event not later than `until_ns`; now moves to it. False when there is none: now moves to `until_ns`. */
static inline bool sim_next(struct sim *s, int64_t until_ns, struct event *out)
{
	struct event best = s->heap.n ? s->heap.e[0] : (struct event){INT64_MAX, UINT64_MAX};
	uint32_t from = SIM_MAX_LANES;

	for (uint32_t i = 0; i < s->n_lanes; i++)
		if (event_before(s->front[i], best)) {
			best = s->front[i];
			from = i;
		}
	if (best.t_ns > until_ns) {
		s->now_ns = until_ns;
		return false;
	}
	if (from == SIM_MAX_LANES) {
		heap_pop(&s->heap);
	} else {
		struct lane *l = &s->lane[from];
		l->head++;
		s->front[from] = l->head == l->tail ? (struct event){INT64_MAX, UINT64_MAX} : l->ring[l->head & l->mask];
	}
	s->now_ns = best.t_ns;
	*out = best;
	return true;
}

#endif
