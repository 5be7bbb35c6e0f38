/* What the deck does for a knob: choose it, step it, set it, send the change to the engine. */
#include <errno.h>
#include <stdlib.h>

#include "actions.h"
#include "base/clock.h"
#include "base/text.h"

/* Steps within this time are one change. */
#define MERGE_NS (300 * NS_PER_MS)

/* ---- the engine ---- */

static uint64_t acts_seen(struct console *c)
{
	const struct snapshot *s = c->snapshot;

	return s && s->n_acts ? s->act[s->n_acts - 1].number : 0;
}

/* The strip shows the first job's knobs; only those have a place for what is asked. */
static void note_asked(struct console *c, const struct command *command)
{
	if (command->type != COMMAND_SET || command->ref.job)
		return;
	c->view.asked[command->ref.id] = (struct asked){ .waiting = true,
							 .value = command->value,
							 .since_ns = c->now_ns,
							 .acts_seen = acts_seen(c) };
}

static int send(struct console *c, const struct command *command, struct err *err)
{
	if (!c->session)
		return err_set(err, -ENOENT, "no preset is open; :load NAME");
	note_asked(c, command);
	if (!session_send(c->session, command))
		return err_set(err, -EAGAIN, "the engine is busy: this was not done, try again");
	c->view.message[0] = '\0';
	return 0;
}

int action_engine(struct console *c, const struct action *a, struct err *err)
{
	return send(c, &a->command, err);
}

/* ---- knobs ---- */

static const struct knob_view *chosen_knob(struct console *c)
{
	const struct snapshot *s = c->snapshot;

	return s ? &s->knob[c->view.knob] : NULL;
}

/* What it is, or why it has no effect. */
static void explain(struct console *c)
{
	const struct knob_row *row = &knob_table[c->view.knob];
	const struct knob_view *k = chosen_knob(c);

	if (k && !k->applies)
		console_say(c, false, "%s has no effect here: %s", row->label, k->reason);
	else
		console_say(c, false, "%s: %s; + - turn, Enter types a value", row->label,
			    row->what);
}

int action_choose(struct console *c, const struct action *a, struct err *err)
{
	(void)err;
	c->view.knob = a->amount;
	explain(c);
	return 0;
}

/* To the next knob that has an effect. */
int action_move(struct console *c, const struct action *a, struct err *err)
{
	const struct snapshot *s = c->snapshot;
	int knob = c->view.knob;

	(void)err;
	for (int i = 0; i < N_KNOBS; i++) {
		knob = (knob + a->amount + N_KNOBS) % N_KNOBS;
		if (!s || s->knob[knob].applies)
			break;
	}
	c->view.knob = knob;
	explain(c);
	return 0;
}

/* Steps go on from what was asked last, so that five quick presses are five steps. */
static int64_t step_from(const struct view *v, const struct knob_view *k)
{
	const struct asked *asked = &v->asked[k->ref.id];

	if (asked->waiting)
		return asked->value;
	return k->state == KNOB_PENDING ? k->asked : k->in_effect;
}

static bool merges(const struct console *c)
{
	return c->step_knob == c->view.knob && c->now_ns - c->step_ns < MERGE_NS;
}

int action_step_knob(struct console *c, const struct action *a, struct err *err)
{
	const struct knob_view *k = chosen_knob(c);
	struct command set = { .type = COMMAND_SET, .cause = a->command.cause };
	int64_t from;

	if (!k)
		return err_set(err, -ENOENT, "no preset is open; :load NAME");
	if (!k->applies) {
		explain(c);
		return 0;
	}
	from = step_from(&c->view, k);
	set.ref = k->ref;
	set.value = knob_step_value(k->ref, from, a->amount);
	set.merge = merges(c);
	c->step_knob = c->view.knob;
	c->step_ns = c->now_ns;
	if (set.value == from)
		return err_set(err, -ERANGE, "%s is at the end of its range",
			       knob_table[k->ref.id].label);
	return send(c, &set, err);
}

int action_type_value(struct console *c, const struct action *a, struct err *err)
{
	char text[64];

	(void)a;
	(void)err;
	text_format(text, sizeof(text), "set %s ", knob_table[c->view.knob].name);
	cmdline_open(&c->view.line, text);
	return 0;
}

static int set_back(struct console *c, const struct config *cfg, enum cause cause, struct err *err)
{
	int ret = 0;

	for (int id = 0; !ret && id < N_KNOBS; id++) {
		const struct knob_view *k = &c->snapshot->knob[id];
		struct command set = { .type = COMMAND_SET, .cause = cause, .ref = k->ref };

		set.value = knob_get(cfg, set.ref);
		if (k->applies && step_from(&c->view, k) != set.value)
			ret = send(c, &set, err);
	}
	return ret;
}

/* Every knob that stands elsewhere goes back to what the step says. */
int action_preset_values(struct console *c, const struct action *a, struct err *err)
{
	struct config *cfg;
	int ret;

	if (!c->snapshot)
		return err_set(err, -ENOENT, "no preset is open; :load NAME");
	cfg = malloc(sizeof(*cfg));
	if (!cfg)
		return err_set(err, -ENOMEM, "out of memory");
	ret = spec_step_config(session_spec(c->session), c->snapshot->step, cfg, err);
	if (!ret)
		ret = set_back(c, cfg, a->command.cause, err);
	free(cfg);
	return ret;
}
