/* What comes in and what it looks like: torn and pasted input, sizes, names and messages from
 * outside, what is decided about characters and colours, and that it rests. Real deck, real
 * pseudo-terminal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deck_pty.h"

static void path_in(char *path, size_t room, const char *name)
{
	const char *folder = getenv("TMPDIR");

	snprintf(path, room, "%s/%s", folder ? folder : "/tmp", name);
}

static void open_deck(struct pty *p, const struct pty_options *o)
{
	assert_true(deck_open(p, o));
}

static struct pty_options plain(void) { return deck_options("xterm-256color", "C.UTF-8"); }

/* ---- torn and pasted ---- */

/* Curses waits for the rest of a sequence as long as ESCDELAY says. */
static void test_torn_but_in_time(void **state)
{
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	o.env[0] = "ESCDELAY=20000";
	open_deck(&p, &o);
	pty_type(&p, "d");
	assert_true(pty_await(&p, "QD: "));
	pty_type(&p, "\033");
	pty_pump(&p, 10);
	pty_type(&p, "O");
	usleep(60000); /* torn by 60 ms */
	pty_type(&p, "A");
	assert_true(pty_await(&p, "QD >2<"));
	pty_stop(&p);
}

/* Torn for longer: Esc alone has closed the message, the letters behind it are no commands. False:
 * this machine took too long to tear it so. */
static bool torn(const char *rest)
{
	struct pty_options o = plain();
	int64_t begin, end;
	struct pty p;

	o.env[0] = "ESCDELAY=1";
	open_deck(&p, &o);
	pty_type(&p, "d+");
	assert_true(pty_await(&p, "in effect")); /* the last act: it takes no message's place any more */
	pty_type(&p, "d");
	assert_true(pty_await(&p, "QD: "));
	begin = pty_now_ns();
	pty_type(&p, "\033");
	assert_true(pty_await_gone(&p, "QD: "));
	pty_type(&p, rest);
	pty_type(&p, "o");
	assert_true(pty_await(&p, "DEPTH: "));
	end = pty_now_ns();
	if (end - begin < 290 * INT64_C(1000000))
		assert_true(pty_has(&p, "QD 2 "));
	pty_stop(&p);
	return end - begin < 290 * INT64_C(1000000);
}

static void test_torn_too_far(void **state)
{
	static const char *const rests[] = { "[A", "OA", "[1;5C", "OB", "[21~" };
	bool once = false;

	(void)state;
	for (unsigned i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		int tries = 0;

		while (tries < 10 && !torn(rests[i]))
			tries++;
		once |= tries < 10;
	}
	if (!once)
		print_message("# nothing could be torn in time on this machine\n");
}

static void test_alt_and_unknown(void **state)
{
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	open_deck(&p, &o);
	pty_type(&p, "\033q\033[99~\033[<35;1;1M\033Oz\033[?1;2c");
	pty_type(&p, "d");
	assert_true(pty_await(&p, "QD: "));
	assert_true(pty_has(&p, "QD >1<"));
	pty_stop(&p);
}

static void test_paste(void **state)
{
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	open_deck(&p, &o);
	pty_type(&p, "\033[200~d+++:quit\rq\033[201~");
	assert_true(pty_await(&p, "pasted text was dropped"));
	assert_true(pty_has(&p, "QD >1<"));
	pty_type(&p, ":");
	assert_true(pty_await(&p, "Esc:leave"));
	pty_type(&p, "\033[200~set qd 4\r\033[201~");
	assert_true(pty_await(&p, ":set qd 4"));
	assert_true(pty_has(&p, "QD >1<")); /* the pasted Enter is none */
	pty_type(&p, "\r");
	assert_true(pty_await(&p, "QD >4<"));
	pty_stop(&p);
}

