/* What the kernel tells between two samples of `iodeck probe`. One thread; the listener below has its own. */
#ifndef IODECK_PROBE_LISTEN_H
#define IODECK_PROBE_LISTEN_H

#include "events.h"
#include "probes.h"

enum { PROBE_MAX_EVENTS = 256 };

/* The events since the sample before. */
struct probe_events {
	struct probe_source source; /* the list may hold something in every state but DISABLED */
	bool gap;		    /* some were lost, or there was no room: the list is not all */
	uint32_t n, n_left_out;	    /* left out: more than there is room for */
	struct event event[PROBE_MAX_EVENTS]; /* t_ns: nanoseconds since 1970 */
};

struct probe_listener;
/* Listen to `source` (borrowed), NULL: to the kernel of this machine. `machine` false: the samples are of a tree; no socket is opened. What cannot be had is
 * told as the state of the events. NULL: out of memory. */
struct probe_listener *probe_listen_open(bool machine, const struct uevent_source *source);
void probe_listen_close(struct probe_listener *l);
/* Wait until the monotonic time `until_ns`, listening; less long when a signal comes. */
void probe_listen_wait(struct probe_listener *l, int64_t until_ns);
/* What came since the last call. `since_1970_ns`: the date less the monotonic time. Borrowed until the next wait or take. */
const struct probe_events *probe_listen_take(struct probe_listener *l, int64_t since_1970_ns);

#endif
