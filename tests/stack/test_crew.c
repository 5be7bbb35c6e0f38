/* Several workers: what is dealt out is the whole, each LUN to one of them; what they did adds up to what one would have counted; the same knobs
 * reach all of them; what cannot be dealt out is refused with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "engine_private.h"
#include "model/lab.h"

static struct engine *open_crew(struct lab *l, const char *jobs, const char *settings, uint32_t workers)
{
	struct engine_options o = {.backend = "null", .hold = true, .workers = workers, .clock = clock_monotonic()};
	struct err err = {""};

	lab_init(l, jobs, settings);
	l->spec.seed = 42;
	l->step.run_ns = 1000 * NS_PER_S;
	struct engine *e = engine_new(&l->spec, &o, &err);
	if (!e)
		fail_msg("%s", err.text);
	return e;
}

static void run_for(struct engine *e, int64_t ns)
{
	assert_true(engine_run_until(e, engine_now(e) + ns, NULL) > 0);
}

/* ---- dealing out ---- */

static void shares_are_the_whole(void **state)
{
	struct rng r;

	(void)state;
	rng_init(&r, 7, 1);
	for (int round = 0; round < 2000; round++) {
		uint64_t n = rng_next(&r) >> rng_below(&r, 64), sum = 0;
		struct share s = {.of = 1 + (uint32_t)rng_below(&r, 1024)};
		while (s.below < s.of) {
			s.mine = (uint32_t)rng_below(&r, s.of - s.below + 1);
			sum += share_of(s, n);
			s.below += s.mine;
		}
		assert_int_equal(sum, n);
	}
}

/* Each LUN of a job once, with the job's tokens, work and arrivals, whatever the number of workers. */
static void each_lun_has_one_worker(void **state)
{
	static struct config cfg;
	static struct job_spec job;
	struct lab l;

	(void)state;
	lab_init(&l, "a b c", "host.bases=11 a.numjobs=7 a.iodepth=3 a.number_ios=1000 b.lun=1,3..5,9 b.numjobs=1 b.arrival_iops=5 c.lun=6 c.number_ios=1");
	cfg = l.spec.config;
	for (uint32_t parts = 2; parts <= 11; parts++)
		for (uint32_t i = 0; i < cfg.n_jobs; i++) {
			uint32_t seen[11] = {0}, luns = 0;
			uint64_t tokens = 0, work = 0, arrivals = 0;
			for (uint32_t part = 0; part < parts; part++) {
				struct worker w = {.part = part, .parts = parts};
				struct share s = worker_deal(&w, &cfg, i, &job);
				for (uint32_t k = 0; k < job.luns.n; k++) {
					assert_int_equal(job.luns.lun[k] % parts, part);
					seen[job.luns.lun[k]]++;
				}
				luns += job.luns.n;
				tokens += share_of(s, cfg.job[i].numjobs * cfg.job[i].iodepth);
				work += job.number_ios;
				arrivals += job.arrival_iops;
				if (!job.luns.n || (cfg.job[i].number_ios && !job.number_ios) || (cfg.job[i].arrival_iops && !job.arrival_iops))
					assert_int_equal(job.numjobs, 0);
			}
			assert_int_equal(luns, cfg.job[i].luns.n ? cfg.job[i].luns.n : 11);
			for (int lun = 0; lun < 11; lun++)
				assert_true(seen[lun] <= 1);
			assert_int_equal(tokens, cfg.job[i].numjobs * cfg.job[i].iodepth);
			assert_int_equal(work, cfg.job[i].number_ios);
			assert_int_equal(arrivals, cfg.job[i].arrival_iops);
		}
}

/* ---- adding up ---- */

struct pair {
	struct stats all, sum, own[3];
};

static void put(struct pair *p, uint32_t worker, int64_t now, int64_t ns)
{
	struct stats *both[] = {&p->all, &p->own[worker]};

	for (int i = 0; i < 2; i++) {
		stats_record(both[i], now, now - ns, now - ns, now - ns * (ns % 3) / 2);
		stats_count(both[i], 4096, ns % 2);
		stats_gap(both[i], now);
		if (ns % 5 == 0)
			stats_error(both[i], ns % 10 ? -EIO : -ENODEV);
	}
}

