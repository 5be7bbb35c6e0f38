/* Random sequences: disks are lost, dropped and added, power, depth and paths turn, while reads and writes run and are answered in any
 * order. The rig remembers what every slot of every disk holds, so that each read can be checked, and each copy in the map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stack/rig.h"

enum { AU = 65536, BLOCKS = 8, BLOCK = AU / BLOCKS, EXTENTS = 60, SLOTS = 512, DISKS = 24, USERS = 48, SEEDS = 120, OPERATIONS = 500 };

/* What a block holds: whose it is, and how new. */
struct content {
	uint32_t block; /* of the volume */
	uint32_t version;
};
struct user {
	struct io *io; /* NULL: free */
	bool write, hurt; /* hurt: an error was made up under it, or for a while there was no copy to be had */
	uint32_t first, n; /* blocks */
	uint32_t least[2 * BLOCKS + 2]; /* what a read must at least see */
	bool seen[2 * BLOCKS + 2];
};
struct world {
	struct rig rig;
	struct rng rng;
	bool errors; /* some answers are errors */
	struct content disk[DISKS][SLOTS][BLOCKS];
	struct content buffer[EXTENTS][BLOCKS]; /* what the move of an extent has read */
	uint32_t written[EXTENTS * BLOCKS], issued[EXTENTS * BLOCKS]; /* newest version that is done, that was sent */
	bool writing[EXTENTS * BLOCKS];
	struct user user[USERS];
	uint64_t n_issued, n_done, n_failed, n_failed_reads;
	uint32_t last_moves, last_depth[DISKS][2];
	uint32_t broken; /* groups with a disk lost since all was whole, as bits */
	bool was_lost[DISKS];
};

static uint32_t any(struct world *w, uint32_t n)
{
	return (uint32_t)rng_below(&w->rng, n);
}

/* ---- what the devices hold ---- */

static struct content *at(struct world *w, const struct io *io)
{
	return &w->disk[io->lun][io->offset_bytes / AU][io->offset_bytes % AU / BLOCK];
}

static struct user *user_of(struct world *w, const struct io *io)
{
	for (int i = 0; i < USERS; i++)
		if (w->user[i].io == io)
			return &w->user[i];
	fail_msg("a part of nobody");
	return NULL;
}

/* A part of a user's request reaches the device: which of his blocks that is follows from the map, so it is taken from its extent. */
static void user_part(struct world *w, const struct io *io)
{
	struct user *u = user_of(w, io->parent);
	uint32_t first = io->extent * BLOCKS + (uint32_t)(io->offset_bytes % AU / BLOCK);

	for (uint32_t i = 0; i < io->bytes / BLOCK; i++) {
		struct content *c = at(w, io) + i;
		uint32_t block = first + i, own = (block + EXTENTS * BLOCKS - u->first) % (EXTENTS * BLOCKS);
		assert_true(own < u->n);
		if (u->write) {
			*c = (struct content){block, w->issued[block]};
			continue;
		}
		assert_int_equal(c->block, block);
		assert_in_range(c->version, u->least[own], w->issued[block]);
		u->seen[own] = true;
	}
}

static void relocation_part(struct world *w, const struct io *io)
{
	if (io->write)
		memcpy(at(w, io), w->buffer[io->extent], sizeof(w->buffer[0]));
	else
		memcpy(w->buffer[io->extent], at(w, io), sizeof(w->buffer[0]));
}

static void reach_device(struct world *w, const struct io *io)
{
	assert_true(io->lun < DISKS && io->offset_bytes / AU < SLOTS);
	if (io->lost || w->rig.volume.disk[io->lun].lost)
		return;
	if (io->relocation)
		relocation_part(w, io);
	else
		user_part(w, io);
}

/* ---- users ---- */

static bool is_dead(const struct volume *v, uint32_t extent)
{
	return volume_first_copy(v, &v->extent[extent], 0) < 0;
}

/* A dead extent can come back: with the move that had read its last copy before that was lost. */
static void note_dead(struct world *w)
{
	for (struct user *u = w->user; u < w->user + USERS; u++)
		for (uint32_t i = 0; u->io && i < u->n; i++)
			u->hurt |= is_dead(&w->rig.volume, (u->first + i) / BLOCKS);
}

