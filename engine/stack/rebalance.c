#include "stack/stack.h"
#include "stack/volume.h"

/* Rebalance: of the planned moves `power` are in flight; each reads one AU, writes it elsewhere, and only then changes the map. */

/* The copy that moves is read; if its disk is lost, the first copy that survives. */
static int source_of(const struct volume *v, const struct extent *x, uint32_t copy)
{
	return v->disk[x->copy[copy].disk].lost ? volume_first_copy(v, x, 0) : (int)copy;
}

static bool start_move(struct volume *v, struct move m)
{
	struct extent *x = &v->extent[m.extent];
	int from = source_of(v, x, m.copy);
	struct io *io = from < 0 || !volume_legal(v, x, m.copy, m.target) ? NULL : io_pool_get(v->pool);

	if (!io)
		return false;
	x->moving = true;
	v->rebalance.in_flight++;
	io->parent = NULL;
	io->relocation = true;
	io->write = false;
	io->extent = m.extent;
	io->copy = m.copy;
	io->clone = m.target; /* a relocation belongs to no job: the field carries where it goes */
	io->bytes = (uint32_t)v->p.au_bytes;
	volume_send_part(v, io, x->copy[from].disk, x->copy[from].slot * v->p.au_bytes);
	return true;
}

/* The next move whose extent nobody writes now; one that is written takes its turn later. */
static bool next_move(struct volume *v, struct move *m)
{
	struct rebalance *r = &v->rebalance;

	for (uint32_t i = r->next; i < r->n_plan; i++) {
		const struct extent *x = &v->extent[r->plan[i].extent];
		if (x->moving || x->writers)
			continue;
		*m = r->plan[i];
		r->plan[i] = r->plan[r->next];
		r->plan[r->next++] = *m;
		return true;
	}
	return false;
}

static void end_if_done(struct volume *v)
{
	struct rebalance *r = &v->rebalance;

	rebalance_finish_leaving(v);
	if (r->next < r->n_plan || r->in_flight || (r->state != REBALANCE_RUN && r->state != REBALANCE_HALT))
		return;
	r->state = REBALANCE_DONE;
	r->ended_ns = volume_now(v);
	r->est_work = r->sofar;
	for (uint32_t i = 0; i < v->n_disks; i++)
		v->disk[i].joining = false;
}

void rebalance_step(struct volume *v)
{
	struct rebalance *r = &v->rebalance;
	struct move m;

	while (r->in_flight < v->p.power && next_move(v, &m))
		if (!start_move(v, m))
			r->est_work--; /* it cannot move any more: its copies, or the place for it, are gone */
	end_if_done(v);
}

static void mark_progress(struct rebalance *r, int64_t now_ns)
{
	enum { N = sizeof(r->mark) / sizeof(r->mark[0]) };

	for (; r->next_mark_ns <= now_ns; r->next_mark_ns += REBALANCE_MARK_NS)
		r->mark[r->n_marks++ % N] = r->sofar;
}

/* The copy is whole on the new disk: from now on the map says so, and the old slot is free. */
static void moved(struct volume *v, const struct io *io)
{
	struct extent *x = &v->extent[io->extent];
	struct place old = x->copy[io->copy];

	mark_progress(&v->rebalance, volume_now(v));
	x->copy[io->copy] = (struct place){io->lun, (uint32_t)(io->offset_bytes / v->p.au_bytes)};
	volume_give_slot(v, old);
	v->rebalance.sofar++;
	v->relocations++;
}

static void give_up_target(struct volume *v, const struct io *io)
{
	if (io->write)
		volume_give_slot(v, (struct place){io->lun, (uint32_t)(io->offset_bytes / v->p.au_bytes)});
	v->rebalance.est_work--;
}

/* Read done: write it. Written: change the map. What failed, or has lost its target, is left for a new plan. */
void rebalance_complete(struct volume *v, struct io *io)
{
	struct extent *x = &v->extent[io->extent];
	bool good = io->result == (int32_t)io->bytes && v->disk[io->clone].state == DISK_ONLINE;

	if (good && !io->write) {
		io->write = true;
		volume_send_part(v, io, io->clone, volume_take_slot(v, io->clone) * v->p.au_bytes);
		return;
	}
	if (good)
		moved(v, io);
	else
		give_up_target(v, io);
	x->moving = false;
	v->rebalance.in_flight--;
	io_pool_put(v->pool, io);
	volume_resume_waiting(v);
	if (good && v->rebalance.state != REBALANCE_WAIT)
		rebalance_step(v);
	else if (v->rebalance.state != REBALANCE_WAIT || v->rebalance.in_flight == 0)
		(void)rebalance_plan(v, NULL);
}

void volume_set_power(struct volume *v, uint32_t power)
{
	struct rebalance *r = &v->rebalance;

	v->p.power = power;
	if (r->state == REBALANCE_HALT && power)
		r->state = REBALANCE_RUN;
	else if (r->state == REBALANCE_RUN && !power)
		r->state = REBALANCE_HALT;
	if (r->state == REBALANCE_RUN)
		rebalance_step(v);
}

double volume_rate(const struct volume *v)
{
	const struct rebalance *r = &v->rebalance;
	enum { N = sizeof(r->mark) / sizeof(r->mark[0]), OVER = 10 };
	uint32_t n = r->n_marks < OVER ? r->n_marks : OVER;
	double since_s = (double)(volume_now(v) - (r->next_mark_ns - REBALANCE_MARK_NS)) / 1e9;
	uint32_t then = r->n_marks > OVER ? r->mark[(r->n_marks - 1 - OVER) % N] : 0;

	if (r->state != REBALANCE_RUN || n + since_s <= 0)
		return 0;
	return (r->sofar - then) * 60.0 / (n + since_s);
}

bool volume_hung(const struct volume *v)
{
	return v->rebalance.state == REBALANCE_WAIT;
}
