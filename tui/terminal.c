/* The terminal taken and given back; its size and its colours. */
#include "terminal_private.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "guard.h"
#include "stuck.h"
#include "terminfo.h"
#include "tty.h"

#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

/* ---- colours ---- */

static enum colours limit_colours(const struct term *t, enum colours wish)
{
	if (!t->colourful)
		return COLOURS_MONO;
	return wish == COLOURS_SAFE && COLORS < 256 ? COLOURS_16 : wish;
}

/* Without the terminal's own background there are no colours: a picture must read on any ground. */
static enum colours start_colours(struct term *t, const char *wish)
{
	t->colourful =
		has_colors() && start_color() == OK && use_default_colors() == OK && COLORS >= 8;
	for (int i = 0; wish && i < N_COLOURS; i++)
		if (!strcmp(wish, colours_names[i]))
			return limit_colours(t, (enum colours)i);
	return limit_colours(t, *tty_env("NO_COLOR") ? COLOURS_MONO : COLOURS_SAFE);
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
	wish = limit_colours(t, wish);
	t->colours = wish;
	set_pairs(wish);
	term_repaint(t);
	return wish;
}

/* ---- the way back ---- */

static void arm_guard(const struct term *t, int err_fd, int caught_fd)
{
	char restore[256];
	size_t n = terminfo_restore(restore, sizeof(restore) - sizeof(PASTE_OFF));

	if (t->paste) {
		memcpy(restore + n, PASTE_OFF, sizeof(PASTE_OFF) - 1);
		n += sizeof(PASTE_OFF) - 1;
	}
	guard_arm(restore, n, &t->modes, STDOUT_FILENO, err_fd, caught_fd);
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
	tty_write(PASTE_ON);
}

struct term *term_open(const char *glyphs, const char *colours, int err_fd, int caught_fd,
		       struct err *err)
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
	t->unicode = tty_unicode();
	t->glyphs = tty_glyphs(glyphs, terminfo_has_lines());
	t->colours = start_colours(t, colours);
	set_pairs(t->colours);
	set_paste(t);
	arm_guard(t, err_fd, caught_fd);
	stuck_watch(STDIN_FILENO, STDOUT_FILENO);
	term_repaint(t);
	return t;
}

/* The modes, the screen and the cursor as they were. */
static void leave(const struct term *t)
{
	stuck_begin();
	if (t->paste)
		tty_write(PASTE_OFF);
	endwin();
	stuck_end();
}

/* Nobody waits for the rest of a picture that goes away. */
void term_close(struct term *t)
{
	if (!t)
		return;
	if (term_slow(t) || tty_busy())
		stuck_release(STDOUT_FILENO);
	leave(t);
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

enum glyphs term_limit_glyphs(const struct term *t, enum glyphs wish)
{
	(void)t;
	return tty_limit_glyphs(wish, terminfo_has_lines());
}

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

void term_describe(const struct term *t, enum glyphs glyphs, bool slow, char *buf, size_t room)
{
	text_format(buf, room, "TERM=%s codeset=%s glyphs=%s colours=%s (%d) %dx%d %d baud%s",
		    tty_env("TERM"), nl_langinfo(CODESET), glyphs_names[glyphs],
		    colours_names[t->colours], has_colors() ? COLORS : 0, COLS, LINES,
		    tty_baud(&t->modes), slow ? ", slow line" : "");
}

/* ---- suspended ---- */

/* Somebody woke this process; the signal (blocked) is taken. */
static bool was_continued(void)
{
	static const struct timespec at_once;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	return sigtimedwait(&set, NULL, &at_once) == SIGCONT;
}

/* SIGTSTP, not SIGSTOP: the kernel drops it where no shell could wake the process again. */
static void stop_here(void)
{
	sigset_t set;

	signal(SIGTSTP, SIG_DFL); /* curses has a handler of its own */
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	raise(SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool term_suspend(struct term *t)
{
	bool stopped;

	leave(t);
	stop_here();
	stopped = was_continued();
	term_resume(t);
	return stopped;
}

void term_resume(struct term *t)
{
	if (!isendwin())
		leave(t);
	reset_prog_mode();
	if (t->paste)
		tty_write(PASTE_ON);
	curs_set(0);
	term_repaint(t);
}
