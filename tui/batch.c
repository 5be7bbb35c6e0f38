/* `run`: plays a preset without a terminal and writes what came out. */
#include "batch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"
#include "output.h"
#include "report.h"

enum {
	CHUNK_MS = 100,         /* of engine time between two looks at the signals */
	ECHO_MS = 200,          /* a second signal later than this leaves at once */
	CLOCK_DAY_S = 86400,
};

/* Set by handlers, read by the loop of `run`. */
static volatile sig_atomic_t ended_by, ended_at, state_wanted;

/* The first signal ends the step; a later one ends the program, but not its echo: `timeout` sends the same twice. */
static void on_end(int number)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	int ms = (int)(now.tv_sec % CLOCK_DAY_S) * 1000 + (int)(now.tv_nsec / 1000000); /* of the day: fits the only type a handler may share */

	if (!ended_by) {
		ended_by = number;
		ended_at = ms;
	} else if (ms < ended_at || ms > ended_at + ECHO_MS) {
		_exit(128 + number);
	}
}

static void on_state(int number)
{
	(void)number;
	state_wanted = 1;
}

static void catch_signals(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_end };

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		struct sigaction old;

		/* nohup: a hangup that was ignored stays so. */
		sigaction(ending[i], NULL, &old);
		if (ending[i] != SIGHUP || old.sa_handler != SIG_IGN)
			sigaction(ending[i], &act, NULL);
	}
	act.sa_handler = on_state;
	act.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &act, NULL);
	signal(SIGPIPE, SIG_IGN); /* a reader that left is lost output, not a death */
}

/* One run. */
struct run {
	const struct options *o;
	struct spec *spec;      /* owned */
	uint8_t *selected;      /* owned; NULL: all steps */
	struct target_set *targets; /* owned; NULL: nothing real */
	struct report report;
	struct output json, csv;
	FILE *table;            /* stdout, or stderr when stdout carries data; borrowed */
	struct snapshot *snapshot; /* owned; room for one */
	struct engine *engine;  /* owned */
	struct strbuf row;
	bool failed;            /* could not go on, or output was lost */
};

/* ---- what the engine tells ---- */

static void take_interval(void *data, const struct interval *i)
{
	struct run *run = data;

	if (!run->csv.open)
		return;
	strbuf_clear(&run->row);
	report_csv_row(i, &run->row);
	bool good = !run->csv.failure;

	/* The run goes on without the file: its figures are still wanted. */
	if (run->row.failed || !output_write(&run->csv, run->row.text, run->row.length)) {
		if (good)
			fprintf(stderr, "iodeck: CSV stopped at %.3f s: %s\n", (double)i->start_ns / 1e9,
				strerror(run->row.failed ? ENOMEM : run->csv.failure));
		run->failed = true;
	}
}

static void take_step(void *data, const struct step_result *r)
{
	struct run *run = data;

	if (report_add(&run->report, r)) {
		fprintf(stderr, "iodeck: out of memory: the result of step '%s' is lost\n", r->name);
		run->failed = true;
		return;
	}
	report_text_step(&run->report, r, run->table);
}

/* ---- before anything runs ---- */

/* --steps NAME,... as flags. */
static int select_steps(struct run *run, struct err *err)
{
	int code = 0;

	if (!run->o->steps)
		return 0;
	char *list = strdup(run->o->steps), *rest = list;

	run->selected = calloc(run->spec->n_steps, 1);
	if (!list || !run->selected) {
		free(list);
		return err_set(err, -ENOMEM, "out of memory");
	}
	while (!code && rest) {
		char *name = strsep(&rest, ",");
		struct err why;

		name += strspn(name, " ");
		for (size_t n = strlen(name); n && name[n - 1] == ' '; n--)
			name[n - 1] = '\0';
		int step = spec_find_step(run->spec, name, &why);

		if (step < 0)
			code = err_set(err, step, "--steps %s: %s", run->o->steps, why.text);
		else
			run->selected[step] = 1;
	}
	free(list);
	return code;
}

static bool same_place(const char *a, const char *b)
{
	return a && b && !strcmp(a, b) && strcmp(a, "/dev/null") != 0;
}

static int open_outputs(struct run *run, struct err *err)
{
	const struct options *o = run->o;
	int code = 0;

	if (same_place(o->json, o->csv))
		return err_set(err, -EINVAL, "--json and --csv cannot both go to '%s'", o->json);
	if (o->json)
		code = output_open(&run->json, o->json, o->force, err);
	if (!code && o->csv)
		code = output_open(&run->csv, o->csv, o->force, err);
	if (!code && output_same(&run->json, &run->csv))
		code = err_set(err, -EINVAL, "--json and --csv cannot both go to '%s'", o->json);
	return code;
}

static int start_engine(struct run *run, struct err *err)
{
	struct engine_options options = {
		.backend = options_backend(run->o, run->spec),
		.targets = run->targets,
		.selected = run->selected,
		.runtime_ns = run->o->runtime_ns,
		.workers = run->o->workers,
		.interval_ns = NS_PER_S,
		.sink = { .interval = take_interval, .step_end = take_step, .data = run },
		.clock = clock_monotonic(),
	};

	run->snapshot = calloc(1, sizeof(*run->snapshot));
	if (!run->snapshot || report_init(&run->report, run->spec, run->selected))
		return err_set(err, -ENOMEM, "out of memory");
	run->engine = engine_new(run->spec, &options, err);
	if (!run->engine)
		return -EINVAL;
	engine_snapshot(run->engine, run->snapshot);
	run->report.backend = options.backend;
	run->report.workers = options.workers ? options.workers : 1;
	run->report.simulated = run->snapshot->simulated;
	run->report.changed = run->o->n_set || run->o->runtime_ns;
	if (run->o->has_speed && !run->report.simulated)
		return err_set(err, -EINVAL, "--speed has no meaning with backend %s: its time is real", options.backend);
	return 0;
}

