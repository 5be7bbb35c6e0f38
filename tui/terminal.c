#include "terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <curses.h>

#include "base/text.h"
#include "escape.h"
#include "guard.h"
#include "keys.h"
#include "terminfo.h"
#include "tty.h"

enum {
	CODE_PASTE_BEGIN = KEY_MAX + 1,
	CODE_PASTE_END = KEY_MAX + 2,
};

struct term {
	SCREEN *screen;
	struct termios modes; /* as they were */
	enum glyphs glyphs;
	enum colours colours;
	bool paste, can_hide;
	struct canvas shown; /* what the terminal shows */
	enum role role;	     /* attributes set in curses, N_ROLES: unknown */
	struct escape escape;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* ---- colours ---- */

/* What the terminal can show at most. */
static enum colours most_colours(void)
{
	if (!has_colors() || *tty_env("NO_COLOR"))
		return COLOURS_MONO;
	return COLORS >= 256 ? COLOURS_SAFE : COLORS >= 8 ? COLOURS_16
							  : COLOURS_MONO;
}

static enum colours limit_colours(enum colours wish)
{
	if (!has_colors() || COLORS < 8)
		return COLOURS_MONO;
	return wish == COLOURS_SAFE && COLORS < 256 ? COLOURS_16 : wish;
}

static enum colours start_colours(const char *wish)
{
	if (has_colors() && (start_color() != OK || use_default_colors() != OK))
		return COLOURS_MONO;
	for (int i = 0; wish && i < N_COLOURS; i++)
		if (!strcmp(wish, colours_names[i]))
			return limit_colours((enum colours)i);
	return most_colours();
}

/* Pairs are numbered by role. */
static void set_pairs(enum colours colours)
{
	for (int role = 0; colours != COLOURS_MONO && role < N_ROLES; role++)
		if (style_table[colours][role].colour >= 0)
			init_pair((short)(role + 1), style_table[colours][role].colour, -1);
}

enum colours term_set_colours(struct term *t, enum colours wish)
{
	wish = limit_colours(wish);
	t->colours = wish;
	set_pairs(wish);
	term_repaint(t);
	return wish;
}

/* ---- the way back ---- */

static void arm_guard(const struct term *t, int err_fd)
{
	static const char paste_off[] = "\033[?2004l";
	char restore[256];
	size_t n = terminfo_restore(restore, sizeof(restore) - sizeof(paste_off));

	if (t->paste) {
		memcpy(restore + n, paste_off, sizeof(paste_off) - 1);
		n += sizeof(paste_off) - 1;
	}
	guard_arm(restore, n, &t->modes, STDOUT_FILENO, err_fd);
}

/* ---- opening and closing ---- */

static void set_input(void)
{
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	idlok(stdscr, FALSE);
	leaveok(stdscr, FALSE);
	if (!*tty_env("ESCDELAY"))
		set_escdelay(*tty_env("SSH_CONNECTION") ? 200 : 50);
}

static void set_paste(struct term *t)
{
	static const char *const able[] = { "xterm", "screen", "tmux", "rxvt",
					    "foot", "alacritty", "kitty", NULL };

	t->paste = tty_term_is(able);
	if (!t->paste)
		return;
	define_key("\033[200~", CODE_PASTE_BEGIN);
	define_key("\033[201~", CODE_PASTE_END);
	tty_write("\033[?2004h");
}

struct term *term_open(const char *glyphs, const char *colours, int err_fd, struct err *err)
{
	struct term *t = calloc(1, sizeof(*t));