static void finish(struct world *w, struct io *io)
{
	if (!io)
		return;
	struct user *u = user_of(w, io);
	bool good = io->result == (int32_t)io->bytes;

	for (uint32_t i = 0; i < u->n; i++) {
		uint32_t block = u->first + i;
		if (u->write) {
			w->writing[block] = false;
			if (good)
				w->written[block] = w->issued[block];
		} else if (good) {
			assert_true(u->seen[i]);
		}
	}
	assert_true(good || u->hurt);
	if (good)
		w->n_done++;
	else
		w->n_failed++;
	w->n_failed_reads += !good && !u->write;
	u->io = NULL;
	rig_done(&w->rig, io);
}

static bool may_write(const struct world *w, uint32_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (w->writing[first + i])
			return false; /* two writes at once to one place: mirrors may differ then, as those of any RAID 1 */
	return true;
}

static void submit(struct world *w, bool write)
{
	uint32_t n = 1 + any(w, 2 * BLOCKS), first = any(w, EXTENTS * BLOCKS - n);
	struct user *u = w->user;

	while (u < w->user + USERS && u->io)
		u++;
	if (u == w->user + USERS || (write && !may_write(w, first, n)))
		return;
	*u = (struct user){.write = write, .first = first, .n = n};
	for (uint32_t i = 0; i < n; i++) {
		u->least[i] = w->written[first + i];
		w->writing[first + i] |= write;
		w->issued[first + i] += write;
	}
	w->n_issued++;
	u->io = w->rig.pool.free; /* what rig_submit will take: nothing may come back before it is known */
	assert_ptr_equal(rig_submit(&w->rig, write, (uint64_t)first * BLOCK, n * BLOCK), u->io);
}

static void answer(struct world *w)
{
	if (!w->rig.n_out)
		return;
	uint32_t i = any(w, w->rig.n_out);
	struct io *io = w->rig.out[i];
	bool bad = w->errors && !any(w, 60);

	if (bad && !io->relocation && !io->lost)
		user_of(w, io->parent)->hurt = true;
	if (!bad)
		reach_device(w, io);
	note_dead(w);
	finish(w, rig_answer(&w->rig, i, bad ? -EIO : 0));
}

/* ---- operations ---- */

static void read_some(struct world *w) { submit(w, false); }
static void write_some(struct world *w) { submit(w, true); }
static void fail_disk(struct world *w) { (void)volume_fail(&w->rig.volume, any(w, w->rig.volume.n_disks), NULL); }
static void drop_disk(struct world *w) { (void)volume_drop(&w->rig.volume, any(w, w->rig.volume.n_disks), NULL); }
static void add_disk(struct world *w) { (void)volume_add(&w->rig.volume, any(w, w->rig.volume.n_disks), NULL); }
static void set_qd(struct world *w) { stack_set_qd(&w->rig.stack, 1 + any(w, 8)); }
static void path_down(struct world *w) { (void)stack_path_down(&w->rig.stack, any(w, w->rig.stack.p.n_paths)); }
static void path_up(struct world *w) { (void)stack_path_up(&w->rig.stack, any(w, w->rig.stack.p.n_paths)); }
static void tick(struct world *w) { finish(w, rig_tick(&w->rig, any(w, 2000000))); }

static void set_power(struct world *w)
{
	static const uint32_t powers[] = {0, 1, 2, 5, 11, 40};

	volume_set_power(&w->rig.volume, powers[any(w, 6)]);
}

static void answer_many(struct world *w)
{
	for (uint32_t n = any(w, 40); n > 0; n--)
		answer(w);
}

static const struct operation {
	void (*act)(struct world *w);
	uint32_t weight;
} operations[] = {
	{answer, 30},   {answer_many, 10}, {read_some, 25}, {write_some, 20}, {tick, 10},     {set_power, 3}, {add_disk, 3},
	{drop_disk, 2}, {fail_disk, 1},    {set_qd, 1},     {path_down, 1},   {path_up, 2},
};

