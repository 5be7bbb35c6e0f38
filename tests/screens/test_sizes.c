/* Every screen at any size, tier and state: no cell outside, no number cut, no character the tier
 * has not. */
#include "golden.h"

#include "base/rng.h"
#include "lesson_sample.h"
#include "views.h"

enum {
	GUARD = 64,
	WIDEST = 300,
	TALLEST = 100,
};
static struct cell room[WIDEST * TALLEST + 2 * GUARD];
static const struct cell guard_cell = { 0xdead, 0xaa };

/* ---- snapshots ---- */

static struct snapshot *all_zero(void) { return calloc(1, sizeof(struct snapshot)); }

static struct snapshot *all_unknown(void)
{
	struct snapshot *s = sample_ds5100();

	s->iops = s->bytes_per_s = s->change_ratio = s->change_low = s->change_high = NAN;
	s->speed = s->lag_s = s->settle.cv = s->settle.waited_s = NAN;
	for (int m = 0; m < N_METRICS; m++) {
		memset(&s->window[m], 0, sizeof(s->window[m]));
		s->window[m].p50_ns = s->window[m].p95_ns = s->window[m].p99_ns = NAN;
		s->window[m].p999_ns = s->window[m].mean_ns = NAN;
	}
	for (uint32_t i = 0; i < s->n_slices; i++)
		s->slice[i].p99_total_ms = NAN;
	return s;
}

static void huge_text(char *text, size_t room_for)
{
	for (size_t i = 0; i + 1 < room_for; i++)
		text[i] = "a1\033b2\x9b"
			  "33 "[i % 9];
	text[room_for - 1] = '\0';
}

static void huge_parts(struct snapshot *s)
{
	s->n_paths = SPEC_MAX_PATHS;
	for (uint32_t i = 0; i < s->n_paths; i++) {
		huge_text(s->path[i].name, sizeof(s->path[i].name));
		s->path[i].state = i % N_PATH_STATES;
		s->path[i].requests = UINT64_MAX / 3;
	}
	s->has_aliases = true;
	s->n_lcus = SNAPSHOT_LCUS;
	for (uint32_t i = 0; i < s->n_lcus; i++)
		s->lcu[i] = (struct lcu_view){ 1024, 4000000000u, 4000000000u, 4000000000u, 9 };
	s->n_members = SPEC_MAX_MEMBERS;
	for (uint32_t i = 0; i < s->n_members; i++)
		s->member_busy[i] = i % 2 ? NAN : 1e30f;
	s->work = (struct work_view){ UINT64_MAX, UINT64_MAX, UINT32_MAX, 1e18, 1e18, 1e18 };
}

static void huge_acts(struct snapshot *s)
{
	s->n_acts = SNAPSHOT_ACTS;
	for (uint32_t i = 0; i < s->n_acts; i++) {
		struct act *a = &s->act[i];

		*a = (struct act){ .number = UINT64_MAX,
				   .marker = 4000000000u - i,
				   .kind = i % 5,
				   .cause = i % N_CAUSES,
				   .t_ns = INT64_MAX,
				   .slice = UINT64_MAX - i,
				   .from = 0,
				   .to = INT64_MAX,
				   .asked = INT64_MAX,
				   .judged = i % 2,
				   .ratio = 1e300,
				   .ratio_low = -1e300,
				   .ratio_high = 1e300 };
		huge_text(a->text, sizeof(a->text));
	}
}

static struct snapshot *all_huge(void)
{
	struct snapshot *s = sample_ds5100();

