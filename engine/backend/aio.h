/* The door to libaio: a context with its user-mapped ring, and the calls behind a table so that a test can put its own in their
 * place. Private to aio*.c and their test. */
#ifndef IODECK_AIO_H
#define IODECK_AIO_H

#include <libaio.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* As in libaio: a count or a negative errno; errno itself is not set. */
struct aio_calls {
	int (*setup)(int n, io_context_t *context);
	int (*destroy)(io_context_t context);
	int (*submit)(io_context_t context, long n, struct iocb **list);
	int (*getevents)(io_context_t context, long min, long n, struct io_event *events, struct timespec *timeout);
};
extern const struct aio_calls aio_libaio;

/* What a context points to (Linux fs/aio.c, struct aio_ring): the kernel moves `tail`, whoever reaps moves `head`. */
struct aio_ring {
	unsigned id, nr;
	unsigned head, tail;
	unsigned magic, compat, incompat, header_length;
	struct io_event event[];
};

struct aio_context {
	const struct aio_calls *calls; /* borrowed */
	io_context_t context;
	struct aio_ring *ring; /* NULL: not what we know; then every reap is a system call */
};

/* A context for `n` requests at once, after a look at the machine-wide limit. 0, -EAGAIN when that is used up, or another errno. */
int aio_context_open(struct aio_context *c, const struct aio_calls *calls, uint32_t n, struct err *err);
/* Waits for what is still out: only after that came back, or at the end of everything. */
void aio_context_close(struct aio_context *c);
/* Events that are there already, at most `max`; no waiting, and no system call where the ring is known. A count or negative errno. */
int aio_context_take(struct aio_context *c, struct io_event *events, int max);
/* Wait up to `ns` for the first event. A count (0: none came, or a signal did) or negative errno. */
int aio_context_wait(struct aio_context *c, int64_t ns, struct io_event *events, int max);

#endif
