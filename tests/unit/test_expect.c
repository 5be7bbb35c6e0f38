/* Expectations: what is read, what is refused, and how each kind is judged on made-up results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "expect_figure.h"

static struct step steps[] = { { .name = "one" }, { .name = "two two" }, { .name = "three" } };
enum { N_STEPS = sizeof(steps) / sizeof(steps[0]) };
static const struct spec spec = { .step = steps, .n_steps = N_STEPS };

/* ---- refused ---- */

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "unknown metric ''..." },
	{ "iop >= 1", "unknown metric 'iop' (nearest: iops)" },
	{ "IOPS >= 1", "unknown metric 'IOPS' (nearest: iops)" },
	{ "'iops' >= 1", "unknown metric 'iops'..." },
	{ "state is HUNG", "unknown state 'HUNG'..." },
	{ "state >= 1", ">= does not fit here: state goes with is..." },
	{ "state vs 'one' is RUN", "a bucket, a shape or a state has no ratio: drop vs" },
	{ "iops above state", "a bucket, a shape or a state has no size to compare with" },
	{ "iops", "the end does not fit here: a figure goes with between, >=, <=, above, below" },
	{ "iops 5", "5 does not fit here..." },
	{ "iops is fast", "is does not fit here..." },
	{ "iops in 0us..3us", "in does not fit here..." },
	{ "iops > 5", "> does not fit here..." },
	{ "iops >= five", "'five' is not a number..." },
	{ "iops >= 1e3", "'1e3' has something behind the number" },
	{ "iops >= -1", "'-1' is not a number..." },
	{ "iops >= 5ms", "'5ms' has something behind the number" },
	{ "iops >=", "a number is missing at the end" },
	{ "iops >= 1 2", "'2' is too much: the line is complete before it" },
	{ "iops >= 1 vs 'one'", "'vs' is too much..." },
	{ "iops between 1 2", "'and' must come where 2 stands" },
	{ "iops between 1 and", "a number is missing at the end" },
	{ "iops between 2 and 1", "the first bound is above the second: it could never hold" },
	{ "iops vs one >= 1", "a step in quotes must come where one stands: 'NAME'" },
	{ "iops vs 'four' >= 1", "unknown step 'four'..." },
	{ "iops vs 'twotwo' >= 1", "unknown step 'twotwo' (nearest: two two)" },
	{ "iops vs 'One' >= 1", "unknown step 'One' (nearest: one)" },
	{ "iops vs 'one >= 1", "the quote ' is not closed" },
	{ "iops at max >= 1", "a step in quotes must come where max stands..." },
	{ "iops vs 'one' at 'one' >= 1", "at does not fit here..." },
	{ "iops above 5", "above and below take a step or a metric: for a number write >= or <=" },
	{ "iops above", "unknown metric ''..." },
	{ "iops above 'four'", "unknown step 'four'..." },
	{ "iops above elapsed", "the two sides have different units" },
	{ "total.p50 above elapsed", "the two sides have different units" },
	{ "iops above largest total", "a bucket, a shape or a state has no size to compare with" },
	{ "elapsed >= 5", "'5' has no unit (ns us ms s m h d)" },
	{ "elapsed between 1s and 2", "'2' has no unit..." },
	{ "total.p99 <= 5", "'5' has no unit..." },
	{ "total.p98 <= 5ms", "unknown metric 'total.p98' (nearest: total.p9..." },
	{ "elapsed vs 'one' >= 5s", "'5s' has something behind the number" },
	{ "gap >= 200ms", "'200ms' has something behind the number" },
	{ "total >= 5ms", ">= does not fit here: a clock goes with same shape as 'STEP' within X..." },
	{ "share total >= 1", "a range such as 1024us..2047us must come where >= stands" },
	{ "share disk 0us..3us >= 1", "unknown clock 'disk'..." },
	{ "share total 0us..512us >= 1", "'512us' lies inside a bucket..." },
	{ "share total 1us..3us >= 1", "'1us' lies inside a bucket..." },
	{ "share total 2us..3us >= 1", "'2us' lies inside a bucket..." },
	{ "share total 1ms..2ms >= 1", "'1ms' lies inside a bucket..." },
	{ "share total 500ns..3us >= 1", "'500ns' lies inside a bucket..." },
	{ "share total 1024us..511us >= 1", "the range 1024us..511us runs backwards" },
	{ "share total 1024..2047 >= 1", "'1024' has no unit..." },
	{ "largest total in 0us", "a range such as..." },
	{ "largest total >= 5ms", ">= does not fit here: largest goes with in A..B" },
	{ "largest total vs 'one' in 0us..3us", "a bucket, a shape or a state has no ratio: drop vs" },
	{ "device same", "'shape' must come where the end stands" },
	{ "device same shape", "'as' must come where the end stands" },
	{ "device same shape as one within 1", "a step in quotes must come where one stands..." },
	{ "device same shape as 'one'", "'within' must come where the end stands" },
	{ "device same shape as 'one' within", "a number is missing at the end" },
	{ "device.p50 same shape as 'one' within 0.1", "same does not fit here..." },
};

