#include "stack/stack.h"
#include "stack/volume.h"

/* After a crash: the copies of an AU that was being written may differ. The first one that can be read is written over the others before anybody
 * sees any of them. */

static void next_step(struct volume *v, struct io *io);

static void send(struct volume *v, struct io *io, bool write, struct place p)
{
	io->write = io->carries = write;
	volume_send_part(v, io, p.disk, p.slot * v->p.au_bytes);
}

static bool start(struct volume *v, uint32_t extent)
{
	struct io *io = io_pool_get(v->pool);

	if (!io)
		return false;
	io->parent = NULL;
	io->resync = true;
	io->relocation = io->write = false;
	io->extent = extent;
	io->tried = 0;
	io->pending = 0; /* 1: there is a source, copies are written */
	io->bytes = (uint32_t)v->p.au_bytes;
	v->resyncs++;
	next_step(v, io);
	return true;
}

/* Beginning too many at once would only take the disks from each other. */
void resync_step(struct volume *v)
{
	while (v->n_unsure && v->resyncs < VOLUME_RESYNCS && v->next_unsure < v->n_extents) {
		if (v->extent[v->next_unsure].unsure && !start(v, v->next_unsure))
			return;
		v->next_unsure++;
	}
}

static void end(struct volume *v, struct io *io)
{
	v->extent[io->extent].unsure = false;
	v->n_unsure--;
	v->resyncs--;
	v->n_resynced++;
	io_pool_put(v->pool, io);
	resync_step(v);
	volume_resume_waiting(v);
	if (!v->n_unsure)
		(void)rebalance_plan(v, NULL); /* what was to move waited for this */
}

/* Read until one copy is good, then write each other one that lives. `tried`: disks that are done, or that could not be read. */
static void next_step(struct volume *v, struct io *io)
{
	const struct extent *x = &v->extent[io->extent];
	int c = volume_first_copy(v, x, io->tried);

	if (c < 0) {
		v->n_unreadable += !io->pending;
		end(v, io);
		return;
	}
	io->copy = (uint8_t)c;
	send(v, io, io->pending, x->copy[c]);
}

void resync_complete(struct volume *v, struct io *io)
{
	bool good = io->result == (int32_t)io->bytes && !v->disk[io->lun].lost;

	io->tried |= UINT64_C(1) << io->lun;
	if (good && !io->write) {
		io->pending = 1;
		io->tried = UINT64_C(1) << io->lun;
	} else if (!good && io->write) {
		volume_lose_disk(v, io->lun, io->result);
	}
	next_step(v, io);
}
