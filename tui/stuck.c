#include "stuck.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <termios.h>

enum {
	LOOK_US = 250 * 1000,
	LOOKS_FOR_KEY = 4,
};

/* A handler can be told nothing but by variables of the file. */
static struct {
	int in_fd, out_fd;
	volatile sig_atomic_t looks, released;
} stuck;

/* Turning flow control off starts a stopped line. Only calls that signal-safety(7) lists. */
void stuck_release(int fd)
{
	struct termios modes, free_running;

	tcflush(fd, TCOFLUSH);
	if (tcgetattr(fd, &modes))
		return;
	free_running = modes;
	free_running.c_iflag &= ~(tcflag_t)IXON;
	tcsetattr(fd, TCSANOW, &free_running);
	tcsetattr(fd, TCSANOW, &modes);
}

static bool ending(void)
{
	static const int endings[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	bool any = false;
	sigset_t pending;

	sigpending(&pending);
	for (unsigned i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		any |= sigismember(&pending, endings[i]) == 1;
	return any;
}

static bool key_waits(void)
{
	int waiting = 0;

	return !ioctl(stuck.in_fd, FIONREAD, &waiting) && waiting > 0;
}

static void on_alarm(int signal)
{
	int saved = errno;

	(void)signal;
	stuck.looks++;
	if (ending() || (stuck.looks >= LOOKS_FOR_KEY && key_waits())) {
		stuck_release(stuck.out_fd);
		stuck.released = 1;
	}
	errno = saved;
}

void stuck_watch(int in_fd, int out_fd)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };

	stuck.in_fd = in_fd;
	stuck.out_fd = out_fd;
	sigaction(SIGALRM, &action, NULL);
}

static void set_timer(long us)
{
	struct itimerval t = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &t, NULL);
}

void stuck_begin(void)
{
	stuck.looks = 0;
	stuck.released = 0;
	set_timer(LOOK_US);
}

bool stuck_end(void)
{
	set_timer(0);
	return stuck.released;
}
