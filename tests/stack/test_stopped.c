/* The process is stopped while real requests are out (SIGSTOP, a suspended machine): a clock that jumps. The figures stay right, and it is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "preset.h"
#include "target.h"

enum { FILE_BYTES = 1 << 20 };

static char folder[128];

/* Real time, and what was slept through. */
static int64_t slept_ns;

static int64_t jumping_now(void *data)
{
	struct clock real = clock_monotonic();

	(void)data;
	return clock_now(&real) + slept_ns;
}

/* What the sinks were given. */
struct heard {
	uint64_t requests, bytes;
	int64_t next_ns, length_ns;
	uint32_t n;
	struct step_result r;
};

static void hear_interval(void *data, const struct interval *i)
{
	struct heard *h = data;

	assert_true(i->length_ns > 0);
	if (h->n++)
		assert_int_equal(i->start_ns, h->next_ns); /* no gap, no overlap */
	h->next_ns = i->start_ns + i->length_ns;
	h->length_ns += i->length_ns;
	h->requests += i->requests;
	h->bytes += i->bytes;
}

static void hear_step(void *data, const struct step_result *r)
{
	((struct heard *)data)->r = *r;
}

static struct spec *load(const char *run)
{
	char path[160], file[160], block[4096];
	struct spec *spec;
	struct err err;

	snprintf(file, sizeof(file), "%s/data", folder);
	snprintf(path, sizeof(path), "%s/p.ini", folder);
	FILE *f = fopen(file, "w");
	memset(block, 'x', sizeof(block));
	for (int i = 0; f && i < FILE_BYTES / 4096; i++)
		assert_int_equal(fwrite(block, sizeof(block), 1, f), 1);
	assert_int_equal(fclose(f), 0);
	f = fopen(path, "w");
	fprintf(f, "# Stopped?\n[target]\na = %s\n[job a]\nrw = randread\nbs = 4k\niodepth = 8\n[step one]\nrun = %s\n", file, run);
	assert_int_equal(fclose(f), 0);
	if (preset_load(path, &spec, &err) < 0)
		fail_msg("%s", err.text);
	unlink(path);
	return spec;
}

/* A step of `run` in which the process sleeps for `sleep_ns` after 0.2 s. */
static void sleep_through(const char *run, int64_t sleep_ns, struct heard *h)
{
	struct target_permit permit = {.write = false};
	struct spec *spec = load(run);
	struct target_set *set;
	struct err err;
	char file[160];

	memset(h, 0, sizeof(*h));
	slept_ns = 0;
	if (target_open(spec, &permit, &set, &err) < 0)
		fail_msg("%s", err.text);
	struct engine_options o = {.backend = "aio",
				   .targets = set,
				   .interval_ns = NS_PER_S,
				   .sink = {hear_interval, hear_step, h},
				   .clock = {jumping_now, NULL}};
	struct engine *e = engine_new(spec, &o, &err);
	if (!e)
		fail_msg("%s", err.text);
	int more = engine_run_until(e, 200 * NS_PER_MS, &err);
	slept_ns = sleep_ns;
	while (more > 0)
		more = engine_run_until(e, engine_now(e) + 100 * NS_PER_MS, &err);
	assert_int_equal(more, 0);
	engine_free(e);
	target_close(set);
	spec_free(spec);
	snprintf(file, sizeof(file), "%s/data", folder);
	unlink(file);
}

static bool has_note(const struct step_result *r, const char *text)
{
	for (uint32_t i = 0; i < r->n_notes; i++)
		if (strstr(r->note[i], text))
			return true;
	return false;
}

static void assert_right(const struct heard *h)
{
	assert_int_equal(h->requests, h->r.requests);
	assert_int_equal(h->bytes, h->r.requests * 4096);
	assert_int_equal(h->length_ns, h->r.length_ns);
	assert_int_equal(h->r.errors, 0);
	assert_int_equal(h->r.short_transfers, 0);
	assert_int_equal(h->r.end, END_RUNTIME);
	assert_int_equal(h->r.hist[METRIC_TOTAL].n, h->r.requests);
}

static void ten_seconds(void **state)
{
	static struct heard h;

	(void)state;
	sleep_through("10500ms", 10 * NS_PER_S, &h);
	assert_right(&h);
	assert_true(h.r.length_ns >= 10500 * NS_PER_MS && h.r.length_ns < 15 * NS_PER_S);
	/* what was out came back while it slept, and nobody looked before: that long did it take */
	assert_true(h.r.hist[METRIC_TOTAL].max >= 10 * NS_PER_S);
	assert_true(has_note(&h.r, "an interval ended 10.0 s late: the process was stopped") || has_note(&h.r, "an interval ended 9.9 s late"));
	assert_true(h.r.gap_ms >= 10000);
}

/* The end of the step is slept through: it ends at once, and tells how long it was. */
static void over_the_end(void **state)
{
	static struct heard h;

	(void)state;
	sleep_through("1s", 3600 * NS_PER_S, &h);
	assert_right(&h);
	assert_true(h.r.length_ns >= 3600 * NS_PER_S && h.r.length_ns < 3610 * NS_PER_S);
	assert_true(has_note(&h.r, "an interval ended 3600.0 s late") || has_note(&h.r, "an interval ended 3599.9 s late"));
}

/* A day, and the step goes on: caught up with at once, slice by slice. */
static void a_day_within_a_step(void **state)
{
	static struct heard h;
	struct clock real = clock_monotonic();
	int64_t began = clock_now(&real);

	(void)state;
	sleep_through("86400500ms", 86400 * NS_PER_S, &h);
	assert_right(&h);
	assert_true(h.r.hist[METRIC_TOTAL].max >= 86400 * NS_PER_S);
	assert_true(clock_now(&real) - began < 20 * NS_PER_S);
	printf("# caught up in %.2f s\n", (double)(clock_now(&real) - began) / 1e9);
}

/* Nothing slept: no such lateness. (A crowded machine may well be some tenths late, and that is said too.) */
static void not_stopped(void **state)
{
	static struct heard h;

	(void)state;
	sleep_through("400ms", 0, &h);
	assert_right(&h);
	assert_false(has_note(&h.r, "10.0 s late") || has_note(&h.r, "9.9 s late"));
	assert_true(h.r.hist[METRIC_TOTAL].max < 10 * NS_PER_S);
}

static int make_folder(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof(folder), "%s/stopped.XXXXXX", tmp && strlen(tmp) < 100 ? tmp : "/tmp");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_seconds),
		cmocka_unit_test(over_the_end),
		cmocka_unit_test(a_day_within_a_step),
		cmocka_unit_test(not_stopped),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