static bool text_is(const char *text, const char *expected)
{
	size_t n = strlen(expected);
	bool open = n >= 3 && !strcmp(expected + n - 3, "...");

	return open ? !strncmp(text, expected, n - 3) : !strcmp(text, expected);
}

static void bad_lines_say_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { "" };
		struct expect e;
		int ret = expect_parse(&spec, 0, bad[i].text, &e, &err);

		if (ret != -EINVAL || !text_is(err.text, bad[i].why))
			fail_msg("%s: %d '%s'", bad[i].text, ret, err.text);
	}
}

/* Whatever is cut off or said twice, nothing crashes. */
static void pieces_of_lines(void **state)
{
	static const char whole[] = "share total 256us..511us at 'two two' vs max above iops vs 'one'";
	char text[2 * sizeof(whole)];
	struct expect e;

	(void)state;
	for (size_t from = 0; from < sizeof(whole); from++)
		for (size_t n = 0; from + n < sizeof(whole); n++) {
			memcpy(text, whole + from, n);
			text[n] = '\0';
			expect_parse(&spec, 0, text, &e, NULL);
		}
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(expect_parse(&spec, 0, text, &e, NULL), -EINVAL);
}

/* ---- judged ---- */

static struct step_result *result[N_STEPS];
static const struct step_result *results[N_STEPS];

/* n requests of so many microseconds on one clock. */
static void add(int step, enum metric metric, int64_t us, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		hist_record(&result[step]->hist[metric], us * 1000);
}

static struct step_result *new_result(uint32_t step)
{
	struct step_result *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->step = step;
	r->length_ns = 2000000000;
	r->forwarded_share = r->gap_ms = (double)NAN;
	for (int i = 0; i < N_METRICS; i++)
		hist_init(&r->hist[i]);
	return r;
}

static int make_results(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < N_STEPS; i++)
		results[i] = result[i] = new_result(i);
	result[0]->requests = 2000;
	result[1]->requests = 3000;
	result[2]->requests = 2900;
	result[0]->bytes = 1 << 20;
	result[0]->elapsed_s = 21.2;
	result[1]->elapsed_s = 1.29;
	result[0]->has_cpu = true;
	result[0]->cpu_sys_s = 13.31;
	result[0]->gap_ms = 205;
	result[0]->forwarded_share = 0;
	result[0]->rebalance = (struct rebalance_view){ .has_volume = true, .state = "RUN", .relocations = 710 };
	result[0]->has_transactions = true;
	result[0]->transactions = 500;
	add(0, METRIC_TOTAL, 300, 16);
	add(0, METRIC_TOTAL, 700, 20);
	add(0, METRIC_TOTAL, 1500, 46);
	add(0, METRIC_TOTAL, 3000, 18);
	add(1, METRIC_TOTAL, 300, 40);
	add(1, METRIC_TOTAL, 700, 15);
	add(1, METRIC_TOTAL, 1500, 45);
	add(0, METRIC_DEVICE, 300, 50);
	add(0, METRIC_DEVICE, 600, 50);
	add(1, METRIC_DEVICE, 300, 102);
	add(1, METRIC_DEVICE, 600, 98);
	return 0;
}

