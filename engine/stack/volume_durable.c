#include <errno.h>

#include "stack/journal.h"
#include "stack/stack.h"

/* What makes a volume outlive the process. An AU is marked as dirty, durably, before it is written; that a disk was lost is durable before a
 * write which missed it is acknowledged; a new place is durable before the old slot may be used again. Whoever must wait for it does so in a
 * queue; nobody waits for the disk of the state file itself. */

#define POLL_NS INT64_C(100000)         /* while something is under way */
#define CLEAN_NS INT64_C(1000000000)
enum { OLD = 2 /* marks of CLEAN_NS without a write */, MOST_CLEANED = 4096 };

void volume_poll_journal(struct volume *v)
{
	if (v->polls)
		return;
	v->polls = true;
	timers_at(v->stack->timers, volume_now(v), TIMER_JOURNAL, 0);
}

static void put(struct volume *v, struct journal_entry e, uint64_t flush)
{
	journal_put(v->journal, &e, flush);
	volume_poll_journal(v);
}

/* ---- writes ---- */

static bool mark(struct volume *v, uint32_t extent)
{
	struct extent *x = &v->extent[extent];

	x->age = 0;
	x->touched = true;
	if (x->intent == INTENT_CLEAN) {
		x->intent = INTENT_ASKED;
		put(v, (struct journal_entry){.type = JOURNAL_DIRTY, .a = extent}, 0);
	}
	return x->intent == INTENT_DIRTY;
}

bool volume_may_write(struct volume *v, const struct io *user)
{
	bool may = true;

	for (uint64_t at = user->offset_bytes; at < user->offset_bytes + user->bytes; at += v->p.au_bytes - at % v->p.au_bytes)
		may &= mark(v, (uint32_t)(at / v->p.au_bytes % v->n_extents));
	return may;
}

static uint64_t disks_of(const struct volume *v, const struct extent *x)
{
	uint64_t bits = 0;

	for (uint32_t c = 0; c < v->p.copies; c++)
		if (!v->disk[x->copy[c].disk].lost)
			bits |= UINT64_C(1) << x->copy[c].disk;
	return bits;
}

/* What was written has reached the media before the AU counts as clean: its disks are flushed first. */
static void clean(struct volume *v, uint32_t extent)
{
	v->extent[extent].intent = INTENT_CLEAN;
	put(v, (struct journal_entry){.type = JOURNAL_CLEAN, .a = extent}, disks_of(v, &v->extent[extent]));
}

void volume_clean(struct volume *v)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < v->n_extents && n < MOST_CLEANED; e++) {
		struct extent *x = &v->extent[e];
		if (x->intent != INTENT_DIRTY || x->writers || x->unsure || x->moving)
			continue;
		x->age += x->age < OLD;
		if (x->age < OLD)
			continue;
		clean(v, e);
		n++;
	}
	timers_at(v->stack->timers, volume_now(v) + CLEAN_NS, TIMER_CLEAN, 0);
}

void volume_park(struct volume *v)
{
	for (uint32_t e = 0; e < v->n_extents; e++)
		if (v->extent[e].intent == INTENT_DIRTY && !v->extent[e].writers && !v->extent[e].unsure)
			clean(v, e);
}

/* ---- disks ---- */

/* What a disk is to a later session: what only follows from the plan is planned anew. */
static uint32_t flags_of(const struct volume_disk *d)
{
	enum disk_state state = d->state == DISK_DROPPING || d->state == DISK_HUNG ? DISK_ONLINE : d->state;

	return (uint32_t)state | (d->lost ? IMAGE_LOST : 0) | (d->leaving ? IMAGE_LEAVING : 0) | (d->joining ? IMAGE_JOINING : 0);
}

void volume_note_disks(struct volume *v)
{
	for (uint32_t i = 0; v->journal && i < v->n_disks; i++) {
		struct volume_disk *d = &v->disk[i];
		if (flags_of(d) == d->noted)
			continue;
		d->noted = flags_of(d);
		v->n_disk_notes++;
		put(v, (struct journal_entry){JOURNAL_DISK, i, d->noted, v->p.slots, d->id}, 0);
	}
}

/* ---- places ---- */

/* `pending`: the move is taken back, so that its old place is the one that counts. */
void volume_commit_place(struct volume *v, struct io *io)
{
	struct place to = {io->lun, (uint32_t)(io->offset_bytes / v->p.au_bytes)};

	if (io->pending)
		to = v->extent[io->extent].copy[io->copy];
	io_queue_push(&v->rebalance.committing, io);
	put(v, (struct journal_entry){JOURNAL_PLACE, io->extent, (uint32_t)io->copy << 16 | to.disk, to.slot, 0},
	    v->disk[to.disk].lost ? 0 : UINT64_C(1) << to.disk);
}

static void placed(struct volume *v, const struct journal_entry *e)
{
	struct io_queue *q = &v->rebalance.committing;

	for (uint32_t i = q->n; i > 0; i--) {
		struct io *io = io_queue_pop(q);
		if (io->extent == e->a && io->copy == e->b >> 16)
			rebalance_placed(v, io);
		else
			io_queue_push(q, io);
	}
}

