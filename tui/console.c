/* The loop of the deck: keys and signals are answered at once, frames follow at their own pace.
 * This thread never waits for the engine. */
#include "console.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "terminfo.h"
#include "machine.h"
#include "tty.h"
#include "view_keys.h"
#include "views.h"

enum {
	HANGUP_STATUS = 128 + SIGHUP,
};

static int64_t wall_ns(void)
{
	struct clock clock = clock_monotonic();

	return clock_now(&clock);
}

/* ---- drawing ---- */

/* Braille is three bytes a cell: not on a slow line, unless it was asked for. */
enum glyphs console_glyphs(const struct console *c)
{
	bool fewer = pace_slow(&c->pace) && !c->glyphs_chosen && c->glyphs == GLYPHS_UTF8;

	return fewer ? term_limit_glyphs(c->term, GLYPHS_ACS) : c->glyphs;
}

void console_draw(struct console *c)
{
	const struct snapshot *s = console_refresh(c);
	struct cursor cursor;
	int rows, columns;

	term_size(c->term, &rows, &columns);
	if ((rows != c->grid.rows || columns != c->grid.columns) &&
	    canvas_resize(&c->grid, rows, columns))
		return; /* no memory for this size: keep the old picture */
	c->grid.glyphs = console_glyphs(c);
	render(&c->grid, c->view.frozen ? c->frozen : s, &c->view, &cursor);
	term_draw(c->term, &c->grid, cursor.row, cursor.column);
	pace_drawn(&c->pace, c->now_ns);
	c->dirty = false;
}

static void tell_pace(struct console *c)
{
	if (pace_slow(&c->pace))
		console_say(c, false, "the line is slow: one frame a second, plainer characters");
	else
		console_say(c, false, "the line keeps up again");
}

/* A frame is skipped while the last one is still in the line; an answer to a key waits only as long
 * as that. */
static void draw_when_due(struct console *c)
{
	bool slow = pace_slow(&c->pace);
	enum pace_turn turn = pace_turn(&c->pace, c->now_ns, c->dirty, tty_busy());

	if (pace_slow(&c->pace) != slow)
		tell_pace(c);
	if (turn == PACE_PAINT)
		term_repaint(c->term);
	if (turn != PACE_WAIT)
		console_draw(c);
}

/* ---- signals and other events ---- */

/* Stopped by somebody else, who may have written on the screen and changed its modes. */
static void take_up_again(struct console *c)
{
	term_resume(c->term);
	console_note(c, CAUSE_OUTSIDE, "program and load were stopped and continued; r: fresh figures");
}

static void take_signal(struct console *c, int signal)
{
	static const struct action suspend = { .kind = ACTION_SUSPEND };

	c->dirty = true;
	if (signal == SIGTSTP)
		console_carry_out(c, &suspend);
	else if (signal == SIGCONT)
		take_up_again(c);
	else if (signal != SIGWINCH) {
		c->quit = true;
		c->status = 128 + signal;
	}
}

