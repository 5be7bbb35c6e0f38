/* The same frames through curses and a real terminal line, read back by libvterm, are the grid, cell
 * by cell: characters, attributes, colours, cursor. The child draws frames one after the other
 * through tui/terminal.c, each different from the one before, so that what curses leaves out is
 * proved as well; after each it sends a mark. The parent makes the same frames and compares at each
 * mark. */
#include "screens/golden.h"
#include "screens/sample.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/rng.h"
#include "pty.h"
#include "terminal.h"
#include "tty.h"

/* ---- frames: the same in both processes ---- */

struct frame {
	struct canvas grid;
	enum colours colours;
	int row, column; /* cursor */
};

static const struct {
	int columns, rows;
} sizes[] = {
	{ 80, 24 }, { 132, 43 }, { 40, 10 }, { 1, 1 },	 { 20, 5 },
	{ 2, 2 },   { 200, 50 }, { 5, 1 },   { 60, 15 }, { 80, 24 },
};

enum {
	N_SIZES = sizeof(sizes) / sizeof(sizes[0]),
	N_VIEWS = 10,
	N_RANDOM = 14,
	A_SIZE = N_VIEWS * N_GLYPHS + N_RANDOM,
	N_FRAMES = N_SIZES * A_SIZE,
};

static struct snapshot *(*const samples[])(void) = { sample_start, sample_ds5100, sample_aliases };

/* A screen as it would be drawn in some state. */
static void draw_view(struct frame *f, int which)
{
	struct snapshot *s = samples[which % 3]();
	struct view *v = sample_view();
	struct cursor cursor;

	v->knob = which % N_KNOBS;
	v->screen = which < 6 ? SCREEN_DECK : (enum screen_id)(which % N_SCREENS);
	v->help_page = which == 9;
	if (which == 5)
		cmdline_open(&v->line, "set qd 4096");
	snprintf(v->message, sizeof(v->message), which & 1 ? "names: \033]0;x\007 \x9b" : "");
	render(&f->grid, s, v, &cursor);
	f->row = cursor.row;
	f->column = cursor.column;
	free(s);
	free(v);
}

static uint32_t random_character(struct rng *r, enum glyphs glyphs)
{
	static const uint32_t lines[] = { 0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518,
					  0x251c, 0x2524, 0x252c, 0x2534, 0x253c, 0x2592,
					  0x23ba, 0x23bb, 0x23bc, 0x23bd };
	uint64_t pick = rng_next(r) % 8;

	if (pick < 3)
		return ' ';
	if (pick < 6 || glyphs == GLYPHS_ASCII)
		return (uint32_t)(' ' + rng_next(r) % 95);
	if (pick == 6 || glyphs == GLYPHS_ACS)
		return lines[rng_next(r) % 16];
	return rng_next(r) % 2 ? (uint32_t)(0x2800 + rng_next(r) % 256) : 0xe4;
}

/* Noise, runs and whole rows moved: what makes curses take its short cuts. */
static void draw_random(struct frame *f, int which, uint64_t seed)
{
	struct rng r;
	int cells = f->grid.rows * f->grid.columns;

	rng_init(&r, 7, seed / N_RANDOM);
	for (int i = 0; i < cells; i++) {
		uint32_t ch = random_character(&r, f->grid.glyphs);
		enum role role = (enum role)(rng_next(&r) % 40);

		role = role < N_ROLES ? role : i ? (enum role)f->grid.cell[i - 1].role
						 : ROLE_TEXT;
		f->grid.cell[i] = (struct cell){ ch, (uint8_t)role };
	}
	rng_init(&r, 9, seed);
	for (int i = 0; i < which * which && which < 8; i++)
		f->grid.cell[rng_next(&r) % (unsigned)cells] =
			(struct cell){ random_character(&r, f->grid.glyphs),
				       (uint8_t)(rng_next(&r) % N_ROLES) };
	if (which >= 8) /* the whole picture some cells or rows further */
		for (int i = 0; i < cells; i++)
			f->grid.cell[i] = f->grid.cell[(i + (which < 11 ? which - 7
									: (which - 10) * f->grid.columns)) %
						       cells];
	f->row = which % 3 ? -1 : which % f->grid.rows;
	f->column = which;
}

/* What terminal.c makes of a wish. */
static enum glyphs shown_glyphs(enum glyphs wish, bool unicode)
{
	return wish == GLYPHS_UTF8 && !unicode ? GLYPHS_ACS : wish;
}

