/* What the host side costs per request when nobody answers (T2): user and system time of this thread per completed request, in ns, of one
 * run of a few seconds. Argument: seconds (default 2). Prints one number. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "engine.h"
#include "preset.h"

static double cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_THREAD, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* ns per request, or negative with err. */
static double measure(const struct spec *spec, int64_t length_ns, struct err *err)
{
	struct engine_options o = { .backend = "null", .hold = true, .clock = clock_monotonic() };
	struct snapshot *s = calloc(1, sizeof(*s));
	struct engine *e = s ? engine_new(spec, &o, err) : NULL;
	double ns = -1;

	if (e) {
		double begin = cpu_s();

		if (engine_run_until(e, length_ns, err) > 0) {
			engine_snapshot(e, s);
			ns = (cpu_s() - begin) * 1e9 / (double)s->requests;
		}
	}
	engine_free(e);
	free(s);
	return ns;
}

int main(int argc, char **argv)
{
	int64_t length_ns = (argc > 1 ? strtoll(argv[1], NULL, 10) : 2) * NS_PER_S;
	struct spec *spec = NULL;
	struct err err = { "out of memory" };
	double ns = preset_load("tests/bench/null.ini", &spec, &err) ? -1 : measure(spec, length_ns, &err);

	spec_free(spec);
	if (ns < 0) {
		fprintf(stderr, "bench_null: %s\n", err.text);
		return 1;
	}
	printf("%.2f\n", ns);
	return 0;
}
