#include "worker.h"

#include <errno.h>
#include <stdlib.h>

#include "fault.h"

/* Disks of a volume are LUNs, with a few spare ones to add. */
uint32_t worker_luns(const struct config *cfg)
{
	uint32_t disks = cfg->volume.disks ? cfg->volume.disks + VOLUME_SPARES : 0;

	return disks > cfg->host.bases ? disks : cfg->host.bases;
}

static struct stack_params stack_params(const struct config *cfg)
{
	const struct host_spec *h = &cfg->host;

	struct stack_params p = {
		.dasd = h->device == DEVICE_DASD,
		.n_luns = worker_luns(cfg),
		.n_lcus = h->lcus,
		.n_paths = h->paths,
		.n_links = cfg->array.links ? cfg->array.links : h->paths,
		.qd = h->qd,
		.chanq = h->chanq,
		.aliases = h->aliases,
		.alias_mode = (enum stack_aliases)h->alias_mode,
		.policy = (uint32_t)h->path.policy,
		.policy_n = h->path.n,
		.standby = h->standby,
		.failover_ns = h->failover_ns,
		.transport_ns = h->transport_ns,
	};

	for (uint32_t i = 0; i < h->weights.n; i++)
		p.weight[i] = h->weights.weight[i];
	return p;
}

int worker_check_path(const struct backend_ops *ops, enum path_policy policy, struct err *err)
{
	if (!path_policies[policy]->needs_owner || ops->owner_paths)
		return 0;
	return err_set(err, -ENOTSUP, "nothing tells iodeck who owns a page");
}

/* Requests, their places in the backend and their timers. */
static int reserve(struct worker *w, uint32_t n_io)
{
	int err = io_pool_reserve(&w->pool, n_io);

	if (!err && w->backend->ops->reserve)
		err = w->backend->ops->reserve(w->backend, io_pool_room(&w->pool), w->most_bytes);
	return err;
}

static uint32_t most_bytes(const struct config *cfg)
{
	uint64_t bytes = cfg->volume.disks ? cfg->volume.au_bytes : 0; /* relocations */

	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		bytes = cfg->job[i].bs_bytes > bytes ? cfg->job[i].bs_bytes : bytes;
	return (uint32_t)bytes;
}

/* With a volume: the parts of each request, and the relocations. */
static uint32_t most_in_flight(uint32_t fan, const struct config *cfg)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		n += job_most_in_flight(&cfg->job[i]);
	return n * fan + (cfg->volume.disks ? cfg->volume.power : 0) + 1;
}

static struct volume_params volume_params(const struct config *cfg)
{
	const struct volume_spec *v = &cfg->volume;
	uint64_t size = v->group_bytes;

	for (uint32_t i = 0; !v->group_bytes && i < cfg->n_jobs; i++) {
		uint64_t end = cfg->job[i].offset_bytes + (cfg->job[i].size_bytes ? cfg->job[i].size_bytes : JOB_LUN_BYTES);
		size = end > size ? end : size;
	}
	return (struct volume_params){
		.copies = (uint32_t)v->redundancy + 1,
		.disks = v->disks,
		.failgroups = v->failgroups,
		.au_bytes = v->au_bytes,
		.size_bytes = size,
		.power = v->power,
		.auto_rebalance = v->auto_rebalance,
	};
}

/* The largest number of parts any job's request has. */
static uint32_t fan_of(const struct config *cfg)
{
	struct volume_params p = volume_params(cfg);
	uint32_t most = 0;

	for (uint32_t i = 0; i < cfg->n_jobs; i++) {
		uint32_t fan = volume_fan(&p, cfg->job[i].bs_bytes);
		most = fan > most ? fan : most;
	}
	return most;
}

uint32_t worker_most_in_flight(const struct config *cfg)
{
	return most_in_flight(1 + (cfg->volume.disks ? fan_of(cfg) : 0), cfg);
}

/* Of a volume, a job that names no size uses all that is laid out. */
static struct job_spec job_spec_of(const struct config *cfg, uint32_t i)
{
	struct job_spec job = cfg->job[i];

	if (cfg->volume.disks && cfg->volume.group_bytes > job.offset_bytes && !job.size_bytes)
		job.size_bytes = cfg->volume.group_bytes - job.offset_bytes;
	return job;
}

static int open_volume(struct worker *w, const struct config *cfg, struct err *err)
{
	struct volume_params p = volume_params(cfg);

	return volume_init(&w->volume, &p, &w->stack, &w->pool, err);
}

