/* Every way to end, to be stopped and to be closed: the terminal is as it was, the exit status is
 * the documented one. Real deck, real pseudo-terminal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "catch.h"
#include "deck_pty.h"
#include "terminal.h"

static void assert_restored(struct pty *p, const char *what)
{
	char why[200];

	if (!pty_restored(p, why, sizeof(why)))
		fail_msg("%s: %s", what, why);
}

static void assert_ends(struct pty *p, const char *what, int status)
{
	if (!pty_await_end(p, 20000)) {
		pty_show(p);
		fail_msg("%s: does not end", what);
	}
	if (p->status != status)
		fail_msg("%s: status %d, not %d", what, p->status, status);
}

/* ---- endings ---- */

static const struct {
	const char *term, *locale, *keys;
	int signal, status;
} endings[] = {
	{ "xterm-256color", "C.UTF-8", "q", 0, 0 },
	{ "vt100", "C", "q", 0, 0 },
	{ "linux", "C.UTF-8", "\033[21~", 0, 0 }, /* F10 */
	{ "screen", "C", ":quit\r", 0, 0 },
	{ "xterm-256color", "C.UTF-8", "\003", 0, 128 + SIGINT },
	{ "vt100", "C", "\003", 0, 128 + SIGINT },
	{ "xterm-256color", "C", "\034", 0, 128 + SIGQUIT },
	{ "xterm-256color", "C.UTF-8", NULL, SIGTERM, 128 + SIGTERM },
	{ "vt100", "C", NULL, SIGTERM, 128 + SIGTERM },
	{ "linux", "C", NULL, SIGTERM, 128 + SIGTERM },
	{ "screen", "C.UTF-8", NULL, SIGTERM, 128 + SIGTERM },
	{ "xterm-256color", "C.UTF-8", NULL, SIGINT, 128 + SIGINT },
	{ "xterm-256color", "C.UTF-8", NULL, SIGHUP, 128 + SIGHUP },
	{ "xterm-256color", "C.UTF-8", NULL, SIGQUIT, 128 + SIGQUIT },
	{ "xterm-256color", "C.UTF-8", NULL, SIGUSR1, 128 + SIGUSR1 },
	{ "xterm-256color", "C.UTF-8", NULL, SIGXCPU, 128 + SIGXCPU },
	{ "xterm-256color", "C.UTF-8", NULL, SIGSEGV, 128 + SIGSEGV },
	{ "vt100", "C", NULL, SIGSEGV, 128 + SIGSEGV },
	{ "linux", "C.UTF-8", NULL, SIGBUS, 128 + SIGBUS },
	{ "screen", "C", NULL, SIGFPE, 128 + SIGFPE },
	{ "xterm-256color", "C.UTF-8", NULL, SIGILL, 128 + SIGILL },
	{ "xterm-256color", "C.UTF-8", NULL, SIGSYS, 128 + SIGSYS },
	{ "xterm-256color", "C.UTF-8", NULL, SIGABRT, 128 + SIGABRT },
};

static void test_endings(void **state)
{
	char what[80];
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		struct pty_options o = deck_options(endings[i].term, endings[i].locale);

		snprintf(what, sizeof(what), "%s %s ending %u", o.term, o.locale, i);
		assert_true(deck_open(&p, &o));
		if (strcmp(o.term, "vt100") && strcmp(o.term, "linux"))
			assert_true(p.modes.alternate);
		if (endings[i].keys)
			pty_type(&p, endings[i].keys);
		else
			kill(p.job, endings[i].signal);
		assert_ends(&p, what, endings[i].status);
		assert_restored(&p, what);
		if (!strcmp(o.locale, "C"))
			assert_false(p.high);
		pty_stop(&p);
	}
}

/* The look at the modes can fail: while the deck is up they are others. */
static void test_look_sees(void **state)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	char why[200];
	struct pty p;

	(void)state;
	assert_true(deck_open(&p, &o));
	assert_false(pty_restored(&p, why, sizeof(why)));
	kill(p.job, SIGKILL); /* nothing can put it back then */
	assert_ends(&p, "kill -9", 128 + SIGKILL);
	assert_false(pty_restored(&p, why, sizeof(why)));
	assert_true(p.modes.alternate && p.modes.cursor_hidden && p.modes.paste);
	pty_stop(&p);
}

