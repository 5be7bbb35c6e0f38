/* Views 4 and 6, and every view as plain rows: pictures, what a lesson says when, how the log keeps, finds and drops. */
#include "golden.h"

#include "clock_text.h"
#include "entries.h"
#include "lesson_sample.h"
#include "steps.h"

static struct view *v;
static struct snapshot *s;
static struct event_log entries;
static struct canvas c;

static int set_up(void **state)
{
	(void)state;
	v = sample_view();
	s = lesson_snapshot(v);
	lesson_log(&entries, v, s);
	c = (struct canvas){ .glyphs = GLYPHS_ASCII };
	return canvas_resize(&c, 24, 80);
}

static int tear_down(void **state)
{
	(void)state;
	free(v);
	free(s);
	event_log_release(&entries);
	canvas_release(&c);
	return 0;
}

static bool has(const char *text)
{
	struct strbuf b = { 0 };
	bool found;

	render(&c, s, v, NULL);
	shot_text(&c, &b);
	found = strstr(b.text, text) != NULL;
	strbuf_release(&b);
	return found;
}

static void assert_shows(const char *text)
{
	struct strbuf b = { 0 };

	if (has(text))
		return;
	shot_text(&c, &b);
	fail_msg("'%s' is missing on:\n%s", text, b.text);
}

static void golden(const char *name)
{
	render(&c, s, v, NULL);
	golden_compare(&c, name);
}

/* ---- the lesson ---- */

static void test_lesson_pictures(void **state)
{
	(void)state;
	golden("steps-ask-80x24-ascii");
	lesson_played(v, s, 3);
	golden("steps-reveal-80x24-ascii");
	canvas_resize(&c, 43, 132);
	c.glyphs = GLYPHS_UTF8;
	golden("steps-reveal-132x43-utf8");
	c.glyphs = GLYPHS_ASCII;
	canvas_resize(&c, 10, 40);
	golden("steps-reveal-40x10-ascii");
	canvas_resize(&c, 5, 20);
	golden("steps-reveal-20x5-ascii");
}

/* Nothing of the answer is on the screen before the run. */
static void test_question_first(void **state)
{
	(void)state;
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_ASK);
	assert_shows("PREDICT  Ten aliases join");
	assert_shows("2  many of them move");
	assert_shows("Your answer: 1-4 locks it in and runs the step    s: skip");
	assert_shows("score 0/0");
	assert_false(has("second peak") || has("REVEAL") || has("1.41") || has("ghost bar"));
	/* locked in, running: still nothing */
	v->lesson.answer[1] = 3;
	s->at_end = s->paused = false;
	s->step = 1;
	s->step_length_ns = 60 * NS_PER_S;
	s->step_t_ns = 12 * NS_PER_S;
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_RUNS);
	assert_shows("RUNS  12 of 60 s");
	assert_shows("> 3  there are more of them");
	assert_shows("score 0/0");
	assert_false(has("second peak") || has("REVEAL") || has("1.41"));
	s->paused = true;
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_PAUSED);
	assert_shows("PAUSED  12 of 60 s");
	assert_false(has("RUNS"));
}

static void test_reveal(void **state)
{
	(void)state;
	lesson_played(v, s, 2);
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_DONE);
	assert_shows("REVEAL  2 is right: many of them move.  You: 2, right");
	assert_shows("+ share total 512us..1023us below 'no alias': found 0.18 and 0.46");
	assert_shows("+ iops vs 'no alias' between 1.38 and 1.45: found 1.41");
	assert_shows("A second peak appears");
	assert_shows("Look at the ghost bar.");
	assert_shows("score 1/1");
	lesson_played(v, s, 3);
	assert_shows("You: 3, not right");
	assert_shows("- 3: share total 512us..1023us above 'no alias': found 0.18 and 0.46");
	assert_shows("score 0/1");
	lesson_played(v, s, ANSWER_SKIPPED);
	assert_shows("You: skipped, not scored");
	assert_shows("score 0/0");
	assert_shows("1 skipped");
	lesson_played(v, s, ANSWER_NONE);
	assert_shows("You: not answered");
}

