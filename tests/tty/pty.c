#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum { AWAIT_MS = 20000 };

/* What the shell tells. */
struct report {
	enum { REPORT_STARTED, REPORT_STOPPED, REPORT_ENDED } what;
	int status;
	pid_t job;
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
	abort();
}

int64_t pty_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* ---- the shell: leads the session, has one job ---- */

struct shell {
	const struct pty_options *o;
	pty_child *child;
	void *data;
	int report_fd, order_fd;
};

static void tell(const struct shell *s, int what, int status, pid_t job)
{
	struct report r = { what, status, job };

	if (write(s->report_fd, &r, sizeof(r)) != (ssize_t)sizeof(r))
		_exit(1);
}

static void set_environment(const struct pty_options *o)
{
	static const char *const gone[] = { "NO_COLOR", "ESCDELAY", "SSH_CONNECTION", "LINES",
					    "COLUMNS", "IODECK_GLYPHS", "NCURSES_NO_UTF8_ACS" };

	for (unsigned i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		unsetenv(gone[i]);
	unsetenv("TERM");
	if (o->term)
		setenv("TERM", o->term, 1);
	setenv("LC_ALL", o->locale ? o->locale : "C", 1);
	for (int i = 0; o->env[i]; i++)
		putenv((char *)o->env[i]);
}

static _Noreturn void job_main(const struct shell *s)
{
	setpgid(0, 0);
	tcsetpgrp(STDIN_FILENO, getpid());
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	set_environment(s->o);
	s->child(s->data);
	_exit(126);
}

/* A stopped job is told and waits for the user's word. */
static void job_stopped(const struct shell *s, pid_t job)
{
	char word;

	tcsetpgrp(STDIN_FILENO, getpgrp());
	tell(s, REPORT_STOPPED, 0, job);
	if (read(s->order_fd, &word, 1) != 1)
		_exit(1);
	if (word == 'f')
		tcsetpgrp(STDIN_FILENO, job);
	kill(-job, SIGCONT);
}

static _Noreturn void shell_main(const struct shell *s)
{
	int status = 0;
	char word;
	pid_t job;

	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	job = fork();
	if (job < 0)
		_exit(1);
	if (!job)
		job_main(s);
	setpgid(job, job);
	tcsetpgrp(STDIN_FILENO, job);
	tell(s, REPORT_STARTED, 0, job);
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status))
		job_stopped(s, job);
	tcsetpgrp(STDIN_FILENO, getpgrp());
	tell(s, REPORT_ENDED,
	     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), job);
	_exit(read(s->order_fd, &word, 1) != 1); /* the terminal stays until it has been looked at */
}

/* No shell between: as a terminal window that was opened for the program. */
static _Noreturn void alone_main(const struct shell *s)
{
	tell(s, REPORT_STARTED, 0, getpid());
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	set_environment(s->o);
	s->child(s->data);
	_exit(126);
}

void pty_exec(void *argv)
{
	char **words = argv;

	execv(words[0], words);
	fail(words[0]);
}

/* ---- libvterm ---- */

static int on_property(VTermProp prop, VTermValue *value, void *data)
{
	struct pty *p = data;

	if (prop == VTERM_PROP_CURSORVISIBLE)
		p->visible = value->boolean;
	return 1;
}

static void on_answer(const char *bytes, size_t n, void *data)
{
	const struct pty *p = data;
	ssize_t ignored = write(p->master, bytes, n);

	(void)ignored;
}

static void start_vterm(struct pty *p)
{
	static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

	p->vt = vterm_new(p->rows, p->columns);
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
	vterm_output_set_callback(p->vt, on_answer, p);
	p->visible = true;
}

/* ---- begin and end ---- */

void pty_start(struct pty *p, const struct pty_options *o, pty_child *child, void *data)
{
	struct winsize size = { .ws_row = (unsigned short)o->rows,
				.ws_col = (unsigned short)o->columns };
	struct termios modes;
	int report[2], order[2], slave;

	*p = (struct pty){ .rows = o->rows, .columns = o->columns, .status = -1 };
	if (pipe2(report, O_CLOEXEC) || pipe2(order, O_CLOEXEC))
		fail("pipe");
	if (openpty(&p->master, &slave, NULL, NULL, &size) || tcgetattr(slave, &modes))
		fail("openpty");
	fcntl(p->master, F_SETFD, FD_CLOEXEC);
	if (o->speed) {
		cfsetospeed(&modes, o->speed);
		cfsetispeed(&modes, o->speed);
	}
	tcsetattr(slave, TCSANOW, &modes);
	tcgetattr(slave, &p->before);
	p->shell = fork();
	if (p->shell < 0)
		fail("fork");
	if (!p->shell) {
		struct shell s = { o, child, data, report[1], order[0] };

		close(p->master);
		close(report[0]);
		close(order[1]);
		login_tty(slave);
		if (o->no_job_control)
			alone_main(&s);
		shell_main(&s);
	}
	close(slave);
	close(report[1]);
	close(order[0]);
	p->report_fd = report[0];
	p->order_fd = order[1];
	start_vterm(p);
}

