#include <errno.h>

#include "fault.h"
#include "worker.h"

/* What is changed while a worker runs: knobs that are turned, paths and disks that fail, go and come. */

static int set_job(struct worker *w, const struct config *cfg, uint8_t job, struct err *err)
{
	struct job *j = &w->job[job];
	uint32_t fan = worker_fan(cfg);

	w->most_bytes = worker_most_bytes(cfg);
	w->fan = fan > w->fan ? fan : w->fan; /* larger requests have more parts */
	if (worker_reserve(w, worker_in_flight(w->fan, cfg) + w->pool.n_used) < 0)
		return err_set(err, -ENOMEM, "cannot keep that many requests: out of memory");
	j->share = worker_deal(w, cfg, job, &j->spec);
	for (uint32_t lun = 0; w->n_lost && lun < w->stack.p.n_luns; lun++)
		if (worker_has_lost(w, lun))
			job_lose_lun(j, lun);
	job_changed(w, j);
	return 0;
}

static int set_power(struct worker *w, const struct config *cfg, struct err *err)
{
	if (worker_reserve(w, w->pool.n_used + cfg->volume.power) < 0)
		return err_set(err, -ENOMEM, "cannot keep that many relocations: out of memory");
	if (w->has_volume)
		volume_set_power(&w->volume, cfg->volume.power);
	return 0;
}

int worker_set(struct worker *w, const struct config *cfg, struct knob_ref ref, struct err *err)
{
	switch (ref.id) {
	case KNOB_QD:
		stack_set_qd(&w->stack, cfg->host.qd);
		return 0;
	case KNOB_ALIASES:
		return stack_set_aliases(&w->stack, cfg->host.aliases);
	case KNOB_POWER:
		return set_power(w, cfg, err);
	case KNOB_PATH:
		stack_set_policy(&w->stack, (uint32_t)cfg->host.path.policy, cfg->host.path.n);
		return 0;
	default:
		return set_job(w, cfg, ref.job, err);
	}
}

static int path_fault(struct worker *w, const struct fault *f, struct err *err)
{
	bool up = f->kind == FAULT_PATH_UP;

	if (w->stack.p.dasd)
		return err_set(err, -ENOTSUP, "DASD has no path that can be %s here", f->kind == FAULT_PATH_WEIGHT ? "weighed" : "failed");
	if (f->index >= w->stack.p.n_paths)
		return err_set(err, -ENOENT, "there is no path p%u here (p0..p%u)", f->index, w->stack.p.n_paths - 1);
	if (f->kind == FAULT_PATH_WEIGHT) {
		stack_set_weight(&w->stack, f->index, f->weight);
		return 0;
	}
	if (!up && worker_reserve(w, w->pool.n_used + w->stack.path[f->index].in_flight) < 0)
		return err_set(err, -ENOMEM, "cannot fail path p%u: out of memory", f->index);
	int code = up ? stack_path_up(&w->stack, f->index) : stack_path_down(&w->stack, f->index);
	return code == -EALREADY ? err_set(err, code, "path p%u is already %s", f->index, up ? "up" : "down") : code;
}

static int disk_fault(struct worker *w, const struct fault *f, struct err *err)
{
	static int (*const acts[])(struct volume *, uint32_t, struct err *) = {
		[FAULT_DISK_FAIL] = volume_fail,
		[FAULT_DISK_DROP] = volume_drop,
		[FAULT_DISK_ADD] = volume_add,
	};

	if (!w->has_volume)
		return err_set(err, -ENOTSUP, "there is no volume here, so no disk d%u", f->index + 1);
	return acts[f->kind](&w->volume, f->index, err);
}

int worker_fault(struct worker *w, const struct fault *f, struct err *err)
{
	if (f->kind == FAULT_RULE)
		return worker_rule(w, f, err);
	return fault_names_path(f) ? path_fault(w, f, err) : disk_fault(w, f, err);
}
