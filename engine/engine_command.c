#include <errno.h>

#include "base/text.h"
#include "engine_private.h"
#include "fault.h"

/* Commands: one function each, found in a table. A change is asked, then acknowledged with the value in effect. */

/* A knob turned by hand while the steps play is a take-over. */
static void take_over(struct engine *e, enum cause cause)
{
	if (!e->playing || !e->o.hold || cause == CAUSE_STEP)
		return;
	engine_leave_story(e);
	e->playing = false;
	struct act *a = engine_add_act(e, ACT_NOTE, cause, false);
	text_format(a->text, sizeof(a->text), "taken over by hand: HELD at step %u (:play goes on)", e->step + 1);
}

static int do_set(struct engine *e, const struct command *c, struct err *err)
{
	if (c->ref.id >= N_KNOBS || c->ref.job >= e->effect.n_jobs)
		return err_set(err, -ENOENT, "there is no such knob here");
	take_over(e, c->cause);
	return engine_apply(e, c->ref, c->value, c->cause, c->merge, err);
}

/* The window before the fault is the baseline, so it is closed first; a refused fault then only starts the window again. */
static int do_fault(struct engine *e, const struct command *c, struct err *err)
{
	struct fault f;
	int code = fault_parse(c->text, &f, err);

	if (code < 0)
		return code;
	struct baseline before = e->before;
	struct act *last = engine_last_marked(e);
	bool judged = !last || last->judged || last->superseded;
	engine_begin_segment(e);
	code = crew_fault(&e->crew, &f, err);
	if (code < 0) { /* nothing happened: the last change keeps its baseline and its verdict */
		e->before = before;
		if (last && !judged)
			last->superseded = false;
		return code;
	}
	struct act *a = engine_add_act(e, ACT_FAULT, c->cause, true);
	text_clean(a->text, sizeof(a->text), c->text, 0);
	return 0;
}

static int do_play(struct engine *e, const struct command *c, struct err *err)
{
	bool last = e->step + 1 == e->spec->n_steps;
	uint32_t step = e->ended || (last && e->n_played) ? 0 : e->step;

	(void)c;
	e->stepwise = false;
	if (e->at_end && !last) {
		engine_set_paused(e, false);
		return engine_next_step(e, err);
	}
	if (e->playing && !e->at_end)
		return 0;
	engine_leave_story(e);
	e->playing = true;
	e->n_played = 1;
	return engine_start_step(e, step, e->spec->step[step].fresh, err);
}

static int do_hold(struct engine *e, const struct command *c, struct err *err)
{
	(void)err;
	take_over(e, c->cause);
	return 0;
}

static int do_step(struct engine *e, const struct command *c, struct err *err)
{
	if (c->value < 0 || c->value >= e->spec->n_steps)
		return err_set(err, -ENOENT, "there is no step %lld (1..%u)", (long long)c->value + 1, e->spec->n_steps);
	e->playing = false;
	return engine_start_step(e, (uint32_t)c->value, e->spec->step[c->value].fresh, err);
}

void engine_set_paused(struct engine *e, bool paused)
{
	if (paused == e->paused)
		return;
	e->paused = paused;
	if (!e->w.backend || !e->w.backend->ops->shift)
		return;
	if (paused)
		e->paused_at_ns = clock_now(&e->o.clock);
	else
		crew_shift(&e->crew, clock_now(&e->o.clock) - e->paused_at_ns);
}

static int do_pause(struct engine *e, const struct command *c, struct err *err)
{
	bool pause = c->value < 0 ? !e->paused : c->value > 0;

	if (!pause && e->at_end)
		return err_set(err, -EAGAIN, "step %u has ended: :play goes on, :hold lets its load run", e->step + 1);
	engine_set_paused(e, pause);
	return 0;
}

static int do_speed(struct engine *e, const struct command *c, struct err *err)
{
	if (!e->ops->virtual_time)
		return err_set(err, -ENOTSUP, "the %s backend runs in real time: its speed cannot be changed", e->ops->name);
	if (c->value < 0)
		return err_set(err, -ERANGE, "a speed is 0.001 or more, or max");
	e->speed = (double)c->value / 1000.0;
	return 0;
}

static int do_reset(struct engine *e, const struct command *c, struct err *err)
{
	(void)err;
	engine_begin_measure(e);
	struct act *a = engine_add_act(e, ACT_NOTE, c->cause, false);
	text_format(a->text, sizeof(a->text), "counters and histograms start again");
	return 0;
}

/* What was asked and is pending takes effect; knobs turned by hand go back to the step's. */
static int do_restart(struct engine *e, const struct command *c, struct err *err)
{
	struct config asked = e->asked;
	uint32_t restart = asked.host.restart;

	(void)c;
	int code = engine_start_step(e, e->step, true, err);
	for (uint8_t id = 0; !code && id < KNOB_FIRST_OF_JOB; id++) {
		struct knob_ref ref = {id, 0};
		if (!(restart >> id & 1) || knob_get(&asked, ref) == knob_get(&e->effect, ref))
			continue;
		knob_put(&e->asked, ref, knob_get(&asked, ref));
		code = engine_put_in_effect(e, ref, knob_get(&asked, ref), err);
	}
	return code;
}