static void sums_are_what_one_would_count(void **state)
{
	struct pair *p = malloc(sizeof(*p));
	struct rng r;
	int64_t now = 1000;

	(void)state;
	rng_init(&r, 3, 1);
	stats_init(&p->all, 0);
	stats_init(&p->sum, 0);
	for (int i = 0; i < 3; i++)
		stats_init(&p->own[i], 0);
	for (int round = 0; round < 50; round++) {
		for (uint64_t n = rng_below(&r, 40); n; n--) {
			now += (int64_t)rng_below(&r, 100);
			put(p, (uint32_t)rng_below(&r, 3), now, (int64_t)rng_below(&r, 1 << 20));
		}
		stats_join(&p->sum, p->own, 3, now);
		stats_unfold(&p->all);
		assert_memory_equal(p->sum.slice, p->all.slice, sizeof(p->all.slice));
		assert_memory_equal(&p->sum.in_slice, &p->all.in_slice, sizeof(p->all.in_slice));
		assert_int_equal(p->sum.last_ns, p->all.last_ns);
		assert_true(p->sum.gap_ns <= p->all.gap_ns); /* none that was not */
		for (int i = 0; i < RESULT_MAX_ERRORS; i++)
			for (int k = 0; k < RESULT_MAX_ERRORS; k++)
				if (p->all.error[k].n && p->all.error[k].code == p->sum.error[i].code)
					assert_int_equal(p->sum.error[i].n, p->all.error[k].n);
		if (round % 7 == 0) {
			stats_end_slice(&p->all, now);
			stats_end_slice(&p->sum, now);
			assert_memory_equal(p->sum.step, p->all.step, sizeof(p->all.step));
		}
	}
	free(p);
}

/* Pauses of two workers as [end of one completion, next completion], in rounds of 100. */
static void a_pause_is_everybodys(void **state)
{
	static const struct {
		int64_t at[2][6];      /* completions of each, ascending, 0: no more */
		int64_t gap;
	} rows[] = {
		{{{10, 20, 90}, {10, 20, 90}}, 70},             /* an outage of both */
		{{{10, 20, 90}, {10, 60, 90}}, 40},             /* overlapping: 20..60 */
		{{{10, 50, 90}, {30, 70, 99}}, 40},             /* 30..70 of the second against 10..50 of the first: what is known overlaps 30..50 */
		{{{10, 20, 390}, {10, 20, 350}}, 330},          /* over several rounds */
		{{{10, 90, 150}, {10}}, 80},                    /* the second never comes back: the first's pauses count */
		{{{10, 20, 30}, {0}}, 10},                      /* the second has no load */
		{{{10, 20, 30}, {10, 20, 30}}, 10},             /* what has not ended is none yet */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pair *p = malloc(sizeof(*p));
		stats_init(&p->sum, 0);
		stats_init(&p->own[0], 0);
		stats_init(&p->own[1], 0);
		for (int64_t round = 0; round < 400; round += 100) {
			for (int w = 0; w < 2; w++)
				for (int k = 0; k < 6; k++)
					if (rows[i].at[w][k] > round && rows[i].at[w][k] <= round + 100)
						stats_gap(&p->own[w], rows[i].at[w][k]);
			stats_join(&p->sum, p->own, 2, round + 100);
		}
		if (i == 2)
			assert_int_equal(p->sum.gap_ns, 20); /* a bound from below */
		else
			assert_int_equal(p->sum.gap_ns, rows[i].gap);
		free(p);
	}
}

/* ---- a crew at work ---- */

static void only_own_luns(struct engine *e)
{
	struct crew_totals sum;
	uint64_t requests = 0;

	for (uint32_t i = 0; i < e->crew.n; i++)
		for (uint32_t lun = 0; lun < e->w.stack.p.n_luns; lun++) {
			const struct slot *d = &crew_worker(&e->crew, i)->stack.lun[lun].slot[0];
			if (lun % e->crew.n != i)
				assert_true(!d->in_flight && !d->q.n);
			else
				assert_ptr_equal(d, &crew_lun(&e->crew, lun)->slot[0]);
		}
	crew_totals(&e->crew, &sum);
	for (uint32_t i = 0; i < e->crew.n; i++)
		requests += crew_worker(&e->crew, i)->stack.path[0].requests;
	assert_int_equal(sum.path_requests[0], requests);
	for (uint32_t i = 0; i < e->crew.n; i++)
		assert_int_equal(worker_now(crew_worker(&e->crew, i)), engine_now(e));
}

