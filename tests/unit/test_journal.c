/* Frames and images: what is cut anywhere is torn and nothing before it is lost; each flipped bit is noticed; a checkpoint is the image. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stack/journal.h"

enum { AU = 65536, EXTENTS = 20 };

static uint8_t file[65536];
static size_t n_file;
static uint64_t n_frames;

static void append(const struct journal_entry *e, uint32_t n)
{
	journal_frame(file + n_file, ++n_frames, e, n);
	n_file += journal_frame_bytes(n);
}

static void lay_out(struct journal_image *m)
{
	struct volume_params p = {.copies = 2, .disks = 4, .au_bytes = AU, .size_bytes = EXTENTS * AU, .known = 5, .slots = 30, .first_slot = 1};

	*m = (struct journal_image){.place = NULL};
	assert_int_equal(image_lay_out(m, &p, NULL), 0);
	m->fact[FACT_VOLUME] = 77;
	m->disk[2].id = 99;
}

static void checkpoint(const struct journal_image *m)
{
	static struct journal_entry e[512];
	uint64_t i = 0;
	uint32_t n = 0;

	n_file = n_frames = 0;
	while (image_entry(m, &i, &e[n]))
		n++;
	append(e, n + 1); /* with the end */
}

static int load(struct journal_image *m, size_t n, size_t *good, struct err *err)
{
	uint64_t sequence;

	*m = (struct journal_image){.place = NULL};
	return journal_load(m, file, n, good, &sequence, err);
}

static void same_image(const struct journal_image *a, const struct journal_image *b)
{
	assert_memory_equal(a->fact, b->fact, sizeof(a->fact));
	assert_memory_equal(a->disk, b->disk, sizeof(a->disk));
	assert_memory_equal(a->extent, b->extent, EXTENTS);
	for (int i = 0; i < EXTENTS * 2; i++) {
		assert_int_equal(a->place[i].disk, b->place[i].disk);
		assert_int_equal(a->place[i].slot, b->place[i].slot);
	}
}

static const struct journal_entry later[3][2] = {
	{{.type = JOURNAL_DIRTY, .a = 3}, {.type = JOURNAL_DIRTY, .a = 4}},
	{{.type = JOURNAL_PLACE, .a = 3, .b = 1 << 16 | 4, .c = 1}, {.type = JOURNAL_CLEAN, .a = 4}},
	{{.type = JOURNAL_DISK, .a = 1, .b = DISK_FAILED | IMAGE_LOST, .c = 30, .value = 5}, {.type = JOURNAL_TOUCHED, .a = 9}},
};

static void a_checkpoint_is_the_image(void **state)
{
	struct journal_image m, back;
	size_t good;

	(void)state;
	lay_out(&m);
	for (int f = 0; f < 3; f++)
		for (int i = 0; i < 2; i++)
			assert_int_equal(image_apply(&m, &later[f][i]), 0);
	assert_int_equal(m.extent[3], IMAGE_DIRTY | IMAGE_TOUCHED);
	assert_int_equal(m.extent[4], IMAGE_TOUCHED);
	assert_int_equal(m.place[7].disk, 4);
	checkpoint(&m);
	assert_int_equal(load(&back, n_file, &good, NULL), 0);
	assert_int_equal(good, n_file);
	same_image(&m, &back);
	image_release(&m);
	image_release(&back);
}

/* A file of one checkpoint and three frames, cut at every byte: all frames before the cut are there, and nothing else. */
static void every_cut_is_a_torn_tail(void **state)
{
	struct journal_image m, back;
	size_t end[4], good;
	struct err err;

	(void)state;
	lay_out(&m);
	checkpoint(&m);
	end[0] = n_file;
	for (int f = 0; f < 3; f++) {
		append(later[f], 2);
		end[f + 1] = n_file;
	}
	for (size_t n = 0; n <= n_file; n++) {
		int code = load(&back, n, &good, &err), frame = 3;
		while (frame >= 0 && end[frame] > n)
			frame--;
		if (frame < 0) {
			assert_int_equal(code, -EUCLEAN); /* a new file takes its name only when it is whole */
		} else {
			assert_int_equal(code, 0);
			assert_int_equal(good, end[frame]);
			assert_int_equal(back.extent[3] & IMAGE_DIRTY, frame > 0);
			assert_int_equal(back.place[7].disk == 4, frame > 1);
			assert_int_equal(back.disk[1].flags & IMAGE_LOST, frame > 2 ? IMAGE_LOST : 0);
		}
		image_release(&back);
	}
	/* and with each sector of the last frame that never arrived */
	for (size_t at = end[2] / 512 * 512; at < n_file; at += 512) {
		size_t from = at > end[2] ? at : end[2], to = at + 512 < n_file ? at + 512 : n_file;
		memset(file + from, 0, to - from);
		assert_int_equal(load(&back, n_file, &good, &err), 0);
		assert_int_equal(good, end[2]);
		image_release(&back);
		n_file = end[2];
		n_frames = 3;
		append(later[2], 2);
	}
	image_release(&m);
}

