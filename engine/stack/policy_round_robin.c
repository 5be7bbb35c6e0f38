#include "stack/stack.h"

/* Every active path in turn, each for rr_min_io x weight requests (multipath.conf: rr_min_io, 1000 in the days of RHEL 5). */
static int round_robin_choose(struct stack *s, struct lun *l, const struct io *io)
{
	const struct path *last = &s->path[l->path];

	(void)io;
	if (last->state == STACK_PATH_ACTIVE && l->turn < (uint64_t)s->p.policy_n * last->weight)
		return (int)l->path;
	int next = path_next_active(s, l->path, PATH_ANY);
	if (next >= 0)
		l->turn = 0; /* the same path again, when it is the only one: a turn of its own all the same */
	return next;
}

extern const struct path_policy_ops policy_round_robin;

const struct path_policy_ops policy_round_robin = {
	.name = "round-robin",
	.n = 1000,
	.choose = round_robin_choose,
};