static int do_keep(struct engine *e, const struct command *c, struct err *err)
{
	if (c->value && e->n_slices == e->segment)
		return err_set(err, -EAGAIN, "nothing measured yet since the last change: wait a second");
	engine_keep_baseline(e, c->value != 0);
	struct act *a = engine_add_act(e, ACT_NOTE, c->cause, false);
	text_format(a->text, sizeof(a->text), c->value ? "this is the \"before\" from now on (:before auto ends it)"
						       : "\"before\" is the last settled window again");
	return 0;
}

/* Both acts know of each other. `seen`: the acts before the undo; there is none for it when the knob stood there already. */
static void say_undone(struct engine *e, uint64_t number, uint64_t seen)
{
	struct act *was = &e->act[(number - 1) % SNAPSHOT_ACTS], *now = engine_last_marked(e);
	char text[sizeof(now->text)];

	if (was->number == number)
		was->undone = true;
	if (!now || now->number <= seen || now->kind != ACT_KNOB)
		return;
	now->undoes = number;
	text_format(text, sizeof(text), "undo of #%llu: %s", (unsigned long long)number, now->text);
	text_format(now->text, sizeof(now->text), "%s", text);
}

static int do_undo(struct engine *e, const struct command *c, struct err *err)
{
	if (!e->n_undo)
		return err_set(err, -ENOENT, "nothing to undo in this step");
	uint64_t seen = e->n_acts;
	uint32_t left = e->n_undo - 1;
	struct undo u = e->undo[left];
	const struct act *last = engine_last_marked(e);
	if (last && (last->kind == ACT_FAULT || last->kind == ACT_OUTSIDE) && last->number > u.act && e->told_fault != last->number) {
		e->told_fault = last->number;
		return err_set(err, -ENOTSUP, "'%s' cannot be undone (%s); u once more undoes the knob before it", last->text,
			       last->kind == ACT_FAULT ? ":restart starts anew" : "what :kernel changed goes back by :kernel, or when you leave");
	}
	int code = engine_apply(e, u.ref, u.value, c->cause, false, err);
	if (code < 0)
		return code;
	e->n_undo = left; /* the undo itself is not to be undone */
	say_undone(e, u.act, seen);
	return 0;
}

static int do_mark(struct engine *e, const struct command *c, struct err *err)
{
	(void)err;
	struct act *a = engine_add_act(e, ACT_MARK, c->cause, true);
	text_clean(a->text, sizeof(a->text), c->text, 0);
	return 0;
}

static int do_note(struct engine *e, const struct command *c, struct err *err)
{
	(void)err;
	struct act *a = engine_add_act(e, ACT_NOTE, c->cause, false);
	text_clean(a->text, sizeof(a->text), c->text, 0);
	return 0;
}

static int (*const doers[N_COMMANDS])(struct engine *, const struct command *, struct err *) = {
	[COMMAND_SET] = do_set,     [COMMAND_FAULT] = do_fault,     [COMMAND_PLAY] = do_play,   [COMMAND_HOLD] = do_hold,
	[COMMAND_STEP] = do_step,   [COMMAND_PAUSE] = do_pause,     [COMMAND_SPEED] = do_speed, [COMMAND_RESET] = do_reset,
	[COMMAND_GOTO_STEP] = engine_goto, [COMMAND_GOTO_TIME] = engine_goto,
	[COMMAND_RESTART] = do_restart, [COMMAND_KEEP] = do_keep,   [COMMAND_UNDO] = do_undo,   [COMMAND_MARK] = do_mark,
	[COMMAND_OUTSIDE] = engine_outside, [COMMAND_NOTE] = do_note,
};

/* After these the run is another than the one the preset tells. */
static bool ends_story(const struct command *c)
{
	static const bool ends[N_COMMANDS] = {
		[COMMAND_SET] = true,   [COMMAND_FAULT] = true,   [COMMAND_HOLD] = true, [COMMAND_STEP] = true,
		[COMMAND_RESET] = true, [COMMAND_RESTART] = true, [COMMAND_UNDO] = true,
	};

	return c->cause != CAUSE_STEP && (unsigned)c->type < N_COMMANDS && ends[c->type];
}

int engine_command(struct engine *e, const struct command *c, struct err *err)
{
	struct err why = {{0}};
	int code = -EINVAL;

	if (ends_story(c))
		e->straight = e->stepwise = false, e->goal.kind = GOAL_NONE;
	if (!e->w.backend && c->type != COMMAND_RESTART && c->type != COMMAND_STEP && c->type != COMMAND_PLAY &&
	    c->type != COMMAND_GOTO_STEP && c->type != COMMAND_GOTO_TIME)
		err_set(&why, code, "the load could not be started: :restart tries again");
	else if ((unsigned)c->type < N_COMMANDS)
		code = doers[c->type](e, c, &why);
	e->ended |= !e->w.backend;
	if (code < 0 && c->type != COMMAND_SET) {
		struct act *a = engine_add_act(e, ACT_NOTE, c->cause, false);
		a->state = KNOB_REFUSED;
		text_format(a->text, sizeof(a->text), "refused: %s", why.text);
	}
	if (code < 0 && err)
		*err = why;
	return code;
}
