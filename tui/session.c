#include "session.h"

#include <errno.h>
#include <stdlib.h>

#include "engine.h"
#include "pacer.h"

struct session {
	struct spec *spec;	    /* owned */
	struct target_set *targets; /* owned; NULL: nothing real */
	struct pacer *pacer;	    /* owned; NULL by hand */
	struct engine *engine;	    /* owned by hand, else NULL: the pacer's */
	struct snapshot *own;	    /* owned; by hand */
};

static int start_pacer(struct session *n, struct engine *e, const struct options *o, int event_fd,
		       struct err *err)
{
	struct pacer_options p = { .speed = o->has_speed ? o->speed : 1, .event_fd = event_fd };

	n->pacer = pacer_start(e, &p, err);
	return n->pacer ? EXIT_DONE : EXIT_FAILED;
}

static int start(struct session *n, const struct options *o, uint32_t first_step, bool by_hand,
		 int event_fd, struct err *err)
{
	struct engine_options options = { .backend = options_backend(o, n->spec),
					  .targets = n->targets,
					  .hold = true,
					  .first_step = first_step,
					  .runtime_ns = o->runtime_ns,
					  .workers = o->workers,
					  .clock = clock_monotonic() };
	struct command speed = { .type = COMMAND_SPEED,
				 .cause = CAUSE_COMMAND,
				 .value = o->has_speed ? (int64_t)(o->speed * 1000 + 0.5) : 1000 };
	struct engine *e = engine_new(n->spec, &options, err);

	if (!e)
		return EXIT_FAILED;
	if (!by_hand)
		return start_pacer(n, e, o, event_fd, err);
	n->engine = e;
	n->own = calloc(1, sizeof(*n->own));
	if (n->own && !engine_command(e, &speed, NULL))
		return EXIT_DONE;
	err_set(err, -ENOMEM, "out of memory");
	return EXIT_FAILED;
}

int session_open(const struct options *o, const char *word, bool by_hand, int event_fd,
		 struct session **out, struct err *err)
{
	struct session *n = calloc(1, sizeof(*n));
	uint32_t first_step;
	int code = EXIT_FAILED;

	*out = NULL;
	if (!n)
		err_set(err, -ENOMEM, "out of memory");
	else
		code = options_load(o, word, &n->spec, &first_step, err);
	if (!code)
		code = options_open_targets(o, n->spec, &n->targets, err);
	if (!code)
		code = start(n, o, first_step, by_hand, event_fd, err);
	if (code)
		session_close(n);
	else
		*out = n;
	return code;
}

void session_close(struct session *n)
{
	if (!n)
		return;
	pacer_free(n->pacer);
	if (n->engine)
		engine_free(n->engine);
	target_close(n->targets);
	if (n->spec)
		spec_free(n->spec);
	free(n->own);
	free(n);
}

const struct spec *session_spec(const struct session *n) { return n->spec; }

const struct snapshot *session_snapshot(struct session *n)
{
	if (n->pacer)
		return pacer_snapshot(n->pacer);
	engine_snapshot(n->engine, n->own);
	return n->own;
}

bool session_send(struct session *n, const struct command *c)
{
	if (n->pacer)
		return pacer_send(n->pacer, c);
	engine_command(n->engine, c, NULL); /* a refusal is an act in the snapshot */
	if (engine_pace(n->engine).seeking) /* time stands still for the operator meanwhile */
		engine_run_until(n->engine, INT64_MAX, NULL);
	return true;
}

int session_advance(struct session *n, int64_t ns, struct err *err)
{
	int ret;

	if (!n->engine)
		return err_set(err, -EINVAL, "time follows the wall clock here");
	ret = engine_run_until(n->engine, engine_now(n->engine) + ns, err);
	return ret < 0 ? ret : 0;
}
