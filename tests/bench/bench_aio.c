/* What a request costs through the whole of iodeck on real targets: bench_aio SECONDS DEPTH[xWORKERS] TARGET...
 * Prints CPU ns per request (user and system of the process), requests per second, IOPS x mean latency / depth, largest resident set in KiB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "engine.h"
#include "preset.h"
#include "target.h"

static double cpu_s(struct rusage *u)
{
	getrusage(RUSAGE_SELF, u);
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

static struct step_result result;

static void keep(void *data, const struct step_result *r)
{
	(void)data;
	result = *r;
}

static int measure(struct spec *spec, const struct target_set *set, int64_t length_ns, uint32_t depth, uint32_t workers, struct err *err)
{
	struct engine_options o = { .backend = "aio", .targets = set, .runtime_ns = length_ns, .interval_ns = NS_PER_S, .workers = workers,
				    .sink = { .step_end = keep }, .clock = clock_monotonic() };
	struct rusage u;
	struct engine *e = engine_new(spec, &o, err);
	double begin = cpu_s(&u);
	int code = e ? engine_run_until(e, length_ns * 2, err) : -1;
	double end = cpu_s(&u);
	const struct hist *h = &result.hist[METRIC_TOTAL];

	engine_free(e);
	if (code < 0 || !result.requests)
		return -1;
	printf("%.2f %.0f %.3f %ld\n", (end - begin) * 1e9 / (double)result.requests, result_iops(&result),
	       hist_sum_s(h) / ((double)result.length_ns / 1e9) / depth, u.ru_maxrss);
	return 0;
}

int main(int argc, char **argv)
{
	struct spec *spec = NULL;
	struct target_set *set = NULL;
	struct target_permit permit = { .write = false };
	struct err err = { "usage: bench_aio SECONDS DEPTH[xWORKERS] TARGET..." };
	char depth[64], *end = NULL;
	uint32_t in_flight = argc < 4 ? 0 : (uint32_t)strtoul(argv[2], &end, 10), workers = end && *end == 'x' ? (uint32_t)strtoul(end + 1, NULL, 10) : 1;
	int code = argc < 4 ? -1 : preset_load("tests/bench/aio.ini", &spec, &err);

	for (int i = 3; i < argc && code >= 0; i++) {
		snprintf(depth, sizeof(depth), "t%d", i);
		code = spec_add_target(spec, depth, argv[i], &err);
	}
	if (code >= 0) {
		snprintf(depth, sizeof(depth), "iodepth=%u", in_flight);
		code = spec_override(spec, depth, &err);
	}
	if (!code)
		code = target_open(spec, &permit, &set, &err);
	if (!code)
		code = measure(spec, set, (int64_t)(strtod(argv[1], NULL) * 1e9), in_flight, workers, &err);
	target_close(set);
	spec_free(spec);
	if (code)
		fprintf(stderr, "bench_aio: %s\n", err.text);
	return code ? 1 : 0;
}
