/* Steps, acts and baselines of the engine, stepped by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/lab.h"

#define DEPTH                                                                                                                      \
	"a.numjobs=50 a.rw=randread a.bs=8k host.qd=1 array.servers=16 array.ctl=190us array.ctl_shape=4 array.wake=401us "         \
	"array.link_latency=15us array.link_mbps=203.3"

static struct snapshot shot;

static const struct snapshot *look(struct engine *e, int64_t ns)
{
	assert_int_equal(engine_run_until(e, engine_now(e) + ns, NULL), 1);
	engine_snapshot(e, &shot);
	return &shot;
}

static int send(struct engine *e, enum command_type type, int64_t value, struct err *err)
{
	struct command c = {.type = type, .cause = CAUSE_KEY, .value = value};

	return engine_command(e, &c, err);
}

static const struct act *last_act(const struct snapshot *s)
{
	return &s->act[s->n_acts - 1];
}

/* A change is compared with the last settled window before it, and its result given once it is settled. */
static void change_is_judged(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", DEPTH);
	struct engine *e = lab_open(&l, 1);
	const struct snapshot *s = look(e, 5 * NS_PER_S);
	assert_true(s->settle.settled);
	assert_false(s->has_before);
	assert_true(isnan(s->change_ratio));
	lab_turn(e, KNOB_QD, 10);
	s = look(e, NS_PER_S);
	assert_true(s->has_before && !s->before_kept);
	assert_true(fabs(s->before_iops / 1510 - 1) < .02);
	assert_true(s->before[METRIC_TOTAL].mean_ns > 30e6 && s->window[METRIC_TOTAL].mean_ns < 3e6);
	assert_int_equal(s->knob[KNOB_QD].before, 1);
	assert_int_equal(s->knob[KNOB_QD].in_effect, 10);
	assert_false(last_act(s)->judged);
	assert_false(s->settle.settled);
	s = look(e, 3 * NS_PER_S);
	assert_true(s->settle.settled);
	const struct act *a = last_act(s);
	assert_true(a->judged && a->settled && a->marker == 1);
	assert_true(a->ratio > 16.2 && a->ratio < 16.6);
	assert_true(a->ratio_low < a->ratio && a->ratio < a->ratio_high);
	assert_int_equal(a->from, 1);
	assert_int_equal(a->to, 10);
	assert_string_equal(a->text, "qd 1>10 in effect");
	engine_free(e);
}

/* Steps that follow each other before anything settled: the ghost stays the settled one. */
static void quick_steps_keep_the_baseline(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", DEPTH);
	struct engine *e = lab_open(&l, 1);
	look(e, 5 * NS_PER_S);
	lab_turn(e, KNOB_QD, 2);
	look(e, NS_PER_S);
	lab_turn(e, KNOB_QD, 10);
	const struct snapshot *s = look(e, 4 * NS_PER_S);
	const struct act *first = &s->act[s->n_acts - 2], *second = last_act(s);
	assert_true(first->superseded && !first->judged);
	assert_true(second->judged && second->ratio > 16);
	assert_int_equal(second->from, 1); /* what it is compared with */
	assert_int_equal(second->marker, 2);
	engine_free(e);
}

static void repeated_keys_are_one_change(void **state)
{
	struct lab l;
	struct command c = {.type = COMMAND_SET, .cause = CAUSE_KEY, .ref = {KNOB_QD, 0}};

	(void)state;
	lab_init(&l, "a", DEPTH);
	struct engine *e = lab_open(&l, 1);
	look(e, 5 * NS_PER_S);
	for (c.value = 2; c.value <= 16; c.value *= 2) {
		c.merge = c.value > 2;
		assert_int_equal(engine_command(e, &c, NULL), 0);
		look(e, 50 * NS_PER_MS);
	}
	const struct snapshot *s = look(e, 4 * NS_PER_S);
	assert_int_equal(last_act(s)->marker, 1);
	assert_int_equal(last_act(s)->from, 1);
	assert_int_equal(last_act(s)->to, 16);
	assert_int_equal(send(e, COMMAND_UNDO, 0, NULL), 0); /* and one to undo */
	assert_int_equal(look(e, NS_PER_MS)->knob[KNOB_QD].in_effect, 1);
	engine_free(e);
}

