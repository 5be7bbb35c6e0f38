/* A process in front of the deck. The kernel lets no process end while requests or a write of it wait for a device that does not answer; the one in front
 * has neither, so the shell gets its prompt back whatever the device does. */
#ifndef IODECK_FRONT_H
#define IODECK_FRONT_H

#include "options.h"

/* Run `deck` in a child process. Signals are passed on, a stop is shared, the exit status is the deck's. When the deck has ended but the kernel keeps the child,
 * that is said on stderr. Returns the exit status, in the parent only. */
int front_run(int (*deck)(const struct options *o), const struct options *o);

#endif