/* ---- running ---- */

static int64_t now_ns(void)
{
	struct clock c = clock_monotonic();

	return clock_now(&c);
}

/* Sleep until `until_ns` of the monotonic clock; a signal wakes. */
static void sleep_until(int64_t until_ns)
{
	struct timespec t = { .tv_sec = until_ns / NS_PER_S, .tv_nsec = until_ns % NS_PER_S };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void print_state(struct run *run)
{
	state_wanted = 0;
	engine_snapshot(run->engine, run->snapshot);
	report_text_state(run->snapshot, stderr);
}

/* Chunks of engine time, as fast as possible or paced. Returns 0, or negative with err when a step could not be started. */
static int play(struct run *run, struct err *err)
{
	double speed = run->o->has_speed && run->report.simulated ? run->o->speed : 0;
	int64_t chunk = speed > 0 && speed < 1 ? (int64_t)(speed * CHUNK_MS * 1e6) : CHUNK_MS * NS_PER_MS;
	int64_t begin = now_ns();
	int more = 1;

	for (int64_t t = chunk; more > 0 && !ended_by; t += chunk) {
		more = engine_run_until(run->engine, t, err);
		while (speed > 0 && more > 0 && !ended_by) {
			int64_t due = begin + (int64_t)((double)t / speed);

			if (now_ns() >= due)
				break;
			sleep_until(due);
			if (state_wanted)
				print_state(run);
		}
		if (state_wanted)
			print_state(run);
	}
	if (ended_by)
		engine_stop(run->engine, END_SIGNAL);
	return more < 0 ? more : 0;
}

/* ---- afterwards ---- */

static void complain(struct run *run, const struct err *err)
{
	batch_complain(err->text);
	run->failed = true;
}

/* The document is made in memory, then written as one record. */
static void write_json(struct run *run)
{
	struct err err;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	int code = f ? report_json(&run->report, f) : -ENOMEM;

	if (f && fclose(f) && !code)
		code = -ENOMEM;
	if (code) {
		err_set(&err, code, "cannot make the JSON document: %s", strerror(-code));
		complain(run, &err);
		output_abandon(&run->json);
	} else {
		output_write(&run->json, text, n);
	}
	free(text);
}

static void finish(struct run *run)
{
	struct err err;

	if (report_judge(&run->report)) {
		err_set(&err, -ENOMEM, "out of memory: expectations and notes are lost");
		complain(run, &err);
	}
	report_text_end(&run->report, run->table);
	if (fflush(run->table) || ferror(run->table)) {
		err_set(&err, -EIO, "the table was lost: %s", strerror(errno));
		complain(run, &err);
	}
	if (run->json.open)
		write_json(run);
	if (output_commit(&run->json, &err))
		complain(run, &err);
	if (output_commit(&run->csv, &err))
		complain(run, &err);
}

/* INTERFACE.md "Exit status": the first that holds. */
static int exit_status(const struct run *run)
{
	bool gone = false, broken = run->failed, errors = false;

	for (uint32_t i = 0; i < run->spec->n_steps; i++) {
		const struct step_result *r = run->report.result[i];

		gone |= r && r->end == END_DEVICE;
		broken |= r && r->end == END_ERROR;
		errors |= r && (r->errors || r->short_transfers || (r->end == END_HUNG && !run->report.simulated));
	}
	if (ended_by)
		return 128 + ended_by;
	if (gone)
		return EXIT_GONE;
	if (broken)
		return EXIT_FAILED;
	if (errors)
		return EXIT_WITH_ERRORS;
	return report_missed(&run->report) ? EXIT_MISSED : EXIT_DONE;
}

static void release(struct run *run)
{
	engine_free(run->engine);
	output_abandon(&run->json);
	output_abandon(&run->csv);
	if (run->report.result)
		report_release(&run->report);
	strbuf_release(&run->row);
	free(run->snapshot);
	free(run->selected);
	target_close(run->targets);
	spec_free(run->spec);
}

/* 0, or an exit status with err. */
static int prepare(struct run *run, struct err *err)
{
	int code = options_load(run->o, run->o->word[0], &run->spec, NULL, err);

	if (code)
		return code;
	if (select_steps(run, err) || open_outputs(run, err))
		return EXIT_USAGE;
	code = options_open_targets(run->o, run->spec, &run->targets, err);
	if (code)
		return code;
	if (run->targets && run->targets->lost[0])
		fprintf(stderr, "iodeck: will be overwritten: %s\n", run->targets->lost);
	if (start_engine(run, err))
		return run->targets ? EXIT_FAILED : EXIT_USAGE;
	if (run->csv.open) {
		report_csv_head(&run->row);
		output_write(&run->csv, run->row.text, run->row.length);
	}
	return 0;
}

int batch_run(const struct options *o)
{
	struct run run = { .o = o, .table = stdout };
	struct err err;

	catch_signals();
	if ((o->json && !strcmp(o->json, "-")) || (o->csv && !strcmp(o->csv, "-")))
		run.table = stderr;
	int code = prepare(&run, &err);

	if (code) {
		batch_complain(err.text);
	} else {
		report_text_begin(&run.report, run.table);
		if (play(&run, &err))
			complain(&run, &err);
		finish(&run);
		code = exit_status(&run);
	}
	release(&run);
	return code;
}
