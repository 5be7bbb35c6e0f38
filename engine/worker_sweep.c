#include "worker_sweep.h"

#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "worker.h"

/* ---- what there is to read ---- */

static uint32_t n_copies(const struct worker *w)
{
	return w->has_volume ? w->volume.p.copies : 1;
}

/* Pieces do not cross an AU. */
static uint32_t piece_bytes(const struct worker *w)
{
	uint64_t most = w->has_volume ? w->volume.p.au_bytes : SWEEP_BYTES;

	if (most > w->most_bytes)
		most = w->most_bytes;
	most = most > SWEEP_BYTES ? SWEEP_BYTES : most;
	return (uint32_t)(most - most % w->verify.p.block_bytes);
}

static bool is_wanted(const struct worker *w, uint32_t lun, uint64_t offset_bytes, uint64_t bytes)
{
	if (!w->has_volume && worker_has_lost(w, lun))
		return false;
	if (w->has_volume && w->volume.extent[offset_bytes / w->volume.p.au_bytes].touched && w->volume.journal)
		return true; /* also what earlier sessions wrote */
	return verify_written(&w->verify, lun, offset_bytes, bytes);
}

/* The next piece that holds something. */
static bool next_piece(struct worker *w, struct sweep_task *t)
{
	struct sweep *s = &w->sweep;
	const struct verify_params *p = &w->verify.p;

	for (; s->lun < p->luns; s->lun++, s->next_bytes = 0)
		while (s->next_bytes < p->lun_bytes) {
			uint64_t piece = piece_bytes(w), at = s->next_bytes, left = p->lun_bytes - at;
			uint64_t inside = w->has_volume ? w->volume.p.au_bytes - at % w->volume.p.au_bytes : left;
			piece = piece < inside ? piece : inside;
			piece = piece < left ? piece : left;
			s->next_bytes += piece;
			if (!is_wanted(w, s->lun, at, piece))
				continue;
			t->lun = s->lun;
			t->offset_bytes = at;
			t->bytes = (uint32_t)(piece - piece % p->block_bytes);
			t->copy = 0;
			t->has_sum = t->told = false;
			return true;
		}
	return false;
}

/* ---- reading it ---- */

/* Where copy `t->copy` lies; false: on a disk that is lost. */
static bool place_of(const struct worker *w, const struct sweep_task *t, uint32_t *lun, uint64_t *offset_bytes)
{
	const struct volume *v = &w->volume;

	*lun = t->lun;
	*offset_bytes = t->offset_bytes;
	if (!w->has_volume)
		return true;
	struct place p = v->extent[t->offset_bytes / v->p.au_bytes].copy[t->copy];
	*lun = p.disk;
	*offset_bytes = p.slot * v->p.au_bytes + t->offset_bytes % v->p.au_bytes;
	return !v->disk[p.disk].lost;
}

static void read_copy(struct worker *w, struct sweep_task *t, uint32_t lun, uint64_t offset_bytes)
{
	struct io *io = t->io;

	io->lun = (uint16_t)lun;
	io->offset_bytes = offset_bytes;
	io->bytes = t->bytes;
	io->write = io->carries = io->relocation = io->held = false;
	io->sweep = true;
	io->parent = NULL;
	io->clone = (uint32_t)(t - w->sweep.task);
	io->t_submit = worker_now(w);
	stack_submit(&w->stack, io);
}

/* The next copy that can be read, or the next piece; false: this task is through. */
static bool go_on(struct worker *w, struct sweep_task *t)
{
	uint32_t lun;
	uint64_t offset;

	do {
		for (; t->bytes && t->copy < n_copies(w); t->copy++)
			if (place_of(w, t, &lun, &offset)) {
				read_copy(w, t, lun, offset);
				return true;
			}
		w->sweep.n_unread += t->bytes && !t->told;
	} while (next_piece(w, t));
	return false;
}