static void operate(struct world *w)
{
	uint32_t total = 0, at_weight;

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		total += operations[i].weight;
	at_weight = any(w, total);
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (at_weight < operations[i].weight) {
			operations[i].act(w);
			return;
		}
		at_weight -= operations[i].weight;
	}
}

/* ---- what must hold after each ---- */

static void check_copies(struct world *w, const struct extent *x, uint32_t extent)
{
	const struct volume *v = &w->rig.volume;

	for (uint32_t c = 0; c < v->p.copies; c++) {
		const struct volume_disk *d = &v->disk[x->copy[c].disk];
		for (uint32_t other = 0; other < c; other++)
			assert_int_not_equal(v->disk[x->copy[other].disk].group, d->group);
		if (d->lost)
			continue;
		for (uint32_t b = 0; b < BLOCKS; b++) {
			const struct content *k = &w->disk[x->copy[c].disk][x->copy[c].slot][b];
			assert_int_equal(k->block, extent * BLOCKS + b);
			assert_in_range(k->version, w->written[k->block], w->issued[k->block]);
		}
	}
}

static void use(uint8_t used[DISKS][SLOTS], uint32_t disk, uint32_t slot)
{
	assert_true(disk < DISKS && slot < SLOTS);
	assert_int_equal(used[disk][slot], 0);
	used[disk][slot] = 1;
}

/* Each slot has one owner: a copy in the map, a relocation that writes it, or the list of free ones; what is out is for a slot of its own. */
static void check_slots(struct world *w)
{
	static uint8_t used[DISKS][SLOTS];
	const struct volume *v = &w->rig.volume;
	uint32_t n[DISKS] = {0};

	memset(used, 0, sizeof(used));
	for (uint32_t e = 0; e < EXTENTS; e++)
		for (uint32_t c = 0; c < v->p.copies; c++) {
			use(used, v->extent[e].copy[c].disk, v->extent[e].copy[c].slot);
			n[v->extent[e].copy[c].disk]++;
		}
	for (uint32_t id = 0; id < io_pool_room(&w->rig.pool); id++) {
		const struct io *io = io_pool_at(&w->rig.pool, id);
		if (io->in_device && !io->lost && io->relocation && io->write) {
			use(used, io->lun, (uint32_t)(io->offset_bytes / AU));
			n[io->lun]++;
		}
	}
	for (uint32_t i = 0; i < v->n_disks; i++) {
		for (uint32_t f = 0; f < v->disk[i].n_free; f++)
			use(used, i, v->disk[i].free_slot[f]);
		assert_true(n[i] <= v->disk[i].n_copies); /* relocations that wait before the device are not looked for */
		if (v->disk[i].state == DISK_DROPPED || v->disk[i].state == DISK_ABSENT)
			assert_int_equal(v->disk[i].n_copies, 0);
	}
}

static void check_depth(struct world *w)
{
	const struct stack *s = &w->rig.stack;

	for (uint32_t i = 0; i < w->rig.volume.n_disks; i++)
		for (uint32_t p = 0; p < s->p.n_paths; p++) {
			uint32_t n = s->lun[i].slot[p].in_flight;
			assert_true(n <= s->p.qd || n <= w->last_depth[i][p]); /* a lower depth drains */
			w->last_depth[i][p] = n;
		}
}

static void check_rebalance(struct world *w)
{
	const struct volume *v = &w->rig.volume;
	const struct rebalance *r = &v->rebalance;

	assert_true(r->sofar <= r->est_work);
	assert_true(r->in_flight <= v->p.power || r->in_flight <= w->last_moves);
	w->last_moves = r->in_flight;
	assert_int_equal(r->state == REBALANCE_HALT, (r->state == REBALANCE_RUN || r->state == REBALANCE_HALT) && !v->p.power);
	if (r->state == REBALANCE_RUN || r->state == REBALANCE_HALT)
		assert_int_equal(r->est_work, r->sofar + r->in_flight + r->n_plan - r->next);
	else
		assert_true(!r->in_flight && r->next == r->n_plan);
	if (r->state == REBALANCE_RUN && !r->in_flight)
		fail_msg("it runs, but nothing is in flight");
	if (r->state == REBALANCE_WAIT)
		assert_true(r->reason[0]);
}

