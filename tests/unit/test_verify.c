/* Verified data: what a block holds, who may be at it at the same time, and what is found out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stack/verify.h"

enum { BLOCK = 512, BLOCKS = 64, LUN = 1 };
static const uint64_t id = 0x1122334455667788;

/* ---- a block ---- */

static const struct verify_stamp stamp = {id, 40960, (uint64_t)3 << 32 | 7};

static void a_block_says_what_it_is(void **state)
{
	static const uint8_t head[] = {'I', 'O', 'D', 'E', 'K', 'C', 'K', '1', 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
				       0,   0xa0, 0,  0,   0,   0,   0,   0,   7,    0,    0,    0,    3,    0,    0,    0};
	uint8_t b[4096];
	struct verify_stamp found;

	(void)state;
	for (uint32_t bytes = VERIFY_SMALLEST; bytes <= VERIFY_LARGEST; bytes *= 2) {
		verify_write_block(b, bytes, &stamp);
		assert_memory_equal(b, head, sizeof(head)); /* the same on every machine */
		assert_int_equal(verify_read_block(b, bytes, id, &found), VERIFY_WHOLE);
		assert_memory_equal(&found, &stamp, sizeof(found));
		assert_int_equal(verify_read_block(b, bytes, id + 1, &found), VERIFY_NONE);
	}
	memset(b, 0, sizeof(b));
	assert_int_equal(verify_read_block(b, sizeof(b), id, &found), VERIFY_NONE);
}

static void every_flipped_bit_is_noticed(void **state)
{
	uint8_t b[BLOCK];
	struct verify_stamp found;

	(void)state;
	verify_write_block(b, sizeof(b), &stamp);
	for (uint32_t bit = 0; bit < sizeof(b) * 8; bit++) {
		b[bit / 8] ^= 1u << bit % 8;
		assert_int_not_equal(verify_read_block(b, sizeof(b), id, &found), VERIFY_WHOLE);
		b[bit / 8] ^= 1u << bit % 8;
	}
}

/* A device that loses the second half of a block, or brings it from another write. */
static void torn_blocks_are_noticed(void **state)
{
	uint8_t new[4096], old[4096];
	struct verify_stamp before = stamp, found;

	(void)state;
	before.generation--;
	verify_write_block(old, sizeof(old), &before);
	for (uint32_t at = 512; at < sizeof(new); at += 512) {
		verify_write_block(new, sizeof(new), &stamp);
		memcpy(new + at, old + at, sizeof(new) - at);
		assert_int_equal(verify_read_block(new, sizeof(new), id, &found), VERIFY_BROKEN);
		verify_write_block(new, sizeof(new), &stamp);
		memset(new + at, 0, sizeof(new) - at);
		assert_int_equal(verify_read_block(new, sizeof(new), id, &found), VERIFY_BROKEN);
	}
}

/* ---- who may go ---- */

static struct verify v;

static void begin(uint32_t session)
{
	struct verify_params p = {.volume = id, .session = session, .block_bytes = BLOCK, .luns = LUN + 1, .lun_bytes = BLOCKS * BLOCK};

	assert_int_equal(verify_init(&v, &p, NULL), 0);
}

static struct io request(bool write, uint32_t first, uint32_t n)
{
	return (struct io){.write = write, .lun = LUN, .offset_bytes = (uint64_t)first * BLOCK, .bytes = n * BLOCK};
}

static uint32_t next_count(void)
{
	struct io_queue go = {.n = 0};

	verify_next(&v, &go);
	return go.n;
}

static void reads_go_beside_each_other_writes_alone(void **state)
{
	struct io r1 = request(false, 0, 4), r2 = request(false, 2, 4), w1 = request(true, 5, 2), w2 = request(true, 6, 1), far = request(true, 20, 2);

	(void)state;
	begin(1);
	assert_true(verify_enter(&v, &r1));
	assert_true(verify_enter(&v, &r2));
	assert_false(verify_enter(&v, &w1)); /* r2 reads block 5 */
	assert_false(verify_enter(&v, &w2)); /* behind w1, although block 6 is free */
	assert_true(verify_enter(&v, &far));
	verify_leave(&v, &r1);
	assert_int_equal(next_count(), 0);
	verify_leave(&v, &r2);
	assert_int_equal(next_count(), 1);
	verify_leave(&v, &w1);
	assert_int_equal(next_count(), 1);
	verify_leave(&v, &w2);
	verify_leave(&v, &far);
	assert_int_equal(next_count(), 0);
	for (uint64_t i = 0; i < v.n_marks; i++)
		assert_int_equal(v.mark[i].users + v.mark[i].waiting, 0);
	verify_release(&v);
}

