#include "stack/io.h"

#include <errno.h>
#include <stdlib.h>

static int io_pool_grow(struct io_pool *p)
{
	if (p->n_chunks == IO_MAX_CHUNKS)
		return -E2BIG;
	struct io *chunk = calloc(IO_CHUNK, sizeof(*chunk));
	if (!chunk)
		return -ENOMEM;
	for (uint32_t i = IO_CHUNK; i-- > 0;) {
		chunk[i].id = p->n_chunks * IO_CHUNK + i;
		chunk[i].next = p->free;
		p->free = &chunk[i];
	}
	p->chunk[p->n_chunks++] = chunk;
	return 0;
}

int io_pool_reserve(struct io_pool *p, uint32_t n)
{
	int err = 0;

	while (!err && io_pool_room(p) < n)
		err = io_pool_grow(p);
	return err;
}

void io_pool_release(struct io_pool *p)
{
	for (uint32_t i = 0; i < p->n_chunks; i++)
		free(p->chunk[i]);
	*p = (struct io_pool){0};
}
