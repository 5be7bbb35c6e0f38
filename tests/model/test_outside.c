/* What happens outside the engine: judged like a knob, only marked, or only noted; the longest time without a completion around it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "engine.h"
#include "play.h"
#include "preset.h"

struct lab {
	struct spec *spec;
	struct engine *e;
	struct snapshot *s;
};

static int setup(void **state)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	struct engine_options o = { .backend = "model", .hold = true, .clock = clock_monotonic() };

	lab->spec = play_load("path-loss", NULL);
	lab->e = engine_new(lab->spec, &o, NULL);
	lab->s = calloc(1, sizeof(*lab->s));
	*state = lab;
	return lab->e && lab->s ? 0 : -1;
}

static int teardown(void **state)
{
	struct lab *lab = *state;

	engine_free(lab->e);
	spec_free(lab->spec);
	free(lab->s);
	free(lab);
	return 0;
}

static void run_for(struct lab *lab, int64_t ns) { assert_true(engine_run_until(lab->e, engine_now(lab->e) + ns, NULL) >= 0); }

static void tell(struct lab *lab, enum command_type type, int64_t value, const char *text)
{
	struct command c = { .type = type, .cause = CAUSE_KERNEL, .value = value };

	text_format(c.text, sizeof(c.text), "%s", text);
	assert_true(engine_command(lab->e, &c, NULL) >= 0);
}

static const struct act *last_act(struct lab *lab)
{
	engine_snapshot(lab->e, lab->s);
	return &lab->s->act[lab->s->n_acts - 1];
}

static void test_weights(void **state)
{
	static const struct {
		int64_t value;
		enum act_kind kind;
		bool marked, judged;
	} rows[] = { { 1, ACT_OUTSIDE, true, true }, { 0, ACT_MARK, true, false }, { -1, ACT_NOTE, false, false } };
	struct lab *lab = *state;

	for (int i = 0; i < 3; i++) {
		run_for(lab, 20 * NS_PER_S);
		tell(lab, COMMAND_OUTSIDE, rows[i].value, "sda queue_depth 1>32");
		run_for(lab, 20 * NS_PER_S);
		const struct act *a = last_act(lab);

		assert_int_equal(a->kind, rows[i].kind);
		assert_string_equal(a->text, "sda queue_depth 1>32");
		assert_int_equal(a->marker != 0, rows[i].marked);
		assert_int_equal(a->judged, rows[i].judged);
		assert_int_equal(isfinite(a->gap_ms) != 0, rows[i].judged);
	}
}

/* The path goes down, nothing completes for the time of the failover, and only then the event is told: the gap before it counts. */
static void test_gap_before_the_event(void **state)
{
	struct lab *lab = *state;
	double quiet, outage;

	run_for(lab, 20 * NS_PER_S);
	tell(lab, COMMAND_OUTSIDE, 1, "nothing happened");
	run_for(lab, 10 * NS_PER_S);
	quiet = last_act(lab)->gap_ms;
	tell(lab, COMMAND_FAULT, 0, "path p0 down");
	run_for(lab, lab->spec->config.host.failover_ns + 200 * NS_PER_MS);
	tell(lab, COMMAND_OUTSIDE, 1, "mp: path 8:16 FAILED, 1 left");
	outage = last_act(lab)->gap_ms;
	assert_true(lab->spec->config.host.failover_ns > 0);
	assert_true(outage * 1e6 >= 0.9 * (double)lab->spec->config.host.failover_ns);
	assert_true(outage > 2 * quiet); /* without an outage it is not there */
}

/* u does not reach past what the kernel was told to an older knob without a word. */
static void test_undo_says_so(void **state)
{
	struct lab *lab = *state;
	struct command qd = { .type = COMMAND_SET, .cause = CAUSE_KEY, .ref = { KNOB_IODEPTH, 0 }, .value = 2 }, undo = { .type = COMMAND_UNDO };
	struct err err = { "" };

	run_for(lab, 10 * NS_PER_S);
	assert_int_equal(engine_command(lab->e, &qd, &err), 0);
	run_for(lab, 10 * NS_PER_S);
	tell(lab, COMMAND_OUTSIDE, 1, "sda queue_depth 1>32");
	assert_true(engine_command(lab->e, &undo, &err) < 0);
	assert_non_null(strstr(err.text, "by :kernel"));
	last_act(lab);
	assert_int_equal(lab->s->knob[KNOB_IODEPTH].in_effect, 2);
	assert_int_equal(engine_command(lab->e, &undo, &err), 0);
	last_act(lab);
	assert_int_not_equal(lab->s->knob[KNOB_IODEPTH].in_effect, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_weights, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gap_before_the_event, setup, teardown),
		cmocka_unit_test_setup_teardown(test_undo_says_so, setup, teardown),
	};

	return cmocka_run_group_tests_name("outside", tests, NULL, NULL);
}
