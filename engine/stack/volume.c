#include "stack/volume.h"

#include <errno.h>

#include "backend/backend.h"
#include "stack/stack.h"

/* The way of a request through the map, and back. */

uint32_t volume_fan(const struct volume_params *p, uint64_t bytes)
{
	return p->copies * (uint32_t)(bytes / p->au_bytes + 2);
}

int volume_first_copy(const struct volume *v, const struct extent *x, uint64_t tried)
{
	for (uint32_t c = 0; c < v->p.copies; c++)
		if (!v->disk[x->copy[c].disk].lost && !(tried >> x->copy[c].disk & 1))
			return (int)c;
	return -1;
}

static void disk_busy(struct volume *v, uint32_t disk, int by)
{
	struct volume_disk *d = &v->disk[disk];

	if (!d->in_flight)
		d->busy_since_ns = volume_now(v);
	d->in_flight += (uint32_t)by;
	if (!d->in_flight)
		d->busy_ns += volume_now(v) - d->busy_since_ns;
}

void volume_send_part(struct volume *v, struct io *part, uint32_t disk, uint64_t offset_bytes)
{
	part->lun = (uint16_t)disk;
	part->offset_bytes = offset_bytes;
	part->t_submit = volume_now(v);
	disk_busy(v, disk, 1);
	stack_submit(v->stack, part);
}

static uint64_t physical(const struct volume *v, struct place p, uint64_t offset_bytes)
{
	return p.slot * v->p.au_bytes + offset_bytes % v->p.au_bytes;
}

/* `at`: where in the user's request the part begins. All copies of a write carry the same bytes; each read has a buffer of its own. */
static struct io *new_part(struct volume *v, struct io *user, uint64_t at, uint32_t extent, uint32_t bytes)
{
	struct io *part = io_pool_get(v->pool);

	if (!part) {
		v->failed = true;
		return NULL;
	}
	part->parent = user;
	part->extent = extent;
	part->bytes = bytes;
	part->write = user->write;
	part->relocation = part->resync = false;
	part->carries = user->carries;
	part->tried = 0;
	part->job = user->job;
	user->pending++;
	if (user->carries)
		io_pool_borrow(v->pool, part, user, (uint32_t)(at - user->offset_bytes));
	return part;
}

static void read_extent(struct volume *v, struct io *user, uint64_t offset, uint32_t extent, uint32_t bytes)
{
	struct extent *x = &v->extent[extent];
	int c = volume_first_copy(v, x, 0);

	if (c < 0) {
		v->failed_reads++;
		user->result = -EIO;
		return;
	}
	struct io *part = new_part(v, user, offset, extent, bytes);
	if (!part)
		return;
	volume_send_part(v, part, x->copy[c].disk, physical(v, x->copy[c], offset));
}

/* To every copy that can be written; a write that reaches none fails. */
static void write_extent(struct volume *v, struct io *user, uint64_t offset, uint32_t extent, uint32_t bytes)
{
	struct extent *x = &v->extent[extent];
	bool any = false;

	for (uint32_t c = 0; c < v->p.copies; c++) {
		if (v->disk[x->copy[c].disk].lost)
			continue;
		struct io *part = new_part(v, user, offset, extent, bytes);
		if (!part)
			return;
		any = true;
		x->writers++;
		volume_send_part(v, part, x->copy[c].disk, physical(v, x->copy[c], offset));
	}
	if (!any)
		user->result = -EIO;
}

/* The extents a request touches, in turn. */
static uint32_t extent_of(const struct volume *v, uint64_t offset)
{
	return (uint32_t)(offset / v->p.au_bytes % v->n_extents);
}

static bool write_must_wait(const struct volume *v, const struct io *user)
{
	for (uint64_t at = user->offset_bytes; at < user->offset_bytes + user->bytes; at += v->p.au_bytes - at % v->p.au_bytes)
		if (v->extent[extent_of(v, at)].moving)
			return true;
	return false;
}

/* After a crash: nobody sees an AU before its copies are equal again. */
static bool is_unsure(const struct volume *v, const struct io *user)
{
	for (uint64_t at = user->offset_bytes; at < user->offset_bytes + user->bytes; at += v->p.au_bytes - at % v->p.au_bytes)
		if (v->extent[extent_of(v, at)].unsure)
			return true;
	return false;
}

/* No disk could take any of it: the error comes back after the transport time, as that of a dead path does. */
static void fail_later(struct volume *v, struct io *user)
{
	int64_t after = v->stack->p.transport_ns > 1000 ? v->stack->p.transport_ns : 1000;

	io_queue_push(&v->failing, user);
	timers_at(v->stack->timers, volume_now(v) + after, TIMER_FAILED, 0);
}

