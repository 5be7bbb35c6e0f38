/* A run as a story: whatever way one goes through its steps, the figures are those of a run from start to end, to the bit. */
#include <setjmp.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "model/play.h"
#include "preset.h"

/* A deck's engine, and the last result of each step. */
struct deck {
	struct spec *spec;
	struct engine *e;
	struct snapshot *s;
	struct played p;
	uint32_t ended; /* steps that ended so far */
};

static void keep(void *data, const struct step_result *r)
{
	struct deck *d = data;

	if (!d->p.r[r->step])
		d->p.r[r->step] = malloc(sizeof(*r));
	*d->p.r[r->step] = *r;
	d->ended++;
}

static void deck_open(struct deck *d, const char *preset, int64_t runtime_ns)
{
	*d = (struct deck){.spec = play_load(preset, NULL), .s = calloc(1, sizeof(*d->s))};
	struct engine_options o = {.backend = "model", .hold = true, .runtime_ns = runtime_ns, .sink = {NULL, keep, d}, .clock = clock_monotonic()};
	struct err err;

	d->p.n = d->spec->n_steps;
	d->e = engine_new(d->spec, &o, &err);
	assert_non_null(d->e);
}

static void deck_close(struct deck *d)
{
	engine_free(d->e);
	played_forget(&d->p);
	free(d->s);
	spec_free(d->spec);
}

static void run(struct deck *d, int64_t ns)
{
	struct err err = {""};

	if (engine_run_until(d->e, engine_now(d->e) + ns, &err) < 0)
		fail_msg("%s", err.text);
	engine_snapshot(d->e, d->s);
}

/* What lies behind the lists' ends is of no snapshot. */
static void look(struct deck *d)
{
	memset(d->s, 0, sizeof(*d->s));
	engine_snapshot(d->e, d->s);
}

/* As far as it goes by itself. */
static void run_on(struct deck *d)
{
	for (int i = 0; i < 10000 && !engine_pace(d->e).paused && !engine_pace(d->e).ended; i++)
		run(d, NS_PER_S);
	assert_true(engine_pace(d->e).paused);
	look(d);
}

static void obey(struct deck *d, enum command_type type, int64_t value, bool go_on)
{
	struct command c = {.type = type, .cause = CAUSE_KEY, .value = value, .go_on = go_on};
	struct err err = {""};

	if (engine_command(d->e, &c, &err) < 0)
		fail_msg("%s", err.text);
	engine_snapshot(d->e, d->s);
}

static void turn(struct deck *d, enum knob_id id, int64_t value)
{
	struct command c = {.type = COMMAND_SET, .cause = CAUSE_KEY, .value = value, .ref = {(uint8_t)id, 0}};

	assert_int_equal(engine_command(d->e, &c, NULL), 0);
}

static void assert_same(const struct deck *d, const struct played *straight, uint32_t step)
{
	assert_non_null(d->p.r[step]);
	if (memcmp(d->p.r[step], straight->r[step], sizeof(struct step_result)))
		fail_msg("%s, step %u: not the figures of a straight run (%g instead of %g IOPS)", d->spec->name, step + 1,
			 result_iops(d->p.r[step]), result_iops(straight->r[step]));
}

static const struct {
	const char *preset;
	int64_t runtime_ns;
} stories[] = {
	{"hyperpav", 2 * NS_PER_S}, {"ds5100", 0},      {"path-loss", 0},
	{"asm-redundancy", 0},      {"equallogic", NS_PER_S}, {"ds5100-reboot", 0},
};

/* Held for a while first, then step by step, with the clock standing in between. */
static void test_step_by_step(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		struct deck d;
		struct played straight;

		deck_open(&d, stories[i].preset, stories[i].runtime_ns);
		play(d.spec, d.spec->seed, stories[i].runtime_ns, &straight);
		run(&d, 1234 * NS_PER_MS);
		assert_false(d.s->straight);
		for (uint32_t step = 0; step < d.spec->n_steps; step++) {
			obey(&d, COMMAND_GOTO_STEP, step, true);
			run_on(&d);
			assert_true(d.s->at_end && d.s->straight);
			assert_int_equal(d.s->step, step);
			assert_int_equal(d.s->verdicts.step, step + 1);
			assert_same(&d, &straight, step);
		}
		assert_int_equal(d.ended, d.spec->n_steps);
		assert_int_equal(d.s->run, 1);
		played_forget(&straight);
		deck_close(&d);
	}
}

