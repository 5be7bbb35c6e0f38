#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "label.h"
#include "stack/journal.h"
#include "state.h"
#include "target_private.h"

/* A volume on targets: each target is one of its disks, those beyond `disks` are spare ones that can be added. */

/* A group that can be mirrored anew when the largest failure group is lost (what ASM calls usable_file_mb). */
static uint64_t usable_bytes(const struct target_set *set, const struct volume_spec *v)
{
	uint32_t groups = v->failgroups && v->failgroups < v->disks ? v->failgroups : v->disks;
	uint32_t copies = (uint32_t)v->redundancy + 1;
	uint32_t kept = copies > 1 && groups > copies ? v->disks - (v->disks + groups - 1) / groups : v->disks;
	uint64_t slots = set->lun_bytes / v->au_bytes;

	return slots ? (slots - 1) * kept / copies * v->au_bytes : 0;
}

void target_fit_volume(struct spec *spec, const struct target_set *set)
{
	struct volume_spec *v = &spec->config.volume;

	if (!v->group_bytes && state_goes_on(set->state))
		v->group_bytes = state_image(set->state)->fact[FACT_SIZE];
	if (!v->group_bytes)
		v->group_bytes = usable_bytes(set, v);
	for (uint32_t i = 0; i < spec->config.n_jobs; i++) {
		struct job_spec *j = &spec->config.job[i];
		if (!j->size_bytes && j->offset_bytes < v->group_bytes)
			j->size_bytes = v->group_bytes - j->offset_bytes;
	}
}

int target_check_volume(const struct target_set *set, const struct volume_spec *v, struct err *err)
{
	if (v->disks > set->luns)
		return err_set(err, -EINVAL, "the volume has %u disks, but there %s %u target%s: one for each (disks in [volume], --target)", v->disks,
			       set->luns == 1 ? "is" : "are", set->luns, set->luns == 1 ? "" : "s");
	if (v->au_bytes % set->block_bytes || v->au_bytes % 4096)
		return err_set(err, -EINVAL, "au=%llu is not a multiple of 4096 and of the %u-byte logical block of '%s'",
			       (unsigned long long)v->au_bytes, set->block_bytes, set->t[0].def->path);
	if (!v->group_bytes)
		return err_set(err, -EINVAL, "the targets hold no AU besides their label: they have %llu bytes, au=%llu",
			       (unsigned long long)set->lun_bytes, (unsigned long long)v->au_bytes);
	if (!set->writable)
		return err_set(err, -EPERM, "a volume writes to its disks (labels, copies): add --write (for a block device --write=%s)",
			       set->t[0].def->path);
	return 0;
}

/* ---- a volume that goes on ---- */

static int match(struct target_set *set, struct target *t, struct err *err)
{
	const struct journal_image *m = state_image(set->state);
	struct disk_label l;
	int found = label_read(t->fd, &l);

	if (found < 0)
		return err_set(err, -EPERM, "cannot use '%s': its label cannot be read (%s)", t->def->path, strerror(-found));
	t->joins = !found;
	if (!found)
		return 0;
	if (l.volume != m->fact[FACT_VOLUME])
		return err_set(err, -EPERM, "cannot use '%s': it is disk d%u of another volume (%016llx; the state file keeps %016llx)", t->def->path,
			       l.index + 1, (unsigned long long)l.volume, (unsigned long long)m->fact[FACT_VOLUME]);
	if (l.index >= m->fact[FACT_KNOWN] || l.disk != m->disk[l.index].id)
		return err_set(err, -EPERM, "cannot use '%s': it was disk d%u of the volume once, another one is that now", t->def->path, l.index + 1);
	t->lun = l.index;
	return 0;
}

/* A copy of a disk, or a second path that was given as a disk of its own. */
static int check_once(const struct target_set *set, struct err *err)
{
	for (uint32_t i = 0; i < set->n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (set->t[i].lun == set->t[k].lun && set->t[i].def->way == set->t[k].def->way)
				return err_set(err, -EPERM, "cannot use '%s': both it and '%s' say that they are disk d%u", set->t[i].def->path,
					       set->t[k].def->path, set->t[i].lun + 1);
	return 0;
}

static bool is_here(const struct target_set *set, uint32_t disk)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (set->t[i].lun == disk)
			return true;
	return false;
}

