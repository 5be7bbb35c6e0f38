#include <errno.h>

#include "stack/stack.h"

/* Paths: which one a request takes, what happens to requests when one dies, who is active. */

int path_next_active(const struct stack *s, uint32_t last, uint32_t among)
{
	for (uint32_t i = 1; i <= s->p.n_paths; i++) {
		uint32_t p = (last + i) % s->p.n_paths;
		if (among >> p & 1 && s->path[p].state == STACK_PATH_ACTIVE)
			return (int)p;
	}
	return -1;
}

int path_least(const struct stack *s, const struct lun *l, const struct io *io, uint64_t (*load)(const struct slot *d, const struct io *io),
	       bool weighed)
{
	uint64_t least = 0, weight = 1;
	int best = -1;

	for (uint32_t i = 1; i <= s->p.n_paths; i++) {
		uint32_t p = (l->path + i) % s->p.n_paths;
		if (s->path[p].state != STACK_PATH_ACTIVE)
			continue;
		uint64_t now = load(&l->slot[p], io), by = weighed ? s->path[p].weight : 1;
		if (best >= 0 && now * weight >= least * by)
			continue;
		best = (int)p;
		least = now;
		weight = by;
	}
	return best;
}

/* Without an active path the first standby path is made active. True when one is at once; else it takes a while, if there is one. */
static bool activate_standby(struct stack *s)
{
	uint32_t p = 0;

	while (p < s->p.n_paths && s->path[p].state != STACK_PATH_STANDBY)
		p++;
	if (p == s->p.n_paths)
		return false;
	if (!s->p.failover_ns) {
		s->path[p].state = STACK_PATH_ACTIVE;
		return true;
	}
	s->activating = (int)p;
	s->active_at_ns = stack_now(s) + s->p.failover_ns;
	timers_at(s->timers, s->active_at_ns, TIMER_FAILOVER, p);
	return false;
}

static int choose(struct stack *s, struct lun *l, const struct io *io)
{
	const struct path_policy_ops *policy = path_policies[s->p.policy];
	int p = s->activating >= 0 ? -1 : policy->choose(s, l, io);

	if (p < 0 && s->activating < 0 && activate_standby(s))
		p = policy->choose(s, l, io);
	return p;
}

/* Bind the request to the path device its policy chooses; without one it is held until a path can take it. */
void path_decide(struct stack *s, struct io *io)
{
	struct lun *l = &s->lun[io->lun];

	if (stack_one_way(s)) {
		s->path[0].requests++;
		lun_bind(s, &l->slot[0], io);
		return;
	}
	int p = choose(s, l, io);
	if (p < 0) {
		io_queue_push(&s->held, io);
		return;
	}
	l->turn = (uint32_t)p == l->path ? l->turn + 1 : 1;
	l->path = (uint32_t)p;
	s->path[p].requests++;
	io->path = (uint8_t)p;
	io->link = (uint8_t)((uint32_t)p < s->p.n_links ? (uint32_t)p : (uint32_t)p % s->p.n_links);
	lun_bind(s, &l->slot[p], io);
}

void path_release_held(struct stack *s)
{
	struct io_queue q = s->held;

	s->held = (struct io_queue){ 0 };
	while (q.n)
		path_decide(s, io_queue_pop(&q));
}

/* What waited for the dead path is decided again at once. */
static void redecide_queued(struct stack *s, uint32_t p)
{
	struct io_queue again = { 0 };

	for (uint32_t i = 0; i < s->p.n_luns; i++) {
		struct io_queue *q = &s->lun[i].slot[p].q;
		while (q->n) {
			struct io *io = io_queue_pop(q);
			s->lun[i].slot[p].bytes -= io->bytes;
			io_queue_push(&again, io);
		}
	}
	s->redecided += again.n;
	while (again.n)
		path_decide(s, io_queue_pop(&again));
}

/* A write takes its data along, a read reads anew: the device may still answer the lost one, into its own buffer. */
static void hand_over(struct stack *s, struct io *twin, struct io *lost)
{
	twin->data = twin->id;
	twin->data_at = twin->borrowers = 0;
	twin->shares = twin->returned = false;
	if (!lost->write)
		return;
	twin->carries = true;
	io_pool_borrow(s->pool, twin, lost, 0);
}

