#include "stack/stack.h"

/* The first active path carries everything; when there is none, the first standby path is made active, which takes a while. */
static int failover_choose(struct stack *s, struct lun *l)
{
	(void)l;
	for (uint32_t p = 0; p < s->p.n_paths; p++)
		if (s->path[p].state == STACK_PATH_ACTIVE)
			return (int)p;
	for (uint32_t p = 0; p < s->p.n_paths; p++) {
		if (s->path[p].state != STACK_PATH_STANDBY)
			continue;
		if (!s->p.failover_ns) {
			s->path[p].state = STACK_PATH_ACTIVE;
			return (int)p;
		}
		s->activating = (int)p;
		timers_at(s->timers, stack_now(s) + s->p.failover_ns, TIMER_FAILOVER, p);
		return -1;
	}
	return -1;
}

extern const struct path_policy_ops policy_failover;

const struct path_policy_ops policy_failover = {
	.name = "failover",
	.choose = failover_choose,
	.failback = true,
};