/* While fewer groups broke since all was whole than there are copies, nothing is lost. */
static void check_survival(struct world *w)
{
	const struct volume *v = &w->rig.volume;
	bool whole = true;
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->n_disks; i++) {
		if (v->disk[i].lost && !w->was_lost[i])
			w->broken |= 1u << v->disk[i].group;
		w->was_lost[i] = v->disk[i].lost;
		whole &= !v->disk[i].lost || !v->disk[i].n_copies;
	}
	if (whole)
		w->broken = 0;
	for (uint32_t i = 0; i < 32; i++)
		n += w->broken >> i & 1;
	for (uint32_t e = 0; e < EXTENTS && n < v->p.copies; e++)
		assert_false(is_dead(v, e));
}

static void check(struct world *w)
{
	uint32_t out = 0;

	for (int i = 0; i < USERS; i++)
		out += w->user[i].io != NULL;
	assert_int_equal(w->n_issued, w->n_done + w->n_failed + out);
	assert_true(w->n_failed_reads <= w->rig.volume.failed_reads);
	for (uint32_t e = 0; e < EXTENTS; e++)
		check_copies(w, &w->rig.volume.extent[e], e);
	note_dead(w);
	check_slots(w);
	check_depth(w);
	check_rebalance(w);
	check_survival(w);
	assert_false(w->rig.volume.failed);
}

/* ---- a run ---- */

static struct volume_params draw_params(struct world *w)
{
	struct volume_params p = {.au_bytes = AU, .size_bytes = (uint64_t)EXTENTS * AU};

	p.copies = 1 + any(w, 3);
	p.disks = p.copies + 1 + any(w, 5);
	p.failgroups = any(w, 2) ? 0 : p.copies + any(w, p.disks - p.copies + 1);
	p.power = any(w, 12);
	p.auto_rebalance = any(w, 2);
	return p;
}

static void open_world(struct world *w, uint64_t seed)
{
	memset(w, 0, sizeof(*w));
	rng_init(&w->rng, seed, 7);
	struct volume_params p = draw_params(w);
	w->errors = any(w, 2);
	rig_open(&w->rig, &p, 1 + any(w, 8), 1 + any(w, 2));
	for (uint32_t e = 0; e < EXTENTS; e++)
		for (uint32_t c = 0; c < p.copies; c++)
			for (uint32_t b = 0; b < BLOCKS; b++) {
				struct place k = w->rig.volume.extent[e].copy[c];
				w->disk[k.disk][k.slot][b] = (struct content){e * BLOCKS + b, 0};
			}
}

/* All come home: the users have an answer, the rebalance has an end, and the pool has all of its requests. */
static void drain(struct world *w)
{
	struct volume *v = &w->rig.volume;

	w->errors = false;
	for (uint32_t p = 0; p < w->rig.stack.p.n_paths; p++)
		(void)stack_path_up(&w->rig.stack, p);
	volume_set_power(v, 3);
	for (int i = 0; i < 200000 && (w->rig.n_out || w->rig.timers.heap.n); i++) {
		if (w->rig.n_out)
			answer(w);
		else
			tick(w);
	}
	check(w);
	assert_int_equal(w->n_issued, w->n_done + w->n_failed);
	assert_true(v->rebalance.state != REBALANCE_RUN && v->rebalance.state != REBALANCE_HALT);
	assert_int_equal(v->rebalance.state == REBALANCE_WAIT, rebalance_left_behind(v));
	assert_int_equal(w->rig.pool.n_used, 0);
	assert_int_equal(v->waiting.n + v->failing.n + v->rebalance.draining.n, 0);
	for (uint32_t i = 0; i < v->n_disks; i++)
		assert_int_equal(v->disk[i].in_flight, 0);
}

static void random_operations(void **state)
{
	struct world *w = malloc(sizeof(*w));

	(void)state;
	assert_non_null(w);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		open_world(w, seed);
		for (int i = 0; i < OPERATIONS; i++) {
			operate(w);
			check(w);
		}
		drain(w);
		rig_close(&w->rig);
	}
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