static int open_parts(struct worker *w, const struct config *cfg, const struct backend_ops *ops, const struct backend_args *a,
		      struct err *err)
{
	struct stack_params p = stack_params(cfg);

	w->backend = ops->open(a, err);
	if (!w->backend)
		return -EINVAL;
	w->most_bytes = most_bytes(cfg);
	w->fan = 1;
	if (cfg->volume.disks)
		w->fan += fan_of(cfg);
	w->has_volume = cfg->volume.disks > 0;
	int code = reserve(w, most_in_flight(w->fan, cfg));
	if (!code)
		code = stack_init(&w->stack, &p, w->backend, &w->pool, &w->timers);
	if (!code && w->has_volume)
		code = open_volume(w, cfg, err);
	if (code == -EINVAL)
		return code;
	for (uint32_t i = 0; !code && i < cfg->n_jobs; i++) {
		struct job_spec job = job_spec_of(cfg, i);
		w->n_jobs = i + 1;
		code = job_init(&w->job[i], &job, (uint8_t)i, w->has_volume ? 1 : p.n_luns, a->seed);
		w->has_work |= cfg->job[i].number_ios && cfg->job[i].numjobs;
	}
	return code ? err_set(err, code, "cannot start the load: out of memory") : 0;
}

int worker_open(struct worker *w, const struct config *cfg, const struct worker_site *site, uint64_t seed, int64_t now_ns,
		struct stats *stats, struct err *err)
{
	struct backend_args a = {
		.array = &cfg->array,
		.links = cfg->array.links ? cfg->array.links : cfg->host.paths,
		.luns = worker_luns(cfg),
		.lcus = cfg->host.lcus,
		.direct = cfg->host.device == DEVICE_DASD,
		.seed = seed,
		.now_ns = now_ns,
		.clock = site->clock,
		.target = site->target,
		.paths = cfg->host.paths,
		.depth = site->depth ? site->depth : worker_most_in_flight(cfg),
	};

	*w = (struct worker){.stats = stats, .seed = seed, .closed_ns = now_ns};
	int code = worker_check_path(site->ops, cfg->host.path.policy, err);
	if (!code)
		code = open_parts(w, cfg, site->ops, &a, err);
	if (!code && site->fault)
		code = worker_wrap(w, site->fault, err);
	if (code) {
		worker_close(w);
		return code;
	}
	for (uint32_t i = 0; i < w->n_jobs; i++)
		job_start(w, &w->job[i]);
	return 0;
}

void worker_close(struct worker *w)
{
	int64_t now = worker_now(w);

	for (uint32_t i = 0; i < w->n_jobs; i++)
		job_release(&w->job[i]);
	if (w->has_volume)
		volume_release(&w->volume);
	stack_release(&w->stack);
	if (w->backend)
		w->backend->ops->close(w->backend);
	heap_release(&w->timers.heap);
	io_pool_release(&w->pool);
	*w = (struct worker){.closed_ns = now};
}

void worker_seed(struct worker *w, uint64_t seed)
{
	for (uint32_t i = 0; i < w->n_jobs; i++)
		job_seed(&w->job[i], seed);
	if (w->backend->ops->seed)
		w->backend->ops->seed(w->backend, seed);
}

/* What the next request of a job may need of the pool, with that of requests and relocations the volume still holds back. */
static uint32_t still_needed(const struct worker *w)
{
	return w->has_volume ? w->fan * (1 + w->volume.waiting.n) + w->volume.p.power : 1;
}

bool worker_issue(struct worker *w, struct job *j, uint32_t clone, int64_t t_submit_ns)
{
	uint32_t most = w->pool.n_used + still_needed(w);

	if (most > io_pool_room(&w->pool)) {
		w->failed = reserve(w, most);
		if (w->failed)
			return false;
	}
	struct io *io = io_pool_get(&w->pool);
	io->job = j->index;
	io->clone = clone;
	io->t_submit = t_submit_ns;
	pattern_next(&j->pattern, &j->spec, io);
	if (!w->has_volume) {
		io->relocation = false;
		stack_submit(&w->stack, io);
		return true;
	}
	volume_submit(&w->volume, io);
	if (w->volume.failed)
		w->failed = -ENOMEM;
	return !w->failed;
}

