#include "backend/backend.h"
#include "stack/stack.h"

/* Start devices. A SCSI path device takes up to its queue depth; the rest waits in its queue. A DASD base or alias takes one request;
 * the driver binds a request to base or alias when it is built, with at most `chanq` on each (Linux dasd_alias.c: one probe of the
 * next alias, taken if it has fewer than the base; dasd_eckd.c: DASD_ECKD_CHANQ_MAX_SIZE 4), and what is bound stays bound. */

static inline uint32_t slot_count(const struct slot *d)
{
	return d->q.n + d->in_flight;
}

static void alias_started(struct stack *s, struct io *io)
{
	struct lcu *u = &s->lcu[io->lcu];

	if (++u->busy > u->peak)
		u->peak = u->busy;
}

static void slot_start(struct stack *s, struct slot *d, struct io *io)
{
	io->t_start = stack_now(s);
	io->in_device = true;
	d->in_flight++;
	s->in_flight++;
	s->path[io->path].in_flight++;
	if (io->alias)
		alias_started(s, io);
	backend_submit(s->backend, io);
}

void lun_bind(struct stack *s, struct slot *d, struct io *io)
{
	io->slot = d;
	d->bytes += io->bytes;
	if (d->in_flight < d->limit && !d->q.n)
		slot_start(s, d, io);
	else
		io_queue_push(&d->q, io);
}

void slot_start_waiting(struct stack *s, struct slot *d)
{
	while (d->q.n && d->in_flight < d->limit)
		slot_start(s, d, io_queue_pop(&d->q));
}

/* The alias the driver looks at for the next request, or NULL: of the LCU's pool (HyperPAV), or of the base's own (static PAV: alias k of
 * the LCU belongs to its base k mod bases). */
static struct slot *next_alias(struct stack *s, struct lun *l)
{
	struct lcu *u = l->lcu;

	if (!u || !u->n_alias)
		return NULL;
	if (s->p.alias_mode == STACK_ALIASES_HYPERPAV) {
		if (u->next >= u->n_alias)
			u->next = 0;
		return &u->alias[u->next++];
	}
	uint32_t own = u->n_alias > l->in_lcu ? (u->n_alias - l->in_lcu - 1) / u->n_luns + 1 : 0;
	if (!own)
		return NULL;
	if (l->next >= own)
		l->next = 0;
	return &u->alias[l->next++ * u->n_luns + l->in_lcu];
}

void lun_fetch(struct stack *s, struct lun *l)
{
	while (l->block.n) {
		struct slot *d = &l->slot[0], *alias = next_alias(s, l);
		bool on_alias = alias && slot_count(alias) < slot_count(d);
		if (on_alias)
			d = alias;
		if (slot_count(d) >= s->p.chanq)
			return;
		struct io *io = io_queue_pop(&l->block);
		io->t_enter = stack_now(s);
		io->alias = on_alias;
		lun_bind(s, d, io);
	}
}

void lun_submit(struct stack *s, struct lun *l, struct io *io)
{
	s->path[0].requests++;
	io_queue_push(&l->block, io);
	lun_fetch(s, l);
}
