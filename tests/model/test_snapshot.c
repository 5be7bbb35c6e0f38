/* What the deck is told beside rates and windows: histograms over time, other jobs, what an undo takes back, refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/play.h"
#include "preset.h"

static struct snapshot shot;

static struct engine *open_preset(const char *name, struct spec **spec)
{
	struct engine_options o = {.backend = "model", .hold = true, .clock = clock_monotonic()};
	struct engine *e;

	*spec = play_load(name, NULL);
	e = engine_new(*spec, &o, NULL);
	assert_non_null(e);
	return e;
}

static void close_preset(struct engine *e, struct spec *spec)
{
	engine_free(e);
	spec_free(spec);
}

static const struct snapshot *look(struct engine *e, int64_t ns)
{
	assert_true(engine_run_until(e, engine_now(e) + ns, NULL) >= 0);
	engine_snapshot(e, &shot);
	return &shot;
}

static int set(struct engine *e, enum knob_id id, int job, int64_t value)
{
	struct command c = {.type = COMMAND_SET, .cause = CAUSE_KEY, .ref = {(uint8_t)id, (uint8_t)job}, .value = value};

	return engine_command(e, &c, NULL);
}

static const struct act *last_act(const struct snapshot *s) { return &s->act[s->n_acts - 1]; }

/* The shares of all slices, weighed with their requests, are the window's histogram. */
static void shares_of_slices_add_up_to_the_window(void **state)
{
	struct spec *spec;
	struct engine *e = open_preset("ds5100", &spec);
	const struct snapshot *s = look(e, 4 * NS_PER_S);
	const struct lat_view *window = &s->window[METRIC_TOTAL];

	(void)state;
	assert_int_equal(s->n_slices, 40);
	for (int row = 0; row < HIST_LOG2_ROWS; row++) {
		double sum = 0, all = 0;

		for (uint32_t i = 0; i < s->n_slices; i++) {
			sum += (double)s->slice[i].requests * s->slice[i].total_share[row] / 255;
			all += s->slice[i].requests;
			assert_true(s->slice[i].requests || !s->slice[i].total_share[row]);
		}
		assert_true(fabs(sum / all - (double)window->log2[row] / (double)window->n) < 1.0 / 255 + 0.002);
		assert_true(!window->log2[row] == (sum == 0)); /* the one slow request is there too */
	}
	close_preset(e, spec);
}

static void an_undo_says_what_it_takes_back(void **state)
{
	struct spec *spec;
	struct engine *e = open_preset("ds5100", &spec);
	struct command undo = {.type = COMMAND_UNDO, .cause = CAUSE_KEY};
	const struct snapshot *s = look(e, 4 * NS_PER_S);
	uint64_t number;

	(void)state;
	assert_int_equal(s->undo_act, 0);
	assert_int_equal(set(e, KNOB_QD, 0, 10), 0);
	s = look(e, 4 * NS_PER_S);
	number = last_act(s)->number;
	assert_int_equal(s->undo_act, number);
	assert_true(last_act(s)->request > 5000);
	assert_int_equal(engine_command(e, &undo, NULL), 0);
	s = look(e, NS_PER_MS);
	assert_int_equal(s->undo_act, 0);
	assert_int_equal(last_act(s)->undoes, number);
	assert_string_equal(last_act(s)->text, "undo of #2: qd 10>1 in effect");
	assert_int_equal(last_act(s)->marker, 2);
	assert_true(s->act[s->n_acts - 2].undone);
	close_preset(e, spec);
}

