#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "stack/volume.h"

/* The plan of a rebalance: which copies go where. It is made anew, from the map as it is, whenever a disk is lost, dropped or added, and
 * when a move failed; a disk whose copies have no legal place is left alone as a whole, and the others go on. */

/* ---- disks that leave ---- */

enum { NO_PLACE, NO_COPY, NO_LUCK, N_WHYS };
static const char *const whys[N_WHYS] = {
	[NO_PLACE] = "no other failure group can take its copies (add a disk)",
	[NO_COPY] = "no copy is left of some of its data",
	[NO_LUCK] = "some of its copies cannot be read, or not be written elsewhere",
};

/* Why this copy cannot go, or N_WHYS. */
static int why_not(const struct volume *v, const struct extent *x, uint32_t copy)
{
	uint32_t turn = 0;

	if (volume_first_copy(v, x, 0) < 0)
		return NO_COPY;
	if (x->stuck)
		return NO_LUCK;
	return volume_next_target(v, x, copy, &turn) < 0 ? NO_PLACE : N_WHYS;
}

static void judge_leaving(struct volume *v)
{
	for (uint32_t i = 0; i < v->n_disks; i++) {
		v->disk[i].stays = 0;
		if (v->disk[i].leaving && !v->disk[i].lost)
			v->disk[i].state = DISK_DROPPING; /* perhaps there is a place now */
	}
	for (uint32_t e = 0; e < v->n_extents; e++)
		for (uint32_t c = 0; c < v->p.copies; c++) {
			const struct extent *x = &v->extent[e];
			struct volume_disk *d = &v->disk[x->copy[c].disk];
			if (d->leaving && !x->moving)
				d->stays |= (uint8_t)(1u << why_not(v, x, c));
		}
	for (uint32_t i = 0; i < v->n_disks; i++) {
		struct volume_disk *d = &v->disk[i];
		d->stays &= (1u << N_WHYS) - 1;
		if (d->stays & 1u << NO_PLACE && !d->lost)
			d->state = DISK_HUNG;
	}
}

bool rebalance_left_behind(const struct volume *v)
{
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (v->disk[i].leaving && v->disk[i].n_copies)
			return true;
	return false;
}

void rebalance_name_reason(struct volume *v)
{
	struct rebalance *r = &v->rebalance;

	r->reason[0] = '\0';
	for (uint32_t i = 0; i < v->n_disks && !r->reason[0]; i++)
		for (int why = 0; why < N_WHYS && !r->reason[0]; why++)
			if (v->disk[i].stays >> why & 1)
				snprintf(r->reason, sizeof(r->reason), "d%u cannot be %s: %s", i + 1,
					 v->disk[i].lost ? "restored" : "dropped", whys[why]);
}

/* ---- the moves ---- */

static void add_move(struct volume *v, uint32_t extent, uint32_t copy, int target)
{
	v->rebalance.plan[v->rebalance.n_plan++] = (struct move){extent, (uint16_t)target, (uint8_t)copy};
}

/* Every copy on a disk that leaves goes round-robin to the others; `coming` counts what each gets. */
static void plan_leaving(struct volume *v, uint32_t *coming)
{
	uint32_t turn = 0;

	for (uint32_t e = 0; e < v->n_extents; e++)
		for (uint32_t c = 0; c < v->p.copies; c++) {
			const struct extent *x = &v->extent[e];
			const struct volume_disk *d = &v->disk[x->copy[c].disk];
			if (!d->leaving || x->moving || d->stays & 1u << NO_PLACE || why_not(v, x, c) != N_WHYS)
				continue;
			int target = volume_next_target(v, x, c, &turn);
			coming[target]++;
			add_move(v, e, c, target);
		}
}

static uint32_t n_online(const struct volume *v)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->n_disks; i++)
		n += v->disk[i].state == DISK_ONLINE;
	return n;
}

/* How far each disk is above its share, in AU; below it is negative. */
struct balance {
	int64_t over[VOLUME_MAX_DISKS];
	uint32_t n_lacking; /* new disks below it */
};

