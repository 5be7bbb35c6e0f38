/* What UI.md wants on the screen from 80x24 up, value by value, at every size class and tier. The snapshots have a number of
 * its own for each value, so that finding it means that it is shown. */
#include "golden.h"

#include "sample.h"

enum { TEXT_MAX = 300 * 100 * 4 };

/* The screen's text with runs of blanks as one, so that columns may stand where they like. */
static char *text_of(const struct canvas *c)
{
	struct strbuf b = { 0 };
	char *out = calloc(1, TEXT_MAX);
	size_t n = 0;

	shot_text(c, &b);
	for (size_t i = 0; i < b.length && n + 1 < TEXT_MAX; i++)
		if (b.text[i] != ' ' || !n || out[n - 1] != ' ')
			out[n++] = b.text[i];
	strbuf_release(&b);
	return out;
}

/* A value and how it is written: in the list form, and in the large form where that is another. */
struct value {
	const char *name, *text, *large;
};

static const struct value general[] = {
	{ "run state", "HELD 1/9", NULL },
	{ "clock", "01:31", NULL },
	{ "seed", "seed 42", NULL },
	{ "simulated", "SIM x1", NULL },
	{ "baseline's name", "auto@01:04", NULL },
	{ "preset", "ds5100", NULL },
	{ "knob chosen, in effect", ">10<", NULL },
	{ "knob's value before", "(1)", "was 1" },
	{ "knob without effect", "a:ALIAS -", "a:ALIAS" },
	{ "path policy", "p:PATH failover", " failover" },
	{ "depth", "o:DEPTH 1", "o:DEPTH" },
	{ "jobs", "t:JOBS 50", " 50" },
	{ "block size", "s:BS 8KiB", " 8KiB" },
	{ "mix", "m:MIX 100", " 100" },
	{ "think time", "i:THINK 0", "i:THINK" },
	{ "rate", "e:RATE 0", "e:RATE" },
	{ "IOPS", "IOPS 24.6k", NULL },
	{ "change with interval", "x16.4 [16.3,16.5]", NULL },
	{ "MB/s", "202 MB/s", "MB/s 202" },
	{ "p50 and before", "p50 2.03 (33.2)", "p50 2.03 33.2" },
	{ "p95 and before", "p95 3.86 (63.1)", "p95 3.86 63.1" },
	{ "p99 and before", "p99 5.28 (86.3)", "p99 5.28 86.3" },
	{ "p99.9 and before", "p99.9 6.70 ( 110)", "p99.9 6.70 110" },
	{ "in flight", "in flight 10", NULL },
	{ "waiting", "waiting 40", NULL },
	{ "maximum of the IOPS strip", " 25k", NULL },
	{ "maximum of the p99 strip", "50 ms", NULL },
	{ "mark and its result", "2 QD 1>10 x16.4", NULL },
	{ "mark undone", "1 QD 1>2 undone", NULL },
	{ "TOTAL and its count", "TOTAL ms n=123k", NULL },
	{ "DEVICE and its count", "DEVICE ms n=123k", NULL },
	{ "share now and before", "0%(52)", NULL },
	{ "work done", "WORK 45%", NULL },
	{ "last round", "last 1.29 s", NULL },
	{ "CPU, fitted", "cpu 0.93 sys 0.14 user (fitted)", NULL },
	{ "last message", "#3 qd 1>10 in effect", NULL },
	{ "help first", "?:help", NULL },
	{ NULL, NULL, NULL },
};

static const struct value scsi[] = {
	{ "path active by letter", "p0+100%", "p0 + 100%" },
	{ "path standing by", "p1- 0%", "p1 - 0%" },
	{ NULL, NULL, NULL },
};

