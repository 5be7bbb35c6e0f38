/* Requests through the map: where copies lie, who is read, who is written, what a lost disk or an error costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stack/rig.h"

enum { AU = 65536 };

static struct rig r;

static void open_rig(uint32_t copies, uint32_t disks, uint32_t failgroups, uint32_t extents)
{
	struct volume_params p = {.copies = copies, .disks = disks, .failgroups = failgroups, .au_bytes = AU, .size_bytes = (uint64_t)extents * AU};

	rig_open(&r, &p, 100, 1);
}

static int close_rig(void **state)
{
	(void)state;
	if (r.stack.lun)
		rig_close(&r);
	memset(&r, 0, sizeof(r));
	return 0;
}

static void assert_out(uint32_t i, uint32_t disk, uint64_t slot, bool write)
{
	assert_true(i < r.n_out);
	assert_int_equal(r.out[i]->lun, disk);
	assert_int_equal(r.out[i]->offset_bytes / AU, slot);
	assert_int_equal(r.out[i]->write, write);
}

/* Answers the oldest request; whether that ended the user's. */
static bool answer(int error, struct io *user)
{
	struct io *done = rig_answer(&r, 0, error);

	assert_true(!done || done == user);
	return done != NULL;
}

/* ---- the layout ---- */

static const struct layout {
	uint32_t copies, disks, failgroups;
	const char *map; /* an extent a word, a copy "disk:slot" */
} layouts[] = {
	{1, 2, 0, "0:0 1:0 0:1 1:1"},
	{2, 2, 0, "0:0,1:0 1:1,0:1 0:2,1:2 1:3,0:3"},
	{2, 3, 0, "0:0,1:0 1:1,2:0 2:1,0:1"},
	{3, 3, 0, "0:0,1:0,2:0 1:1,2:1,0:1"},
	{2, 4, 2, "0:0,1:0 1:1,2:0 2:1,3:0 3:1,0:1"},
	{2, 4, 3, "0:0,1:0 1:1,2:0 2:1,3:0 3:1,1:2"}, /* d1 and d4 are one group */
};

/* The first extents of the map, as many as the row draws. */
static void draw(const struct layout *row, char *to)
{
	uint32_t extents = 1;

	for (const char *c = row->map; *c; c++)
		extents += *c == ' ';
	for (uint32_t e = 0; e < extents; e++)
		for (uint32_t c = 0; c < row->copies; c++) {
			struct place p = r.volume.extent[e].copy[c];
			to += sprintf(to, "%s%u:%u", c ? "," : e ? " " : "", p.disk, p.slot);
		}
}

static void layout_is_as_drawn(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		char map[100];
		open_rig(layouts[i].copies, layouts[i].disks, layouts[i].failgroups, 12);
		draw(&layouts[i], map);
		assert_string_equal(map, layouts[i].map);
		close_rig(NULL);
	}
}

static void too_few_groups_are_refused(void **state)
{
	struct volume_params p = {.copies = 2, .disks = 4, .failgroups = 1, .au_bytes = AU, .size_bytes = AU};
	struct err err;

	(void)state;
	open_rig(1, 4, 0, 1);
	volume_release(&r.volume);
	assert_int_equal(volume_init(&r.volume, &p, &r.stack, &r.pool, &err), -EINVAL);
	assert_non_null(strstr(err.text, "failure groups"));
}

/* ---- requests ---- */

static void reads_take_the_first_copy_and_writes_all(void **state)
{
	(void)state;
	open_rig(2, 3, 0, 6);
	struct io *read = rig_submit(&r, false, AU + 4096, 8192);
	assert_int_equal(r.n_out, 1);
	assert_out(0, 1, 1, false);
	assert_int_equal(r.out[0]->offset_bytes % AU, 4096);
	assert_true(answer(0, read));
	rig_done(&r, read);
	struct io *write = rig_submit(&r, true, AU, 4096);
	assert_int_equal(r.n_out, 2);
	assert_out(0, 1, 1, true);
	assert_out(1, 2, 0, true);
	assert_false(answer(0, write));
	assert_true(answer(0, write));
	assert_int_equal(write->result, 4096);
	rig_done(&r, write);
	assert_int_equal(r.pool.n_used, 0);
}

static void a_request_may_span_extents(void **state)
{
	(void)state;
	open_rig(2, 3, 0, 6);
	struct io *read = rig_submit(&r, false, AU / 2, 2 * AU);
	assert_int_equal(r.n_out, 3);
	assert_int_equal(r.out[0]->bytes + r.out[1]->bytes + r.out[2]->bytes, 2 * AU);
	assert_out(0, 0, 0, false);
	assert_out(1, 1, 1, false);
	assert_out(2, 2, 1, false);
	assert_false(answer(0, read));
	assert_false(answer(0, read));
	assert_true(answer(0, read));
	assert_int_equal(read->result, 2 * AU);
	rig_done(&r, read);
}

/* ---- lost disks ---- */

