#include "stack/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(struct backend *b, struct io *io)
{
	struct rig *r = (struct rig *)b;

	if (r->n_out == RIG_OUT) {
		fprintf(stderr, "rig: more than %d requests are out\n", RIG_OUT);
		exit(99);
	}
	r->out[r->n_out++] = io;
}

/* ---- something to store on ---- */

static uint8_t *buffer_of(const struct rig *r, const struct io *io)
{
	return r->buffer + (size_t)io->data * r->buffer_bytes + io->data_at;
}

static void *data(const struct backend *b, const struct io *io)
{
	return buffer_of((const struct rig *)b, io);
}

static void fill(struct backend *b, const struct io *io)
{
	struct rig *r = (struct rig *)b;

	r->fills++;
	for (uint32_t at = 0; at + 8 <= io->bytes; at += 8)
		memcpy(buffer_of(r, io) + at, &r->fills, 8);
}

static void transfer(struct rig *r, const struct io *io)
{
	if (!r->buffer)
		return;
	if (io->offset_bytes + io->bytes > r->disk_bytes || io->data_at + io->bytes > r->buffer_bytes) {
		fprintf(stderr, "rig: beyond the end of a disk or buffer\n");
		exit(99);
	}
	uint8_t *place = r->disk[io->lun] + io->offset_bytes;
	memcpy(io->write ? place : buffer_of(r, io), io->write ? buffer_of(r, io) : place, io->bytes);
}

static const struct backend_ops storing = {.name = "rig", .virtual_time = true, .submit = take, .data = data, .fill = fill};

void rig_store(struct rig *r, uint64_t disk_bytes, uint32_t buffer_bytes)
{
	r->base.ops = &storing;
	r->disk_bytes = disk_bytes;
	r->buffer_bytes = buffer_bytes;
	r->buffer = calloc(RIG_OUT, buffer_bytes);
	for (uint32_t i = 0; i < r->stack.p.n_luns; i++)
		r->disk[i] = calloc(1, disk_bytes);
}

static const struct backend_ops ops = {.name = "rig", .virtual_time = true, .submit = take};

void rig_open(struct rig *r, const struct volume_params *p, uint32_t qd, uint32_t paths)
{
	struct stack_params s = {
		.n_luns = p->disks + VOLUME_SPARES,
		.n_lcus = 1,
		.n_paths = paths,
		.n_links = paths,
		.qd = qd,
		.policy = 1, /* round-robin */
		.policy_n = 3,
		.transport_ns = 1000000,
	};
	struct err err = {""};

	memset(r, 0, sizeof(*r));
	r->base.ops = &ops;
	if (io_pool_reserve(&r->pool, RIG_OUT) || stack_init(&r->stack, &s, &r->base, &r->pool, &r->timers) ||
	    volume_init(&r->volume, p, &r->stack, &r->pool, &err)) {
		fprintf(stderr, "rig: %s\n", err.text);
		exit(99);
	}
}

void rig_close(struct rig *r)
{
	volume_release(&r->volume);
	stack_release(&r->stack);
	heap_release(&r->timers.heap);
	io_pool_release(&r->pool);
	for (uint32_t i = 0; i < VOLUME_MAX_DISKS; i++)
		free(r->disk[i]);
	free(r->buffer);
}

struct io *rig_submit(struct rig *r, bool write, uint64_t offset_bytes, uint32_t bytes)
{
	struct io *io = io_pool_get(&r->pool);

	io->write = write;
	io->carries = false;
	io->offset_bytes = offset_bytes;
	io->bytes = bytes;
	io->job = 0;
	io->t_submit = r->base.now_ns;
	volume_submit(&r->volume, io);
	return io;
}

void rig_done(struct rig *r, struct io *user)
{
	io_pool_put(&r->pool, user);
}

struct io *rig_answer(struct rig *r, uint32_t i, int error)
{
	struct io *io = r->out[i];

	memmove(&r->out[i], &r->out[i + 1], (--r->n_out - i) * sizeof(struct io *));
	r->base.outstanding--;
	io->result = error ? error : (int32_t)io->bytes;
	if (!error)
		transfer(r, io);
	return stack_complete(&r->stack, io) ? volume_complete(&r->volume, io) : NULL;
}

struct io *rig_tick(struct rig *r, int64_t ns)
{
	int64_t until = r->base.now_ns + ns;

	if (!r->timers.heap.n || heap_next(&r->timers.heap) > until) {
		r->base.now_ns = until;
		return NULL;
	}
	struct event e = r->timers.heap.e[0];
	heap_pop(&r->timers.heap);
	r->base.now_ns = e.t_ns > r->base.now_ns ? e.t_ns : r->base.now_ns;
	if (event_type(e) == TIMER_FAILED)
		return volume_take_failed(&r->volume);
	stack_timer(&r->stack, e);
	return NULL;
}