static const struct value dasd[] = {
	{ "playing", "PLAY 3/9", NULL },
	{ "baseline kept by hand", "A@01:04", NULL },
	{ "change in per cent", "+43% [39,47]", NULL },
	{ "aliases and before", "a:ALIAS 20 (10)", "was 10" },
	{ "third mark", "3 ALIAS 10>20 +43%", NULL },
	{ "fault as a mark", "4 path p3 down", NULL },
	{ "settling", "settling 2/3 s", NULL },
	{ "failed path by sign and word", "p3!DOWN", "p3 !DOWN" },
	{ "aliases used of total", "LCU0 7/10", NULL },
	{ "all used", "LCU1 10/10", NULL },
	{ "waiting for an alias", "wait 3", NULL },
	{ "waiting in the other", "wait 12", NULL },
	{ "redecided", "redecided 214", NULL },
	{ "caption", "Until now one request", NULL },
	{ "end of the caption", "aliases.", NULL },
	{ "last message", "#5 path p3 down", NULL },
	{ NULL, NULL, NULL },
};

static const struct value volume[] = {
	{ "power and before", "b:REBAL 4 (0)", "was 0" },
	{ "disk online by sign", "d1/g1+ 40%", NULL },
	{ "disk failed by sign and word", "d3/g2!failed", NULL },
	{ "disk that leaves", "d4/g2~ 43%", NULL },
	{ "rebalance state", "REBAL RUN", NULL },
	{ "rebalance done", "46%", NULL },
	{ "time left", "ETA 1m02s", NULL },
	{ "units moved", "437/950 AU", NULL },
	{ "power in effect", "power 4", NULL },
	{ NULL, NULL, NULL },
};

static bool is_large(const struct canvas *c) { return c->columns >= 120 && c->rows >= 36; }

static void check(const struct canvas *c, const char *text, const struct value *v)
{
	for (; v->name; v++) {
		const char *want = v->large && c->columns >= 120 ? v->large : v->text;
		bool found = strstr(text, want) || (v->large && !is_large(c) && strstr(text, v->text));

		if (!found)
			fail_msg("%s ('%s') is missing at %dx%d %s:\n%s", v->name, want, c->columns, c->rows,
				 glyphs_names[c->glyphs], text);
	}
}

static void check_sizes(struct snapshot *s, const struct value *values, const struct value *more)
{
	static const int sizes[][2] = {
		{ 80, 24 },
		{ 81, 25 },
		{ 100, 30 },
		{ 119, 35 },
		{ 120, 24 },
		{ 120, 36 },
		{ 80, 36 },
		{ 132, 43 },
		{ 80, 48 },
		{ 120, 48 },
		{ 179, 47 },
		{ 180, 48 },
		{ 200, 30 },
		{ 200, 50 },
		{ 300, 100 },
	};
	struct view *v = sample_view();

	for (unsigned k = 0; k < sizeof(sizes) / sizeof(sizes[0]) * N_GLYPHS; k++) {
		struct canvas c = { .glyphs = (enum glyphs)(k % N_GLYPHS) };
		char *text;

		assert_int_equal(canvas_resize(&c, sizes[k / N_GLYPHS][1], sizes[k / N_GLYPHS][0]), 0);
		render(&c, s, v, NULL);
		text = text_of(&c);
		check(&c, text, values);
		if (more)
			check(&c, text, more);
		free(text);
		canvas_release(&c);
	}
	free(s);
	free(v);
}

static void test_scsi(void **state)
{
	(void)state;
	check_sizes(sample_ds5100(), general, scsi);
}

static void test_dasd(void **state)
{
	(void)state;
	check_sizes(sample_aliases(), dasd, NULL);
}

static void test_volume(void **state)
{
	(void)state;
	check_sizes(sample_volume(5), volume, NULL);
}

/* A queue of five digits is still there. */
static void test_long_queue(void **state)
{
	static const struct value values[] = { { "in flight", "in flight 65536", "in flight 65.5k" },
					       { "waiting", "waiting 27345", "waiting 27.3k" },
					       { NULL, NULL, NULL } };
	struct snapshot *s = sample_ds5100();

	(void)state;
	s->in_flight = 65536;
	s->waiting = 27345;
	check_sizes(s, values, NULL);
}

