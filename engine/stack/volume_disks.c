#include <errno.h>

#include "stack/volume.h"

/* Disks that leave and join the group. */

static int check(const struct volume *v, uint32_t disk, struct err *err)
{
	if (disk >= v->n_disks)
		return err_set(err, -ENOENT, "there is no disk d%u here (d1..d%u)", disk + 1, v->n_disks);
	return 0;
}

static bool is_member(const struct volume_disk *d)
{
	return d->state == DISK_ONLINE || d->state == DISK_DROPPING || d->state == DISK_HUNG;
}

/* The group changes: what could not be moved is tried again. */
static int plan_again(struct volume *v, struct err *err)
{
	for (uint32_t e = 0; e < v->n_extents; e++)
		v->extent[e].stuck = false;
	int code = rebalance_plan(v, err);
	volume_note_disks(v);
	return code;
}

/* Lost at once; with auto_rebalance it is dropped by itself and its copies restored where that is legal. */
int volume_fail(struct volume *v, uint32_t disk, struct err *err)
{
	int code = check(v, disk, err);

	if (code)
		return code;
	struct volume_disk *d = &v->disk[disk];
	if (!is_member(d))
		return err_set(err, -EALREADY, "disk d%u cannot fail: it is %s", disk + 1, disk_state_names[d->state]);
	d->state = DISK_FAILED;
	d->lost = true;
	d->leaving |= v->p.auto_rebalance;
	return plan_again(v, err);
}

int volume_drop(struct volume *v, uint32_t disk, struct err *err)
{
	int code = check(v, disk, err);

	if (code)
		return code;
	struct volume_disk *d = &v->disk[disk];
	if (d->leaving || (d->state != DISK_ONLINE && d->state != DISK_FAILED))
		return err_set(err, -EALREADY, "disk d%u cannot be dropped: it is %s%s", disk + 1, disk_state_names[d->state],
			       d->leaving ? " and leaves already" : "");
	d->leaving = true;
	return plan_again(v, err);
}

int volume_add(struct volume *v, uint32_t disk, struct err *err)
{
	int code = check(v, disk, err);

	if (code)
		return code;
	struct volume_disk *d = &v->disk[disk];
	if (d->state != DISK_ABSENT && d->state != DISK_DROPPED)
		return err_set(err, -EALREADY, "disk d%u cannot be added: it is %s", disk + 1, disk_state_names[d->state]);
	d->state = DISK_ONLINE;
	d->lost = false;
	d->joining = true;
	d->error = 0;
	return plan_again(v, err);
}