	huge_text(s->preset, sizeof(s->preset));
	huge_text(s->step_name, sizeof(s->step_name));
	huge_text(s->question, sizeof(s->question));
	huge_text(s->caption, sizeof(s->caption));
	s->seed = UINT64_MAX;
	s->step = s->n_steps = UINT32_MAX - 1;
	s->playing = s->warming = true;
	s->speed = s->lag_s = 1e300;
	s->t_ns = s->step_t_ns = s->step_length_ns = s->before_t_ns = INT64_MAX;
	s->iops = s->bytes_per_s = s->transactions_per_s = 1e300;
	s->change_ratio = s->change_high = 1e300;
	s->requests = s->errors = s->redecided = UINT64_MAX;
	s->in_flight = s->waiting = UINT32_MAX;
	s->settle = (struct settle_view){ false, 1e300, 1e300, 1e300, 1e300 };
	for (int m = 0; m < N_METRICS; m++) {
		struct lat_view *v = &s->window[m];

		*v = (struct lat_view){ UINT64_MAX, 0, 1e30, 1e30, 1e30, 1e30, 1e30, 1e30, { 0 } };
		v->log2[0] = v->log2[31] = UINT64_MAX / 2;
	}
	s->first_slice = UINT64_MAX - SNAPSHOT_SLICES;
	s->n_slices = SNAPSHOT_SLICES;
	for (uint32_t i = 0; i < s->n_slices; i++)
		s->slice[i] = (struct slice){ UINT32_MAX, 0, UINT64_MAX, i % 3 ? 1e38f : 0, { 255, [31] = 255 } };
	for (int id = 0; id < N_KNOBS; id++)
		if (id != KNOB_PATH)
			sample_knob(s, (enum knob_id)id, INT64_MAX, INT64_MAX - 1, true);
	huge_parts(s);
	huge_acts(s);
	return s;
}

static struct snapshot *many_disks(void) { return sample_volume(RESULT_MAX_DISKS); }

/* Sixteen paths to as many members, one down, one standing by. */
static struct snapshot *many_paths(void)
{
	struct snapshot *s = sample_ds5100();

	s->n_paths = SPEC_MAX_PATHS;
	s->n_members = SPEC_MAX_MEMBERS;
	s->forwarded_share = 0.4987;
	for (uint32_t i = 0; i < s->n_paths; i++) {
		s->path[i] = (struct path_view){ .state = PATH_ACTIVE, .share = 1.0 / 14, .in_flight = 40 + i, .weight = 1 };
		snprintf(s->path[i].name, sizeof(s->path[i].name), "p%u", i);
		s->member_busy[i] = 0.3f + (float)i / 32;
	}
	s->n_jobs = SPEC_MAX_JOBS;
	for (uint32_t i = 1; i < s->n_jobs; i++) {
		s->job[i] = s->job[1];
		snprintf(s->job[i].name, sizeof(s->job[i].name), "reader%u", i);
	}
	s->path[5].state = PATH_FAILED;
	s->path[6].state = PATH_STANDBY;
	s->path[5].share = s->path[6].share = 0;
	return s;
}

static struct snapshot *(*const makers[])(void) = {
	sample_start,
	sample_ds5100,
	sample_aliases,
	sample_refused,
	many_disks,
	many_paths,
	all_zero,
	all_unknown,
	all_huge,
};
enum {
	N_SNAPSHOTS = sizeof(makers) / sizeof(makers[0]),
	FIRST_ODD = 6, /* from here on their numbers are not those of a run */
};

/* ---- one picture between guards ---- */

static struct canvas guarded(int columns, int rows, enum glyphs glyphs)
{
	int cells = rows * columns;

	for (int i = 0; i < GUARD; i++)
		room[i] = room[GUARD + cells + i] = guard_cell;
	return (struct canvas){ rows, columns, glyphs, room + GUARD };
}

static bool is_guard(const struct cell *c)
{
	return c->ch == guard_cell.ch && c->role == guard_cell.role;
}

static bool tier_has(enum glyphs glyphs, uint32_t ch)
{
	static const uint32_t lines[] = { 0x2500, 0x2502, 0x23ba, 0x23bb, 0x23bc, 0x23bd, 0x250c, 0x2510,
					  0x2514, 0x2518, 0x251c, 0x2524, 0x252c, 0x2534, 0x253c };

	if (ch >= 0x20 && ch < 0x7f)
		return true;
	if (glyphs == GLYPHS_ACS)
		for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
			if (lines[i] == ch)
				return true;
	return glyphs == GLYPHS_UTF8 && ch >= 0xa1 && ch <= 0x28ff;
}

static void check_picture(const struct canvas *c)
{
	int cells = c->rows * c->columns;

	for (int i = 0; i < GUARD; i++)
		if (!is_guard(&room[i]) || !is_guard(&room[GUARD + cells + i]))
			fail_msg("a cell outside of %dx%d was written", c->columns, c->rows);
	for (int i = 0; i < cells; i++)
		if (!tier_has(c->glyphs, c->cell[i].ch) || c->cell[i].role >= N_ROLES)
			fail_msg("%dx%d %s: U+%04X role %u", c->columns, c->rows,
				 glyphs_names[c->glyphs], c->cell[i].ch, c->cell[i].role);
}

