#include "base/heap.h"

#include <errno.h>
#include <stdlib.h>

int heap_reserve(struct event_heap *h, uint32_t n)
{
	if (n <= h->room)
		return 0;
	uint32_t room = h->room ? h->room : 64;
	while (room < n)
		room *= 2;
	struct event *e = realloc(h->e, room * sizeof(*e));
	if (!e)
		return -ENOMEM;
	h->e = e;
	h->room = room;
	return 0;
}

void heap_release(struct event_heap *h)
{
	free(h->e);
	*h = (struct event_heap){0};
}

void heap_push(struct event_heap *h, struct event e)
{
	if (h->n == h->room && heap_reserve(h, h->n + 1) < 0) {
		h->failed = true;
		return;
	}
	uint32_t i = h->n++;
	while (i) {
		uint32_t parent = (i - 1) / 4;
		if (!event_before(e, h->e[parent]))
			break;
		h->e[i] = h->e[parent];
		i = parent;
	}
	h->e[i] = e;
}

/* The smallest child of i, when all four exist: two independent comparisons, then one. */
static inline uint32_t least_of_four(const struct event *e, uint32_t first)
{
	uint32_t a = first + event_before(e[first + 1], e[first]);
	uint32_t b = first + 2 + event_before(e[first + 3], e[first + 2]);

	return event_before(e[b], e[a]) ? b : a;
}

static inline uint32_t least_of_rest(const struct event *e, uint32_t first, uint32_t n)
{
	uint32_t least = first;

	for (uint32_t c = first + 1; c < n; c++)
		if (event_before(e[c], e[least]))
			least = c;
	return least;
}

void heap_pop(struct event_heap *h)
{
	struct event last = h->e[--h->n];
	struct event *e = h->e;
	uint32_t n = h->n, i = 0;

	for (;;) {
		uint32_t first = 4 * i + 1, least;
		if (first + 4 <= n)
			least = least_of_four(e, first);
		else if (first < n)
			least = least_of_rest(e, first, n);
		else
			break;
		if (!event_before(e[least], last))
			break;
		e[i] = e[least];
		i = least;
	}
	if (n)
		e[i] = last;
}
