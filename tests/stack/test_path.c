/* Paths: failover with a standby, a primary that dies under load, failback. No request of a user may fail. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "engine_private.h"
#include "model/lab.h"

#define TWO_PATHS                                                                                                                  \
	"a.numjobs=50 a.rw=randread a.bs=8k host.qd=10 host.paths=2 host.standby=p1 host.failover_time=200ms array.servers=16 "     \
	"array.ctl=190us array.ctl_shape=4 array.wake=401us array.link_latency=15us array.link_mbps=203.3 "

static int fault(struct engine *e, const char *text, struct err *err)
{
	struct command c = {.type = COMMAND_FAULT, .cause = CAUSE_COMMAND};

	strcpy(c.text, text);
	return engine_command(e, &c, err);
}

static void run_for(struct engine *e, int64_t ns)
{
	assert_int_equal(engine_run_until(e, engine_now(e) + ns, NULL), 1);
}

/* Decisions = requests submitted + those decided again. */
static void check_sums(const struct engine *e)
{
	const struct stack *s = &e->w.stack;
	uint64_t done = e->stats->run_requests + e->stats->in_slice.requests;
	uint32_t waiting = s->held.n + s->limbo.n;

	assert_int_equal(s->path[0].requests + s->path[1].requests, done + worker_outstanding(&e->w) + s->redecided - waiting + s->limbo.n);
	assert_int_equal(worker_outstanding(&e->w), 50);
	assert_int_equal(s->in_flight + stack_waiting(s), 50);
}

static void primary_dies(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", TWO_PATHS);
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S);
	assert_int_equal(e->w.stack.path[1].requests, 0);
	assert_int_equal(fault(e, "path p0 down", NULL), 0);
	assert_int_equal(e->w.stack.path[0].state, STACK_PATH_FAILED);
	run_for(e, 100 * NS_PER_MS); /* in between: all held, nothing done */
	assert_int_equal(e->w.stack.path[1].state, STACK_PATH_STANDBY);
	assert_int_equal(e->w.stack.held.n, 50);
	assert_int_equal(e->w.stack.redecided, 50); /* 40 queued at once, 10 in flight after the transport time */
	run_for(e, NS_PER_S);
	assert_int_equal(e->w.stack.path[1].state, STACK_PATH_ACTIVE);
	check_sums(e);
	assert_int_equal(e->stats->in_step.errors, 0);
	assert_true(e->stats->gap_ns >= 200 * NS_PER_MS && e->stats->gap_ns < 210 * NS_PER_MS);
	stats_unfold(e->stats);
	assert_int_equal(e->stats->slice[0].n, e->stats->in_slice.requests);
	/* fail back */
	uint64_t second = e->w.stack.path[1].requests;
	assert_int_equal(fault(e, "path p0 up", NULL), 0);
	assert_int_equal(e->w.stack.path[1].state, STACK_PATH_STANDBY);
	run_for(e, NS_PER_S);
	assert_int_equal(e->w.stack.path[1].requests, second); /* what was queued there stayed, nothing new came */
	assert_int_equal(e->w.stack.path[1].in_flight, 0);
	check_sums(e);
	engine_free(e);
}

static void all_paths_die(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", TWO_PATHS);
	struct engine *e = lab_open(&l, 1);
	run_for(e, NS_PER_S);
	assert_int_equal(fault(e, "path p0 down", NULL), 0);
	run_for(e, 50 * NS_PER_MS);
	assert_int_equal(fault(e, "path p1 down", NULL), 0); /* while it is being activated */
	run_for(e, NS_PER_S);
	assert_int_equal(e->w.stack.in_flight, 0);
	assert_int_equal(stack_waiting(&e->w.stack), 50); /* they wait, they do not fail */
	assert_int_equal(fault(e, "path p1 up", NULL), 0);
	run_for(e, NS_PER_S);
	assert_int_equal(e->w.stack.path[1].state, STACK_PATH_ACTIVE);
	assert_true(e->w.stack.in_flight == 10);
	check_sums(e);
	assert_int_equal(e->stats->in_step.errors, 0);
	engine_free(e);
}

/* An outage that lasts beyond the end of a step is part of its gap. */
static void gap_without_an_end(void **state)
{
	static struct step_result r;
	struct fault_spec down[] = {{"path p0 down", 100 * NS_PER_MS}, {"path p1 down", 100 * NS_PER_MS}, {"path p1 down", 200 * NS_PER_MS}};
	struct lab l;

	(void)state;
	lab_init(&l, "a", TWO_PATHS);
	l.step.fault = down;
	l.step.n_fault = 3;
	lab_run(&l, 1, 0, NS_PER_S, &r);
	assert_int_equal(r.outstanding, 50);
	assert_true(r.gap_ms > 899 && r.gap_ms < 901);
	assert_int_equal(r.n_notes, 1); /* and the fault that was refused is told */
	assert_non_null(strstr(r.note[0], "already down"));
}

static void flapping(void **state)
{
	struct lab l;
	struct rng r;

	(void)state;
	lab_init(&l, "a", TWO_PATHS "host.transport_time=3ms host.failover_time=1ms");
	struct engine *e = lab_open(&l, 1);
	rng_init(&r, 5, 5);
	for (int i = 0; i < 2000; i++) {
		char text[] = "path p0 down";
		text[6] = (char)('0' + rng_below(&r, 2));
		if (rng_below(&r, 2))
			strcpy(text + 8, "up");
		(void)fault(e, text, NULL); /* already so: refused, and nothing may change */
		run_for(e, (int64_t)rng_below(&r, 2 * NS_PER_MS) + 1);
		check_sums(e);
	}
	(void)fault(e, "path p0 up", NULL);
	run_for(e, NS_PER_S);
	assert_int_equal(e->w.pool.n_used, 50); /* every lost request came back to the pool */
	assert_int_equal(e->stats->in_step.errors, 0);
	engine_free(e);
}

static void wrong_faults(void **state)
{
	struct lab l;
	struct err err;

	(void)state;
	lab_init(&l, "a", TWO_PATHS);
	struct engine *e = lab_open(&l, 1);
	assert_true(fault(e, "path p2 down", &err) < 0);
	assert_non_null(strstr(err.text, "p0..p1"));
	assert_true(fault(e, "path p0 up", &err) < 0);
	assert_non_null(strstr(err.text, "already up"));
	assert_true(fault(e, "path p0 sideways", &err) < 0);
	assert_true(fault(e, "path p0 down x", &err) < 0);
	engine_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(primary_dies),
		cmocka_unit_test(all_paths_die),
		cmocka_unit_test(gap_without_an_end),
		cmocka_unit_test(flapping),
		cmocka_unit_test(wrong_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
