#include "base/thread.h"

#include <signal.h>

/* The thread inherits the mask it is started under. */
int thread_start(pthread_t *thread, void *(*main)(void *data), void *data)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP}; /* blocked, they would kill before the terminal is put right */
	sigset_t all, old;

	sigfillset(&all);
	for (unsigned i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigdelset(&all, crashes[i]);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int code = pthread_create(thread, NULL, main, data);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -code;
}