/* On every screen, in the open line too. */
static void test_ends_everywhere(void **state)
{
	static const struct {
		const char *keys, *seen;
	} places[] = {
		{ "?", "KNOBS" },
		{ ":set", ":set" },
		{ ":load\r", "OPEN A PRESET" },
		{ "4", "4:STEPS" },
		{ "6", "6:EVENTS" },
	};
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_true(deck_open(&p, &o));
		pty_type(&p, places[i].keys);
		assert_true(pty_await(&p, places[i].seen));
		pty_type(&p, "\032");
		assert_true(pty_await_stop(&p));
		assert_restored(&p, places[i].keys);
		pty_go_on(&p, true);
		assert_true(pty_await(&p, places[i].seen));
		pty_type(&p, "\003");
		assert_ends(&p, places[i].keys, 128 + SIGINT);
		assert_restored(&p, places[i].keys);
		pty_stop(&p);
	}
}

/* ---- the program itself goes wrong ---- */

static void open_terminal(struct catch *c)
{
	static struct term *volatile t; /* no leak: it is still in use when the program ends */
	struct err err;

	catch_start(c);
	t = term_open(NULL, NULL, c->saved, c->read_fd, &err);
	if (!t)
		_exit(99);
}

/* What assert does, whatever NDEBUG is. */
static void assert_child(void *data)
{
	struct catch c;

	(void)data;
	open_terminal(&c);
	fprintf(stderr, "file.c:7: Assertion \033]0;x failed\n");
	abort();
}

static void exit_child(void *data)
{
	struct catch c;

	(void)data;
	open_terminal(&c);
	exit(3); /* as a library might */
}

static void test_asserts_and_exits(void **state)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct pty p;

	(void)state;
	pty_start(&p, &o, assert_child, NULL);
	assert_ends(&p, "assert", 128 + SIGABRT);
	assert_restored(&p, "assert");
	assert_true(p.modes.alternate_seen && !p.modes.osc);
	assert_true(pty_has(&p, "file.c:7: Assertion ?]0;x failed"));
	assert_true(pty_has(&p, "iodeck: crashed"));
	pty_stop(&p);
	pty_start(&p, &o, exit_child, NULL);
	assert_ends(&p, "exit", 3);
	assert_restored(&p, "exit");
	assert_true(p.modes.alternate_seen);
	pty_stop(&p);
}

/* ---- stopped ---- */

static void test_suspend(void **state)
{
	static const char *const terms[] = { "xterm-256color", "vt100", "linux" };
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct pty_options o = deck_options(terms[i], "C");

		assert_true(deck_open(&p, &o));
		pty_type(&p, "\032");
		assert_true(pty_await_stop(&p));
		assert_restored(&p, "^Z");
		pty_go_on(&p, false); /* bg: it must not paint; it stops again */
		assert_true(pty_await_stop(&p));
		assert_restored(&p, "bg");
		pty_go_on(&p, true);
		assert_true(pty_await(&p, "HELD 1/"));
		pty_type(&p, "d+");
		assert_true(pty_await(&p, "QD >2<"));
		pty_type(&p, "q");
		assert_ends(&p, "q after fg", 0);
		assert_restored(&p, "q after fg");
		pty_stop(&p);
	}
}

/* The load stands still while it is stopped, and the log says so. */
static void test_suspend_pauses(void **state)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct pty p;

	(void)state;
	assert_true(deck_open(&p, &o));
	pty_type(&p, "\032");
	assert_true(pty_await_stop(&p));
	pty_go_on(&p, true);
	assert_true(pty_await(&p, "^Z: load and clock stood still"));
	assert_false(pty_has(&p, "PAUSED"));
	pty_type(&p, " ");
	assert_true(pty_await(&p, "PAUSE"));
	pty_type(&p, "\032");
	assert_true(pty_await_stop(&p));
	pty_go_on(&p, true);
	assert_true(pty_await(&p, "PAUSE")); /* what stood before stands after */
	pty_stop(&p);
}

