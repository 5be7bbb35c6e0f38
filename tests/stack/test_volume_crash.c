/* Crashes: a mirrored volume on disks in memory, with a journal that takes its time, is ended at any moment (frames under way are there, torn or
 * gone; writes under way are on some copies, in part or not at all) and goes on from what is left. No acknowledged write may be lost, what was
 * read once must not be unread, and in the end all copies are the same. Then each safeguard is taken away, and that must be seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stack/journal.h"
#include "stack/rig.h"

enum { BLOCK = 512, BLOCKS = 4, AU = BLOCK * BLOCKS, EXTENTS = 24, ALL = EXTENTS * BLOCKS, SLOTS = 40, DISKS = 6, USERS = 12,
       LIVES = 12, OPERATIONS = 250, SEEDS = 150, FILE_BYTES = 4 << 20 };

/* What is taken away. */
enum mutation { NONE, NO_DIRTY, NO_PLACE, NO_DISK, NO_WAITING, NO_RESYNC, NO_FLUSH_CHECK, N_MUTATIONS };

struct content {
	uint64_t block, version;
};
struct user {
	struct io *io; /* NULL: free */
	bool write;
	uint32_t first, n;
};
struct world {
	struct journal_store store; /* first: the volume's journal writes here */
	struct rig rig;
	struct rng rng;
	struct journal journal;
	enum mutation mutation;
	/* the file: durable bytes, and the frame under way */
	uint8_t *file;
	size_t n_file;
	uint64_t sequence;
	struct journal_entry under_way[8192];
	uint32_t n_under_way;
	int64_t due_ns;
	bool is_under_way, told;
	uint64_t acked[ALL], issued[ALL];
	bool busy[ALL];
	struct user user[USERS];
	const char *bad; /* what went wrong first */
	uint64_t n_acked, n_read, n_moved, n_resynced, n_torn, n_failed;
};

static uint32_t any(struct world *w, uint32_t n)
{
	return (uint32_t)rng_below(&w->rng, n);
}

static void wrong(struct world *w, const char *what)
{
	if (!w->bad)
		w->bad = what;
}

/* ---- the journal's file ---- */

static bool is_omitted(const struct world *w, const struct journal_entry *e)
{
	return (w->mutation == NO_DIRTY && e->type == JOURNAL_DIRTY) || (w->mutation == NO_PLACE && e->type == JOURNAL_PLACE) ||
	       (w->mutation == NO_DISK && e->type == JOURNAL_DISK);
}

static void append(struct world *w, const struct journal_entry *e, uint32_t n)
{
	static struct journal_entry kept[8192];
	uint32_t left = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!is_omitted(w, &e[i]))
			kept[left++] = e[i];
	if (!left)
		return;
	assert_true(w->n_file + journal_frame_bytes(left) <= FILE_BYTES);
	journal_frame(w->file + w->n_file, ++w->sequence, kept, left);
	w->n_file += journal_frame_bytes(left);
}

/* A new place, and that an AU is clean, is written after its disks were flushed. */
static void check_flush(struct world *w, const struct journal_entry *e, uint64_t flush)
{
	const struct volume *v = &w->rig.volume;

	if (e->type == JOURNAL_PLACE && !(flush >> (e->b & 0xffff) & 1) && !v->disk[e->b & 0xffff].lost)
		wrong(w, "a place is written before its disk was flushed");
	for (uint32_t c = 0; e->type == JOURNAL_CLEAN && c < v->p.copies; c++)
		if (!(flush >> v->extent[e->a].copy[c].disk & 1) && !v->disk[v->extent[e->a].copy[c].disk].lost)
			wrong(w, "an AU counts as clean before its disks were flushed");
}

static void store_begin(struct journal_store *s, const struct journal_entry *e, uint32_t n, uint64_t flush)
{
	struct world *w = (struct world *)s;

	assert_false(w->is_under_way && !w->told);
	if (w->is_under_way) { /* only when it lied */
		append(w, w->under_way, w->n_under_way);
	}
	for (uint32_t i = 0; i < n; i++)
		check_flush(w, &e[i], w->mutation == NO_FLUSH_CHECK ? 0 : flush);
	memcpy(w->under_way, e, n * sizeof(*e));
	w->n_under_way = n;
	w->is_under_way = true;
	w->told = false;
	w->due_ns = w->rig.base.now_ns + 50000 + any(w, 3000000);
}

