#include "stack/volume.h"

#include <errno.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "stack/stack.h"

/* The map: which disk and slot each copy of each extent has, and how a new group is laid out. */

const char *const disk_state_names[N_DISK_STATES] = {"absent", "online", "dropping", "failed", "HUNG", "dropped"};
const char *const rebalance_state_names[N_REBALANCE_STATES] = {"NONE", "RUN", "WAIT", "HALT", "DONE"};

int64_t volume_now(const struct volume *v)
{
	return stack_now(v->stack);
}

static bool has_room(const struct volume *v, const struct volume_disk *d)
{
	uint32_t coming = d->under_way > 0 ? (uint32_t)d->under_way : 0;

	return !v->p.slots || v->p.first_slot + d->n_copies + coming < v->p.slots;
}

/* A disk may take a copy when it is online and no other copy of the extent lies in its failure group; a lost one counts too, else two
 * copies could hang on one group. */
bool volume_legal(const struct volume *v, const struct extent *x, uint32_t copy, uint32_t disk)
{
	if (v->disk[disk].state != DISK_ONLINE || !has_room(v, &v->disk[disk]))
		return false;
	for (uint32_t c = 0; c < v->p.copies; c++)
		if (c != copy && v->disk[x->copy[c].disk].group == v->disk[disk].group)
			return false;
	return true;
}

int volume_next_target(const struct volume *v, const struct extent *x, uint32_t copy, uint32_t *turn)
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

/* ---- slots ---- */

/* A slot that was given back may still be read by requests that came before its copy moved, and still be written by one that was lost
 * with its path. */
static bool still_used(const struct volume *v, uint32_t disk, uint32_t slot)
{
	bool idle = !v->disk[disk].in_flight && !v->stack->backend->outstanding; /* a lost one is in no count but the backend's */
	uint32_t room = idle ? 0 : io_pool_room(v->pool);

	for (uint32_t id = 0; id < room; id++) {
		const struct io *io = io_pool_at(v->pool, id);
		bool reads = io->parent && !io->write, lost = io->lost && io->in_device;
		if ((reads || lost) && io->lun == disk && io->offset_bytes / v->p.au_bytes == slot)
			return true;
	}
	return false;
}

uint32_t volume_take_slot(struct volume *v, uint32_t disk)
{
	struct volume_disk *d = &v->disk[disk];

	for (uint32_t i = d->n_free; i-- > 0;) {
		uint32_t slot = d->free_slot[i];
		if (still_used(v, disk, slot))
			continue;
		d->free_slot[i] = d->free_slot[--d->n_free];
		d->n_copies++;
		return slot;
	}
	if (v->p.slots && d->next_slot >= v->p.slots)
		return VOLUME_NO_SLOT;
	d->n_copies++;
	return d->next_slot++;
}

/* Room is made when a plan is built, so giving back never fails. */
int volume_room_for_free_slots(struct volume_disk *d, uint32_t n)
{
	if (d->n_free + n <= d->free_room)
		return 0;
	uint32_t *larger = realloc(d->free_slot, (d->n_free + n) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	d->free_slot = larger;
	d->free_room = d->n_free + n;
	return 0;
}

void volume_give_slot(struct volume *v, struct place p)
{
	struct volume_disk *d = &v->disk[p.disk];

	d->n_copies--;
	if (d->n_free < d->free_room)
		d->free_slot[d->n_free++] = p.slot;
}

/* ---- layout ---- */

/* Copies before `copy` are placed: the next disk after theirs in a group of its own. */
static int next_disk(const struct volume *v, const struct extent *x, uint32_t copy)
{
	for (uint32_t i = 1; i < v->p.disks; i++) {
		uint32_t disk = (x->copy[0].disk + i) % v->p.disks;
		bool free = true;
		for (uint32_t c = 0; c < copy; c++)
			free = free && v->disk[x->copy[c].disk].group != v->disk[disk].group;
		if (free)
			return (int)disk;
	}
	return -1;
}

static int lay_out(struct volume *v, uint32_t e, struct err *err)
{
	struct extent *x = &v->extent[e];

	for (uint32_t c = 0; c < v->p.copies; c++) {
		int disk = c ? next_disk(v, x, c) : (int)(e % v->p.disks);
		if (disk < 0)
			return err_set(err, -EINVAL, "%u copies need as many failure groups, the volume has fewer (failgroups, disks)",
				       v->p.copies);
		uint32_t slot = volume_take_slot(v, (uint32_t)disk);
		if (slot == VOLUME_NO_SLOT)
			return err_set(err, -EINVAL, "%u copies of %u AU do not fit on %u disks of %u AU each: lower group in [volume]",
				       v->p.copies, v->n_extents, v->p.disks, v->p.slots - v->p.first_slot);
		x->copy[c] = (struct place){(uint16_t)disk, slot};
	}
	return 0;
}

int volume_init(struct volume *v, const struct volume_params *p, struct stack *s, struct io_pool *pool, struct err *err)
{
	*v = (struct volume){.p = *p, .stack = s, .pool = pool, .n_disks = p->known ? p->known : p->disks + VOLUME_SPARES};
	if (v->n_disks > VOLUME_MAX_DISKS)
		v->n_disks = VOLUME_MAX_DISKS;
	v->n_extents = (uint32_t)((p->size_bytes + p->au_bytes - 1) / p->au_bytes);
	v->extent = calloc(v->n_extents ? v->n_extents : 1, sizeof(*v->extent));
	if (!v->extent)
		return err_set(err, -ENOMEM, "cannot lay out the volume (%u extents): out of memory", v->n_extents);
	for (uint32_t i = 0; i < v->n_disks; i++) {
		v->disk[i].state = i < p->disks ? DISK_ONLINE : DISK_ABSENT;
		v->disk[i].group = p->failgroups ? i % p->failgroups : i;
		v->disk[i].next_slot = p->first_slot;
	}
	int code = 0;
	for (uint32_t e = 0; !code && e < v->n_extents; e++)
		code = lay_out(v, e, err);
	if (code)
		volume_release(v);
	return code;
}

void volume_release(struct volume *v)
{
	for (uint32_t i = 0; i < v->n_disks; i++)
		free(v->disk[i].free_slot);
	free(v->extent);
	free(v->rebalance.plan);
	*v = (struct volume){0};
}
