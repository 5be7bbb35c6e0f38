/* Plays a script of keys and expectations on a program in a terminal of its own, and prints TAP. The terminal is always read, also while a
 * command of the script runs, so that the program is never held up.
 *   start PROGRAM ARG ...   begin it, 80x24
 *   size ROWS COLUMNS       for the next start
 *   send TEXT               keys; \r is Enter, \e Esc
 *   wait SECONDS TEXT       until TEXT stands on the screen
 *   gone SECONDS TEXT       until it does not
 *   within MS TEXT          the last `send` is answered by TEXT in so many milliseconds
 *   sleep SECONDS
 *   shell COMMAND           must succeed; $PID is the program
 *   screen FILE             append what is on the screen
 *   end SECONDS STATUS      it ends by itself with that exit status
 *   ok NAME                 one result: all since the last `ok` went well */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

enum {
	MAX_ROWS = 100,
	MAX_COLUMNS = 300,
	SHELL_S = 120, /* a command of the script takes less */
};

struct drive {
	int fd, rows, columns, number, status;
	pid_t pid;
	bool ended, bad, any_bad;
	VTerm *vt;
	double sent_s;
	char why[4096];
	char text[MAX_ROWS * (MAX_COLUMNS * 4 + 1) + 1];
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(struct drive *d, const char *what, const char *text)
{
	if (!d->bad)
		snprintf(d->why, sizeof(d->why), "%s %s", what, text);
	d->bad = true;
}

/* Read what the program draws for at most `ms`; false when it is gone. */
static bool pump(struct drive *d, int ms)
{
	struct pollfd fd = { d->fd, POLLIN, 0 };
	char bytes[4096];
	ssize_t n;

	if (d->fd < 0 || poll(&fd, 1, ms) <= 0)
		return d->fd >= 0;
	n = read(d->fd, bytes, sizeof(bytes));
	if (n > 0)
		vterm_input_write(d->vt, bytes, (size_t)n);
	return n > 0;
}

static const char *screen(struct drive *d)
{
	VTermScreen *s = vterm_obtain_screen(d->vt);
	char *at = d->text;

	for (int row = 0; row < d->rows; row++) {
		VTermRect rect = { row, row + 1, 0, d->columns };

		at += vterm_screen_get_text(s, at, MAX_COLUMNS * 4, rect);
		*at++ = '\n';
	}
	*at = '\0';
	return d->text;
}

/* ---- commands ---- */

static void do_start(struct drive *d, char *text)
{
	struct winsize size = { .ws_row = (unsigned short)d->rows, .ws_col = (unsigned short)d->columns };
	char *argv[64];
	int n = 0;

	for (char *word = strtok(text, " "); word && n < 63; word = strtok(NULL, " "))
		argv[n++] = word;
	argv[n] = NULL;
	d->ended = false;
	d->vt = vterm_new(d->rows, d->columns);
	vterm_set_utf8(d->vt, 1);
	vterm_screen_reset(vterm_obtain_screen(d->vt), 1);
	d->pid = forkpty(&d->fd, NULL, NULL, &size);
	if (!d->pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
}

static void do_size(struct drive *d, char *text)
{
	if (sscanf(text, "%d %d", &d->rows, &d->columns) != 2)
		fail(d, "size", text);
}

static void do_send(struct drive *d, char *text)
{
	char out[512];
	size_t n = 0;

	for (; *text && n < sizeof(out); text++) {
		if (*text == '\\' && text[1]) {
			text++;
			out[n++] = *text == 'r' ? '\r' : *text == 'e' ? 27 : *text;
		} else {
			out[n++] = *text;
		}
	}
	d->sent_s = now_s();
	if (write(d->fd, out, n) != (ssize_t)n)
		fail(d, "send", "not taken");
}

static bool stands(struct drive *d, const char *text) { return strstr(screen(d), text) != NULL; }

static void await(struct drive *d, char *text, bool there, const char *what)
{
	char *rest;
	double until_s = now_s() + strtod(text, &rest);

	rest += *rest == ' ';
	while (stands(d, rest) != there && now_s() < until_s)
		if (!pump(d, 20))
			break;
	if (stands(d, rest) != there) {
		fail(d, what, text);
		printf("# screen:\n");
		for (char *line = strtok((char *)screen(d), "\n"); line; line = strtok(NULL, "\n"))
			printf("# | %s\n", line);
	}
}

static void do_wait(struct drive *d, char *text) { await(d, text, true, "wait"); }
static void do_gone(struct drive *d, char *text) { await(d, text, false, "gone"); }

static void do_within(struct drive *d, char *text)
{
	char *rest, more[600];
	double limit_ms = strtod(text, &rest), took_ms;

	snprintf(more, sizeof(more), "10 %s", rest + 1);
	do_wait(d, more);
	took_ms = (now_s() - d->sent_s) * 1000;
	printf("# %s after %.0f ms\n", rest + 1, took_ms);
	if (took_ms > limit_ms)
		fail(d, "within", text);
}

static void do_sleep(struct drive *d, char *text)
{
	double until_s = now_s() + strtod(text, NULL);

	while (now_s() < until_s)
		if (!pump(d, 20))
			usleep(20000);
}

static void do_shell(struct drive *d, char *text)
{
	double until_s = now_s() + SHELL_S;
	char number[32];
	int status;
	pid_t pid;

	snprintf(number, sizeof(number), "%d", (int)d->pid);
	setenv("PID", number, 1);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", text, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (!pump(d, 20))
			usleep(20000);
		if (now_s() > until_s) {
			fail(d, "shell does not come back:", text);
			return;
		}
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail(d, "shell", text);
}

static void do_screen(struct drive *d, char *text)
{
	FILE *f = fopen(text, "a");

	pump(d, 100);
	if (f)
		fprintf(f, "%s--------\n", screen(d));
	if (f)
		fclose(f);
}

static void do_end(struct drive *d, char *text)
{
	double seconds, until_s;
	int wanted, status = 0;
	pid_t got = 0;

	if (sscanf(text, "%lf %d", &seconds, &wanted) != 2)
		fail(d, "end", text);
	until_s = now_s() + seconds;
	while (!(got = waitpid(d->pid, &status, WNOHANG)) && now_s() < until_s)
		if (!pump(d, 20))
			usleep(20000);
	for (int i = 0; got && i < 50 && pump(d, 1); i++)
		; /* what it said last; another process may still hold the terminal */
	d->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	printf("# ended: %s %d\n", got == d->pid ? "status" : "NOT", d->status);
	if (got != d->pid || d->status != wanted)
		fail(d, "end", text);
	close(d->fd);
	d->fd = -1;
}

static void do_ok(struct drive *d, const char *text)
{
	printf("%s %d - %s\n", d->bad ? "not ok" : "ok", ++d->number, text);
	if (d->bad)
		printf("# %s\n", d->why);
	d->any_bad |= d->bad;
	d->bad = false;
	fflush(stdout);
}

static void do_ok_line(struct drive *d, char *text) { do_ok(d, text); }

static const struct {
	const char *name;
	void (*run)(struct drive *d, char *text);
} commands[] = {
	{ "start", do_start }, { "size", do_size },   { "send", do_send },     { "wait", do_wait }, { "gone", do_gone }, { "within", do_within },
	{ "sleep", do_sleep }, { "shell", do_shell }, { "screen", do_screen }, { "end", do_end },   { "ok", do_ok_line },
};

static void obey(struct drive *d, char *line)
{
	char *text = line + strcspn(line, " ");

	if (*text)
		*text++ = '\0';
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, line)) {
			commands[i].run(d, text);
			return;
		}
	fail(d, "unknown:", line);
}

int main(void)
{
	struct drive *d = calloc(1, sizeof(*d));
	char line[1024];

	if (!d)
		return 2;
	d->fd = -1;
	d->rows = 24;
	d->columns = 80;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line && *line != '#')
			obey(d, line);
	}
	if (d->bad)
		do_ok(d, "the end of the script");
	printf("1..%d\n", d->number);
	return d->any_bad;
}
