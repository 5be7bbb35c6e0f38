#include "guard.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
	RESTORE_MAX = 256,
	STACK_BYTES = 64 * 1024,
};

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { N_CRASHES = sizeof(crashes) / sizeof(crashes[0]) };

/* A handler can be told nothing but by variables of the file. */
static struct {
	char restore[RESTORE_MAX];
	size_t length;
	struct termios modes;
	int out_fd, err_fd;
} guard;
static char stack[STACK_BYTES];

static void put(int fd, const char *bytes, size_t n)
{
	ssize_t ignored = write(fd, bytes, n);

	(void)ignored; /* nothing can be done about it here */
}

/* Only calls that signal-safety(7) lists. SA_RESETHAND: raising it again ends the program. */
static void on_crash(int signal)
{
	static const char text[] = "iodeck: crashed; the terminal is as it was before\n";

	put(guard.out_fd, guard.restore, guard.length);
	tcsetattr(guard.out_fd, TCSANOW, &guard.modes);
	put(guard.err_fd, text, sizeof(text) - 1);
	raise(signal);
}

void guard_arm(const char *restore, size_t length, const struct termios *modes, int out_fd,
	       int err_fd)
{
	struct sigaction action = { .sa_handler = on_crash,
				    .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };

	guard.length = length < RESTORE_MAX ? length : RESTORE_MAX;
	memcpy(guard.restore, restore, guard.length);
	guard.modes = *modes;
	guard.out_fd = out_fd;
	guard.err_fd = err_fd;
	sigaltstack(&alternate, NULL);
	for (int i = 0; i < N_CRASHES; i++)
		sigaction(crashes[i], &action, NULL);
}

void guard_disarm(void)
{
	for (int i = 0; i < N_CRASHES; i++)
		signal(crashes[i], SIG_DFL);
}
