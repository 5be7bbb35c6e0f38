#include "worker.h"

/* The short way. A request that comes back from the only path of its LUN, that nothing waits behind, and that the next one of its token
 * follows at once, leaves every count of the stack as it was: its place is taken again without being given up. What is written here comes to
 * the same as complete() in worker.c, to the bit (tests/stack/test_turn.c runs both); whatever is not that plain takes the long way. */

/* Requests that started together and came back together have one latency: they are recorded together. */
struct alike {
	int64_t start_ns;
	uint32_t n;
};

static void record_alike(struct worker *w, struct alike *a)
{
	if (a->n)
		hist_record_many(&w->stats->same, worker_now(w) - a->start_ns, a->n);
	a->n = 0;
}

static inline void record(struct worker *w, const struct io *io, struct alike *a)
{
	if (io->t_submit != io->t_start || io->t_enter != io->t_start) {
		stats_record(w->stats, worker_now(w), io->t_submit, io->t_enter, io->t_start);
		return;
	}
	if (io->t_start != a->start_ns)
		record_alike(w, a);
	a->start_ns = io->t_start;
	a->n++;
}

/* Whether `io`, just back, may be followed at once by the next request of its token. */
static inline bool may_turn(const struct job *j, const struct io *io)
{
	const struct slot *d = io->slot;
	bool place = !d->q.n && d->in_flight <= d->limit && !(io->lost | io->shares);
	bool token = j->loops && io->clone != JOB_ARRIVED && j->live <= j->target;

	return place && token && io->result == (int32_t)io->bytes && io->bytes == j->spec.bs_bytes && job_work_left(j);
}

/* The same bytes, another place. True when that is on another LUN or of the other direction. */
static inline bool draw_next(struct job *j, struct io *io, int64_t now)
{
	uint16_t lun = io->lun;
	bool write = io->write;

	io->t_submit = io->t_enter = io->t_start = now;
	pattern_next(&j->pattern, &j->spec, io);
	j->issued++;
	j->completed++;
	return io->lun != lun || io->write != write;
}

int worker_turn(struct worker *w, struct io **done, int n)
{
	struct alike alike = {.n = 0};
	int turned = 0, given = 0;

	if (w->has_volume || w->verifies || !stack_one_way(&w->stack))
		return 0;
	for (; turned < n; turned++) {
		struct io *io = done[turned];
		struct job *j = &w->job[io->job];
		if (!may_turn(j, io))
			break;
		record(w, io, &alike);
		stats_count(w->stats, io->bytes, j->spec.transaction);
		if (!draw_next(j, io, worker_now(w)))
			continue;
		stack_again(&w->stack, done + given, turned - given);
		given = turned + 1;
		stack_complete(&w->stack, io);
		stack_submit(&w->stack, io);
	}
	stack_again(&w->stack, done + given, turned - given);
	record_alike(w, &alike);
	if (turned)
		stats_gap(w->stats, worker_now(w));
	return turned;
}
