#include "probe_listen.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

struct probe_listener {
	int fd;			      /* written by the listening thread */
	struct uevent_socket *socket; /* owned; NULL: none, or the source is somebody else's */
	struct events *events;	      /* owned; NULL: nothing is heard, `source` says why */
	struct probe_source source;
	uint64_t malformed, spoofed;  /* told of */
	bool told;		      /* the list was taken: begin anew */
	struct probe_events list;
};

/* ---- begin and end ---- */

static void set_source(struct probe_source *s, enum source_state state, const char *reason)
{
	s->state = state;
	text_format(s->reason, sizeof(s->reason), "%s", reason);
}

static void begin(struct probe_listener *l, const struct uevent_source *source)
{
	struct events_options o = { .root = "", .clock = clock_monotonic(), .event_fd = l->fd };
	struct err err = { "" };

	if (!source)
		l->socket = uevent_socket_open(&err);
	if (source || l->socket) {
		o.source = source ? *source : uevent_socket_source(l->socket);
		l->events = events_open(&o, &err);
	}
	if (!l->events)
		set_source(&l->source, SOURCE_UNREADABLE, err.text);
}

struct probe_listener *probe_listen_open(bool machine, const struct uevent_source *source)
{
	struct probe_listener *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (machine)
		begin(l, source);
	else
		set_source(&l->source, SOURCE_DISABLED, "not listened to: the sample is of a tree, not of this machine");
	return l;
}

void probe_listen_close(struct probe_listener *l)
{
	if (!l)
		return;
	events_close(l->events);
	uevent_socket_close(l->socket);
	if (l->fd >= 0)
		close(l->fd);
	free(l);
}

/* ---- listening ---- */

/* Taken as they come, so that the listener's ring does not fill in a long interval. */
static void gather(struct probe_listener *l)
{
	struct probe_events *list = &l->list;
	struct event e;

	if (l->told) {
		list->n = list->n_left_out = 0;
		list->gap = l->told = false;
	}
	while (l->events && events_take(l->events, &e)) {
		list->gap |= e.kind == EVENT_GAP || list->n == PROBE_MAX_EVENTS;
		if (list->n < PROBE_MAX_EVENTS)
			list->event[list->n++] = e;
		else
			list->n_left_out++;
	}
}

void probe_listen_wait(struct probe_listener *l, int64_t until_ns)
{
	struct clock clock = clock_monotonic();
	struct pollfd fd = { .fd = l->fd, .events = POLLIN }; /* a descriptor below 0 is left out by poll */
	int64_t left;
	uint64_t count;

	while ((left = until_ns - clock_now(&clock)) > 0) {
		struct timespec t = { .tv_sec = left / NS_PER_S, .tv_nsec = left % NS_PER_S };
		int n = ppoll(&fd, 1, &t, NULL);

		if (n < 0 || (n > 0 && read(l->fd, &count, sizeof(count)) < 0 && errno != EAGAIN))
			return;
		gather(l);
	}
}

/* The state of this interval: what was not of a known form, or not believed, is told once. */
static void judge(struct probe_listener *l)
{
	struct probe_source *s = &l->list.source;
	uint64_t malformed = l->events ? events_malformed(l->events) : 0, spoofed = l->events ? events_spoofed(l->events) : 0;

	*s = l->source;
	if (!l->events)
		return;
	if (events_ended(l->events)) {
		set_source(s, SOURCE_UNREADABLE, "the kernel's events cannot be read any more");
	} else if (malformed > l->malformed) {
		s->state = SOURCE_MALFORMED;
		text_format(s->reason, sizeof(s->reason), "%llu messages of the kernel were not of a known form", (unsigned long long)(malformed - l->malformed));
	} else if (spoofed > l->spoofed) {
		text_format(s->reason, sizeof(s->reason), "%llu messages that did not come from the kernel were not believed",
			    (unsigned long long)(spoofed - l->spoofed));
	} else if (l->list.gap) {
		set_source(s, SOURCE_OK, "some events were lost: the list is not all");
	}
	l->malformed = malformed;
	l->spoofed = spoofed;
}

const struct probe_events *probe_listen_take(struct probe_listener *l, int64_t since_1970_ns)
{
	gather(l);
	judge(l);
	for (uint32_t i = 0; i < l->list.n; i++)
		l->list.event[i].t_ns += since_1970_ns;
	l->told = true;
	return &l->list;
}
