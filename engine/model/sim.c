#include "model/sim.h"

#include <errno.h>
#include <stdlib.h>

int sim_init(struct sim *s, uint32_t n_lanes, int64_t now_ns)
{
	*s = (struct sim){.now_ns = now_ns, .n_lanes = n_lanes};
	if (n_lanes > SIM_MAX_LANES)
		return -EINVAL;
	for (uint32_t i = 0; i < SIM_MAX_LANES; i++)
		s->front[i] = (struct event){INT64_MAX, UINT64_MAX};
	return 0;
}

void sim_release(struct sim *s)
{
	heap_release(&s->heap);
	for (uint32_t i = 0; i < s->n_lanes; i++)
		free(s->lane[i].ring);
	*s = (struct sim){0};
}

/* A larger ring with the waiting events in the same order. */
int lane_reserve(struct lane *l, uint32_t n)
{
	uint32_t room = l->ring ? l->mask + 1 : 0;

	if (n <= room)
		return 0;
	uint32_t larger = room ? room : 64;
	while (larger < n)
		larger *= 2;
	struct event *ring = malloc(larger * sizeof(*ring));
	if (!ring)
		return -ENOMEM;
	uint32_t waiting = l->tail - l->head;
	for (uint32_t i = 0; i < waiting; i++)
		ring[i] = l->ring[(l->head + i) & l->mask];
	free(l->ring);
	*l = (struct lane){ring, 0, waiting, larger - 1};
	return 0;
}

int sim_reserve(struct sim *s, uint32_t n)
{
	int err = heap_reserve(&s->heap, n);

	for (uint32_t i = 0; !err && i < s->n_lanes; i++)
		err = lane_reserve(&s->lane[i], n);
	return err;
}
