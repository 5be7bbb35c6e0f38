#include "backend/aio_buffer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

int aio_buffers_reserve(struct aio_buffers *b, uint32_t n, uint32_t bytes)
{
	uint64_t stride = ((uint64_t)bytes + PAGE - 1) / PAGE * PAGE;

	if (n <= b->n && stride <= b->stride_bytes)
		return 0;
	n = n > b->n ? n : b->n;
	stride = stride > b->stride_bytes ? stride : b->stride_bytes;
	if (b->n_old == AIO_MAX_SLABS)
		return -ENOMEM;
	void *slab = mmap(NULL, n * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (slab == MAP_FAILED)
		return -ENOMEM;
	if (b->slab) {
		b->old[b->n_old].start = b->slab;
		b->old[b->n_old++].bytes = b->n * b->stride_bytes;
	}
	b->slab = slab;
	b->n = n;
	b->stride_bytes = stride;
	return 0;
}

void aio_buffers_release(struct aio_buffers *b)
{
	for (uint32_t i = 0; i < b->n_old; i++)
		munmap(b->old[i].start, b->old[i].bytes);
	if (b->slab)
		munmap(b->slab, b->n * b->stride_bytes);
	*b = (struct aio_buffers){0};
}

void aio_buffer_fill(struct aio_buffers *b, char *buffer, uint32_t bytes, uint64_t offset_bytes)
{
	uint64_t x = (offset_bytes + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ ++b->stamp << 32;

	x += !x; /* xorshift (Marsaglia 2003) stays 0 once it is */
	for (uint32_t i = 0; i + sizeof(x) <= bytes; i += sizeof(x)) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(buffer + i, &x, sizeof(x));
	}
}
