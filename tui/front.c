#include "front.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum {
	KEPT_MS = 500,	/* an orderly end takes less */
	ECHO_MS = 200,	/* a second signal later than this is meant */
};

struct front {
	pid_t child;
	int from_fd, signal_fd;
	int64_t signal_ns; /* first of the signals that end; 0: none came */
	int status;	   /* -1: not known yet */
	bool told, reaped; /* told: by the deck itself, at its end */
};

static const int passed_on[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1 };

static void block_signals(sigset_t *set, sigset_t *before)
{
	sigemptyset(set);
	for (unsigned i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(set, passed_on[i]);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGTSTP); /* the child stops itself in order, and this one then */
	sigprocmask(SIG_BLOCK, set, before);
}

/* ---- the child ---- */

static _Noreturn void run_deck(int (*deck)(const struct options *o), const struct options *o, int to_fd, const sigset_t *before)
{
	unsigned char status;
	ssize_t ignored;

	prctl(PR_SET_PDEATHSIG, SIGHUP);
	sigprocmask(SIG_SETMASK, before, NULL);
	status = (unsigned char)deck(o);
	fflush(NULL);
	ignored = write(to_fd, &status, 1);
	(void)ignored;
	_exit(status);
}

/* ---- the parent ---- */

static void look_at_child(struct front *f)
{
	int status;

	while (waitpid(f->child, &status, WNOHANG | WUNTRACED) == f->child) {
		if (WIFSTOPPED(status)) {
			kill(getpid(), SIGSTOP);
			kill(f->child, SIGCONT);
			continue;
		}
		f->reaped = true;
		if (f->status < 0)
			f->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		return;
	}
}

/* A second signal is meant for this one: the child may already be where no signal reaches it. */
static void take_signal(struct front *f, int number)
{
	struct clock clock = clock_monotonic();
	int64_t now_ns = clock_now(&clock);

	if (number == SIGCHLD) {
		look_at_child(f);
		return;
	}
	kill(f->child, number);
	if (number == SIGTSTP || number == SIGUSR1)
		return;
	if (!f->signal_ns)
		f->signal_ns = now_ns;
	else if (now_ns - f->signal_ns > ECHO_MS * NS_PER_MS && f->status < 0)
		f->status = 128 + number;
}

static void turn(struct front *f, int ms)
{
	struct pollfd fd[] = { { f->signal_fd, POLLIN, 0 }, { f->told ? -1 : f->from_fd, POLLIN, 0 } };
	struct signalfd_siginfo info;
	unsigned char status;

	poll(fd, 2, ms);
	if (fd[1].revents) {
		f->told = true;
		if (read(f->from_fd, &status, 1) == 1)
			f->status = status;
	}
	while (read(f->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		take_signal(f, (int)info.ssi_signo);
}

static int watch(struct front *f)
{
	while (f->status < 0)
		turn(f, 1000);
	for (int waited = 0; !f->reaped && waited < KEPT_MS; waited += 20) {
		turn(f, 20);
		look_at_child(f);
	}
	if (!f->reaped)
		fprintf(stderr, "iodeck: the kernel keeps process %d until its requests come back; nothing is done by it any more\n", (int)f->child);
	return f->status;
}

int front_run(int (*deck)(const struct options *o), const struct options *o)
{
	struct front f = { .status = -1 };
	sigset_t set, before;
	int fd[2];

	if (pipe(fd))
		return deck(o);
	block_signals(&set, &before);
	f.child = fork();
	if (f.child < 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		return deck(o);
	}
	if (!f.child) {
		close(fd[0]);
		run_deck(deck, o, fd[1], &before);
	}
	close(fd[1]);
	f.from_fd = fd[0];
	f.signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return watch(&f);
}
