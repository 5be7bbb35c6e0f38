/* Screens of hand-made snapshots against goldens, and what must stand on the 80x24 mono screen. */
#include <errno.h>

#include "golden.h"

#include "sample.h"

struct scene {
	struct snapshot *s;
	struct view *v;
	struct canvas c;
};

static struct scene scene(struct snapshot *s, int columns, int rows, enum glyphs glyphs)
{
	struct scene e = { .s = s, .v = sample_view(), .c = { .glyphs = glyphs } };

	assert_int_equal(canvas_resize(&e.c, rows, columns), 0);
	return e;
}

static void draw(struct scene *e) { render(&e->c, e->s, e->v, NULL); }

static void done(struct scene *e)
{
	free(e->s);
	free(e->v);
	canvas_release(&e->c);
}

static bool has(const struct canvas *c, const char *text)
{
	struct strbuf b = { 0 };
	bool found;

	shot_text(c, &b);
	found = strstr(b.text, text) != NULL;
	strbuf_release(&b);
	return found;
}

static void assert_has(const struct canvas *c, const char *text)
{
	struct strbuf b = { 0 };

	if (has(c, text))
		return;
	shot_text(c, &b);
	fail_msg("'%s' is missing on:\n%s", text, b.text);
}

/* ---- goldens ---- */

static struct snapshot *disks(void) { return sample_volume(6); }

static struct snapshot *(*const samples[])(void) = { sample_start, sample_ds5100, sample_aliases, sample_few,
						     sample_refused, disks };

static void test_goldens(void **state)
{
	static const struct {
		const char *name;
		int sample, columns, rows;
		enum glyphs glyphs;
		enum colours colours;
	} rows[] = {
		{ "deck-start-80x24-ascii", 0, 80, 24, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-ds5100-80x24-ascii", 1, 80, 24, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-ds5100-80x24-utf8", 1, 80, 24, GLYPHS_UTF8, COLOURS_16 },
		{ "deck-ds5100-80x24-acs", 1, 80, 24, GLYPHS_ACS, COLOURS_MONO },
		{ "deck-aliases-80x24-ascii", 2, 80, 24, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-ds5100-132x43-utf8", 1, 132, 43, GLYPHS_UTF8, COLOURS_SAFE },
		{ "deck-volume-132x43-acs", 5, 132, 43, GLYPHS_ACS, COLOURS_MONO },
		{ "deck-aliases-200x50-ascii", 2, 200, 50, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-ds5100-200x50-utf8", 1, 200, 50, GLYPHS_UTF8, COLOURS_SAFE },
		{ "deck-aliases-60x15-ascii", 2, 60, 15, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-ds5100-40x10-ascii", 1, 40, 10, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-ds5100-20x5-ascii", 1, 20, 5, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-few-80x24-ascii", 3, 80, 24, GLYPHS_ASCII, COLOURS_MONO },
		{ "deck-refused-80x24-ascii", 4, 80, 24, GLYPHS_ASCII, COLOURS_MONO },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene e = scene(samples[rows[i].sample](), rows[i].columns, rows[i].rows,
				       rows[i].glyphs);

		draw(&e);
		golden_compare_in(&e.c, rows[i].colours, rows[i].name);
		done(&e);
	}
}

static void test_golden_help(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);

	(void)state;
	e.v->screen = SCREEN_HELP;
	for (int page = 0; page < screen_help_pages(&e.c, e.v); page++) {
		char name[32];

		e.v->help_page = page;
		draw(&e);
		snprintf(name, sizeof(name), "help-%d-80x24-ascii", page + 1);
		golden_compare(&e.c, name);
	}
	done(&e);
}

static void test_golden_picker(void **state)
{
	static struct preset_entry presets[] = {
		{ "asm", NULL, NULL },
		{ "ds5100", NULL, NULL },
		{ "ds5100-reboot", NULL, NULL },
		{ "hyperpav", NULL, NULL },
	};
	static struct step steps[] = { { .name = "depth 1" }, { .name = "depth 10" } };
	struct spec *spec = calloc(1, sizeof(*spec));
	struct scene e = scene(NULL, 80, 24, GLYPHS_ASCII);
	char title[] = "DS5100 queue depth", question[] = "Why sixteen times?";
	char note[] =
		"50 threads of 3200 would be five times the work done; 32000 requests were moved";
	char *notes[] = { note };

	(void)state;
	spec->title = title;
	spec->question = question;
	spec->note = notes;
	spec->n_note = 1;
	spec->step = steps;
	spec->n_steps = 2;
	spec->config.n_jobs = 1;
	snprintf(spec->config.job[0].name, SPEC_NAME, "vxbench");
	spec->config.job[0].rw = RW_RANDREAD;
	spec->config.job[0].bs_bytes = 8192;
	spec->config.job[0].numjobs = 50;
	spec->config.job[0].iodepth = 1;
	e.v->screen = SCREEN_PICKER;
	e.v->picker = (struct picker){
		.preset = presets, .n_presets = 4, .chosen = 1, .filter = "5", .spec = spec
	};
	assert_int_equal(picker_count(&e.v->picker), 2);
	draw(&e);
	golden_compare(&e.c, "picker-80x24-ascii");
	free(spec);
	done(&e);
}

static void test_golden_line(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);
	struct cursor cursor;

	(void)state;
	cmdline_open(&e.v->line, "set qd 4096");
	snprintf(e.v->line.error, sizeof(e.v->line.error), "qd 4096: 4096 is outside 1..1024");
	e.v->line.error_from = 7;
	e.v->line.error_to = 11;
	render(&e.c, e.s, e.v, &cursor);
	assert_int_equal(cursor.row, 22);
	assert_int_equal(cursor.column, 12);
	golden_compare(&e.c, "line-80x24-ascii");
	done(&e);
}

/* ---- states of a knob ---- */

static void test_knob_states(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);
	struct knob_view *qd = &e.s->knob[KNOB_QD];

	(void)state;
	e.v->asked[KNOB_QD] = (struct asked){ .waiting = true, .value = 32 };
	draw(&e);
	assert_has(&e.c, "d:QD >32?<");
	e.v->asked[KNOB_QD].waiting = false;
	qd->state = KNOB_PENDING;
	qd->asked = 32;
	draw(&e);
	assert_has(&e.c, "d:QD >10< 32 (at restart)");
	qd->state = KNOB_REFUSED;
	draw(&e);
	assert_has(&e.c, "d:QD >10< (32 refused)");
	qd->state = KNOB_CLAMPED;
	draw(&e);
	assert_has(&e.c, "d:QD >10< (asked 32)");
	done(&e);
}