static void make_frame(struct frame *f, int i, bool unicode)
{
	int size = i / A_SIZE, n = i % A_SIZE;

	canvas_resize(&f->grid, sizes[size].rows, sizes[size].columns);
	f->grid.glyphs = shown_glyphs((enum glyphs)((n + size) % N_GLYPHS), unicode);
	f->colours = (enum colours)(n / N_VIEWS % N_COLOURS);
	if (n < N_VIEWS * N_GLYPHS)
		draw_view(f, n / N_GLYPHS);
	else
		draw_random(f, n - N_VIEWS * N_GLYPHS, (uint64_t)i);
}

/* ---- the child ---- */

struct configuration {
	const char *term, *locale;
	enum colours most; /* of the terminal */
	bool hides;	   /* its cursor */
	const char *env;
};

static void set_size(int rows, int columns)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	ioctl(STDOUT_FILENO, TIOCSWINSZ, &size);
}

static void draw_frames(void *data)
{
	struct frame f = { 0 };
	struct err err;
	struct term *t = term_open(NULL, NULL, STDERR_FILENO, -1, &err);
	enum colours now = N_COLOURS;

	(void)data;
	for (int i = 0; t && i < N_FRAMES; i++) {
		int rows, columns;

		make_frame(&f, i, tty_unicode());
		if (term_limit_glyphs(t, f.grid.glyphs) != f.grid.glyphs)
			break;
		set_size(f.grid.rows, f.grid.columns);
		term_size(t, &rows, &columns);
		if (f.colours != now)
			term_set_colours(t, f.colours);
		now = f.colours;
		term_draw(t, &f.grid, f.row, f.column);
		tty_write((char[]){ PTY_MARK, 0 });
	}
	term_close(t);
	_exit(t ? 0 : 1);
}

/* ---- the comparison ---- */

struct comparison {
	const struct configuration *c;
	struct frame frame;
	int at, cells, different;
	char first[160]; /* what differs first */
};

static bool same_colour(VTermColor have, int want)
{
	if (want < 0)
		return VTERM_COLOR_IS_DEFAULT_FG(&have);
	return !VTERM_COLOR_IS_DEFAULT_FG(&have) && VTERM_COLOR_IS_INDEXED(&have) &&
	       have.indexed.idx == want;
}

/* Dim is not known to libvterm 0.1.4; the colour of a blank that is not reversed cannot be seen. */
static bool same_cell(const VTermScreenCell *have, const struct cell *want, enum colours colours)
{
	const struct style *style = &style_table[colours][want->role];
	uint32_t ch = have->chars[0] ? have->chars[0] : ' ';
	bool reverse = style->attrs & STYLE_REVERSE;

	if (ch != want->ch || have->attrs.reverse != reverse || have->attrs.underline ||
	    have->attrs.blink || !VTERM_COLOR_IS_DEFAULT_BG(&have->bg))
		return false;
	if (ch == ' ' && !reverse)
		return true;
	return have->attrs.bold == ((style->attrs & STYLE_BOLD) != 0) &&
	       same_colour(have->fg, style->colour);
}

static void compare_cells(struct comparison *k, const struct pty *p)
{
	const struct canvas *g = &k->frame.grid;
	enum colours colours = k->frame.colours < k->c->most ? k->frame.colours : k->c->most;

	for (int i = 0; i < g->rows * g->columns; i++) {
		VTermPos pos = { i / g->columns, i % g->columns };
		struct cell corner = { ' ', ROLE_TEXT }; /* the lower right one is never written */
		const struct cell *want =
			i == g->rows * g->columns - 1 ? &corner : &g->cell[i];
		VTermScreenCell have;

		vterm_screen_get_cell(p->screen, pos, &have);
		k->cells++;
		if (same_cell(&have, want, colours))
			continue;
		if (!k->different++)
			snprintf(k->first, sizeof(k->first),
				 "%s %s frame %d (%dx%d %s %s) row %d column %d: U+%04X, not U+%04X "
				 "role %d; reverse %d bold %d",
				 k->c->term, k->c->locale, k->at, g->columns, g->rows,
				 glyphs_names[g->glyphs], colours_names[colours], pos.row, pos.col,
				 have.chars[0], want->ch, want->role, have.attrs.reverse,
				 have.attrs.bold);
	}
}

