/* Ring: order, full, empty, counters that wrap. Two threads: tests/stress/stress_ring.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/ring.h"

static void sizes(void **state)
{
	static const struct {
		uint32_t asked, n_slots;
	} rows[] = { { 1, 1 }, { 2, 2 }, { 3, 4 }, { 64, 64 }, { 65, 128 } };
	struct ring r;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(ring_init(&r, rows[i].asked, 8), 0);
		assert_int_equal(r.n_slots, rows[i].n_slots);
		ring_release(&r);
	}
	assert_int_equal(ring_init(&r, 0, 8), -EINVAL);
	assert_int_equal(ring_init(&r, 4, 0), -EINVAL);
	assert_int_equal(ring_init(&r, UINT32_MAX, 8), -EINVAL);
	assert_int_equal(ring_init(&r, 4, SIZE_MAX / 2), -ENOMEM);
}

/* Fill it, see that nothing more goes in and nothing is changed by trying, take all out again in
 * order. */
static void fill_and_drain(struct ring *r, unsigned n)
{
	unsigned value;

	for (unsigned i = 0; i < n; i++)
		assert_true(ring_push(r, &i));
	value = 9999;
	assert_false(ring_push(r, &value));
	for (unsigned i = 0; i < n; i++) {
		assert_true(ring_pop(r, &value));
		assert_int_equal(value, i);
	}
	value = 7777;
	assert_false(ring_pop(r, &value));
	assert_int_equal(value, 7777);
}

static void full_and_empty(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 16; n *= 2) {
		struct ring r;

		assert_int_equal(ring_init(&r, n, sizeof(unsigned)), 0);
		fill_and_drain(&r, n);
		fill_and_drain(&r, n);
		ring_release(&r);
	}
}

static void counters_wrap(void **state)
{
	struct ring r;

	(void)state;
	for (uint32_t before = 0; before < 9; before++) {
		assert_int_equal(ring_init(&r, 4, sizeof(unsigned)), 0);
		atomic_store(&r.head, -before);
		atomic_store(&r.tail, -before);
		for (int i = 0; i < 4; i++)
			fill_and_drain(&r, 4);
		ring_release(&r);
	}
}

static void items_of_odd_size_are_copied_whole(void **state)
{
	char in[3][7] = { "first.", "second", "third!" }, out[8] = "";
	struct ring r;

	(void)state;
	assert_int_equal(ring_init(&r, 3, 7), 0);
	for (int i = 0; i < 3; i++)
		assert_true(ring_push(&r, in[i]));
	memset(in[0], 'x', 7); /* the ring has its own copy */
	assert_true(ring_pop(&r, out));
	assert_string_equal(out, "first.");
	assert_true(ring_pop(&r, out));
	assert_string_equal(out, "second");
	assert_true(ring_pop(&r, out));
	assert_string_equal(out, "third!");
	ring_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(full_and_empty),
		cmocka_unit_test(counters_wrap),
		cmocka_unit_test(items_of_odd_size_are_copied_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