/* Its end was lost: keys work again after a second. */
static void test_paste_without_end(void **state)
{
	struct pty_options o = plain();
	struct pty p;
	int64_t end = pty_now_ns() + 20 * INT64_C(1000000000);

	(void)state;
	open_deck(&p, &o);
	pty_type(&p, "\033[200~qqq");
	assert_true(pty_await(&p, "pasted text was dropped"));
	while (!pty_has(&p, "QD: ") && pty_now_ns() < end) {
		int64_t quiet = pty_now_ns() + 1500 * INT64_C(1000000);

		while (pty_now_ns() < quiet)
			pty_pump(&p, 100);
		pty_type(&p, "d");
		pty_pump(&p, 500);
	}
	assert_true(pty_await(&p, "QD: "));
	pty_stop(&p);
}

/* Bytes that are no character hide nothing behind them; letters of two bytes are no keys of curses
 * (U+0103 has the number of its arrow up). */
static void test_bytes(void **state)
{
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	open_deck(&p, &o);
	pty_type(&p, "\x9b\xff\xc3" "d\xc4\x83\xe2\x82+");
	assert_true(pty_await(&p, "QD >2<"));
	pty_type(&p, ":mark \xc3\xa4\xff\xe2x\x80y");
	assert_true(pty_await(&p, ":mark ?xy")); /* the letter a-umlaut, read here as '?' */
	pty_type(&p, "\033\033"); /* the same as one */
	assert_true(pty_await_gone(&p, ":mark"));
	pty_type(&p, "q");
	assert_true(pty_await_end(&p, 20000));
	assert_int_equal(p.status, 0);
	pty_stop(&p);
}

/* ---- sizes ---- */

static void test_storm(void **state)
{
	static const struct {
		int rows, columns;
	} odd[] = { { 1, 1 }, { 0, 0 }, { 5, 20 }, { 34, 189 }, { 200, 500 }, { 3, 1 }, { 1, 300 } };
	char file[4096];
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	path_in(file, sizeof(file), "storm.txt");
	open_deck(&p, &o);
	pty_type(&p, " ");
	assert_true(pty_await(&p, "PAUSE"));
	for (int i = 0; i < 60; i++) {
		pty_resize(&p, odd[i % 7].rows, odd[i % 7].columns);
		if (i % 3 == 0)
			pty_pump(&p, 10);
	}
	pty_resize(&p, 24, 80);
	assert_true(pty_await(&p, "TOTAL ms  p50"));
	assert_true(deck_is_shot(&p, file));
	pty_type(&p, "d+");
	assert_true(pty_await(&p, "QD >2<"));
	pty_type(&p, "q");
	assert_true(pty_await_end(&p, 20000));
	assert_int_equal(p.status, 0);
	pty_stop(&p);
}

/* ---- from outside ---- */

/* What a library writes to stderr stands in the log and not on the picture. */
static void test_stderr(void **state)
{
	char path[64], file[4096];
	struct pty_options o = plain();
	struct pty p;
	int fd;

	(void)state;
	path_in(file, sizeof(file), "stderr.txt");
	open_deck(&p, &o);
	pty_type(&p, " ");
	assert_true(pty_await(&p, "PAUSE"));
	snprintf(path, sizeof(path), "/proc/%d/fd/2", (int)p.job);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	dprintf(fd, "\n\nlibrary: \033[5;5Hno\033]0;title\007 such thing\n");
	assert_true(pty_await(&p, "library: ?[5;5Hno?]0;title? such thing"));
	assert_false(p.modes.osc);
	assert_true(deck_is_shot(&p, file));
	for (int i = 0; i < 2000; i++) /* much of it at once: nothing blocks */
		dprintf(fd, "more %d %070d\n", i, i);
	assert_true(pty_await(&p, "stderr: more 1999"));
	kill(p.job, SIGSTOP);
	assert_true(pty_await_stop(&p));
	dprintf(fd, "the last\n\nwords\033[5n\n"); /* nobody has read them at the end */
	close(fd);
	pty_type(&p, "q");
	pty_go_on(&p, true);
	assert_true(pty_await_end(&p, 20000));
	assert_int_equal(p.status, 0);
	assert_true(pty_has(&p, "words?[5n"));
	pty_stop(&p);
}

