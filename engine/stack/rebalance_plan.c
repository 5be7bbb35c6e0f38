#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack/stack.h"
#include "stack/volume.h"

/* The plan of a rebalance: which copies go where. */

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
void rebalance_finish_leaving(struct volume *v)
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
		r->next_mark_ns = volume_now(v) + REBALANCE_MARK_NS;
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
	rebalance_finish_leaving(v);
	if (r->n_plan || r->in_flight)
		begin(v);
	else if (r->state == REBALANCE_WAIT)
		r->state = REBALANCE_NONE;
	return 0;
}
