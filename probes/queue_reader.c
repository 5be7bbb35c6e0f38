#include "queue_reader.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"

#define LEAVE_NS (100 * NS_PER_MS) /* a thread that has not ended by then is left behind */

struct entry {
	char kernel[PROBE_NAME];
	struct probe_queue queue;
	int64_t read_ns;
};

struct queue_reader {
	struct sysread sys; /* the thread's */
	struct clock clock;
	pthread_t thread;
	pthread_mutex_t lock; /* everything below */
	pthread_cond_t asked, done;
	bool running, quit, ended;
	uint32_t n;	   /* devices of this round */
	char kernel[PROBE_MAX_DEVICES][PROBE_NAME];
	uint32_t n_entries;
	struct entry entry[PROBE_MAX_DEVICES];
	char busy[PROBE_NAME]; /* being read; empty: none */
	int64_t busy_ns;
	char bad[96];
};

/* ---- the thread ---- */

struct reading {
	const struct sysread *sys;
	const char *kernel;
	char bad[96];
};

/* Text of an attribute; bytes, or negative. */
static int get(struct reading *r, const char *name, char *text, size_t room)
{
	return sysread_filef(r->sys, text, room, "sys/block/%s/queue/%s", r->kernel, name);
}

static void wrong(struct reading *r, const char *name)
{
	if (!r->bad[0])
		text_format(r->bad, sizeof(r->bad), "sys/block/%s/queue/%s", r->kernel, name);
}

static int64_t number(struct reading *r, const char *name)
{
	int64_t value;
	char text[SYSREAD_LINE];
	int n = get(r, name, text, sizeof(text));

	if (n < 0)
		return PROBE_UNKNOWN;
	if (!attr_parse_i64(text, (size_t)n, &value))
		return value;
	wrong(r, name);
	return PROBE_UNKNOWN;
}

static void words(struct reading *r, const char *name, char *out, size_t room, int (*parse)(const char *, size_t, char *, size_t))
{
	char text[SYSREAD_LINE];
	int n = get(r, name, text, sizeof(text));

	out[0] = '\0';
	if (n >= 0 && parse(text, (size_t)n, out, room))
		wrong(r, name);
}

static void read_device(struct reading *r, struct probe_queue *q)
{
	static const struct {
		const char *name;
		size_t at;
	} numbers[] = {
		{ "nr_requests", offsetof(struct probe_queue, nr_requests) },
		{ "read_ahead_kb", offsetof(struct probe_queue, read_ahead_kb) },
		{ "max_sectors_kb", offsetof(struct probe_queue, max_sectors_kb) },
		{ "wbt_lat_usec", offsetof(struct probe_queue, wbt_lat_usec) },
		{ "nomerges", offsetof(struct probe_queue, nomerges) },
		{ "rq_affinity", offsetof(struct probe_queue, rq_affinity) },
		{ "rotational", offsetof(struct probe_queue, rotational) },
		{ "iostats", offsetof(struct probe_queue, iostats) },
		{ "logical_block_size", offsetof(struct probe_queue, logical_block_size) },
		{ "physical_block_size", offsetof(struct probe_queue, physical_block_size) },
	};

	*q = (struct probe_queue){ .known = true };
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		*(int64_t *)((char *)q + numbers[i].at) = number(r, numbers[i].name);
	words(r, "scheduler", q->scheduler, sizeof(q->scheduler), attr_parse_choice);
	words(r, "write_cache", q->write_cache, sizeof(q->write_cache), attr_parse_text);
	if (q->logical_block_size == PROBE_UNKNOWN) /* its older name */
		q->logical_block_size = number(r, "hw_sector_size");
}

static struct entry *find(struct queue_reader *r, const char *kernel)
{
	for (uint32_t i = 0; i < r->n_entries; i++)
		if (!strcmp(r->entry[i].kernel, kernel))
			return &r->entry[i];
	return NULL;
}

static void keep(struct queue_reader *r, const char *kernel, const struct probe_queue *q)
{
	struct entry *e = find(r, kernel);

	if (!e) /* full: the first is the one that came first, perhaps gone by now */
		e = r->n_entries < PROBE_MAX_DEVICES ? &r->entry[r->n_entries++] : &r->entry[0];
	text_format(e->kernel, sizeof(e->kernel), "%s", kernel);
	e->queue = *q;
	e->read_ns = clock_now(&r->clock);
}