static int store_progress(struct journal_store *s, uint64_t *failed)
{
	struct world *w = (struct world *)s;

	*failed = 0;
	if (w->mutation == NO_WAITING) {
		w->told = true;
		return JOURNAL_DURABLE;
	}
	if (w->rig.base.now_ns < w->due_ns)
		return JOURNAL_BUSY;
	append(w, w->under_way, w->n_under_way);
	w->is_under_way = false;
	return JOURNAL_DURABLE;
}

/* The frame under way: there, gone, cut, or with a sector that never arrived. */
static void crash_file(struct world *w)
{
	size_t before = w->n_file;

	if (!w->is_under_way || !any(w, 3))
		return;
	append(w, w->under_way, w->n_under_way);
	size_t n = w->n_file - before;
	if (!n || any(w, 3))
		return;
	w->n_torn++;
	if (any(w, 2)) {
		w->n_file = before + any(w, (uint32_t)n);
		return;
	}
	size_t hole = (before + any(w, (uint32_t)n)) / 512 * 512, from = hole > before ? hole : before;
	memset(w->file + from, 0, (hole + 512 < w->n_file ? hole + 512 : w->n_file) - from);
}

/* ---- users ---- */

static struct content *contents(struct world *w, const struct io *io)
{
	return w->rig.base.ops->data(&w->rig.base, io);
}

static struct content *content_at(void *data, uint32_t i)
{
	return (struct content *)((uint8_t *)data + i * BLOCK);
}

static void submit(struct world *w, bool write)
{
	uint32_t n = 1 + any(w, 6), first = any(w, ALL - n), i = 0;

	while (i < USERS && w->user[i].io)
		i++;
	for (uint32_t k = 0; k < n; k++)
		if (w->busy[first + k])
			return;
	if (i == USERS)
		return;
	struct io *io = io_pool_get(&w->rig.pool);
	w->user[i] = (struct user){io, write, first, n};
	io->write = io->carries = write;
	io->offset_bytes = (uint64_t)first * BLOCK;
	io->bytes = n * BLOCK;
	for (uint32_t k = 0; k < n; k++) {
		w->busy[first + k] = true;
		if (write)
			*content_at(contents(w, io), k) = (struct content){first + k, ++w->issued[first + k]};
	}
	volume_submit(&w->rig.volume, io);
}

/* Reads have buffers of their own for each part, so what they saw is looked at when the part is back. */
static void saw(struct world *w, const struct io *part)
{
	uint32_t first = part->extent * BLOCKS + (uint32_t)(part->offset_bytes % AU / BLOCK);

	for (uint32_t i = 0; i < part->bytes / BLOCK; i++) {
		const struct content *c = content_at(contents(w, part), i);
		uint32_t b = first + i;
		if (!c->version && !w->acked[b])
			continue;
		if (c->block != b)
			wrong(w, "a block of another place");
		else if (c->version < w->acked[b])
			wrong(w, "an acknowledged write is lost, or what was read once is unread");
		else if (c->version > w->issued[b])
			wrong(w, "a write that was never sent");
		else
			w->acked[b] = c->version;
		w->n_read++;
	}
}

static void finish(struct world *w, struct io *io)
{
	if (!io)
		return;
	for (int i = 0; i < USERS; i++) {
		struct user *u = &w->user[i];
		if (u->io != io)
			continue;
		bool good = io->result == (int32_t)io->bytes;
		if (!good)
			w->n_failed++;
		for (uint32_t k = 0; k < u->n; k++) {
			w->busy[u->first + k] = false;
			if (good && u->write)
				w->acked[u->first + k] = w->issued[u->first + k];
		}
		w->n_acked += good && u->write;
		u->io = NULL;
	}
	rig_done(&w->rig, io);
}

static bool any_lost(const struct volume *v)
{
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (v->disk[i].lost && v->disk[i].n_copies)
			return true;
	return false;
}

static void answer(struct world *w)
{
	if (!w->rig.n_out)
		return;
	uint32_t i = any(w, w->rig.n_out);
	struct io *io = w->rig.out[i];
	bool bad = !any(w, 200) && !any_lost(&w->rig.volume) && !w->rig.volume.n_unsure;
	bool reads = !bad && !io->write && io->parent && !io->lost && !w->rig.volume.disk[io->lun].lost;
	if (reads) { /* into the buffer first, for it may be gone afterwards */
		memcpy(contents(w, io), w->rig.disk[io->lun] + io->offset_bytes, io->bytes);
		saw(w, io);
	}
	finish(w, rig_answer(&w->rig, i, bad ? -EIO : 0));
}

