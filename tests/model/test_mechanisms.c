/* Each mechanism of documents 000 and 001 switched off: the effect it explains must go. The presets are the shipped ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/play.h"
#include "preset.h"

static double share(const struct step_result *r, enum metric m, int first, int last)
{
	uint64_t log2[HIST_LOG2_ROWS], n = 0;

	hist_log2(&r->hist[m], log2);
	for (int i = first; i <= last; i++)
		n += log2[i];
	return (double)n / (double)r->hist[m].n;
}

/* Largest difference of any row's share: the shape of two histograms. */
static double shape_distance(const struct step_result *a, const struct step_result *b, enum metric m)
{
	double most = 0;

	for (int i = 0; i < HIST_LOG2_ROWS; i++)
		most = fmax(most, fabs(share(a, m, i, i) - share(b, m, i, i)));
	return most;
}

/* ---- document 001 ---- */

static void no_wake_up(void **state)
{
	static const char *const set[] = {"array.wake=0", NULL};
	struct played p;

	(void)state;
	play_with("ds5100", NULL, 1, 0, &p);
	double with = result_iops(p.r[1]) / result_iops(p.r[0]);
	played_forget(&p);
	play_with("ds5100", set, 1, 0, &p);
	double without = result_iops(p.r[1]) / result_iops(p.r[0]);
	played_forget(&p);
	assert_true(with > 16.2 && with < 16.6);
	assert_true(without < 7 && without > 6); /* trial 6.5 */
}

/* The link's hard limit makes depth 10 steadier than depth 1. */
static void spread_over_seeds(void **state)
{
	double low[2] = {1e9, 1e9}, high[2] = {0, 0};

	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct played p;
		play_with("ds5100", NULL, seed, 0, &p);
		for (int i = 0; i < 2; i++) {
			double x = result_bytes_per_s(p.r[i]) / 1024;
			low[i] = fmin(low[i], x);
			high[i] = fmax(high[i], x);
		}
		assert_true(p.r[0]->elapsed_s > 20.9 && p.r[0]->elapsed_s < 21.5);
		assert_true(p.r[1]->elapsed_s > 1.28 && p.r[1]->elapsed_s < 1.30);
		played_forget(&p);
	}
	assert_true(low[0] > 11900 && high[0] < 12250);
	assert_true(low[1] > 197500 && high[1] < 199000);
	assert_true((high[1] - low[1]) / low[1] < (high[0] - low[0]) / low[0]);
}

/* ---- document 000 ---- */

enum { NO_ALIAS, ALIASES_10, ALIASES_20, ALIASES_40, ALIASES_80 };
#define SHORT (20 * NS_PER_S)

static void no_pressure(void **state)
{
	static const char *const set[] = {"array.kappa=0", NULL};
	struct played p;

	(void)state;
	play_with("hyperpav", set, 1, 60 * NS_PER_S, &p);
	double at_80 = result_transactions_per_s(p.r[ALIASES_80]) / result_transactions_per_s(p.r[ALIASES_20]);
	played_forget(&p);
	assert_true(fabs(at_80 - 1) < 0.006);
	play_with("hyperpav", NULL, 1, 60 * NS_PER_S, &p);
	at_80 = result_transactions_per_s(p.r[ALIASES_80]) / result_transactions_per_s(p.r[ALIASES_20]);
	played_forget(&p);
	assert_true(at_80 < 0.968);
}

static void no_bursts(void **state)
{
	static const char *const set[] = {"dbwr.jobs=0", NULL};
	struct played p;

	(void)state;
	play_with("hyperpav", set, 1, 60 * NS_PER_S, &p);
	for (int i = ALIASES_10; i <= ALIASES_80; i++)
		assert_true(shape_distance(p.r[NO_ALIAS], p.r[i], METRIC_DEVICE) < 0.005);
	played_forget(&p);
	play_with("hyperpav", NULL, 1, SHORT, &p);
	assert_true(shape_distance(p.r[NO_ALIAS], p.r[ALIASES_40], METRIC_DEVICE) > 0.1);
	played_forget(&p);
}

static void no_driver_queue(void **state)
{
	static const char *const set[] = {"host.chanq=1000000", NULL};
	struct played p;
	uint64_t log2[HIST_LOG2_ROWS];

	(void)state;
	play_with("hyperpav", set, 1, SHORT, &p);
	double peak = share(p.r[NO_ALIAS], METRIC_TOTAL, 9, 9);
	hist_log2(&p.r[NO_ALIAS]->hist[METRIC_TOTAL], log2);
	uint64_t most = 0;
	for (int i = 0; i < HIST_LOG2_ROWS; i++)
		most = log2[i] > most ? log2[i] : most;
	assert_true(peak < 0.15);
	assert_true(log2[9] < most);
	played_forget(&p);
}

/* Sanitizers look for other mistakes and make this ten times slower: a few seeds do for them. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { FURTHER_SEEDS = 1 };
#else
enum { FURTHER_SEEDS = 20 };
#endif

/* Every bound of the preset, over seeds 1..8 and more drawn now: the bounds must not hang on the preset's own seed. A seed that fails is named. */
static void bounds_over_seeds(void **state)
{
	struct rng draw;
	double gain = 0;
	struct spec *spec = play_load("hyperpav", NULL);

	(void)state;
	struct clock clock = clock_monotonic();
	rng_init(&draw, (uint64_t)clock_now(&clock), 1);
	for (int i = 1; i <= 8 + FURTHER_SEEDS; i++) {
		uint64_t seed = i <= 8 ? (uint64_t)i : rng_next(&draw) >> 16;
		struct played p;
		play(spec, seed, 0, &p);
		if (i <= 8)
			gain += result_transactions_per_s(p.r[ALIASES_20]) / result_transactions_per_s(p.r[NO_ALIAS]) / 8;
		played_holds(spec, &p);
		played_forget(&p);
	}
	spec_free(spec);
	assert_true(gain > 1.40);
}

int main(void)
{
	static const char *const presets[] = {"quickstart", "ds5100", "ds5100-reboot", "hyperpav-demand", "hyperpav-shared", "pav-skew"};
	enum { N = sizeof(presets) / sizeof(presets[0]) };
	struct CMUnitTest tests[6 + N] = {
		cmocka_unit_test(no_wake_up),	   cmocka_unit_test(spread_over_seeds), cmocka_unit_test(no_pressure),
		cmocka_unit_test(no_bursts),	   cmocka_unit_test(no_driver_queue),	cmocka_unit_test(bounds_over_seeds),
	};

	for (int i = 0; i < N; i++)
		tests[6 + i] = (struct CMUnitTest){presets[i], play_preset_holds, NULL, NULL, (void *)presets[i]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