/* Random requests against the plain rule: no two at the same block of which one writes; each one goes at last; first come, first served. */
static void random_requests_never_overlap(void **state)
{
	enum { MANY = 64, STEPS = 40000 };
	static struct io io[MANY];
	static bool in[MANY], waits[MANY];
	static uint32_t came[MANY];
	struct rng rng;

	(void)state;
	begin(1);
	rng_init(&rng, 5, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t k = (uint32_t)rng_below(&rng, MANY);
		if (waits[k])
			continue;
		if (in[k]) {
			struct io_queue go = {.n = 0};
			in[k] = false;
			verify_done(&v, &io[k], true);
			verify_leave(&v, &io[k]);
			verify_next(&v, &go);
			while (go.n) {
				struct io *one = io_queue_pop(&go);
				in[one - io] = true;
				waits[one - io] = false;
			}
		} else {
			uint32_t n = 1 + (uint32_t)rng_below(&rng, 6);
			io[k] = request(rng_below(&rng, 2), (uint32_t)rng_below(&rng, BLOCKS - n), n);
			came[k] = step;
			in[k] = verify_enter(&v, &io[k]);
			waits[k] = !in[k];
		}
		for (uint32_t a = 0; a < MANY; a++)
			for (uint32_t b = 0; b < MANY; b++) {
				bool touch = io[a].offset_bytes < io[b].offset_bytes + io[b].bytes && io[b].offset_bytes < io[a].offset_bytes + io[a].bytes;
				bool matters = touch && a != b && (io[a].write || io[b].write);
				assert_false(matters && in[a] && in[b]);
				assert_false(matters && in[a] && waits[b] && came[b] < came[a]); /* a overtook b */
			}
		for (uint32_t a = 0; a < MANY; a++) { /* who waits does so for somebody */
			bool reason = !waits[a];
			for (uint32_t b = 0; b < MANY; b++)
				reason |= (in[b] || (waits[b] && came[b] < came[a])) && b != a &&
					  io[a].offset_bytes < io[b].offset_bytes + io[b].bytes && io[b].offset_bytes < io[a].offset_bytes + io[a].bytes;
			assert_true(reason);
		}
	}
	verify_release(&v);
}

/* ---- what is found out ---- */

static uint8_t disk[BLOCKS * BLOCK];

static void write_it(uint32_t first, uint32_t n, bool good)
{
	struct io io = request(true, first, n);

	assert_true(verify_enter(&v, &io));
	verify_fill(&v, &io, disk + io.offset_bytes);
	verify_done(&v, &io, good);
	verify_leave(&v, &io);
}

static uint32_t wrong(uint32_t first, uint32_t n)
{
	return verify_check(&v, disk + first * BLOCK, LUN, (uint64_t)first * BLOCK, n * BLOCK, 3, 4096 + first * BLOCK);
}

