/* What happens when the program crashes while the screen is up: the terminal is put back, then the
 * signal does its work. */
#ifndef IODECK_GUARD_H
#define IODECK_GUARD_H

#include <stddef.h>
#include <termios.h>

/* From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS and SIGTRAP write `restore` (`length`
 * bytes, copied) to `out_fd`, set `modes` again, say one line on `err_fd` and end the program by
 * that signal. What lies in `caught_fd` (-1: none), for example what assert said, follows on
 * `err_fd`. When somebody calls exit() the terminal is put back as well. One terminal a process. */
void guard_arm(const char *restore, size_t length, const struct termios *modes, int out_fd,
	       int err_fd, int caught_fd);
void guard_disarm(void);

#endif