static void a_lost_disk_costs_no_request_with_a_mirror(void **state)
{
	(void)state;
	open_rig(2, 3, 0, 6);
	struct io *under_way = rig_submit(&r, false, 0, 4096), *write = rig_submit(&r, true, 0, 4096);
	assert_int_equal(volume_fail(&r.volume, 0, NULL), 0);
	/* what was out on it comes back and is read from the mirror */
	assert_false(answer(0, under_way));
	assert_out(2, 1, 0, false);
	assert_false(answer(0, write));
	assert_true(answer(0, write));
	assert_int_equal(write->result, 4096);
	assert_true(answer(0, under_way));
	assert_int_equal(under_way->result, 4096);
	/* and from now on nothing goes there */
	struct io *read = rig_submit(&r, false, 0, 4096);
	assert_out(0, 1, 0, false);
	answer(0, read);
	struct io *again = rig_submit(&r, true, 0, 4096);
	assert_int_equal(r.n_out, 1);
	assert_out(0, 1, 0, true);
	assert_true(answer(0, again));
	assert_int_equal(r.volume.failed_reads, 0);
	assert_int_equal(volume_fail(&r.volume, 0, NULL), -EALREADY);
	assert_int_equal(volume_fail(&r.volume, 99, NULL), -ENOENT);
}

static void without_a_mirror_requests_fail_and_are_counted(void **state)
{
	(void)state;
	open_rig(1, 2, 0, 4);
	struct io *under_way = rig_submit(&r, false, 0, 4096);
	assert_int_equal(volume_fail(&r.volume, 0, NULL), 0);
	assert_true(answer(0, under_way));
	assert_int_equal(under_way->result, -EIO);
	assert_int_equal(r.volume.failed_reads, 1);
	/* later ones reach no device; the error takes the transport time, so that a load without think time cannot spin */
	struct io *read = rig_submit(&r, false, 0, 4096), *write = rig_submit(&r, true, 2 * AU, 4096);
	assert_int_equal(r.n_out, 0);
	assert_ptr_equal(rig_tick(&r, 2000000), read);
	assert_int_equal(r.base.now_ns, 1000000);
	assert_ptr_equal(rig_tick(&r, 2000000), write);
	assert_int_equal(read->result, -EIO);
	assert_int_equal(write->result, -EIO);
	assert_int_equal(r.volume.failed_reads, 2);
	/* half of it lies on the good disk: one error for the whole */
	struct io *both = rig_submit(&r, false, 0, 2 * AU);
	assert_int_equal(r.n_out, 1);
	assert_true(answer(0, both));
	assert_int_equal(both->result, -EIO);
}

/* ---- errors ---- */

static void a_read_error_is_made_good_by_the_mirror(void **state)
{
	(void)state;
	open_rig(2, 3, 0, 6);
	struct io *read = rig_submit(&r, false, 0, 4096);
	assert_false(answer(-EIO, read));
	assert_out(0, 1, 0, false);
	assert_true(answer(-EIO, read));
	assert_int_equal(read->result, -EIO);
	assert_int_equal(r.volume.failed_reads, 1);
	assert_int_equal(r.volume.disk[0].state, DISK_ONLINE);
}

/* A copy that missed a write must never be read again; but the last copy is kept, whatever happens to it. */
static void a_write_error_takes_the_disk_out(void **state)
{
	(void)state;
	open_rig(2, 3, 0, 6);
	struct io *write = rig_submit(&r, true, 0, 4096);
	assert_false(answer(-EIO, write));
	assert_int_equal(r.volume.disk[0].state, DISK_FAILED);
	assert_true(answer(0, write));
	assert_int_equal(write->result, 4096);
	struct io *last = rig_submit(&r, true, 0, 4096);
	assert_int_equal(r.n_out, 1);
	assert_true(answer(-ENOSPC, last));
	assert_int_equal(last->result, -ENOSPC);
	assert_int_equal(r.volume.disk[1].state, DISK_ONLINE);
}

static void both_mirrors_refuse_a_write(void **state)
{
	(void)state;
	open_rig(2, 2, 0, 2);
	struct io *write = rig_submit(&r, true, 0, 4096);
	answer(-EIO, write);
	assert_true(answer(-EIO, write));
	assert_int_equal(write->result, -EIO);
	assert_int_equal(r.volume.disk[0].lost + r.volume.disk[1].lost, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(layout_is_as_drawn, close_rig),
		cmocka_unit_test_teardown(too_few_groups_are_refused, close_rig),
		cmocka_unit_test_teardown(reads_take_the_first_copy_and_writes_all, close_rig),
		cmocka_unit_test_teardown(a_request_may_span_extents, close_rig),
		cmocka_unit_test_teardown(a_lost_disk_costs_no_request_with_a_mirror, close_rig),
		cmocka_unit_test_teardown(without_a_mirror_requests_fail_and_are_counted, close_rig),
		cmocka_unit_test_teardown(a_read_error_is_made_good_by_the_mirror, close_rig),
		cmocka_unit_test_teardown(a_write_error_takes_the_disk_out, close_rig),
		cmocka_unit_test_teardown(both_mirrors_refuse_a_write, close_rig),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