static void what_is_wrong_is_named(void **state)
{
	static uint8_t kept[BLOCK];

	(void)state;
	memset(disk, 0, sizeof(disk));
	begin(2);
	assert_int_equal(wrong(0, BLOCKS), 0); /* nothing is written, nothing is ours */
	write_it(0, 8, true);
	memcpy(kept, disk + 3 * BLOCK, BLOCK);
	write_it(3, 2, true);
	assert_int_equal(wrong(0, BLOCKS), 0);
	assert_true(verify_written(&v, LUN, 0, BLOCK));
	assert_false(verify_written(&v, LUN, 8 * BLOCK, 8 * BLOCK));

	memcpy(disk + 3 * BLOCK, kept, BLOCK); /* the write before it */
	assert_int_equal(wrong(0, BLOCKS), 1);
	assert_int_equal(v.first[0].disk, 3);
	assert_int_equal(v.first[0].device_bytes, 4096 + 3 * BLOCK);
	assert_int_equal(v.first[0].expected.generation, (uint64_t)2 << 32 | 2);
	assert_int_equal(v.first[0].found.generation, (uint64_t)2 << 32 | 1);
	assert_int_equal(v.first[0].what, VERIFY_WHOLE);

	memcpy(disk + 3 * BLOCK, disk + 4 * BLOCK, BLOCK); /* a block of another place */
	assert_int_equal(wrong(3, 1), 1);
	assert_int_equal(v.first[1].found.address, verify_address(LUN, 4 * BLOCK));
	disk[3 * BLOCK + 100] ^= 1;
	assert_int_equal(wrong(3, 1), 1);
	assert_int_equal(v.first[2].what, VERIFY_BROKEN);
	memset(disk + 3 * BLOCK, 0, BLOCK); /* nothing at all */
	assert_int_equal(wrong(3, 1), 1);
	assert_int_equal(v.first[3].what, VERIFY_NONE);
	memcpy(disk + 20 * BLOCK, disk, BLOCK); /* a write that went where nobody sent it */
	assert_int_equal(wrong(20, 1), 1);
	assert_int_equal(v.n_mismatches, 5);
	verify_release(&v);
}

/* A write that failed may be there, not there, or half; but nothing newer, and nothing of elsewhere. */
static void a_failed_write_leaves_a_choice(void **state)
{
	static uint8_t kept[BLOCK], newer[BLOCK];

	(void)state;
	begin(1);
	write_it(0, 1, true);
	memcpy(kept, disk, BLOCK);
	write_it(0, 1, false);
	assert_int_equal(wrong(0, 1), 0);
	memcpy(disk + BLOCK / 2, kept + BLOCK / 2, BLOCK / 2);
	assert_int_equal(wrong(0, 1), 0);
	memcpy(disk, kept, BLOCK);
	assert_int_equal(wrong(0, 1), 0);
	verify_write_block(newer, BLOCK, &(struct verify_stamp){id, verify_address(LUN, 0), (uint64_t)1 << 32 | 9});
	memcpy(disk, newer, BLOCK);
	assert_int_equal(wrong(0, 1), 1);
	write_it(0, 1, true);
	assert_int_equal(wrong(0, 1), 0);
	memcpy(disk, kept, BLOCK);
	assert_int_equal(wrong(0, 1), 1);
	verify_release(&v);
}

static void earlier_sessions_are_known(void **state)
{
	(void)state;
	memset(disk, 0, sizeof(disk));
	begin(1);
	write_it(5, 1, true);
	verify_release(&v);
	begin(2);
	assert_int_equal(wrong(0, BLOCKS), 0);
	write_it(5, 1, true);
	assert_int_equal(wrong(5, 1), 0);
	verify_release(&v);
	begin(1); /* what comes from a session that is still to be */
	assert_int_equal(wrong(5, 1), 1);
	verify_release(&v);
}

static void too_much_memory_is_refused(void **state)
{
	struct verify_params p = {.volume = id, .session = 1, .block_bytes = 512, .luns = 1, .lun_bytes = (VERIFY_MOST_BYTES / 8 + 1) * 512};
	struct err err;

	(void)state;
	assert_int_equal(verify_init(&v, &p, &err), -E2BIG);
	assert_non_null(strstr(err.text, "let the jobs or the volume cover less"));
	p.lun_bytes -= 512;
	assert_int_equal(verify_init(&v, &p, &err), 0); /* touched only when used */
	verify_release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_says_what_it_is),
		cmocka_unit_test(every_flipped_bit_is_noticed),
		cmocka_unit_test(torn_blocks_are_noticed),
		cmocka_unit_test(reads_go_beside_each_other_writes_alone),
		cmocka_unit_test(random_requests_never_overlap),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(a_failed_write_leaves_a_choice),
		cmocka_unit_test(earlier_sessions_are_known),
		cmocka_unit_test(too_much_memory_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
