/* Reads /sys/block/X/queue in a thread of its own. While a queue is frozen for requests that never come back (all paths of a map are down and it queues),
 * reading these attributes blocks in the kernel and cannot be interrupted: then only this thread waits, and what was read last is given with its age. */
#ifndef IODECK_QUEUE_READER_H
#define IODECK_QUEUE_READER_H

#include "probes.h"

struct queue_reader;
/* NULL when there is no memory or no thread to be had. */
struct queue_reader *queue_reader_start(const char *root);
/* A thread that hangs keeps its memory, and is not waited for. */
void queue_reader_stop(struct queue_reader *r);

/* Ask for another round over the devices of `s`, and wait for it at most `wait_ns`. While the last round still runs nothing is asked. True: it is done. */
bool queue_reader_round(struct queue_reader *r, const struct probe_snapshot *s, int64_t wait_ns);
/* What was read of a device last, with its age; `known` is false when it never was. */
void queue_reader_get(struct queue_reader *r, const char *kernel, struct probe_queue *out);
/* The device that the thread has been reading for more than `least_ns`: copied to `kernel`; the time it has waited, or 0. */
int64_t queue_reader_stuck(struct queue_reader *r, int64_t least_ns, char *kernel, size_t room);
/* The first attribute of the last round that was of no known form, "" when there was none. */
void queue_reader_bad(struct queue_reader *r, char *path, size_t room);

#endif