/* The bar of 0.5-1 ms, and no other, and only afterwards. */
static void test_marked_bar(void **state)
{
	int marks = 0, row_of_mark = -1;
	enum metric metric;
	uint32_t first, last;

	(void)state;
	assert_true(lesson_bar(lesson_step(&v->lesson), &metric, &first, &last));
	assert_int_equal(metric, METRIC_TOTAL);
	assert_int_equal(first, 8);
	assert_int_equal(last, 8);
	render(&c, s, v, NULL);
	for (int row = 1; row < 20; row++)
		assert_true(canvas_at(&c, row, 79)->ch != '<');
	lesson_played(v, s, 2);
	render(&c, s, v, NULL);
	for (int row = 1; row < 20; row++)
		if (canvas_at(&c, row, 79)->ch == '<') {
			marks++;
			row_of_mark = row;
		}
	assert_int_equal(marks, 1);
	assert_int_equal(canvas_at(&c, row_of_mark, 79)->role, ROLE_CHANGED);
	/* gone back to: what came out is known, but the charts are those of the time before */
	s->step = 0;
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_DONE);
	assert_shows("The clock stands before this step, and so do the charts");
	assert_false(has("space: the next step"));
	for (int row = 1; row < 20; row++)
		assert_true(canvas_at(&c, row, 79)->ch != '<');
	v->lesson.at = 0;
	assert_false(lesson_bar(lesson_step(&v->lesson), &metric, &first, &last));
}

/* What the engine told before it obeyed a GOTO is not believed; taken over and back. */
static void test_follow(void **state)
{
	(void)state;
	v->lesson.n_goto = 1;
	v->lesson.at = 2;
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_GOING);
	lesson_follow(&v->lesson, s);
	assert_int_equal(v->lesson.at, 2);
	s->n_goto = 1;
	s->step = 1;
	s->at_end = s->paused = false;
	lesson_follow(&v->lesson, s);
	assert_int_equal(v->lesson.at, 1);
	assert_false(v->lesson.place.at_end);
	s->seeking = true;
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_GOING);
	assert_shows("Playing the run anew up to there");
	s->seeking = s->straight = s->playing = false;
	s->t_ns += NS_PER_S;
	lesson_follow(&v->lesson, s);
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_AWAY);
	assert_shows("the lesson waits in step 2, 01:01");
	s->straight = s->playing = true;
	lesson_follow(&v->lesson, s);
	assert_int_equal(lesson_phase(&v->lesson, s), PHASE_RUNS);
	assert_int_equal(v->lesson.place.t_ns, 62 * NS_PER_S);
	/* sent to a time that is the end of a step: that step is looked at; sent to a step, the one it was sent to */
	s->step = 2;
	s->at_end = s->paused = true;
	lesson_follow(&v->lesson, s);
	assert_int_equal(v->lesson.at, 1);
	v->lesson.to_time = s->seeking = true;
	lesson_follow(&v->lesson, s);
	assert_int_equal(v->lesson.at, 1);
	s->seeking = false;
	lesson_follow(&v->lesson, s);
	assert_int_equal(v->lesson.at, 2);
}

/* ---- the log ---- */

static void test_log_pictures(void **state)
{
	(void)state;
	v->screen = v->behind = SCREEN_EVENTS;
	golden("events-80x24-ascii");
	v->events = (struct event_list){ .by_hand = true, .at = 3, .open = true };
	strcpy(v->found, "qd");
	golden("events-entry-80x24-ascii");
	canvas_resize(&c, 10, 40);
	golden("events-entry-40x10-ascii");
	canvas_resize(&c, 5, 20);
	golden("events-20x5-ascii");
}

static void test_log_takes_all_once(void **state)
{
	uint64_t n = entries.begun;
	int kinds[N_ENTRY_KINDS] = { 0 };

	(void)state;
	event_log_follow(&entries, s);
	assert_int_equal(entries.begun, n);
	for (uint64_t i = 0; i < n; i++) {
		kinds[event_log_at(&entries, i)->kind]++;
		if (i)
			assert_true(event_log_at(&entries, i)->t_ns >= event_log_at(&entries, i - 1)->t_ns);
	}
	assert_int_equal(kinds[ENTRY_STEP], 1);
	assert_int_equal(kinds[ENTRY_KNOB], 3);
	assert_int_equal(kinds[ENTRY_PATH], 1);
	assert_int_equal(kinds[ENTRY_SETTLE], 2);
	assert_int_equal(kinds[ENTRY_DECK], 2);
	/* a verdict that is refined stays one entry */
	s->act[2].ratio = 3;
	event_log_follow(&entries, s);
	assert_int_equal(entries.begun, n);
	/* acts that nobody saw are counted */
	s->act[0].number = 100;
	event_log_follow(&entries, s);
	assert_int_equal(entries.lost, 100 - 5 - 1);
	/* another run is another story */
	s->run++;
	event_log_follow(&entries, s);
	assert_string_equal(event_log_at(&entries, 0)->text, "the run was begun anew, with the same seed");
}