static void write_file(const char *path, const char *text, int bytes)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	for (int i = 0; i < bytes; i += 4096)
		fprintf(f, "%4096d", i);
	assert_int_equal(fclose(f), 0);
}

/* It ends with status 2 and says so; the terminal gets only what can be read. */
static void assert_refused(const char *word, const char *says)
{
	const char *const words[] = { word, NULL };
	struct pty_options o = plain();
	struct pty p;

	o.columns = 200;
	deck_start(&p, &o, words);
	assert_true(pty_await_end(&p, 20000));
	assert_int_equal(p.status, 2);
	assert_true(pty_has(&p, says));
	assert_false(p.modes.osc);
	pty_stop(&p);
}

#define EVIL "a\033]0;pwn\007\033[31m\x9b" "7m\xe2\x80\xae"

/* Names of targets hold what they like, and so does what is typed. */
static void test_names(void **state)
{
	char target[4096], preset[4096];
	const char *const words[] = { preset, "--target", target, NULL };
	const char *const locales[] = { "C.UTF-8", "C" };
	struct pty p;

	(void)state;
	path_in(target, sizeof(target), EVIL ".img");
	path_in(preset, sizeof(preset), EVIL ".ini");
	write_file(target, "", 8 << 20);
	write_file(preset,
		   "# Does it st\xc3\xa4y?\n[job a]\nrw = randread\nbs = 4k\n[step s]\nrun = 1h\n"
		   "[target]\ndirect = no\n", 0);
	for (int i = 0; i < 2; i++) {
		struct pty_options o = deck_options("xterm-256color", locales[i]);

		deck_start(&p, &o, words);
		assert_true(pty_await(&p, "HELD 1/"));
		deck_line(&p, "mark x\x9b\x01y\xc2\x9bz");
		deck_line(&p, "load " EVIL);
		assert_true(pty_await(&p, "unknown preset"));
		pty_type(&p, "\033");
		assert_true(pty_await_gone(&p, "unknown preset"));
		pty_type(&p, "?");
		assert_true(pty_await(&p, "KNOBS"));
		pty_resize(&p, 50, 200);
		pty_type(&p, "?");
		assert_true(pty_await(&p, "EVENTS"));
		assert_false(p.modes.osc);
		assert_true(!i || !p.high);
		pty_type(&p, "q");
		assert_true(pty_await_end(&p, 20000));
		assert_int_equal(p.status, 0);
		pty_stop(&p);
	}
	assert_refused("\033]0;pwn\007/x.ini", "?]0;pwn?/x.ini");
	write_file(preset, "# Does \xc2\x9b" "31m it stay?\n", 0);
	assert_refused(preset, "byte 8 of the line");
	unlink(target);
	unlink(preset);
}

/* ---- characters and colours ---- */