/* A knob that came back by itself: its undo does nothing, and the act before is not taken for it. */
static void an_undo_without_effect_names_no_act(void **state)
{
	struct spec *spec;
	struct engine *e = open_preset("ds5100", &spec);
	struct command undo = {.type = COMMAND_UNDO, .cause = CAUSE_KEY};
	const struct snapshot *s;

	(void)state;
	look(e, 4 * NS_PER_S);
	assert_int_equal(set(e, KNOB_QD, 0, 10), 0);
	assert_int_equal(set(e, KNOB_QD, 0, 1), 0);
	assert_int_equal(engine_command(e, &undo, NULL), 0); /* 1 > 10 */
	assert_int_equal(engine_command(e, &undo, NULL), 0); /* 10 > 1 */
	s = look(e, NS_PER_MS);
	assert_int_equal(last_act(s)->undoes, 2);
	assert_int_equal(s->act[s->n_acts - 2].undoes, 3);
	assert_null(strstr(s->act[s->n_acts - 2].text, "#2"));
	close_preset(e, spec);
}

static void further_jobs_are_told(void **state)
{
	struct spec *spec;
	struct engine *e = open_preset("hyperpav", &spec);
	const struct snapshot *s = look(e, NS_PER_S);

	(void)state;
	assert_int_equal(s->n_jobs, 2);
	assert_string_equal(s->job[0].name, "users");
	assert_string_equal(s->job[1].name, "dbwr");
	assert_int_equal(s->job[0].value[KNOB_JOBS - KNOB_FIRST_OF_JOB], 84);
	assert_int_equal(s->job[1].value[KNOB_JOBS - KNOB_FIRST_OF_JOB], 1);
	assert_false(s->job[1].applies >> (KNOB_IODEPTH - KNOB_FIRST_OF_JOB) & 1); /* a burst */
	assert_int_equal(set(e, KNOB_JOBS, 1, 2), 0);
	s = look(e, NS_PER_S);
	assert_int_equal(s->job[1].value[KNOB_JOBS - KNOB_FIRST_OF_JOB], 2);
	assert_string_equal(last_act(s)->text, "dbwr.jobs 1>2 in effect");
	assert_int_equal(s->n_all_lcus, 2);
	close_preset(e, spec);
}

static void a_refused_value_is_shown_until_the_next(void **state)
{
	struct spec *spec;
	struct engine *e = open_preset("equallogic", &spec);
	const struct snapshot *s;

	(void)state;
	assert_true(set(e, KNOB_IODEPTH, 0, 1024) < 0); /* 98 jobs */
	s = look(e, NS_PER_S);
	assert_int_equal(s->knob[KNOB_IODEPTH].state, KNOB_REFUSED);
	assert_int_equal(s->knob[KNOB_IODEPTH].asked, 1024);
	assert_int_equal(s->knob[KNOB_IODEPTH].in_effect, 1);
	assert_int_equal(set(e, KNOB_IODEPTH, 0, 2), 0);
	s = look(e, NS_PER_S);
	assert_int_equal(s->knob[KNOB_IODEPTH].state, KNOB_IN_EFFECT);
	assert_int_equal(s->knob[KNOB_IODEPTH].asked, 2);
	close_preset(e, spec);
}

/* Round robin comes to the wrong member half the time, the owner's path never; with one member there is no such thing. */
static void wrong_members_are_counted(void **state)
{
	struct spec *spec;
	struct engine *e = open_preset("equallogic", &spec);

	(void)state;
	assert_true(fabs(look(e, 3 * NS_PER_S)->forwarded_share - 0.5) < 0.05);
	assert_int_equal(set(e, KNOB_PATH, 0, (int64_t)PATH_PAGE_OWNER << 32), 0);
	look(e, NS_PER_S);
	assert_true(look(e, 2 * NS_PER_S)->forwarded_share < 0.001);
	close_preset(e, spec);
	e = open_preset("ds5100", &spec);
	assert_true(isnan(look(e, NS_PER_S)->forwarded_share));
	close_preset(e, spec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_of_slices_add_up_to_the_window),
		cmocka_unit_test(an_undo_says_what_it_takes_back),
		cmocka_unit_test(an_undo_without_effect_names_no_act),
		cmocka_unit_test(further_jobs_are_told),
		cmocka_unit_test(a_refused_value_is_shown_until_the_next),
		cmocka_unit_test(wrong_members_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
