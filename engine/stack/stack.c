#include "stack/stack.h"

#include <errno.h>
#include <stdlib.h>

#include "backend/backend.h"

int64_t stack_now(const struct stack *s)
{
	return s->backend->now_ns;
}

uint32_t stack_alias_share(uint32_t aliases, uint32_t n_lcus, uint32_t lcu)
{
	return aliases / n_lcus + (lcu < aliases % n_lcus);
}

static int lun_init(struct stack *s, uint32_t i)
{
	struct lun *l = &s->lun[i];
	uint32_t n = s->p.dasd ? 1 : s->p.n_paths;

	l->index = i;
	l->path = s->p.n_paths - 1; /* the next one is p0 */
	l->turn = LUN_NO_TURN;
	l->slot = calloc(n, sizeof(*l->slot));
	if (!l->slot)
		return -ENOMEM;
	for (uint32_t p = 0; p < n; p++)
		l->slot[p].limit = s->p.dasd ? 1 : s->p.qd;
	struct lcu *u = &s->lcu[i % s->p.n_lcus];
	l->in_lcu = u->n_luns++;
	if (s->p.dasd && s->p.alias_mode != STACK_ALIASES_NONE)
		l->lcu = u;
	return 0;
}

int stack_init(struct stack *s, const struct stack_params *p, struct backend *b, struct io_pool *pool, struct timers *t)
{
	int err = 0;

	*s = (struct stack){.p = *p, .backend = b, .pool = pool, .timers = t, .activating = -1};
	s->lun = calloc(p->n_luns, sizeof(*s->lun));
	s->lcu = calloc(p->n_lcus, sizeof(*s->lcu));
	if (!s->lun || !s->lcu)
		err = -ENOMEM;
	for (uint32_t i = 0; !err && i < p->n_luns; i++)
		err = lun_init(s, i);
	for (uint32_t i = 0; i < p->n_paths; i++) {
		s->path[i].standby = p->standby >> i & 1;
		s->path[i].weight = p->weight[i] ? p->weight[i] : 1;
		s->path[i].state = s->path[i].standby ? STACK_PATH_STANDBY : STACK_PATH_ACTIVE;
	}
	if (!err)
		err = stack_set_aliases(s, p->aliases);
	if (err)
		stack_release(s);
	return err;
}

void stack_release(struct stack *s)
{
	for (uint32_t i = 0; s->lun && i < s->p.n_luns; i++)
		free(s->lun[i].slot);
	for (uint32_t i = 0; s->lcu && i < s->p.n_lcus; i++)
		free(s->lcu[i].alias);
	free(s->lun);
	free(s->lcu);
	*s = (struct stack){0};
}

void stack_submit(struct stack *s, struct io *io)
{
	struct lun *l = &s->lun[io->lun];

	io->lost = io->alias = io->in_device = false;
	io->path = io->link = 0;
	io->lcu = (uint16_t)(s->p.n_lcus == 1 ? 0 : io->lun % s->p.n_lcus);
	if (s->p.dasd) {
		io->link = (uint8_t)(io->lcu % s->p.n_links);
		lun_submit(s, l, io);
		return;
	}
	io->t_enter = stack_now(s);
	path_decide(s, io);
}

/* A lost request was taken out of all counters but the device's own place when its path died. */
static bool drop_lost(struct stack *s, struct io *io)
{
	io_pool_put(s->pool, io);
	return false;
}

bool stack_complete(struct stack *s, struct io *io)
{
	struct slot *d = io->slot;
	bool ours = !io->lost;

	d->in_flight--;
	d->bytes -= io->bytes;
	io->in_device = false;
	if (ours) {
		s->in_flight--;
		s->path[io->path].in_flight--;
	}
	if (io->alias) {
		s->lcu[io->lcu].busy--;
		s->alias_requests++;
		s->alias_ns += stack_now(s) - io->t_start;
		s->lcu[io->lcu].busy_ns += stack_now(s) - io->t_start;
	}
	if (d->q.n)
		slot_start_waiting(s, d);
	if (s->p.dasd)
		lun_fetch(s, &s->lun[io->lun]);
	return ours ? true : drop_lost(s, io);
}

void stack_again(struct stack *s, struct io *const *io, int n)
{
	s->path[0].requests += (uint32_t)n;
	backend_again(s->backend, io, n);
}

void stack_set_qd(struct stack *s, uint32_t qd)
{
	s->p.qd = qd;
	if (s->p.dasd)
		return;
	for (uint32_t i = 0; i < s->p.n_luns; i++)
		for (uint32_t p = 0; p < s->p.n_paths; p++) {
			s->lun[i].slot[p].limit = qd;
			slot_start_waiting(s, &s->lun[i].slot[p]);
		}
}

/* Slots never move while requests point at them: a larger pool is built beside and only when no alias is in use, so all that may ever
 * be needed is built at once. */
static int lcu_build(struct lcu *u, uint32_t n)
{
	if (n <= u->n_built)
		return 0;
	if (u->n_built)
		return -ENOMEM;
	u->alias = calloc(n, sizeof(*u->alias));
	if (!u->alias)
		return -ENOMEM;
	u->n_built = n;
	for (uint32_t i = 0; i < n; i++)
		u->alias[i].limit = 1;
	return 0;
}

int stack_set_aliases(struct stack *s, uint32_t aliases)
{
	enum { MOST = 1024 };

	if (!s->p.dasd || s->p.alias_mode == STACK_ALIASES_NONE)
		return 0;
	for (uint32_t i = 0; i < s->p.n_lcus; i++)
		if (lcu_build(&s->lcu[i], stack_alias_share(MOST, s->p.n_lcus, i)) < 0)
			return -ENOMEM;
	for (uint32_t i = 0; i < s->p.n_lcus; i++)
		s->lcu[i].n_alias = stack_alias_share(aliases, s->p.n_lcus, i);
	s->p.aliases = aliases;
	for (uint32_t i = 0; i < s->p.n_luns; i++)
		lun_fetch(s, &s->lun[i]);
	return 0;
}

void stack_reset_peaks(struct stack *s)
{
	for (uint32_t i = 0; i < s->p.n_lcus; i++)
		s->lcu[i].peak = s->lcu[i].busy;
}

uint32_t stack_waiting(const struct stack *s)
{
	uint32_t n = s->held.n + s->limbo.n;

	for (uint32_t i = 0; i < s->p.n_luns; i++) {
		const struct lun *l = &s->lun[i];
		n += l->block.n;
		for (uint32_t p = 0; p < (s->p.dasd ? 1 : s->p.n_paths); p++)
			n += l->slot[p].q.n;
	}
	for (uint32_t i = 0; i < s->p.n_lcus; i++)
		for (uint32_t k = 0; k < s->lcu[i].n_built; k++)
			n += s->lcu[i].alias[k].q.n;
	return n;
}