/* kill -STOP: the terminal was not given back. The shell changes its modes and writes on it. */
static void test_stopped_from_outside(void **state)
{
	static const char debris[] = "\033[12;3H[1]+  Stopped   iodeck\033[5;9HXXXXX";
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct termios modes;
	struct pty p;

	(void)state;
	assert_true(deck_open(&p, &o));
	pty_type(&p, " ");
	assert_true(pty_await(&p, "PAUSE"));
	kill(p.job, SIGSTOP);
	assert_true(pty_await_stop(&p));
	vterm_input_write(p.vt, debris, sizeof(debris) - 1);
	tcsetattr(p.master, TCSANOW, &p.before);
	pty_go_on(&p, true);
	assert_true(pty_await(&p, "were stopped and continued"));
	assert_false(pty_has(&p, "Stopped") || pty_has(&p, "XXXXX"));
	tcgetattr(p.master, &modes);
	assert_false(modes.c_lflag & (ECHO | ICANON));
	assert_true(p.modes.alternate && p.modes.paste && p.modes.cursor_hidden);
	pty_type(&p, "d+");
	assert_true(pty_await(&p, "QD >2<"));
	pty_type(&p, "q");
	assert_ends(&p, "after kill -STOP", 0);
	assert_restored(&p, "after kill -STOP");
	pty_stop(&p);
}

/* Nobody could wake it: a window that was opened for the program alone. */
static void test_nobody_to_wake_it(void **state)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct pty p;

	(void)state;
	o.no_job_control = true;
	assert_true(deck_open(&p, &o));
	pty_type(&p, "\032");
	assert_true(pty_await(&p, "not suspended"));
	pty_type(&p, "d+");
	assert_true(pty_await(&p, "QD >2<"));
	pty_stop(&p);
}

/* ---- the terminal goes away ---- */

/* ms until it has ended after the terminal was closed. */
static int64_t closed_ms(const char *const *words, const char *seen)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	int64_t begin, took;
	struct pty p;

	deck_start(&p, &o, words);
	assert_true(pty_await(&p, seen));
	begin = pty_now_ns();
	pty_close(&p);
	assert_true(pty_await_end(&p, 20000));
	took = (pty_now_ns() - begin) / 1000000;
	assert_int_equal(p.status, 128 + SIGHUP);
	pty_stop(&p);
	return took;
}

/* Within a second; tried again on a machine that is busy with other things. */
static void assert_closes(const char *what, const char *const *words, const char *seen)
{
	int64_t took = 0;

	for (int i = 0; i < 5; i++) {
		took = closed_ms(words, seen);
		if (took < 1000)
			break;
	}
	printf("# %s: ended %d ms after its terminal was closed\n", what, (int)took);
	assert_true(took < 1000);
}

static char target[4096], preset[4096];

static void make_files(void)
{
	const char *folder = getenv("TMPDIR");
	FILE *f;

	snprintf(target, sizeof(target), "%s/target", folder ? folder : "/tmp");
	snprintf(preset, sizeof(preset), "%s/hang.ini", folder ? folder : "/tmp");
	f = fopen(target, "w");
	assert_non_null(f);
	for (int i = 0; i < 4 << 20; i += 4096)
		fprintf(f, "%4096d", i);
	fclose(f);
	f = fopen(preset, "w");
	assert_non_null(f);
	fprintf(f, "# What when the device hangs?\n[job a]\nrw = randread\nbs = 4k\niodepth = 4\n"
		   "[target]\ndirect = no\n[fault]\nstall = 1h\n[step one]\nrun = 1h\n");
	fclose(f);
}

static void test_closed(void **state)
{
	const char *const model[] = { "ds5100", NULL };
	const char *const real[] = { "real", "--target", target, NULL };
	const char *const hung[] = { preset, "--target", target, NULL };

	(void)state;
	make_files();
	assert_closes("model", model, "HELD 1/");
	assert_closes("a real target", real, "HELD 1/");
	assert_closes("a target that hangs", hung, "HELD 1/");
	unlink(target);
	unlink(preset);
}

/* A terminal that takes nothing more (^S) keeps neither q nor kill -TERM from ending it, and all is
 * restored when it takes again. */