static void rest(struct worker *w, struct sweep_task *t)
{
	io_pool_put(&w->pool, t->io);
	t->io = NULL;
	if (--w->sweep.n_busy == 0)
		w->sweep.done = true;
}

/* Blocks of ours must be the same in all copies, also those that an earlier session wrote. */
static void compare(struct worker *w, struct sweep_task *t, const struct io *io, const uint8_t *data)
{
	uint32_t block = w->verify.p.block_bytes;
	struct verify_stamp found;

	for (uint32_t i = 0; i < t->bytes / block; i++) {
		const uint8_t *at = data + i * block;
		bool ours = verify_read_block(at, block, w->verify.p.volume, &found) != VERIFY_NONE;
		const struct verify_mark *m = verify_mark_at(&w->verify, t->lun, t->offset_bytes + i * block);
		bool unsure = m->unsure && m->generation; /* a write of this session failed */
		uint64_t sum = ours && !unsure ? hash_bytes(1, at, block) | 1 : 0;
		if (!t->has_sum)
			t->sum[i] = sum;
		else if (t->sum[i] != sum)
			verify_differs(&w->verify, t->lun, t->offset_bytes + i * block, io->lun, io->offset_bytes + i * block);
		w->sweep.n_blocks += ours;
	}
	t->has_sum = true;
}

void worker_sweep_back(struct worker *w, struct io *io)
{
	struct sweep_task *t = &w->sweep.task[io->clone];
	uint64_t before = w->verify.n_mismatches;

	if (io->result == (int32_t)io->bytes) {
		const uint8_t *data = w->backend->ops->data(w->backend, io);
		verify_check(&w->verify, data, t->lun, t->offset_bytes, t->bytes, io->lun, io->offset_bytes);
		if (w->verify.n_mismatches == before)
			compare(w, t, io, data);
		w->sweep.n_copies++;
		t->told = true;
	} else if (w->has_volume && (io->result == -ENODEV || io->result == -ENXIO)) {
		volume_lose_disk(&w->volume, io->lun, io->result); /* it went away just now: the other copies count */
	} else {
		w->sweep.n_unread++;
		t->told = true;
	}
	t->copy++;
	if (!go_on(w, t))
		rest(w, t);
}

/* ---- beginning and end ---- */

int worker_sweep_begin(struct worker *w)
{
	struct sweep *s = &w->sweep;

	if (worker_reserve(w, w->pool.n_used + SWEEP_TASKS + w->volume.p.power) < 0)
		return -ENOMEM;
	for (int i = 0; i < SWEEP_TASKS; i++) {
		s->task[i].sum = malloc(SWEEP_BYTES / w->verify.p.block_bytes * sizeof(*s->task[i].sum));
		if (!s->task[i].sum)
			return -ENOMEM;
	}
	s->wanted = true;
	for (uint32_t i = 0; i < w->n_jobs; i++) {
		w->job[i].spec.numjobs = 0;
		job_changed(w, &w->job[i]);
	}
	if (w->has_volume)
		volume_set_power(&w->volume, 0);
	return 0;
}

/* The load is over when all that was asked has an answer, nothing moves, and no lost request is still somewhere. */
static bool is_quiet(const struct worker *w)
{
	return !worker_outstanding(w) && !w->backend->outstanding && !stack_waiting(&w->stack) &&
	       (!w->has_volume || (!w->volume.rebalance.in_flight && !w->volume.n_unsure));
}

void worker_sweep_turn(struct worker *w)
{
	struct sweep *s = &w->sweep;

	if (!s->wanted || s->started || !is_quiet(w))
		return;
	s->started = true;
	for (int i = 0; i < SWEEP_TASKS; i++) {
		struct sweep_task *t = &s->task[i];
		t->io = io_pool_get(&w->pool);
		s->n_busy++;
		t->bytes = 0;
		if (!go_on(w, t)) {
			rest(w, t);
			break;
		}
	}
}

void worker_sweep_release(struct worker *w)
{
	for (int i = 0; i < SWEEP_TASKS; i++)
		free(w->sweep.task[i].sum);
}