static void weigh(const struct volume *v, const uint32_t *coming, struct balance *b)
{
	int64_t share = (int64_t)v->n_extents * v->p.copies / (n_online(v) ? n_online(v) : 1);

	b->n_lacking = 0;
	for (uint32_t i = 0; i < v->n_disks; i++) {
		b->over[i] = (int64_t)v->disk[i].n_copies + v->disk[i].under_way + coming[i] - share;
		b->n_lacking += v->disk[i].joining && v->disk[i].state == DISK_ONLINE && b->over[i] < 0;
	}
}

/* Balance takes only what is too much, and nothing from disks that leave, are lost or are filled themselves. */
static bool may_give(const struct volume *v, const struct extent *x, uint32_t copy, const struct balance *b)
{
	const struct volume_disk *d = &v->disk[x->copy[copy].disk];

	return b->over[x->copy[copy].disk] > 0 && !x->moving && !x->stuck && d->state == DISK_ONLINE && !d->joining;
}

static int next_lacking(const struct volume *v, const struct extent *x, uint32_t copy, const struct balance *b, uint32_t *turn)
{
	for (uint32_t i = 0; i < v->n_disks; i++) {
		uint32_t disk = (*turn + i) % v->n_disks;
		if (!v->disk[disk].joining || b->over[disk] >= 0 || !volume_legal(v, x, copy, disk))
			continue;
		*turn = disk + 1;
		return (int)disk;
	}
	return -1;
}

/* Every stride-th copy is always the same one of its extent (a mirror, which nobody reads) when the two have a divisor in common. */
static bool meets_one_kind(uint32_t stride, uint32_t copies)
{
	for (uint32_t d = 2; d <= copies; d++)
		if (stride % d == 0 && copies % d == 0)
			return true;
	return false;
}

/* Where this copy can go, or -1. */
static int place_for(const struct volume *v, uint32_t extent, uint32_t copy, const struct balance *b, uint32_t *turn)
{
	const struct extent *x = &v->extent[extent];

	return may_give(v, x, copy, b) ? next_lacking(v, x, copy, b, turn) : -1;
}

/* A new disk among D others gets every (D+1)-th copy, up to its share; several new ones take turns. Where that would always meet the same
 * copy of an extent, the kind changes after so many moves as take from each disk in turn, so that a new disk gets primaries and mirrors alike
 * and all give alike. */
static void plan_joining(struct volume *v, const uint32_t *coming)
{
	uint32_t stride = n_online(v), due = 0, turn = 0, n_given = 0;
	bool shift = meets_one_kind(stride, v->p.copies);
	struct balance b;

	weigh(v, coming, &b);
	for (uint32_t e = 0; e < v->n_extents && b.n_lacking; e++)
		for (uint32_t c = 0; c < v->p.copies && b.n_lacking; c++) {
			uint32_t copy = shift ? (c + n_given / stride) % v->p.copies : c;
			due += b.n_lacking;
			int target = due >= stride ? place_for(v, e, copy, &b, &turn) : -1;
			if (target < 0 && due >= stride && copy != c)
				target = place_for(v, e, copy = c, &b, &turn);
			if (target < 0)
				continue;
			due -= stride;
			n_given++;
			b.over[v->extent[e].copy[copy].disk]--;
			b.n_lacking -= !++b.over[target];
			add_move(v, e, copy, target);
		}
}

/* ---- room ---- */

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

/* Each copy leaves at most once and is given to a new disk at most once. */
static int reserve_plan(struct volume *v)
{
	int err = plan_room(&v->rebalance, v->n_extents * v->p.copies);

	for (uint32_t i = 0; !err && i < v->n_disks; i++)
		err = volume_room_for_free_slots(&v->disk[i], v->disk[i].n_copies + v->rebalance.in_flight);
	return err;
}

int rebalance_plan(struct volume *v, struct err *err)
{
	uint32_t coming[VOLUME_MAX_DISKS] = {0};

	if (reserve_plan(v) < 0)
		return err_set(err, -ENOMEM, "cannot plan the rebalance: out of memory");
	v->rebalance.n_plan = v->rebalance.next = 0;
	judge_leaving(v);
	plan_leaving(v, coming);
	plan_joining(v, coming);
	rebalance_begin(v);
	return 0;
}
