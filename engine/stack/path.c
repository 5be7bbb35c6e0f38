#include <errno.h>

#include "stack/stack.h"

/* Paths: which one a request takes, what happens to requests when one dies, who is active. */

const struct path_policy_ops *const path_policies[];

/* Bind the request to the path device its policy chooses; without one it is held until a path can take it. */
void path_decide(struct stack *s, struct io *io)
{
	struct lun *l = &s->lun[io->lun];
	int p = s->activating >= 0 ? -1 : path_policies[s->p.policy]->choose(s, l);

	if (p < 0) {
		io_queue_push(&s->held, io);
		return;
	}
	s->path[p].requests++;
	io->path = (uint8_t)p;
	io->link = (uint8_t)((uint32_t)p % s->p.n_links);
	lun_bind(s, &l->slot[p], io);
}

void path_release_held(struct stack *s)
{
	struct io_queue q = s->held;

	s->held = (struct io_queue){0};
	while (q.n)
		path_decide(s, io_queue_pop(&q));
}

/* What waited for the dead path is decided again at once. */
static void redecide_queued(struct stack *s, uint32_t p)
{
	struct io_queue again = {0};

	for (uint32_t i = 0; i < s->p.n_luns; i++) {
		struct io_queue *q = &s->lun[i].slot[p].q;
		while (q->n)
			io_queue_push(&again, io_queue_pop(q));
	}
	s->redecided += again.n;
	while (again.n)
		path_decide(s, io_queue_pop(&again));
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

int stack_path_up(struct stack *s, uint32_t p)
{
	if (p >= s->p.n_paths)
		return -ENOENT;
	if (s->path[p].state != STACK_PATH_FAILED)
		return -EALREADY;
	bool failback = path_policies[s->p.policy]->failback && !s->path[p].standby;
	s->path[p].state = s->path[p].standby ? STACK_PATH_STANDBY : STACK_PATH_ACTIVE;
	for (uint32_t i = 0; failback && i < s->p.n_paths; i++)
		if (s->path[i].standby && s->path[i].state == STACK_PATH_ACTIVE)
			s->path[i].state = STACK_PATH_STANDBY;
	if (failback)
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
	} else if (s->activating == (int)event_id(e)) {
		s->path[s->activating].state = STACK_PATH_ACTIVE;
		s->activating = -1;
		path_release_held(s);
	}
}

extern const struct path_policy_ops policy_failover;

const struct path_policy_ops *const path_policies[] = {&policy_failover};
