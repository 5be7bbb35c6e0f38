#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "stack/journal.h"
#include "stack/verify_block.h"
#include "state.h"
#include "target_private.h"

/* All targets of an experiment, and the experiment fitted to them. */

bool config_writes(const struct config *cfg)
{
	for (uint32_t i = 0; i < cfg->n_jobs; i++) {
		const struct job_spec *j = &cfg->job[i];
		bool mixed = j->rw == RW_RW || j->rw == RW_RANDRW;
		bool writes = j->rw == RW_WRITE || j->rw == RW_RANDWRITE || (mixed && j->rwmixread < 100);
		if (writes && j->numjobs)
			return true;
	}
	return false;
}

/* ---- checks of a config ---- */

static int check_block(const struct target_set *set, const struct job_spec *j, struct err *err)
{
	if (j->bs_bytes % set->block_bytes)
		return err_set(err, -EINVAL, "job '%s': bs=%llu is not a multiple of the %u-byte logical block of '%s'", j->name,
			       (unsigned long long)j->bs_bytes, set->block_bytes, set->t[0].def->path);
	if (j->offset_bytes % set->block_bytes)
		return err_set(err, -EINVAL, "job '%s': offset=%llu is not a multiple of the %u-byte logical block of '%s'", j->name,
			       (unsigned long long)j->offset_bytes, set->block_bytes, set->t[0].def->path);
	return 0;
}

static int check_region(const struct target_set *set, const struct config *cfg, const struct job_spec *j, struct err *err)
{
	if (cfg->volume.disks)
		return 0; /* it lies in the volume: config_check */
	uint64_t size = j->size_bytes ? j->size_bytes : j->bs_bytes;

	if (j->offset_bytes + size <= set->lun_bytes && j->bs_bytes <= size)
		return 0;
	return err_set(err, -EINVAL, "job '%s': offset %llu and %llu bytes behind it reach beyond the target, which has %llu bytes", j->name,
		       (unsigned long long)j->offset_bytes, (unsigned long long)(size > j->bs_bytes ? size : j->bs_bytes),
		       (unsigned long long)set->lun_bytes);
}

static int check_verify(const struct target_set *set, const struct config *cfg, struct err *err)
{
	for (uint32_t i = 0; i < cfg->n_jobs && cfg->volume.verify; i++) {
		const struct job_spec *j = &cfg->job[i];
		if (j->bs_bytes % set->verify_block || j->offset_bytes % set->verify_block)
			return err_set(err, -EINVAL, "job '%s': verify works with blocks of %u bytes here: bs and offset must be multiples of it",
				       j->name, set->verify_block);
	}
	for (uint32_t i = 0; i < set->n && cfg->volume.verify; i++)
		if (set->t[i].kind == TARGET_NONE)
			return err_set(err, -EINVAL, "'%s' keeps nothing, so nothing can be verified", set->t[i].def->path);
	return 0;
}

int target_check(const struct target_set *set, const struct config *cfg, struct err *err)
{
	int code = 0;

	if (cfg->volume.disks)
		code = target_check_volume(set, &cfg->volume, err);
	if (!code && !set->writable && config_writes(cfg))
		return err_set(err, -EPERM,
			       "cannot write '%s': reading is the default; to write, add --write (for a block device --write=%s)",
			       set->t[0].def->path, set->t[0].def->path);
	for (uint32_t i = 0; i < cfg->n_jobs && !code; i++) {
		code = check_block(set, &cfg->job[i], err);
		if (!code)
			code = check_region(set, cfg, &cfg->job[i], err);
	}
	if (!code && set->verify_block)
		code = check_verify(set, cfg, err);
	return code;
}

/* A page's owner is behind a path that is there. */
static int check_owners(const struct page_owners *o, uint32_t paths, struct err *err)
{
	for (uint32_t page = 0; page < o->n; page++)
		if (o->paths[page] >> paths)
			return err_set(err, -EINVAL, "owners in [target] names p%d, but there %s p0..p%u", 31 - __builtin_clz(o->paths[page]),
				       paths > 1 ? "are" : "is", paths - 1);
	return 0;
}