static uint32_t outstanding(const struct engine *e)
{
	struct crew_totals sum;

	crew_totals(&e->crew, &sum);
	return sum.outstanding;
}

static void knobs_reach_all(void **state)
{
	struct lab l;

	(void)state;
	struct engine *e = open_crew(&l, "a", "a.rw=randrw a.numjobs=5 a.iodepth=8 host.bases=5", 3);
	assert_int_equal(e->crew.n, 3);
	run_for(e, 20 * NS_PER_MS);
	only_own_luns(e);
	assert_int_equal(outstanding(e), 40);
	assert_true(e->stats->in_slice.requests > 100);
	lab_turn(e, KNOB_QD, 2);
	run_for(e, 20 * NS_PER_MS);
	struct crew_totals sum;
	crew_totals(&e->crew, &sum);
	assert_int_equal(sum.in_flight + sum.waiting, 40);
	for (uint32_t lun = 0; lun < 5; lun++)
		assert_true(crew_lun(&e->crew, lun)->slot[0].in_flight <= 2);
	assert_true(sum.waiting >= 30);
	lab_turn(e, KNOB_QD, 1024);
	lab_turn(e, KNOB_JOBS, 1);
	run_for(e, 20 * NS_PER_MS);
	assert_int_equal(outstanding(e), 8);
	lab_turn(e, KNOB_IODEPTH, 1);
	run_for(e, 20 * NS_PER_MS);
	assert_int_equal(outstanding(e), 1); /* two of the workers rest */
	lab_turn(e, KNOB_JOBS, 100);
	assert_int_equal(outstanding(e), 100);
	run_for(e, 20 * NS_PER_MS);
	only_own_luns(e);
	engine_free(e);
}

/* What completed in the histograms, in the counts, and by what the paths were given is the same. */
static void sums_agree(void **state)
{
	struct lab l;
	struct crew_totals sum;

	(void)state;
	struct engine *e = open_crew(&l, "a b", "a.rw=randread a.iodepth=32 b.rw=write b.iodepth=4 b.lun=0..2 host.bases=4 host.paths=2 host.path=round-robin:10", 4);
	run_for(e, 250 * NS_PER_MS);
	stats_unfold(e->stats);
	crew_totals(&e->crew, &sum);
	uint64_t done = e->stats->run_requests + e->stats->in_slice.requests;
	assert_int_equal(sum.path_requests[0] + sum.path_requests[1], done + outstanding(e));
	assert_int_equal(e->stats->step[METRIC_TOTAL].n + e->stats->slice[METRIC_TOTAL].n, done);
	assert_int_equal(e->stats->step[METRIC_RESPONSE].n + e->stats->slice[METRIC_RESPONSE].n, done);
	struct command down = {.type = COMMAND_FAULT, .cause = CAUSE_COMMAND, .text = "path p0 down"};
	assert_int_equal(engine_command(e, &down, NULL), 0);
	run_for(e, 50 * NS_PER_MS);
	crew_totals(&e->crew, &sum);
	uint64_t then = sum.path_requests[0];
	run_for(e, 50 * NS_PER_MS);
	crew_totals(&e->crew, &sum);
	assert_int_equal(sum.path_requests[0], then);
	assert_int_equal(sum.path_in_flight[0], 0);
	engine_free(e);
}

