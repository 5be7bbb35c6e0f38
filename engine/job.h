/* A job keeps requests coming: closed loop (tokens that think), open (Poisson arrivals), bursts. One thread. */
#ifndef IODECK_JOB_H
#define IODECK_JOB_H

#include "spec.h"
#include "stack/io.h"

struct worker;

/* Where the next request goes. */
struct pattern {
	struct rng lun, place, direction;
	struct zipf lun_zipf, place_zipf;
	uint64_t n_blocks;    /* of bs in the job's area */
	uint32_t n_luns;      /* the job's */
	uint32_t read_pct;
	bool random;
	bool plain;           /* one LUN (`only`), anywhere on it, only reads or only writes: one draw is all it takes */
	uint16_t only;
	uint64_t *next_block; /* owned, per clone; NULL where places are random */
};

/* What a worker is dealt of a job: `mine` of `of` LUNs, with `below` of them dealt to the workers before it. */
struct share {
	uint32_t below, mine, of;
};
#define SHARE_ALL (struct share){0, 1, 1}

/* Its part of `n` things; the parts of all workers add up to `n`. */
static inline uint64_t share_of(struct share s, uint64_t n)
{
	__extension__ unsigned __int128 all = n;

	return (uint64_t)(all * (s.below + s.mine) / s.of - all * s.below / s.of);
}

struct job {
	struct job_spec spec; /* in effect; of several workers, what this one is dealt of LUNs, fixed work and arrivals */
	struct share share;   /* of its tokens */
	bool loops;           /* closed, no think time: what comes back is followed at once */
	uint8_t index;
	uint32_t streams;     /* its random streams begin here: another place for each job and worker */
	uint32_t host_luns;
	struct pattern pattern;
	struct rng think;
	uint32_t live, target;   /* tokens of a closed job, clones of a burst job */
	uint32_t *burst_left;    /* owned, per clone: requests of its burst still out; NULL for other kinds */
	bool *bursting;          /* owned, per clone: it lives */
	bool arrivals;           /* an arrival timer is set */
	int64_t next_arrival_ns;
	uint64_t issued, completed; /* of this round of fixed work */
	uint32_t outstanding;
};

/* Clone of a request that came by arrival. */
#define JOB_ARRIVED UINT32_MAX

/* Model LUNs are this large; a job without a size uses them whole. */
#define JOB_LUN_BYTES (UINT64_C(64) << 30)

/* 0 or -ENOMEM. `spec` is copied. `worker`: 0, 1, ... with random streams of its own. */
int job_init(struct job *j, const struct job_spec *spec, struct share share, uint8_t index, uint32_t worker, uint32_t host_luns, uint64_t seed);
void job_release(struct job *j);
/* Restart the random streams. */
void job_seed(struct job *j, uint64_t seed);
/* From its start: each token begins with a think time. */
void job_start(struct worker *w, struct job *j);
/* Fixed work again from 0. */
void job_begin_round(struct worker *w, struct job *j);
/* The spec in effect was changed (numjobs, iodepth, bs, mix, think, rate): tokens join or retire. */
void job_changed(struct worker *w, struct job *j);
/* A LUN is gone: no more requests to it; without any LUN the job rests. */
void job_lose_lun(struct job *j, uint32_t lun);
/* A think time is over; an arrival is due. */
void job_thought(struct worker *w, struct job *j, uint32_t clone);
void job_arrival(struct worker *w, struct job *j);
/* A request came back (already taken out of the counts of the stack). Called by the worker only. */
void job_complete(struct worker *w, struct job *j, uint32_t clone);

/* Fixed work that is all done. */
static inline bool job_done(const struct job *j)
{
	return j->spec.number_ios && j->completed >= j->spec.number_ios;
}

/* There is more to issue: always without fixed work. */
static inline bool job_work_left(const struct job *j)
{
	return !j->spec.number_ios || j->issued < j->spec.number_ios;
}

/* Requests it may have out at once (open jobs: a first guess; they grow). */
uint32_t job_most_in_flight(const struct job_spec *spec);

/* Fill lun, offset, bytes, write of a request: pattern_next, which draws by itself in the plain case. pattern.c */
int pattern_init(struct pattern *p, const struct job_spec *spec, uint32_t host_luns);
void pattern_seed(struct pattern *p, uint64_t seed, uint32_t streams);
void pattern_update(struct pattern *p, const struct job_spec *spec, uint32_t host_luns);
void pattern_release(struct pattern *p);
void pattern_draw(struct pattern *p, const struct job_spec *spec, struct io *io);
static inline void pattern_next(struct pattern *p, const struct job_spec *spec, struct io *io)
{
	io->bytes = (uint32_t)spec->bs_bytes;
	if (!p->plain) {
		pattern_draw(p, spec, io);
		return;
	}
	io->lun = p->only;
	io->offset_bytes = spec->offset_bytes + rng_below(&p->place, p->n_blocks) * spec->bs_bytes;
	io->write = !p->read_pct;
}

#endif
