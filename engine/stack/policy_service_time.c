#include "stack/stack.h"

/* The path that would be done first: bytes outstanding, this request's with them, by weight (dm-service-time.c, relative_throughput). */
static uint64_t bytes_with(const struct slot *d, const struct io *io)
{
	return d->bytes + io->bytes;
}

static int service_time_choose(struct stack *s, struct lun *l, const struct io *io)
{
	return path_least(s, l, io, bytes_with, true);
}

extern const struct path_policy_ops policy_service_time;

const struct path_policy_ops policy_service_time = {
	.name = "service-time",
	.choose = service_time_choose,
};
