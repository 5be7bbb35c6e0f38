/* The short way of a request (worker_turn.c) comes to the same as the long one, to the bit. A second path that is down takes nothing, but
 * with it every request goes the long way: the two runs must not differ in anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "engine_private.h"
#include "model/lab.h"

#define LONG_WAY " host.paths=2 host.path=failover array.links=1"

/* A clock that moves a little each time it is read: "real" time that is the same in every run. */
static int64_t ticking(void *data)
{
	int64_t *t = data;

	*t += 700 + *t / 3 % 5000;
	return *t;
}

struct world {
	struct lab lab;
	struct engine *e;
	int64_t clock_ns;
};

static void open_world(struct world *w, const char *backend, const char *jobs, const char *settings, bool long_way)
{
	struct engine_options o = {.backend = backend, .hold = true, .clock = {ticking, &w->clock_ns}};
	struct err err = {""};

	memset(w, 0, sizeof(*w));
	lab_init(&w->lab, jobs, settings);
	if (long_way)
		lab_set(&w->lab, LONG_WAY + 1);
	w->lab.spec.seed = 42;
	w->lab.step.run_ns = 1000 * NS_PER_S;
	w->e = engine_new(&w->lab.spec, &o, &err);
	if (!w->e)
		fail_msg("%s", err.text);
	if (long_way)
		assert_int_equal(stack_path_down(&w->e->w.stack, 1), 0);
}

static void same_jobs(const struct worker *a, const struct worker *b)
{
	for (uint32_t i = 0; i < a->n_jobs; i++) {
		const struct job *x = &a->job[i], *y = &b->job[i];
		assert_int_equal(x->issued, y->issued);
		assert_int_equal(x->completed, y->completed);
		assert_int_equal(x->live, y->live);
		assert_int_equal(x->outstanding, y->outstanding);
		assert_memory_equal(&x->pattern.place, &y->pattern.place, sizeof(x->pattern.place));
		assert_memory_equal(&x->pattern.lun, &y->pattern.lun, sizeof(x->pattern.lun));
		assert_memory_equal(&x->pattern.direction, &y->pattern.direction, sizeof(x->pattern.direction));
	}
}

static void same_places(const struct worker *a, const struct worker *b)
{
	assert_int_equal(a->pool.n_used, b->pool.n_used);
	assert_int_equal(a->stack.in_flight, b->stack.in_flight);
	assert_int_equal(a->backend->outstanding, b->backend->outstanding);
	assert_int_equal(a->stack.path[0].requests, b->stack.path[0].requests);
	assert_int_equal(a->stack.path[0].in_flight, b->stack.path[0].in_flight);
	for (uint32_t i = 0; i < a->stack.p.n_luns; i++) {
		const struct slot *x = &a->stack.lun[i].slot[0], *y = &b->stack.lun[i].slot[0];
		assert_int_equal(x->in_flight, y->in_flight);
		assert_int_equal(x->q.n, y->q.n);
		assert_int_equal(x->bytes, y->bytes);
	}
}

static void same_figures(const struct engine *a, const struct engine *b)
{
	assert_int_equal(engine_now(a), engine_now(b));
	assert_int_equal(a->stats->run_requests, b->stats->run_requests);
	assert_int_equal(a->stats->gap_ns, b->stats->gap_ns);
	assert_int_equal(a->stats->last_ns, b->stats->last_ns);
	assert_memory_equal(&a->stats->in_slice, &b->stats->in_slice, sizeof(a->stats->in_slice));
	assert_memory_equal(&a->stats->in_step, &b->stats->in_step, sizeof(a->stats->in_step));
	assert_memory_equal(a->stats->step, b->stats->step, sizeof(a->stats->step));
	stats_unfold(a->stats);
	stats_unfold(b->stats);
	assert_memory_equal(a->stats->slice, b->stats->slice, sizeof(a->stats->slice));
}

/* What is done to both, and when: a knob, or a fault by its words. */
struct turn {
	int64_t t_ns;
	enum knob_id id;
	int64_t value;
	const char *fault;
};

static void do_to(struct engine *e, const struct turn *t)
{
	struct command c = {.type = COMMAND_FAULT, .cause = CAUSE_COMMAND};
	struct err err = {""};

	if (!t->fault) {
		lab_turn(e, t->id, t->value);
		return;
	}
	strcpy(c.text, t->fault);
	if (engine_command(e, &c, &err) < 0)
		fail_msg("%s: %s", t->fault, err.text);
}

