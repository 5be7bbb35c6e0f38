#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine_private.h"

/* The run as a story: the steps played in order from the start, to a place where the clock then stands. A place behind is reached by
 * playing all of it anew with the same seed, so the figures there are those of a run that was never interrupted, to the bit. */

/* As engine_new made it. What belongs to the engine's life and not to its run stays. */
static int begin_again(struct engine *e, struct err *err)
{
	struct engine *keep = malloc(sizeof(*keep));

	if (!keep)
		return err_set(err, -ENOMEM, "out of memory");
	crew_close(&e->crew);
	*keep = *e;
	memset(e, 0, sizeof(*e));
	e->spec = keep->spec;
	e->o = keep->o;
	e->ops = keep->ops;
	e->target = keep->target;
	e->crew = keep->crew;
	e->stats = keep->stats;
	e->result = keep->result;
	e->done = keep->done;
	e->speed = keep->speed;
	e->run = keep->run + 1;
	e->n_goto = keep->n_goto;
	e->epoch = keep->epoch;
	e->n_snapshots = keep->n_snapshots;
	free(keep);
	for (uint32_t i = 0; e->done && i < e->spec->n_steps; i++) {
		free(e->done[i]);
		e->done[i] = NULL;
	}
	e->playing = e->straight = true;
	stats_init(e->stats, 0);
	return engine_begin_run(e, 0, err);
}

/* ---- where it stands and where it goes ---- */

/* Stand still here, or play on from here, step by step. */
static void arrive(struct engine *e)
{
	bool go_on = e->goal.go_on;

	e->goal = (struct goal){GOAL_NONE, 0, false};
	e->stepwise = true;
	engine_set_paused(e, !go_on);
}

int64_t engine_goal_limit(const struct engine *e, int64_t t_ns)
{
	return e->goal.kind == GOAL_TIME && e->goal.value < t_ns ? e->goal.value : t_ns;
}

bool engine_goal_reached(struct engine *e)
{
	if (e->goal.kind != GOAL_TIME || worker_now(&e->w) < e->goal.value)
		return false;
	arrive(e);
	return true;
}

bool engine_stands(struct engine *e)
{
	bool last = e->step + 1 == e->spec->n_steps;
	bool wanted = e->goal.kind == GOAL_STEP ? e->goal.value == e->step + 1 : e->goal.kind == GOAL_NONE && e->stepwise;
	bool told = e->stepwise || e->goal.kind != GOAL_NONE;

	if (!e->o.hold || !(wanted || (last && told)))
		return false;
	bool go_on = e->goal.go_on && !last;
	arrive(e);
	if (go_on)
		return false;
	e->at_end = true;
	engine_set_paused(e, true);
	return true;
}

void engine_leave_story(struct engine *e)
{
	e->straight = e->stepwise = false;
	e->goal.kind = GOAL_NONE;
	if (!e->at_end)
		return;
	e->at_end = false;
	engine_set_paused(e, false);
}

/* Whether the goal lies ahead, or right here, on the way the run is on. */
static bool is_ahead(const struct engine *e, const struct goal *goal)
{
	if (!e->straight || e->ended)
		return false;
	if (goal->kind == GOAL_TIME)
		return goal->value >= worker_now(&e->w);
	if (goal->value == 0)
		return worker_now(&e->w) == 0;
	return goal->value > e->step;
}

/* Right here already, or at the very end? Then nothing needs to be played. */
static bool is_here(const struct engine *e, const struct goal *goal)
{
	if (goal->kind == GOAL_TIME)
		return goal->value == worker_now(&e->w) || (e->at_end && e->step + 1 == e->spec->n_steps);
	return goal->value == 0 || (e->at_end && goal->value == e->step + 1);
}

/* From the end of a step into the next one. At the end of the last nothing follows. */
static int leave_end(struct engine *e, struct err *err)
{
	if (!e->at_end || e->step + 1 == e->spec->n_steps)
		return 0;
	e->at_end = false;
	return engine_next_step(e, err);
}

/* What has been reached: stand, or go on into the step behind it. */
static int do_here(struct engine *e, bool go_on, struct err *err)
{
	e->goal.go_on = go_on;
	arrive(e);
	if (go_on && e->at_end && e->step + 1 == e->spec->n_steps)
		engine_set_paused(e, true);
	return go_on ? leave_end(e, err) : 0;
}

