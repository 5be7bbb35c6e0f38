/* Queue attributes, by the thread that may hang. */
#include "base/clock.h"
#include "probes_private.h"

#define FIRST_WAIT_NS (2 * NS_PER_S)	/* the first sample is better late than without them */
#define LATER_WAIT_NS (50 * NS_PER_MS)
#define STUCK_NS      (2 * NS_PER_S)

void probe_queue_read(struct probe_context *c)
{
	char kernel[PROBE_NAME];
	int64_t stuck;

	if (!c->s->n_devices) {
		source_say(c, SOURCE_ABSENT, "there is no block device");
		return;
	}
	if (!sysread_exists(c->sys, "sys/block")) {
		source_say(c, SOURCE_ABSENT, "there is no /sys/block");
		return;
	}
	if (!c->queues) {
		source_say(c, SOURCE_UNREADABLE, "no thread to read them with");
		return;
	}
	queue_reader_round(c->queues, c->s, c->before->number ? LATER_WAIT_NS : FIRST_WAIT_NS);
	for (uint32_t i = 0; i < c->s->n_devices; i++)
		queue_reader_get(c->queues, c->s->device[i].kernel, &c->s->device[i].queue);
	queue_reader_bad(c->queues, c->bad, sizeof(c->bad));
	stuck = queue_reader_stuck(c->queues, STUCK_NS, kernel, sizeof(kernel));
	if (stuck)
		source_say(c, SOURCE_UNREADABLE, "%s has not answered for %lld s: its queue is frozen; values are old", kernel,
			   (long long)(stuck / NS_PER_S));
}
