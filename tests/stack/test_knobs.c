/* Every knob in mid-run: nothing is recalled, what is in flight drains, what waits starts at once when there is room. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>

#include "engine_private.h"
#include "model/lab.h"

#define DEPTH                                                                                                                      \
	"a.numjobs=50 a.rw=randread a.bs=8k host.qd=10 array.servers=16 array.ctl=190us array.ctl_shape=4 array.wake=401us "        \
	"array.link_latency=15us array.link_mbps=203.3"
#define PAV                                                                                                                        \
	"a.numjobs=200 a.rw=randread a.bs=8k host.device=dasd host.bases=8 host.lcus=2 host.alias_mode=hyperpav host.aliases=20 "   \
	"array.members=2 array.servers=10 array.ctl=350us array.ctl_shape=4"

static uint64_t run_for(struct engine *e, int64_t ns)
{
	uint64_t before = e->stats->run_requests + e->stats->in_slice.requests;

	assert_int_equal(engine_run_until(e, engine_now(e) + ns, NULL), 1);
	return e->stats->run_requests + e->stats->in_slice.requests - before;
}

static void depth_down_drains(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", DEPTH);
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S / 2);
	assert_in_range(run_for(e, NS_PER_S / 2) * 2, 24700, 24900);
	assert_int_equal(e->w.stack.in_flight, 10);
	lab_turn(e, KNOB_QD, 1);
	assert_int_equal(e->w.stack.in_flight, 10); /* nothing recalled */
	/* no start before fewer than one is in flight: the ten finish first */
	for (uint32_t in_flight = 10, last = 10; in_flight > 1; last = in_flight) {
		run_for(e, 10 * NS_PER_US);
		in_flight = e->w.stack.in_flight;
		assert_true(in_flight <= last);
	}
	assert_in_range(run_for(e, NS_PER_S / 4) * 4, 1480, 1560);
	lab_turn(e, KNOB_QD, 10);
	assert_int_equal(e->w.stack.in_flight, 10); /* the waiting start at once */
	run_for(e, NS_PER_S / 10);
	assert_in_range(run_for(e, NS_PER_S / 2) * 2, 24700, 24900);
	engine_free(e);
}

static uint32_t alias_load(const struct engine *e, uint32_t lcu, uint32_t from, uint32_t *most)
{
	uint32_t n = 0;

	for (uint32_t i = from; i < e->w.stack.lcu[lcu].n_built; i++) {
		const struct slot *d = &e->w.stack.lcu[lcu].alias[i];
		n += d->q.n + d->in_flight;
		if (most && d->q.n + d->in_flight > *most)
			*most = d->q.n + d->in_flight;
	}
	return n;
}

static void aliases_go_and_come(void **state)
{
	struct lab l;
	uint32_t most = 0;

	(void)state;
	lab_init(&l, "a", PAV);
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S);
	assert_true(alias_load(e, 0, 5, &most) > 0);
	lab_turn(e, KNOB_ALIASES, 10); /* five for each control unit */
	uint32_t left = alias_load(e, 0, 5, &most);
	assert_true(left > 0 && most <= 4);
	for (int i = 0; i < 400 && left; i++) {
		run_for(e, 100 * NS_PER_US);
		uint32_t now = alias_load(e, 0, 5, NULL);
		assert_true(now <= left); /* no new request on them */
		left = now;
	}
	assert_int_equal(left, 0);
	assert_true(e->w.stack.lun[0].block.n > 0);
	lab_turn(e, KNOB_ALIASES, 400);
	assert_true(alias_load(e, 0, 5, NULL) > 0); /* the block queues were fetched at once, one probe for each request */
	run_for(e, 10 * NS_PER_MS);
	assert_int_equal(e->w.stack.lun[0].block.n, 0);
	engine_free(e);
}

static void tokens_retire_and_join(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", "a.numjobs=20 a.rw=randread array.servers=64 array.ctl=1ms");
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S / 10);
	assert_int_equal(worker_outstanding(&e->w), 20);
	lab_turn(e, KNOB_JOBS, 5);
	assert_int_equal(worker_outstanding(&e->w), 20); /* each retires at its next completion */
	run_for(e, 2 * NS_PER_MS);
	assert_int_equal(worker_outstanding(&e->w), 5);
	lab_turn(e, KNOB_JOBS, 64);
	assert_int_equal(worker_outstanding(&e->w), 64); /* new ones issue at once */
	lab_turn(e, KNOB_IODEPTH, 2);
	assert_int_equal(worker_outstanding(&e->w), 128);
	lab_turn(e, KNOB_JOBS, 0);
	run_for(e, 10 * NS_PER_MS);
	assert_int_equal(worker_outstanding(&e->w), 0);
	assert_int_equal(run_for(e, NS_PER_S), 0); /* the job rests */
	lab_turn(e, KNOB_JOBS, 1);
	run_for(e, 10 * NS_PER_MS);
	assert_int_equal(worker_outstanding(&e->w), 2);
	engine_free(e);
}

