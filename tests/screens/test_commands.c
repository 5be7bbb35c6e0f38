/* The language of the `:` line: what is understood, what is refused and how, completion, editing,
 * history. */
#include "golden.h"

#include "keys.h"
#include "sample.h"

static struct step steps[] = { { .name = "depth 1" }, { .name = "depth 10" }, { .name = "3" } };
static struct preset_entry presets[] = { { "ds5100", NULL, NULL },
					 { "ds5100-reboot", NULL, NULL } };
static struct spec *spec;
static struct snapshot *snapshot;
static struct language lang;

static int set_up(void **state)
{
	(void)state;
	spec = calloc(1, sizeof(*spec));
	config_init(&spec->config);
	spec->config.n_jobs = 2;
	spec->config.job[0] = (struct job_spec){ .name = "vxbench", .iodepth = 1, .numjobs = 50 };
	spec->config.job[1] = (struct job_spec){ .name = "log", .iodepth = 1, .numjobs = 1 };
	spec->step = steps;
	spec->n_steps = 3;
	snapshot = sample_ds5100();
	lang = (struct language){ spec, snapshot, presets, 2, CAUSE_COMMAND };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(spec);
	free(snapshot);
	return 0;
}

static void test_understood(void **state)
{
	static const struct {
		const char *line;
		enum action_kind kind;
		enum command_type type;
		int knob, job;
		int64_t value;
		const char *text; /* of the command */
	} rows[] = {
		{ "", ACTION_NONE, 0, 0, 0, 0, "" },
		{ "   ", ACTION_NONE, 0, 0, 0, 0, "" },
		{ "set qd 10", ACTION_ENGINE, COMMAND_SET, KNOB_QD, 0, 10, "" },
		{ "  set   qd=10  ", ACTION_ENGINE, COMMAND_SET, KNOB_QD, 0, 10, "" },
		{ "set bs 64k", ACTION_ENGINE, COMMAND_SET, KNOB_BS, 0, 65536, "" },
		{ "set think 6ms", ACTION_ENGINE, COMMAND_SET, KNOB_THINK, 0, 6000000, "" },
		{ "set log.jobs 3", ACTION_ENGINE, COMMAND_SET, KNOB_JOBS, 1, 3, "" },
		{ "set path failover", ACTION_ENGINE, COMMAND_SET, KNOB_PATH, 0, 0, "" },
		{ "set path round-robin:10", ACTION_ENGINE, COMMAND_SET, KNOB_PATH, 0, INT64_C(1) << 32 | 10, "" },
		{ "fault path p1 down", ACTION_ENGINE, COMMAND_FAULT, 0, 0, 0, "path p1 down" },
		{ "fault path p0 up", ACTION_ENGINE, COMMAND_FAULT, 0, 0, 0, "path p0 up" },
		{ "weight p1 3", ACTION_ENGINE, COMMAND_FAULT, 0, 0, 0, "weight p1 3" },
		{ "play", ACTION_ENGINE, COMMAND_PLAY, 0, 0, 0, "" },
		{ "hold", ACTION_ENGINE, COMMAND_HOLD, 0, 0, 0, "" },
		{ "step depth 10", ACTION_ENGINE, COMMAND_STEP, 0, 0, 1, "" },
		{ "step 2", ACTION_ENGINE, COMMAND_STEP, 0, 0, 1, "" },
		{ "step 3", ACTION_ENGINE, COMMAND_STEP, 0, 0, 2, "" },
		{ "pause", ACTION_ENGINE, COMMAND_PAUSE, 0, 0, -1, "" },
		{ "speed max", ACTION_ENGINE, COMMAND_SPEED, 0, 0, 0, "" },
		{ "speed 0.5", ACTION_ENGINE, COMMAND_SPEED, 0, 0, 500, "" },
		{ "speed 100", ACTION_ENGINE, COMMAND_SPEED, 0, 0, 100000, "" },
		{ "reset", ACTION_ENGINE, COMMAND_RESET, 0, 0, 0, "" },
		{ "restart", ACTION_ENGINE, COMMAND_RESTART, 0, 0, 0, "" },
		{ "undo", ACTION_ENGINE, COMMAND_UNDO, 0, 0, 0, "" },
		{ "before", ACTION_ENGINE, COMMAND_KEEP, 0, 0, 1, "" },
		{ "before auto", ACTION_ENGINE, COMMAND_KEEP, 0, 0, 0, "" },
		{ "mark two words", ACTION_ENGINE, COMMAND_MARK, 0, 0, 0, "two words" },
		{ "help", ACTION_HELP, 0, 0, 0, 0, "" },
		{ "load", ACTION_LOAD, 0, 0, 0, 0, "" },
		{ "version", ACTION_VERSION, 0, 0, 0, 0, "" },
		{ "quit", ACTION_QUIT, 0, 0, 0, 0, "" },
	};
	struct err err;

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct action a;

		if (line_parse(rows[i].line, &lang, &a, NULL, &err))
			fail_msg("'%s': %s", rows[i].line, err.text);
		assert_int_equal(a.kind, rows[i].kind);
		assert_int_equal(a.command.type, rows[i].type);
		assert_int_equal(a.command.ref.id, rows[i].knob);
		assert_int_equal(a.command.ref.job, rows[i].job);
		assert_int_equal(a.command.value, rows[i].value);
		assert_string_equal(a.command.text, rows[i].text);
	}
}