/* TERM, locale, variable -> what `:version` says. */
static void test_decisions(void **state)
{
	static const struct {
		const char *term, *locale, *env, *says;
	} rows[] = {
		{ "xterm-256color", "C.UTF-8", NULL, "glyphs=utf8 colours=safe (256)" },
		{ "xterm-256color", "C", NULL, "glyphs=acs colours=safe (256)" },
		{ "xterm-256color", "C.UTF-8", "NO_COLOR=1", "glyphs=utf8 colours=mono" },
		{ "xterm-256color", "C.UTF-8", "NO_COLOR=", "glyphs=utf8 colours=safe" },
		{ "xterm-256color", "C.UTF-8", "IODECK_GLYPHS=ascii", "glyphs=ascii" },
		{ "xterm-256color", "C", "IODECK_GLYPHS=utf8", "glyphs=acs" },
		{ "xterm-256color", "C.UTF-8", "IODECK_GLYPHS=nonsense", "glyphs=utf8" },
		{ "xterm-256color", "C.UTF-8", "NCURSES_NO_UTF8_ACS=1", "glyphs=utf8" },
		{ "linux", "C.UTF-8", NULL, "glyphs=acs colours=16 (8)" },
		{ "vt100", "C.UTF-8", NULL, "glyphs=acs colours=mono (0)" },
		{ "vt100", "C", "IODECK_GLYPHS=ascii", "glyphs=ascii colours=mono (0)" },
		{ "screen", "C.UTF-8", NULL, "glyphs=utf8 colours=16 (8)" },
		{ "ansi", "C", NULL, "glyphs=ascii" },
		{ "ansi", "C.UTF-8", NULL, "glyphs=ascii" },
	};
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pty_options o = deck_options(rows[i].term, rows[i].locale);

		o.env[0] = rows[i].env;
		o.columns = 130;
		open_deck(&p, &o);
		deck_line(&p, "version");
		assert_true(pty_await(&p, rows[i].says));
		if (!strcmp(rows[i].locale, "C"))
			assert_false(p.high);
		pty_stop(&p);
	}
}

/* No key and no command brings a byte above 127 where the locale has none. */
static void test_no_high_byte(void **state)
{
	static const char *const terms[] = { "xterm-256color", "vt100", "linux", "screen", "ansi" };
	struct pty p;

	(void)state;
	for (unsigned i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct pty_options o = deck_options(terms[i], "C");

		open_deck(&p, &o);
		pty_type(&p, "ggggCC?");
		assert_true(pty_await(&p, "KNOBS"));
		pty_type(&p, "?");
		assert_true(pty_await(&p, "HELD 1/"));
		deck_line(&p, "glyphs utf8");
		assert_true(pty_await(&p, "not UTF-8"));
		pty_type(&p, "\033");
		assert_true(pty_await_gone(&p, "not UTF-8"));
		pty_resize(&p, 50, 200);
		assert_true(pty_await(&p, "EVENTS"));
		assert_false(p.high);
		pty_stop(&p);
	}
}

static bool any_colour(const struct pty *p)
{
	bool any = false;

	for (int i = 0; i < p->rows * p->columns; i++) {
		VTermPos pos = { i / p->columns, i % p->columns };
		VTermScreenCell cell;

		vterm_screen_get_cell(p->screen, pos, &cell);
		assert_true(VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)); /* reads on any ground */
		any |= !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg);
	}
	return any;
}

/* The rest of a frame may be on its way. */
static bool await_colour(struct pty *p)
{
	int64_t end = pty_now_ns() + 20 * INT64_C(1000000000);

	while (!any_colour(p) && pty_now_ns() < end)
		pty_pump(p, 100);
	return any_colour(p);
}

static void test_colours(void **state)
{
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	open_deck(&p, &o);
	assert_true(await_colour(&p));
	deck_line(&p, "colours mono");
	assert_true(pty_await_gone(&p, ":colours") && pty_await(&p, "colours mono"));
	pty_type(&p, "?"); /* another screen: the frame before has come whole */
	assert_true(pty_await(&p, "KNOBS"));
	assert_false(any_colour(&p));
	pty_stop(&p);
	o.env[0] = "NO_COLOR=1";
	open_deck(&p, &o);
	assert_false(any_colour(&p));
	deck_line(&p, "colours safe"); /* asked for by name it is had */
	assert_true(pty_await_gone(&p, ":colours") && pty_await(&p, "colours safe"));
	assert_true(await_colour(&p));
	pty_stop(&p);
}

