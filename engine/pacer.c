#include "pacer.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/latch.h"
#include "base/ring.h"
#include "base/thread.h"

/* Commands come in by a ring, snapshots go out by a latch, two eventfds tell each side to look. The engine itself is touched by this
 * thread only. Virtual time follows the wall clock at the asked speed in chunks of about 10 ms of work, so that a command never waits
 * longer than that. */

#define PUBLISH_NS (100 * NS_PER_MS)
#define WORK_NS (10 * NS_PER_MS)    /* of wall time, in one chunk */
#define NAP_NS (10 * NS_PER_MS)     /* between looks at the clock when nothing is due */
#define MOST_LAG_NS (2 * NS_PER_S)  /* more is given up: virtual time is then late for good */

enum { RING_SLOTS = 256 };

struct pacer {
	struct engine *engine; /* owned */
	struct clock clock;
	struct ring commands;
	struct latch snapshots;
	pthread_t thread;
	int wake_fd;  /* owned: a command or the end */
	int event_fd; /* borrowed, -1: none */
	_Atomic bool stop;
	/* the thread's own */
	int64_t base_wall_ns, base_virtual_ns; /* where the pace is counted from */
	int64_t chunk_ns;                      /* of virtual time */
	int64_t published_ns, lag_ns;
};

static void write_event(int fd)
{
	uint64_t one = 1;
	ssize_t ignored = write(fd, &one, sizeof(one));

	(void)ignored; /* full means: already told */
}

static void rebase(struct pacer *p)
{
	p->base_wall_ns = clock_now(&p->clock);
	p->base_virtual_ns = engine_now(p->engine);
	p->lag_ns = 0;
}

static void publish(struct pacer *p)
{
	struct snapshot *s = latch_begin(&p->snapshots);

	engine_snapshot(p->engine, s);
	s->lag_s = (double)p->lag_ns / 1e9;
	latch_publish(&p->snapshots);
	p->published_ns = clock_now(&p->clock);
	if (p->event_fd >= 0)
		write_event(p->event_fd);
}

static bool obey_all(struct pacer *p)
{
	struct command c;
	bool any = false;

	while (ring_pop(&p->commands, &c)) {
		bool pace = c.type == COMMAND_PAUSE || c.type == COMMAND_SPEED || c.type == COMMAND_GOTO_STEP || c.type == COMMAND_GOTO_TIME;
		engine_command(p->engine, &c, NULL); /* a refusal is an act in the snapshot */
		if (pace)
			rebase(p);
		p->chunk_ns = NS_PER_MS; /* the load may be another now */
		any = true;
	}
	return any;
}

/* Where virtual time should be now. */
static int64_t target_ns(struct pacer *p, const struct engine_pace *pace)
{
	int64_t now = engine_now(p->engine);

	if (!pace->virtual_time || pace->speed <= 0)
		return now + p->chunk_ns;
	double wall = (double)(clock_now(&p->clock) - p->base_wall_ns);
	int64_t target = p->base_virtual_ns + (int64_t)(wall * pace->speed);
	if (target - now > MOST_LAG_NS) {
		p->base_virtual_ns -= target - now - MOST_LAG_NS;
		target = now + MOST_LAG_NS;
	}
	return target;
}

static void adapt_chunk(struct pacer *p, const struct engine_pace *pace, int64_t work_ns)
{
	if (!pace->virtual_time) {
		p->chunk_ns = WORK_NS;
		return;
	}
	if (work_ns > WORK_NS && p->chunk_ns > NS_PER_US)
		p->chunk_ns /= 2;
	else if (work_ns < WORK_NS / 2 && p->chunk_ns < PUBLISH_NS)
		p->chunk_ns *= 2;
}

/* One chunk of work; true when virtual time is where it should be. */
static bool advance(struct pacer *p, const struct engine_pace *pace)
{
	int64_t target = target_ns(p, pace), now = engine_now(p->engine);
	int64_t limit = target - now > p->chunk_ns ? now + p->chunk_ns : target;
	int64_t began = clock_now(&p->clock);

	(void)engine_run_until(p->engine, limit, NULL); /* a failure is the engine's last act, and it has ended */
	adapt_chunk(p, pace, clock_now(&p->clock) - began);
	bool paced = pace->virtual_time && pace->speed > 0;
	p->lag_ns = paced ? target - engine_now(p->engine) : 0;
	return paced && p->lag_ns <= 0;
}

static void nap(struct pacer *p, int64_t ns)
{
	struct pollfd fd = {.fd = p->wake_fd, .events = POLLIN};
	struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
	uint64_t count;

	if (ppoll(&fd, 1, &t, NULL) > 0) {
		ssize_t ignored = read(p->wake_fd, &count, sizeof(count));
		(void)ignored;
	}
}

/* A simulation at full speed takes a whole processor: the thread that answers keys goes first. (A real load must not be held back so.) */
static void give_way(void)
{
	int ignored = setpriority(PRIO_PROCESS, (id_t)gettid(), 5);

	(void)ignored;
}

static void *pacer_main(void *data)
{
	struct pacer *p = data;

	if (engine_pace(p->engine).virtual_time)
		give_way();
	while (!p->stop) {
		bool dirty = obey_all(p);
		struct engine_pace pace = engine_pace(p->engine);
		bool idle = pace.paused || pace.ended;
		bool ahead = idle || advance(p, &pace);
		if (idle || pace.seeking)
			rebase(p);
		if (dirty || clock_now(&p->clock) - p->published_ns >= PUBLISH_NS)
			publish(p);
		if (ahead)
			nap(p, idle ? PUBLISH_NS : NAP_NS);
	}
	return NULL;
}

static void release(struct pacer *p)
{
	engine_free(p->engine);
	if (p->wake_fd >= 0)
		close(p->wake_fd);
	ring_release(&p->commands);
	latch_release(&p->snapshots);
	free(p);
}

struct pacer *pacer_start(struct engine *e, const struct pacer_options *o, struct err *err)
{
	struct command speed = {.type = COMMAND_SPEED, .cause = CAUSE_COMMAND, .value = (int64_t)(o->speed * 1000 + 0.5)};
	struct pacer *p = aligned_alloc(_Alignof(struct pacer), sizeof(*p)); /* calloc does not keep the ring's cache lines */

	if (!p) {
		engine_free(e);
		err_set(err, -ENOMEM, "cannot start the engine's thread: out of memory");
		return NULL;
	}
	memset(p, 0, sizeof(*p));
	p->engine = e;
	p->clock = clock_monotonic();
	p->event_fd = o->event_fd;
	p->chunk_ns = NS_PER_MS;
	p->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int code = p->wake_fd < 0 ? -errno : ring_init(&p->commands, RING_SLOTS, sizeof(struct command));
	if (!code)
		code = latch_init(&p->snapshots, sizeof(struct snapshot));
	if (!code) {
		if (engine_pace(e).virtual_time)
			engine_command(e, &speed, NULL);
		rebase(p);
		publish(p);
		code = thread_start(&p->thread, pacer_main, p);
	}
	if (!code)
		return p;
	release(p);
	err_set(err, code, "cannot start the engine's thread: error %d", -code);
	return NULL;
}

void pacer_free(struct pacer *p)
{
	if (!p)
		return;
	p->stop = true;
	write_event(p->wake_fd);
	pthread_join(p->thread, NULL);
	release(p);
}

bool pacer_send(struct pacer *p, const struct command *c)
{
	bool sent = ring_push(&p->commands, c);

	write_event(p->wake_fd);
	return sent;
}

const struct snapshot *pacer_snapshot(struct pacer *p)
{
	return latch_read(&p->snapshots, NULL);
}