/* Back, to a time, over a step, and after the knobs were taken over. */
static void test_ways_about(void **state)
{
	struct deck d;
	struct played straight;
	struct snapshot *then = calloc(1, sizeof(*then));

	(void)state;
	deck_open(&d, "hyperpav", 2 * NS_PER_S);
	play(d.spec, d.spec->seed, 2 * NS_PER_S, &straight);
	obey(&d, COMMAND_GOTO_TIME, 4321 * NS_PER_MS, false);
	assert_true(d.s->seeking && engine_pace(d.e).speed == 0);
	run_on(&d);
	assert_int_equal(d.s->t_ns, 4321 * NS_PER_MS);
	assert_int_equal(d.s->step, 1);
	assert_int_equal(d.s->done_steps, 1);
	assert_false(d.s->seeking);
	*then = *d.s;
	/* by hand, elsewhere, and back to the same place */
	obey(&d, COMMAND_HOLD, 0, false);
	obey(&d, COMMAND_PAUSE, 0, false);
	turn(&d, KNOB_ALIASES, 40);
	run(&d, 777 * NS_PER_MS);
	assert_false(d.s->playing || d.s->straight || d.s->paused);
	obey(&d, COMMAND_GOTO_TIME, 4321 * NS_PER_MS, false);
	run_on(&d);
	then->number = d.s->number;
	then->run = d.s->run;
	then->n_goto = d.s->n_goto;
	then->epoch = d.s->epoch;
	assert_memory_equal(then, d.s, sizeof(*then));
	/* on to the end of this step, back to the first, over the third to the end */
	obey(&d, COMMAND_PAUSE, 0, false);
	run_on(&d);
	assert_true(d.s->at_end && d.s->step == 1);
	assert_same(&d, &straight, 1);
	obey(&d, COMMAND_GOTO_STEP, 0, true);
	assert_int_equal(d.s->t_ns, 0);
	run_on(&d);
	assert_same(&d, &straight, 0);
	obey(&d, COMMAND_GOTO_STEP, 4, true);
	run_on(&d);
	for (uint32_t step = 0; step < 5; step++)
		assert_same(&d, &straight, step);
	assert_int_equal(d.s->done_steps, 0x1f);
	/* beyond the end it stands at the end */
	obey(&d, COMMAND_GOTO_TIME, 3600 * NS_PER_S, false);
	run_on(&d);
	assert_true(d.s->at_end && d.s->step == 4);
	obey(&d, COMMAND_GOTO_STEP, 5, true);
	assert_true(d.s->paused && d.s->at_end);
	free(then);
	played_forget(&straight);
	deck_close(&d);
}

/* A knob turned by hand and not taken back is seen in the figures: what is compared above can differ. */
static void test_by_hand_differs(void **state)
{
	struct deck d;
	struct played straight;

	(void)state;
	deck_open(&d, "hyperpav", 2 * NS_PER_S);
	play(d.spec, d.spec->seed, 2 * NS_PER_S, &straight);
	obey(&d, COMMAND_GOTO_STEP, 0, true);
	run(&d, NS_PER_S);
	turn(&d, KNOB_ALIASES, 10);
	assert_false(engine_pace(d.e).paused);
	obey(&d, COMMAND_PLAY, 0, false);
	run(&d, 4 * NS_PER_S);
	assert_non_null(d.p.r[0]);
	assert_true(memcmp(d.p.r[0], straight.r[0], sizeof(struct step_result)) != 0);
	assert_false(d.s->straight);
	played_forget(&straight);
	deck_close(&d);
}

/* The clock stands at the end of a step; :play goes on through all of them; a knob lets the load run again. */
static void test_at_the_end(void **state)
{
	struct deck d;
	struct command go = {.type = COMMAND_PAUSE, .cause = CAUSE_KEY, .value = 0};
	struct err err;

	(void)state;
	deck_open(&d, "quickstart", NS_PER_S);
	obey(&d, COMMAND_GOTO_STEP, 0, true);
	run_on(&d);
	int64_t t = engine_now(d.e);
	run(&d, NS_PER_S);
	assert_int_equal(engine_now(d.e), t);
	assert_int_equal(engine_command(d.e, &go, &err), -EAGAIN);
	obey(&d, COMMAND_PLAY, 0, false);
	run(&d, 500 * NS_PER_MS);
	assert_true(d.s->playing && d.s->step == 1 && !d.s->at_end);
	run(&d, 5 * NS_PER_S);
	assert_true(!d.s->playing && d.s->step == 2 && d.s->t_ns > 3 * NS_PER_S);
	obey(&d, COMMAND_GOTO_STEP, 1, true);
	run_on(&d);
	turn(&d, KNOB_QD, 2);
	run(&d, NS_PER_S);
	assert_true(!d.s->at_end && !d.s->paused && !d.s->playing && d.s->knob[KNOB_QD].in_effect == 2 && d.s->iops > 0);
	deck_close(&d);
}

static void test_refused(void **state)
{
	struct deck d;
	struct command c = {.type = COMMAND_GOTO_STEP, .cause = CAUSE_KEY, .value = 99};
	struct err err;

	(void)state;
	deck_open(&d, "quickstart", 0);
	assert_int_equal(engine_command(d.e, &c, &err), -ENOENT);
	c = (struct command){.type = COMMAND_GOTO_TIME, .cause = CAUSE_KEY, .value = -1};
	assert_int_equal(engine_command(d.e, &c, &err), -ERANGE);
	deck_close(&d);
	/* `run` plays anyway; and what is real cannot be told anew */
	struct spec *spec = play_load("quickstart", NULL);
	struct engine_options o = {.backend = "model", .clock = clock_monotonic()};
	struct engine *e = engine_new(spec, &o, &err);
	c = (struct command){.type = COMMAND_GOTO_STEP, .cause = CAUSE_KEY, .value = 1};
	assert_int_equal(engine_command(e, &c, &err), -ENOTSUP);
	engine_free(e);
	o = (struct engine_options){.backend = "null", .hold = true, .runtime_ns = 50 * NS_PER_MS, .clock = clock_monotonic()};
	e = engine_new(spec, &o, &err);
	assert_int_equal(engine_command(e, &c, &err), -ENOTSUP);
	c.go_on = true;
	assert_int_equal(engine_command(e, &c, &err), 0);
	/* at the end of a step the next one is right here */
	while (engine_run_until(e, engine_now(e) + 10 * NS_PER_MS, &err) > 0 && !engine_pace(e).paused)
		;
	c = (struct command){.type = COMMAND_GOTO_STEP, .cause = CAUSE_KEY, .value = 2};
	assert_int_equal(engine_command(e, &c, &err), 0);
	c.value = 1;
	assert_int_equal(engine_command(e, &c, &err), -ENOTSUP);
	engine_free(e);
	spec_free(spec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step_by_step), cmocka_unit_test(test_ways_about), cmocka_unit_test(test_by_hand_differs),
		cmocka_unit_test(test_at_the_end),   cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