/* Further jobs are named with what they have of their own, or counted. */
static void test_jobs(void **state)
{
	struct view *v = sample_view();

	(void)state;
	for (uint32_t n = 1; n <= SPEC_MAX_JOBS; n++) {
		struct snapshot *s = sample_ds5100();
		struct canvas c = { .glyphs = GLYPHS_ASCII };
		char *text, more[32];

		s->n_jobs = n;
		for (uint32_t i = 2; i < n; i++)
			s->job[i] = s->job[1];
		assert_int_equal(canvas_resize(&c, 43, 132), 0);
		render(&c, s, v, NULL);
		text = text_of(&c);
		assert_true(!strstr(text, "dbwr: JOBS 3 THINK 12ms") == (n == 1));
		snprintf(more, sizeof(more), "and %u more", n - 4);
		assert_true(!strstr(text, n > 4 ? more : "and 0 more") == (n <= 4));
		free(text);
		canvas_release(&c);
		free(s);
	}
	free(v);
}

/* A rebalance that waits says why, to the end of the sentence. */
static void test_stalled(void **state)
{
	static const struct value values[] = { { "stalled", "stalled", NULL },
					       { "state", "REBAL WAIT", NULL },
					       { "disk that hangs", "!HUNG", NULL },
					       { "reason", "d12 cannot be dropped:", NULL },
					       { "its end", "elsewhere", NULL },
					       { NULL, NULL, NULL } };
	struct snapshot *s = sample_volume(5);

	(void)state;
	s->disk[2].state = "HUNG";
	s->rebalance.state = "WAIT";
	s->rebalance.stalled = true;
	s->rebalance.est_minutes = NAN;
	snprintf(s->rebalance.reason, sizeof(s->rebalance.reason),
		 "d12 cannot be dropped: some of its copies cannot be read, or not be written elsewhere");
	check_sizes(s, values, NULL);
}

/* The switch: without its value each of them is missed. */
static void test_a_missing_value_is_found_out(void **state)
{
	struct snapshot *s = sample_ds5100();
	struct view *v = sample_view();
	struct canvas c = { .glyphs = GLYPHS_ASCII };
	char *text;

	(void)state;
	s->seed = 43;
	s->in_flight = 11;
	s->window[METRIC_TOTAL].p95_ns = 1;
	assert_int_equal(canvas_resize(&c, 24, 80), 0);
	render(&c, s, v, NULL);
	text = text_of(&c);
	for (const struct value *value = general; value->name; value++)
		if (!strcmp(value->name, "seed") || !strcmp(value->name, "in flight") ||
		    !strcmp(value->name, "p95 and before"))
			assert_null(strstr(text, value->text));
	free(text);
	canvas_release(&c);
	free(s);
	free(v);
}

/* Any number of disks: each is named, or all are counted and those that need a look named. */
static void test_disks_are_counted_not_cut(void **state)
{
	struct view *v = sample_view();

	(void)state;
	for (uint32_t n = 4; n <= RESULT_MAX_DISKS; n++)
		for (int wide = 0; wide < 2; wide++) {
			struct snapshot *s = sample_volume(n);
			struct canvas c = { .glyphs = GLYPHS_UTF8 };
			char *text, last[16], count[32];

			snprintf(last, sizeof(last), "d%u", n);
			snprintf(count, sizeof(count), "%u +online", n - 2);
			assert_int_equal(canvas_resize(&c, wide ? 43 : 24, wide ? 132 : 80), 0);
			render(&c, s, v, NULL);
			text = text_of(&c);
			if (!strstr(text, count) && !strstr(text, last))
				fail_msg("%u disks: neither '%s' nor '%s':\n%s", n, count, last, text);
			if (!strstr(text, "!failed") || !strstr(text, "~"))
				fail_msg("%u disks: those in trouble are missing:\n%s", n, text);
			free(text);
			canvas_release(&c);
			free(s);
		}
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scsi),
		cmocka_unit_test(test_dasd),
		cmocka_unit_test(test_volume),
		cmocka_unit_test(test_stalled),
		cmocka_unit_test(test_long_queue),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_a_missing_value_is_found_out),
		cmocka_unit_test(test_disks_are_counted_not_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
