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
		chunk[i].id = chunk[i].data = p->n_chunks * IO_CHUNK + i;
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

void io_pool_borrow(struct io_pool *p, struct io *io, struct io *owner, uint32_t at)
{
	struct io *root = io_pool_at(p, owner->data);

	io->data = root->id;
	io->data_at = owner->data_at + at;
	io->shares = root->shares = true;
	root->borrowers++;
}

/* The last one out frees the buffer's owner, if that is done too. */
static void give_back(struct io_pool *p, struct io *io)
{
	struct io *owner = io_pool_at(p, io->data);

	io->data = io->id;
	io->data_at = 0;
	if (--owner->borrowers)
		return;
	owner->shares = false;
	if (owner->returned) {
		owner->returned = false;
		io_pool_put(p, owner);
	}
}

void io_pool_put_shared(struct io_pool *p, struct io *io)
{
	if (io->borrowers) {
		io->returned = true;
		return;
	}
	if (io->data != io->id)
		give_back(p, io);
	io->shares = false;
	io_pool_put(p, io);
}
