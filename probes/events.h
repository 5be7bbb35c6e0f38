/* What the kernel tells while the deck runs: a thread that listens, keeps the list of devices and paths, and looks again when events were lost. */
#ifndef IODECK_EVENTS_H
#define IODECK_EVENTS_H

#include "base/clock.h"
#include "scan.h"
#include "uevent.h"
#include "uevent_socket.h"

enum event_kind {
	EVENT_PATH_FAILED,
	EVENT_PATH_BACK,
	EVENT_ADDED,
	EVENT_REMOVED,
	EVENT_CHANGED,
	EVENT_GAP, /* events were lost; what follows was found by looking */
};

struct event {
	int64_t t_ns;
	enum event_kind kind;
	uint32_t times; /* the same again without another between: counted, not listed */
	char device[64], path[16]; /* "sda", or the map "mp0" and its path "8:16"; empty: of none */
	char text[160];
};

struct events_options {
	const char *root;	       /* prefix of /sys; "" is this machine; borrowed */
	struct uevent_source source;   /* borrowed until events_close */
	struct clock clock;
	int event_fd;		       /* eventfd written when there is something, or -1; borrowed */
};

struct events;
/* Start the thread (all signals blocked in it): it subscribes first, then looks, so that nothing is missed. NULL with err. */
struct events *events_open(const struct events_options *o, struct err *err);
/* UI thread: take the oldest event; false when there is none. Never waits. */
bool events_take(struct events *e, struct event *out);
/* UI thread: datagrams that did not come from the kernel and were not believed. */
uint64_t events_spoofed(const struct events *e);
/* UI thread: datagrams of the kernel that were not of a known form. */
uint64_t events_malformed(const struct events *e);
/* UI thread: the socket cannot be read any more (an EVENT_GAP says so too). */
bool events_ended(const struct events *e);
/* Stop the thread and free everything. */
void events_close(struct events *e);

#endif
