#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack/stack.h"
#include "stack/volume.h"

/* Rebalance: a plan of copies to move, `power` of them in flight; each reads one AU, writes it elsewhere, and only then changes the map. */

#define MARK_NS INT64_C(1000000000)

/* ---- the plan ---- */

static bool leaves(const struct volume *v, uint32_t disk)
{
	const struct volume_disk *d = &v->disk[disk];

	return d->state == DISK_DROPPING || d->state == DISK_HUNG || (d->state == DISK_FAILED && v->p.auto_rebalance);
}

static int plan_room(struct rebalance *r, uint32_t n)
{
	if (n <= r->plan_room)
		return 0;
	struct move *plan = realloc(r->plan, n * sizeof(*plan));
	if (!plan)
		return -ENOMEM;
	r->plan = plan;
	r->plan_room = n;
	return 0;
}

/* The disks in turn, from the one after the last target; -1: none is legal. */
static int next_target(const struct volume *v, const struct extent *x, uint32_t copy, uint32_t *turn)
{
	for (uint32_t i = 0; i < v->n_disks; i++) {
		uint32_t disk = (*turn + i) % v->n_disks;
		if (!volume_legal(v, x, copy, disk))
			continue;
		*turn = disk + 1;
		return (int)disk;
	}
	return -1;
}

/* Every copy on a disk that leaves goes round-robin to the others. False: some copy has no legal place. */
static bool plan_leaving(struct volume *v)
{
	struct rebalance *r = &v->rebalance;
	uint32_t turn = 0;

	for (uint32_t e = 0; e < v->n_extents; e++)
		for (uint32_t c = 0; c < v->p.copies; c++) {
			const struct extent *x = &v->extent[e];
			if (!leaves(v, x->copy[c].disk) || x->moving)
				continue;
			int target = next_target(v, x, c, &turn);
			if (target < 0)
				return false;
			r->plan[r->n_plan++] = (struct move){e, (uint16_t)target, (uint8_t)c};
		}
	return true;
}

static uint32_t n_online(const struct volume *v)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->n_disks; i++)
		n += v->disk[i].state == DISK_ONLINE;
	return n;
}

/* A new disk among D others gets every (D+1)-th copy, as far as it has fewer than its share. */
static void plan_joining(struct volume *v, uint32_t disk, uint64_t share)
{
	struct rebalance *r = &v->rebalance;
	uint32_t stride = n_online(v), due = 0;
	uint64_t missing = share > v->disk[disk].n_copies ? share - v->disk[disk].n_copies : 0;

	for (uint32_t e = 0; e < v->n_extents && missing; e++)
		for (uint32_t c = 0; c < v->p.copies && missing; c++) {
			const struct extent *x = &v->extent[e];
			if (++due < stride || x->moving || x->copy[c].disk == disk || leaves(v, x->copy[c].disk) ||
			    !volume_legal(v, x, c, disk))
				continue;
			due = 0;
			missing--;
			r->plan[r->n_plan++] = (struct move){e, (uint16_t)disk, (uint8_t)c};
		}
}

static void name_hung(struct volume *v)
{
	struct rebalance *r = &v->rebalance;

	for (uint32_t i = 0; i < v->n_disks; i++)
		if (v->disk[i].state == DISK_DROPPING) {
			v->disk[i].state = DISK_HUNG;
			snprintf(r->reason, sizeof(r->reason), "d%u cannot be dropped: no other failure group can take its copies (add a disk)", i + 1);
		} else if (v->disk[i].state == DISK_FAILED) {
			snprintf(r->reason, sizeof(r->reason), "d%u cannot be restored: no other failure group can take its copies (add a disk)", i + 1);
		}
	r->state = REBALANCE_WAIT;
	r->hung_ns = volume_now(v);
}

static int reserve_plan(struct volume *v)
{
	int err = plan_room(&v->rebalance, v->n_extents * v->p.copies * 2);

	for (uint32_t i = 0; !err && i < v->n_disks; i++)
		err = volume_room_for_free_slots(&v->disk[i], v->disk[i].n_copies + v->rebalance.in_flight);
	return err;
}

/* A disk nothing is left on is gone. */
static void finish_leaving(struct volume *v)
{
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (leaves(v, i) && !v->disk[i].n_copies)
			v->disk[i].state = DISK_DROPPED;
}

static void begin(struct volume *v)
{
	struct rebalance *r = &v->rebalance;

	if (r->state != REBALANCE_RUN && r->state != REBALANCE_HALT) {
		r->sofar = 0;
		r->started_ns = volume_now(v);
		r->n_marks = 0;
		r->next_mark_ns = volume_now(v) + MARK_NS;
	}
	r->est_work = r->sofar + r->in_flight + r->n_plan;
	r->state = v->p.power ? REBALANCE_RUN : REBALANCE_HALT;
	r->reason[0] = '\0';
	rebalance_step(v);
}

int rebalance_plan(struct volume *v, struct err *err)
{
	struct rebalance *r = &v->rebalance;
	uint64_t share = (uint64_t)v->n_extents * v->p.copies / (n_online(v) ? n_online(v) : 1);

	if (reserve_plan(v) < 0)
		return err_set(err, -ENOMEM, "cannot plan the rebalance: out of memory");
	r->n_plan = r->next = 0;
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (v->disk[i].state == DISK_HUNG)
			v->disk[i].state = DISK_DROPPING; /* perhaps there is a place now */
	if (!plan_leaving(v)) {
		r->n_plan = 0;
		name_hung(v);
		return 0;
	}
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (v->disk[i].joining && v->disk[i].state == DISK_ONLINE)
			plan_joining(v, i, share);
	finish_leaving(v);
	if (r->n_plan || r->in_flight)
		begin(v);
	else if (r->state == REBALANCE_WAIT)
		r->state = REBALANCE_NONE;
	return 0;
}