void pty_close(struct pty *p)
{
	if (p->master >= 0)
		close(p->master);
	p->master = -1;
	p->closed = true;
}

void pty_stop(struct pty *p)
{
	if (p->job > 0 && !p->ended)
		kill(p->job, SIGKILL);
	pty_close(p);
	close(p->order_fd);
	kill(p->shell, SIGKILL);
	waitpid(p->shell, NULL, 0);
	close(p->report_fd);
	vterm_free(p->vt);
}

void pty_go_on(struct pty *p, bool foreground)
{
	p->stopped = false;
	if (write(p->order_fd, foreground ? "f" : "b", 1) != 1)
		fail("order");
}

void pty_type(struct pty *p, const char *bytes)
{
	if (write(p->master, bytes, strlen(bytes)) != (ssize_t)strlen(bytes))
		fail("typing");
}

void pty_resize(struct pty *p, int rows, int columns)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	if (rows > 0 && columns > 0) {
		p->rows = rows;
		p->columns = columns;
		vterm_set_size(p->vt, rows, columns);
	}
	ioctl(p->master, TIOCSWINSZ, &size);
}

/* ---- what the program sends ---- */

static void set_mode(struct pty_modes *m, int mode, bool on)
{
	if (mode >= 0 && mode < (int)sizeof(m->on))
		m->on[mode] = on;
	m->alternate = m->on[1049] || m->on[47] || m->on[1047];
	m->alternate_seen |= m->alternate;
	m->paste = m->on[2004];
	m->mouse = m->on[1000] || m->on[1002] || m->on[1003] || m->on[1006];
	m->cursor_keys = m->on[1];
	m->cursor_hidden = mode == 25 ? !on : m->cursor_hidden;
}

/* A byte of a sequence behind "ESC [". */
static void see_sequence(struct pty_modes *m, unsigned char ch)
{
	if (ch == '?') {
		m->private_mode = true;
	} else if (ch >= '0' && ch <= '9') {
		m->value = m->value * 10 % 100000 + (ch - '0');
	} else {
		if (m->private_mode && (ch == 'h' || ch == 'l' || ch == ';'))
			set_mode(m, m->value, ch == 'h');
		if (ch == 'b' && !m->private_mode)
			m->repeat = m->value > 1 ? m->value : 1;
		m->value = 0;
		m->state = ch == ';' ? 2 : 0;
	}
}

static void see(struct pty_modes *m, unsigned char ch)
{
	m->repeat = 0;
	if (ch == 033) {
		m->state = 1;
	} else if (m->state == 1) {
		m->osc |= ch == ']';
		m->state = ch == '[' ? 2 : 0;
		m->value = 0;
		m->private_mode = false;
	} else if (m->state == 2) {
		see_sequence(m, ch);
	} else if (ch >= ' ') {
		m->last = (char)ch;
	}
}

/* libvterm 0.1.4 takes a repetition (ESC [ n b) that ends one column before the margin for a full
 * row: it gets the characters themselves, after a cancelled sequence. */
static void show(struct pty *p, char ch)
{
	static const char cancel = 0x18;

	see(&p->modes, (unsigned char)ch);
	vterm_input_write(p->vt, p->modes.repeat ? &cancel : &ch, 1);
	for (int i = 0; i < p->modes.repeat; i++)
		vterm_input_write(p->vt, &p->modes.last, 1);
}

static void take(struct pty *p, const char *bytes, size_t n)
{
	p->bytes += n;
	for (size_t i = 0; i < n; i++) {
		p->high |= (unsigned char)bytes[i] > 127;
		if (bytes[i] == PTY_MARK && p->on_mark)
			p->on_mark(p, p->data);
		else
			show(p, bytes[i]);
	}
}

static bool read_bytes(struct pty *p)
{
	char bytes[4096];
	size_t most = p->rate ? (size_t)p->rate : sizeof(bytes);
	ssize_t n = read(p->master, bytes, most);

	p->taken_ns = pty_now_ns();
	if (n > 0)
		take(p, bytes, (size_t)n);
	else if (n == 0 || errno == EIO)
		p->closed = true;
	return n > 0;
}