static int free_results(void **state)
{
	(void)state;
	for (int i = 0; i < N_STEPS; i++)
		free(result[i]);
	return 0;
}

/* Judged as standing in step 0 ("one"). */
static const struct {
	const char *text;
	double value; /* NAN: cannot be told */
	bool pass;
} good[] = {
	{ "iops between 999 and 1001", 1000, true },
	{ "iops between 1000 and 1000", 1000, true },
	{ "iops >= 1000", 1000, true },
	{ "iops >= 1000.5", 1000, false },
	{ "iops <= 1000", 1000, true },
	{ "iops <= 999", 1000, false },
	{ "  iops   at 'two two'\t>=  1500 ", 1500, true },
	{ "iops vs 'two two' between 0.66 and 0.67", 2.0 / 3, true },
	{ "iops at 'three' vs 'two two' <= 0.97", 29.0 / 30, true },
	{ "iops vs max >= 1", 2.0 / 3, false },
	{ "iops at 'two two' vs max >= 1", 1, true },
	{ "iops below 'two two'", 1000, true },
	{ "iops above 'two two'", 1000, false },
	{ "iops above 'one'", 1000, false }, /* not above itself */
	{ "iops vs max below iops at 'three' vs max", 2.0 / 3, true },
	{ "iops vs max below 'three'", 2.0 / 3, true }, /* the same metric there: its vs as well */
	{ "bytes_per_s between 524288 and 524288", 524288, true },
	{ "transactions_per_s >= 250", 250, true },
	{ "transactions_per_s at 'two two' >= 0", (double)NAN, false },
	{ "elapsed between 20.9s and 21.5s", 21.2, true },
	{ "elapsed at 'two two' between 1280ms and 1300ms", 1.29, true },
	{ "elapsed vs 'two two' >= 16", 21.2 / 1.29, true },
	{ "cpu.sys between 13.3s and 13.4s", 13.31, true },
	{ "cpu.sys between 13.3 and 13.4", 13.31, true },
	{ "cpu.user <= 1s", 0, true },
	{ "cpu.sys at 'two two' >= 0", (double)NAN, false },
	{ "gap between 200 and 210", 205, true },
	{ "gap at 'two two' >= 0", (double)NAN, false },
	{ "forwarded <= 0", 0, true },
	{ "forwarded at 'two two' <= 1", (double)NAN, false },
	{ "errors between 0 and 0", 0, true },
	{ "errors vs 'two two' >= 0", (double)NAN, false }, /* 0 / 0 */
	{ "iops vs 'two two' above errors vs 'one'", 2.0 / 3, false },
	{ "total.mean between 1.4ms and 1.5ms", 1418, true },
	{ "total.max <= 3ms", 3000, true },
	{ "total.max <= 2999us", 3000, false },
	{ "total.p50 at 'two two' between 690us and 710us", 0, true },
	{ "wait.p99 <= 1h", (double)NAN, false },
	{ "share total 0us..511us between 0.16 and 0.16", 0.16, true },
	{ "share total 0..511us >= 0.17", 0.16, false },
	{ "share total 1024us..2047us >= 0.46", 0.46, true },
	{ "share total 1024us..2047us at 'two two' vs 'one' <= 0.98", 0.45 / 0.46, true },
	{ "share total 256us..511us below share total 512us..1023us", 0.16, true },
	{ "share total 0us..8589934591us >= 1", 1, true },
	{ "share response 0us..3us <= 1", (double)NAN, false },
	{ "largest total in 1024us..2047us", 1024, true },
	{ "largest total in 0us..1023us", 1024, false },
	{ "largest device in 256us..511us", 256, true }, /* of two equals the lower one */
	{ "largest device at 'two two' in 0us..511us", 256, true },
	{ "largest wait in 0us..3us", (double)NAN, false },
	{ "device same shape as 'two two' within 0.0101", 0.01, true },
	{ "device at 'two two' same shape as 'one' within 0.009", 0.01, false },
	{ "device same shape as 'three' within 1", (double)NAN, false },
	{ "relocations between 710 and 710", 710, true },
	{ "relocations at 'two two' >= 0", (double)NAN, false }, /* no volume there */
	{ "state is RUN", (double)NAN, true },
	{ "state is DONE", (double)NAN, false },
	{ "state at 'two two' is NONE", (double)NAN, false },
};

