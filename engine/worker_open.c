#include <errno.h>

#include "worker.h"

/* How a worker is built for a config, and taken down again. */

static struct stack_params stack_params(const struct config *cfg, const struct worker_site *site)
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

	if (!site->ops->owner_paths && site->owners && site->owners->n)
		p.owners = site->owners;
	for (uint32_t i = 0; i < h->weights.n; i++)
		p.weight[i] = h->weights.weight[i];
	return p;
}

int worker_check_path(const struct backend_ops *ops, const struct page_owners *owners, enum path_policy policy, struct err *err)
{
	if (!path_policies[policy]->needs_owner || ops->owner_paths || (owners && owners->n))
		return 0;
	return err_set(err, -ENOTSUP, "nothing tells iodeck who owns a page");
}

/* Requests, their places in the backend and their timers. */
int worker_reserve(struct worker *w, uint32_t n_io)
{
	int err = io_pool_reserve(&w->pool, n_io);

	if (!err && w->backend->ops->reserve)
		err = w->backend->ops->reserve(w->backend, io_pool_room(&w->pool), w->most_bytes);
	return err;
}

static int open_volume(struct worker *w, const struct config *cfg, const struct worker_site *site, struct err *err)
{
	struct volume_params p = worker_volume_params(cfg);

	if (site->disks) {
		p.known = site->disks;
		p.slots = (uint32_t)(site->disk_bytes / p.au_bytes);
		p.first_slot = 1; /* the label */
	}

	int code = volume_init(&w->volume, &p, &w->stack, &w->pool, err);
	if (!code && site->journal)
		code = volume_restore(&w->volume, site->journal, site->image, site->missing, err);
	return code;
}

static int open_parts(struct worker *w, const struct config *cfg, const struct worker_site *site, const struct backend_args *a,
		      struct err *err)
{
	struct stack_params p = stack_params(cfg, site);

	w->backend = site->ops->open(a, err);
	if (!w->backend)
		return -EINVAL;
	w->most_bytes = worker_most_bytes(cfg);
	w->fan = worker_fan(cfg);
	w->has_volume = cfg->volume.disks > 0;
	int code = worker_reserve(w, worker_in_flight(w->fan, cfg));
	if (!code)
		code = stack_init(&w->stack, &p, w->backend, &w->pool, &w->timers);
	if (!code && w->has_volume)
		code = open_volume(w, cfg, site, err);
	if (!code && site->verify)
		code = worker_verify_open(w, site, err);
	if (code == -EINVAL || (code && w->verifies))
		return code;
	for (uint32_t i = 0; !code && i < cfg->n_jobs; i++) {
		struct job_spec job;
		struct share share = worker_deal(w, cfg, i, &job);
		w->n_jobs = i + 1;
		code = job_init(&w->job[i], &job, share, (uint8_t)i, w->part, w->has_volume ? 1 : p.n_luns, a->seed);
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
		.clock_ns = site->clock_ns,
		.target = site->target,
		.paths = cfg->host.paths,
		.depth = site->depth ? site->depth : worker_most_in_flight(cfg),
	};

	*w = (struct worker){.stats = stats, .seed = seed, .closed_ns = now_ns, .part = site->part, .parts = site->parts};
	int code = worker_check_path(site->ops, site->owners, cfg->host.path.policy, err);
	if (!code)
		code = open_parts(w, cfg, site, &a, err);
	if (!code && site->fault)
		code = worker_wrap(w, site->fault, err);
	if (code) {
		worker_close(w);
		return code;
	}
	for (uint32_t i = 0; i < w->n_jobs; i++)
		job_start(w, &w->job[i]);
	worker_check_work(w);
	return 0;
}

void worker_close(struct worker *w)
{
	int64_t now = worker_now(w);

	for (uint32_t i = 0; i < w->n_jobs; i++)
		job_release(&w->job[i]);
	if (w->has_volume)
		volume_release(&w->volume);
	worker_sweep_release(w);
	verify_release(&w->verify);
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
