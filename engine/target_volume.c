#include <errno.h>

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
