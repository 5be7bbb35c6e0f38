/* The engine thread around the library: takes commands from a ring, paces virtual time against a clock, publishes snapshots. */
#ifndef IODECK_PACER_H
#define IODECK_PACER_H

#include "engine.h"

struct pacer;

struct pacer_options {
	double speed;       /* virtual seconds per second; 0: as fast as possible */
	int event_fd;       /* eventfd written after each published snapshot, or -1; borrowed */
};

/* Takes over the engine (owned from then on, freed by pacer_free). The thread starts with all signals blocked. NULL with err. */
struct pacer *pacer_start(struct engine *e, const struct pacer_options *o, struct err *err);
/* Stop the thread within one chunk (about 10 ms of work) and free everything. */
void pacer_free(struct pacer *p);

/* UI thread: queue a command; false when the ring is full (tell the user "busy"). */
bool pacer_send(struct pacer *p, const struct command *c);
/* UI thread: newest snapshot, never NULL after pacer_start returned; borrowed until the next call. */
const struct snapshot *pacer_snapshot(struct pacer *p);

#endif
