/* One request on its way job -> paths -> start device -> backend, and back the same way. */
#ifndef IODECK_STACK_IO_H
#define IODECK_STACK_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot;

/* Owned by the pool. Times in ns of engine time (MODEL.md 2.1): submit (the job wants it; for open arrivals the intended time),
 * enter (it gets into the device layer), start (it goes to the device). `next` links the one queue that holds it. */
struct io {
	int64_t t_submit, t_enter, t_start;
	uint64_t offset_bytes;
	struct io *next;
	struct slot *slot; /* start device it was bound to */
	uint32_t bytes;
	uint32_t id;    /* index in the pool */
	uint32_t clone; /* of the job */
	int32_t result; /* bytes moved, or negative errno; set by the backend */
	uint16_t lun, lcu;
	uint8_t job, path, link;
	bool write, alias; /* alias: started on an alias */
	bool shares;       /* its buffer is another's, or others use its own */
	bool lost;         /* its path died under it: whatever the device still answers is dropped */
	bool in_device;
	/* volume: a part of a user request, or a relocation (no parent) */
	bool relocation;
	bool carries;  /* a write whose buffer holds what is to be written */
	bool held;     /* its blocks stay taken although it is done: a lost request may still be at them (verify.h) */
	bool sweep;    /* of the final check: no job's, no volume's */
	bool resync;   /* volume: makes the copies of an AU equal; `copy` is the one that is written */
	bool returned; /* back in the pool but for its buffer, which others still use */
	uint8_t copy;  /* of a relocation */
	uint32_t data, data_at; /* whose buffer it uses (an id, its own as a rule), and where in it */
	uint32_t borrowers;     /* requests that use its buffer besides itself */
	uint32_t extent, pending; /* pending: parts still out, of a user request */
	uint64_t tried; /* disks that could not be read, as bits */
	struct io *parent;
};

enum { IO_CHUNK_BITS = 10, IO_CHUNK = 1 << IO_CHUNK_BITS, IO_MAX_CHUNKS = 1024 };

/* All requests of a worker. Chunks are owned and never move, so a pointer to an io stays good. */
struct io_pool {
	struct io *chunk[IO_MAX_CHUNKS];
	uint32_t n_chunks;
	uint32_t n_used;
	struct io *free;
};

/* Room for `n` requests in all, in whole chunks. 0, -ENOMEM, or -E2BIG above IO_CHUNK * IO_MAX_CHUNKS. */
int io_pool_reserve(struct io_pool *p, uint32_t n);
void io_pool_release(struct io_pool *p);

static inline struct io *io_pool_at(const struct io_pool *p, uint32_t id)
{
	return &p->chunk[id >> IO_CHUNK_BITS][id & (IO_CHUNK - 1)];
}

static inline uint32_t io_pool_room(const struct io_pool *p)
{
	return p->n_chunks * IO_CHUNK;
}

/* NULL when all are in use. Only the id is set. */
static inline struct io *io_pool_get(struct io_pool *p)
{
	struct io *io = p->free;

	if (io) {
		p->free = io->next;
		p->n_used++;
	}
	return io;
}

/* `io` uses the buffer of `owner` from byte `at` on, until it is put back. What is put back while others use its buffer stays out of
 * reach until the last of them is put back: a device may still read from it. */
void io_pool_borrow(struct io_pool *p, struct io *io, struct io *owner, uint32_t at);
void io_pool_put_shared(struct io_pool *p, struct io *io);

static inline void io_pool_put(struct io_pool *p, struct io *io)
{
	if (__builtin_expect(io->shares, 0)) {
		io_pool_put_shared(p, io);
		return;
	}
	io->next = p->free;
	p->free = io;
	p->n_used--;
}

/* A queue of requests. All-zero is empty. */
struct io_queue {
	struct io *head, *tail;
	uint32_t n;
};

static inline void io_queue_push(struct io_queue *q, struct io *io)
{
	io->next = NULL;
	if (q->head)
		q->tail->next = io;
	else
		q->head = io;
	q->tail = io;
	q->n++;
}

static inline struct io *io_queue_pop(struct io_queue *q)
{
	struct io *io = q->head;

	q->head = io->next;
	q->n--;
	return io;
}

#endif