static void test_with_texts(void **state)
{
	struct action a;

	(void)state;
	assert_int_equal(line_parse("load my folder/a b.ini", &lang, &a, NULL, NULL), 0);
	assert_string_equal(a.text, "my folder/a b.ini");
	assert_int_equal(line_parse("shot out.txt", &lang, &a, NULL, NULL), 0);
	assert_int_equal(a.kind, ACTION_SHOT);
	assert_string_equal(a.text, "out.txt");
	assert_int_equal(line_parse("glyphs acs", &lang, &a, NULL, NULL), 0);
	assert_int_equal(a.amount, GLYPHS_ACS);
	assert_int_equal(line_parse("glyphs", &lang, &a, NULL, NULL), 0);
	assert_int_equal(a.amount, -1);
	assert_int_equal(line_parse("colours mono", &lang, &a, NULL, NULL), 0);
	assert_int_equal(a.amount, COLOURS_MONO);
	assert_int_equal(line_parse("fault disk d2 fail", &lang, &a, NULL, NULL), 0);
	assert_string_equal(a.command.text, "disk d2 fail");
	assert_int_equal(line_parse("drop d5", &lang, &a, NULL, NULL), 0);
	assert_string_equal(a.command.text, "drop d5");
	assert_int_equal(line_parse("add d5", &lang, &a, NULL, NULL), 0);
	assert_string_equal(a.command.text, "add d5");
}

