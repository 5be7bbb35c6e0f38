#include "stack/stack.h"
#include "stack/volume.h"

/* Rebalance: of the planned moves `power` are in flight; each reads one AU, writes it elsewhere, and only then changes the map. */

#define MARK_NS INT64_C(1000000000)

static bool is_running(const struct rebalance *r)
{
	return r->state == REBALANCE_RUN || r->state == REBALANCE_HALT;
}

/* ---- begin and end ---- */

/* A disk nothing is left on is gone. */
static void finish_leaving(struct volume *v)
{
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (v->disk[i].leaving && !v->disk[i].n_copies) {
			v->disk[i].state = DISK_DROPPED;
			v->disk[i].leaving = false;
		}
}

/* Nothing is left to move: all is done, or what is left cannot be moved. */
static void conclude(struct volume *v)
{
	struct rebalance *r = &v->rebalance;

	for (uint32_t i = 0; i < v->n_disks; i++) {
		struct volume_disk *d = &v->disk[i];
		d->joining = false;
		if (d->leaving && !d->lost)
			d->state = DISK_HUNG;
	}
	if (is_running(r)) {
		r->est_work = r->sofar;
		r->ended_ns = volume_now(v);
	}
	volume_note_disks(v);
	if (!rebalance_left_behind(v)) {
		r->state = is_running(r) ? REBALANCE_DONE : r->state == REBALANCE_WAIT ? REBALANCE_NONE : r->state;
	} else if (r->state != REBALANCE_WAIT) {
		r->state = REBALANCE_WAIT;
		r->hung_ns = volume_now(v);
	}
}

static void step(struct volume *v);

void rebalance_begin(struct volume *v)
{
	struct rebalance *r = &v->rebalance;

	finish_leaving(v);
	rebalance_name_reason(v);
	if (!r->n_plan && !r->in_flight) {
		conclude(v);
		return;
	}
	if (!is_running(r)) {
		r->sofar = 0;
		r->started_ns = r->hung_ns = volume_now(v);
		r->n_marks = 0;
		r->next_mark_ns = volume_now(v) + MARK_NS;
	}
	r->est_work = r->sofar + r->in_flight + r->n_plan;
	r->state = v->p.power ? REBALANCE_RUN : REBALANCE_HALT;
	step(v);
}

/* ---- a move ---- */

/* The copy that moves is read; if its disk is lost, the first copy that survives; -1: there is none. */
static int source_of(const struct volume *v, const struct extent *x, uint32_t copy)
{
	return v->disk[x->copy[copy].disk].lost ? volume_first_copy(v, x, 0) : (int)copy;
}

static bool send_read(struct volume *v, struct io *io)
{
	const struct extent *x = &v->extent[io->extent];
	int from = source_of(v, x, io->copy);

	if (from < 0)
		return false;
	volume_send_part(v, io, x->copy[from].disk, x->copy[from].slot * v->p.au_bytes);
	return true;
}

/* From now on writes to the extent wait; the move itself waits for those under way. False: it cannot move any more. */
static bool start_move(struct volume *v, struct move m)
{
	struct extent *x = &v->extent[m.extent];

	if (!volume_legal(v, x, m.copy, m.target) || x->stuck || source_of(v, x, m.copy) < 0)
		return false;
	struct io *io = io_pool_get(v->pool);
	io->parent = NULL;
	io->relocation = true;
	io->pending = 0;
	io->write = io->carries = io->resync = false;
	io->tried = 0;
	io->extent = m.extent;
	io->copy = m.copy;
	io->clone = m.target; /* a relocation belongs to no job: the field carries where it goes */
	io->bytes = (uint32_t)v->p.au_bytes;
	x->moving = true;
	v->rebalance.in_flight++;
	v->disk[m.target].under_way++;
	v->disk[x->copy[m.copy].disk].under_way--;
	if (x->writers)
		io_queue_push(&v->rebalance.draining, io);
	else
		send_read(v, io);
	return true;
}

/* The next move of the plan whose extent does not move just now. */
static bool next_move(struct volume *v, struct move *m)
{
	struct rebalance *r = &v->rebalance;

	for (uint32_t i = r->next; i < r->n_plan; i++) {
		if (v->extent[r->plan[i].extent].moving || v->extent[r->plan[i].extent].unsure)
			continue;
		*m = r->plan[i];
		r->plan[i] = r->plan[r->next];
		r->plan[r->next++] = *m;
		return true;
	}
	return false;
}

/* Start what may start; at the end, what could not move as planned is planned once more. */
static void step(struct volume *v)
{
	struct rebalance *r = &v->rebalance;
	struct move m;

	while (r->in_flight < v->p.power && v->pool->free && next_move(v, &m))
		if (!start_move(v, m))
			r->est_work--;
	finish_leaving(v);
	volume_note_disks(v);
	if (!is_running(r) || r->next < r->n_plan || r->in_flight)
		return;
	if (rebalance_left_behind(v))
		(void)rebalance_plan(v, NULL);
	else
		conclude(v);
}

