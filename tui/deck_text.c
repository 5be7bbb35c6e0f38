/* Sentences: the step's caption, the last events, the message row. */
#include <math.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "deck_areas.h"
#include "figures.h"

enum { CAPTION_ROWS = 3 };

static struct rect caption_text(struct rect part)
{
	return (struct rect){ part.row, part.column + 1, part.rows, part.columns - 2 };
}

int area_caption_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct rect part = { 0, 0, CAPTION_ROWS, c->columns };

	if (v->read_step == s->step + 1)
		return 0;
	return canvas_wrap((struct canvas *)c, caption_text(part), ROLE_TEXT, s->caption, false);
}

void area_caption(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct view *v)
{
	(void)v;
	canvas_wrap(c, caption_text(part), ROLE_TEXT, s->caption, true);
}

/* "01:40.2 #3 qd 1>10 in effect (key)" */
static void act_line(struct canvas *c, struct rect part, int row, const struct act *a)
{
	char clock[FIGURE_ROOM];
	int end = part.column + part.columns;
	bool bad = a->state == KNOB_REFUSED;
	int column = canvas_printf(c, row, part.column, end, bad ? ROLE_WARN : ROLE_TEXT,
				   "%s #%llu %s%s", figure_clock(clock, sizeof(clock), a->t_ns, 1),
				   (unsigned long long)a->number, bad ? "! " : "", a->text);
	char cause[32], gap[24];

	if (a->kind == ACT_OUTSIDE && isfinite(a->gap_ms))
		column = canvas_printf(c, row, column, end, ROLE_TEXT, "; longest gap %s ms", units_format_ms(gap, sizeof(gap), a->gap_ms * 1e6));
	text_format(cause, sizeof(cause), " (%s)", cause_names[a->cause]);
	if (column + canvas_width(cause) <= end)
		canvas_text(c, row, column, end, ROLE_AXIS, cause);
}

int area_events_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	(void)c;
	(void)v;
	return s->n_acts ? (int)s->n_acts + 1 : 0;
}

/* Newest first. */
void area_events(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	int end = part.column + part.columns;
	int column = canvas_text(c, part.row, part.column, end, ROLE_TEXT, "EVENTS ");

	(void)v;
	canvas_fill(c, part.row, column, end, ROLE_AXIS, '-');
	for (int i = 1; i < part.rows && (uint32_t)i <= s->n_acts; i++)
		act_line(c, part, part.row + i, &s->act[s->n_acts - (uint32_t)i]);
}

/* ---- the message row ---- */

static uint64_t last_act(const struct snapshot *s)
{
	return s && s->n_acts ? s->act[s->n_acts - 1].number : 0;
}

/* The act worth telling: the newest but the step that has begun, which the title names. */
static const struct act *news(const struct snapshot *s)
{
	const struct act *a = s && s->n_acts ? &s->act[s->n_acts - 1] : NULL;

	return a && a->kind != ACT_STEP ? a : NULL;
}

/* Lives on, second by second, whatever else was said before. */
static void no_answer(struct canvas *c, struct rect part, const struct silence_view *v)
{
	canvas_printf(c, part.row, part.column, part.column + part.columns, ROLE_WARN, "! no answer: %u request%s outstanding, oldest %lld s", v->n,
		      v->n > 1 ? "s" : "", (long long)(v->oldest_ns / NS_PER_S));
}

void screen_message(struct canvas *c, struct rect part, const struct snapshot *s,
		    const struct view *v)
{
	int end = part.column + part.columns;

	if (v->message[0] && last_act(s) <= v->message_acts)
		canvas_printf(c, part.row, part.column, end, v->message_bad ? ROLE_WARN : ROLE_TEXT,
			      "%s%s", v->message_bad ? "! " : "", v->message);
	else if (s && s->silence.n)
		no_answer(c, part, &s->silence);
	else if (news(s))
		act_line(c, part, part.row, news(s));
	else if (s && s->question[0])
		canvas_text(c, part.row, part.column, end, ROLE_TEXT, s->question);
}
