/* What a write brings stays with it: to every copy, through a path that dies, along with an AU that moves; and no buffer is used anew
 * while a device may still read from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "stack/rig.h"

enum { AU = 8192, BLOCK = 512 };

static struct rig r;

static void begin(uint32_t copies, uint32_t paths)
{
	struct volume_params p = {.copies = copies, .disks = 4, .au_bytes = AU, .size_bytes = 8 * AU, .power = 2};

	rig_open(&r, &p, 64, paths);
	rig_store(&r, 64 * AU, 4 * AU);
}

static const uint8_t *copy_of(uint64_t offset, uint32_t c)
{
	struct place p = r.volume.extent[offset / AU].copy[c];

	return r.disk[p.disk] + p.slot * AU + offset % AU;
}

static void answer_all(void)
{
	while (r.n_out) {
		struct io *user = rig_answer(&r, r.n_out - 1, 0);
		if (user)
			rig_done(&r, user);
	}
}

static void all_copies_are_the_same(void **state)
{
	(void)state;
	begin(3, 1);
	rig_submit(&r, true, AU - BLOCK, 2 * AU); /* over three AU */
	answer_all();
	assert_int_equal(r.fills, 1);
	for (uint64_t at = AU - BLOCK; at < 3 * AU - BLOCK; at += BLOCK)
		for (uint32_t c = 0; c < 3; c++)
			assert_int_equal(*(const uint64_t *)copy_of(at, c), 1);
	assert_int_equal(*(const uint64_t *)copy_of(0, 0), 0);
	assert_int_equal(*(const uint64_t *)copy_of(3 * AU - BLOCK, 0), 0);
	assert_int_equal(r.pool.n_used, 0);
	rig_close(&r);
}

/* Nothing of a request is used anew while the device has the lost one, which may still take bytes from it. */
static void a_lost_write_keeps_its_bytes(void **state)
{
	(void)state;
	begin(2, 2);
	rig_submit(&r, true, 0, BLOCK);
	struct io *lost = r.out[0];
	uint32_t owner = lost->data;
	assert_int_equal(stack_path_down(&r.stack, lost->path), 0);
	while (r.timers.heap.n)
		rig_tick(&r, 2000000);
	for (uint32_t i = r.n_out; i-- > 0;)
		if (!r.out[i]->lost) {
			struct io *user = rig_answer(&r, i, 0);
			if (user)
				rig_done(&r, user);
		}
	assert_int_equal(*(const uint64_t *)copy_of(0, 0), 1);
	assert_int_equal(*(const uint64_t *)copy_of(0, 1), 1);
	for (int i = 0; i < 100; i++) {
		rig_submit(&r, true, AU, BLOCK);
		for (uint32_t k = 0; k < r.n_out; k++)
			assert_true(r.out[k]->lost || r.out[k]->data != owner);
		for (uint32_t k = r.n_out; k-- > 0;)
			if (!r.out[k]->lost) {
				struct io *user = rig_answer(&r, k, 0);
				if (user)
					rig_done(&r, user);
			}
	}
	assert_true(r.n_out > 0);
	answer_all();
	assert_int_equal(*(const uint64_t *)copy_of(0, 0), 1);
	assert_int_equal(r.pool.n_used, 0);
	assert_false(io_pool_at(&r.pool, owner)->shares);
	rig_close(&r);
}

/* A lost read comes back late: not into the buffer of the one that took its place. */
static void a_lost_read_spoils_nothing(void **state)
{
	(void)state;
	begin(1, 2);
	rig_submit(&r, false, 0, BLOCK);
	struct io *lost = r.out[0];
	assert_int_equal(stack_path_down(&r.stack, lost->path), 0);
	while (r.timers.heap.n)
		rig_tick(&r, 2000000);
	assert_int_equal(r.n_out, 2);
	assert_int_not_equal(r.out[0]->data, r.out[1]->data);
	answer_all();
	assert_int_equal(r.pool.n_used, 0);
	rig_close(&r);
}

static void a_moved_copy_holds_what_was_written(void **state)
{
	(void)state;
	begin(2, 1);
	for (uint64_t at = 0; at < 8 * AU; at += BLOCK) {
		rig_submit(&r, true, at, BLOCK);
		answer_all();
	}
	assert_int_equal(volume_add(&r.volume, 4, NULL), 0);
	assert_int_equal(volume_drop(&r.volume, 1, NULL), 0);
	answer_all();
	assert_true(r.volume.relocations > 0);
	for (uint64_t at = 0; at < 8 * AU; at += BLOCK)
		for (uint32_t c = 0; c < 2; c++)
			assert_int_equal(*(const uint64_t *)copy_of(at, c), at / BLOCK + 1);
	rig_close(&r);
}

/* A slot is not given away while a write that was lost with its path may still land there. */
static void a_slot_waits_for_its_lost_write(void **state)
{
	(void)state;
	begin(1, 2);
	rig_submit(&r, true, 0, BLOCK);
	struct io *lost = r.out[0];
	uint32_t disk = lost->lun, slot = (uint32_t)(lost->offset_bytes / AU);
	assert_int_equal(stack_path_down(&r.stack, lost->path), 0);
	while (r.timers.heap.n)
		rig_tick(&r, 2000000);
	for (uint32_t i = r.n_out; i-- > 0;)
		if (!r.out[i]->lost)
			rig_done(&r, rig_answer(&r, i, 0));
	assert_int_equal(volume_room_for_free_slots(&r.volume.disk[disk], 1), 0);
	volume_give_slot(&r.volume, (struct place){(uint16_t)disk, slot});
	assert_int_not_equal(volume_take_slot(&r.volume, disk), slot);
	answer_all();
	assert_int_equal(volume_take_slot(&r.volume, disk), slot);
	rig_close(&r);
}

static void a_full_disk_takes_no_more(void **state)
{
	struct volume_params p = {.copies = 1, .disks = 2, .au_bytes = AU, .size_bytes = 8 * AU, .power = 2, .known = 3, .slots = 6, .first_slot = 1};
	struct err err;

	(void)state;
	rig_open(&r, &p, 64, 1);
	assert_int_equal(r.volume.n_disks, 3);
	for (uint32_t e = 0; e < r.volume.n_extents; e++)
		assert_in_range(r.volume.extent[e].copy[0].slot, 1, 4); /* slot 0 is not ours */
	assert_int_equal(volume_drop(&r.volume, 0, NULL), 0);           /* 4 copies, and the other disk has room for one */
	while (r.n_out)
		rig_answer(&r, 0, 0);
	assert_int_equal(r.volume.disk[1].n_copies, 5);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_WAIT);
	assert_int_equal(volume_add(&r.volume, 2, NULL), 0);
	while (r.n_out)
		rig_answer(&r, 0, 0);
	assert_int_equal(r.volume.disk[0].n_copies, 0);
	assert_int_equal(r.volume.disk[0].state, DISK_DROPPED);
	assert_int_equal(volume_add(&r.volume, 3, &err), -ENOENT);
	rig_close(&r);
	p.slots = 4; /* 3 for us on each */
	struct volume v;
	struct stack s = {.lun = NULL};
	assert_int_equal(volume_init(&v, &p, &s, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "do not fit on 2 disks of 3 AU each"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_copies_are_the_same),         cmocka_unit_test(a_lost_write_keeps_its_bytes),
		cmocka_unit_test(a_lost_read_spoils_nothing),      cmocka_unit_test(a_moved_copy_holds_what_was_written),
		cmocka_unit_test(a_slot_waits_for_its_lost_write), cmocka_unit_test(a_full_disk_takes_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
