/* Several workers at work while knobs turn, paths fail and come back, the load pauses, and steps begin anew: nothing is lost or counted twice.
 * Its worth is under SAN=thread. TAP. */
#include <stdio.h>
#include <stdlib.h>

#include "engine_private.h"
#include "model/lab.h"

enum { WORKERS = 4, TURNS = 400 };

static int n_tests, n_failed;

static void ok(bool good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
	n_failed += !good;
}

static void send(struct engine *e, struct command c, const char *text)
{
	c.cause = CAUSE_COMMAND;
	snprintf(c.text, sizeof(c.text), "%s", text);
	(void)engine_command(e, &c, NULL); /* a refusal (a path that is down already) is an act */
}

static void turn(struct engine *e, struct rng *r)
{
	static const enum knob_id knobs[] = {KNOB_QD, KNOB_IODEPTH, KNOB_JOBS, KNOB_MIX};
	static const char *const faults[] = {"path p0 down", "path p0 up", "path p1 down", "path p1 up", "weight p1 3", "errors 0.01", "errors 0"};
	enum knob_id id = knobs[rng_below(r, 4)];

	switch (rng_below(r, 12)) {
	case 0:
		send(e, (struct command){.type = COMMAND_PAUSE, .value = -1}, "");
		send(e, (struct command){.type = COMMAND_PAUSE, .value = -1}, "");
		break;
	case 1:
		send(e, (struct command){.type = COMMAND_RESET}, "");
		break;
	case 2:
		if (rng_below(r, 8) == 0)
			send(e, (struct command){.type = COMMAND_RESTART}, "");
		break;
	case 3:
	case 4:
		send(e, (struct command){.type = COMMAND_FAULT}, faults[rng_below(r, 7)]);
		break;
	default:
		send(e, (struct command){.type = COMMAND_SET, .ref = {(uint8_t)id, 0}, .value = 1 + (int64_t)rng_below(r, 60)}, "");
	}
}

static bool agrees(struct engine *e)
{
	bool good = true;

	stats_unfold(e->stats);
	for (uint32_t i = 0; i < e->crew.n; i++) {
		good &= !e->crew.own[i].in_slice.requests && !e->crew.own[i].same.n && !e->crew.own[i].slice[METRIC_TOTAL].n;
		good &= worker_now(crew_worker(&e->crew, i)) == engine_now(e);
	}
	good &= e->stats->step[METRIC_TOTAL].n + e->stats->slice[METRIC_TOTAL].n == e->stats->in_step.requests + e->stats->in_slice.requests;
	return good;
}

int main(void)
{
	struct lab l;
	struct err err = {""};
	struct rng r;
	struct engine_options o = {.backend = "null", .hold = true, .workers = WORKERS, .clock = clock_monotonic()};
	struct snapshot *s = calloc(1, sizeof(*s));
	bool runs = true, sums = true, moves = false;

	lab_init(&l, "a", "a.rw=randrw a.numjobs=4 a.iodepth=16 host.bases=9 host.paths=2 host.path=round-robin:7 host.transport_time=2ms");
	l.spec.seed = 5;
	l.step.run_ns = 1000 * NS_PER_S;
	rng_init(&r, 5, 1);
	struct engine *e = engine_new(&l.spec, &o, &err);
	for (int i = 0; e && i < TURNS; i++) {
		runs &= engine_run_until(e, engine_now(e) + (int64_t)rng_below(&r, 5 * NS_PER_MS) + 1, &err) > 0;
		sums &= agrees(e);
		engine_snapshot(e, s);
		moves |= s->requests > 10000;
		turn(e, &r);
	}
	ok(e && runs, "four workers run on");
	ok(sums, "what they did adds up, and their clocks agree, at each boundary");
	ok(moves, "and they do something");
	engine_free(e);
	free(s);
	printf("1..%d\n", n_tests);
	return n_failed != 0;
}
