/* Sampling in a thread of its own. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/latch.h"
#include "probes.h"

#define LEAVE_NS (500 * NS_PER_MS) /* a thread that has not ended by then is left behind */

struct probe_watch {
	struct probes *probes; /* the thread's */
	struct latch latch;
	struct clock clock;
	int64_t interval_ns;
	pthread_t thread;
	pthread_mutex_t lock; /* of the two below */
	pthread_cond_t wake;
	bool quit, ended;
};

static struct timespec after(int64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ns / NS_PER_S;
	t.tv_nsec += ns % NS_PER_S;
	if (t.tv_nsec >= NS_PER_S) {
		t.tv_sec++;
		t.tv_nsec -= NS_PER_S;
	}
	return t;
}

static void publish(struct probe_watch *w)
{
	const struct probe_snapshot *s = probes_sample(w->probes, clock_now(&w->clock), (int64_t)time(NULL));

	memcpy(latch_begin(&w->latch), s, sizeof(*s));
	latch_publish(&w->latch);
}

static void *run(void *data)
{
	struct probe_watch *w = data;

	pthread_mutex_lock(&w->lock);
	while (!w->quit) {
		struct timespec next = after(w->interval_ns);

		pthread_mutex_unlock(&w->lock);
		publish(w);
		pthread_mutex_lock(&w->lock);
		while (!w->quit && pthread_cond_timedwait(&w->wake, &w->lock, &next) != ETIMEDOUT)
			;
	}
	w->ended = true;
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void release(struct probe_watch *w)
{
	probes_close(w->probes);
	latch_release(&w->latch);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static int start_thread(struct probe_watch *w)
{
	sigset_t all, before;
	int code;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	code = pthread_create(&w->thread, NULL, run, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -code;
}

struct probe_watch *probe_watch_start(const char *root, int64_t interval_ns, struct err *err)
{
	struct probe_watch *w = calloc(1, sizeof(*w));
	pthread_condattr_t attr;

	if (!w || latch_init(&w->latch, sizeof(struct probe_snapshot))) {
		free(w);
		err_set(err, -ENOMEM, "no memory for probes");
		return NULL;
	}
	w->clock = clock_monotonic();
	w->interval_ns = interval_ns;
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->wake, &attr);
	pthread_condattr_destroy(&attr);
	w->probes = probes_open(root, err);
	if (w->probes && !start_thread(w))
		return w;
	if (w->probes)
		err_set(err, -EAGAIN, "no thread for probes");
	release(w);
	return NULL;
}

const struct probe_snapshot *probe_watch_latest(struct probe_watch *w, bool *fresh)
{
	const struct probe_snapshot *s = latch_read(&w->latch, fresh);

	return s->number ? s : NULL;
}

void probe_watch_stop(struct probe_watch *w)
{
	struct timespec until = after(LEAVE_NS);
	int code = 0;
	bool ended;

	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->quit = true;
	pthread_cond_broadcast(&w->wake);
	while (!w->ended && !code)
		code = pthread_cond_timedwait(&w->wake, &w->lock, &until);
	ended = w->ended;
	pthread_mutex_unlock(&w->lock);
	if (!ended) {
		pthread_detach(w->thread);
		return;
	}
	pthread_join(w->thread, NULL);
	release(w);
}