static void undo_goes_back_step_by_step(void **state)
{
	struct lab l;
	struct err err;

	(void)state;
	lab_init(&l, "a", DEPTH);
	struct engine *e = lab_open(&l, 1);
	look(e, NS_PER_S);
	lab_turn(e, KNOB_QD, 4);
	lab_turn(e, KNOB_JOBS, 20);
	lab_turn(e, KNOB_QD, 8);
	assert_int_equal(send(e, COMMAND_UNDO, 0, NULL), 0);
	assert_int_equal(look(e, 1)->knob[KNOB_QD].in_effect, 4);
	assert_int_equal(send(e, COMMAND_UNDO, 0, NULL), 0);
	assert_int_equal(look(e, 1)->knob[KNOB_JOBS].in_effect, 50);
	assert_int_equal(send(e, COMMAND_UNDO, 0, NULL), 0);
	assert_int_equal(look(e, 1)->knob[KNOB_QD].in_effect, 1);
	assert_true(send(e, COMMAND_UNDO, 0, &err) < 0);
	engine_free(e);
}

static void kept_baseline_stays(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", DEPTH);
	struct engine *e = lab_open(&l, 1);
	look(e, 4 * NS_PER_S);
	assert_int_equal(send(e, COMMAND_KEEP, 1, NULL), 0);
	lab_turn(e, KNOB_QD, 2);
	look(e, 4 * NS_PER_S);
	lab_turn(e, KNOB_QD, 10);
	const struct snapshot *s = look(e, 4 * NS_PER_S);
	assert_true(s->before_kept);
	assert_true(last_act(s)->ratio > 16);
	assert_int_equal(send(e, COMMAND_KEEP, 0, NULL), 0);
	lab_turn(e, KNOB_QD, 2);
	s = look(e, 4 * NS_PER_S);
	assert_true(last_act(s)->ratio < 0.3); /* against depth 10 again */
	engine_free(e);
}

static void refused_and_pending(void **state)
{
	struct lab l;
	struct err err;

	(void)state;
	lab_init(&l, "a", DEPTH " host.restart=qd");
	struct engine *e = lab_open(&l, 1);
	look(e, NS_PER_S);
	assert_true(lab_try(e, KNOB_ALIASES, 4, &err) < 0); /* SCSI has none */
	const struct snapshot *s = look(e, 1);
	assert_int_equal(last_act(s)->state, KNOB_REFUSED);
	assert_true(strlen(s->knob[KNOB_ALIASES].reason) > 0);
	assert_true(lab_try(e, KNOB_QD, 5000, &err) < 0);
	lab_turn(e, KNOB_QD, 10);
	s = look(e, NS_PER_S);
	assert_int_equal(s->knob[KNOB_QD].state, KNOB_PENDING);
	assert_int_equal(s->knob[KNOB_QD].asked, 10);
	assert_int_equal(s->knob[KNOB_QD].in_effect, 1);
	assert_true(s->iops < 1600);
	assert_int_equal(send(e, COMMAND_RESTART, 0, NULL), 0);
	s = look(e, 2 * NS_PER_S);
	assert_int_equal(s->knob[KNOB_QD].state, KNOB_IN_EFFECT);
	assert_int_equal(s->knob[KNOB_QD].in_effect, 10);
	assert_true(s->iops > 24000);
	engine_free(e);
}

/* Held, fixed work starts again when it is done, and the last round's time is told. */
static void fixed_work_goes_round(void **state)
{
	struct lab l;

	(void)state;
	lab_init(&l, "a", DEPTH " a.number_ios=32000 host.qd=10");
	struct engine *e = lab_open(&l, 1);
	const struct snapshot *s = look(e, NS_PER_S);
	assert_int_equal(s->work.number, 32000);
	assert_int_equal(s->work.rounds, 0);
	assert_true(isnan(s->work.last_elapsed_s));
	s = look(e, 4 * NS_PER_S);
	assert_int_equal(s->work.rounds, 3);
	assert_true(fabs(s->work.last_elapsed_s - 1.29) < .01);
	engine_free(e);
}

struct seen {
	uint32_t n;
	struct step_result *r;
	uint64_t requests, bytes;
	int64_t length_ns;
};

static void see_step(void *data, const struct step_result *r)
{
	struct seen *s = data;

	s->r[s->n++] = *r;
}

