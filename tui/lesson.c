#include "lesson.h"

#include <string.h>

#include "expect.h"

const char *const phase_names[N_PHASES] = { "PREDICT", "READY", "GOING", "RUNS", "PAUSED", "DONE", "TAKEN OVER" };

void lesson_begin(struct lesson *l, const struct spec *spec)
{
	memset(l, 0, sizeof(*l));
	l->spec = spec;
}

const struct step *lesson_step(const struct lesson *l)
{
	return l->spec && l->at < l->spec->n_steps ? &l->spec->step[l->at] : NULL;
}

/* Everything the engine was sent has been obeyed. */
static bool is_answer(const struct lesson *l, const struct snapshot *s)
{
	return s->n_goto == l->n_goto;
}

static void remember_place(struct lesson *l, const struct snapshot *s)
{
	l->place = (struct lesson_place){ .valid = true, .at_end = s->at_end, .step = s->step, .t_ns = s->t_ns };
}

void lesson_follow(struct lesson *l, const struct snapshot *s)
{
	if (!l->spec || !is_answer(l, s))
		return;
	if (s->verdicts.step && s->verdicts.step <= LESSON_STEPS)
		l->seen[s->verdicts.step - 1] = s->verdicts;
	if (s->seeking)
		return;
	if (s->straight)
		remember_place(l, s);
	l->away = !s->straight && l->place.valid && !s->playing;
	if (l->to_time || (!s->at_end && (s->straight || s->playing || !l->place.valid)))
		l->at = s->step;
	l->to_time = false;
}

enum phase lesson_phase(const struct lesson *l, const struct snapshot *s)
{
	const struct step *step = lesson_step(l);
	bool at_start = s->straight && s->paused && s->t_ns == 0;

	if (s->seeking || !is_answer(l, s))
		return PHASE_GOING;
	if (l->away)
		return PHASE_AWAY;
	if (s->playing && !s->at_end && !at_start && s->step == l->at)
		return s->paused ? PHASE_PAUSED : PHASE_RUNS;
	if (l->at < LESSON_STEPS && l->seen[l->at].step)
		return PHASE_DONE;
	if (step && step->ask && l->at < LESSON_STEPS && l->answer[l->at] == ANSWER_NONE)
		return PHASE_ASK;
	return PHASE_READY;
}

bool lesson_stands(const struct lesson *l, const struct snapshot *s)
{
	return s->at_end && s->step == l->at;
}

struct lesson_score lesson_score(const struct lesson *l)
{
	struct lesson_score score = { 0 };

	for (uint32_t i = 0; l->spec && i < l->spec->n_steps && i < LESSON_STEPS; i++) {
		if (!l->seen[i].step || l->answer[i] == ANSWER_NONE)
			continue;
		score.skipped += l->answer[i] == ANSWER_SKIPPED;
		score.scored += l->answer[i] != ANSWER_SKIPPED;
		score.right += l->answer[i] == l->spec->step[i].right + 1;
	}
	return score;
}

static bool has_bar(const struct expect *x)
{
	return x->term.what == EXPECT_SHARE || x->term.what == EXPECT_LARGEST;
}

/* The right answer's own condition, else the first expectation about a bar. */
static const struct expect *about_bar(const struct step *step)
{
	if (step->right < step->n_when && has_bar(&step->when[step->right]))
		return &step->when[step->right];
	for (uint32_t i = 0; i < step->n_expect; i++)
		if (has_bar(&step->expect[i]))
			return &step->expect[i];
	return NULL;
}

bool lesson_bar(const struct step *step, enum metric *metric, uint32_t *first, uint32_t *last)
{
	const struct expect *x = about_bar(step);

	if (!x)
		return false;
	*metric = x->term.metric;
	*first = x->term.what == EXPECT_LARGEST ? x->row_first : x->term.row_first;
	*last = x->term.what == EXPECT_LARGEST ? x->row_last : x->term.row_last;
	return true;
}