static void good_lines_are_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct err err = { "" };
		struct verdict v;
		struct expect e;

		if (expect_parse(&spec, 0, good[i].text, &e, &err))
			fail_msg("%s: %s", good[i].text, err.text);
		assert_string_equal(e.text, good[i].text);
		assert_true(expect_can_judge(&e, 0, results, N_STEPS));
		v = expect_judge(&e, 0, results, N_STEPS);
		if (v.pass != good[i].pass || isnan(v.value) != isnan(good[i].value))
			fail_msg("%s: %g", good[i].text, v.value);
		/* A percentile is known to 1/128; its value is not repeated above. */
		if (good[i].value > 0 && fabs(v.value / good[i].value - 1) > 1e-9)
			fail_msg("%s: %.12g", good[i].text, v.value);
	}
}

/* A line can only be judged when every step it leans on was run. */
static const struct {
	const char *text;
	bool needs[N_STEPS];
} needs[] = {
	{ "iops >= 1", { true, false, false } },
	{ "iops at 'three' >= 1", { false, false, true } },
	{ "iops vs 'three' >= 1", { true, false, true } },
	{ "iops vs max >= 1", { true, true, true } },
	{ "iops above 'two two'", { true, true, false } },
	{ "iops at 'three' above iops at 'two two' vs 'one'", { true, true, true } },
	{ "largest total at 'two two' in 0us..3us", { false, true, false } },
	{ "device same shape as 'three' within 1", { true, false, true } },
};

static void missing_steps_are_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		struct expect e;

		assert_int_equal(expect_parse(&spec, 0, needs[i].text, &e, NULL), 0);
		for (int missing = 0; missing < N_STEPS; missing++) {
			const struct step_result *some[N_STEPS] = { results[0], results[1], results[2] };

			some[missing] = NULL;
			assert_int_equal(expect_can_judge(&e, 0, some, N_STEPS), !needs[i].needs[missing]);
			if (needs[i].needs[missing] && !strstr(needs[i].text, "max"))
				assert_false(expect_judge(&e, 0, some, N_STEPS).pass);
		}
	}
}

/* The line stands in step 2: "here" is that step. */
static void the_own_step_is_the_default(void **state)
{
	struct expect e;

	(void)state;
	assert_int_equal(expect_parse(&spec, 2, "iops >= 1450", &e, NULL), 0);
	assert_true(expect_judge(&e, 2, results, N_STEPS).pass);
	assert_false(expect_judge(&e, 0, results, N_STEPS).pass);
}

static void every_figure_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < figure_count(); i++)
		for (uint32_t j = 0; j < i; j++)
			assert_string_not_equal(figure_name(i), figure_name(j));
	assert_int_equal(figure_count(), 10 + 6 * N_METRICS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_lines_say_why),
		cmocka_unit_test(pieces_of_lines),
		cmocka_unit_test(good_lines_are_judged),
		cmocka_unit_test(missing_steps_are_noticed),
		cmocka_unit_test(the_own_step_is_the_default),
		cmocka_unit_test(every_figure_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, make_results, free_results);
}
