#include "stack/stack.h"

/* The path with the fewest requests on it (dm-queue-length.c). */
static uint64_t queue_length(const struct slot *d, const struct io *io)
{
	(void)io;
	return (uint64_t)d->in_flight + d->q.n + 1;
}

static int queue_length_choose(struct stack *s, struct lun *l, const struct io *io)
{
	return path_least(s, l, io, queue_length, false);
}

extern const struct path_policy_ops policy_queue_length;

const struct path_policy_ops policy_queue_length = {
	.name = "queue-length",
	.choose = queue_length_choose,
};
