/* Slow lines: a reader of 9600 baud (96 bytes each 100 ms), and one that does not keep up although
 * the line says it is fast. Real deck, real pseudo-terminal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "deck_pty.h"

#define SECOND INT64_C(1000000000)

enum { BYTES_100_MS = 96 };

static const char *const words[] = { "ds5100", NULL };

static struct pty_options slow_line(void)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");

	o.speed = B9600;
	return o;
}

/* Take bytes for so long. */
static void pump_for(struct pty *p, int64_t ns)
{
	int64_t end = pty_now_ns() + ns;

	while (pty_now_ns() < end)
		pty_pump(p, 50);
}

/* ms from the key to the end, everything put back. */
static int quit_ms(struct pty *p)
{
	int64_t begin = pty_now_ns();
	char why[200];

	pty_type(p, "q");
	while (!p->ended && pty_now_ns() < begin + 20 * SECOND)
		pty_pump(p, 20);
	begin = (pty_now_ns() - begin) / 1000000;
	assert_true(pty_await_end(p, 1));
	assert_int_equal(p->status, 0);
	if (!pty_restored(p, why, sizeof(why)))
		fail_msg("%s", why);
	return (int)begin;
}

/* The picture is right in the end, a key is answered, q quits at once. */
static void test_9600(void **state)
{
	struct pty_options o = slow_line();
	char file[4096];
	const char *folder = getenv("TMPDIR");
	int took = 0;
	struct pty p;

	(void)state;
	snprintf(file, sizeof(file), "%s/slow.txt", folder ? folder : "/tmp");
	for (int i = 0; i < 3; i++) {
		int64_t begin = pty_now_ns();

		deck_start(&p, &o, words);
		p.rate = BYTES_100_MS;
		assert_true(pty_await(&p, "q:quit"));
		printf("# first screen whole after %d ms, %zu bytes\n",
		       (int)((pty_now_ns() - begin) / 1000000), p.bytes);
		pump_for(&p, 2 * SECOND);
		begin = pty_now_ns();
		pty_type(&p, "d+");
		assert_true(pty_await(&p, "QD >2<"));
		printf("# a knob turned and acknowledged on the screen after %d ms\n",
		       (int)((pty_now_ns() - begin) / 1000000));
		pty_type(&p, " ");
		assert_true(pty_await(&p, "PAUSE"));
		assert_true(deck_is_shot(&p, file));
		pty_type(&p, " ");
		pump_for(&p, SECOND);
		took = quit_ms(&p);
		pty_stop(&p);
		if (took < 1000) /* else this machine was busy with other things */
			break;
	}
	printf("# q to the end: %d ms\n", took);
	assert_true(took < 1000);
}

/* What a frame a second costs is less than the line takes; and it is known for what it is. */
static void test_fits_the_line(void **state)
{
	struct pty_options o = slow_line();
	struct pty p;
	size_t bytes;

	(void)state;
	deck_start(&p, &o, words);
	assert_true(pty_await(&p, "q:quit"));
	pump_for(&p, SECOND);
	bytes = p.bytes;
	pump_for(&p, 5 * SECOND);
	bytes = (p.bytes - bytes) / 5;
	printf("# steady: %zu bytes/s of the line's 960\n", bytes);
	assert_true(bytes > 0 && bytes < 960);
	pty_stop(&p);
	o.columns = 132;
	deck_start(&p, &o, words);
	assert_true(pty_await(&p, "q:quit"));
	deck_line(&p, "version");
	assert_true(pty_await(&p, "9600 baud, slow line"));
	assert_true(pty_has(&p, "glyphs=acs"));
	deck_line(&p, "glyphs utf8"); /* who asks for it has it there too */
	assert_true(pty_await_gone(&p, ":glyphs"));
	deck_line(&p, "version");
	assert_true(pty_await(&p, "glyphs=utf8"));
	pty_stop(&p);
}

/* A line that says nothing of its speed: it is seen by what it does not take. */
static void test_does_not_keep_up(void **state)
{
	struct pty_options o = deck_options("xterm-256color", "C.UTF-8");
	int64_t end = pty_now_ns() + 60 * SECOND;
	struct pty p;
	char text[32];

	(void)state;
	deck_start(&p, &o, words);
	assert_true(pty_await(&p, "q:quit"));
	for (int i = 0; !pty_has(&p, "the line is slow") && pty_now_ns() < end; i++) {
		int64_t deaf = pty_now_ns() + 2 * SECOND;

		while (pty_now_ns() < deaf) { /* nobody reads; every key asks for a full picture */
			pty_type(&p, "\014");
			poll(NULL, 0, 20);
		}
		snprintf(text, sizeof(text), "the line is slow");
		for (int k = 0; k < 40 && !pty_has(&p, text); k++)
			pty_pump(&p, 50);
	}
	assert_true(pty_await(&p, "the line is slow"));
	deck_line(&p, "version");
	assert_true(pty_await(&p, "glyphs=acs"));
	printf("# q to the end: %d ms\n", quit_ms(&p));
	pty_stop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_9600),
		cmocka_unit_test(test_fits_the_line),
		cmocka_unit_test(test_does_not_keep_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
