#include "worker.h"

#include <errno.h>

#include "stack/journal.h"

/* What the next request of a job may need of the pool, with that of requests and relocations the volume still holds back. */
static uint32_t still_needed(const struct worker *w)
{
	return w->has_volume ? w->fan * (1 + w->volume.waiting.n + w->volume.intents.n) + w->volume.p.power + VOLUME_RESYNCS : 1;
}

bool worker_issue(struct worker *w, struct job *j, uint32_t clone, int64_t t_submit_ns)
{
	uint32_t most = w->pool.n_used + still_needed(w);

	if (most > io_pool_room(&w->pool)) {
		w->failed = worker_reserve(w, most);
		if (w->failed)
			return false;
	}
	struct io *io = io_pool_get(&w->pool);
	io->job = j->index;
	io->clone = clone;
	io->t_submit = t_submit_ns;
	pattern_next(&j->pattern, &j->spec, io);
	io->carries = false;
	if (__builtin_expect(w->verifies, 0)) {
		worker_verify_go(w, io);
		return !w->failed;
	}
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

void worker_check_work(struct worker *w)
{
	bool done = w->has_work;

	for (uint32_t i = 0; done && i < w->n_jobs; i++)
		done = !w->job[i].spec.number_ios || !w->job[i].spec.numjobs || job_done(&w->job[i]);
	w->work_done = done;
}

static void count(struct worker *w, const struct io *io, const struct job *j)
{
	if (io->result == (int32_t)io->bytes) {
		stats_record(w->stats, worker_now(w), io->t_submit, io->t_enter, io->t_start);
		stats_count(w->stats, io->bytes, j->spec.transaction);
		stats_gap(w->stats, worker_now(w));
	} else if (io->result < 0) {
		worker_count_error(w, io);
	} else {
		w->stats->in_slice.short_transfers++;
	}
}

/* A request of a job is back. */
static void finish(struct worker *w, struct io *io)
{
	struct job *j = &w->job[io->job];
	uint32_t clone = io->clone;
	if (__builtin_expect(w->verifies, 0))
		worker_verify_back(w, io);
	count(w, io, j);
	io_pool_put(&w->pool, io);
	job_complete(w, j, clone);
	if (job_done(j))
		worker_check_work(w);
}

static void complete(struct worker *w, struct io *io)
{
	uint32_t data = io->data;

	if (!stack_complete(&w->stack, io)) {
		if (w->verifies)
			worker_verify_ghost(w, data);
		return;
	}
	if (__builtin_expect(w->verifies, 0) && io->sweep) {
		worker_sweep_back(w, io);
		return;
	}
	if (!w->has_volume) {
		finish(w, io);
		return;
	}
	if (w->verifies)
		worker_verify_part(w, io);
	if (io->result == -EINVAL)
		worker_refused(w, io);
	io = volume_complete(&w->volume, io);
	if (io)
		finish(w, io);
}

/* What became durable lets writes go, and lets others be answered. */
static void turn_journal(struct worker *w)
{
	struct io *io;

	volume_turn_journal(&w->volume);
	while ((io = volume_take_acked(&w->volume)))
		finish(w, io);
	if (w->volume.failed || w->volume.journal->failed)
		w->failed = w->volume.failed ? -ENOMEM : w->volume.journal->failed;
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
	else if (event_type(e) == TIMER_JOURNAL)
		turn_journal(w);
	else if (event_type(e) == TIMER_CLEAN)
		volume_clean(&w->volume);
	else
		stack_timer(&w->stack, e);
}

static bool stopped(const struct worker *w)
{
	return w->failed || (w->work_done && w->stop_when_done) || w->sweep.done;
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
		for (int i = worker_turn(w, done, n); i < n; i += worker_turn(w, done + i, n - i))
			complete(w, done[i++]);
		watch_standstill(w);
		if (__builtin_expect(w->sweep.wanted, 0))
			worker_sweep_turn(w);
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
	worker_check_work(w);
}

uint32_t worker_outstanding(const struct worker *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_jobs; i++)
		n += w->job[i].outstanding;
	return n;
}
