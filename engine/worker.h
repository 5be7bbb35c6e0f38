/* One loop for every backend: reap until the next due time, give each completion to its job, fire timers. */
#ifndef IODECK_WORKER_H
#define IODECK_WORKER_H

#include "backend/backend.h"
#include "job.h"
#include "stack/stack.h"
#include "stack/verify.h"
#include "stack/volume.h"
#include "worker_sweep.h"
#include "stats.h"

enum { WORKER_BATCH = 64 };

struct worker {
	struct io_pool pool;
	struct timers timers;
	struct stack stack;
	struct volume volume;
	bool has_volume, verifies;
	struct verify verify;
	struct sweep sweep;
	uint32_t fan;            /* requests of the pool that one of a job may need */
	struct backend *backend; /* owned */
	struct job job[SPEC_MAX_JOBS];
	uint32_t n_jobs;
	struct stats *stats;     /* borrowed */
	bool has_work, work_done; /* some job has fixed work; all fixed work is done */
	bool stop_when_done;     /* the caller's: worker_run returns as soon as all work is done */
	int failed;              /* negative errno: the run must end; -ETIME: time stands still */
	int64_t closed_ns;       /* engine time when it was closed; the clock of a worker that is not open */
	int64_t instant_ns;      /* turns of the loop in one and the same instant */
	uint32_t n_at_once;
	uint32_t most_bytes;     /* of one request */
	uint32_t part, parts;    /* which of several workers; LUN i belongs to worker i mod parts */
	uint64_t seed;
	/* real storage */
	struct io refused;       /* with failed = -EINVAL: the request that was misaligned */
	uint64_t lost[SPEC_MAX_LUNS / 64]; /* LUNs that went away, as bits */
	uint32_t n_lost;
	bool idle;               /* every LUN of every job is lost */
};

/* What a worker stands on, whatever its config is. */
struct worker_site {
	const struct backend_ops *ops;
	struct clock clock;
	int64_t clock_ns;                    /* as in backend_args */
	uint32_t part, parts;                /* which of how many workers; parts = 0: the only one */
	const struct backend_target *target; /* as in backend_args; borrowed until worker_close */
	uint32_t depth;                      /* as in backend_args; 0: what the config keeps in flight */
	uint32_t disks;                      /* real disks a volume may have, each of `disk_bytes`; 0: as many as it likes */
	uint64_t disk_bytes;
	const struct verify_params *verify;  /* NULL: nobody looks at the data; of a volume luns and lun_bytes are its own. Borrowed for the call */
	struct journal *journal;             /* of a volume that outlives the process: NULL: it does not; borrowed until worker_close */
	const struct journal_image *image;   /* and what it was; borrowed for the call */
	uint64_t missing;                    /* its disks that are not there, as bits */
	const struct fault_rules *fault;     /* NULL: nothing goes wrong on purpose; borrowed for the call */
	const struct page_owners *owners;    /* where the backend does not tell who owns a page; n = 0 or NULL: nobody does; borrowed */
};

/* Whether a path can be chosen so with this backend, and what else is known of owners (may be NULL): 0 or -ENOTSUP. */
int worker_check_path(const struct backend_ops *ops, const struct page_owners *owners, enum path_policy policy, struct err *err);
/* Build everything for `cfg` at engine time `now_ns`; jobs start at once. On failure nothing is left behind. 0 or negative with err. */
int worker_open(struct worker *w, const struct config *cfg, const struct worker_site *site, uint64_t seed, int64_t now_ns,
		struct stats *stats, struct err *err);
/* Requests that the jobs of `cfg` keep in flight, at least 1. */
uint32_t worker_most_in_flight(const struct config *cfg);
/* LUNs of the stack: bases, or the disks of a volume with a few spare ones. */
uint32_t worker_luns(const struct config *cfg);
void worker_close(struct worker *w);
/* Restart all random streams (a step that goes on). */
void worker_seed(struct worker *w, uint64_t seed);
/* Step until `until_ns`, or with stop_when_done until all fixed work is done. 0 or negative errno. */
int worker_run(struct worker *w, int64_t until_ns);
/* Fixed work that is done starts again. */
void worker_begin_round(struct worker *w);

/* A knob to its value, already checked; `cfg` is the config in effect with the value in it. 0 or negative with err and nothing changed. */
int worker_set(struct worker *w, const struct config *cfg, struct knob_ref ref, struct err *err);
/* A path or a disk fails, goes or comes. 0 or negative with err. */
struct fault;
int worker_fault(struct worker *w, const struct fault *f, struct err *err);

/* For jobs: a request submitted at `t_submit_ns` (intended time), issued now. False when memory ran out (failed is set). */
bool worker_issue(struct worker *w, struct job *j, uint32_t clone, int64_t t_submit_ns);

static inline int64_t worker_now(const struct worker *w)
{
	return w->backend ? w->backend->now_ns : w->closed_ns;
}

/* Real time: how many requests are in the devices, and for how long the oldest of them (0: none). */
uint32_t worker_in_device(const struct worker *w, int64_t *oldest_ns);
static inline bool worker_has_lost(const struct worker *w, uint32_t lun)
{
	return w->lost[lun / 64] >> lun % 64 & 1;
}

/* Whether all fixed work is done (nothing dealt is done at once). */
void worker_check_work(struct worker *w);

/* Between worker*.c. What a config asks (worker_size.c): bytes of its largest request; its volume; requests of the pool that one of a job may
 * need; requests out at once with so many; what the worker is dealt of a job. */
uint32_t worker_most_bytes(const struct config *cfg);
struct volume_params worker_volume_params(const struct config *cfg);
uint32_t worker_fan(const struct config *cfg);
uint32_t worker_in_flight(uint32_t fan, const struct config *cfg);
struct share worker_deal(const struct worker *w, const struct config *cfg, uint32_t i, struct job_spec *job);
/* Room for `n_io` requests, and their places in the backend. 0 or negative errno. */
int worker_reserve(struct worker *w, uint32_t n_io);
/* A failed request; the rules of things that go wrong on purpose (FAULT_RULE). */
void worker_count_error(struct worker *w, const struct io *io);
void worker_refused(struct worker *w, const struct io *io); /* EINVAL: it should never have been made */
int worker_wrap(struct worker *w, const struct fault_rules *rules, struct err *err);
int worker_rule(struct worker *w, const struct fault *f, struct err *err);

/* worker_verify.c, only when w->verifies: a job's request goes as soon as it may; one is back; a part or a relocation of the volume has read
 * something; a lost request is back that used the buffer of `data`. */
void worker_verify_go(struct worker *w, struct io *io);
void worker_verify_back(struct worker *w, struct io *io);
void worker_verify_part(struct worker *w, struct io *part);
void worker_verify_ghost(struct worker *w, uint32_t data);
int worker_verify_open(struct worker *w, const struct worker_site *site, struct err *err);

/* worker_turn.c: the first requests of a batch that can be followed at once by the next ones of their tokens; how many were. The request behind
 * them takes the long way. */
int worker_turn(struct worker *w, struct io **done, int n);

/* Requests submitted and not yet back. */
uint32_t worker_outstanding(const struct worker *w);

#endif
