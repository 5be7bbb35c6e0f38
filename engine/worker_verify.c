#include <errno.h>

#include "worker.h"

/* Data that is verified (stack/verify.h), on the way of the requests. */

/* What was being written when the last session crashed may be there, not there, or half. */
static void doubt(struct worker *w)
{
	const struct volume *v = &w->volume;

	for (uint32_t e = 0; e < v->n_extents && v->journal; e++)
		for (uint64_t at = 0; at < v->p.au_bytes && v->extent[e].intent == INTENT_DIRTY; at += w->verify.p.block_bytes)
			verify_mark_at(&w->verify, 0, e * v->p.au_bytes + at)->unsure = 1;
}

int worker_verify_open(struct worker *w, const struct worker_site *site, struct err *err)
{
	struct verify_params p = *site->verify;

	w->verifies = true;
	if (w->has_volume) {
		p.luns = 1;
		p.lun_bytes = w->volume.n_extents * w->volume.p.au_bytes;
	}
	int code = verify_init(&w->verify, &p, err);
	if (!code && w->has_volume)
		doubt(w);
	return code;
}

/* ---- down ---- */

static void launch(struct worker *w, struct io *io)
{
	struct backend *b = w->backend;

	if (io->write) {
		b->ops->fill(b, io);
		verify_fill(&w->verify, io, b->ops->data(b, io));
		io->carries = true;
	}
	io->relocation = io->held = io->sweep = false;
	if (!w->has_volume) {
		stack_submit(&w->stack, io);
		return;
	}
	volume_submit(&w->volume, io);
	if (w->volume.failed)
		w->failed = -ENOMEM;
}

void worker_verify_go(struct worker *w, struct io *io)
{
	if (verify_enter(&w->verify, io))
		launch(w, io);
}

static void launch_next(struct worker *w)
{
	struct io_queue go = {.n = 0};

	verify_next(&w->verify, &go);
	while (go.n)
		launch(w, io_queue_pop(&go));
}

/* ---- up ---- */

/* What is wrong is an error of its own, whether or not another copy was right. */
static void check(struct worker *w, struct io *io, uint32_t lun, uint64_t offset_bytes)
{
	const uint8_t *data = w->backend->ops->data(w->backend, io);

	if (io->result != (int32_t)io->bytes)
		return;
	if (verify_check(&w->verify, data, lun, offset_bytes, io->bytes, io->lun, io->offset_bytes))
		io->result = -EBADMSG;
}

/* While an AU moves nobody writes to it, so what is read must be what was acknowledged. */
void worker_verify_part(struct worker *w, struct io *part)
{
	const struct volume *v = &w->volume;

	if (part->write || v->disk[part->lun].lost)
		return;
	check(w, part, 0, part->extent * v->p.au_bytes + part->offset_bytes % v->p.au_bytes);
	if (part->result == -EBADMSG)
		stats_error(w->stats, -EBADMSG);
}

/* A request that was lost with its path may still reach the device. */
static bool has_ghost(const struct worker *w, const struct io *io)
{
	const struct io *owner = io_pool_at(&w->pool, io->data);

	if (!io->write)
		return false;
	return owner == io ? owner->borrowers : !owner->returned || owner->borrowers > 1;
}

void worker_verify_back(struct worker *w, struct io *io)
{
	if (!w->has_volume && !io->write)
		check(w, io, io->lun, io->offset_bytes);
	verify_done(&w->verify, io, io->result == (int32_t)io->bytes);
	if (has_ghost(w, io)) {
		io_pool_at(&w->pool, io->data)->held = true;
		return;
	}
	verify_leave(&w->verify, io);
	launch_next(w);
}

void worker_verify_ghost(struct worker *w, uint32_t data)
{
	struct io *owner = io_pool_at(&w->pool, data);

	if (!owner->held || owner->borrowers || owner->returned || owner->in_device)
		return;
	owner->held = false;
	verify_leave(&w->verify, owner);
	launch_next(w);
}