/* A job that has a part of its work dealt to each ends when all of it is done, with exactly as much. */
static void fixed_work_is_done_once(void **state)
{
	static struct step_result result;
	static const uint32_t workers[] = {1, 2, 3, 5};

	(void)state;
	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		struct lab l;
		struct err err = {""};
		struct engine_options o = {.backend = "null", .workers = workers[i], .clock = clock_monotonic()};
		lab_init(&l, "a b", "a.rw=randread a.iodepth=32 a.number_ios=10007 b.rw=randread b.number_ios=2 b.iodepth=2 host.bases=5");
		l.step.until = RUN_DONE;
		struct engine *e = engine_new(&l.spec, &o, &err);
		assert_non_null(e);
		while (engine_run_until(e, engine_now(e) + NS_PER_S, &err) > 0)
			assert_true(engine_now(e) < 20 * NS_PER_S);
		memcpy(&result, e->result, sizeof(result));
		assert_int_equal(result.end, END_DONE);
		assert_int_equal(result.requests, 10009);
		assert_int_equal(result.outstanding, 0);
		assert_int_equal(result.hist[METRIC_DEVICE].n, 10009);
		engine_free(e);
	}
}

/* Of a LUN that is gone, no knob brings requests back. */
static void a_lost_lun_stays_lost(void **state)
{
	struct lab l;

	(void)state;
	for (uint32_t workers = 1; workers <= 2; workers++) {
		struct engine *e = open_crew(&l, "a", "a.rw=randread a.iodepth=16 host.bases=3", workers);
		run_for(e, 10 * NS_PER_MS);
		struct worker *w = crew_worker(&e->crew, 2 % workers);
		struct io io = {.lun = 2, .result = -ENODEV};
		worker_count_error(w, &io);
		run_for(e, 10 * NS_PER_MS);
		for (int64_t bs = 4096; bs <= 8192; bs += 4096) {
			lab_turn(e, KNOB_BS, bs);
			run_for(e, 10 * NS_PER_MS);
			assert_int_equal(crew_lun(&e->crew, 2)->slot[0].in_flight, 0);
			assert_true(crew_lun(&e->crew, 1)->slot[0].in_flight > 0);
		}
		assert_true(crew_has_lost(&e->crew, 2) && !crew_has_lost(&e->crew, 1));
		assert_int_equal(crew_lost(&e->crew), 1);
		assert_false(crew_idle(&e->crew));
		engine_free(e);
	}
}

/* ---- refusals ---- */

static void refused_with_the_reason(void **state)
{
	static const struct {
		const char *backend, *settings, *text;
		uint32_t workers;
	} rows[] = {
		{"model", "host.bases=4", "the model runs on one", 2},
		{"null", "host.bases=4", NULL, 4},
		{"null", "host.bases=4", "5 workers for 4 LUNs", 5},
		{"null", "host.bases=4 volume.disks=4 volume.redundancy=normal volume.group=64m", "a volume runs on one", 2},
		{"null", "host.bases=4 a.random_distribution=zipf:1.1", "favourites among its LUNs", 2},
		{"null", "host.bases=4 a.lun=1 a.random_distribution=zipf:1.1", NULL, 2},
		{"null", "host.device=dasd host.bases=8 host.lcus=3 host.alias_mode=hyperpav host.aliases=4", "an alias pool belongs to one", 2},
		{"null", "host.device=dasd host.bases=8 host.lcus=4 host.alias_mode=hyperpav host.aliases=4", NULL, 2},
		{"null", "host.device=dasd host.bases=8 host.lcus=3", NULL, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct lab l;
		struct err err = {""};
		struct engine_options o = {.backend = rows[i].backend, .hold = true, .workers = rows[i].workers, .clock = clock_monotonic()};
		lab_init(&l, "a", rows[i].settings);
		struct engine *e = engine_new(&l.spec, &o, &err);
		if (!rows[i].text && !e)
			fail_msg("%s: %s", rows[i].settings, err.text);
		if (rows[i].text) {
			assert_null(e);
			if (!strstr(err.text, rows[i].text))
				fail_msg("'%s' instead of '%s'", err.text, rows[i].text);
			continue;
		}
		run_for(e, 10 * NS_PER_MS);
		only_own_luns(e);
		engine_free(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_the_whole),
		cmocka_unit_test(each_lun_has_one_worker),
		cmocka_unit_test(sums_are_what_one_would_count),
		cmocka_unit_test(a_pause_is_everybodys),
		cmocka_unit_test(knobs_reach_all),
		cmocka_unit_test(sums_agree),
		cmocka_unit_test(fixed_work_is_done_once),
		cmocka_unit_test(a_lost_lun_stays_lost),
		cmocka_unit_test(refused_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
