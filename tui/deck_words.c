/* The main screen below 40x10: a few lines of words. */
#include "base/text.h"
#include "base/units.h"
#include "deck_areas.h"
#include "figures.h"

static void word_state(const struct snapshot *s, const struct view *v, char *buf, size_t room)
{
	char state[32], clock[FIGURE_ROOM];

	(void)v;
	text_format(buf, room, "%s %s %s", deck_state(s, state, sizeof(state)),
		    figure_clock(clock, sizeof(clock), s->t_ns, 0), s->preset);
}

static void word_iops(const struct snapshot *s, const struct view *v, char *buf, size_t room)
{
	char iops[24], change[FIGURE_ROOM];

	(void)v;
	text_format(buf, room, "IOPS %s %s", units_format_count(iops, sizeof(iops), s->iops),
		    s->has_before ? figure_ratio_short(change, sizeof(change), s->change_ratio,
						       s->change_low, s->change_high)
				  : "");
}

static void word_p99(const struct snapshot *s, const struct view *v, char *buf, size_t room)
{
	char now[24], was[24];
	bool few = s->window[METRIC_TOTAL].n && !hist_enough(s->window[METRIC_TOTAL].n, 0.99);
	size_t n = text_format(buf, room, "p99%s%s ms", few ? "?" : " ",
			       units_format_ms(now, sizeof(now), s->window[METRIC_TOTAL].p99_ns));

	(void)v;
	if (s->has_before)
		text_format(buf + n, room - n, " (%s)",
			    units_format_ms(was, sizeof(was), s->before[METRIC_TOTAL].p99_ns));
}

static void word_knob(const struct snapshot *s, const struct view *v, char *buf, size_t room)
{
	const struct knob_view *k = &s->knob[v->knob];
	char value[64];

	text_format(buf, room, "%s%s%s", knob_table[v->knob].label,
		    v->asked[v->knob].waiting ? "?" : "",
		    !k->applies ? "-" : knob_format(k->ref, k->in_effect, value, sizeof(value)));
}

static void word_need(const struct snapshot *s, const struct view *v, char *buf, size_t room)
{
	(void)s;
	(void)v;
	text_format(buf, room, "80x24 for charts");
}

/* Top to bottom; with fewer rows those of the highest rank go. */
static const struct {
	void (*write)(const struct snapshot *s, const struct view *v, char *buf, size_t room);
	int rank;
} words[] = {
	{ word_state, 3 },
	{ word_iops, 0 },
	{ word_p99, 2 },
	{ word_knob, 1 },
	{ word_need, 4 },
};

void deck_words(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct rect message = { c->rows - 1, 0, 1, c->columns };
	int row = 0;

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char text[128];

		if (words[i].rank >= c->rows)
			continue;
		words[i].write(s, v, text, sizeof(text));
		canvas_text(c, row++, 0, c->columns, ROLE_TEXT, text);
	}
	if (c->rows > row)
		screen_message(c, message, s, v);
}