/* ---- moving ---- */

/* The copy that moves is read; if its disk is lost, the first copy that survives. */
static int source_of(const struct volume *v, const struct extent *x, uint32_t copy)
{
	return v->disk[x->copy[copy].disk].lost ? volume_first_copy(v, x, 0) : (int)copy;
}

static bool start_move(struct volume *v, struct move m)
{
	struct extent *x = &v->extent[m.extent];
	int from = source_of(v, x, m.copy);
	struct io *io = from < 0 || !volume_legal(v, x, m.copy, m.target) ? NULL : io_pool_get(v->pool);

	if (!io)
		return false;
	x->moving = true;
	v->rebalance.in_flight++;
	io->parent = NULL;
	io->relocation = true;
	io->write = false;
	io->extent = m.extent;
	io->copy = m.copy;
	io->clone = m.target; /* a relocation belongs to no job: the field carries where it goes */
	io->bytes = (uint32_t)v->p.au_bytes;
	volume_send_part(v, io, x->copy[from].disk, x->copy[from].slot * v->p.au_bytes);
	return true;
}

/* The next move whose extent nobody writes now; one that is written takes its turn later. */
static bool next_move(struct volume *v, struct move *m)
{
	struct rebalance *r = &v->rebalance;

	for (uint32_t i = r->next; i < r->n_plan; i++) {
		const struct extent *x = &v->extent[r->plan[i].extent];
		if (x->moving || x->writers)
			continue;
		*m = r->plan[i];
		r->plan[i] = r->plan[r->next];
		r->plan[r->next++] = *m;
		return true;
	}
	return false;
}

static void end_if_done(struct volume *v)
{
	struct rebalance *r = &v->rebalance;

	finish_leaving(v);
	if (r->next < r->n_plan || r->in_flight || (r->state != REBALANCE_RUN && r->state != REBALANCE_HALT))
		return;
	r->state = REBALANCE_DONE;
	r->ended_ns = volume_now(v);
	r->est_work = r->sofar;
	for (uint32_t i = 0; i < v->n_disks; i++)
		v->disk[i].joining = false;
}

void rebalance_step(struct volume *v)
{
	struct rebalance *r = &v->rebalance;
	struct move m;

	while (r->in_flight < v->p.power && next_move(v, &m))
		if (!start_move(v, m))
			r->est_work--; /* it cannot move any more: its copies, or the place for it, are gone */
	end_if_done(v);
}

static void mark_progress(struct rebalance *r, int64_t now_ns)
{
	enum { N = sizeof(r->mark) / sizeof(r->mark[0]) };

	for (; r->next_mark_ns <= now_ns; r->next_mark_ns += MARK_NS)
		r->mark[r->n_marks++ % N] = r->sofar;
}

/* The copy is whole on the new disk: from now on the map says so, and the old slot is free. */
static void moved(struct volume *v, const struct io *io)
{
	struct extent *x = &v->extent[io->extent];
	struct place old = x->copy[io->copy];

	mark_progress(&v->rebalance, volume_now(v));
	x->copy[io->copy] = (struct place){io->lun, (uint32_t)(io->offset_bytes / v->p.au_bytes)};
	volume_give_slot(v, old);
	v->rebalance.sofar++;
	v->relocations++;
}

static void give_up_target(struct volume *v, const struct io *io)
{
	if (io->write)
		volume_give_slot(v, (struct place){io->lun, (uint32_t)(io->offset_bytes / v->p.au_bytes)});
	v->rebalance.est_work--;
}

/* Read done: write it. Written: change the map. What failed, or has lost its target, is left for a new plan. */
void rebalance_complete(struct volume *v, struct io *io)
{
	struct extent *x = &v->extent[io->extent];
	bool good = io->result == (int32_t)io->bytes && v->disk[io->clone].state == DISK_ONLINE;

	if (good && !io->write) {
		io->write = true;
		volume_send_part(v, io, io->clone, volume_take_slot(v, io->clone) * v->p.au_bytes);
		return;
	}
	if (good)
		moved(v, io);
	else
		give_up_target(v, io);
	x->moving = false;
	v->rebalance.in_flight--;
	io_pool_put(v->pool, io);
	volume_resume_waiting(v);
	if (good && v->rebalance.state != REBALANCE_WAIT)
		rebalance_step(v);
	else if (v->rebalance.state != REBALANCE_WAIT || v->rebalance.in_flight == 0)
		(void)rebalance_plan(v, NULL);
}

void volume_set_power(struct volume *v, uint32_t power)
{
	struct rebalance *r = &v->rebalance;

	v->p.power = power;
	if (r->state == REBALANCE_HALT && power)
		r->state = REBALANCE_RUN;
	else if (r->state == REBALANCE_RUN && !power)
		r->state = REBALANCE_HALT;
	if (r->state == REBALANCE_RUN)
		rebalance_step(v);
}

double volume_rate(const struct volume *v)
{
	const struct rebalance *r = &v->rebalance;
	enum { N = sizeof(r->mark) / sizeof(r->mark[0]), OVER = 10 };
	uint32_t n = r->n_marks < OVER ? r->n_marks : OVER;
	double since_s = (double)(volume_now(v) - (r->next_mark_ns - MARK_NS)) / 1e9;
	uint32_t then = r->n_marks > OVER ? r->mark[(r->n_marks - 1 - OVER) % N] : 0;

	if (r->state != REBALANCE_RUN || n + since_s <= 0)
		return 0;
	return (r->sofar - then) * 60.0 / (n + since_s);
}

bool volume_hung(const struct volume *v)
{
	return v->rebalance.state == REBALANCE_WAIT;
}
