#include <errno.h>

#include "crew.h"

/* What a config allows to be dealt out, and what the workers come to together. */

static int check_job(const struct job_spec *j, uint32_t n, uint32_t host_luns, struct err *err)
{
	uint32_t luns = j->luns.n ? j->luns.n : host_luns;

	if (j->random == RANDOM_ZIPF && luns > 1)
		return err_set(err, -ENOTSUP, "%u workers: job '%s' has favourites among its LUNs (zipf), which dealing them out would change", n, j->name);
	return 0;
}

int crew_check(const struct backend_ops *ops, const struct config *cfg, uint32_t n, struct err *err)
{
	uint32_t luns = worker_luns(cfg);
	bool pool = cfg->host.device == DEVICE_DASD && cfg->host.alias_mode != ALIAS_NONE;
	int code = 0;

	if (n <= 1)
		return 0;
	if (ops->virtual_time)
		return err_set(err, -ENOTSUP, "%u workers: the %s runs on one", n, ops->name);
	if (cfg->volume.verify)
		return err_set(err, -ENOTSUP, "%u workers: verify runs on one, which knows what was written", n);
	if (cfg->volume.disks)
		return err_set(err, -ENOTSUP, "%u workers: a volume runs on one, for there is one map of it", n);
	if (n > luns)
		return err_set(err, -ENOTSUP, "%u workers for %u LUN%s: each LUN belongs to one", n, luns, luns > 1 ? "s" : "");
	if (pool && cfg->host.lcus % n)
		return err_set(err, -ENOTSUP, "%u workers for %u LCU%s: an alias pool belongs to one, so lcus must be a multiple of workers", n,
			       cfg->host.lcus, cfg->host.lcus > 1 ? "s" : "");
	for (uint32_t i = 0; i < cfg->n_jobs && !code; i++)
		code = check_job(&cfg->job[i], n, luns, err);
	return code;
}

void crew_totals(const struct crew *c, struct crew_totals *t)
{
	*t = (struct crew_totals){.redecided = 0};
	for (uint32_t i = 0; i < c->n; i++) {
		const struct worker *w = crew_worker(c, i);
		const struct stack *s = &w->stack;
		for (uint32_t p = 0; p < s->p.n_paths; p++) {
			t->path_requests[p] += s->path[p].requests;
			t->path_in_flight[p] += s->path[p].in_flight;
		}
		t->redecided += s->redecided;
		t->alias_requests += s->alias_requests;
		t->alias_ns += s->alias_ns;
		t->in_flight += s->in_flight;
		t->waiting += stack_waiting(s);
		t->outstanding += worker_outstanding(w);
		for (uint32_t k = 0; k < w->n_jobs; k++) {
			t->work += w->job[k].spec.number_ios;
			t->work_done += w->job[k].spec.number_ios ? w->job[k].completed : 0;
		}
	}
}

const struct lun *crew_lun(const struct crew *c, uint32_t lun)
{
	return &crew_worker(c, lun % c->n)->stack.lun[lun];
}

/* LUN i is in LCU i mod lcus, which is a multiple of the workers: LCU u belongs to worker u mod n. */
const struct lcu *crew_lcu(const struct crew *c, uint32_t lcu)
{
	return &crew_worker(c, lcu % c->n)->stack.lcu[lcu];
}

bool crew_work_done(const struct crew *c)
{
	bool done = true;

	for (uint32_t i = 0; i < c->n; i++)
		done &= crew_worker(c, i)->work_done;
	return done;
}

bool crew_idle(const struct crew *c)
{
	bool lost = false, idle = true;

	for (uint32_t i = 0; i < c->n; i++) {
		const struct worker *w = crew_worker(c, i);
		bool nothing = true; /* it was dealt no job */
		for (uint32_t k = 0; k < w->n_jobs; k++)
			nothing &= !w->job[k].spec.numjobs;
		lost |= w->idle;
		idle &= w->idle || nothing;
	}
	return lost && idle;
}

uint32_t crew_lost(const struct crew *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n; i++)
		n += crew_worker(c, i)->n_lost;
	return n;
}

bool crew_has_lost(const struct crew *c, uint32_t lun)
{
	return worker_has_lost(crew_worker(c, lun % c->n), lun);
}

uint32_t crew_in_device(const struct crew *c, int64_t *oldest_ns)
{
	uint32_t n = 0;
	int64_t oldest;

	*oldest_ns = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		n += worker_in_device(crew_worker(c, i), &oldest);
		*oldest_ns = oldest > *oldest_ns ? oldest : *oldest_ns;
	}
	return n;
}

const struct io *crew_refused(const struct crew *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (crew_worker(c, i)->failed == -EINVAL)
			return &crew_worker(c, i)->refused;
	return &c->first->refused;
}