static void tick(struct world *w)
{
	struct event_heap *h = &w->rig.timers.heap;

	if (!h->n)
		return;
	struct event e = h->e[0];
	struct io *io;
	heap_pop(h);
	w->rig.base.now_ns = e.t_ns > w->rig.base.now_ns ? e.t_ns : w->rig.base.now_ns;
	if (event_type(e) == TIMER_FAILED) {
		finish(w, volume_take_failed(&w->rig.volume));
	} else if (event_type(e) == TIMER_CLEAN) {
		volume_clean(&w->rig.volume);
	} else if (event_type(e) == TIMER_JOURNAL) {
		volume_turn_journal(&w->rig.volume);
		while ((io = volume_take_acked(&w->rig.volume)))
			finish(w, io);
	} else {
		stack_timer(&w->rig.stack, e);
	}
}

static void change_disks(struct world *w)
{
	struct volume *v = &w->rig.volume;
	uint32_t disk = any(w, v->n_disks), what = any(w, 4);

	if (what == 0 && !any_lost(v) && !v->n_unsure)
		(void)volume_fail(v, disk, NULL);
	else if (what == 1)
		(void)volume_drop(v, disk, NULL);
	else if (what == 2)
		(void)volume_add(v, disk, NULL);
	else
		volume_set_power(v, any(w, 5));
}

static void operate(struct world *w)
{
	uint32_t what = any(w, 100);

	if (what < 40)
		answer(w);
	else if (what < 60)
		submit(w, true);
	else if (what < 72)
		submit(w, false);
	else if (what < 95)
		tick(w);
	else
		change_disks(w);
}

/* ---- lives ---- */

static struct volume_params params(void)
{
	return (struct volume_params){.copies = 2, .disks = 4, .au_bytes = AU, .size_bytes = EXTENTS * AU, .power = 2, .auto_rebalance = true,
				      .known = DISKS, .slots = SLOTS, .first_slot = 1};
}

static void open_volume(struct world *w, uint8_t **disk, struct journal_image *m)
{
	struct volume_params p = params();

	rig_open(&w->rig, &p, 4, 1);
	rig_store(&w->rig, (uint64_t)SLOTS * AU, 8 * BLOCK > AU ? 8 * BLOCK : AU);
	for (uint32_t i = 0; i < DISKS && disk; i++) {
		free(w->rig.disk[i]);
		w->rig.disk[i] = disk[i];
	}
	journal_init(&w->journal, &w->store);
	for (uint32_t e = 0; e < EXTENTS && w->mutation == NO_RESYNC; e++)
		m->extent[e] &= (uint8_t)~IMAGE_DIRTY;
	assert_int_equal(volume_restore(&w->rig.volume, &w->journal, m, 0, NULL), 0);
}

static void begin_world(struct world *w, uint64_t seed, enum mutation mutation)
{
	struct journal_image m = {.place = NULL};
	struct volume_params p = params();
	uint64_t i = 0;
	uint32_t n = 0;

	uint8_t *file = w->file;
	memset(w, 0, sizeof(*w));
	w->file = file;
	w->store = (struct journal_store){store_begin, store_progress};
	w->mutation = mutation;
	rng_init(&w->rng, seed, 3);
	assert_int_equal(image_lay_out(&m, &p, NULL), 0);
	while (image_entry(&m, &i, &w->under_way[n]))
		n++;
	n++; /* the end */
	enum mutation kept = w->mutation;
	w->mutation = NONE;
	append(w, w->under_way, n);
	w->mutation = kept;
	open_volume(w, NULL, &m);
	image_release(&m);
}

static void crash(struct world *w)
{
	struct journal_image m = {.place = NULL};
	uint8_t *disk[DISKS];
	size_t good;
	struct err err = {""};

	for (uint32_t i = 0; i < w->rig.n_out; i++) { /* what the devices do with writes that are out */
		const struct io *io = w->rig.out[i];
		uint32_t blocks = io->write ? any(w, 2) * (any(w, 2) ? io->bytes / BLOCK : any(w, io->bytes / BLOCK + 1)) : 0;
		memcpy(w->rig.disk[io->lun] + io->offset_bytes, contents(w, io), (size_t)blocks * BLOCK);
	}
	crash_file(w);
	w->n_moved += w->rig.volume.relocations;
	w->n_resynced += w->rig.volume.n_resynced;
	for (uint32_t i = 0; i < DISKS; i++) {
		disk[i] = w->rig.disk[i];
		w->rig.disk[i] = NULL;
	}
	rig_close(&w->rig);
	journal_release(&w->journal);
	memset(w->user, 0, sizeof(w->user));
	memset(w->busy, 0, sizeof(w->busy));
	w->is_under_way = w->told = false;
	if (journal_load(&m, w->file, w->n_file, &good, &w->sequence, &err) < 0) {
		if (w->mutation == NONE)
			fail_msg("%s", err.text);
		wrong(w, "the file cannot be read");
	}
	w->n_file = good;
	open_volume(w, disk, &m);
	image_release(&m);
}