/* What a write brings is there before it has parts. */
static void fill(struct volume *v, struct io *user)
{
	struct backend *b = v->stack->backend;

	if (user->carries || !b->ops->fill)
		return;
	b->ops->fill(b, user);
	user->carries = true;
}

static void send(struct volume *v, struct io *user)
{
	uint64_t end = user->offset_bytes + user->bytes;

	user->parent = NULL;
	user->in_device = user->alias = user->lost = false;
	if ((v->n_unsure && is_unsure(v, user)) || (user->write && write_must_wait(v, user))) {
		io_queue_push(&v->waiting, user);
		return;
	}
	if (user->write && v->journal && !volume_may_write(v, user)) {
		io_queue_push(&v->intents, user);
		return;
	}
	if (user->write)
		fill(v, user);
	user->t_start = volume_now(v);
	user->pending = 1; /* held until all parts are sent */
	user->result = (int32_t)user->bytes;
	for (uint64_t at = user->offset_bytes; at < end;) {
		uint64_t left = v->p.au_bytes - at % v->p.au_bytes;
		uint32_t bytes = (uint32_t)(left < end - at ? left : end - at);
		if (user->write)
			write_extent(v, user, at, extent_of(v, at), bytes);
		else
			read_extent(v, user, at, extent_of(v, at), bytes);
		at += bytes;
	}
	if (--user->pending == 0)
		fail_later(v, user);
}

/* The whole way counts from the first time it is asked, also while a moving AU holds a write up. */
void volume_submit(struct volume *v, struct io *user)
{
	user->t_enter = volume_now(v);
	send(v, user);
}

void volume_send_again(struct volume *v, struct io_queue *queue)
{
	struct io_queue q = *queue;

	*queue = (struct io_queue){0};
	while (q.n)
		send(v, io_queue_pop(&q));
}

void volume_resume_waiting(struct volume *v)
{
	volume_send_again(v, &v->waiting);
}

struct io *volume_take_failed(struct volume *v)
{
	return io_queue_pop(&v->failing);
}

/* A read whose disk died under it goes to the next copy. */
static bool read_elsewhere(struct volume *v, struct io *part)
{
	struct extent *x = &v->extent[part->extent];
	uint64_t offset = part->offset_bytes % v->p.au_bytes;

	part->tried |= UINT64_C(1) << part->lun;
	int c = volume_first_copy(v, x, part->tried);
	if (c < 0)
		return false;
	volume_send_part(v, part, x->copy[c].disk, physical(v, x->copy[c], offset));
	return true;
}

void volume_lose_disk(struct volume *v, uint32_t disk, int error)
{
	if (v->disk[disk].lost)
		return;
	v->disk[disk].error = error < 0 ? error : -EIO;
	(void)volume_fail(v, disk, NULL);
}

/* A copy that could not be written is stale: its disk is taken out, unless it holds the last copy; then the write has failed. */
static bool write_survives(struct volume *v, struct io *part)
{
	const struct extent *x = &v->extent[part->extent];

	if (volume_first_copy(v, x, UINT64_C(1) << part->lun) < 0)
		return false;
	volume_lose_disk(v, part->lun, part->result);
	return true;
}

static void writer_gone(struct volume *v, uint32_t extent)
{
	if (!--v->extent[extent].writers && v->extent[extent].moving)
		rebalance_written(v, extent);
}

/* What the last part says stands for the whole: its times, and an error if there was one. */
static struct io *part_done(struct volume *v, struct io *part, bool good)
{
	struct io *user = part->parent;

	if (!good && !(part->write && write_survives(v, part)))
		user->result = part->result < 0 ? part->result : -EIO;
	user->t_start = part->t_start;
	user->alias = part->alias;
	part->parent = NULL;
	if (part->write)
		writer_gone(v, part->extent);
	io_pool_put(v->pool, part);
	return --user->pending ? NULL : user;
}

struct io *volume_complete(struct volume *v, struct io *part)
{
	uint32_t disk = part->lun;
	bool good = part->result == (int32_t)part->bytes && !v->disk[disk].lost;

	disk_busy(v, disk, -1);
	if (part->result == -ENODEV || part->result == -ENXIO)
		volume_lose_disk(v, disk, part->result); /* it went away */
	if (part->resync) {
		resync_complete(v, part);
		return NULL;
	}
	if (part->relocation) {
		rebalance_complete(v, part);
		return NULL;
	}
	if (!good && !part->write && read_elsewhere(v, part))
		return NULL;
	if (!good && !part->write)
		v->failed_reads++;
	struct io *user = part_done(v, part, good);
	if (!user || !user->write || !v->n_disk_notes)
		return user;
	io_queue_push(&v->unacked, user); /* a copy may have missed it, and a crash must not bring that one back */
	return NULL;
}
