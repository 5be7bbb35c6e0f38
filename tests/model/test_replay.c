/* Same preset, seed and knob log: the same result to the last bit, however time was cut into pieces on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/lab.h"
#include "preset.h"

/* Knobs turned at these engine times; step 1 begins in between. */
static const struct turn {
	int64_t t_ns;
	enum knob_id id;
	int64_t value;
} hyperpav_log[] = {{1700 * NS_PER_MS, KNOB_ALIASES, 13},    {3 * NS_PER_S + 17, KNOB_JOBS, 60},  {5 * NS_PER_S, KNOB_THINK, 3 * NS_PER_MS},
		    {7777 * NS_PER_MS, KNOB_ALIASES, 80},    {11 * NS_PER_S + 1, KNOB_MIX, 70},   {11 * NS_PER_S + 2, KNOB_BS, 16384},
		    {13 * NS_PER_S, KNOB_RATE, 9000},	     {14 * NS_PER_S, KNOB_RATE, 0}},
  ds5100_log[] = {{100 * NS_PER_MS, KNOB_QD, 3}, {1 * NS_PER_S, KNOB_QD, 10}, {1 * NS_PER_S + 5, KNOB_JOBS, 20}, {2 * NS_PER_S, KNOB_QD, 64}};

struct outcome {
	struct step_result *r;
	uint32_t n;
};

static void keep(void *data, const struct step_result *r)
{
	struct outcome *o = data;

	if (o->n < 4)
		o->r[o->n++] = *r;
}

/* How the caller cuts time: in one piece, in even ones, or in random ones as a loop paced by a wall clock does. */
static int64_t next_cut(int64_t now, int64_t limit, int64_t piece_ns, struct rng *r)
{
	int64_t ns = piece_ns > 0 ? piece_ns : (int64_t)rng_below(r, 3 * NS_PER_MS) + 1;

	return piece_ns == INT64_MAX || now + ns > limit ? limit : now + ns;
}

static void run(const char *preset, const struct turn *log, size_t n_log, int64_t piece_ns, struct outcome *out)
{
	struct spec *spec;
	struct err err;
	struct rng r;
	struct engine_options o = {.backend = "model", .runtime_ns = 9 * NS_PER_S, .interval_ns = 300 * NS_PER_MS, .clock = clock_monotonic(),
				   .sink = {NULL, keep, out}};

	rng_init(&r, 77, 1);
	out->n = 0;
	out->r = calloc(4, sizeof(*out->r));
	if (preset_load(preset, &spec, &err) < 0)
		fail_msg("%s", err.text);
	struct engine *e = engine_new(spec, &o, &err);
	for (size_t i = 0; i <= n_log; i++) {
		int64_t until = i < n_log ? log[i].t_ns : 19 * NS_PER_S;
		while (engine_now(e) < until && engine_run_until(e, next_cut(engine_now(e), until, piece_ns, &r), &err) > 0)
			;
		if (i < n_log)
			lab_turn(e, log[i].id, log[i].value);
	}
	engine_stop(e, END_SIGNAL);
	engine_free(e);
	spec_free(spec);
}

static void same(const char *preset, const struct turn *log, size_t n_log)
{
	static const int64_t pieces[] = {100 * NS_PER_MS, 7 * NS_PER_MS + 13, 0};
	struct outcome free_running, paced;

	run(preset, log, n_log, INT64_MAX, &free_running);
	assert_true(free_running.n >= 2);
	assert_true(free_running.r[1].requests > 1000);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		run(preset, log, n_log, pieces[i], &paced);
		assert_int_equal(paced.n, free_running.n);
		for (uint32_t k = 0; k < paced.n; k++)
			assert_memory_equal(&paced.r[k], &free_running.r[k], sizeof(paced.r[k]));
		free(paced.r);
	}
	/* and a knob that was turned a nanosecond later is another run */
	struct turn later[16];
	memcpy(later, log, n_log * sizeof(*log));
	later[0].t_ns += 20 * NS_PER_US;
	run(preset, later, n_log, INT64_MAX, &paced);
	assert_memory_not_equal(&paced.r[0], &free_running.r[0], sizeof(paced.r[0]));
	free(paced.r);
	free(free_running.r);
}

static void hyperpav(void **state)
{
	(void)state;
	same("presets/hyperpav.ini", hyperpav_log, sizeof(hyperpav_log) / sizeof(hyperpav_log[0]));
}

static void ds5100(void **state)
{
	(void)state;
	same("presets/ds5100.ini", ds5100_log, sizeof(ds5100_log) / sizeof(ds5100_log[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(hyperpav), cmocka_unit_test(ds5100)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