/* The largest block that all requests of all steps are made of, and how far they reach. */
static void fit_verify(struct target_set *set, const struct config *cfg)
{
	uint32_t block = set->verify_block ? set->verify_block : VERIFY_LARGEST;

	for (uint32_t i = 0; i < cfg->n_jobs; i++) {
		const struct job_spec *j = &cfg->job[i];
		uint64_t end = j->offset_bytes + j->size_bytes;
		while (block > VERIFY_SMALLEST && (j->bs_bytes % block || j->offset_bytes % block))
			block /= 2;
		set->verify_bytes = end > set->verify_bytes ? end : set->verify_bytes;
	}
	set->verify_block = block;
}

/* A volume with a state file is one and the same for all steps. */
static int check_same_volume(const struct target_set *set, const struct volume_spec *v, const struct config *cfg, struct err *err)
{
	const struct volume_spec *w = &cfg->volume;
	bool same = v->disks == w->disks && v->redundancy == w->redundancy && v->failgroups == w->failgroups && v->au_bytes == w->au_bytes &&
		    v->group_bytes == w->group_bytes;

	if (strcmp(v->state, w->state) != 0 || (set->state && !same))
		return err_set(err, -EINVAL, "a volume with a state file has one layout, and one file, for all steps");
	return state_goes_on(set->state) ? target_check_image(set, cfg, err) : 0;
}

/* Every step, so that the last one does not fail after an hour. */
static int check_steps(struct target_set *set, const struct spec *spec, struct err *err)
{
	struct config *cfg = malloc(sizeof(*cfg));
	int code = cfg ? 0 : err_set(err, -ENOMEM, "out of memory");

	for (uint32_t i = 0; i < spec->n_steps && !code; i++)
		if (!spec_step_config(spec, i, cfg, err))
			fit_verify(set, cfg);
	for (uint32_t i = 0; i < spec->n_steps && !code; i++) {
		struct err why;
		code = spec_step_config(spec, i, cfg, err);
		if (!code)
			code = target_check(set, cfg, &why);
		if (!code)
			code = config_check(cfg, &why);
		if (!code)
			code = check_same_volume(set, &spec->config.volume, cfg, &why);
		if (!code)
			code = check_owners(&spec->owners, cfg->host.paths, &why);
		if (code)
			err_set(err, code, "step '%s': %s", spec->step[i].name, why.text);
	}
	free(cfg);
	return code;
}

/* ---- the set ---- */

static void sum_up(struct target_set *set, const struct spec *spec)
{
	set->lun_bytes = spec->target_bytes ? spec->target_bytes : UINT64_MAX;
	for (uint32_t i = 0; i < set->n; i++) {
		const struct target *t = &set->t[i];
		set->luns = t->lun + 1 > set->luns ? t->lun + 1 : set->luns;
		set->ways = t->def->way + 1 > set->ways ? t->def->way + 1 : set->ways;
		set->block_bytes = t->block_bytes > set->block_bytes ? t->block_bytes : set->block_bytes;
		set->sizes_differ |= t->size_bytes != set->t[0].size_bytes;
		set->lun_bytes = t->size_bytes < set->lun_bytes ? t->size_bytes : set->lun_bytes;
		set->writable |= t->writable;
	}
	if (state_goes_on(set->state))
		set->luns = (uint32_t)state_image(set->state)->fact[FACT_KNOWN];
}

/* One target is one LUN; a preset may have more paths than a target has: those lead to the same place. */
static void fit(struct spec *spec, const struct target_set *set)
{
	struct host_spec *h = &spec->config.host;

	h->bases = set->luns;
	h->lcus = h->lcus < h->bases ? h->lcus : h->bases;
	h->paths = set->ways > h->paths ? set->ways : h->paths;
	if (spec->config.volume.disks) {
		target_fit_volume(spec, set);
		return;
	}
	for (uint32_t i = 0; i < spec->config.n_jobs; i++) {
		struct job_spec *j = &spec->config.job[i];
		if (!j->size_bytes && j->offset_bytes < set->lun_bytes)
			j->size_bytes = set->lun_bytes - j->offset_bytes;
	}
}

/* The volume whose labels need not be named, for its state is here. */
static uint64_t volume_id(const struct target_set *set)
{
	return set->state ? state_image(set->state)->fact[FACT_VOLUME] : 0; /* 0 when it is new */
}