static void test_unknown_is_a_dash(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);

	(void)state;
	e.s->iops = e.s->bytes_per_s = NAN;
	e.s->change_ratio = e.s->change_low = e.s->change_high = NAN;
	e.s->window[METRIC_TOTAL].p50_ns = NAN;
	draw(&e);
	assert_has(&e.c, "IOPS     -  -");
	assert_has(&e.c, "- MB/s");
	assert_has(&e.c, "p50    - (33.2)");
	done(&e);
}

/* 300 requests are enough for p95 (72), not for p99 (368): marked without colour, and grey. */
static void test_too_few_requests(void **state)
{
	struct scene e = scene(sample_few(), 80, 24, GLYPHS_ASCII);

	(void)state;
	draw(&e);
	assert_has(&e.c, "p95 3.86");
	assert_has(&e.c, "p99?5.28 (");
	assert_has(&e.c, "p99.9?6.70?(");
	e.s->window[METRIC_TOTAL].n = 0;
	draw(&e);
	assert_has(&e.c, "p99 5.28 (");
	e.s->window[METRIC_TOTAL].n = 3688;
	draw(&e);
	assert_has(&e.c, "p99.9 6.70?(");
	done(&e);
	e = scene(sample_few(), 20, 5, GLYPHS_ASCII);
	draw(&e);
	assert_has(&e.c, "p99?5.28 ms");
	done(&e);
	e = scene(sample_few(), 120, 60, GLYPHS_ASCII);
	e.v->table = true;
	e.s->silence = (struct silence_view){ 8, 93 * NS_PER_S };
	e.s->short_transfers = 4;
	draw(&e);
	assert_has(&e.c, "5.28 (unsure: 300 of 368 requests), before 86.3");
	assert_has(&e.c, "8 requests outstanding, oldest 93 s");
	assert_has(&e.c, "short");
	done(&e);
}