	setlocale(LC_CTYPE, "");
	if (!t || tcgetattr(STDOUT_FILENO, &t->modes)) {
		free(t);
		err_set(err, -ENOTTY, "the terminal does not tell its modes");
		return NULL;
	}
	use_env(FALSE); /* LINES and COLUMNS must not pin the size */
	use_tioctl(TRUE);
	t->screen = newterm(NULL, stdout, stdin);
	if (!t->screen) {
		free(t);
		err_set(err, -ENOTTY, "curses does not take TERM=%s; use: iodeck run PRESET",
			tty_env("TERM"));
		return NULL;
	}
	set_input();
	t->can_hide = curs_set(0) != ERR;
	t->glyphs = tty_glyphs(glyphs, terminfo_has("acsc"));
	t->colours = start_colours(colours);
	set_pairs(t->colours);
	set_paste(t);
	arm_guard(t, err_fd);
	term_repaint(t);
	return t;
}

void term_close(struct term *t)
{
	if (!t)
		return;
	if (t->paste)
		tty_write("\033[?2004l");
	endwin();
	if (!terminfo_has("rmcup")) /* the picture stays: go below it */
		tty_write("\r\n");
	guard_disarm();
	signal(SIGINT, SIG_DFL); /* newterm has put handlers of its own, which leave with status 1 */
	signal(SIGTERM, SIG_DFL);
	delscreen(t->screen);
	canvas_release(&t->shown);
	free(t);
}

enum glyphs term_glyphs(const struct term *t) { return t->glyphs; }

enum colours term_colours(const struct term *t) { return t->colours; }

/* ---- size ---- */

void term_size(struct term *t, int *rows, int *columns)
{
	int new_rows, new_columns;

	if (tty_size(&new_rows, &new_columns) && (new_rows != LINES || new_columns != COLS)) {
		resizeterm(new_rows, new_columns);
		term_repaint(t);
	}
	*rows = LINES;
	*columns = COLS;
}

bool term_slow(const struct term *t)
{
	int baud = tty_baud(&t->modes);

	return baud && baud <= 19200;
}

void term_describe(const struct term *t, enum glyphs glyphs, char *buf, size_t room)
{
	text_format(buf, room, "TERM=%s codeset=%s glyphs=%s colours=%s (%d) %dx%d %d baud",
		    tty_env("TERM"), nl_langinfo(CODESET), glyphs_names[glyphs],
		    colours_names[t->colours], has_colors() ? COLORS : 0, COLS, LINES,
		    tty_baud(&t->modes));
}

/* ---- keys ---- */

/* Codes of curses and control characters alike. */
static const struct {
	wint_t code;
	int key;
} translations[] = {
	{ KEY_UP, KEY_ARROW_UP },
	{ KEY_DOWN, KEY_ARROW_DOWN },
	{ KEY_LEFT, KEY_ARROW_LEFT },
	{ KEY_RIGHT, KEY_ARROW_RIGHT },
	{ KEY_ENTER, KEY_RETURN },
	{ '\r', KEY_RETURN },
	{ '\n', KEY_RETURN },
	{ '\t', KEY_TAB },
	{ KEY_BTAB, KEY_BACK_TAB },
	{ KEY_BACKSPACE, KEY_BACK },
	{ '\b', KEY_BACK },
	{ 0x7f, KEY_BACK },
	{ KEY_DC, KEY_DELETE },
	{ KEY_HOME, KEY_LINE_HOME },
	{ KEY_END, KEY_LINE_END },
	{ KEY_PPAGE, KEY_PAGE_UP },
	{ KEY_NPAGE, KEY_PAGE_DOWN },
	{ KEY_F(1), KEY_FUNCTION_1 },
	{ KEY_F(10), KEY_FUNCTION_10 },
	{ CODE_PASTE_BEGIN, KEY_PASTE_BEGIN },
	{ CODE_PASTE_END, KEY_PASTE_END },
};

static int translate(wint_t code, int otherwise)
{
	for (unsigned i = 0; i < sizeof(translations) / sizeof(translations[0]); i++)
		if (translations[i].code == code)
			return translations[i].key;
	return otherwise;
}

static int escape_key(struct term *t)
{
	wint_t next = 0;
	bool followed = get_wch(&next) == OK;

	return escape_begin(&t->escape, now_ms(), followed, (uint32_t)next) ? KEY_ESC : KEY_NONE;
}

/* A key, or -1 when there is none left. */
static int next_key(struct term *t)
{
	wint_t ch;
	int kind = get_wch(&ch);

	if (kind == ERR)
		return -1;
	if (kind == KEY_CODE_YES)
		return translate(ch, KEY_NONE); /* KEY_RESIZE among others is none */
	if (ch == KEY_ESC)
		return escape_key(t);
	if (escape_swallows(&t->escape, now_ms(), (uint32_t)ch))
		return KEY_NONE;
	return translate(ch, (int)ch);
}

int term_key(struct term *t)
{
	int key;

	do
		key = next_key(t);
	while (key == KEY_NONE);
	return key < 0 ? KEY_NONE : key;
}

/* ---- drawing ---- */

void term_repaint(struct term *t)
{
	canvas_release(&t->shown);
	clearok(curscr, TRUE);
}

/* Lines by the terminal's own set, where it has no Unicode. NULL: an ordinary character. */
static const cchar_t *line_character(uint32_t ch)
{
	const struct {
		uint32_t ch;
		const cchar_t *line;
	} lines[] = {
		{ 0x2502, WACS_VLINE },
		{ 0x2500, WACS_HLINE },
		{ 0x23ba, WACS_S1 },
		{ 0x23bb, WACS_S3 },
		{ 0x23bc, WACS_S7 },
		{ 0x23bd, WACS_S9 },
	};

	for (unsigned i = 0; ch > 127 && i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].ch == ch)
			return lines[i].line;
	return NULL;
}