static int open_all(struct target_set *set, const struct spec *spec, const struct target_permit *permit, struct err *err)
{
	int code = 0;

	for (uint32_t i = 0; i < spec->n_targets && !code; i++) {
		struct target *t = &set->t[set->n++];
		*t = (struct target){.def = &spec->target[i], .fd = -1, .lun = spec->target[i].lun};
		code = target_open_one(t, spec, permit, volume_id(set), set->lost, sizeof(set->lost), err);
	}
	return code;
}

/* Two targets that are the same device would count everything twice and overwrite each other. */
static int check_twins(const struct target_set *set, struct err *err)
{
	for (uint32_t i = 0; i < set->n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (set->t[i].lun != set->t[k].lun && set->t[i].kind == TARGET_BLOCK && set->t[k].kind == TARGET_BLOCK &&
			    set->t[i].dev == set->t[k].dev)
				return err_set(err, -EINVAL, "'%s' and '%s' are the same device (%s)", set->t[k].def->path,
					       set->t[i].def->path, set->t[i].kernel_name);
	return 0;
}

/* `size` is what is used of each: a target that has less is not used in part without a word. */
static int check_size(const struct target_set *set, const struct spec *spec, struct err *err)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (spec->target_bytes > set->t[i].size_bytes)
			return err_set(err, -EINVAL, "'%s' has %llu bytes, but size in [target] says %llu", set->t[i].def->path,
				       (unsigned long long)set->t[i].size_bytes, (unsigned long long)spec->target_bytes);
	return 0;
}

/* What --set says holds for every step, so the targets are fitted to it. */
static int put_overrides(struct spec *spec, struct err *err)
{
	int code = 0;

	for (uint32_t i = 0; i < spec->n_override && !code; i++)
		code = config_set(&spec->config, spec->override[i].key, spec->override[i].value, err);
	return code;
}

static int open_state(struct target_set *set, const struct volume_spec *v, struct err *err)
{
	return v->state[0] && v->disks ? state_open(v->state, &state_libc, &set->state, err) : 0;
}

int target_open(struct spec *spec, const struct target_permit *permit, struct target_set **out, struct err *err)
{
	struct target_set *set = calloc(1, sizeof(*set));
	int code;

	if (set)
		set->t = calloc(spec->n_targets, sizeof(*set->t));
	if (!set || !set->t) {
		free(set);
		return err_set(err, -ENOMEM, "out of memory");
	}
	code = put_overrides(spec, err);
	if (!code)
		code = open_state(set, &spec->config.volume, err);
	if (!code)
		code = open_all(set, spec, permit, err);
	if (!code && state_goes_on(set->state))
		code = target_match_labels(set, permit, err);
	if (!code)
		code = check_twins(set, err);
	if (!code) {
		sum_up(set, spec);
		fit(spec, set);
		code = check_size(set, spec, err);
	}
	if (!code)
		code = check_steps(set, spec, err);
	if (code)
		target_close(set);
	else
		*out = set;
	return code;
}

const char *target_path(const struct target_set *set, uint32_t lun)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (set->t[i].lun == lun)
			return set->t[i].def->path;
	return "?";
}

void target_close(struct target_set *set)
{
	if (!set)
		return;
	state_close(set->state); /* before the disks it may be flushing */
	for (uint32_t i = 0; i < set->n; i++)
		if (set->t[i].fd >= 0)
			close(set->t[i].fd);
	free(set->t);
	free(set);
}

static const struct target *way_of(const struct target_set *set, uint32_t lun, uint32_t way)
{
	const struct target *found = NULL;
	uint32_t ways = 0;

	for (uint32_t i = 0; i < set->n; i++)
		ways += set->t[i].lun == lun;
	for (uint32_t i = 0; i < set->n && !found; i++)
		if (set->t[i].lun == lun && set->t[i].def->way == way % ways)
			found = &set->t[i];
	return found;
}

struct backend_target *target_list(const struct target_set *set, uint32_t luns, uint32_t paths)
{
	struct backend_target *list = calloc((size_t)luns * paths, sizeof(*list));

	for (uint32_t i = 0; list && i < luns * paths; i++) {
		const struct target *t = i / paths < set->luns ? way_of(set, i / paths, i % paths) : NULL;
		list[i] = t ? (struct backend_target){t->fd, t->block_bytes, t->kind == TARGET_BLOCK} : (struct backend_target){-1, 1, false};
	}
	return list;
}
