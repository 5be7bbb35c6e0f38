/* Bounded queue from one producer thread to one consumer thread, without a lock. */
#ifndef IODECK_RING_H
#define IODECK_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	unsigned char *items; /* owned, n_slots * size bytes */
	size_t size;
	uint32_t n_slots; /* a power of two */
	_Alignas(64) _Atomic uint32_t head; /* next to take; written by the consumer */
	_Alignas(64) _Atomic uint32_t tail; /* next to fill; written by the producer */
};

/* At least `n_slots` items of `size` bytes (rounded up to a power of two). 0, -EINVAL or -ENOMEM. */
int ring_init(struct ring *r, uint32_t n_slots, size_t size);
void ring_release(struct ring *r);

/* Producer: copy one item in; false when full (nothing is changed). */
bool ring_push(struct ring *r, const void *item);
/* Consumer: copy the oldest item out; false when empty. */
bool ring_pop(struct ring *r, void *item);

#endif