static void use_role(struct term *t, enum role role)
{
	const struct style *s = &style_table[t->colours][role];
	attr_t attrs = (s->attrs & STYLE_BOLD ? A_BOLD : 0) | (s->attrs & STYLE_DIM ? A_DIM : 0) |
		       (s->attrs & STYLE_REVERSE ? A_REVERSE : 0);

	if (t->role != role)
		attr_set(attrs, s->colour >= 0 ? (short)(role + 1) : 0, NULL);
	t->role = role;
}

static void put_cell(struct term *t, const struct canvas *grid, int row, int column)
{
	const struct cell *cell = canvas_at(grid, row, column);
	const cchar_t *line = grid->glyphs == GLYPHS_ACS ? line_character(cell->ch) : NULL;
	wchar_t text[2] = { (wchar_t)cell->ch, 0 };
	cchar_t plain;

	use_role(t, (enum role)cell->role);
	setcchar(&plain, text, 0, 0, NULL);
	mvadd_wch(row, column, line ? line : &plain);
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->role == b->role;
}

/* Everything but the lower right cell, which would scroll some terminals. */
static void put_changes(struct term *t, const struct canvas *grid, bool all)
{
	int cells = grid->rows * grid->columns - 1;

	for (int i = 0; i < cells; i++)
		if (all || !same(&grid->cell[i], &t->shown.cell[i]))
			put_cell(t, grid, i / grid->columns, i % grid->columns);
}

static void place_cursor(const struct term *t, const struct canvas *grid, int row, int column)
{
	if (t->can_hide)
		curs_set(row >= 0);
	if (row >= 0)
		move(row, column < grid->columns ? column : grid->columns - 1);
	else
		move(grid->rows > 1 ? grid->rows - 2 : 0, 0);
}

void term_draw(struct term *t, const struct canvas *grid, int row, int column)
{
	bool all = t->shown.rows != grid->rows || t->shown.columns != grid->columns ||
		   t->shown.glyphs != grid->glyphs;

	t->role = N_ROLES;
	if (all)
		erase();
	put_changes(t, grid, all);
	place_cursor(t, grid, row, column);
	refresh();
	if (all && canvas_resize(&t->shown, grid->rows, grid->columns))
		return; /* no memory: everything is sent again next time */
	t->shown.glyphs = grid->glyphs;
	memcpy(t->shown.cell, grid->cell,
	       (size_t)grid->rows * (size_t)grid->columns * sizeof(*grid->cell));
}

void term_suspend(struct term *t)
{
	def_prog_mode();
	if (t->paste)
		tty_write("\033[?2004l");
	endwin();
	raise(SIGSTOP);
	reset_prog_mode();
	if (t->paste)
		tty_write("\033[?2004h");
	curs_set(0);
	term_repaint(t);
}