static void draw(const struct snapshot *s, struct view *v, int columns, int rows,
		 enum glyphs glyphs)
{
	struct canvas c = guarded(columns, rows, glyphs);
	struct cursor cursor;

	render(&c, s, v, &cursor);
	check_picture(&c);
	assert_true(cursor.row < rows);
	assert_true(cursor.row < 0 || cursor.column <= columns);
}

static int next_size(int n, int dense, const int *further)
{
	if (n < dense)
		return n + 1;
	while (*further && *further <= n)
		further++;
	return *further;
}

static const int widths[] = { 59, 60, 61, 79, 80, 81, 119, 120, 132, 179, 180, 200, 299, 300, 0 };
static const int heights[] = { 30, 35, 36, 43, 47, 48, 50, 99, 100, 0 };

static void every_size(const struct snapshot *s, struct view *v)
{
	unsigned turn = 0;

	for (int rows = 1; rows; rows = next_size(rows, 25, heights))
		for (int columns = 1; columns; columns = next_size(columns, 45, widths))
			draw(s, v, columns, rows, (enum glyphs)(turn++ % N_GLYPHS));
}

/* Sizes nobody thought of; SEED=n draws others. */
static void test_drawn_sizes(void **state)
{
	const char *word = getenv("SEED");
	uint64_t seed = word ? strtoull(word, NULL, 10) : 42;
	struct rng r;

	(void)state;
	rng_init(&r, seed, 0);
	for (int i = 0; i < N_SNAPSHOTS; i++) {
		struct snapshot *s = makers[i]();
		struct view *v = sample_view();

		for (int n = 0; n < 100; n++) {
			int columns = 1 + (int)(rng_next(&r) % WIDEST);
			int rows = 1 + (int)(rng_next(&r) % TALLEST);

			v->knob = (int)(rng_next(&r) % N_KNOBS);
			v->asked[v->knob].waiting = n % 2;
			for (int glyphs = 0; glyphs < N_GLYPHS; glyphs++)
				draw(s, v, columns, rows, (enum glyphs)glyphs);
		}
		free(v);
		free(s);
	}
}

static void test_every_size(void **state)
{
	struct view *v = sample_view();

	(void)state;
	for (int i = 0; i < N_SNAPSHOTS; i++) {
		struct snapshot *s = makers[i]();

		every_size(s, v);
		free(s);
	}
	free(v);
}

static void test_other_screens_and_states(void **state)
{
	static struct preset_entry presets[2] = { { "ds5100-1234567890", NULL, NULL } };
	struct view *v = sample_view();
	struct snapshot *s = sample_aliases();

	(void)state;
	v->picker = (struct picker){ .preset = presets, .n_presets = 2, .chosen = 5 };
	snprintf(v->picker.error, sizeof(v->picker.error), "x.ini:12: [step] run = 1: has no unit");
	for (int screen = 0; screen < N_SCREENS; screen++)
		for (int line = 0; line < 2; line++) {
			v->screen = (enum screen_id)screen;
			v->line.open = line;
			v->help_page = 99;
			every_size(screen == SCREEN_DECK ? s : NULL, v);
		}
	free(s);
	free(v);
}

/* A lesson in all its phases, the log, and all of it as plain rows; with texts longer than any screen. */
static void test_lesson_and_log(void **state)
{
	struct view *v = sample_view();
	struct snapshot *s = lesson_snapshot(v), *huge = all_huge();
	struct event_log entries;

	(void)state;
	lesson_log(&entries, v, huge);
	v->events.open = true;
	for (int phase = 0; phase < 4; phase++) {
		if (phase == 1)
			lesson_played(v, s, 3);
		s->straight = phase != 2;
		v->lesson.away = phase == 2;
		v->lesson.n_goto = phase == 3;
		for (int screen = 0; screen < N_SCREENS; screen++)
			for (int table = 0; table < 2; table++) {
				v->screen = (enum screen_id)screen;
				v->table = table;
				v->table_first = 7 * table;
				every_size(phase == 1 ? huge : s, v);
			}
	}
	event_log_release(&entries);
	free(huge);
	free(s);
	free(v);
}

