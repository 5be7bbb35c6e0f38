/* How many requests the array model answers per second of processor time, on one core, with all events and histograms (T10).
 * Argument: a preset file. Prints the median of the runs and their quartiles for the HyperPAV preset at 20 aliases and for a bare closed
 * loop of 128 requests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base_bench.h"
#include "engine.h"
#include "preset.h"

enum { WARM_S = 1 };

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t requests(struct engine *e, struct snapshot *s)
{
	engine_snapshot(e, s);
	return s->requests;
}

/* Million requests per CPU second over `seconds` of engine time; negative on an error, which is printed. */
static double measure(const struct spec *spec, uint32_t step, int seconds, struct snapshot *s)
{
	struct engine_options o = { .backend = "model", .hold = true, .first_step = step, .clock = clock_monotonic() };
	struct err err = { "" };
	struct engine *e = engine_new(spec, &o, &err);
	double rate = -1;

	if (e && engine_run_until(e, (spec->warmup_ns + WARM_S * NS_PER_S), &err) > 0) {
		uint64_t before = requests(e, s);
		double begin = cpu_s();

		if (engine_run_until(e, engine_now(e) + seconds * NS_PER_S, &err) > 0)
			rate = (double)(requests(e, s) - before) / (cpu_s() - begin) / 1e6;
	}
	if (rate < 0)
		fprintf(stderr, "bench_sim: %s\n", err.text);
	engine_free(e);
	return rate;
}

static int bench_spec(const char *what, const struct spec *spec, uint32_t step, int seconds, double target)
{
	static struct snapshot s;
	double rate[BENCH_RUNS];

	for (int i = 0; i < BENCH_RUNS; i++) {
		rate[i] = measure(spec, step, seconds, &s);
		if (rate[i] < 0)
			return 1;
	}
	qsort(rate, BENCH_RUNS, sizeof(rate[0]), bench_by_value);
	char unit[64];
	snprintf(unit, sizeof(unit), "[%.2f, %.2f] M I/O per CPU s", rate[BENCH_RUNS / 4], rate[BENCH_RUNS - 1 - BENCH_RUNS / 4]);
	bench_judge(what, rate[BENCH_RUNS / 2], unit, true, target);
	return 0;
}

/* One preset file; the step by name, or the first. */
static int bench_file(const char *what, const char *path, const char *step_name, int seconds, double target)
{
	struct spec *spec = NULL;
	struct err err;
	int step = 0, code = 1;

	if (!preset_load(path, &spec, &err) && (!step_name || (step = spec_find_step(spec, step_name, &err)) >= 0))
		code = bench_spec(what, spec, (uint32_t)step, seconds, target);
	else
		fprintf(stderr, "bench_sim: %s\n", err.text);
	spec_free(spec);
	return code;
}

int main(void)
{
	int code = bench_file("T10 HyperPAV preset at 20 aliases", "presets/hyperpav.ini", "aliases 20", 20, 4);

	return bench_file("T10 bare closed loop, 128 in flight", "tests/bench/closed-loop.ini", NULL, 20, 8) | code;
}