static void bursts_come_and_go(void **state)
{
	struct lab l;
	static const int64_t jobs[] = {3, 1, 3, 0, 2, 3, 1, 1, 0, 3};

	(void)state;
	lab_init(&l, "a", "a.kind=burst a.burst=100 a.rw=randwrite a.thinktime=2ms a.think_dist=exp array.servers=64 array.ctl=1ms");
	struct engine *e = lab_open(&l, 1);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		lab_turn(e, KNOB_JOBS, jobs[i]);
		for (int k = 0; k < 50; k++) {
			run_for(e, NS_PER_MS / 2);
			assert_true(worker_outstanding(&e->w) <= 300);
			assert_true(e->w.job[0].live <= 3);
		}
		run_for(e, 20 * NS_PER_MS);
		assert_int_equal(e->w.job[0].live, jobs[i]);
	}
	assert_true(run_for(e, NS_PER_S) > 3 * 100 * 100);
	engine_free(e);
}

static void open_and_closed(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", "a.numjobs=8 a.rw=randread array.servers=4 array.ctl=1ms array.ctl_shape=1");
	struct engine *e = lab_open(&l, 1);
	assert_in_range(run_for(e, 2 * NS_PER_S), 7500, 8500);
	lab_turn(e, KNOB_RATE, 1000);
	run_for(e, NS_PER_S);
	assert_in_range(run_for(e, 10 * NS_PER_S), 9600, 10400);
	assert_int_equal(e->w.job[0].live, 0);
	lab_turn(e, KNOB_RATE, 0);
	run_for(e, NS_PER_S);
	assert_int_equal(worker_outstanding(&e->w), 8); /* the eight tokens, nothing left over of the arrivals */
	lab_turn(e, KNOB_RATE, 1000);
	lab_turn(e, KNOB_RATE, 0);
	lab_turn(e, KNOB_RATE, 500);
	run_for(e, NS_PER_S);
	assert_in_range(run_for(e, 10 * NS_PER_S), 4700, 5300); /* one arrival process, not three */
	engine_free(e);
}

/* Overloaded arrivals wait, and the wait counts from when they were meant to start. */
static void no_coordinated_omission(void **state)
{
	struct lab l;
	static struct step_result r;

	(void)state;
	lab_init(&l, "a", "a.kind=open a.arrival_iops=2000 a.rw=randread host.qd=1 array.servers=1 array.ctl=1ms");
	lab_run(&l, 1, 0, 10 * NS_PER_S, &r);
	/* 1000 of 2000 a second are served: the last one waited about 5 s, the mean is half of that */
	assert_true(fabs(hist_mean(&r.hist[METRIC_RESPONSE]) / 2.5e9 - 1) < .05);
	assert_true(fabs(hist_mean(&r.hist[METRIC_DEVICE]) / 1e6 - 1) < .001);
}

/* More arrivals than the engine can hold: they wait outside, and go on as requests come back. */
static void held_arrivals_go_on(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", "a.kind=open a.arrival_iops=2000000 a.rw=randread host.qd=1 array.servers=1 array.ctl=1ms");
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S);
	assert_int_equal(worker_outstanding(&e->w), 1 << 19);
	assert_in_range(run_for(e, 2 * NS_PER_S), 1999, 2001);
	assert_int_equal(worker_outstanding(&e->w), 1 << 19);
	lab_turn(e, KNOB_RATE, 0);
	run_for(e, NS_PER_S);
	engine_free(e);
}

static void size_and_mix_count_from_the_next_draw(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", "a.numjobs=1 a.rw=randread a.bs=4k array.ctl=1ms array.write=2ms");
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S);
	uint64_t bytes = e->stats->in_step.bytes + e->stats->in_slice.bytes;
	uint64_t n = e->stats->in_step.requests + e->stats->in_slice.requests;
	assert_int_equal(bytes, n * 4096);
	lab_turn(e, KNOB_BS, 8192);
	run_for(e, 10 * NS_PER_MS);
	uint64_t more = e->stats->in_step.bytes + e->stats->in_slice.bytes - bytes;
	assert_int_equal(more, 4096 + 9 * 8192); /* the one under way kept its size */
	lab_turn(e, KNOB_MIX, 0);
	run_for(e, 10 * NS_PER_MS);
	assert_in_range(run_for(e, NS_PER_S), 499, 501); /* all writes now */
	lab_turn(e, KNOB_THINK, 8 * NS_PER_MS);
	run_for(e, 20 * NS_PER_MS);
	assert_in_range(run_for(e, NS_PER_S), 99, 101);
	engine_free(e);
}