static void compare(const char *backend, const char *jobs, const char *settings, const struct turn *log, size_t n_log, int64_t end_ns)
{
	struct world *w = calloc(2, sizeof(*w));

	for (int i = 0; i < 2; i++)
		open_world(&w[i], backend, jobs, settings, i == 1);
	for (size_t k = 0; k <= n_log; k++) {
		for (int i = 0; i < 2; i++) {
			assert_true(engine_run_until(w[i].e, k < n_log ? log[k].t_ns : end_ns, NULL) > 0);
			if (k < n_log)
				do_to(w[i].e, &log[k]);
		}
		same_jobs(&w[0].e->w, &w[1].e->w);
		same_places(&w[0].e->w, &w[1].e->w);
		same_figures(w[0].e, w[1].e);
	}
	assert_true(w[0].e->stats->run_requests > 1000);
	for (int i = 0; i < 2; i++)
		engine_free(w[i].e);
	free(w);
}

/* Everything that makes a request leave the short way: a smaller depth, fewer tokens, other sizes, think time, an open job, other directions. */
static const struct turn all_knobs[] = {
	{40 * NS_PER_MS, KNOB_QD, 3, NULL}, {80 * NS_PER_MS, KNOB_QD, 64, NULL}, {150 * NS_PER_MS, KNOB_BS, 16384, NULL},
	{180 * NS_PER_MS, KNOB_IODEPTH, 4, NULL}, {220 * NS_PER_MS, KNOB_MIX, 70, NULL}, {260 * NS_PER_MS, KNOB_THINK, NS_PER_MS, NULL},
	{300 * NS_PER_MS, KNOB_THINK, 0, NULL}, {340 * NS_PER_MS, KNOB_RATE, 20000, NULL}, {380 * NS_PER_MS, KNOB_RATE, 0, NULL},
	{420 * NS_PER_MS, KNOB_JOBS, 1, NULL}, {460 * NS_PER_MS, KNOB_JOBS, 40, NULL}, {500 * NS_PER_MS, KNOB_BS, 4096, NULL},
};
/* Where waiting is done by sleeping, nobody thinks. */
static const struct turn some_knobs[] = {
	{2 * NS_PER_MS, KNOB_QD, 3, NULL}, {8 * NS_PER_MS, KNOB_QD, 64, NULL}, {15 * NS_PER_MS, KNOB_BS, 16384, NULL},
	{20 * NS_PER_MS, KNOB_IODEPTH, 4, NULL}, {24 * NS_PER_MS, KNOB_MIX, 70, NULL}, {30 * NS_PER_MS, KNOB_JOBS, 1, NULL},
	{36 * NS_PER_MS, KNOB_JOBS, 40, NULL}, {39 * NS_PER_MS, KNOB_BS, 4096, NULL},
};
#define SOME some_knobs, sizeof(some_knobs) / sizeof(some_knobs[0]), 150 * NS_PER_MS
#define ALL all_knobs, sizeof(all_knobs) / sizeof(all_knobs[0]), 700 * NS_PER_MS

static void one_lun(void **state)
{
	(void)state;
	compare("model", "a", "a.rw=randrw a.numjobs=2 a.iodepth=16 host.qd=16 array.servers=8 array.ctl=80us array.ctl_shape=1", ALL);
	compare("null", "a", "a.rw=randrw a.numjobs=2 a.iodepth=16 host.qd=16", SOME);
}

static void several_luns_and_jobs(void **state)
{
	(void)state;
	compare("model", "a b c",
		"a.rw=randrw a.numjobs=2 a.iodepth=8 a.random_distribution=zipf:1.1 b.rw=read b.iodepth=4 b.lun=1..2 c.rw=randwrite c.kind=burst c.burst=6 c.thinktime=2ms "
		"host.bases=3 host.qd=8 array.servers=8 array.ctl=80us array.ctl_shape=1",
		ALL);
	compare("null", "a b", "a.rw=randrw a.rwmixread=70 a.numjobs=2 a.iodepth=16 b.rw=write b.iodepth=30 b.size=1m host.bases=3 host.qd=8", SOME);
}

