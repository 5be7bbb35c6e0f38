/* The engine as a library: it steps in the caller's thread, ends intervals by its own clock and hands each to a sink. */
#ifndef IODECK_ENGINE_H
#define IODECK_ENGINE_H

#include "base/clock.h"
#include "base/err.h"
#include "command.h"
#include "result.h"
#include "snapshot.h"
#include "spec.h"

struct engine;
struct target_set; /* target.h */

/* One interval of engine time. Histograms are borrowed until the sink returns. */
struct interval {
	int64_t start_ns, length_ns; /* measured */
	uint32_t step;
	const char *step_name;
	uint64_t requests, bytes, errors;
	const struct hist *hist; /* [N_METRICS] */
	int64_t qd, aliases, path, power; /* in effect at the end; -1: has no effect here */
};

/* Where figures go; every function may be NULL. Called in the stepping thread. */
struct sink {
	void (*interval)(void *data, const struct interval *i);
	void (*step_end)(void *data, const struct step_result *r); /* borrowed until it returns */
	void *data;
};

struct verify_mark;

enum { ENGINE_MAX_WORKERS = 64 };

struct engine_options {
	const char *backend;  /* row of the backend table: "model", "null", "aio" */
	const struct target_set *targets; /* real storage, fitted to the spec; NULL: none; borrowed until engine_free */
	bool hold;            /* start HELD at `first_step`; else play all selected steps */
	uint32_t first_step;
	const uint8_t *selected; /* n_steps flags, or NULL for all; borrowed */
	int64_t runtime_ns;   /* > 0: length of every timed step instead of its own */
	uint32_t workers;     /* threads that LUNs are dealt out to; 0 and 1: the stepping thread alone */
	int64_t interval_ns;  /* 0: 100 ms; `run` takes 1 s */
	struct sink sink;
	struct clock clock;   /* for backends in real time */
	struct verify_mark *marks; /* of verified data, where they outlive the process (tests); NULL: the engine's own. stack/verify.h */
};

/* `spec` is borrowed until engine_free. NULL with err on failure. */
struct engine *engine_new(const struct spec *spec, const struct engine_options *o, struct err *err);
void engine_free(struct engine *e);

/* Step until engine time `t_ns` (never back), until all steps have ended when playing, or until the place is reached that a GOTO leads to.
 * At the end of a step where the clock stands it does nothing. Returns 1 while there is more to do, 0 when all
 * steps have ended, negative errno with err when a step could not be started. */
int engine_run_until(struct engine *e, int64_t t_ns, struct err *err);
int64_t engine_now(const struct engine *e);
/* How time should pass: what the last PAUSE and SPEED commands asked for; `seeking`: as fast as possible to where a GOTO leads. */
struct engine_pace {
	bool paused, ended, seeking, virtual_time;
	double speed; /* virtual seconds per second; 0: as fast as possible */
};
struct engine_pace engine_pace(const struct engine *e);
/* End the running step now (END_SIGNAL): its result goes to the sink, then nothing runs any more. */
void engine_stop(struct engine *e, enum step_end why);

/* Obey one command at the present engine time. Its fate is an act in the snapshot (a refusal too): 0, or negative with err when refused. */
int engine_command(struct engine *e, const struct command *c, struct err *err);

/* Fill a snapshot (the caller's memory). */
void engine_snapshot(struct engine *e, struct snapshot *s);

#endif
