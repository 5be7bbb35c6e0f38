/* Document 003: the two ratios over seeds, the table of all policies, and the mechanism switched off. The presets are the shipped ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/play.h"
#include "preset.h"

static double ratio(const struct played *p, uint32_t step, uint32_t base)
{
	return result_iops(p->r[step]) / result_iops(p->r[base]);
}

static void assert_within(const char *what, double value, double wanted, double share)
{
	if (!(fabs(value / wanted - 1) <= share))
		fail_msg("%s: %g is not within %g %% of %g", what, value, share * 100, wanted);
}

/* Each of ten seeds meets the preset's own expectations (1.28..1.33, 1.42..1.48, forwarded 0.50, 0.50, 0); the means are those of the trial. */
static void ratios_over_ten_seeds(void **state)
{
	struct spec *spec = play_load("equallogic", NULL);
	double best = 0, kit = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct played p;
		play(spec, seed, 0, &p);
		played_holds(spec, &p);
		best += ratio(&p, 1, 0) / 10;
		kit += ratio(&p, 2, 0) / 10;
		assert_true(p.r[2]->forwarded_share == 0);
		for (int i = 0; i < 3; i++)
			assert_int_equal(p.r[i]->path[0].requests + p.r[i]->path[1].requests, p.r[i]->requests);
		played_forget(&p);
	}
	spec_free(spec);
	assert_within("best practices", best, 1.304, 0.01);
	assert_within("HIT kit", kit, 1.455, 0.01);
}

/* IOPS of MODEL.md section 6, in the order of the preset's steps. */
static void every_policy_at_both_depths(void **state)
{
	static const double trial[] = { 10740, 13471, 13652, 13652, 13663, 10363, 14003, 14832, 14893, 14893, 15630, 14154 };
	enum { N = sizeof(trial) / sizeof(trial[0]),
	       SEEDS = 2 };
	struct spec *spec = play_load("equallogic-policies", NULL);
	double iops[N] = { 0 };

	(void)state;
	assert_int_equal(spec->n_steps, N);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct played p;
		play(spec, seed, 0, &p);
		played_holds(spec, &p);
		for (int i = 0; i < N; i++)
			iops[i] += result_iops(p.r[i]) / SEEDS;
		played_forget(&p);
	}
	for (int i = 0; i < N; i++)
		assert_within(spec->step[i].name, iops[i], trial[i], 0.03);
	assert_within("service-time at depth 32", iops[3] / iops[0], 1.269, 0.01);
	spec_free(spec);
}

/* What is forwarded costs nothing: then it does not matter who owns a page. */
static void no_forwarding(void **state)
{
	static const char *const free_ride[] = { "array.forward=0", NULL };
	double without = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct played p;
		play_with("equallogic", free_ride, seed, 20 * NS_PER_S, &p);
		assert_true(p.r[1]->forwarded_share > 0.49 && p.r[1]->forwarded_share < 0.51);
		without += ratio(&p, 2, 1) / 3;
		played_forget(&p);
	}
	assert_within("page-owner by round-robin", without, 1, 0.01);
}

/* One controller that reaches every disk: native multipath loses nothing. */
static void one_controller(void **state)
{
	struct spec *spec = play_load("equallogic-traditional", NULL);
	double owner = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct played p;
		play(spec, seed, 0, &p);
		played_holds(spec, &p);
		owner += ratio(&p, 2, 1) / 2;
		played_forget(&p);
	}
	spec_free(spec);
	assert_within("page-owner by round-robin", owner, 1, 0.01);
}

int main(void)
{
	static char mix[] = "equallogic-mix", loss[] = "path-loss";
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios_over_ten_seeds),
		cmocka_unit_test(every_policy_at_both_depths),
		cmocka_unit_test(no_forwarding),
		cmocka_unit_test(one_controller),
		{ mix, play_preset_holds, NULL, NULL, mix },
		{ loss, play_preset_holds, NULL, NULL, loss },
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