/* A target without a label takes a place that is free: of a disk that was dropped, or was never in the volume. */
static int join(struct target_set *set, struct target *t, const struct target_permit *permit, struct err *err)
{
	const struct journal_image *m = state_image(set->state);
	uint32_t i = 0;

	if (!target_is_named(permit, "new-disk"))
		return err_set(err, -EPERM, "cannot use '%s': it is no disk of the volume that the state file keeps (it carries no label); to take it in as "
			       "a new one in the place of one that was dropped: --write=new-disk", t->def->path);
	while (i < m->fact[FACT_KNOWN] && (is_here(set, i) || ((m->disk[i].flags & 0xff) != DISK_ABSENT && (m->disk[i].flags & 0xff) != DISK_DROPPED)))
		i++;
	if (i == m->fact[FACT_KNOWN])
		return err_set(err, -EPERM, "cannot take in '%s': the volume knows d1..d%u, and none of them was dropped and is missing", t->def->path, i);
	t->lun = i;
	return 0;
}

/* To go on without a disk gives its copies up: not for a path that was forgotten. */
static int check_missing(struct target_set *set, const struct target_permit *permit, struct err *err)
{
	const struct journal_image *m = state_image(set->state);
	char name[32];

	for (uint32_t i = 0; i < m->fact[FACT_KNOWN]; i++) {
		if (is_here(set, i))
			continue;
		set->missing |= UINT64_C(1) << i;
		snprintf(name, sizeof(name), "missing-d%u", i + 1);
		if ((m->disk[i].flags & 0xff) == DISK_ONLINE && !target_is_named(permit, name))
			return err_set(err, -EPERM, "disk d%u of the volume is missing: name it with --target, or go on without it and give its copies up: "
				       "--write=%s", i + 1, name);
	}
	return 0;
}

int target_match_labels(struct target_set *set, const struct target_permit *permit, struct err *err)
{
	int code = 0;

	for (uint32_t i = 0; i < set->n && !code; i++)
		code = match(set, &set->t[i], err);
	for (uint32_t i = 0; i < set->n && !code; i++)
		if (set->t[i].joins)
			set->t[i].lun = UINT32_MAX; /* takes nobody's place yet */
	for (uint32_t i = 0; i < set->n && !code; i++)
		if (set->t[i].joins)
			code = join(set, &set->t[i], permit, err);
	if (!code)
		code = check_once(set, err);
	return code ? code : check_missing(set, permit, err);
}

static int differs(const char *key, uint64_t says, uint64_t wants, struct err *err)
{
	if (says == wants)
		return 0;
	return err_set(err, -EINVAL, "the state file keeps a volume with %s = %llu, not %llu: change it back, or begin anew with another state file",
		       key, (unsigned long long)says, (unsigned long long)wants);
}

int target_check_image(const struct target_set *set, const struct config *cfg, struct err *err)
{
	const struct journal_image *m = state_image(set->state);
	const struct volume_spec *v = &cfg->volume;
	uint64_t slots = set->lun_bytes / v->au_bytes, least = m->disk[0].slots;
	int code = differs("au", m->fact[FACT_AU], v->au_bytes, err);

	if (!code)
		code = differs("group", m->fact[FACT_SIZE], v->group_bytes, err);
	if (!code)
		code = differs("copies", m->fact[FACT_COPIES], (uint64_t)v->redundancy + 1, err);
	if (!code)
		code = differs("disks", m->fact[FACT_DISKS], v->disks, err);
	if (!code)
		code = differs("failgroups", m->fact[FACT_FAILGROUPS], v->failgroups, err);
	if (!code && slots < least)
		return err_set(err, -EINVAL, "a disk of the volume has become smaller: %llu AU, it had %llu", (unsigned long long)slots,
			       (unsigned long long)least);
	return code;
}