static void check_work(struct worker *w)
{
	bool done = w->has_work;

	for (uint32_t i = 0; done && i < w->n_jobs; i++)
		done = !w->job[i].spec.number_ios || !w->job[i].spec.numjobs || job_done(&w->job[i]);
	w->work_done = done;
}

static void count(struct worker *w, const struct io *io, const struct job *j)
{
	if (io->result == (int32_t)io->bytes)
		stats_record(w->stats, worker_now(w), io->t_submit, io->t_enter, io->t_start, io->bytes, j->spec.transaction);
	else if (io->result < 0)
		worker_count_error(w, io);
	else
		w->stats->in_slice.short_transfers++;
}

/* A request of a job is back. */
static void finish(struct worker *w, struct io *io)
{
	struct job *j = &w->job[io->job];
	uint32_t clone = io->clone;
	count(w, io, j);
	io_pool_put(&w->pool, io);
	job_complete(w, j, clone);
	if (job_done(j))
		check_work(w);
}

static void complete(struct worker *w, struct io *io)
{
	if (!stack_complete(&w->stack, io))
		return;
	if (!w->has_volume) {
		finish(w, io);
		return;
	}
	io = volume_complete(&w->volume, io);
	if (io)
		finish(w, io);
}

static void fire(struct worker *w)
{
	struct event e = w->timers.heap.e[0];
	struct job *j = &w->job[(event_id(e) >> 16) % SPEC_MAX_JOBS];

	heap_pop(&w->timers.heap);
	if (event_type(e) == TIMER_THINK)
		job_thought(w, j, event_id(e) & 0xffff);
	else if (event_type(e) == TIMER_ARRIVAL)
		job_arrival(w, j);
	else if (event_type(e) == TIMER_FAILED)
		finish(w, volume_take_failed(&w->volume));
	else
		stack_timer(&w->stack, e);
}

static bool stopped(const struct worker *w)
{
	return w->failed || (w->work_done && w->stop_when_done);
}

/* Virtual time that does not move: each request takes no time at all, and the next one follows at once. No load does so much in one instant. */
enum { MOST_AT_ONCE = 1 << 23 };

static void watch_standstill(struct worker *w)
{
	if (worker_now(w) != w->instant_ns) {
		w->instant_ns = worker_now(w);
		w->n_at_once = 0;
	} else if (++w->n_at_once > MOST_AT_ONCE) {
		w->failed = -ETIME;
	}
}

int worker_run(struct worker *w, int64_t until_ns)
{
	struct io *done[WORKER_BATCH];
	struct event_heap *timers = &w->timers.heap;

	while (worker_now(w) < until_ns && !stopped(w)) {
		int64_t due = heap_next(timers) < until_ns ? heap_next(timers) : until_ns;
		if (due < worker_now(w))
			due = worker_now(w); /* an arrival that was held up is due at a time gone by */
		int n = backend_reap(w->backend, due, done, WORKER_BATCH);
		if (n < 0)
			return n;
		for (int i = 0; i < n; i++)
			complete(w, done[i]);
		watch_standstill(w);
		if (!n || !w->backend->ops->virtual_time)
			while (timers->n && timers->e[0].t_ns <= worker_now(w) && !stopped(w))
				fire(w);
	}
	return timers->failed ? -ENOMEM : w->failed;
}

void worker_begin_round(struct worker *w)
{
	w->work_done = false;
	for (uint32_t i = 0; i < w->n_jobs; i++)
		if (job_done(&w->job[i]))
			job_begin_round(w, &w->job[i]);
}

static int set_job(struct worker *w, const struct config *cfg, uint8_t job, struct err *err)
{
	struct job *j = &w->job[job];
	uint32_t fan = w->has_volume ? 1 + fan_of(cfg) : 1;

	w->most_bytes = most_bytes(cfg);
	w->fan = fan > w->fan ? fan : w->fan; /* larger requests have more parts */
	if (reserve(w, most_in_flight(w->fan, cfg) + w->pool.n_used) < 0)
		return err_set(err, -ENOMEM, "cannot keep that many requests: out of memory");
	j->spec = job_spec_of(cfg, job);
	job_changed(w, j);
	return 0;
}

static int set_power(struct worker *w, const struct config *cfg, struct err *err)
{
	if (reserve(w, w->pool.n_used + cfg->volume.power) < 0)
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
	if (!up && reserve(w, w->pool.n_used + w->stack.path[f->index].in_flight) < 0)
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

uint32_t worker_outstanding(const struct worker *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_jobs; i++)
		n += w->job[i].outstanding;
	return n;
}