static void read_signals(struct console *c)
{
	struct signalfd_siginfo info;

	while (read(c->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		take_signal(c, (int)info.ssi_signo);
}

static void read_stderr(struct console *c)
{
	char text[256];

	if (!catch_line(&c->catch, text, sizeof(text)))
		return;
	console_note(c, CAUSE_OUTSIDE, "stderr: %s", text);
}

static void read_event(struct console *c)
{
	uint64_t count;

	ssize_t ignored = read(c->event_fd, &count, sizeof(count));

	(void)ignored; /* what it tells of is in the snapshot */
}

static void run_script(struct console *c)
{
	struct err err;

	if (!c->script || !script_active(c->script))
		return;
	c->dirty = true;
	if (script_turn(c->script, c, &err) < 0) {
		text_format(c->last_words, sizeof(c->last_words), "%s", err.text);
		c->status = EXIT_FAILED;
		c->quit = true;
	}
}

/* Until the next frame; not at all while a script moves time by hand. */
static int timeout_ms(const struct console *c)
{
	if (c->script && script_active(c->script))
		return script_by_hand(c->script) ? 0 : 10;
	return pace_timeout_ms(&c->pace, c->now_ns, c->dirty);
}

static void turn(struct console *c)
{
	struct pollfd fd[] = {
		{ STDIN_FILENO, POLLIN, 0 },
		{ c->signal_fd, POLLIN, 0 },
		{ c->event_fd, POLLIN, 0 },
		{ c->catch.read_fd, POLLIN, 0 },
		{ hand_fd(c->hand), POLLIN, 0 },
	};

	if (poll(fd, sizeof(fd) / sizeof(fd[0]), timeout_ms(c)) < 0 && errno != EINTR)
		c->quit = true;
	c->now_ns = wall_ns();
	if (fd[1].revents)
		read_signals(c);
	if (fd[0].revents && tty_gone(fd[0].revents)) {
		c->status = HANGUP_STATUS;
		c->quit = true;
	}
	if (c->quit)
		return;
	console_refresh(c);
	if (fd[0].revents)
		console_read_keys(c);
	if (fd[2].revents)
		read_event(c);
	if (fd[3].revents)
		read_stderr(c);
	hand_turn(c->hand, c);
	run_script(c);
	if (!c->quit)
		draw_when_due(c);
}

/* ---- begin and end ---- */

/* Signals are read in the loop; the engine's thread has them all blocked. Returns the descriptor.
 */
static int take_signals(sigset_t *before)
{
	static const int taken[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP,
				     SIGQUIT,  SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ };
	sigset_t set;

	sigemptyset(&set);
	for (unsigned i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(&set, taken[i]);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, before);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int load_first(struct console *c, struct err *err)
{
	if (c->o->script && script_open(c->o->script, &c->script, err))
		return EXIT_USAGE;
	if (preset_list(&c->o->dirs, &c->preset, &c->n_presets, err))
		return EXIT_USAGE;
	if (c->o->n_words)
		return console_load(c, c->o->word[0], err);
	pick_open(c);
	return EXIT_DONE;
}

static int open_screen(struct console *c, struct err *err)
{
	int err_fd;

	catch_start(&c->catch);
	err_fd = c->catch.saved >= 0 ? c->catch.saved : STDERR_FILENO;
	c->term = term_open(c->o->glyphs, c->o->colours, err_fd, c->catch.read_fd, err);
	if (!c->term)
		return EXIT_USAGE;
	c->glyphs = term_glyphs(c->term);
	c->glyphs_chosen = c->o->glyphs || *tty_env("IODECK_GLYPHS");
	pace_start(&c->pace, wall_ns(), term_slow(c->term));
	c->view.colours = term_colours(c->term);
	return EXIT_DONE;
}

/* What the kernel was told is taken back while the load still runs, and the operator sees why the screen stays for a moment. A session that waits for a
 * device which does not answer can be left by a second signal: from there on they do what they do by themselves. */
static void close_all(struct console *c, const sigset_t *before)
{
	static const struct command pause = { .type = COMMAND_PAUSE, .value = 1 };

	if (c->term && c->hand && c->status != HANGUP_STATUS) {
		console_say(c, false, "leaving: the kernel's settings are put back");
		console_draw(c);
	}
	hand_close(c->hand, c);
	if (c->session) /* the load stops, whatever the terminal does */
		session_send(c->session, &pause);
	term_close(c->term);
	catch_stop(&c->catch);
	sigprocmask(SIG_SETMASK, before, NULL);
	machine_leave(c);
	session_close(c->session);
	script_free(c->script);
	spec_free(c->picked);
	preset_list_free(c->preset, c->n_presets);
	event_log_release(&c->log);
	canvas_release(&c->grid);
	free(c->frozen);
	if (c->event_fd >= 0)
		close(c->event_fd);
	if (c->signal_fd >= 0)
		close(c->signal_fd);
}

static int begin(struct console *c, struct err *err)
{
	int code;

	c->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (c->event_fd < 0 || c->signal_fd < 0) {
		err_set(err, -errno, "cannot start the deck: %s", strerror(errno));
		return EXIT_FAILED;
	}
	code = hand_open(c, &c->hand, err);
	if (!code)
		code = load_first(c, err);
	return code ? code : open_screen(c, err);
}

static int run(struct console *c)
{
	struct err err;

	c->status = begin(c, &err);
	if (c->status)
		text_format(c->last_words, sizeof(c->last_words), "%s", err.text);
	c->now_ns = wall_ns();
	if (!c->status)
		console_draw(c);
	while (!c->status && !c->quit)
		turn(c);
	return c->status;
}

/* A line each. */
static void say_last_words(char *words)
{
	char clean[1024], *rest = NULL;

	for (char *line = strtok_r(words, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		text_clean(clean, sizeof(clean), line, 0);
		fprintf(stderr, "iodeck: %s\n", clean);
	}
}

int console_run(const struct options *o)
{
	struct console *c = calloc(1, sizeof(*c));
	sigset_t before;
	int status;

	if (!c)
		return EXIT_FAILED;
	c->o = o;
	c->catch = (struct catch){ -1, -1 };
	c->signal_fd = take_signals(&before);
	run(c);
	close_all(c, &before);
	status = c->status;
	say_last_words(c->last_words);
	free(c);
	return status;
}
