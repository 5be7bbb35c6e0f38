/* Rebalance, move by move: what is planned (T4 T5 T6 of MODEL.md 8b and more), what runs, what it does when something fails on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "stack/rig.h"

enum { AU = 65536 };

static struct rig r;

static void open_rig(uint32_t copies, uint32_t disks, uint32_t extents, uint32_t power)
{
	struct volume_params p = {.copies = copies, .disks = disks, .au_bytes = AU, .size_bytes = (uint64_t)extents * AU, .power = power};

	rig_open(&r, &p, 100, 1);
}

static int close_rig(void **state)
{
	(void)state;
	rig_close(&r);
	return 0;
}

/* "disk d2 fail, drop d2" */
static void act(const char *text)
{
	static int (*const acts[])(struct volume *, uint32_t, struct err *) = {
		[FAULT_DISK_FAIL] = volume_fail, [FAULT_DISK_DROP] = volume_drop, [FAULT_DISK_ADD] = volume_add};
	char *copy = strdup(text), *save = NULL;

	for (char *one = strtok_r(copy, ",", &save); one; one = strtok_r(NULL, ",", &save)) {
		struct fault f;
		assert_int_equal(fault_parse(one, &f, NULL), 0);
		assert_int_equal(acts[f.kind](&r.volume, f.index, NULL), 0);
	}
	free(copy);
}

static uint64_t slot(const struct io *io)
{
	return io->offset_bytes / AU;
}

/* Answer moves one by one and write them down: "e1.0 2:0>0:2" is copy 0 of extent 1 from disk 2 slot 0 to disk 0 slot 2. */
static void write_down(char *to)
{
	*to = '\0';
	while (r.n_out) {
		const struct io *io = r.out[0];
		assert_true(io->relocation && !io->write);
		to += sprintf(to, "%se%u.%u %u:%u", r.volume.rebalance.sofar ? " " : "", io->extent, io->copy, io->lun, (unsigned)slot(io));
		rig_answer(&r, 0, 0);
		assert_ptr_equal(r.out[r.n_out - 1], io);
		assert_true(io->write);
		to += sprintf(to, ">%u:%u", io->lun, (unsigned)slot(io));
		rig_answer(&r, r.n_out - 1, 0);
	}
}

/* ---- plans ---- */

static const struct plan {
	const char *name;
	uint32_t copies, disks, extents;
	bool auto_rebalance;
	const char *acts, *moves;
	enum rebalance_state state;
} plans[] = {
	{"T4 drop", 2, 3, 3, false, "drop d3", "e1.1 2:0>0:2 e2.0 2:1>1:2", REBALANCE_DONE},
	{"T5 forced drop", 2, 3, 3, false, "disk d2 fail,drop d2", "e0.1 0:0>2:2 e1.0 2:0>0:2", REBALANCE_DONE},
	{"T5 by itself", 2, 3, 3, true, "disk d2 fail", "e0.1 0:0>2:2 e1.0 2:0>0:2", REBALANCE_DONE},
	{"T6 lost, no other group", 2, 2, 3, true, "disk d2 fail", "", REBALANCE_WAIT},
	{"lost, not by itself", 2, 3, 3, false, "disk d2 fail", "", REBALANCE_NONE},
	{"drop, no other group", 2, 2, 3, false, "drop d2", "", REBALANCE_WAIT},
	{"an added disk frees it", 2, 2, 3, false, "drop d2,add d3", "e0.1 1:0>2:0 e1.0 1:1>2:1 e2.1 1:2>2:2", REBALANCE_DONE},
	{"an added disk frees a lost one", 2, 2, 2, true, "disk d2 fail,add d3", "e0.1 0:0>2:0 e1.0 0:1>2:1", REBALANCE_DONE},
	{"add: every fifth", 1, 4, 10, false, "add d5", "e4.0 0:1>4:0 e9.0 1:2>4:1", REBALANCE_DONE},
	{"add: every third copy", 2, 2, 6, false, "add d3", "e1.0 1:1>2:0 e2.1 1:2>2:1 e4.0 0:4>2:2 e5.1 0:5>2:3", REBALANCE_DONE},
	{"no copy left", 1, 2, 4, true, "disk d2 fail", "", REBALANCE_WAIT},
	{"what has a copy is restored", 2, 4, 4, true, "disk d1 fail,disk d2 fail", "e1.0 2:0>3:2 e3.1 3:1>2:2", REBALANCE_WAIT},
	{"three copies need three groups", 3, 3, 2, false, "drop d1", "", REBALANCE_WAIT},
};

