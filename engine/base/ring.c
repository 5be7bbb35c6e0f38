/* Single producer, single consumer. The counters run on without wrapping at n_slots: tail - head is
 * the fill, full and empty differ, and 2^32 is a multiple of every n_slots. */
#include "base/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t power_of_2(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

int ring_init(struct ring *r, uint32_t n_slots, size_t size)
{
	if (!n_slots || n_slots > UINT32_C(1) << 31 || !size)
		return -EINVAL;
	r->n_slots = power_of_2(n_slots);
	r->size = size;
	if (size > SIZE_MAX / r->n_slots)
		return -ENOMEM;
	r->items = calloc(r->n_slots, size);
	atomic_init(&r->head, 0);
	atomic_init(&r->tail, 0);
	return r->items ? 0 : -ENOMEM;
}

void ring_release(struct ring *r)
{
	free(r->items);
	r->items = NULL;
}

static unsigned char *slot(const struct ring *r, uint32_t at)
{
	return r->items + (size_t)(at & (r->n_slots - 1)) * r->size;
}

/* Acquire on the other side's counter: its copy out of the slot is over before ours into it begins.
 * Release on our own: the item is whole before it can be seen. */
bool ring_push(struct ring *r, const void *item)
{
	uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	if (tail - atomic_load_explicit(&r->head, memory_order_acquire) == r->n_slots)
		return false;
	memcpy(slot(r, tail), item, r->size);
	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
	return true;
}

bool ring_pop(struct ring *r, void *item)
{
	uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (head == atomic_load_explicit(&r->tail, memory_order_acquire))
		return false;
	memcpy(item, slot(r, head), r->size);
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
	return true;
}
