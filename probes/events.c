#include "events.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/ring.h"
#include "base/text.h"

enum {
	EVENT_PLACES = 256,
	DATAGRAMS_A_TURN = 4096,
};

struct events {
	struct events_options o;
	struct ring ring; /* to the UI */
	pthread_t thread;
	int stop_fd;
	_Atomic uint64_t spoofed, malformed;
	_Atomic bool dead;   /* the socket cannot be read any more */
	/* the thread's own */
	struct scan known, now;
	struct event last;   /* not yet handed over: more of the same may follow */
	bool has_last;
	uint64_t crowded;    /* events without a place in the ring */
	bool lost;	     /* since the last look */
};

/* ---- handing over ---- */

static void wake(struct events *e)
{
	uint64_t one = 1;
	ssize_t ignored = e->o.event_fd >= 0 ? write(e->o.event_fd, &one, sizeof(one)) : 0;

	(void)ignored; /* it is full: awake already */
}

static void hand_over(struct events *e)
{
	if (!e->has_last)
		return;
	e->has_last = false;
	if (!ring_push(&e->ring, &e->last))
		e->crowded++;
}

/* The same sentence again is only counted. */
static void tell(struct events *e, enum event_kind kind, const char *device, const char *path, const char *text)
{
	if (e->has_last && e->last.kind == kind && !strcmp(e->last.text, text)) {
		e->last.times++;
		return;
	}
	hand_over(e);
	e->last = (struct event){ .t_ns = clock_now(&e->o.clock), .kind = kind, .times = 1 };
	text_format(e->last.device, sizeof(e->last.device), "%s", device);
	text_format(e->last.path, sizeof(e->last.path), "%s", path);
	text_format(e->last.text, sizeof(e->last.text), "%s", text);
	e->has_last = true;
}

static void tell_crowded(struct events *e)
{
	struct event gap = { .t_ns = clock_now(&e->o.clock), .kind = EVENT_GAP, .times = 1 };

	if (!e->crowded)
		return;
	text_format(gap.text, sizeof(gap.text), "%llu events more than the list takes were dropped", (unsigned long long)e->crowded);
	if (ring_push(&e->ring, &gap)) /* else there is still no place: with the next */
		e->crowded = 0;
}

/* ---- one event ---- */

static const enum event_kind kinds[] = {
	[UEVENT_PATH_FAILED] = EVENT_PATH_FAILED, [UEVENT_PATH_BACK] = EVENT_PATH_BACK, [UEVENT_ADDED] = EVENT_ADDED,
	[UEVENT_REMOVED] = EVENT_REMOVED,	  [UEVENT_CHANGED] = EVENT_CHANGED,
};

static void keep_list(struct events *e, enum uevent_kind kind, const struct uevent *u)
{
	if (kind == UEVENT_ADDED)
		scan_add(&e->known, u->devname);
	else if (kind == UEVENT_REMOVED)
		scan_remove(&e->known, u->devname);
	else if (kind == UEVENT_PATH_FAILED || kind == UEVENT_PATH_BACK)
		scan_set_path(&e->known, u->dm_name, u->dm_path, kind == UEVENT_PATH_FAILED);
}

static void take_datagram(struct events *e, const char *bytes, int n, uint32_t sender)
{
	struct uevent u;
	enum uevent_kind kind;
	char text[160];
	bool is_path;

	if (sender) { /* any root process can send; only the kernel is believed */
		e->spoofed++;
		return;
	}
	if (uevent_parse(bytes, (size_t)n, &u)) {
		e->malformed++;
		return;
	}
	kind = uevent_kind(&u);
	if (kind == UEVENT_OTHER)
		return;
	keep_list(e, kind, &u);
	is_path = kind == UEVENT_PATH_FAILED || kind == UEVENT_PATH_BACK;
	tell(e, kinds[kind], is_path && u.dm_name[0] ? u.dm_name : u.devname, is_path ? u.dm_path : "", uevent_text(&u, text, sizeof(text)));
}

/* ---- after a gap ---- */

static void tell_change(void *data, const struct scan_change *c)
{
	struct events *e = data;
	char text[160];

	if (c->is_path)
		text_format(text, sizeof(text), "%s: path %s %s (found by looking)", c->name, c->dev, c->bad ? "FAILED" : "reinstated");
	else
		text_format(text, sizeof(text), "%s %s (found by looking)", c->name, c->bad ? "removed" : "added");
	tell(e, c->is_path ? c->bad ? EVENT_PATH_FAILED : EVENT_PATH_BACK : c->bad ? EVENT_REMOVED : EVENT_ADDED, c->name, c->is_path ? c->dev : "", text);
}

static void look_again(struct events *e)
{
	scan_read(e->o.root, &e->now);
	scan_compare(&e->known, &e->now, tell_change, e);
	e->known = e->now;
}

/* One datagram; false when there is none. */
static bool take_one(struct events *e)
{
	uint32_t sender = 0;
	char *bytes = NULL;
	int n = e->o.source.receive(e->o.source.data, &bytes, &sender);

	if (n > 0)
		take_datagram(e, bytes, n, sender);
	free(bytes);
	if (n == -ENOBUFS) {
		tell(e, EVENT_GAP, "", "", "events of the kernel were lost: looking at all devices again");
		e->lost = true;
		return true;
	}
	e->dead = n < 0;
	return n > 0;
}

/* What was lost is looked for when the queue is empty: else the list would be older than what is still in it. */
static void drain(struct events *e)
{
	int n = 0;

	while (n < DATAGRAMS_A_TURN && take_one(e))
		n++;
	if (e->lost && n < DATAGRAMS_A_TURN) {
		e->lost = false;
		look_again(e);
	}
	if (e->dead)
		tell(e, EVENT_GAP, "", "", "the kernel's events cannot be read any more");
	hand_over(e);
	tell_crowded(e);
	wake(e);
}

static void *listen_loop(void *data)
{
	struct events *e = data;
	struct pollfd fd[] = { { e->stop_fd, POLLIN, 0 }, { e->o.source.fd, POLLIN, 0 } };

	scan_read(e->o.root, &e->known);
	while (!fd[0].revents) {
		if (poll(fd, e->dead ? 1 : 2, -1) < 0 && errno != EINTR)
			break;
		if (!e->dead && fd[1].revents)
			drain(e);
	}
	return NULL;
}

/* ---- begin and end ---- */

static int start(struct events *e)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(&e->thread, NULL, listen_loop, e);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static void release(struct events *e)
{
	if (e->stop_fd >= 0)
		close(e->stop_fd);
	ring_release(&e->ring);
	free(e);
}

struct events *events_open(const struct events_options *o, struct err *err)
{
	struct events *e = calloc(1, sizeof(*e));

	if (!e) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	e->o = *o;
	e->stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (e->stop_fd < 0 || ring_init(&e->ring, EVENT_PLACES, sizeof(struct event)) || start(e)) {
		err_set(err, -ENOMEM, "cannot start the listener of the kernel's events");
		release(e);
		return NULL;
	}
	return e;
}

bool events_take(struct events *e, struct event *out) { return ring_pop(&e->ring, out); }

uint64_t events_spoofed(const struct events *e) { return e->spoofed; }

uint64_t events_malformed(const struct events *e) { return e->malformed; }

bool events_ended(const struct events *e) { return e->dead; }

void events_close(struct events *e)
{
	uint64_t one = 1;

	if (!e)
		return;
	if (write(e->stop_fd, &one, sizeof(one)) == (ssize_t)sizeof(one))
		pthread_join(e->thread, NULL);
	release(e);
}