static void plan_of_row(void **state)
{
	const struct plan *p = *state;
	char moves[400];

	open_rig(p->copies, p->disks, p->extents, 0);
	r.volume.p.auto_rebalance = p->auto_rebalance;
	act(p->acts);
	assert_int_equal(r.n_out, 0); /* power 0 */
	volume_set_power(&r.volume, 1);
	write_down(moves);
	assert_string_equal(moves, p->moves);
	assert_string_equal(rebalance_state_names[r.volume.rebalance.state], rebalance_state_names[p->state]);
	assert_int_equal(r.volume.rebalance.state == REBALANCE_WAIT, r.volume.rebalance.reason[0] != '\0');
	assert_int_equal(r.volume.rebalance.sofar, r.volume.rebalance.est_work);
	assert_int_equal(volume_hung(&r.volume), p->state == REBALANCE_WAIT);
	close_rig(NULL);
}

static void assert_state(uint32_t disk, enum disk_state state)
{
	assert_string_equal(disk_state_names[r.volume.disk[disk].state], disk_state_names[state]);
}

static void states_of_disks(void **state)
{
	char moves[400];

	(void)state;
	open_rig(2, 3, 3, 1);
	act("drop d3");
	assert_state(2, DISK_DROPPING);
	assert_int_equal(volume_drop(&r.volume, 2, NULL), -EALREADY);
	assert_int_equal(volume_add(&r.volume, 0, NULL), -EALREADY);
	write_down(moves);
	assert_state(2, DISK_DROPPED);
	act("drop d1"); /* two groups are left */
	assert_state(0, DISK_HUNG);
	assert_non_null(strstr(r.volume.rebalance.reason, "d1 cannot be dropped"));
	assert_int_equal(r.n_out, 0);
	act("add d3"); /* the same disk again */
	write_down(moves);
	assert_state(0, DISK_DROPPED);
	assert_state(2, DISK_ONLINE);
	assert_int_equal(r.volume.disk[2].next_slot, 3); /* slots 0 and 1 were given back */
	act("disk d2 fail");
	assert_state(1, DISK_FAILED);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_DONE);
	assert_int_equal(volume_fail(&r.volume, 5, NULL), -EALREADY);
	assert_int_equal(volume_drop(&r.volume, 64, NULL), -ENOENT);
}

/* A disk with one copy that has no place keeps all; the others leave. */
static void a_hung_disk_is_left_alone_as_a_whole(void **state)
{
	char moves[400];

	(void)state;
	open_rig(3, 4, 4, 0);
	act("drop d4,drop d3"); /* copies on 0 1 2, 1 2 3, 2 3 0, 3 0 1: of the middle two one copy could go, the other not */
	assert_state(3, DISK_HUNG);
	assert_state(2, DISK_HUNG);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_WAIT);
	act("add d5");
	volume_set_power(&r.volume, 1);
	write_down(moves);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_DONE);
	assert_state(3, DISK_DROPPED);
	assert_state(2, DISK_DROPPED);
}

static void two_new_disks_share(void **state)
{
	static const struct {
		uint32_t copies, disks;
	} groups[] = {{1, 2}, {1, 4}, {1, 6}, {2, 2}, {2, 3}, {2, 4}, {3, 5}};
	char *moves = malloc(100000);

	(void)state;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		uint32_t n = groups[i].disks;
		char add[40];
		open_rig(groups[i].copies, n, 240, 0);
		snprintf(add, sizeof(add), "add d%u,add d%u", n + 1, n + 2);
		act(add);
		volume_set_power(&r.volume, 1);
		write_down(moves);
		for (uint32_t d = 0; d < n + 2; d++)
			assert_in_range(r.volume.disk[d].n_copies, 240 * groups[i].copies / (n + 2) - 2, 240 * groups[i].copies / (n + 2) + 2);
		rig_close(&r);
	}
	free(moves);
	open_rig(1, 1, 1, 0); /* for close_rig */
}

/* ---- on the way ---- */

