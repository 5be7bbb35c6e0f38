#include "job.h"

#include <errno.h>
#include <stdlib.h>

#include "worker.h"

enum { MAX_CLONES = 4096, STREAM_THINK = 0, OPEN_FIRST_GUESS = 1024, OPEN_MOST = 1 << 19 };

static bool is_open(const struct job_spec *s)
{
	return s->kind != JOB_BURST && s->arrival_iops > 0;
}

/* Tokens (or bursting clones) it should have. */
static uint32_t wanted(const struct job *j)
{
	const struct job_spec *s = &j->spec;

	if (is_open(s))
		return 0;
	return (uint32_t)share_of(j->share, s->kind == JOB_BURST ? s->numjobs : s->numjobs * s->iodepth);
}

uint32_t job_most_in_flight(const struct job_spec *s)
{
	if (is_open(s))
		return OPEN_FIRST_GUESS;
	return s->kind == JOB_BURST ? s->numjobs * s->burst : s->numjobs * s->iodepth;
}

int job_init(struct job *j, const struct job_spec *spec, struct share share, uint8_t index, uint32_t worker, uint32_t host_luns, uint64_t seed)
{
	*j = (struct job){.spec = *spec, .share = share, .index = index, .streams = worker << 8 | index, .host_luns = host_luns};
	if (spec->kind == JOB_BURST) {
		j->burst_left = calloc(MAX_CLONES, sizeof(*j->burst_left));
		j->bursting = calloc(MAX_CLONES, sizeof(*j->bursting));
		if (!j->burst_left || !j->bursting)
			return -ENOMEM;
	}
	int err = pattern_init(&j->pattern, &j->spec, host_luns);
	job_seed(j, seed);
	return err;
}

void job_release(struct job *j)
{
	pattern_release(&j->pattern);
	free(j->burst_left);
	free(j->bursting);
	*j = (struct job){0};
}

void job_seed(struct job *j, uint64_t seed)
{
	rng_init(&j->think, seed, ((uint64_t)j->streams << 8) + STREAM_THINK);
	pattern_seed(&j->pattern, seed, j->streams);
}

static bool issue(struct worker *w, struct job *j, uint32_t clone, int64_t t_submit_ns)
{
	if (!worker_issue(w, j, clone, t_submit_ns))
		return false;
	j->issued++;
	j->outstanding++;
	return true;
}

/* Submit a whole burst, as far as there is work for it. */
static void burst(struct worker *w, struct job *j, uint32_t clone)
{
	uint32_t n = 0;

	if (clone < j->target)
		while (n < j->spec.burst && job_work_left(j) && issue(w, j, clone, worker_now(w)))
			n++;
	j->burst_left[clone] = n;
	j->bursting[clone] = n > 0;
	j->live -= !n;
}

/* A token that is done thinking issues, or retires when there are too many or no work is left. */
static void act(struct worker *w, struct job *j, uint32_t clone)
{
	if (j->spec.kind == JOB_BURST)
		burst(w, j, clone);
	else if (j->live <= j->target && job_work_left(j))
		issue(w, j, clone, worker_now(w));
	else
		j->live--;
}

static void think(struct worker *w, struct job *j, uint32_t clone)
{
	int64_t ns = rng_draw(&j->think, &j->spec.think);

	if (ns)
		timers_at(&w->timers, worker_now(w) + ns, TIMER_THINK, (uint32_t)j->index << 16 | clone);
	else
		act(w, j, clone);
}

static void next_arrival(struct worker *w, struct job *j)
{
	double gap = -det_log(rng_unit(&j->think)) * 1e9 / (double)j->spec.arrival_iops;

	j->next_arrival_ns += (int64_t)(gap + 0.5);
	j->arrivals = true;
	timers_at(&w->timers, j->next_arrival_ns, TIMER_ARRIVAL, (uint32_t)j->index << 16);
}