static void test_log_is_bounded(void **state)
{
	char text[32];
	uint64_t chosen;

	(void)state;
	v->screen = SCREEN_EVENTS;
	for (int i = 0; i < ENTRIES_KEPT + 500; i++) {
		snprintf(text, sizeof(text), "entry %d", i);
		event_log_add(&entries, 200 * NS_PER_S + i, false, text);
		if (i == 1000) { /* the position stays while entries arrive */
			assert_true(entries_chosen(v, &chosen) && chosen == entries.begun - 1);
			v->events.by_hand = true;
			v->events.at = entries.begun - 1;
		}
	}
	assert_true(entries_chosen(v, &chosen));
	assert_string_equal(event_log_at(&entries, chosen)->text, "entry 1000");
	assert_int_equal(entries.begun - event_log_first(&entries), ENTRIES_KEPT);
	assert_null(event_log_at(&entries, event_log_first(&entries) - 1));
	assert_shows("509 dropped");
	v->events.at = 0; /* gone: the oldest there is */
	assert_true(entries_chosen(v, &chosen));
	assert_int_equal(chosen, event_log_first(&entries));
}

static void test_filter_and_walk(void **state)
{
	uint64_t i, k;

	(void)state;
	v->screen = SCREEN_EVENTS;
	v->events.filter = 1 + ENTRY_KNOB;
	assert_shows("3 entries  filter knob");
	assert_true(entries_chosen(v, &i));
	assert_int_equal(event_log_at(&entries, i)->act, 4);
	assert_true(entries_walk(v, i, 1, &k));
	assert_int_equal(event_log_at(&entries, k)->act, 3);
	assert_true(entries_walk(v, k, 99, &k));
	assert_int_equal(event_log_at(&entries, k)->act, 2);
	assert_true(entries_walk(v, k, -99, &k));
	assert_int_equal(k, i);
	v->events.filter = 1 + ENTRY_OUTSIDE;
	assert_false(entries_chosen(v, &i));
	assert_shows("nothing of this kind so far");
}

/* ---- plain rows ---- */

/* Every row of every view: name first, no frame, no bar, the same order and number while values change. */
static void test_plain_rows(void **state)
{
	(void)state;
	canvas_resize(&c, 200, 200);
	v->table = true;
	for (int i = 0; i < N_SCREENS; i++) {
		int n;

		if (!view_table[i].table)
			continue;
		v->screen = v->behind = (enum screen_id)i;
		n = screen_table_count(s, v);
		assert_true(n > 5);
		s->iops *= 2;
		assert_int_equal(screen_table_count(s, v), n);
		s->iops /= 2;
		render(&c, s, v, NULL);
		for (int row = 1; row <= n; row++) {
			assert_true(canvas_at(&c, row, 0)->ch > ' ');
			for (int column = 0; column < 200; column++)
				assert_false(strchr("|#", (int)canvas_at(&c, row, column)->ch));
		}
	}
	v->screen = SCREEN_DECK;
	assert_shows("\nIOPS 24.6k per second\n");
	assert_shows("\nknob aliases 20, before 10\n");
	assert_shows("\nTOTAL p99 5.28, before 86.3 ms\n");
	v->screen = SCREEN_STEPS;
	assert_shows("\nanswer 2 many of them move\n");
	canvas_resize(&c, 24, 80);
	v->screen = SCREEN_DECK;
	v->table_first = 21;
	golden("table-deck-80x24-ascii");
}

static void test_clock(void **state)
{
	static const struct {
		const char *text;
		int64_t ms; /* -1: none */
	} rows[] = {
		{ "01:20", 80000 },  { "1:02:03", 3723000 }, { "00:00", 0 },  { "01:20.5", 80500 }, { "0:07.25", 7250 },
		{ "80s", 80000 },    { "1500ms", 1500 },     { "2m", 120000 }, { "3", -1 },	     { "", -1 },
		{ "01:60", -1 },     { "1:2:3:4", -1 },	     { ":20", -1 },    { "01:", -1 },	     { "01:20x", -1 },
		{ "01:20.", -1 },    { "-1s", -1 },	     { "depth 1", -1 },
	};
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool good = clock_parse(rows[i].text, &ns);

		if (good != (rows[i].ms >= 0) || (good && ns != rows[i].ms * NS_PER_MS))
			fail_msg("'%s': %s", rows[i].text, good ? "another time" : "not understood");
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_lesson_pictures), TEST(test_question_first),	    TEST(test_reveal),	       TEST(test_marked_bar),
		TEST(test_follow),	    TEST(test_log_pictures),	    TEST(test_log_takes_all_once), TEST(test_log_is_bounded),
		TEST(test_filter_and_walk), TEST(test_plain_rows),	    TEST(test_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