static void power_is_what_is_in_flight(void **state)
{
	(void)state;
	open_rig(2, 4, 40, 5);
	act("drop d4");
	assert_int_equal(r.n_out, 5);
	rig_answer(&r, 0, 0); /* read, now written */
	assert_int_equal(r.n_out, 5);
	volume_set_power(&r.volume, 0);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_HALT);
	for (int i = 0; i < 9; i++) {
		assert_true(r.n_out > 0);
		rig_answer(&r, 0, 0);
	}
	assert_int_equal(r.n_out, 0); /* those in flight finished, none started */
	assert_int_equal(r.volume.rebalance.sofar, 5);
	volume_set_power(&r.volume, 3);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_RUN);
	assert_int_equal(r.n_out, 3);
	volume_set_power(&r.volume, 1);
	rig_answer(&r, 0, 0);
	rig_answer(&r, r.n_out - 1, 0);
	assert_int_equal(r.n_out, 2); /* nothing recalled, nothing started */
	volume_set_power(&r.volume, 1000);
	assert_int_equal(r.volume.rebalance.in_flight, 20 - 6);
}

static void an_extent_that_moves(void **state)
{
	(void)state;
	open_rig(2, 3, 3, 1);
	struct io *before = rig_submit(&r, true, AU, 4096);
	act("drop d3");
	assert_int_equal(r.n_out, 2); /* the move of extent 1 waits for the write that is out */
	rig_answer(&r, 0, 0);
	assert_ptr_equal(rig_answer(&r, 0, 0), before);
	assert_int_equal(r.n_out, 1);
	assert_true(r.out[0]->relocation && !r.out[0]->write);
	struct io *write = rig_submit(&r, true, AU, 4096), *read = rig_submit(&r, false, AU, 4096);
	assert_int_equal(r.n_out, 2); /* the write waits, the read uses the old copy */
	assert_int_equal(r.out[1]->lun, 1);
	assert_int_equal(r.volume.waiting.n, 1);
	struct io *other = rig_submit(&r, true, 0, 4096);
	assert_int_equal(r.n_out, 4); /* extent 0 does not move */
	rig_answer(&r, 0, 0);
	assert_true(r.out[3]->relocation && r.out[3]->write);
	rig_answer(&r, 3, 0);
	/* moved: the write goes to the old and the new place, and the next move has begun */
	assert_int_equal(r.volume.waiting.n, 0);
	assert_int_equal(r.volume.extent[1].copy[1].disk, 0);
	assert_ptr_equal(rig_answer(&r, 0, 0), read);
	assert_ptr_equal(r.out[2]->parent, write);
	assert_int_equal(r.out[2]->lun, 1);
	assert_int_equal(r.out[3]->lun, 0);
	assert_int_equal(r.out[3]->offset_bytes / AU, 2);
	assert_true(r.out[4]->relocation);
	(void)other;
}

/* ---- what fails on the way ---- */

static void the_source_is_lost(void **state)
{
	char moves[400];

	(void)state;
	open_rig(2, 4, 4, 1);
	act("drop d4");
	assert_int_equal(r.out[0]->lun, 3);
	act("disk d4 fail"); /* what was asked goes on, from the mirrors */
	assert_state(3, DISK_FAILED);
	rig_answer(&r, 0, 0);
	assert_int_equal(r.out[0]->lun, 2); /* extent 2: the other copy */
	assert_false(r.out[0]->write);
	write_down(moves);
	assert_string_equal(moves, "e2.1 2:1>0:2 e3.0 0:1>1:2");
	assert_state(3, DISK_DROPPED);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_DONE);
}

static void the_target_is_lost(void **state)
{
	char moves[400];

	(void)state;
	open_rig(2, 4, 4, 1);
	act("drop d4");
	rig_answer(&r, 0, 0);
	assert_true(r.out[0]->write);
	assert_int_equal(r.out[0]->lun, 0);
	act("disk d1 fail");
	rig_answer(&r, 0, 0);
	assert_int_equal(r.volume.rebalance.sofar, 0);
	assert_int_equal(r.volume.disk[0].n_copies, 2); /* the slot was given back */
	write_down(moves);
	assert_string_equal(moves, "e2.1 3:0>1:2 e3.0 3:1>2:2");
	assert_int_equal(r.volume.rebalance.est_work, 2);
}

