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

/* Printed only when it fits whole. */
static int add_text(struct canvas *c, int row, int column, int end, enum role role, const char *text)
{
	return column + canvas_width(text) <= end ? canvas_text(c, row, column, end, role, text) : column;
}

/* "01:04.0 #3 qd 1>10 in effect (key, request 61234)  IOPS x16.4 [16.3,16.5]" */
static void act_line(struct canvas *c, struct rect part, int row, const struct act *a)
{
	char clock[FIGURE_ROOM], cause[64], ratio[FIGURE_ROOM], result[96], gap[24];
	int end = part.column + part.columns, was;
	bool bad = a->state == KNOB_REFUSED;
	int column = canvas_printf(c, row, part.column, end, bad ? ROLE_WARN : ROLE_TEXT,
				   "%s #%llu %s%s", figure_clock(clock, sizeof(clock), a->t_ns, 1),
				   (unsigned long long)a->number, bad ? "! " : "", a->text);
	if (a->kind == ACT_OUTSIDE && isfinite(a->gap_ms))
		column = canvas_printf(c, row, column, end, ROLE_TEXT, "; longest gap %s ms",
				       units_format_ms(gap, sizeof(gap), a->gap_ms * 1e6));
	was = column;
	text_format(cause, sizeof(cause), " (%s, request %llu)", cause_names[a->cause],
		    (unsigned long long)a->request);
	if (a->request)
		column = add_text(c, row, column, end, ROLE_AXIS, cause);
	text_format(cause, sizeof(cause), " (%s)", cause_names[a->cause]);
	if (column == was)
		column = add_text(c, row, column, end, ROLE_AXIS, cause);
	if (!a->judged)
		return;
	figure_ratio(ratio, sizeof(ratio), a->ratio, a->ratio_low, a->ratio_high);
	text_format(result, sizeof(result), "  IOPS %s%s", ratio, a->settled ? "" : " unsettled");
	add_text(c, row, column, end, ROLE_TEXT, result);
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

/* Lives on, second by second; only what went wrong at the console itself is more urgent. */
static void no_answer(struct canvas *c, struct rect part, const struct silence_view *v)
{
	canvas_printf(c, part.row, part.column, part.column + part.columns, ROLE_WARN, "! no answer: %u request%s outstanding, oldest %lld s", v->n,
		      v->n > 1 ? "s" : "", (long long)(v->oldest_ns / NS_PER_S));
}

/* What is bad has a remedy at its end, so it may take a second row. */
static void bad_text(const struct snapshot *s, const struct view *v, char *buf, size_t room)
{
	const struct act *a = news(s);
	char clock[FIGURE_ROOM];

	buf[0] = '\0';
	if (v->message[0] && last_act(s) <= v->message_acts)
		text_format(buf, room, "%s%s", v->message_bad ? "! " : "", v->message_bad ? v->message : "");
	else if (a && a->state == KNOB_REFUSED && !s->silence.n)
		text_format(buf, room, "%s #%llu ! %s", figure_clock(clock, sizeof(clock), a->t_ns, 1),
			    (unsigned long long)a->number, a->text);
}

int area_message_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct rect part = { 0, 0, 2, c->columns };
	char text[700];
	int rows;

	bad_text(s, v, text, sizeof(text));
	rows = canvas_wrap((struct canvas *)c, part, ROLE_WARN, text, false);
	return rows < 1 ? 1 : rows;
}

void area_message(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	char text[700];

	bad_text(s, v, text, sizeof(text));
	if (part.rows > 1 && text[0])
		canvas_wrap(c, part, ROLE_WARN, text, true);
	else
		screen_message(c, part, s, v);
}

void screen_message(struct canvas *c, struct rect part, const struct snapshot *s,
		    const struct view *v)
{
	int end = part.column + part.columns;

	bool said = v->message[0] && last_act(s) <= v->message_acts;

	if (said && (v->message_bad || !s || !s->silence.n))
		canvas_printf(c, part.row, part.column, end, v->message_bad ? ROLE_WARN : ROLE_TEXT,
			      "%s%s", v->message_bad ? "! " : "", v->message);
	else if (s && s->silence.n)
		no_answer(c, part, &s->silence);
	else if (news(s))
		act_line(c, part, part.row, news(s));
	else if (s && s->question[0])
		canvas_text(c, part.row, part.column, end, ROLE_TEXT, s->question);
}
