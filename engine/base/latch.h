/* Newest-value mailbox from one writer thread to one reader thread, without a lock: three slots, one index swapped atomically.
 * The writer never waits, the reader always sees a whole value. Each reader has a latch of its own. */
#ifndef IODECK_LATCH_H
#define IODECK_LATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct latch {
	unsigned char *slots; /* owned, 3 * stride bytes */
	size_t size, stride;
	unsigned back;          /* writer's slot; writer's thread only */
	unsigned front;         /* reader's slot; reader's thread only */
	_Atomic unsigned middle; /* slot index | LATCH_FRESH */
};

/* Room for values of `size` bytes, all zero at first. 0 or -ENOMEM. Before either thread runs. */
int latch_init(struct latch *l, size_t size);
void latch_release(struct latch *l);

/* Writer: the slot to fill (holds some older value), then make it the newest. */
void *latch_begin(struct latch *l);
void latch_publish(struct latch *l);

/* Reader: take the newest value; `*fresh` (may be NULL) tells whether it is newer than at the last call. The pointer is
 * borrowed until the reader's next call. */
const void *latch_read(struct latch *l, bool *fresh);

#endif