static void see_interval(void *data, const struct interval *i)
{
	struct seen *s = data;

	assert_true(i->length_ns > 0);
	assert_int_equal(i->hist[METRIC_TOTAL].n, i->requests);
	s->requests += i->requests;
	s->bytes += i->bytes;
	s->length_ns += i->length_ns;
}

static struct assign to_ten[] = {{"qd", "10"}};

/* Two played steps: the second goes on with other knobs, the same random numbers, and its own counts; intervals add up. */
static void steps_are_played(void **state)
{
	struct lab l;
	struct step step[3];
	struct seen seen = {.r = calloc(3, sizeof(struct step_result))};
	struct engine_options o = {.backend = "model", .interval_ns = 700 * NS_PER_MS, .clock = clock_monotonic(),
				   .sink = {see_interval, see_step, &seen}};

	(void)state;
	lab_init(&l, "a", DEPTH);
	memset(step, 0, sizeof(step));
	for (int i = 0; i < 3; i++)
		step[i].run_ns = 2500 * NS_PER_MS;
	step[1].set = to_ten;
	step[1].n_set = 1;
	step[2].until = RUN_SETTLED;
	l.spec.step = step;
	l.spec.n_steps = 3;
	l.spec.warmup_ns = 250 * NS_PER_MS;
	struct engine *e = engine_new(&l.spec, &o, NULL);
	while (engine_run_until(e, engine_now(e) + NS_PER_S, NULL) > 0)
		;
	engine_free(e);
	assert_int_equal(seen.n, 3);
	assert_int_equal(seen.r[0].length_ns, 2500 * NS_PER_MS);
	assert_int_equal(seen.r[0].start_ns, 250 * NS_PER_MS);
	assert_int_equal(seen.r[1].start_ns, 3000 * NS_PER_MS);
	assert_true(result_iops(&seen.r[1]) / result_iops(&seen.r[0]) > 16);
	assert_true(result_iops(&seen.r[2]) / result_iops(&seen.r[0]) < 1.05); /* its knobs are the preset's own again */
	assert_int_equal(seen.r[2].end, END_SETTLED);
	assert_int_equal(seen.r[2].length_ns, 3000 * NS_PER_MS);
	assert_int_equal(seen.requests, seen.r[0].requests + seen.r[1].requests + seen.r[2].requests);
	assert_int_equal(seen.bytes, seen.requests * 8192);
	assert_int_equal(seen.length_ns, 8000 * NS_PER_MS);
	free(seen.r);
}

static void play_and_take_over(void **state)
{
	struct lab l;
	struct step step[2];
	struct engine_options o = {.backend = "model", .hold = true, .clock = clock_monotonic()};

	(void)state;
	lab_init(&l, "a", DEPTH);
	memset(step, 0, sizeof(step));
	strcpy(step[1].name, "deep");
	step[0].run_ns = step[1].run_ns = 4 * NS_PER_S;
	step[1].set = to_ten;
	step[1].n_set = 1;
	l.spec.step = step;
	l.spec.n_steps = 2;
	struct engine *e = engine_new(&l.spec, &o, NULL);
	const struct snapshot *s = look(e, 6 * NS_PER_S);
	assert_true(!s->playing && s->step == 0);
	assert_int_equal(send(e, COMMAND_PLAY, 0, NULL), 0);
	s = look(e, 2 * NS_PER_S);
	assert_true(s->playing && s->step == 0);
	s = look(e, 3 * NS_PER_S);
	assert_true(s->playing && s->step == 1);
	assert_int_equal(s->knob[KNOB_QD].in_effect, 10);
	assert_int_equal(last_act(s)->kind, ACT_STEP);
	assert_int_equal(last_act(s)->to, 10);
	lab_turn(e, KNOB_QD, 4);
	s = look(e, NS_PER_S);
	assert_false(s->playing);
	assert_int_equal(s->knob[KNOB_QD].in_effect, 4);
	s = look(e, 10 * NS_PER_S);
	assert_true(!s->playing && s->step == 1 && !s->ended);
	assert_int_equal(send(e, COMMAND_PLAY, 0, NULL), 0);
	s = look(e, 10 * NS_PER_S); /* from the first step to the end, then held with the load on */
	assert_false(s->playing);
	assert_int_equal(s->step, 1);
	assert_true(s->iops > 1000);
	engine_free(e);
}

