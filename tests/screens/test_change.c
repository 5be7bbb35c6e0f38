/* A change in six steps, played on the model and looked at as text: asked, acknowledged, marked, compared with a ghost, judged,
 * undone. And what was not taken as asked: refused, clamped, pending each look different. */
#include "golden.h"

#include "model/play.h"
#include "preset.h"
#include "sample.h"

struct stage {
	struct spec *spec;
	struct engine *e;
	struct snapshot *s;
	struct view *v;
	struct canvas c;
	struct strbuf text;
};

static struct stage open_stage(const char *preset, int columns, int rows)
{
	struct engine_options o = { .backend = "model", .hold = true, .clock = clock_monotonic() };
	struct stage g = { .spec = play_load(preset, NULL), .s = calloc(1, sizeof(struct snapshot)), .v = sample_view() };

	g.e = engine_new(g.spec, &o, NULL);
	assert_non_null(g.e);
	assert_int_equal(canvas_resize(&g.c, rows, columns), 0);
	return g;
}

static void close_stage(struct stage *g)
{
	engine_free(g->e);
	spec_free(g->spec);
	free(g->s);
	free(g->v);
	canvas_release(&g->c);
	strbuf_release(&g->text);
}

static void look(struct stage *g, int64_t ns)
{
	assert_true(engine_run_until(g->e, engine_now(g->e) + ns, NULL) >= 0);
	engine_snapshot(g->e, g->s);
	render(&g->c, g->s, g->v, NULL);
	g->text.length = 0;
	shot_text(&g->c, &g->text);
}

static void has(struct stage *g, const char *text)
{
	if (!strstr(g->text.text, text))
		fail_msg("'%s' is missing on:\n%s", text, g->text.text);
}

static void has_not(struct stage *g, const char *text)
{
	if (strstr(g->text.text, text))
		fail_msg("'%s' is on:\n%s", text, g->text.text);
}

/* Cells with this character in this role. */
static int count(const struct stage *g, uint32_t ch, enum role role)
{
	int n = 0;

	for (int i = 0; i < g->c.rows * g->c.columns; i++)
		n += g->c.cell[i].ch == ch && g->c.cell[i].role == role;
	return n;
}

static void command(struct stage *g, enum command_type type, enum knob_id id, int64_t value)
{
	struct command c = { .type = type, .cause = CAUSE_KEY, .ref = { (uint8_t)id, 0 }, .value = value };

	engine_command(g->e, &c, NULL); /* a refusal is an act */
}

static void six_steps(int columns, int rows)
{
	struct stage g = open_stage("ds5100", columns, rows);

	look(&g, 10 * NS_PER_S);
	has_not(&g, "mark 1");
	/* 1: asked, and nobody has answered: the value with a question mark, reverse */
	g.v->asked[KNOB_QD] = (struct asked){ .waiting = true, .value = 10 };
	look(&g, 0);
	has(&g, ">10?<");
	assert_int_equal(count(&g, '?', ROLE_CHANGED), 1);
	/* 2: in effect; 3: its mark in both strips, on the axis and in the legend; 4: the ghost */
	g.v->asked[KNOB_QD].waiting = false;
	command(&g, COMMAND_SET, KNOB_QD, 10);
	look(&g, 500 * NS_PER_MS);
	has(&g, ">10<");
	assert_true(count(&g, '1', ROLE_CHANGED) >= 4 + 1); /* and the 1 of 10 */
	has(&g, " QD 1>10 settling");
	has(&g, "auto@00:10");
	assert_true(count(&g, ']', ROLE_BEFORE) >= 2);
	has(&g, "#2 qd 1>10 in effect (key, request 15");
	/* 5: judged */
	look(&g, 4 * NS_PER_S);
	has(&g, "QD 1>10 x16.4 [16.");
	has(&g, ")  IOPS x16.4 [16.");
	/* 6: undone, which is a mark itself */
	command(&g, COMMAND_UNDO, KNOB_QD, 0);
	look(&g, 500 * NS_PER_MS);
	has(&g, "QD 1>10 undone");
	has(&g, ">1<");
	has(&g, "#3 undo of #2: qd 10>1 in effect (key");
	assert_true(count(&g, '2', ROLE_CHANGED) >= 4);
	close_stage(&g);
}

static void test_six_steps(void **state)
{
	(void)state;
	six_steps(80, 24);
	six_steps(132, 43);
	six_steps(200, 50);
}

/* Steps of a key within 300 ms are one change with one mark. */
static void test_repeated_steps_are_one_mark(void **state)
{
	struct stage g = open_stage("ds5100", 80, 24);
	struct command c = { .type = COMMAND_SET, .cause = CAUSE_KEY, .ref = { KNOB_QD, 0 } };

	(void)state;
	look(&g, 5 * NS_PER_S);
	for (c.value = 2; c.value <= 8; c.value *= 2) {
		c.merge = c.value > 2;
		assert_int_equal(engine_command(g.e, &c, NULL), 0);
		look(&g, 100 * NS_PER_MS);
	}
	has(&g, "QD 1>8 settling");
	assert_int_equal(count(&g, '2', ROLE_CHANGED), 0);
	close_stage(&g);
}

static int marks(const struct stage *g)
{
	int n = 0;

	for (uint32_t i = 0; i < g->s->n_acts; i++)
		n += g->s->act[i].marker > 0;
	return n;
}

static void not_as_asked(const char *preset, int step, enum knob_id id, int64_t value, const char *list, const char *box, const char *log)
{
	for (int large = 0; large < 2; large++) {
		struct stage g = open_stage(preset, large ? 200 : 80, large ? 50 : 24);
		int before;

		command(&g, COMMAND_STEP, id, step);
		look(&g, NS_PER_S);
		before = marks(&g);
		command(&g, COMMAND_SET, id, value);
		look(&g, NS_PER_S);
		has(&g, large ? box : list);
		has(&g, log);
		assert_int_equal(marks(&g), before); /* nothing changed */
		close_stage(&g);
	}
}

static void test_not_as_asked(void **state)
{
	(void)state;
	not_as_asked("equallogic", 0, KNOB_IODEPTH, 1024, "o:DEPTH 1 (1024 refused)", "1024 refused", "! iodepth 1024 refused: job 'orion'");
	not_as_asked("ds5100-reboot", 0, KNOB_QD, 10, "d:QD >1< 10 (at restart)", "10 at restart", "qd asked 10, in effect 1 until the restart");
	not_as_asked("asm-em-bug", 1, KNOB_POWER, 11, "b:REBAL 1 (asked 11)", "asked 11", "power asked 11, in effect 1: EM bug");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_six_steps),
		cmocka_unit_test(test_repeated_steps_are_one_mark),
		cmocka_unit_test(test_not_as_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
