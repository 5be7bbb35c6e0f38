/* Latch: the newest value, once fresh, stable while the writer goes on. Two threads:
 * tests/stress/stress_latch.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/latch.h"
#include "base/rng.h"

static void publish(struct latch *l, int value)
{
	*(int *)latch_begin(l) = value;
	latch_publish(l);
}

static void assert_reads(struct latch *l, int value, bool is_fresh)
{
	bool fresh = !is_fresh;

	assert_int_equal(*(const int *)latch_read(l, &fresh), value);
	assert_true(fresh == is_fresh);
}

static void starts_as_zero_and_stale(void **state)
{
	struct {
		char bytes[100];
	} zero = { { 0 } };
	struct latch l;
	bool fresh = true;

	(void)state;
	assert_int_equal(latch_init(&l, sizeof(zero)), 0);
	assert_memory_equal(latch_read(&l, &fresh), &zero, sizeof(zero));
	assert_false(fresh);
	for (int i = 0; i < 3; i++) { /* every slot */
		assert_memory_equal(latch_begin(&l), &zero, sizeof(zero));
		latch_publish(&l);
	}
	latch_release(&l);
}

static void newest_value_once_fresh(void **state)
{
	struct latch l;

	(void)state;
	assert_int_equal(latch_init(&l, sizeof(int)), 0);
	publish(&l, 1);
	assert_reads(&l, 1, true);
	assert_reads(&l, 1, false);
	publish(&l, 2);
	publish(&l, 3);
	publish(&l, 4);
	assert_reads(&l, 4, true);
	assert_reads(&l, 4, false);
	publish(&l, 5);
	assert_int_equal(*(const int *)latch_read(&l, NULL), 5);
	assert_reads(&l, 5, false);
	latch_release(&l);
}

static void what_the_reader_holds_stands_still(void **state)
{
	const int *held;
	struct latch l;

	(void)state;
	assert_int_equal(latch_init(&l, sizeof(int)), 0);
	publish(&l, 1);
	held = latch_read(&l, NULL);
	for (int i = 2; i < 20; i++) {
		*(int *)latch_begin(&l) = i;
		assert_int_equal(*held, 1);
		latch_publish(&l);
		assert_int_equal(*held, 1);
	}
	assert_reads(&l, 19, true);
	latch_release(&l);
}

/* A value half written is not seen. */
static void unpublished_is_invisible(void **state)
{
	struct latch l;

	(void)state;
	assert_int_equal(latch_init(&l, sizeof(int)), 0);
	publish(&l, 1);
	*(int *)latch_begin(&l) = 2;
	assert_reads(&l, 1, true);
	assert_reads(&l, 1, false);
	latch_publish(&l);
	assert_reads(&l, 2, true);
	latch_release(&l);
}

/* Any order of the two sides' calls against the plain description. */
static void any_order_of_calls(void **state)
{
	int newest = 0, seen = 0;
	struct latch l;
	struct rng r;

	(void)state;
	rng_init(&r, 1, 1);
	assert_int_equal(latch_init(&l, sizeof(int)), 0);
	for (int i = 1; i < 10000; i++) {
		if (rng_below(&r, 2)) {
			publish(&l, newest = i);
		} else {
			assert_reads(&l, newest, newest != seen);
			seen = newest;
		}
	}
	latch_release(&l);
}

static void slots_are_apart_and_aligned(void **state)
{
	struct latch l;

	(void)state;
	for (size_t size = 1; size < 200; size += 13) {
		assert_int_equal(latch_init(&l, size), 0);
		for (int i = 0; i < 10; i++) {
			unsigned char *back = latch_begin(&l);
			const unsigned char *front;

			assert_true((uintptr_t)back % 64 == 0);
			memset(back, i, size);
			latch_publish(&l);
			front = latch_read(&l, NULL);
			for (size_t k = 0; k < size; k++)
				assert_int_equal(front[k], i);
		}
		latch_release(&l);
	}
	assert_int_equal(latch_init(&l, SIZE_MAX), -ENOMEM);
	assert_int_equal(latch_init(&l, SIZE_MAX / 3), -ENOMEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_as_zero_and_stale),
		cmocka_unit_test(newest_value_once_fresh),
		cmocka_unit_test(what_the_reader_holds_stands_still),
		cmocka_unit_test(unpublished_is_invisible),
		cmocka_unit_test(any_order_of_calls),
		cmocka_unit_test(slots_are_apart_and_aligned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
