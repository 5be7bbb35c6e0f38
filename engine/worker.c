#include "worker.h"

#include <errno.h>
#include <stdlib.h>

static struct stack_params stack_params(const struct config *cfg)
{
	const struct host_spec *h = &cfg->host;

	struct stack_params p = {
		.dasd = h->device == DEVICE_DASD,
		.n_luns = h->bases,
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
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		bytes = cfg->job[i].bs_bytes > bytes ? cfg->job[i].bs_bytes : bytes;
	return (uint32_t)bytes;
}

uint32_t worker_most_in_flight(const struct config *cfg)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		n += job_most_in_flight(&cfg->job[i]);
	return n ? n : 1;
}

static int open_parts(struct worker *w, const struct config *cfg, const struct backend_ops *ops, const struct backend_args *a,
		      struct err *err)
{
	struct stack_params p = stack_params(cfg);

	w->backend = ops->open(a, err);
	if (!w->backend)
		return -EINVAL;
	w->most_bytes = most_bytes(cfg);
	int code = reserve(w, worker_most_in_flight(cfg));
	if (!code)
		code = stack_init(&w->stack, &p, w->backend, &w->pool, &w->timers);
	for (uint32_t i = 0; !code && i < cfg->n_jobs; i++) {
		w->n_jobs = i + 1;
		code = job_init(&w->job[i], &cfg->job[i], (uint8_t)i, p.n_luns, a->seed);
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
		.luns = cfg->host.bases,
		.lcus = cfg->host.lcus,
		.direct = cfg->host.device == DEVICE_DASD,
		.seed = seed,
		.now_ns = now_ns,
		.clock = site->clock,
		.target = site->target,
		.paths = cfg->host.paths,
		.depth = site->depth ? site->depth : worker_most_in_flight(cfg),
	};

	*w = (struct worker){.stats = stats};
	int code = worker_check_path(site->ops, cfg->host.path.policy, err);
	if (!code)
		code = open_parts(w, cfg, site->ops, &a, err);
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
	for (uint32_t i = 0; i < w->n_jobs; i++)
		job_release(&w->job[i]);
	stack_release(&w->stack);
	if (w->backend)
		w->backend->ops->close(w->backend);
	heap_release(&w->timers.heap);
	io_pool_release(&w->pool);
	*w = (struct worker){0};
}

void worker_seed(struct worker *w, uint64_t seed)
{
	for (uint32_t i = 0; i < w->n_jobs; i++)
		job_seed(&w->job[i], seed);
	if (w->backend->ops->seed)
		w->backend->ops->seed(w->backend, seed);
}

bool worker_issue(struct worker *w, struct job *j, uint32_t clone, int64_t t_submit_ns)
{
	struct io *io = io_pool_get(&w->pool);

	if (!io) {
		w->failed = reserve(w, io_pool_room(&w->pool) + 1);
		io = w->failed ? NULL : io_pool_get(&w->pool);
		if (!io)
			return false;
	}
	io->job = j->index;
	io->clone = clone;
	io->t_submit = t_submit_ns;
	pattern_next(&j->pattern, &j->spec, io);
	stack_submit(&w->stack, io);
	return true;
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
		w->stats->in_slice.errors++;
	else
		w->stats->in_slice.short_transfers++;
}

static void complete(struct worker *w, struct io *io)
{
	if (!stack_complete(&w->stack, io))
		return;
	struct job *j = &w->job[io->job];
	uint32_t clone = io->clone;
	count(w, io, j);
	io_pool_put(&w->pool, io);
	job_complete(w, j, clone);
	if (job_done(j))
		check_work(w);
}

static void fire(struct worker *w)
{
	struct event e = w->timers.heap.e[0];
	struct job *j = &w->job[event_id(e) >> 16];

	heap_pop(&w->timers.heap);
	if (event_type(e) == TIMER_THINK)
		job_thought(w, j, event_id(e) & 0xffff);
	else if (event_type(e) == TIMER_ARRIVAL)
		job_arrival(w, j);
	else
		stack_timer(&w->stack, e);
}

static bool stopped(const struct worker *w)
{
	return w->failed || (w->work_done && w->stop_when_done);
}

int worker_run(struct worker *w, int64_t until_ns)
{
	struct io *done[WORKER_BATCH];
	struct event_heap *timers = &w->timers.heap;

	while (worker_now(w) < until_ns && !stopped(w)) {
		int64_t due = heap_next(timers) < until_ns ? heap_next(timers) : until_ns;
		int n = backend_reap(w->backend, due, done, WORKER_BATCH);
		if (n < 0)
			return n;
		for (int i = 0; i < n; i++)
			complete(w, done[i]);
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

	w->most_bytes = most_bytes(cfg);
	if (reserve(w, worker_most_in_flight(cfg) + w->pool.n_used) < 0)
		return err_set(err, -ENOMEM, "cannot keep that many requests: out of memory");
	j->spec = cfg->job[job];
	job_changed(w, j);
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
	case KNOB_PATH:
		stack_set_policy(&w->stack, (uint32_t)cfg->host.path.policy, cfg->host.path.n);
		return 0;
	default:
		return set_job(w, cfg, ref.job, err);
	}
}

int worker_path(struct worker *w, uint32_t path, bool up, struct err *err)
{
	if (path >= w->stack.p.n_paths)
		return err_set(err, -ENOENT, "there is no path p%u here (p0..p%u)", path, w->stack.p.n_paths - 1);
	if (!up && reserve(w, w->pool.n_used + w->stack.path[path].in_flight) < 0)
		return err_set(err, -ENOMEM, "cannot fail path p%u: out of memory", path);
	int code = up ? stack_path_up(&w->stack, path) : stack_path_down(&w->stack, path);
	return code == -EALREADY ? err_set(err, code, "path p%u is already %s", path, up ? "up" : "down") : code;
}

uint32_t worker_outstanding(const struct worker *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_jobs; i++)
		n += w->job[i].outstanding;
	return n;
}