/* ^L mends what somebody else wrote on the screen. */
static void test_repaint(void **state)
{
	static const char debris[] = "\033[3;3HBroadcast message\033[22;1Hmore of it";
	char file[4096];
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	path_in(file, sizeof(file), "repaint.txt");
	open_deck(&p, &o);
	pty_type(&p, " ");
	assert_true(pty_await(&p, "PAUSE"));
	vterm_input_write(p.vt, debris, sizeof(debris) - 1);
	assert_true(pty_has(&p, "Broadcast"));
	pty_type(&p, "\014");
	assert_true(pty_await_gone(&p, "Broadcast"));
	assert_true(deck_is_shot(&p, file));
	pty_stop(&p);
}

/* ---- at rest, and while the engine is hard at work ---- */

/* Share of a core over two seconds. */
static double share(struct pty *p)
{
	int64_t begin = pty_now_ns(), cpu = deck_cpu_ns(p);

	while (pty_now_ns() - begin < 2 * INT64_C(1000000000))
		pty_pump(p, 100);
	return (double)(deck_cpu_ns(p) - cpu) / (double)(pty_now_ns() - begin);
}

static void assert_rests(struct pty *p, const char *what)
{
	double least = 1;

	for (int i = 0; i < 5 && least >= 0.02; i++) {
		double s = share(p);

		least = s < least ? s : least;
	}
	printf("# %s: %.2f %% of a core\n", what, least * 100);
	if (!getenv("SAN") || !*getenv("SAN"))
		assert_true(least < 0.02);
}

static void test_rests(void **state)
{
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	open_deck(&p, &o);
	pty_type(&p, " ");
	assert_true(pty_await(&p, "PAUSE"));
	assert_rests(&p, "paused, 80x24");
	pty_type(&p, " ?");
	assert_true(pty_await(&p, "KNOBS"));
	assert_rests(&p, "help, the load runs");
	pty_stop(&p);
}

/* A key is answered while a simulation takes all it can get, and while a device hangs. No tight limit
 * here: `make bench` measures it. */
static void test_answers(void **state)
{
	char target[4096], preset[4096];
	const char *const busy[] = { "ds5100", "--speed", "max", NULL };
	const char *const hung[] = { preset, "--target", target, NULL };
	const char *const *const decks[] = { busy, hung };
	struct pty_options o = plain();
	struct pty p;

	(void)state;
	path_in(target, sizeof(target), "answers.img");
	path_in(preset, sizeof(preset), "answers.ini");
	write_file(target, "", 4 << 20);
	write_file(preset,
		   "# What when the device hangs?\n[job a]\nrw = randread\nbs = 4k\niodepth = 64\n[host]\n"
		   "qd = 1\n[target]\ndirect = no\n[fault]\nstall = 1h\n[step one]\nrun = 1h\n", 0);
	for (int i = 0; i < 2; i++) {
		int64_t begin, most = 0;

		deck_start(&p, &o, decks[i]);
		assert_true(pty_await(&p, "HELD 1/"));
		pty_type(&p, "d");
		assert_true(pty_await(&p, "QD: "));
		for (int qd = 2; qd <= 64; qd *= 2) {
			char text[32];

			snprintf(text, sizeof(text), "QD >%d<", qd);
			begin = pty_now_ns();
			pty_type(&p, "+");
			assert_true(pty_await(&p, text));
			if (pty_now_ns() - begin > most)
				most = pty_now_ns() - begin;
		}
		printf("# %s: acknowledged on the screen after at most %d ms\n",
		       i ? "a device hangs" : "--speed max", (int)(most / 1000000));
		pty_type(&p, "q");
		assert_true(pty_await_end(&p, 20000));
		assert_int_equal(p.status, 0);
		pty_stop(&p);
	}
	unlink(target);
	unlink(preset);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_torn_but_in_time),
		cmocka_unit_test(test_torn_too_far),
		cmocka_unit_test(test_alt_and_unknown),
		cmocka_unit_test(test_paste),
		cmocka_unit_test(test_paste_without_end),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_stderr),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_decisions),
		cmocka_unit_test(test_no_high_byte),
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_repaint),
		cmocka_unit_test(test_rests),
		cmocka_unit_test(test_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