static void test_stopped_output(void **state)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct pty p;

	(void)state;
	for (int by_key = 0; by_key < 2; by_key++) {
		assert_true(deck_open(&p, &o));
		pty_type(&p, "\023");
		if (by_key)
			pty_type(&p, "q");
		else
			kill(p.job, SIGTERM);
		assert_ends(&p, "^S", by_key ? 0 : 128 + SIGTERM);
		assert_restored(&p, "^S");
		pty_stop(&p);
	}
}

/* Nobody reads: a write to the terminal hangs in the middle of a frame. */
static void test_nobody_reads(void **state)
{
	const char *const words[] = { "quickstart", NULL };
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct pty p;
	int64_t end;

	(void)state;
	o.rows = 200;
	o.columns = 400;
	deck_start(&p, &o, words);
	assert_true(pty_await(&p, "HELD 1/"));
	pty_type(&p, "\014\014\014"); /* each repaints everything */
	end = pty_now_ns() + 1500 * INT64_C(1000000);
	for (int i = 0; pty_now_ns() < end; i++) {
		struct winsize size = { .ws_row = 200,
					.ws_col = (unsigned short)(400 - i % 2) };

		ioctl(p.master, TIOCSWINSZ, &size);
		usleep(20000);
	}
	kill(p.job, SIGTERM);
	while (!p.ended && pty_now_ns() < end + 20000 * INT64_C(1000000)) {
		struct pollfd report = { p.report_fd, POLLIN, 0 };

		if (poll(&report, 1, 1000) > 0)
			break;
	}
	assert_ends(&p, "nobody reads", 128 + SIGTERM);
	assert_restored(&p, "nobody reads");
	pty_stop(&p);
}

/* ---- no terminal to begin with ---- */

struct redirected {
	int fd;
	const char *path;
};

static void redirected_child(void *data)
{
	const struct redirected *r = data;
	const char *build = getenv("BUILD");
	char path[4096];
	char *argv[] = { path, (char *)"quickstart", NULL };
	int fd[2];

	snprintf(path, sizeof(path), "%s/iodeck", build ? build : "build");
	if (r->path && !freopen(r->path, r->fd ? "w" : "r", r->fd ? stdout : stdin))
		_exit(99);
	if (!r->path && (pipe(fd) || dup2(fd[r->fd ? 1 : 0], r->fd) < 0))
		_exit(99);
	pty_exec(argv);
}

static void test_no_terminal(void **state)
{
	static const struct redirected ways[] = {
		{ 0, "/dev/null" }, { 0, NULL }, { 1, "/dev/null" }, { 1, NULL }
	};
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	struct pty p;

	(void)state;
	o.columns = 200;
	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		pty_start(&p, &o, redirected_child, (void *)&ways[i]);
		assert_ends(&p, "redirected", 2);
		assert_restored(&p, "redirected");
		assert_false(p.modes.alternate_seen);
		assert_true(pty_has(&p, "iodeck run PRESET"));
		pty_stop(&p);
	}
}

static void test_bad_terms(void **state)
{
	static const char *const terms[] = { "dumb", "nonsense", "", NULL, "\033]0;x\007" };
	static const char *const words[] = { "quickstart", NULL };
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct pty_options o = deck_options(terms[i], "C");

		o.columns = 200;
		deck_start(&p, &o, words);
		assert_ends(&p, terms[i] ? terms[i] : "unset", 2);
		assert_restored(&p, "bad TERM");
		assert_false(p.modes.alternate_seen || p.modes.osc || p.high);
		assert_true(pty_has(&p, "iodeck run PRESET"));
		pty_stop(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_endings),
		cmocka_unit_test(test_look_sees),
		cmocka_unit_test(test_ends_everywhere),
		cmocka_unit_test(test_asserts_and_exits),
		cmocka_unit_test(test_suspend),
		cmocka_unit_test(test_suspend_pauses),
		cmocka_unit_test(test_stopped_from_outside),
		cmocka_unit_test(test_nobody_to_wake_it),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_stopped_output),
		cmocka_unit_test(test_nobody_reads),
		cmocka_unit_test(test_no_terminal),
		cmocka_unit_test(test_bad_terms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
