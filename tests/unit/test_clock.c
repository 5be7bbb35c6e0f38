/* The two clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "base/clock.h"

static int64_t kernel_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void monotonic_is_the_kernels(void **state)
{
	struct clock c = clock_monotonic();

	(void)state;
	for (int i = 0; i < 1000; i++) {
		int64_t before = kernel_ns();
		int64_t now = clock_now(&c);

		assert_true(before <= now && now <= kernel_ns());
	}
}

static void manual_moves_only_by_hand(void **state)
{
	int64_t ns = 5;
	struct clock c = clock_manual(&ns);

	(void)state;
	assert_true(clock_now(&c) == 5);
	assert_true(clock_now(&c) == 5);
	ns = NS_PER_S * 200 * 365 * 24 * 3600;
	assert_true(clock_now(&c) == ns);
	ns = -1;
	assert_true(clock_now(&c) == -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(monotonic_is_the_kernels),
		cmocka_unit_test(manual_moves_only_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