static void compare_cursor(struct comparison *k, const struct pty *p)
{
	const struct frame *f = &k->frame;
	bool shown = f->row >= 0 || !k->c->hides;
	int row = f->row >= 0 ? f->row : f->grid.rows > 1 ? f->grid.rows - 2 : 0;
	int column = f->row < 0 ? 0 : f->column < f->grid.columns ? f->column : f->grid.columns - 1;
	VTermPos pos;

	vterm_state_get_cursorpos(vterm_obtain_state(p->vt), &pos);
	if (p->visible == shown && (!shown || (pos.row == row && pos.col == column)))
		return;
	if (!k->different++)
		snprintf(k->first, sizeof(k->first),
			 "%s %s frame %d: cursor at %d,%d (%s), not at %d,%d", k->c->term,
			 k->c->locale, k->at, pos.row, pos.col, p->visible ? "shown" : "hidden",
			 row, column);
}

static bool unicode(const struct configuration *c) { return strcmp(c->locale, "C") != 0; }

static void at_mark(struct pty *p, void *data)
{
	struct comparison *k = data;

	compare_cells(k, p);
	compare_cursor(k, p);
	k->at++;
	if (k->at >= N_FRAMES)
		return;
	make_frame(&k->frame, k->at, unicode(k->c));
	p->rows = k->frame.grid.rows;
	p->columns = k->frame.grid.columns;
	vterm_set_size(p->vt, p->rows, p->columns);
}

static void compare_all(const struct configuration *c, struct comparison *k, struct pty *p,
			void (*spoil)(struct frame *f))
{
	struct pty_options o = { .rows = sizes[0].rows, .columns = sizes[0].columns,
				 .term = c->term, .locale = c->locale,
				 .env = { c->env } };

	*k = (struct comparison){ .c = c };
	make_frame(&k->frame, 0, unicode(c));
	if (spoil)
		spoil(&k->frame);
	pty_start(p, &o, draw_frames, NULL);
	p->on_mark = at_mark;
	p->data = k;
	assert_true(pty_await_end(p, 120000));
}

static void finish(struct comparison *k, struct pty *p)
{
	canvas_release(&k->frame.grid);
	pty_stop(p);
}

static void test_glass_is_grid(void **state)
{
	static const struct configuration all[] = {
		{ "xterm-256color", "C.UTF-8", COLOURS_SAFE, true, NULL },
		{ "xterm-256color", "C", COLOURS_SAFE, true, NULL },
		{ "linux", "C.UTF-8", COLOURS_16, true, NULL },
		{ "linux", "C", COLOURS_16, true, NULL },
		{ "vt100", "C.UTF-8", COLOURS_MONO, false, NULL },
		{ "vt100", "C", COLOURS_MONO, false, NULL },
		{ "screen", "C.UTF-8", COLOURS_16, true, NULL },
		{ "screen", "C", COLOURS_16, true, NULL },
		{ "xterm-256color", "C.UTF-8", COLOURS_SAFE, true, "NCURSES_NO_UTF8_ACS=1" },
		{ "screen-256color", "C.UTF-8", COLOURS_SAFE, true, NULL },
	};
	struct comparison k;
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		compare_all(&all[i], &k, &p, NULL);
		printf("# %s %s: %d frames, %d cells, %zu bytes\n", all[i].term, all[i].locale,
		       k.at, k.cells, p.bytes);
		if (k.different)
			fail_msg("%d differ: %s", k.different, k.first);
		assert_int_equal(p.status, 0);
		assert_int_equal(k.at, N_FRAMES);
		if (!unicode(&all[i]))
			assert_false(p.high);
		finish(&k, &p);
	}
}

/* The comparison sees one wrong character and one wrong attribute. */
static void spoil_character(struct frame *f) { f->grid.cell[85].ch ^= 1; }
static void spoil_role(struct frame *f) { f->grid.cell[3].role = ROLE_TEXT; }
static void spoil_cursor(struct frame *f) { f->row = 1; }

static void test_comparison_sees(void **state)
{
	static const struct configuration c = { "xterm-256color", "C.UTF-8", COLOURS_SAFE, true, NULL };
	static void (*const spoils[])(struct frame *f) = { spoil_character, spoil_role,
							   spoil_cursor };
	struct comparison k;
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(spoils) / sizeof(spoils[0]); i++) {
		compare_all(&c, &k, &p, spoils[i]);
		assert_int_equal(k.different, 1);
		finish(&k, &p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glass_is_grid),
		cmocka_unit_test(test_comparison_sees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