static void every_flipped_bit_is_noticed(void **state)
{
	struct journal_image m, back;
	size_t good;
	struct err err;

	(void)state;
	lay_out(&m);
	checkpoint(&m);
	for (int f = 0; f < 3; f++)
		append(later[f], 2);
	for (size_t bit = 0; bit < n_file * 8; bit++) {
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(load(&back, n_file, &good, &err), -EUCLEAN); /* also in the last frame: it is whole, so it was not torn */
		assert_non_null(strstr(err.text, "is damaged"));
		image_release(&back);
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	assert_int_equal(load(&back, n_file, &good, &err), 0);
	image_release(&back);
	image_release(&m);
}

static void a_frame_that_is_missing_or_twice_is_noticed(void **state)
{
	struct journal_image m, back;
	size_t good;
	struct err err;

	(void)state;
	lay_out(&m);
	checkpoint(&m);
	size_t first = n_file, one = journal_frame_bytes(2);
	for (int f = 0; f < 3; f++)
		append(later[f], 2);
	memmove(file + first, file + first + one, 2 * one);
	assert_int_equal(load(&back, n_file - one, &good, &err), -EUCLEAN);
	image_release(&back);
	checkpoint(&m);
	append(later[0], 2);
	memcpy(file + n_file, file + first, one);
	assert_int_equal(load(&back, n_file + one, &good, &err), -EUCLEAN);
	image_release(&back);
	image_release(&m);
}

static void what_makes_no_sense_is_refused(void **state)
{
	static const struct journal_entry bad[] = {
		{.type = 0},
		{.type = N_JOURNAL_TYPES},
		{.type = JOURNAL_DIRTY, .a = EXTENTS},
		{.type = JOURNAL_PLACE, .a = 1, .b = 2 << 16},
		{.type = JOURNAL_PLACE, .a = 1, .b = 5},
		{.type = JOURNAL_DISK, .a = VOLUME_MAX_DISKS},
		{.type = JOURNAL_DISK, .a = 0, .b = N_DISK_STATES},
		{.type = JOURNAL_FACT, .a = N_FACTS},
		{.type = JOURNAL_FACT, .a = FACT_FORMAT, .value = 2},
		{.type = JOURNAL_FACT, .a = FACT_EXTENTS, .value = 5},
	};
	struct journal_image m;

	(void)state;
	lay_out(&m);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(image_apply(&m, &bad[i]), -EUCLEAN);
	image_release(&m);
}

/* ---- the queue before the file ---- */

static struct {
	struct journal_store store;
	struct journal_entry seen[64];
	uint32_t n, begun;
	uint64_t flush, failed;
	int answer;
} fake;

static void fake_begin(struct journal_store *s, const struct journal_entry *e, uint32_t n, uint64_t flush)
{
	(void)s;
	memcpy(fake.seen, e, n * sizeof(*e));
	fake.n = n;
	fake.begun++;
	fake.flush = flush;
}

static int fake_progress(struct journal_store *s, uint64_t *failed)
{
	(void)s;
	*failed = fake.failed;
	return fake.answer;
}

static void entries_gather_while_a_frame_is_under_way(void **state)
{
	struct journal j;
	const struct journal_entry *done;
	uint32_t n;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.store = (struct journal_store){fake_begin, fake_progress};
	journal_init(&j, &fake.store);
	journal_put(&j, &(struct journal_entry){.type = JOURNAL_DIRTY, .a = 1}, 0);
	assert_int_equal(journal_turn(&j, &done, &n), 0);
	journal_put(&j, &(struct journal_entry){.type = JOURNAL_DIRTY, .a = 2}, 0);
	journal_put(&j, &(struct journal_entry){.type = JOURNAL_PLACE, .a = 3}, 4);
	journal_turn(&j, &done, &n);
	assert_int_equal(fake.begun, 1); /* one at a time */
	fake.answer = JOURNAL_DURABLE;
	journal_turn(&j, &done, &n);
	assert_int_equal(n, 1);
	assert_int_equal(done[0].a, 1);
	journal_turn(&j, &done, &n);
	assert_int_equal(fake.begun, 2);
	assert_int_equal(fake.n, 2);
	assert_int_equal(fake.flush, 4);

	/* A disk that cannot be flushed: what says that it is lost gets into the same frame. */
	fake.answer = JOURNAL_NOT_FLUSHED;
	fake.failed = 4;
	journal_put(&j, &(struct journal_entry){.type = JOURNAL_DIRTY, .a = 5}, 0);
	assert_int_equal(journal_turn(&j, &done, &n), 4);
	assert_int_equal(n, 0);
	journal_put(&j, &(struct journal_entry){.type = JOURNAL_DISK, .a = 2}, 0);
	journal_turn(&j, &done, &n);
	assert_int_equal(fake.n, 4);
	assert_int_equal(fake.seen[0].a, 2);
	assert_int_equal(fake.seen[3].type, JOURNAL_DISK);
	assert_int_equal(fake.flush & 4, 0);
	fake.answer = -EIO;
	journal_turn(&j, &done, &n);
	assert_int_equal(j.failed, -EIO);
	journal_release(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_checkpoint_is_the_image),
		cmocka_unit_test(every_cut_is_a_torn_tail),
		cmocka_unit_test(every_flipped_bit_is_noticed),
		cmocka_unit_test(a_frame_that_is_missing_or_twice_is_noticed),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(entries_gather_while_a_frame_is_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