static void fixed_work(void **state)
{
	(void)state;
	compare("model", "a", "a.rw=randread a.iodepth=16 a.number_ios=777 host.qd=16 array.servers=8 array.ctl=80us array.ctl_shape=1", NULL, 0,
		400 * NS_PER_MS);
	compare("null", "a", "a.rw=randread a.iodepth=50 a.number_ios=777 host.qd=64", NULL, 0, 100 * NS_PER_MS);
}

/* Requests that fail, come short or are late; a path that dies under them and comes back before they do. */
static void things_go_wrong(void **state)
{
	static const struct turn log[] = {
		{50 * NS_PER_MS, 0, 0, "errors 0.1"},	 {90 * NS_PER_MS, 0, 0, "short 0.2"},	 {130 * NS_PER_MS, 0, 0, "path p0 down"},
		{130 * NS_PER_MS, 0, 0, "path p0 up"},	 {200 * NS_PER_MS, 0, 0, "delay 2ms"},	 {230 * NS_PER_MS, 0, 0, "path p0 down"},
		{231 * NS_PER_MS, 0, 0, "path p0 up"},	 {300 * NS_PER_MS, 0, 0, "errors 0"},	 {350 * NS_PER_MS, 0, 0, "short 0"},
	};

	(void)state;
	compare("model", "a",
		"a.rw=randrw a.numjobs=2 a.iodepth=16 host.qd=32 host.transport_time=20ms array.servers=8 array.ctl=80us array.ctl_shape=1", log,
		sizeof(log) / sizeof(log[0]), 500 * NS_PER_MS);
}

/* What a backend is handed again was never another request. */
static struct {
	const struct backend_ops *real;
	struct io last[256]; /* as it was submitted */
	int n;
} spied;

static void spy_submit(struct backend *b, struct io *io)
{
	spied.last[io->id] = *io;
	spied.real->submit(b, io);
}

static void spy_again(struct backend *b, struct io *const *io, int n)
{
	for (int i = 0; i < n; i++) {
		const struct io *was = &spied.last[io[i]->id];
		assert_int_equal(io[i]->write, was->write);
		assert_int_equal(io[i]->lun, was->lun);
		assert_int_equal(io[i]->path, was->path);
		assert_int_equal(io[i]->bytes, was->bytes);
		assert_int_equal(io[i]->result, io[i]->bytes);
	}
	spied.n += n;
	spied.real->again(b, io, n);
}

static void again_is_the_same_again(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct backend_ops spy = backend_null;

	(void)state;
	spied.real = &backend_null;
	spy.submit = spy_submit;
	spy.again = spy_again;
	open_world(w, "null", "a b", "a.rw=randrw a.rwmixread=70 a.iodepth=16 b.rw=write b.iodepth=30 host.bases=3 host.qd=64", false);
	for (uint32_t id = 0; id < 256; id++)
		spied.last[id] = *io_pool_at(&w->e->w.pool, id);
	w->e->w.backend->ops = &spy;
	assert_true(engine_run_until(w->e, 10 * NS_PER_MS, NULL) > 0);
	assert_true(spied.n > 1000);
	w->e->w.backend->ops = &backend_null;
	engine_free(w->e);
	free(w);
}

static int turned(struct worker *w)
{
	struct io *done[WORKER_BATCH];
	int n = backend_reap(w->backend, INT64_MAX, done, WORKER_BATCH);

	return worker_turn(w, done, n);
}

/* The mechanism itself: the comparisons above are between two different ways. */
static void the_ways_differ(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	static const char settings[] = "a.rw=randread a.iodepth=32 host.qd=64";

	(void)state;
	for (int long_way = 0; long_way < 2; long_way++) {
		open_world(w, "null", "a", settings, long_way);
		assert_true(engine_run_until(w->e, NS_PER_MS, NULL) > 0);
		assert_int_equal(turned(&w->e->w), long_way ? 0 : 32);
		engine_free(w->e);
	}
	open_world(w, "null", "a", settings, false);
	lab_turn(w->e, KNOB_QD, 20); /* twelve wait: the place is given to the first of them */
	assert_true(engine_run_until(w->e, NS_PER_MS, NULL) > 0);
	assert_int_equal(turned(&w->e->w), 0);
	engine_free(w->e);
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_lun),
		cmocka_unit_test(several_luns_and_jobs),
		cmocka_unit_test(fixed_work),
		cmocka_unit_test(things_go_wrong),
		cmocka_unit_test(again_is_the_same_again),
		cmocka_unit_test(the_ways_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