/* A copy that cannot be read anywhere must not be tried for ever. */
static void an_unreadable_copy_stays(void **state)
{
	(void)state;
	open_rig(1, 3, 9, 1);
	act("drop d3");
	for (int i = 0; i < 100 && r.n_out; i++)
		rig_answer(&r, 0, r.out[0]->extent == 5 ? -EIO : 0);
	assert_int_equal(r.n_out, 0);
	assert_int_equal(r.volume.rebalance.state, REBALANCE_WAIT);
	assert_int_equal(r.volume.rebalance.sofar, 2);
	assert_int_equal(r.volume.disk[2].n_copies, 1);
	assert_state(2, DISK_HUNG);
	assert_non_null(strstr(r.volume.rebalance.reason, "cannot be read"));
	act("add d4"); /* a change of the group: tried again */
	for (int i = 0; i < 100 && r.n_out; i++)
		rig_answer(&r, 0, 0);
	assert_state(2, DISK_DROPPED);
}

static void a_mirror_helps_an_unreadable_copy(void **state)
{
	(void)state;
	open_rig(2, 3, 3, 1);
	act("drop d3");
	rig_answer(&r, 0, -EIO);
	assert_int_equal(r.out[0]->lun, 1);
	assert_false(r.out[0]->write);
	for (int i = 0; i < 10 && r.n_out; i++)
		rig_answer(&r, 0, 0);
	assert_state(2, DISK_DROPPED);
}

/* The copy a read is out for moves meanwhile, and its old disk dies: it is good where it is now. */
static void a_read_overtaken_by_a_move(void **state)
{
	(void)state;
	open_rig(1, 3, 3, 1);
	struct io *read = rig_submit(&r, false, 2 * AU, 4096);
	act("drop d3");
	rig_answer(&r, 1, 0);
	rig_answer(&r, 1, 0);
	assert_state(2, DISK_DROPPED);
	assert_null(rig_answer(&r, 0, -EIO));
	assert_int_equal(r.out[0]->lun, 0);
	assert_ptr_equal(rig_answer(&r, 0, 0), read);
	assert_int_equal(read->result, 4096);
}

/* ---- figures ---- */

static void rate_is_that_of_the_last_seconds(void **state)
{
	(void)state;
	open_rig(1, 2, 400, 1);
	act("drop d2");
	for (int i = 0; i < 100; i++) { /* one in 0.2 s */
		r.base.now_ns += 200000000;
		rig_answer(&r, 0, 0);
		rig_answer(&r, 0, 0);
	}
	assert_true(volume_rate(&r.volume) > 290 && volume_rate(&r.volume) < 310);
	for (int i = 0; i < 60; i++) { /* one in 0.5 s for 30 s */
		r.base.now_ns += 500000000;
		rig_answer(&r, 0, 0);
		rig_answer(&r, 0, 0);
	}
	assert_true(volume_rate(&r.volume) > 110 && volume_rate(&r.volume) < 130);
	volume_set_power(&r.volume, 0);
	assert_true(volume_rate(&r.volume) <= 0);
}

int main(void)
{
	enum { N = sizeof(plans) / sizeof(plans[0]) };
	const struct CMUnitTest rest[] = {
		cmocka_unit_test_teardown(states_of_disks, close_rig),
		cmocka_unit_test_teardown(a_hung_disk_is_left_alone_as_a_whole, close_rig),
		cmocka_unit_test_teardown(two_new_disks_share, close_rig),
		cmocka_unit_test_teardown(power_is_what_is_in_flight, close_rig),
		cmocka_unit_test_teardown(an_extent_that_moves, close_rig),
		cmocka_unit_test_teardown(the_source_is_lost, close_rig),
		cmocka_unit_test_teardown(the_target_is_lost, close_rig),
		cmocka_unit_test_teardown(an_unreadable_copy_stays, close_rig),
		cmocka_unit_test_teardown(a_mirror_helps_an_unreadable_copy, close_rig),
		cmocka_unit_test_teardown(a_read_overtaken_by_a_move, close_rig),
		cmocka_unit_test_teardown(rate_is_that_of_the_last_seconds, close_rig),
	};
	struct CMUnitTest tests[N + sizeof(rest) / sizeof(rest[0])];

	for (size_t i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){plans[i].name, plan_of_row, NULL, NULL, (void *)&plans[i]};
	memcpy(tests + N, rest, sizeof(rest));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