/* A timed step with fixed work that is done early rests to its end. */
static void done_early_rests(void **state)
{
	struct lab l;
	static struct step_result r;

	(void)state;
	lab_init(&l, "a", DEPTH " a.number_ios=32000 host.qd=10");
	lab_run(&l, 1, 0, 5 * NS_PER_S, &r);
	assert_int_equal(r.requests, 32000);
	assert_int_equal(r.length_ns, 5 * NS_PER_S);
	assert_true(fabs(r.elapsed_s - 1.29) < .01);
}

/* Steps that lead back to the old value are still one change, and the change before them can be undone too. */
static void undo_after_a_change_that_came_back(void **state)
{
	struct lab l;
	struct command c = {.type = COMMAND_SET, .cause = CAUSE_KEY, .ref = {KNOB_QD, 0}, .value = 2};

	(void)state;
	lab_init(&l, "a", DEPTH);
	struct engine *e = lab_open(&l, 1);
	look(e, NS_PER_S);
	lab_turn(e, KNOB_BS, 16384);
	assert_int_equal(engine_command(e, &c, NULL), 0);
	c.value = 1;
	c.merge = true;
	assert_int_equal(engine_command(e, &c, NULL), 0);
	assert_int_equal(send(e, COMMAND_UNDO, 0, NULL), 0);
	assert_int_equal(send(e, COMMAND_UNDO, 0, NULL), 0);
	assert_int_equal(look(e, 1)->knob[KNOB_BS].in_effect, 8192);
	engine_free(e);
}

static int64_t ticking(void *data)
{
	return *(int64_t *)data += NS_PER_US;
}

/* A backend in real time that is opened anew during a pause: the pause before it was opened is none of its time. */
static void restart_while_paused(void **state)
{
	struct lab l;
	int64_t clock = 0;
	struct engine_options o = {.backend = "null", .hold = true, .clock = {ticking, &clock}};
	struct err err = {{0}};

	(void)state;
	lab_init(&l, "a", "a.iodepth=8 a.rw=randread");
	l.step.run_ns = NS_PER_S;
	struct engine *e = engine_new(&l.spec, &o, &err);
	assert_non_null(e);
	assert_int_equal(engine_run_until(e, 10 * NS_PER_MS, &err), 1);
	assert_int_equal(send(e, COMMAND_PAUSE, 1, NULL), 0);
	clock += 100 * NS_PER_S;
	assert_int_equal(send(e, COMMAND_RESTART, 0, NULL), 0);
	assert_int_equal(send(e, COMMAND_PAUSE, 0, NULL), 0);
	assert_int_equal(engine_run_until(e, 20 * NS_PER_MS, &err), 1);
	assert_true(engine_now(e) < NS_PER_S);
	engine_free(e);
}

/* Requests that take no time at all must end the run with a word, not hang it. */
static void time_stands_still(void **state)
{
	struct lab l;
	struct err err = {{0}};

	(void)state;
	lab_init(&l, "a", "a.rw=randread array.ctl=0");
	struct engine *e = lab_open(&l, 1);
	assert_true(engine_run_until(e, NS_PER_S, &err) < 0);
	assert_non_null(strstr(err.text, "time stands still"));
	assert_int_equal(engine_run_until(e, 2 * NS_PER_S, &err), 0);
	engine_snapshot(e, &shot);
	assert_true(shot.ended);
	l.spec.config.array.ctl.mean_ns = NS_PER_MS; /* and a run that ended can be started again */
	assert_non_null(strstr(last_act(&shot)->text, "time stands still"));
	assert_int_equal(send(e, COMMAND_RESTART, 0, NULL), 0);
	assert_true(look(e, NS_PER_S)->iops > 900);
	engine_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_stands_still),
		cmocka_unit_test(undo_after_a_change_that_came_back),
		cmocka_unit_test(restart_while_paused),
		cmocka_unit_test(change_is_judged),
		cmocka_unit_test(quick_steps_keep_the_baseline),
		cmocka_unit_test(repeated_keys_are_one_change),
		cmocka_unit_test(undo_goes_back_step_by_step),
		cmocka_unit_test(kept_baseline_stays),
		cmocka_unit_test(refused_and_pending),
		cmocka_unit_test(fixed_work_goes_round),
		cmocka_unit_test(steps_are_played),
		cmocka_unit_test(play_and_take_over),
		cmocka_unit_test(done_early_rests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