static void settle(struct world *w)
{
	volume_set_power(&w->rig.volume, 3);
	for (int i = 0; i < 100000; i++) {
		bool quiet = !w->rig.n_out && !w->rig.volume.polls && !w->rig.volume.rebalance.in_flight && !w->rig.volume.n_unsure;
		for (int k = 0; k < USERS; k++)
			quiet &= !w->user[k].io;
		if (quiet)
			return;
		if (w->rig.n_out)
			answer(w);
		else
			tick(w);
	}
	wrong(w, "it never comes to rest");
}

static void check_copies(struct world *w)
{
	const struct volume *v = &w->rig.volume;

	for (uint32_t b = 0; b < ALL; b++) {
		const struct extent *x = &v->extent[b / BLOCKS];
		const struct content *first = NULL;
		for (uint32_t c = 0; c < v->p.copies; c++) {
			struct place p = x->copy[c];
			const struct content *k = content_at(w->rig.disk[p.disk] + p.slot * AU, b % BLOCKS);
			if (v->disk[p.disk].lost)
				continue;
			if (w->acked[b] && (k->block != b || k->version < w->acked[b]))
				wrong(w, "an acknowledged write is lost in a copy");
			if (first && w->issued[b] && x->touched && k->version != first->version)
				wrong(w, "the copies differ");
			first = k;
		}
		if (!first && w->acked[b])
			wrong(w, "no copy is left");
	}
}

/* NULL, or what went wrong. */
static const char *run_world(struct world *w, uint64_t seed, enum mutation mutation)
{
	begin_world(w, seed, mutation);
	for (int life = 0; life < LIVES && !w->bad; life++) {
		for (uint32_t n = any(w, OPERATIONS); n > 0 && !w->bad; n--)
			operate(w);
		if (any(w, 4) == 0) {
			settle(w);
			check_copies(w);
		}
		crash(w);
	}
	settle(w);
	check_copies(w);
	rig_close(&w->rig);
	journal_release(&w->journal);
	return w->bad;
}

static struct world *new_world(void)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->file = malloc(FILE_BYTES);
	assert_non_null(w->file);
	return w;
}

static void no_crash_loses_anything(void **state)
{
	struct world *w = new_world();
	uint64_t acked = 0, moved = 0, resynced = 0, torn = 0, read = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		const char *bad = run_world(w, seed, NONE);
		if (bad)
			fail_msg("seed %llu: %s", (unsigned long long)seed, bad);
		acked += w->n_acked;
		moved += w->n_moved;
		resynced += w->n_resynced;
		torn += w->n_torn;
		read += w->n_read;
	}
	print_message("# %d crashes: %llu writes acknowledged, %llu blocks read, %llu AU moved, %llu made equal, %llu frames torn\n", SEEDS * LIVES,
		      (unsigned long long)acked, (unsigned long long)read, (unsigned long long)moved, (unsigned long long)resynced,
		      (unsigned long long)torn);
	assert_true(acked > SEEDS * 50 && moved > SEEDS * 10 && resynced > SEEDS && torn > SEEDS / 4);
	free(w->file);
	free(w);
}

static void without_a_safeguard_something_is_lost(void **state)
{
	static const char *const names[] = {"", "no dirty AU", "no places", "no disks", "no waiting", "no resync", "no flush"};
	struct world *w = new_world();

	(void)state;
	for (enum mutation m = NO_DIRTY; m < N_MUTATIONS; m++) {
		const char *bad = NULL;
		uint64_t seed = 0;
		while (!bad && ++seed <= SEEDS)
			bad = run_world(w, seed, m);
		print_message("# %s: seed %llu: %s\n", names[m], (unsigned long long)seed, bad ? bad : "nothing was seen");
		assert_non_null(bad);
	}
	free(w->file);
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_crash_loses_anything),
		cmocka_unit_test(without_a_safeguard_something_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