static void mark_progress(struct rebalance *r, int64_t now_ns)
{
	enum { N = sizeof(r->mark) / sizeof(r->mark[0]) };

	for (; r->next_mark_ns <= now_ns; r->next_mark_ns += MARK_NS)
		r->mark[r->n_marks++ % N] = r->sofar;
}

static struct place written_place(const struct volume *v, const struct io *io)
{
	return (struct place){io->lun, (uint32_t)(io->offset_bytes / v->p.au_bytes)};
}

/* The copy is whole on the new disk: from now on the map says so, and the old slot is free. */
static void moved(struct volume *v, const struct io *io)
{
	struct extent *x = &v->extent[io->extent];
	struct place old = x->copy[io->copy];

	mark_progress(&v->rebalance, volume_now(v));
	v->disk[old.disk].under_way++;
	x->copy[io->copy] = written_place(v, io);
	volume_give_slot(v, old);
	v->rebalance.sofar++;
	v->relocations++;
}

static void give_up(struct volume *v, const struct io *io)
{
	if (io->write)
		volume_give_slot(v, written_place(v, io));
	else
		v->disk[io->clone].under_way--;
	v->disk[v->extent[io->extent].copy[io->copy].disk].under_way++;
	v->rebalance.est_work--;
}

/* In flight no more; what it left undone is for a new plan. */
static void end_move(struct volume *v, struct io *io, bool done)
{
	v->extent[io->extent].moving = false;
	v->rebalance.in_flight--;
	io_pool_put(v->pool, io);
	volume_resume_waiting(v);
	if (done)
		step(v);
	else
		(void)rebalance_plan(v, NULL);
}

void rebalance_written(struct volume *v, uint32_t extent)
{
	struct io_queue *q = &v->rebalance.draining;

	for (uint32_t i = q->n; i > 0; i--) {
		struct io *io = io_queue_pop(q);
		if (io->extent != extent) {
			io_queue_push(q, io);
		} else if (!send_read(v, io)) {
			give_up(v, io);
			end_move(v, io, false);
		}
	}
}

/* The copy that was read is of no use: another one, if there is one. */
static bool read_another(struct volume *v, struct io *io)
{
	const struct extent *x = &v->extent[io->extent];

	io->tried |= UINT64_C(1) << io->lun;
	int from = volume_first_copy(v, x, io->tried);
	if (from < 0)
		return false;
	volume_send_part(v, io, x->copy[from].disk, x->copy[from].slot * v->p.au_bytes);
	return true;
}

/* What was read goes to its new place. False: there is none just now. */
static bool write_copy(struct volume *v, struct io *io)
{
	uint32_t slot = volume_take_slot(v, io->clone);

	if (slot == VOLUME_NO_SLOT)
		return false;
	io->write = io->carries = true;
	v->disk[io->clone].under_way--; /* the slot counts from now on */
	volume_send_part(v, io, io->clone, slot * v->p.au_bytes);
	return true;
}

/* Read: write it. Written: change the map. */
void rebalance_complete(struct volume *v, struct io *io)
{
	bool good = io->result == (int32_t)io->bytes && !v->disk[io->lun].lost;
	bool fits = v->disk[io->clone].state == DISK_ONLINE;

	if (!good && !io->write && fits && read_another(v, io))
		return;
	if (!good && !v->disk[io->lun].lost)
		v->extent[io->extent].stuck = true;
	if (good && fits && !io->write) {
		if (write_copy(v, io))
			return;
		fits = false;
	}
	if (good && fits && v->journal) {
		volume_commit_place(v, io);
		return;
	}
	if (good && fits)
		moved(v, io);
	else
		give_up(v, io);
	end_move(v, io, good && fits);
}

/* The journal says where the copy lies now. When its new disk has failed meanwhile, the old place is made durable once more before anybody may
 * write there. */
void rebalance_placed(struct volume *v, struct io *io)
{
	bool fits = v->disk[io->clone].state == DISK_ONLINE, back = io->pending;

	if (!back && !fits) {
		io->pending = 1;
		volume_commit_place(v, io);
		return;
	}
	if (back)
		give_up(v, io);
	else
		moved(v, io);
	end_move(v, io, !back);
}

void volume_set_power(struct volume *v, uint32_t power)
{
	struct rebalance *r = &v->rebalance;

	v->p.power = power;
	if (!is_running(r))
		return;
	if (!power && r->state == REBALANCE_RUN)
		r->hung_ns = volume_now(v);
	r->state = power ? REBALANCE_RUN : REBALANCE_HALT;
	step(v);
}

double volume_rate(const struct volume *v)
{
	const struct rebalance *r = &v->rebalance;
	enum { N = sizeof(r->mark) / sizeof(r->mark[0]), OVER = 10 };
	uint32_t n = r->n_marks < OVER ? r->n_marks : OVER;
	double since_s = (double)(volume_now(v) - (r->next_mark_ns - MARK_NS)) / 1e9;
	uint32_t then = r->n_marks > OVER ? r->mark[(r->n_marks - 1 - OVER) % N] : 0;

	if (r->state != REBALANCE_RUN || n + since_s <= 0)
		return 0;
	return (r->sofar - then) * 60.0 / (n + since_s);
}

bool volume_hung(const struct volume *v)
{
	return v->rebalance.state == REBALANCE_WAIT;
}
