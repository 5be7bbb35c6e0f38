/* The plan of a rebalance as a whole: who gives, what a new disk gets. (Move by move: test_rebalance.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "stack/rig.h"

enum { AU = 65536, EXTENTS = 2400 };

static struct rig r;

/* Planned moves by the copy they take, and by the disk they take it from. */
struct tally {
	uint32_t kind[VOLUME_MAX_COPIES], given[VOLUME_MAX_DISKS];
};

static struct tally plan_add(uint32_t copies, uint32_t disks)
{
	struct volume_params p = {.copies = copies, .disks = disks, .au_bytes = AU, .size_bytes = (uint64_t)EXTENTS * AU};
	struct tally t = {.kind = {0}};

	rig_open(&r, &p, 100, 1); /* power 0: planned, not moved */
	assert_int_equal(volume_add(&r.volume, disks, NULL), 0);
	for (uint32_t i = 0; i < r.volume.rebalance.n_plan; i++) {
		const struct move *m = &r.volume.rebalance.plan[i];
		t.kind[m->copy]++;
		t.given[r.volume.extent[m->extent].copy[m->copy].disk]++;
	}
	return t;
}

/* Every (D+1)-th copy may always be the same one of its extent: with two copies and an odd number of disks a new disk got nothing but mirrors,
 * and nobody read from it. */
static void a_new_disk_gets_every_kind_of_copy(void **state)
{
	(void)state;
	for (uint32_t copies = 2; copies <= 3; copies++)
		for (uint32_t disks = copies; disks <= 12; disks++) {
			struct tally t = plan_add(copies, disks);
			uint32_t n = r.volume.rebalance.n_plan, low = EXTENTS, high = 0;
			assert_in_range(n, EXTENTS * copies / (disks + 1) - 1, EXTENTS * copies / (disks + 1) + 1);
			for (uint32_t c = 0; c < copies; c++)
				if (abs((int)t.kind[c] - (int)(n / copies)) > (int)disks + 2)
					fail_msg("%u copies, %u disks: %u of %u moves are of copy %u", copies, disks, t.kind[c], n, c);
			for (uint32_t d = 0; d < disks; d++) {
				low = t.given[d] < low ? t.given[d] : low;
				high = t.given[d] > high ? t.given[d] : high;
			}
			if (high - low > n / disks / 10 + 1)
				fail_msg("%u copies, %u disks: one gives %u, another %u", copies, disks, low, high);
			rig_close(&r);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_disk_gets_every_kind_of_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
