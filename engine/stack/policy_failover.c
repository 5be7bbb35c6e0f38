#include "stack/stack.h"

/* The first active path carries everything. */
static int failover_choose(struct stack *s, struct lun *l, const struct io *io)
{
	(void)l;
	(void)io;
	return path_next_active(s, s->p.n_paths - 1, PATH_ANY);
}

extern const struct path_policy_ops policy_failover;

const struct path_policy_ops policy_failover = {
	.name = "failover",
	.choose = failover_choose,
	.failback = true,
};
