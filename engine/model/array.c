#include "model/array.h"

#include <errno.h>
#include <stdlib.h>

#include "model/parts.h"

/* One random stream per purpose and part, so that a knob on one station does not shift the draws of another. */
enum { STREAM_SERVICE = 0x1000, STREAM_CACHE = 0x2000, STREAM_DISK = 0x10000 };

static int array_setup(struct array *a, uint64_t seed, int64_t now_ns)
{
	int err = sim_init(&a->sim, 2 * a->links, now_ns);

	if (err)
		return err;
	a->n_disks = a->p.members * a->p.disk_count;
	if (a->p.disk_layout == LAYOUT_JBOD && a->n_disks < a->luns)
		a->n_disks = a->luns;
	a->disk = calloc(a->n_disks ? a->n_disks : 1, sizeof(*a->disk));
	if (!a->disk)
		return -ENOMEM;
	for (uint32_t i = 0; !err && i < a->n_disks; i++)
		err = disk_init(&a->disk[i]);
	array_seed(a, seed);
	return err ? err : array_reserve(a, 64);
}

struct array *array_new(const struct array_spec *p, uint32_t links, uint32_t luns, uint32_t lcus, uint64_t seed, int64_t now_ns,
			struct err *err)
{
	if (!links || links > SIM_MAX_LANES / 2 || !p->members || p->members > ARRAY_MAX_MEMBERS || !p->servers ||
	    p->disk_streams > ARRAY_MAX_STREAMS) {
		err_set(err, -EINVAL, "cannot build the array: %u links (1..%d), %u members (1..%d), %u servers (at least 1), %u streams (0..%d)",
			links, SIM_MAX_LANES / 2, p->members, ARRAY_MAX_MEMBERS, p->servers, p->disk_streams, ARRAY_MAX_STREAMS);
		return NULL;
	}
	struct array *a = calloc(1, sizeof(*a));
	if (!a) {
		err_set(err, -ENOMEM, "cannot build the array: out of memory");
		return NULL;
	}
	a->p = *p;
	a->links = links;
	a->luns = luns;
	a->lcus = lcus;
	if (array_setup(a, seed, now_ns) < 0) {
		array_free(a);
		err_set(err, -ENOMEM, "cannot build the array: out of memory");
		return NULL;
	}
	return a;
}

void array_free(struct array *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; a->disk && i < a->n_disks; i++)
		disk_release(&a->disk[i]);
	sim_release(&a->sim);
	for (uint32_t i = 0; i < a->p.members; i++)
		controller_release(&a->member[i]);
	for (uint32_t i = 0; i < 2 * a->links; i++)
		free(a->wire[i].queue.ring);
	free(a->disk);
	free(a->command);
	free(a);
}

/* Pending at most: one event per command, one per disk, one per wire. */
int array_reserve(struct array *a, uint32_t n)
{
	if (n > a->n_commands) {
		struct command_state *c = realloc(a->command, n * sizeof(*c));
		if (!c)
			return -ENOMEM;
		a->command = c;
		a->n_commands = n;
	}
	for (uint32_t i = 0; i < a->p.members; i++)
		if (controller_reserve(&a->member[i], a->n_commands) < 0)
			return -ENOMEM;
	for (uint32_t i = 0; i < 2 * a->links; i++)
		if (lane_reserve(&a->wire[i].queue, a->n_commands) < 0)
			return -ENOMEM;
	return sim_reserve(&a->sim, a->n_commands + a->n_disks + 2 * a->links);
}

void array_seed(struct array *a, uint64_t seed)
{
	for (uint32_t i = 0; i < a->p.members; i++) {
		rng_init(&a->member[i].service, seed, STREAM_SERVICE + i);
		rng_init(&a->member[i].cache, seed, STREAM_CACHE + i);
	}
	for (uint32_t i = 0; i < a->n_disks; i++)
		rng_init(&a->disk[i].position, seed, STREAM_DISK + i);
}

uint32_t array_owner(const struct array *a, uint32_t lun, uint64_t offset_bytes)
{
	if (a->p.owner == OWNER_LCU)
		return lun % a->lcus % a->p.members;
	return (uint32_t)(mix64((uint64_t)lun << 48 | offset_bytes / a->p.page_bytes) % a->p.members);
}

/* Who owns the page, and which of its disks holds the 64 KiB stripe. */
static void place(struct array *a, struct command_state *s)
{
	const struct array_command *c = &s->c;
	uint64_t lun = (uint64_t)c->lun << 48;

	s->owner = (uint8_t)array_owner(a, c->lun, c->offset_bytes);
	if (a->p.disk_layout == LAYOUT_JBOD)
		s->disk = c->lun;
	else if (a->p.disk_count == 1)
		s->disk = s->owner;
	else
		s->disk = s->owner * a->p.disk_count + (uint32_t)(mix64(~(lun | c->offset_bytes >> 16)) % a->p.disk_count);
}

void array_submit(struct array *a, uint32_t id, const struct array_command *c)
{
	struct command_state *s = &a->command[id];

	s->c = *c;
	place(a, s);
	link_send(a, id);
}

int64_t array_run(struct array *a, int64_t until_ns)
{
	struct event e;

	while (sim_next(&a->sim, until_ns, &e)) {
		uint32_t id = event_id(e);
		switch (event_type(e)) {
		case EVENT_ARRIVE:
			controller_arrive(a, id);
			break;
		case EVENT_FORWARDED:
			controller_server_free(a, a->command[id].c.entry);
			controller_serve(a, id);
			break;
		case EVENT_SERVED:
			controller_server_free(a, a->command[id].owner);
			controller_served(a, id);
			break;
		case EVENT_STORED:
			controller_reply(a, id);
			break;
		case EVENT_DISK:
			disk_done(a, id);
			break;
		case EVENT_WIRE:
			link_turn(a, id);
			break;
		case EVENT_DONE:
			return id;
		}
	}
	return -1;
}

int64_t array_now(const struct array *a)
{
	return a->sim.now_ns;
}

struct array_counters array_counters(const struct array *a, uint32_t member)
{
	return a->member[member].counters;
}

bool array_failed(const struct array *a)
{
	return a->failed || a->sim.heap.failed;
}
