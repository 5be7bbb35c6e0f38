/* The workers of a run. LUNs are dealt out, and with each its depth, its paths or its alias pool, its share of tokens, fixed work and arrivals,
 * random streams and a context of the backend of its own. All step to the same boundary, then what they did is added up: whoever looks at
 * figures sees sums. One worker (the rule) is stepped in the caller's thread and nothing is added up. */
#ifndef IODECK_CREW_H
#define IODECK_CREW_H

#include "worker.h"

enum { CREW_MOST = 64 }; /* ENGINE_MAX_WORKERS */

struct crew_threads;

struct crew {
	uint32_t n;
	struct worker *first;         /* borrowed; stepped in the caller's thread */
	struct worker *other;         /* owned, n - 1 */
	struct stats *own;            /* owned, n: what each did since the last boundary; NULL with one worker */
	struct stats *stats;          /* borrowed: the sum */
	struct crew_threads *threads; /* owned; NULL with one worker */
};

/* Whether `n` workers may share this config: 0, or -ENOTSUP with the reason. */
int crew_check(const struct backend_ops *ops, const struct config *cfg, uint32_t n, struct err *err);
/* As worker_open, for `n` workers, the first of which is `first`. On failure nothing is left behind. */
int crew_open(struct crew *c, uint32_t n, struct worker *first, const struct config *cfg, const struct worker_site *site, uint64_t seed,
	      int64_t now_ns, struct stats *stats, struct err *err);
void crew_close(struct crew *c);

/* Step all of them until `until_ns` (with stop_when_done: until all work is done), then add up. All clocks agree afterwards. 0 or the first
 * negative errno. */
int crew_run(struct crew *c, int64_t until_ns, bool stop_when_done);

/* The same to each of them, between two runs (worker.h says what). When one refuses a knob, all have the old value again: `was` is the config
 * without the change. */
int crew_set(struct crew *c, const struct config *cfg, const struct config *was, struct knob_ref ref, struct err *err);
int crew_fault(struct crew *c, const struct fault *f, struct err *err);
void crew_seed(struct crew *c, uint64_t seed);
void crew_begin_round(struct crew *c);
void crew_shift(struct crew *c, int64_t ns);
/* The step begins: nobody has completed anything yet, and peaks start again. */
void crew_begin_step(struct crew *c);

static inline struct worker *crew_worker(const struct crew *c, uint32_t i)
{
	return i ? &c->other[i - 1] : c->first;
}

/* ---- sums ---- */

struct crew_totals {
	uint64_t path_requests[SPEC_MAX_PATHS];
	uint32_t path_in_flight[SPEC_MAX_PATHS];
	uint64_t redecided, alias_requests;
	int64_t alias_ns;
	uint32_t in_flight, waiting, outstanding;
	uint64_t work, work_done; /* fixed work: requests asked for and completed in this round */
};
void crew_totals(const struct crew *c, struct crew_totals *t);
/* LUN and LCU as the worker has them to which they belong. */
const struct lun *crew_lun(const struct crew *c, uint32_t lun);
const struct lcu *crew_lcu(const struct crew *c, uint32_t lcu);
/* All fixed work is done; every LUN of every job is lost; LUNs that are lost. */
bool crew_work_done(const struct crew *c);
bool crew_idle(const struct crew *c);
uint32_t crew_lost(const struct crew *c);
bool crew_has_lost(const struct crew *c, uint32_t lun);
/* As worker_in_device. */
uint32_t crew_in_device(const struct crew *c, int64_t *oldest_ns);
/* With -EINVAL of crew_run: the request that was misaligned. */
const struct io *crew_refused(const struct crew *c);

#endif