/* With the lock held but while reading. */
static void read_round(struct queue_reader *r)
{
	char bad[sizeof(r->bad)] = "";

	for (uint32_t i = 0; i < r->n && !r->quit; i++) {
		struct reading reading = { .sys = &r->sys, .kernel = r->busy };
		struct probe_queue q;

		text_format(r->busy, sizeof(r->busy), "%s", r->kernel[i]);
		r->busy_ns = clock_now(&r->clock);
		pthread_mutex_unlock(&r->lock);
		read_device(&reading, &q); /* r->busy changes only here */
		pthread_mutex_lock(&r->lock);
		keep(r, r->busy, &q);
		if (!bad[0])
			text_format(bad, sizeof(bad), "%s", reading.bad);
	}
	r->busy[0] = '\0';
	text_format(r->bad, sizeof(r->bad), "%s", bad);
}

static void *run(void *data)
{
	struct queue_reader *r = data;

	pthread_mutex_lock(&r->lock);
	while (!r->quit) {
		if (!r->running) {
			pthread_cond_wait(&r->asked, &r->lock);
			continue;
		}
		read_round(r);
		r->running = false;
		pthread_cond_broadcast(&r->done);
	}
	r->ended = true;
	pthread_cond_broadcast(&r->done);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* ---- the asking side ---- */

static void release(struct queue_reader *r)
{
	pthread_cond_destroy(&r->asked);
	pthread_cond_destroy(&r->done);
	pthread_mutex_destroy(&r->lock);
	sysread_close(&r->sys);
	free(r);
}

struct queue_reader *queue_reader_start(const char *root)
{
	struct queue_reader *r = calloc(1, sizeof(*r));
	pthread_condattr_t attr;
	sigset_t all, before;
	int code;

	if (!r || sysread_open(&r->sys, root, NULL)) {
		free(r);
		return NULL;
	}
	r->clock = clock_monotonic();
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->asked, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->done, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	code = pthread_create(&r->thread, NULL, run, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!code)
		return r;
	release(r);
	return NULL;
}

/* Wait until `*flag` is `want`, at most so long. The lock is held. */
static void wait_for(struct queue_reader *r, const bool *flag, bool want, int64_t wait_ns)
{
	struct timespec until;
	int code = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += wait_ns / NS_PER_S;
	until.tv_nsec += wait_ns % NS_PER_S;
	if (until.tv_nsec >= NS_PER_S) {
		until.tv_sec++;
		until.tv_nsec -= NS_PER_S;
	}
	while (*flag != want && !code)
		code = pthread_cond_timedwait(&r->done, &r->lock, &until);
}

void queue_reader_stop(struct queue_reader *r)
{
	bool ended;

	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->quit = true;
	pthread_cond_signal(&r->asked);
	wait_for(r, &r->ended, true, LEAVE_NS);
	ended = r->ended;
	pthread_mutex_unlock(&r->lock);
	if (!ended) {
		pthread_detach(r->thread);
		return;
	}
	pthread_join(r->thread, NULL);
	release(r);
}

bool queue_reader_round(struct queue_reader *r, const struct probe_snapshot *s, int64_t wait_ns)
{
	bool done;

	pthread_mutex_lock(&r->lock);
	if (!r->running) {
		r->n = s->n_devices;
		for (uint32_t i = 0; i < r->n; i++)
			text_format(r->kernel[i], PROBE_NAME, "%s", s->device[i].kernel);
		r->running = true;
		pthread_cond_signal(&r->asked);
	}
	wait_for(r, &r->running, false, wait_ns);
	done = !r->running;
	pthread_mutex_unlock(&r->lock);
	return done;
}

void queue_reader_get(struct queue_reader *r, const char *kernel, struct probe_queue *out)
{
	const struct entry *e;

	*out = (struct probe_queue){ 0 };
	pthread_mutex_lock(&r->lock);
	e = find(r, kernel);
	if (e) {
		*out = e->queue;
		out->age_s = (double)(clock_now(&r->clock) - e->read_ns) / 1e9;
	}
	pthread_mutex_unlock(&r->lock);
}

int64_t queue_reader_stuck(struct queue_reader *r, int64_t least_ns, char *kernel, size_t room)
{
	int64_t waited = 0;

	pthread_mutex_lock(&r->lock);
	if (r->busy[0]) {
		waited = clock_now(&r->clock) - r->busy_ns;
		text_format(kernel, room, "%s", r->busy);
	}
	pthread_mutex_unlock(&r->lock);
	return waited >= least_ns ? waited : 0;
}

void queue_reader_bad(struct queue_reader *r, char *path, size_t room)
{
	pthread_mutex_lock(&r->lock);
	text_format(path, room, "%s", r->bad);
	pthread_mutex_unlock(&r->lock);
}
