#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "state_private.h"

/* The thread that waits for disks: it flushes those of the volume, then writes the frame, then syncs it. One frame at a time. */

/* The disks that could not be flushed, as bits. */
static uint64_t flush_disks(const struct state *s, uint64_t flush)
{
	uint64_t failed = 0;

	for (uint32_t i = 0; i < VOLUME_MAX_DISKS; i++)
		if (flush >> i & 1 && s->disk_fd[i] >= 0 && fdatasync(s->disk_fd[i]))
			failed |= UINT64_C(1) << i;
	return failed;
}

static void work(struct state *s)
{
	uint64_t unflushed = flush_disks(s, s->flush);
	int how = unflushed ? 0 : state_write_frame(s, s->entry, s->n_entries);

	pthread_mutex_lock(&s->lock);
	s->entry = NULL;
	s->unflushed = unflushed;
	s->how = how < 0 ? how : unflushed ? JOURNAL_NOT_FLUSHED : JOURNAL_DURABLE;
	s->done = true;
	pthread_cond_broadcast(&s->over);
	pthread_mutex_unlock(&s->lock);
	/* The frame is durable and told of; if the new file cannot be made, the next one will fail. */
	if (!how && state_is_long(s) && state_compact(s) < 0) {
		pthread_mutex_lock(&s->lock);
		s->stop = true;
		pthread_mutex_unlock(&s->lock);
	}
}

static void *run(void *data)
{
	struct state *s = data;

	pthread_mutex_lock(&s->lock);
	for (;;) {
		while (!s->entry && !s->stop)
			pthread_cond_wait(&s->more, &s->lock);
		if (!s->entry)
			break;
		pthread_mutex_unlock(&s->lock);
		work(s);
		pthread_mutex_lock(&s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* ---- the journal's side ---- */

static void begin(struct journal_store *store, const struct journal_entry *e, uint32_t n, uint64_t flush)
{
	struct state *s = (struct state *)store;

	pthread_mutex_lock(&s->lock);
	s->entry = e;
	s->n_entries = n;
	s->flush = flush;
	s->busy = true;
	s->done = false;
	pthread_cond_signal(&s->more);
	pthread_mutex_unlock(&s->lock);
}

static int progress(struct journal_store *store, uint64_t *failed)
{
	struct state *s = (struct state *)store;
	int how = JOURNAL_BUSY;

	*failed = 0;
	pthread_mutex_lock(&s->lock);
	if (s->done) {
		how = s->how;
		*failed = s->unflushed;
		s->busy = s->done = false;
	} else if (s->stop) {
		how = -EIO;
	}
	pthread_mutex_unlock(&s->lock);
	return how;
}

static int start(struct state *s)
{
	int code = thread_start(&s->thread, run, s);

	s->runs = !code;
	return code;
}

struct journal_store *state_store(struct state *s, const int *disk_fd, uint32_t n_disks, struct err *err)
{
	int code = 0;

	s->store = (struct journal_store){begin, progress};
	for (uint32_t i = 0; i < VOLUME_MAX_DISKS; i++)
		s->disk_fd[i] = i < n_disks ? disk_fd[i] : -1;
	if (!s->runs)
		code = start(s);
	if (!code)
		return &s->store;
	err_set(err, code, "cannot start the thread of the state file: %s", strerror(-code));
	return NULL;
}

void state_wait(struct state *s, int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	int64_t ns = until.tv_nsec + ms * NS_PER_MS;
	until.tv_sec += ns / NS_PER_S;
	until.tv_nsec = ns % NS_PER_S;
	pthread_mutex_lock(&s->lock);
	while (s->busy && !s->done && !s->stop)
		if (pthread_cond_timedwait(&s->over, &s->lock, &until))
			break;
	pthread_mutex_unlock(&s->lock);
}

void state_stop_thread(struct state *s)
{
	if (!s->runs)
		return;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_signal(&s->more);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	s->runs = false;
}
