/* Memory that requests read into and write from: one buffer per request id, touched only when used; a request that carries something may use that of another. */
#ifndef IODECK_AIO_BUFFER_H
#define IODECK_AIO_BUFFER_H

#include <stdint.h>

enum { AIO_MAX_SLABS = 64 };

/* Larger buffers, or more of them, are a new slab; old ones stay until the end, requests may still be in them. */
struct aio_buffers {
	char *slab; /* owned, the newest; buffer i begins at i * stride */
	uint64_t stride_bytes;
	uint32_t n;
	struct {
		void *start;
		uint64_t bytes;
	} old[AIO_MAX_SLABS]; /* owned */
	uint32_t n_old;
	uint64_t stamp; /* no two written blocks are the same */
};

/* Room for `n` buffers of `bytes`. 0 or -ENOMEM. */
int aio_buffers_reserve(struct aio_buffers *b, uint32_t n, uint32_t bytes);
void aio_buffers_release(struct aio_buffers *b);
/* Fill `bytes` that will be written: nothing that an array could compress or has seen before. */
void aio_buffer_fill(struct aio_buffers *b, char *buffer, uint32_t bytes, uint64_t offset_bytes);

static inline char *aio_buffer(const struct aio_buffers *b, uint32_t id)
{
	return b->slab + id * b->stride_bytes;
}

#endif
