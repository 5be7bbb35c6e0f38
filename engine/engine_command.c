#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine_private.h"
#include "fault.h"

/* Commands: one function each, found in a table. A change is asked, then acknowledged with the value in effect. */

void engine_note_knob(struct engine *e, struct knob_ref ref, enum knob_state state, const char *reason)
{
	struct knob_note *n = &e->note[ref.id][ref.job];

	n->state = state;
	text_format(n->reason, sizeof(n->reason), "%s", reason ? reason : "");
}

void engine_fill_knob(const struct engine *e, struct knob_ref ref, struct knob_view *v)
{
	const struct knob_note *n = &e->note[ref.id][ref.job];
	const char *why = NULL;

	*v = (struct knob_view){.ref = ref, .state = n->state};
	v->asked = knob_get(&e->asked, ref);
	v->in_effect = knob_get(&e->effect, ref);
	v->before = e->before.valid ? knob_get(&e->before.config, ref) : v->in_effect;
	v->applies = knob_applies(&e->effect, ref, &why);
	text_format(v->reason, sizeof(v->reason), "%s", v->applies ? n->reason : why);
}

static struct act *knob_act(struct engine *e, struct knob_ref ref, enum cause cause, bool merge, int64_t was)
{
	struct act *last = engine_last_marked(e);
	bool same = merge && last && last->kind == ACT_KNOB && last->ref.id == ref.id && last->ref.job == ref.job && !last->judged;

	if (same) {
		engine_restart_window(e);
		return last;
	}
	engine_begin_segment(e);
	struct act *a = engine_add_act(e, ACT_KNOB, cause, true);
	a->ref = ref;
	a->from = e->before.valid ? knob_get(&e->before.config, ref) : was;
	if (e->n_undo == UNDO_DEPTH)
		memmove(e->undo, e->undo + 1, (UNDO_DEPTH - 1) * sizeof(e->undo[0])), e->n_undo--;
	e->undo[e->n_undo++] = (struct undo){ref, was, a->number};
	return a;
}

/* "qd"; "other.jobs" where it is not the first job's. */
static const char *knob_words(const struct engine *e, struct knob_ref ref, char *buf, size_t room)
{
	if (!ref.job)
		return knob_table[ref.id].name;
	text_format(buf, room, "%s.%s", e->effect.job[ref.job].name, knob_table[ref.id].name);
	return buf;
}

/* `was`: in effect before; the act's own `from` is what it is compared with. */
static void say_knob(const struct engine *e, struct act *a, int64_t was, const char *reason)
{
	char from[32], to[32], asked[32], words[SPEC_NAME + 16];
	const char *name = knob_words(e, a->ref, words, sizeof(words));

	knob_format(a->ref, was, from, sizeof(from));
	knob_format(a->ref, a->to, to, sizeof(to));
	knob_format(a->ref, a->asked, asked, sizeof(asked));
	if (a->state == KNOB_IN_EFFECT)
		text_format(a->text, sizeof(a->text), "%s %s>%s in effect", name, from, to);
	else if (a->state == KNOB_PENDING)
		text_format(a->text, sizeof(a->text), "%s asked %s, in effect %s until the restart (:restart)", name, asked, to);
	else if (a->state == KNOB_CLAMPED)
		text_format(a->text, sizeof(a->text), "%s asked %s, in effect %s: %s", name, asked, to, reason);
	else
		text_format(a->text, sizeof(a->text), "%s %s refused: %s", name, asked, reason);
}

/* Refused: nothing changes, but the operator is told, and the log has it. */
static int refuse(struct engine *e, struct knob_ref ref, int64_t value, enum cause cause, const struct err *why, int code)
{
	struct act *a = engine_add_act(e, ACT_KNOB, cause, false);

	a->ref = ref;
	a->from = a->to = knob_get(&e->effect, ref);
	a->asked = value;
	a->state = KNOB_REFUSED;
	say_knob(e, a, a->from, why->text);
	engine_note_knob(e, ref, KNOB_REFUSED, why->text);
	e->note[ref.id][ref.job].refused = value;
	return code;
}

static int put_in_effect(struct engine *e, struct knob_ref ref, int64_t value, struct err *err)
{
	struct config was = e->effect;

	knob_put(&e->effect, ref, value);
	int code = crew_set(&e->crew, &e->effect, &was, ref, err);
	if (code < 0)
		e->effect = was;
	return code;
}

/* What the real devices say to it: alignment, region, no writing where only reading was allowed. */
static int check_targets(const struct engine *e, struct knob_ref ref, int64_t value, struct err *why)
{
	struct config *cfg = malloc(sizeof(*cfg));
	int code = cfg ? 0 : err_set(why, -ENOMEM, "out of memory");

	if (cfg) {
		*cfg = e->asked;
		knob_put(cfg, ref, value);
		code = target_check(e->o.targets, cfg, why);
	}
	free(cfg);
	return code;
}

/* May it be asked, here and now? */
static int check_asked(struct engine *e, struct knob_ref ref, int64_t value, enum cause cause, struct err *why)
{
	const char *reason = NULL;
	int code = knob_check(&e->asked, ref, value, why);

	if (!code && ref.id == KNOB_PATH)
		code = worker_check_path(e->ops, &e->spec->owners, (enum path_policy)(value >> 32), why);
	if (!code && cause != CAUSE_STEP && !knob_applies(&e->effect, ref, &reason))
		code = err_set(why, -ENOTSUP, "no effect here: %s", reason);
	return !code && e->o.targets ? check_targets(e, ref, value, why) : code;
}

/* Asked, but another value is or stays in effect: told, not marked in the strips. */
static int not_as_asked(struct engine *e, struct knob_ref ref, int64_t value, enum cause cause, enum knob_state state, const char *reason)
{
	struct act *a = engine_add_act(e, ACT_KNOB, cause, false);

	knob_put(&e->asked, ref, value);
	a->ref = ref;
	a->from = a->to = knob_get(&e->effect, ref);
	a->asked = value;
	a->state = state;
	say_knob(e, a, a->from, reason);
	engine_note_knob(e, ref, state, reason);
	return 0;
}

int engine_apply(struct engine *e, struct knob_ref ref, int64_t value, enum cause cause, bool merge, struct err *err)
{
	struct err why;
	int64_t was = knob_get(&e->effect, ref);
	int code = check_asked(e, ref, value, cause, &why);

	if (code < 0) {
		if (err)
			*err = why;
		return refuse(e, ref, value, cause, &why, code);
	}
	if (value == was) {
		knob_put(&e->asked, ref, value);
		engine_note_knob(e, ref, KNOB_IN_EFFECT, NULL);
		return 0;
	}
	if (e->effect.host.restart >> ref.id & 1)
		return not_as_asked(e, ref, value, cause, KNOB_PENDING, "takes effect at a restart (:restart)");
	if (ref.id == KNOB_POWER && e->effect.volume.em_bug)
		return not_as_asked(e, ref, value, cause, KNOB_CLAMPED, "EM bug: whatever is asked, 1 is used");
	if (cause != CAUSE_STEP) {
		struct act *a = knob_act(e, ref, cause, merge, was);
		a->asked = a->to = value;
		say_knob(e, a, merge ? a->from : was, NULL);
	}
	knob_put(&e->asked, ref, value);
	engine_note_knob(e, ref, KNOB_IN_EFFECT, NULL);
	return put_in_effect(e, ref, value, err);
}

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
		code = put_in_effect(e, ref, knob_get(&asked, ref), err);
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