static bool read_report(struct pty *p)
{
	struct report r;

	if (read(p->report_fd, &r, sizeof(r)) != (ssize_t)sizeof(r))
		return false;
	p->job = r.job;
	p->stopped = r.what == REPORT_STOPPED;
	if (r.what == REPORT_ENDED) {
		p->ended = true;
		p->status = r.status;
	}
	return true;
}

/* A slow reader leaves the bytes where they are until their time has come. */
static int wait_ms(const struct pty *p)
{
	int64_t left = p->taken_ns + 100000000 - pty_now_ns();

	return p->rate && left > 0 ? (int)(left / 1000000) + 1 : 0;
}

bool pty_pump(struct pty *p, int ms)
{
	int resting = wait_ms(p);
	struct pollfd fd[] = { { p->closed || resting ? -1 : p->master, POLLIN, 0 },
			       { p->ended ? -1 : p->report_fd, POLLIN, 0 } };
	bool any = false;

	if (poll(fd, 2, resting && resting < ms ? resting : ms) < 0 && errno != EINTR)
		fail("poll");
	if (fd[0].revents)
		any |= read_bytes(p);
	if (fd[1].revents)
		any |= read_report(p);
	return any;
}

/* ---- the screen ---- */

void pty_row(const struct pty *p, int row, char *text)
{
	for (int i = 0; i < p->columns; i++) {
		VTermPos pos = { row, i };
		VTermScreenCell cell;

		vterm_screen_get_cell(p->screen, pos, &cell);
		text[i] = cell.chars[0] == 0 ? ' ' : cell.chars[0] < 128 ? (char)cell.chars[0]
									 : '?';
	}
	text[p->columns] = '\0';
}

bool pty_has(const struct pty *p, const char *text)
{
	char line[1001];

	for (int row = 0; row < p->rows; row++) {
		pty_row(p, row, line);
		if (strstr(line, text))
			return true;
	}
	return false;
}

void pty_show(const struct pty *p)
{
	char line[1001];

	for (int row = 0; row < p->rows; row++) {
		pty_row(p, row, line);
		fprintf(stderr, "|%s|\n", line);
	}
}

static bool await(struct pty *p, const char *text, bool there)
{
	int64_t end = pty_now_ns() + AWAIT_MS * INT64_C(1000000);

	while (pty_has(p, text) != there) {
		if (pty_now_ns() > end) {
			fprintf(stderr, "waited in vain for '%s' %s\n", text,
				there ? "to come" : "to go");
			pty_show(p);
			return false;
		}
		pty_pump(p, 100);
	}
	return true;
}

bool pty_await(struct pty *p, const char *text) { return await(p, text, true); }
bool pty_await_gone(struct pty *p, const char *text) { return await(p, text, false); }

/* What was sent before the end is taken as well. */
bool pty_await_end(struct pty *p, int ms)
{
	int64_t end = pty_now_ns() + ms * INT64_C(1000000);

	while (!p->ended && pty_now_ns() < end)
		pty_pump(p, 20);
	p->rate = 0;
	while (p->ended && pty_pump(p, 50))
		;
	return p->ended;
}

bool pty_await_stop(struct pty *p)
{
	int64_t end = pty_now_ns() + AWAIT_MS * INT64_C(1000000);

	while (!p->stopped && !p->ended && pty_now_ns() < end)
		pty_pump(p, 20);
	while (pty_pump(p, 50))
		;
	return p->stopped;
}

bool pty_restored(struct pty *p, char *why, size_t room)
{
	const struct pty_modes *m = &p->modes;
	struct termios now;

	why[0] = '\0';
	if (tcgetattr(p->master, &now) || now.c_lflag != p->before.c_lflag ||
	    now.c_iflag != p->before.c_iflag || now.c_oflag != p->before.c_oflag)
		snprintf(why, room, "stty: lflag %x was %x, iflag %x was %x", now.c_lflag,
			 p->before.c_lflag, now.c_iflag, p->before.c_iflag);
	else if (m->alternate || m->cursor_hidden || m->paste || m->mouse || m->cursor_keys)
		snprintf(why, room, "left on:%s%s%s%s%s", m->alternate ? " alternate screen" : "",
			 m->cursor_hidden ? " cursor hidden" : "", m->paste ? " paste" : "",
			 m->mouse ? " mouse" : "", m->cursor_keys ? " cursor keys" : "");
	return !why[0];
}