/* What is in flight there will fail after the transport time: a twin takes each request's place and waits for that; the lost one is only
 * taken back when the device answers it. */
static void lose_in_flight(struct stack *s, uint32_t p)
{
	int64_t due = stack_now(s) + s->p.transport_ns;
	uint32_t room = io_pool_room(s->pool);

	for (uint32_t id = 0; id < room; id++) {
		struct io *io = io_pool_at(s->pool, id);
		if (!io->in_device || io->lost || io->path != p)
			continue;
		struct io *twin = io_pool_get(s->pool);
		uint32_t twin_id = twin->id;
		*twin = *io;
		twin->id = twin_id;
		twin->in_device = false;
		hand_over(s, twin, io);
		twin->t_start = due;
		io->lost = true;
		s->in_flight--;
		s->path[p].in_flight--;
		io_queue_push(&s->limbo, twin);
	}
	if (s->limbo.n)
		timers_at(s->timers, due, TIMER_TRANSPORT, p);
}

int stack_path_down(struct stack *s, uint32_t p)
{
	if (p >= s->p.n_paths)
		return -ENOENT;
	if (s->path[p].state == STACK_PATH_FAILED)
		return -EALREADY;
	if (s->pool->n_used + s->path[p].in_flight > io_pool_room(s->pool))
		return -ENOMEM;
	s->path[p].state = STACK_PATH_FAILED;
	if (s->activating == (int)p) {
		s->activating = -1;
		path_release_held(s);
	}
	lose_in_flight(s, p);
	redecide_queued(s, p);
	return 0;
}

/* While a preferred path is active, standby paths rest; only policies that fail back insist on it. */
static void fail_back(struct stack *s)
{
	bool preferred = false;

	for (uint32_t i = 0; i < s->p.n_paths; i++)
		preferred |= !s->path[i].standby && s->path[i].state == STACK_PATH_ACTIVE;
	if (!preferred || !path_policies[s->p.policy]->failback)
		return;
	for (uint32_t i = 0; i < s->p.n_paths; i++)
		if (s->path[i].standby && s->path[i].state == STACK_PATH_ACTIVE)
			s->path[i].state = STACK_PATH_STANDBY;
}

/* Counting in turns starts again on the path each LUN is on. */
static void restart_turns(struct stack *s)
{
	for (uint32_t i = 0; i < s->p.n_luns; i++)
		if (s->lun[i].turn != LUN_NO_TURN)
			s->lun[i].turn = 0;
}

void stack_set_policy(struct stack *s, uint32_t policy, uint32_t n)
{
	s->p.policy = policy;
	s->p.policy_n = n;
	restart_turns(s);
	fail_back(s);
}

void stack_set_weight(struct stack *s, uint32_t path, uint32_t weight)
{
	s->path[path].weight = weight;
	restart_turns(s);
}

int stack_path_up(struct stack *s, uint32_t p)
{
	if (p >= s->p.n_paths)
		return -ENOENT;
	if (s->path[p].state != STACK_PATH_FAILED)
		return -EALREADY;
	s->path[p].state = s->path[p].standby ? STACK_PATH_STANDBY : STACK_PATH_ACTIVE;
	fail_back(s);
	if (s->path[p].state == STACK_PATH_ACTIVE)
		s->activating = -1;
	if (s->activating < 0)
		path_release_held(s);
	return 0;
}

static void limbo_ends(struct stack *s)
{
	while (s->limbo.n && s->limbo.head->t_start <= stack_now(s)) {
		s->redecided++;
		path_decide(s, io_queue_pop(&s->limbo));
	}
}

void stack_timer(struct stack *s, struct event e)
{
	if (event_type(e) == TIMER_TRANSPORT) {
		limbo_ends(s);
	} else if (s->activating == (int)event_id(e) && stack_now(s) >= s->active_at_ns) {
		s->path[s->activating].state = STACK_PATH_ACTIVE;
		s->activating = -1;
		path_release_held(s);
	}
}

extern const struct path_policy_ops policy_failover, policy_round_robin, policy_queue_length, policy_service_time, policy_page_owner;

const struct path_policy_ops *const path_policies[] = {
	&policy_failover,
	&policy_round_robin,
	&policy_queue_length,
	&policy_service_time,
	&policy_page_owner,
};
