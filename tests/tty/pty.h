/* A program on a pseudo-terminal under a little shell with job control; libvterm reads its bytes.
 * One thread; nothing here sleeps a fixed time. A failure of the harness itself ends the test
 * program with a message. */
#ifndef IODECK_TEST_PTY_H
#define IODECK_TEST_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

enum { PTY_MARK = 5 }; /* ENQ: terminals show nothing for it */

/* DEC private modes the bytes turned on and not off again. */
struct pty_modes {
	bool alternate, cursor_hidden, paste, mouse, cursor_keys;
	bool alternate_seen, osc; /* an operating system command (ESC ]) came */
	int state, value, repeat; /* of the little parser */
	bool private_mode;
	char last; /* character shown */
	bool on[4096];
};

struct pty {
	int rows, columns;
	int master;
	int report_fd, order_fd; /* of the shell */
	pid_t shell, job;
	VTerm *vt;
	VTermScreen *screen;
	bool visible; /* cursor */
	struct pty_modes modes;
	struct termios before;
	size_t bytes;
	bool high;	/* a byte above 127 came */
	bool closed;	/* no more bytes will come */
	bool stopped, ended;
	int status;	  /* as the shell of a user shows it: 128 + n for a signal */
	int rate;	  /* bytes each 100 ms; 0: as fast as they come */
	int64_t taken_ns; /* the last time bytes were taken, with a rate */
	void (*on_mark)(struct pty *p, void *data);
	void *data;
};

typedef void pty_child(void *data);

struct pty_options {
	int rows, columns;
	const char *term, *locale; /* TERM (NULL: unset) and LC_ALL */
	const char *env[6];	   /* NAME=VALUE, then NULL */
	speed_t speed;		   /* 0: as it comes */
	bool no_job_control;	   /* the program leads the session: nobody could wake it */
};

/* Run `child` there (it does not return; pty_exec is one: argv). */
void pty_start(struct pty *p, const struct pty_options *o, pty_child *child, void *data);
void pty_exec(void *argv);
/* End whatever is left and release everything. */
void pty_stop(struct pty *p);

int64_t pty_now_ns(void);
/* Take what comes within `ms`, return as soon as something came. False: nothing did. */
bool pty_pump(struct pty *p, int ms);
/* Until the screen holds `text` (characters above 127 are '?'), at most 20 s. */
bool pty_await(struct pty *p, const char *text);
bool pty_await_gone(struct pty *p, const char *text);
bool pty_has(const struct pty *p, const char *text);
/* A row as text, `columns` + 1 bytes. */
void pty_row(const struct pty *p, int row, char *text);
/* Until it has ended (or has stopped), at most `ms`. */
bool pty_await_end(struct pty *p, int ms);
bool pty_await_stop(struct pty *p);
void pty_type(struct pty *p, const char *bytes);
void pty_resize(struct pty *p, int rows, int columns);
/* The user's fg, or bg. */
void pty_go_on(struct pty *p, bool foreground);
/* Hang up: the terminal is closed. */
void pty_close(struct pty *p);
/* The screen as text on stderr, for a failed test. */
void pty_show(const struct pty *p);
/* Whether all modes are as they were; false with a word in `why`. */
bool pty_restored(struct pty *p, char *why, size_t room);

#endif
