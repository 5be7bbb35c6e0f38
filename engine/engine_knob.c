#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine_private.h"

/* A knob is asked, then acknowledged with the value in effect: taken, clamped, refused, or pending until a restart. */

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

int engine_put_in_effect(struct engine *e, struct knob_ref ref, int64_t value, struct err *err)
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
	return engine_put_in_effect(e, ref, value, err);
}
