/* Three slots: one belongs to the writer, one to the reader, the third lies in the middle. Each
 * side swaps its own slot for the middle one in a single atomic exchange, so no slot ever belongs
 * to both. */
#include "base/latch.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLOT_MASK = 3,
	LATCH_FRESH = 4, /* the middle was put there by the writer and not yet taken */
	CACHE_LINE = 64, /* not shared by slots: stores into one would slow loads from another */
};

int latch_init(struct latch *l, size_t size)
{
	if (size > SIZE_MAX / 4 - CACHE_LINE)
		return -ENOMEM;
	l->size = size;
	l->stride = (size + CACHE_LINE) / CACHE_LINE * CACHE_LINE;
	l->slots = aligned_alloc(CACHE_LINE, 3 * l->stride);
	if (!l->slots)
		return -ENOMEM;
	memset(l->slots, 0, 3 * l->stride);
	l->back = 0;
	l->front = 1;
	atomic_init(&l->middle, 2);
	return 0;
}

void latch_release(struct latch *l)
{
	free(l->slots);
	l->slots = NULL;
}

void *latch_begin(struct latch *l)
{
	return l->slots + l->back * l->stride;
}

/* Release hands over what was written; acquire makes sure the reader is done with the slot we get
 * back. */
void latch_publish(struct latch *l)
{
	unsigned whole = l->back | LATCH_FRESH;
	unsigned old = atomic_exchange_explicit(&l->middle, whole, memory_order_acq_rel);

	l->back = old & SLOT_MASK;
}

/* The look before the swap may be relaxed: it decides nothing but whether to swap, and the swap
 * orders the contents. */
const void *latch_read(struct latch *l, bool *fresh)
{
	bool is_new = atomic_load_explicit(&l->middle, memory_order_relaxed) & LATCH_FRESH;

	if (is_new) {
		unsigned old = atomic_exchange_explicit(&l->middle, l->front, memory_order_acq_rel);

		l->front = old & SLOT_MASK;
	}
	if (fresh)
		*fresh = is_new;
	return l->slots + l->front * l->stride;
}