static void begin_arrivals(struct worker *w, struct job *j)
{
	if (j->arrivals || !is_open(&j->spec) || !j->spec.numjobs || !job_work_left(j))
		return;
	j->next_arrival_ns = worker_now(w);
	next_arrival(w, j);
}

/* The next token that is missing, as a clone number; false when all are there. */
static bool missing(struct job *j, uint32_t *clone)
{
	if (j->live >= j->target && j->spec.kind != JOB_BURST)
		return false;
	if (j->spec.kind != JOB_BURST) {
		*clone = j->live % j->spec.numjobs;
		return true;
	}
	for (*clone = 0; *clone < j->target; ++*clone)
		if (!j->bursting[*clone])
			return true;
	return false;
}

static void aim(struct job *j)
{
	j->target = wanted(j);
	j->loops = j->spec.kind == JOB_CLOSED && !j->spec.think.mean_ns;
}

/* Tokens up to the wanted number; `at_once`: they do not think first (a knob was turned). */
static void spawn(struct worker *w, struct job *j, bool at_once)
{
	uint32_t clone;

	aim(j);
	while (!w->failed && job_work_left(j) && missing(j, &clone)) {
		j->live++;
		if (j->spec.kind == JOB_BURST)
			j->bursting[clone] = true;
		if (at_once)
			act(w, j, clone);
		else
			think(w, j, clone);
	}
	begin_arrivals(w, j);
}

void job_start(struct worker *w, struct job *j)
{
	spawn(w, j, false);
}

void job_begin_round(struct worker *w, struct job *j)
{
	j->issued = j->completed = 0;
	spawn(w, j, false);
}

void job_changed(struct worker *w, struct job *j)
{
	pattern_update(&j->pattern, &j->spec, j->host_luns);
	spawn(w, j, true);
}

void job_lose_lun(struct job *j, uint32_t lun)
{
	struct lun_set *s = &j->spec.luns, left = {.n = 0};
	uint32_t n = s->n ? s->n : j->host_luns;

	for (uint32_t i = 0; i < n; i++) {
		uint16_t one = s->n ? s->lun[i] : (uint16_t)i;
		if (one != lun)
			left.lun[left.n++] = one;
	}
	*s = left;
	if (!left.n)
		j->spec.numjobs = 0;
	else
		pattern_update(&j->pattern, &j->spec, j->host_luns);
	aim(j);
}

/* An open job that has as much out as it may: arrivals go on once something comes back, still counted from their intended time. */
static bool arrivals_blocked(const struct job *j)
{
	return j->outstanding >= OPEN_MOST;
}

void job_arrival(struct worker *w, struct job *j)
{
	j->arrivals = false;
	if (!is_open(&j->spec) || !j->spec.numjobs || !job_work_left(j) || arrivals_blocked(j))
		return;
	issue(w, j, JOB_ARRIVED, j->next_arrival_ns);
	if (job_work_left(j))
		next_arrival(w, j);
}

void job_thought(struct worker *w, struct job *j, uint32_t clone)
{
	act(w, j, clone);
}

/* Something came back: arrivals that were held up go on. */
static void arrival_complete(struct worker *w, struct job *j)
{
	if (!j->arrivals && is_open(&j->spec) && j->spec.numjobs && job_work_left(j) && !arrivals_blocked(j))
		next_arrival(w, j);
}

void job_complete(struct worker *w, struct job *j, uint32_t clone)
{
	j->outstanding--;
	j->completed++;
	if (clone == JOB_ARRIVED)
		arrival_complete(w, j);
	else if (j->spec.kind == JOB_BURST && --j->burst_left[clone])
		return;
	else if (j->live > j->target && j->spec.kind != JOB_BURST)
		j->live--;
	else if (j->loops && job_work_left(j))
		issue(w, j, clone, worker_now(w)); /* what think and act come to, without the way */
	else
		think(w, j, clone);
}
