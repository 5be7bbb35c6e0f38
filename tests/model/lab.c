#include "model/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_row.h"

static _Noreturn void die(const char *what, const struct err *err)
{
	fprintf(stderr, "lab: %s: %s\n", what, err->text);
	exit(99);
}

void lab_set(struct lab *l, const char *settings)
{
	char *copy = strdup(settings), *save = NULL;
	struct err err;

	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		if (!value)
			die(word, &(struct err){"no '='"});
		*value++ = '\0';
		if (config_set(&l->spec.config, word, value, &err) < 0)
			die(word, &err);
	}
	free(copy);
	if (config_check(&l->spec.config, &err) < 0)
		die(settings, &err);
}

void lab_init(struct lab *l, const char *jobs, const char *settings)
{
	char *copy = strdup(jobs), *save = NULL;
	struct err err;

	memset(l, 0, sizeof(*l));
	config_init(&l->spec.config);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		if (config_add_job(&l->spec.config, word, &err) < 0)
			die(word, &err);
	free(copy);
	strcpy(l->spec.name, "lab");
	strcpy(l->step.name, "only");
	l->step.fresh = true;
	l->spec.step = &l->step;
	l->spec.n_steps = 1;
	lab_set(l, settings);
}

void lab_fault(struct lab *l, const char *text, int64_t at_ns)
{
	snprintf(l->fault.text, sizeof(l->fault.text), "%s", text);
	l->fault.at_ns = at_ns;
	l->step.fault = &l->fault;
	l->step.n_fault = 1;
}

static void keep_result(void *data, const struct step_result *r)
{
	memcpy(data, r, sizeof(*r));
}

static struct engine *open_engine(struct lab *l, uint64_t seed, bool hold, struct step_result *out)
{
	struct engine_options o = {.backend = "model", .hold = hold, .interval_ns = NS_PER_S, .clock = clock_monotonic()};
	struct err err;

	o.sink = (struct sink){.step_end = out ? keep_result : NULL, .data = out};
	l->spec.seed = seed;
	struct engine *e = engine_new(&l->spec, &o, &err);
	if (!e)
		die("engine", &err);
	return e;
}

void lab_run(struct lab *l, uint64_t seed, int64_t warm_ns, int64_t run_ns, struct step_result *out)
{
	struct err err;

	l->spec.warmup_ns = warm_ns;
	l->step.until = run_ns ? RUN_TIME : RUN_DONE;
	l->step.run_ns = run_ns;
	struct engine *e = open_engine(l, seed, false, out);
	int code;
	do
		code = engine_run_until(e, engine_now(e) + 100 * NS_PER_S, &err);
	while (code > 0);
	if (code < 0)
		die("run", &err);
	engine_free(e);
}

struct engine *lab_open(struct lab *l, uint64_t seed)
{
	l->spec.warmup_ns = 0;
	l->step.until = RUN_TIME;
	l->step.run_ns = 1000 * NS_PER_S;
	return open_engine(l, seed, true, NULL);
}

int lab_try(struct engine *e, enum knob_id id, int64_t value, struct err *err)
{
	struct command c = {.type = COMMAND_SET, .cause = CAUSE_COMMAND, .ref = {(uint8_t)id, 0}, .value = value};

	return engine_command(e, &c, err);
}

void lab_turn(struct engine *e, enum knob_id id, int64_t value)
{
	struct err err;

	if (lab_try(e, id, value, &err) < 0)
		die("turn", &err);
}