/* A refusal names what is allowed, and the word it is about. */
static void test_refused(void **state)
{
	static const struct {
		const char *line;
		int bad;
		const char *says;
	} rows[] = {
		{ "sett qd 10", 0, "nearest: set" },
		{ "xyzzy", 0, "unknown command 'xyzzy'" },
		{ "set", 0, "KNOB VALUE" },
		{ "set qd", 0, "KNOB VALUE" },
		{ "set qd 10 20", 3, "too many words" },
		{ "set qx 10", 1, "nearest: qd" },
		{ "set qd abc", 2, "qd abc" },
		{ "set qd 0", 2, "1..1024" },
		{ "set qd 4096", 2, "1..1024" },
		{ "set qd 10x", 2, "qd 10x" },
		{ "set qd 99999999999999999999", 2, "qd" },
		{ "set think 6", 2, "unit" },
		{ "set path nowhere", 2, "failover" },
		{ "set nobody.jobs 3", 1, "nobody" },
		{ "fault path p9 down", 2, "p0 p1" },
		{ "fault path p0 sideways", 3, "down or up" },
		{ "fault path", 0, "word is missing" },
		{ "weight p1", 0, "word is missing" },
		{ "weight p9 1", 1, "p0 p1" },
		{ "weight p0 0", 2, "1..1000" },
		{ "weight p0 1001", 2, "1..1000" },
		{ "weight p0 x", 2, "1..1000" },
		{ "step 4", 1, "1..3" },
		{ "step 0", 1, "1..3" },
		{ "step depth 9", 1, "depth" },
		{ "speed", 0, "N|max" },
		{ "speed fast", 1, "max" },
		{ "speed 0", 1, "0.001" },
		{ "speed 1e9", 1, "speed" },
		{ "play now", 1, "too many words" },
		{ "before sometimes", 1, "auto" },
		{ "glyphs runes", 1, "ascii, acs, utf8" },
		{ "colours red", 1, "mono, 16, safe" },
		{ "mark", 0, "word is missing" },
		{ "shot", 0, "FILE" },
		{ "quit \033[31m", 1, "too many words" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { "" };
		struct action a;
		int bad = -1;

		if (line_parse(rows[i].line, &lang, &a, &bad, &err) >= 0)
			fail_msg("'%s' was understood", rows[i].line);
		if (!strstr(err.text, rows[i].says))
			fail_msg("'%s': '%s' lacks '%s'", rows[i].line, err.text, rows[i].says);
		if (bad != rows[i].bad)
			fail_msg("'%s': word %d, not %d", rows[i].line, bad, rows[i].bad);
	}
}

static void test_without_a_preset(void **state)
{
	struct language nothing = { .cause = CAUSE_COMMAND };
	struct err err;
	struct action a;
	char line[64] = "step ", hint[64];

	(void)state;
	assert_true(line_parse("step 1", &nothing, &a, NULL, &err) < 0);
	assert_int_equal(line_parse("set qd 10", &nothing, &a, NULL, &err), 0);
	assert_false(line_complete(line, sizeof(line), &nothing, hint, sizeof(hint)));
}

static void test_completion(void **state)
{
	static const struct {
		const char *line, *becomes, *hint;
	} rows[] = {
		{ "", "", "set" },
		{ "fa", "fault ", "" },
		{ "re", "re", "return" },
		{ "rest", "restart ", "" },
		{ "answer s", "answer skip ", "" },
		{ "view st", "view steps ", "" },
		{ "set q", "set qd ", "" },
		{ "set l", "set log.", "log.jobs" },
		{ "set path f", "set path failover ", "" },
		{ "set path ", "set path ", "failover  round-robin:1000  queue-length  service-time  page-owner" },
		{ "step d", "step depth 1", "depth 10" },
		{ "step depth 10", "step depth 10 ", "" },
		{ "load d", "load ds5100", "ds5100-reboot" },
		{ "fault ", "fault path ", "" },
		{ "fault path ", "fault path p", "p0  p1" },
		{ "fault path p0 d", "fault path p0 down ", "" },
		{ "glyphs a", "glyphs a", "ascii  acs" },
		{ "before ", "before auto ", "" },
		{ "speed m", "speed max ", "" },
		{ "zz", "zz", "nothing begins with 'zz'" },
		{ "play ", "play ", "nothing" },
		{ "xyz abc", "xyz abc", "nothing" },
		{ "mark a", "mark a", "nothing" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char line[64], hint[256];

		snprintf(line, sizeof(line), "%s", rows[i].line);
		line_complete(line, sizeof(line), &lang, hint, sizeof(hint));
		if (strcmp(line, rows[i].becomes) || !strstr(hint, rows[i].hint))
			fail_msg("'%s' became '%s' with '%s'", rows[i].line, line, hint);
	}
}

/* ---- the line being edited ---- */

static struct cmdline line;

static enum cmdline_result type(const char *text)
{
	enum cmdline_result result = CMDLINE_EDITING;
	struct action a;

	for (; *text; text++)
		result = cmdline_key(&line, (unsigned char)*text, &lang, &a);
	return result;
}

static enum cmdline_result press(int key)
{
	struct action a;

	return cmdline_key(&line, key, &lang, &a);
}

static void test_editing(void **state)
{
	(void)state;
	memset(&line, 0, sizeof(line));
	cmdline_open(&line, "set ");
	type("qq");
	press(KEY_BACK);
	type("d 10");
	assert_string_equal(line.text, "set qd 10");
	press(KEY_LINE_HOME);
	press(KEY_DELETE);
	type("S");
	assert_string_equal(line.text, "Set qd 10");
	press(KEY_LINE_END);
	press(KEY_ARROW_LEFT);
	press(KEY_BACK);
	assert_string_equal(line.text, "Set qd 0");
	press(KEY_CTRL_U);
	assert_string_equal(line.text, "0");
	press(0xe4); /* a umlaut: two bytes, one step */
	assert_int_equal(line.length, 3);
	press(KEY_BACK);
	assert_string_equal(line.text, "0");
	press(KEY_ESC);
	assert_false(line.open);
}

static void test_too_long(void **state)
{
	(void)state;
	cmdline_open(&line, "");
	for (int i = 0; i < 1000; i++)
		press('a');
	assert_true(line.length < LINE_MAX);
	assert_int_equal(strlen(line.text), line.length);
	press(KEY_TAB);
	assert_int_equal(strlen(line.text), line.length);
}

static void test_history(void **state)
{
	(void)state;
	memset(&line, 0, sizeof(line));
	cmdline_open(&line, "");
	type("play");
	assert_int_equal(press(KEY_RETURN), CMDLINE_ENTERED);
	cmdline_open(&line, "");
	type("set qd 10");
	assert_int_equal(press(KEY_RETURN), CMDLINE_ENTERED);
	assert_false(line.open);
	cmdline_open(&line, "");
	press(KEY_ARROW_UP);
	assert_string_equal(line.text, "set qd 10");
	press(KEY_ARROW_UP);
	press(KEY_ARROW_UP);
	assert_string_equal(line.text, "play");
	press(KEY_ARROW_DOWN);
	press(KEY_ARROW_DOWN);
	assert_string_equal(line.text, "");
	for (int i = 0; i < 3 * LINE_HISTORY; i++) {
		char text[32];

		snprintf(text, sizeof(text), "step %d", 1 + i % 3);
		cmdline_open(&line, text);
		press(KEY_RETURN);
	}
	assert_true(line.n_history <= LINE_HISTORY);
}

static void test_error_stays(void **state)
{
	(void)state;
	memset(&line, 0, sizeof(line));
	cmdline_open(&line, "set qd 4096");
	assert_int_equal(press(KEY_RETURN), CMDLINE_EDITING);
	assert_true(line.open);
	assert_non_null(strstr(line.error, "1..1024"));
	assert_int_equal(line.error_from, 7);
	assert_int_equal(line.error_to, 11);
	press(KEY_BACK); /* typing on takes the error away */
	assert_string_equal(line.error, "");
	cmdline_fail(&line, "the engine said no");
	assert_true(line.open);
	assert_string_equal(line.error, "the engine said no");
}

static void test_tab(void **state)
{
	(void)state;
	memset(&line, 0, sizeof(line));
	cmdline_open(&line, "se");
	press(KEY_TAB);
	assert_string_equal(line.text, "set ");
	press(KEY_TAB);
	assert_non_null(strstr(line.hint, "qd"));
	type("q");
	press(KEY_TAB);
	assert_string_equal(line.text, "set qd ");
	assert_int_equal(line.cursor, 7);
	assert_int_equal(line.length, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_understood),
		cmocka_unit_test(test_with_texts),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_without_a_preset),
		cmocka_unit_test(test_completion),
		cmocka_unit_test(test_editing),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_error_stays),
		cmocka_unit_test(test_tab),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