static int set_out(struct engine *e, const struct goal *goal, struct err *err)
{
	int code = is_ahead(e, goal) ? 0 : begin_again(e, err);

	if (code < 0)
		return code;
	if (is_here(e, goal))
		return do_here(e, goal->go_on, err);
	e->goal = *goal;
	engine_set_paused(e, false);
	return leave_end(e, err);
}

/* Real devices, and a volume whose state is kept in a file, cannot be told to do it all again: only forward, and the step begins now. */
static int start_real(struct engine *e, const struct goal *goal, struct err *err)
{
	if (goal->kind == GOAL_STEP && !goal->go_on && e->at_end && goal->value == e->step + 1)
		return 0; /* that is where it stands */
	if (goal->kind != GOAL_STEP || !goal->go_on || goal->value >= e->spec->n_steps)
		return err_set(err, -ENOTSUP, "its past cannot be played again: %s", e->has_journal ? "the volume's state is kept in a file" : "the storage is real");
	engine_leave_story(e);
	e->playing = e->stepwise = true;
	engine_set_paused(e, false);
	return engine_start_step(e, (uint32_t)goal->value, e->spec->step[goal->value].fresh, err);
}

int engine_goto(struct engine *e, const struct command *c, struct err *err)
{
	struct goal goal = {c->type == COMMAND_GOTO_STEP ? GOAL_STEP : GOAL_TIME, c->value, c->go_on};

	e->n_goto++;
	if (!e->o.hold)
		return err_set(err, -ENOTSUP, "only a deck can go to a step or a time");
	if (goal.kind == GOAL_STEP && (goal.value < 0 || goal.value > e->spec->n_steps))
		return err_set(err, -ENOENT, "there is no step %lld (1..%u)", (long long)goal.value + 1, e->spec->n_steps);
	if (goal.value < 0)
		return err_set(err, -ERANGE, "a time of the run is 0 or more");
	return e->ops->virtual_time && !e->has_journal ? set_out(e, &goal, err) : start_real(e, &goal, err);
}

/* ---- what the steps gave ---- */

static void fill_verdict(const struct engine *e, const struct expect *x, struct verdict_view *view)
{
	const struct step_result *const *results = (const struct step_result *const *)e->done;
	uint32_t n = e->spec->n_steps;
	struct verdict v = {0};
	bool known = expect_can_judge(x, e->step, results, n);

	if (known)
		v = expect_judge(x, e->step, results, n);
	view->known = known;
	view->pass = v.pass;
	view->value = v.value;
	view->other = v.other;
	view->word = v.word;
}

static void judge(struct engine *e)
{
	const struct step *s = &e->spec->step[e->step];
	struct step_verdicts *v = &e->verdicts;

	memset(v, 0, sizeof(*v)); /* snapshots are compared byte by byte */
	v->step = e->step + 1;
	v->end = e->result->end;
	for (uint32_t i = 0; i < s->n_expect && i < SNAPSHOT_EXPECTS; i++)
		fill_verdict(e, &s->expect[i], &v->expect[v->n_expect++]);
	for (uint32_t i = 0; i < s->n_when && i < SNAPSHOT_ANSWERS; i++)
		fill_verdict(e, &s->when[i], &v->answer[v->n_answer++]);
}

void engine_keep_result(struct engine *e)
{
	if (!e->o.hold)
		return;
	if (!e->done)
		e->done = calloc(e->spec->n_steps, sizeof(*e->done));
	if (e->done && !e->done[e->step])
		e->done[e->step] = malloc(sizeof(**e->done));
	if (!e->done || !e->done[e->step])
		return; /* without memory there is no verdict */
	*e->done[e->step] = *e->result;
	judge(e);
}

void engine_fill_story(const struct engine *e, struct snapshot *s)
{
	s->run = e->run;
	s->n_goto = e->n_goto;
	s->at_end = e->at_end;
	s->straight = e->straight;
	s->seeking = e->goal.kind != GOAL_NONE;
	s->done_steps = 0;
	for (uint32_t i = 0; e->done && i < e->spec->n_steps && i < 64; i++)
		s->done_steps |= (uint64_t)(e->done[i] != NULL) << i;
	s->verdicts = e->verdicts;
}
