/* Stands between iodeck and libaio (LD_PRELOAD) and counts what really went through. The context it hands out is no ring of the kernel's, so
 * that every event comes through io_getevents. INTERPOSE=eagain: at most 4 at once until reaped; short: one less than offered; eintr: every
 * third call is interrupted; hold: after 1000 events nothing ever comes back, as from a device that hangs;
 * errors: of each hundred events one is EIO, one half, one nothing; einval: the 100th is EINVAL. At the end it writes "submitted completed bytes" to INTERPOSE_OUT. */
#include <dlfcn.h>
#include <errno.h>
#include <libaio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct wrapped {
	char no_ring[64]; /* where a ring would have its magic */
	io_context_t real;
	long out;
} one;
static unsigned long long submitted, completed, bytes, calls;
static enum { PLAIN, EAGAIN_4, SHORT, EINTR_3, HOLD, ERRORS, EINVAL_100 } mode;

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

int io_setup(int n, io_context_t *context)
{
	int (*real)(int, io_context_t *) = (int (*)(int, io_context_t *))next("io_setup");
	static const char *const words[] = {"plain", "eagain", "short", "eintr", "hold", "errors", "einval"};
	const char *word = getenv("INTERPOSE");

	for (size_t i = 0; word && i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], word))
			mode = (int)i;
	one.real = 0;
	*context = (io_context_t)(void *)&one;
	return real(n, &one.real);
}

int io_destroy(io_context_t context)
{
	int (*real)(io_context_t) = (int (*)(io_context_t))next("io_destroy");

	(void)context;
	return real(one.real);
}

int io_submit(io_context_t context, long n, struct iocb **list)
{
	int (*real)(io_context_t, long, struct iocb **) = (int (*)(io_context_t, long, struct iocb **))next("io_submit");

	(void)context;
	if (mode == EINTR_3 && ++calls % 3 == 0)
		return -EINTR;
	if (mode == EAGAIN_4 && one.out >= 4)
		return -EAGAIN;
	if (mode == EAGAIN_4 && n > 4 - one.out)
		n = 4 - one.out;
	if (mode == SHORT && n > 1)
		n--;
	int taken = real(one.real, n, list);
	if (taken > 0) {
		submitted += (unsigned)taken;
		one.out += taken;
	}
	return taken;
}

static void bend(struct io_event *event)
{
	unsigned long long of_hundred = completed % 100;

	if (mode == ERRORS && of_hundred < 3)
		event->res = of_hundred == 0 ? (unsigned long)-EIO : of_hundred == 1 ? event->res / 2 : 0;
	if (mode == EINVAL_100 && completed == 100)
		event->res = (unsigned long)-EINVAL;
}

int io_getevents(io_context_t context, long min, long n, struct io_event *event, struct timespec *t)
{
	int (*real)(io_context_t, long, long, struct io_event *, struct timespec *) =
		(int (*)(io_context_t, long, long, struct io_event *, struct timespec *))next("io_getevents");

	(void)context;
	if (mode == EINTR_3 && ++calls % 3 == 0)
		return -EINTR;
	if (mode == HOLD && completed >= 1000) {
		nanosleep(t, NULL);
		return 0;
	}
	int got = real(one.real, min, n, event, t);
	for (int i = 0; i < got; i++) {
		completed++;
		bend(&event[i]);
		bytes += (long)event[i].res > 0 ? event[i].res : 0;
	}
	one.out -= got > 0 ? got : 0;
	return got;
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("INTERPOSE_OUT");
	FILE *f = path && completed ? fopen(path, "w") : NULL;

	if (!f)
		return;
	fprintf(f, "%llu %llu %llu\n", submitted, completed, bytes);
	fclose(f);
}
