#include <errno.h>

#include "backend/fault.h"
#include "fault.h"
#include "worker.h"

/* What a worker does when storage fails: by itself, or because it was asked to. */

/* The jobs go on without the LUN. */
static void lose_lun(struct worker *w, uint32_t lun)
{
	if (worker_has_lost(w, lun))
		return;
	w->lost[lun / 64] |= UINT64_C(1) << lun % 64;
	w->n_lost++;
	w->idle = true;
	for (uint32_t i = 0; i < w->n_jobs; i++) {
		job_lose_lun(&w->job[i], lun);
		w->idle &= !w->job[i].spec.numjobs;
	}
}

void worker_refused(struct worker *w, const struct io *io)
{
	w->refused = *io;
	w->failed = -EINVAL;
}

/* An errno of storage: a device that is gone, or a request that should never have been made, is more than one failed request. */
void worker_count_error(struct worker *w, const struct io *io)
{
	bool real = !w->backend->ops->virtual_time && !w->has_volume;

	stats_error(w->stats, io->result);
	if (real && (io->result == -ENODEV || io->result == -ENXIO))
		lose_lun(w, io->lun);
	if (real && io->result == -EINVAL)
		worker_refused(w, io);
}

/* ---- on purpose ---- */

/* From now on requests pass through the backend that makes things go wrong. */
int worker_wrap(struct worker *w, const struct fault_rules *rules, struct err *err)
{
	if (!fault_is_wrapped(w->backend)) {
		struct backend *b = fault_wrap(w->backend, w->seed, io_pool_room(&w->pool));
		if (!b)
			return err_set(err, -ENOMEM, "cannot make things go wrong: out of memory");
		w->backend = w->stack.backend = b;
	}
	fault_set_rules(w->backend, rules);
	return 0;
}

int worker_rule(struct worker *w, const struct fault *f, struct err *err)
{
	struct fault_rules rules = {.errors = 0};

	if (fault_is_wrapped(w->backend))
		rules = *fault_get_rules(w->backend);
	rules.stall_ns = 0; /* an old stall does not begin again */
	int code = fault_rule_put(&rules, f->rule, f->value, err);
	return code ? code : worker_wrap(w, &rules, err);
}

/* ---- what is out ---- */

uint32_t worker_in_device(const struct worker *w, int64_t *oldest_ns)
{
	uint32_t n = 0, room = io_pool_room(&w->pool);

	*oldest_ns = 0;
	for (uint32_t id = 0; id < room && n < w->backend->outstanding; id++) {
		const struct io *io = io_pool_at(&w->pool, id);
		if (!io->in_device)
			continue;
		n++;
		if (worker_now(w) - io->t_start > *oldest_ns)
			*oldest_ns = worker_now(w) - io->t_start;
	}
	return n;
}
