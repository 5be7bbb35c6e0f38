/* View 4 as plain rows. */
#include "base/clock.h"
#include "base/text.h"
#include "figures.h"
#include "steps.h"
#include "verdict.h"

static void table_state(struct table *t, const struct lesson *l, const struct snapshot *s)
{
	struct lesson_score score = lesson_score(l);
	char clock[FIGURE_ROOM], speed[FIGURE_ROOM];

	table_row(t, "preset", NULL, "%s", s->preset);
	table_row(t, "step", NULL, "%u of %u", l->at + 1, s->n_steps);
	table_row(t, "step name", NULL, "%s", l->spec->step[l->at].name);
	table_row(t, "state", NULL, "%s", phase_names[lesson_phase(l, s)]);
	table_row(t, "time", NULL, "%s", figure_clock(clock, sizeof(clock), s->t_ns, 1));
	table_row(t, "speed", NULL, "%s", figure_speed(speed, sizeof(speed), s->speed));
	table_row(t, "score", NULL, "%u of %u", score.right, score.scored);
	table_row(t, "skipped", NULL, "%u", score.skipped);
}

static void table_question(struct table *t, const struct lesson *l)
{
	const struct step *step = lesson_step(l);
	char name[32];

	table_row(t, "question", NULL, "%s", step->ask ? step->ask : "");
	for (uint32_t i = 0; i < step->n_answer; i++) {
		text_format(name, sizeof(name), "answer %u", i + 1);
		table_row(t, name, NULL, "%s", step->answer[i]);
	}
	table_row(t, "your answer", NULL, "%s", steps_answer_word(l, l->at));
}

static void table_found(struct table *t, const struct lesson *l)
{
	const struct step *step = lesson_step(l);
	const struct step_verdicts *v = &l->seen[l->at];
	char name[32], found[48];

	if (!v->step)
		return;
	if (step->ask)
		table_row(t, "right answer", NULL, "%u", step->right + 1);
	table_row(t, "caption", NULL, "%s", step->caption ? step->caption : "");
	for (uint32_t i = 0; i < v->n_expect && i < step->n_expect; i++) {
		text_format(name, sizeof(name), "expected %u", i + 1);
		table_row(t, name, NULL, "%s %s, found %s", v->expect[i].pass ? "met" : v->expect[i].known ? "missed" : "unknown", step->expect[i].text,
			  verdict_text(&step->expect[i], v->expect[i].known, v->expect[i].value, v->expect[i].word, found, sizeof(found)));
	}
	table_row(t, "hint", NULL, "%s", step->hint ? step->hint : "");
}

static void table_list(struct table *t, const struct lesson *l)
{
	char name[32];

	for (uint32_t i = 0; i < l->spec->n_steps && i < LESSON_STEPS; i++) {
		text_format(name, sizeof(name), "step %u", i + 1);
		table_row(t, name, NULL, "%s, %s%s%s", l->spec->step[i].name, l->seen[i].step ? "played" : "not played",
			  steps_answer_word(l, i)[0] ? ", " : "", steps_answer_word(l, i));
	}
}

void steps_table(struct table *t, const struct snapshot *s, const struct view *v)
{
	if (!s || !lesson_step(&v->lesson))
		return;
	table_state(t, &v->lesson, s);
	table_question(t, &v->lesson);
	table_found(t, &v->lesson);
	table_list(t, &v->lesson);
}