/* ---- what is durable ---- */

static void is_durable(struct volume *v, const struct journal_entry *e)
{
	if (e->type == JOURNAL_DIRTY && v->extent[e->a].intent == INTENT_ASKED)
		v->extent[e->a].intent = INTENT_DIRTY;
	else if (e->type == JOURNAL_PLACE)
		placed(v, e);
	else if (e->type == JOURNAL_DISK)
		v->n_disk_notes--;
}

static void fail_unflushed(struct volume *v, uint64_t disks)
{
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (disks >> i & 1)
			volume_lose_disk(v, i, -EIO);
}

void volume_turn_journal(struct volume *v)
{
	const struct journal_entry *done = NULL;
	uint32_t n;

	v->polls = false;
	do {
		uint64_t failed = journal_turn(v->journal, &done, &n);
		for (uint32_t i = 0; i < n; i++)
			is_durable(v, &done[i]);
		if (failed)
			fail_unflushed(v, failed);
	} while (n);
	volume_send_again(v, &v->intents);
	while (!v->n_disk_notes && v->unacked.n)
		io_queue_push(&v->acked, io_queue_pop(&v->unacked));
	if (v->polls || journal_is_idle(v->journal))
		return;
	v->polls = true;
	timers_at(v->stack->timers, volume_now(v) + POLL_NS, TIMER_JOURNAL, 0);
}

struct io *volume_take_acked(struct volume *v)
{
	return v->acked.n ? io_queue_pop(&v->acked) : NULL;
}

/* ---- a later session ---- */

/* Slots of a disk that no copy has: below the last one they are free. */
static int restore_slots(struct volume *v, uint32_t disk, struct err *err)
{
	struct volume_disk *d = &v->disk[disk];
	uint32_t last = v->p.first_slot;

	for (uint32_t e = 0; e < v->n_extents; e++)
		for (uint32_t c = 0; c < v->p.copies; c++)
			if (v->extent[e].copy[c].disk == disk && v->extent[e].copy[c].slot >= last)
				last = v->extent[e].copy[c].slot + 1;
	d->next_slot = last;
	d->n_free = 0;
	if (volume_room_for_free_slots(d, last) < 0)
		return err_set(err, -ENOMEM, "cannot restore the volume: out of memory");
	for (uint32_t s = v->p.first_slot; s < last; s++)
		d->free_slot[d->n_free++] = s;
	return 0;
}

static void use_slot(struct volume *v, struct place p)
{
	struct volume_disk *d = &v->disk[p.disk];

	d->n_copies++;
	for (uint32_t i = 0; i < d->n_free; i++)
		if (d->free_slot[i] == p.slot) {
			d->free_slot[i] = d->free_slot[--d->n_free];
			return;
		}
}

static void restore_disk(struct volume *v, uint32_t disk, const struct image_disk *from, bool missing)
{
	struct volume_disk *d = &v->disk[disk];

	d->id = from->id;
	d->state = (enum disk_state)(from->flags & 0xff);
	d->lost = from->flags & IMAGE_LOST;
	d->leaving = from->flags & IMAGE_LEAVING;
	d->joining = from->flags & IMAGE_JOINING;
	d->noted = from->flags;
	d->n_copies = 0;
	if (!missing || d->state != DISK_ONLINE)
		return;
	d->state = DISK_FAILED;
	d->lost = true;
	d->error = -ENODEV;
	d->leaving |= v->p.auto_rebalance;
}

static void restore_extent(struct volume *v, uint32_t extent, const struct journal_image *m)
{
	struct extent *x = &v->extent[extent];

	for (uint32_t c = 0; c < v->p.copies; c++)
		x->copy[c] = m->place[extent * v->p.copies + c];
	x->touched = m->extent[extent] & IMAGE_TOUCHED;
	if (m->extent[extent] & IMAGE_DIRTY) {
		x->intent = INTENT_DIRTY;
		x->unsure = v->p.copies > 1;
		v->n_unsure += x->unsure;
	}
}

int volume_restore(struct volume *v, struct journal *j, const struct journal_image *m, uint64_t missing, struct err *err)
{
	int code = 0;

	v->journal = j;
	for (uint32_t i = 0; i < v->n_disks; i++)
		restore_disk(v, i, &m->disk[i], missing >> i & 1);
	for (uint32_t e = 0; e < v->n_extents; e++)
		restore_extent(v, e, m);
	for (uint32_t i = 0; !code && i < v->n_disks; i++)
		code = restore_slots(v, i, err);
	for (uint64_t i = 0; !code && i < (uint64_t)v->n_extents * v->p.copies; i++)
		use_slot(v, v->extent[i / v->p.copies].copy[i % v->p.copies]);
	if (code)
		return code;
	volume_note_disks(v);
	timers_at(v->stack->timers, volume_now(v) + CLEAN_NS, TIMER_CLEAN, 0);
	resync_step(v);
	return v->n_unsure ? 0 : rebalance_plan(v, err);
}