/* A line longer than the screen: the cursor stays on it. */
static void test_long_line(void **state)
{
	struct view *v = sample_view();
	struct snapshot *s = sample_ds5100();
	char text[LINE_MAX];

	(void)state;
	huge_text(text, sizeof(text));
	cmdline_open(&v->line, text);
	for (v->line.cursor = 0; v->line.cursor < v->line.length; v->line.cursor++)
		draw(s, v, 20, 5, GLYPHS_UTF8);
	free(s);
	free(v);
}

/* ---- numbers ---- */

enum {
	TOKENS = 4096,
	TOKEN = 72,
};
static char tokens[TOKENS][TOKEN];
static int n_tokens;

static bool is_figure(uint32_t ch)
{
	return ch < 128 && ch &&
	       strchr("0123456789.,%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", (int)ch);
}

static bool known(const char *token)
{
	for (int i = 0; i < n_tokens; i++)
		if (!strcmp(tokens[i], token))
			return true;
	return false;
}

/* The run of figures that ends at `column`, "" when it holds no digit. */
static void token_before(const struct canvas *c, int row, int column, char out[TOKEN])
{
	int start = column, n = 0;
	bool digit = false;

	while (start > 0 && is_figure(canvas_at(c, row, start - 1)->ch))
		start--;
	for (; start < column && n < TOKEN - 1; start++) {
		out[n] = (char)canvas_at(c, row, start)->ch;
		digit |= out[n] >= '0' && out[n] <= '9';
		n++;
	}
	out[digit ? n : 0] = '\0';
}

static void learn(const struct canvas *c)
{
	for (int row = 0; row < c->rows; row++)
		for (int i = 1; i <= c->columns; i++) {
			char token[TOKEN];
			bool end = i == c->columns || !is_figure(canvas_at(c, row, i)->ch);

			if (!end)
				continue;
			token_before(c, row, i, token);
			if (token[0] && !known(token) && n_tokens < TOKENS)
				strcpy(tokens[n_tokens++], token);
		}
}

/* Numbers at the right edge must be such as stand on a screen with room for all. */
static void numbers_are_whole(const struct snapshot *s, const struct view *v)
{
	n_tokens = 0;
	for (int rows = 1; rows <= TALLEST; rows++) {
		struct canvas c = guarded(WIDEST, rows, GLYPHS_ASCII);

		render(&c, s, v, NULL);
		learn(&c);
	}
	for (int rows = 1; rows; rows = next_size(rows, 25, heights))
		for (int columns = 1; columns < 140; columns++) {
			struct canvas c = guarded(columns, rows, GLYPHS_ASCII);

			render(&c, s, v, NULL);
			for (int row = 0; row < rows; row++) {
				char token[TOKEN];

				token_before(&c, row, columns, token);
				if (token[0] && !known(token))
					fail_msg("%s %dx%d row %d ends with '%s'", v->table ? "table" : view_table[v->screen].name, columns, rows, row,
						 token);
			}
		}
}

static void test_no_number_is_cut(void **state)
{
	struct view *v = sample_view();

	(void)state;
	for (int i = 0; i < FIRST_ODD; i++) {
		struct snapshot *s = makers[i]();

		numbers_are_whole(s, v);
		free(s);
	}
	free(v);
}

static void test_no_number_is_cut_elsewhere(void **state)
{
	struct view *v = sample_view();
	struct snapshot *s = lesson_snapshot(v);
	struct event_log entries;

	(void)state;
	lesson_log(&entries, v, s);
	v->events.open = true;
	for (int played = 0; played < 2; played++) {
		if (played)
			lesson_played(v, s, 3);
		for (int screen = 0; screen < N_SCREENS; screen++)
			for (int table = 0; table < 2; table++) {
				v->screen = (enum screen_id)screen;
				v->table = table;
				if (view_table[screen].number && screen != SCREEN_DECK)
					numbers_are_whole(s, v);
			}
	}
	event_log_release(&entries);
	free(s);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_drawn_sizes),
		cmocka_unit_test(test_other_screens_and_states),
		cmocka_unit_test(test_lesson_and_log),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_no_number_is_cut),
		cmocka_unit_test(test_no_number_is_cut_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
