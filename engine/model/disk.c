#include <errno.h>
#include <stdlib.h>

#include "model/parts.h"

/* A disk serves two classes in turns: whoever has it keeps it until the slice is used up while the other waits; slice 0 is plain
 * FCFS. A read next to an earlier one belongs to a stream, and the disk then reads ahead of it. */

int disk_init(struct disk *d)
{
	d->head = -1;
	for (unsigned c = 0; c < 2; c++) {
		d->q[c].ring = malloc(64 * sizeof(struct disk_entry));
		if (!d->q[c].ring)
			return -ENOMEM;
		d->q[c].mask = 63;
	}
	for (unsigned i = 0; i < ARRAY_MAX_STREAMS; i++)
		d->stream[i].waiter = NO_COMMAND;
	return 0;
}

void disk_release(struct disk *d)
{
	free(d->q[0].ring);
	free(d->q[1].ring);
}

static bool fifo_grow(struct disk_fifo *q)
{
	uint32_t n = q->tail - q->head, room = q->mask + 1;
	struct disk_entry *ring = malloc(2 * (size_t)room * sizeof(*ring));

	if (!ring)
		return false;
	for (uint32_t i = 0; i < n; i++)
		ring[i] = q->ring[(q->head + i) & q->mask];
	free(q->ring);
	*q = (struct disk_fifo){ring, 0, n, 2 * room - 1};
	return true;
}

/* The head stands where this piece goes on. */
static bool under_head(const struct disk *d)
{
	return d->now.stream >= 0 && d->now.stream == d->head && d->now.generation == d->head_generation;
}

/* Begin the next piece of work, if any. */
static void disk_next(struct array *a, uint32_t index)
{
	struct disk *d = &a->disk[index];
	bool waiting[2] = {d->q[0].head != d->q[0].tail, d->q[1].head != d->q[1].tail};
	uint32_t c = d->turn, other = !c;

	d->on = waiting[0] || waiting[1];
	if (!d->on)
		return;
	if (!waiting[c] || (waiting[other] && d->used_ns >= a->p.disk_slice_ns)) {
		d->turn = c = other;
		d->used_ns = 0;
	}
	d->now = d->q[c].ring[d->q[c].head++ & d->q[c].mask];
	int64_t s = under_head(d) ? 0 : rng_draw(&d->position, &a->p.disk_position);
	if (a->p.disk_mibps > 0)
		s += (int64_t)((double)d->now.bytes * (1e9 / 1048576.0) / a->p.disk_mibps + 0.5);
	d->used_ns += s;
	d->busy_ns += s;
	d->head = d->now.stream;
	d->head_generation = d->now.generation;
	sim_at(&a->sim, a->sim.now_ns + s, EVENT_DISK, index);
}

static void disk_add(struct array *a, uint32_t index, uint32_t class, struct disk_entry e)
{
	struct disk *d = &a->disk[index];
	struct disk_fifo *q = &d->q[a->p.disk_slice_ns ? class : 0];

	if (q->tail - q->head > q->mask && !fifo_grow(q)) {
		a->failed = true;
		return;
	}
	q->ring[q->tail++ & q->mask] = e;
	if (!d->on)
		disk_next(a, index);
}

static struct stream *stream_find(struct array *a, struct disk *d, const struct array_command *c)
{
	for (uint32_t i = 0; i < a->p.disk_streams; i++) {
		struct stream *s = &d->stream[i];
		if (s->used && s->lun == c->lun && s->lo <= c->offset_bytes && c->offset_bytes <= s->front + a->p.disk_gap_bytes)
			return s;
	}
	return NULL;
}

/* A free stream, else the least recently used one nobody waits for, else NULL. */
static struct stream *stream_take(struct array *a, struct disk *d)
{
	struct stream *oldest = NULL;

	for (uint32_t i = 0; i < a->p.disk_streams; i++) {
		struct stream *s = &d->stream[i];
		if (!s->used)
			return s;
		if (s->waiter == NO_COMMAND && (!oldest || s->touched < oldest->touched))
			oldest = s;
	}
	return oldest;
}

