/* A hand-made lesson of three steps and a log, for views 4 and 6. */
#ifndef IODECK_LESSON_SAMPLE_H
#define IODECK_LESSON_SAMPLE_H

#include "expect.h"
#include "sample.h"

static struct spec *lesson_spec(void)
{
	static char text[][128] = {
		"Each volume takes one request at a time.",
		"Ten aliases join, five for each LCU. What becomes of the requests that took 0.5-1 ms?",
		"all of them vanish",
		"many of them move",
		"there are more of them",
		"A second peak appears below 0.5 ms: requests that found a free alias and started at once.",
		"Look at the ghost bar.",
		"Little more.",
	};
	static struct expect expect[2], when[3];
	static struct step steps[3];
	static struct spec spec;

	expect[0] = (struct expect){ .text = "iops vs 'no alias' between 1.38 and 1.45", .term = { .what = EXPECT_FIGURE, .has_vs = true } };
	expect[1] = (struct expect){ .text = "share total 512us..1023us below 'no alias'", .term = { .what = EXPECT_SHARE, .row_first = 8, .row_last = 8 } };
	for (int i = 0; i < 3; i++)
		when[i] = (struct expect){ .term = { .what = EXPECT_SHARE, .row_first = 8, .row_last = 8 } };
	strcpy(when[0].text, "share total 512us..1023us <= 0.02");
	strcpy(when[1].text, "share total 512us..1023us below 'no alias'");
	strcpy(when[2].text, "share total 512us..1023us above 'no alias'");
	steps[0] = (struct step){ .name = "no alias", .caption = text[0] };
	steps[1] = (struct step){ .name = "aliases 10",
				  .ask = text[1],
				  .answer = { text[2], text[3], text[4] },
				  .n_answer = 3,
				  .right = 1,
				  .when = when,
				  .n_when = 3,
				  .expect = expect,
				  .n_expect = 2,
				  .caption = text[5],
				  .hint = text[6] };
	steps[2] = (struct step){ .name = "aliases 20", .caption = text[7] };
	strcpy(spec.name, "hyperpav");
	spec.step = steps;
	spec.n_steps = 3;
	return &spec;
}

static struct step_verdicts lesson_verdicts(void)
{
	struct step_verdicts v = { .step = 2, .end = END_RUNTIME, .n_expect = 2, .n_answer = 3 };

	v.expect[0] = (struct verdict_view){ true, true, 1.41, NAN, NULL };
	v.expect[1] = (struct verdict_view){ true, true, 0.18, 0.46, NULL };
	v.answer[0] = (struct verdict_view){ true, false, 0.18, NAN, NULL };
	v.answer[1] = (struct verdict_view){ true, true, 0.18, 0.46, NULL };
	v.answer[2] = (struct verdict_view){ true, false, 0.18, 0.46, NULL };
	return v;
}

/* Standing at the end of step 1, the question of step 2 is open. */
static SAMPLE_UNUSED struct snapshot *lesson_snapshot(struct view *v)
{
	struct snapshot *s = sample_aliases();

	strcpy(s->preset, "hyperpav");
	s->playing = s->straight = s->paused = s->at_end = true;
	s->step = 0;
	s->n_steps = 3;
	s->t_ns = 61 * NS_PER_S;
	lesson_begin(&v->lesson, lesson_spec());
	lesson_follow(&v->lesson, s);
	v->lesson.seen[0] = (struct step_verdicts){ .step = 1 };
	v->lesson.at = 1;
	v->screen = v->behind = SCREEN_STEPS;
	return s;
}

/* Played to its end after this answer. */
static SAMPLE_UNUSED void lesson_played(struct view *v, struct snapshot *s, uint8_t answer)
{
	v->lesson.answer[1] = answer;
	s->step = 1;
	s->verdicts = lesson_verdicts();
	lesson_follow(&v->lesson, s);
}

/* Ten entries of all sorts. */
static SAMPLE_UNUSED void lesson_log(struct event_log *l, struct view *v, const struct snapshot *s)
{
	memset(l, 0, sizeof(*l));
	event_log_add(l, 0, false, "preset hyperpav opened, seed 42");
	event_log_follow(l, s);
	event_log_add(l, 90 * NS_PER_S, true, "cannot write 'x': it exists");
	v->log = l;
}

#endif