/* Whatever was said before by the engine, the age lives on in the message row. */
static void test_no_answer(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);

	(void)state;
	e.s->silence = (struct silence_view){ 8, 93 * NS_PER_S };
	draw(&e);
	assert_has(&e.c, "! no answer: 8 requests outstanding, oldest 93 s");
	assert_has(&e.c, "!8 out 93 s");
	snprintf(e.v->message, sizeof(e.v->message), "loop3 changed");
	e.v->message_acts = 99;
	draw(&e);
	assert_has(&e.c, "! no answer: 8 requests outstanding, oldest 93 s");
	e.v->message_bad = true;
	draw(&e);
	assert_has(&e.c, "! loop3 changed");
	assert_has(&e.c, "!8 out 93 s");
	e.v->message[0] = '\0';
	e.s->silence = (struct silence_view){ 0, 0 };
	draw(&e);
	assert_false(has(&e.c, "no answer"));
	done(&e);
}

/* What real figures rest on: marked where it is not as it should be, not by colour alone. */
static void test_what_real_figures_rest_on(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);

	(void)state;
	e.s->simulated = false;
	e.s->honest = (struct honest_view){ true, 7.9, 8, 0.38, 1.01 };
	draw(&e);
	assert_has(&e.c, "REAL depth 7.9 of 8 ");
	assert_has(&e.c, "own cpu 38%");
	assert_has(&e.c, "device below 101%");
	e.s->honest = (struct honest_view){ true, 1.2, 8, 0.97, 0.03 };
	draw(&e);
	assert_has(&e.c, "REAL depth 1.2 of 8!");
	assert_has(&e.c, "own cpu 97%!");
	assert_has(&e.c, "device below 3% cache?");
	e.s->honest = (struct honest_view){ true, 7.9, 0, 0.38, 1.5 };
	draw(&e);
	assert_has(&e.c, "REAL depth 7.9 ");
	assert_has(&e.c, "device below 150% others?");
	e.s->honest.below_share = NAN;
	draw(&e);
	assert_false(has(&e.c, "below"));
	e.s->honest.known = false;
	draw(&e);
	assert_false(has(&e.c, "REAL depth"));
	done(&e);
}

static void test_failed_and_short(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);

	(void)state;
	e.s->errors = 9;
	e.s->error[0] = (struct error_count){ EIO, 9 };
	draw(&e);
	assert_has(&e.c, "!9 EIO");
	assert_false(has(&e.c, "short"));
	e.s->error[1] = (struct error_count){ ENOSPC, 1 };
	e.s->errors = 10;
	e.s->short_transfers = 4;
	draw(&e);
	assert_has(&e.c, "!10 err");
	assert_has(&e.c, "!4 short");
	done(&e);
}

static void test_what_settling_waits_for(void **state)
{
	struct scene e = scene(sample_few(), 80, 24, GLYPHS_ASCII);

	(void)state;
	draw(&e);
	assert_has(&e.c, "2 QD 1>10 varies 7% (>3%)");
	e.s->settle.cv = NAN;
	draw(&e);
	assert_has(&e.c, "2 QD 1>10 no IOPS yet");
	e.s->settle.waited_s = 2;
	draw(&e);
	assert_has(&e.c, "2 QD 1>10 settling 2/3 s");
	done(&e);
}

static void test_message_and_news(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);

	(void)state;
	snprintf(e.v->message, sizeof(e.v->message), "something of the deck");
	e.v->message_acts = 3;
	draw(&e);
	assert_has(&e.c, "something of the deck");
	sample_act(e.s, ACT_NOTE, 900, "news from the engine");
	draw(&e);
	assert_has(&e.c, "news from the engine");
	assert_false(has(&e.c, "something of the deck"));
	done(&e);
}

static void test_real_is_not_called_simulated(void **state)
{
	struct scene e = scene(sample_ds5100(), 80, 24, GLYPHS_ASCII);

	(void)state;
	e.s->simulated = false;
	draw(&e);
	assert_has(&e.c, "REAL");
	assert_false(has(&e.c, "SIM"));
	done(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goldens),
		cmocka_unit_test(test_golden_help),
		cmocka_unit_test(test_golden_picker),
		cmocka_unit_test(test_golden_line),
		cmocka_unit_test(test_knob_states),
		cmocka_unit_test(test_unknown_is_a_dash),
		cmocka_unit_test(test_too_few_requests),
		cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_what_real_figures_rest_on),
		cmocka_unit_test(test_failed_and_short),
		cmocka_unit_test(test_what_settling_waits_for),
		cmocka_unit_test(test_message_and_news),
		cmocka_unit_test(test_real_is_not_called_simulated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