static struct disk_entry stream_piece(struct disk *d, const struct stream *s, uint32_t command, uint32_t bytes, uint64_t end)
{
	return (struct disk_entry){command, (int32_t)(s - d->stream), s->generation, bytes, end};
}

static void stream_read_ahead(struct array *a, uint32_t index, struct stream *s, uint64_t end, uint32_t length)
{
	struct disk *d = &a->disk[index];

	while (s->front < end + a->p.disk_readahead_bytes) {
		uint64_t left = end + a->p.disk_readahead_bytes - s->front;
		uint32_t piece = left < length ? (uint32_t)left : length;
		s->front += piece;
		disk_add(a, index, 0, stream_piece(d, s, NO_COMMAND, piece, s->front));
	}
}

/* A read that continues a stream: queue what is missing, answer at once what is there, else wait for the piece under way. */
static void stream_read(struct array *a, uint32_t index, struct stream *s, uint32_t id)
{
	struct command_state *c = &a->command[id];
	uint64_t end = c->c.offset_bytes + c->c.bytes;

	if (end > s->front) {
		uint32_t missing = (uint32_t)(end - s->front);
		s->front = end;
		disk_add(a, index, 0, stream_piece(&a->disk[index], s, id, missing, end));
	} else if (end <= s->done) {
		controller_reply(a, id);
	} else {
		c->end = end;
		c->next = s->waiter;
		s->waiter = id;
	}
	stream_read_ahead(a, index, s, end, c->c.bytes);
}

static void stream_start(struct array *a, uint32_t index, struct stream *s, uint32_t id)
{
	const struct array_command *c = &a->command[id].c;

	s->used = true;
	s->generation++;
	s->lun = c->lun;
	s->lo = s->done = c->offset_bytes;
	s->front = c->offset_bytes + c->bytes;
	disk_add(a, index, 0, stream_piece(&a->disk[index], s, id, c->bytes, s->front));
}

void disk_submit(struct array *a, uint32_t id)
{
	struct command_state *c = &a->command[id];
	struct disk *d = &a->disk[c->disk];
	struct stream *s = NULL;

	if (!c->c.write && !c->c.relocation && a->p.disk_readahead_bytes) {
		s = stream_find(a, d, &c->c);
		if (s) {
			s->touched = ++d->touches;
			stream_read(a, c->disk, s, id);
			return;
		}
		s = stream_take(a, d);
	}
	if (s) {
		s->touched = ++d->touches;
		stream_start(a, c->disk, s, id);
	} else {
		disk_add(a, c->disk, c->c.relocation, (struct disk_entry){id, -1, 0, c->c.bytes, 0});
	}
}

/* An acknowledged write goes to the disk later: work for the spindle that nobody waits for. */
void disk_destage(struct array *a, uint32_t id)
{
	const struct command_state *c = &a->command[id];

	disk_add(a, c->disk, 0, (struct disk_entry){NO_COMMAND, -1, 0, c->c.bytes, 0});
}

/* Answer the waiters that have all they asked for, oldest first. */
static void stream_arrived(struct array *a, struct stream *s)
{
	uint32_t ready = NO_COMMAND, *link = &s->waiter;

	while (*link != NO_COMMAND) {
		struct command_state *c = &a->command[*link];
		uint32_t id = *link;
		if (c->end > s->done) {
			link = &c->next;
			continue;
		}
		*link = c->next;
		c->next = ready;
		ready = id;
	}
	while (ready != NO_COMMAND) {
		uint32_t id = ready;
		ready = a->command[id].next;
		controller_reply(a, id);
	}
}

void disk_done(struct array *a, uint32_t index)
{
	struct disk *d = &a->disk[index];
	struct disk_entry e = d->now;

	if (e.stream >= 0 && d->stream[e.stream].generation == e.generation) {
		d->stream[e.stream].done = e.end;
		stream_arrived(a, &d->stream[e.stream]);
	}
	if (e.command != NO_COMMAND)
		controller_reply(a, e.command);
	disk_next(a, index);
}
