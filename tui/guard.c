#include "guard.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	RESTORE_MAX = 256,
	STACK_BYTES = 64 * 1024,
};

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP };
enum { N_CRASHES = sizeof(crashes) / sizeof(crashes[0]) };

/* A handler can be told nothing but by variables of the file. */
static struct {
	char restore[RESTORE_MAX];
	size_t length;
	struct termios modes;
	int out_fd, err_fd, caught_fd;
	volatile sig_atomic_t armed;
	bool at_exit;
} guard;
static char stack[STACK_BYTES];

static void put(int fd, const char *bytes, size_t n)
{
	ssize_t ignored = write(fd, bytes, n);

	(void)ignored; /* nothing can be done about it here */
}

/* Once. Only calls that signal-safety(7) lists. */
static void put_back(void)
{
	char caught[512];
	ssize_t n;

	if (!guard.armed)
		return;
	guard.armed = 0;
	put(guard.out_fd, guard.restore, guard.length);
	tcsetattr(guard.out_fd, TCSANOW, &guard.modes);
	while (guard.caught_fd >= 0 && (n = read(guard.caught_fd, caught, sizeof(caught))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			if ((unsigned char)caught[i] < ' ' && caught[i] != '\n')
				caught[i] = '?';
		put(guard.err_fd, caught, (size_t)n);
	}
}

/* SA_RESETHAND: raising it again ends the program. */
static void on_crash(int signal)
{
	static const char text[] = "iodeck: crashed; the terminal is as it was before\n";

	put_back();
	put(guard.err_fd, text, sizeof(text) - 1);
	raise(signal);
}

void guard_arm(const char *restore, size_t length, const struct termios *modes, int out_fd,
	       int err_fd, int caught_fd)
{
	struct sigaction action = { .sa_handler = on_crash,
				    .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };

	guard.length = length < RESTORE_MAX ? length : RESTORE_MAX;
	memcpy(guard.restore, restore, guard.length);
	guard.modes = *modes;
	guard.out_fd = out_fd;
	guard.err_fd = err_fd;
	guard.caught_fd = caught_fd;
	guard.armed = 1;
	if (!guard.at_exit)
		guard.at_exit = atexit(put_back) == 0;
	sigaltstack(&alternate, NULL);
	for (int i = 0; i < N_CRASHES; i++)
		sigaction(crashes[i], &action, NULL);
}

void guard_disarm(void)
{
	guard.armed = 0;
	for (int i = 0; i < N_CRASHES; i++)
		signal(crashes[i], SIG_DFL);
}