/* Random turns of all knobs: places are never overfilled once drained, the driver queue never passes chanq, nothing is lost. */
static void check_invariants(const struct engine *e)
{
	const struct stack *s = &e->w.stack;
	uint32_t inside = 0, most = 0;

	for (uint32_t i = 0; i < s->p.n_luns; i++) {
		const struct slot *d = &s->lun[i].slot[0];
		inside += s->lun[i].block.n + d->q.n + d->in_flight;
		if (s->p.dasd)
			assert_true(d->q.n + d->in_flight <= s->p.chanq && d->in_flight <= 1);
	}
	for (uint32_t u = 0; u < s->p.n_lcus; u++)
		inside += alias_load(e, u, 0, &most);
	assert_true(most <= s->p.chanq);
	assert_int_equal(inside, worker_outstanding(&e->w));
	assert_int_equal(e->w.pool.n_used, worker_outstanding(&e->w));
	assert_int_equal(e->w.backend->outstanding, s->in_flight);
}

static void random_turns(struct engine *e, const enum knob_id *knob, const int64_t *most, size_t n, uint64_t seed)
{
	struct rng r;

	rng_init(&r, seed, 99);
	for (int i = 0; i < 400; i++) {
		size_t k = rng_below(&r, n);
		int64_t value = (int64_t)rng_below(&r, (uint64_t)most[k]) + (knob[k] == KNOB_QD || knob[k] == KNOB_IODEPTH);
		int code = lab_try(e, knob[k], value, NULL);
		assert_true(code == 0 || code == -ENOTSUP); /* iodepth of an open job */
		run_for(e, (int64_t)rng_below(&r, 3 * NS_PER_MS) + 1);
		check_invariants(e);
	}
}

static void random_turns_dasd(void **state)
{
	static const enum knob_id knob[] = {KNOB_ALIASES, KNOB_JOBS, KNOB_IODEPTH, KNOB_THINK, KNOB_RATE, KNOB_MIX};
	static const int64_t most[] = {120, 300, 4, 5 * NS_PER_MS, 30000, 101};

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct lab l;
		lab_init(&l, "a", PAV);
		struct engine *e = lab_open(&l, seed);
		random_turns(e, knob, most, 6, seed);
		engine_free(e);
	}
}

static void random_turns_scsi(void **state)
{
	static const enum knob_id knob[] = {KNOB_QD, KNOB_JOBS, KNOB_IODEPTH, KNOB_THINK, KNOB_RATE};
	static const int64_t most[] = {40, 300, 4, 5 * NS_PER_MS, 30000};

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct lab l;
		lab_init(&l, "a", DEPTH);
		struct engine *e = lab_open(&l, seed);
		random_turns(e, knob, most, 5, seed);
		lab_turn(e, KNOB_QD, 7);
		run_for(e, NS_PER_S);
		assert_true(e->w.stack.in_flight <= 7);
		engine_free(e);
	}
}

static void static_pav_keeps_to_its_base(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", PAV " host.alias_mode=pav host.aliases=6 a.lun=0");
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S);
	/* LUN 0 is first of 4 in its unit, which has 3 aliases: only alias 0 is its own */
	const struct lcu *u = &e->w.stack.lcu[0];
	assert_true(u->alias[0].in_flight + u->alias[0].q.n > 0);
	for (uint32_t i = 1; i < 3; i++)
		assert_int_equal(u->alias[i].in_flight + u->alias[i].q.n, 0);
	engine_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_down_drains),
		cmocka_unit_test(aliases_go_and_come),
		cmocka_unit_test(tokens_retire_and_join),
		cmocka_unit_test(bursts_come_and_go),
		cmocka_unit_test(open_and_closed),
		cmocka_unit_test(no_coordinated_omission),
		cmocka_unit_test(held_arrivals_go_on),
		cmocka_unit_test(size_and_mix_count_from_the_next_draw),
		cmocka_unit_test(random_turns_dasd),
		cmocka_unit_test(random_turns_scsi),
		cmocka_unit_test(static_pav_keeps_to_its_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
