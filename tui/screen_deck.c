/* The main screen: which areas there are at a size, and where. No size is too small; the least
 * important area goes first. */
#include "screen.h"

#include "base/text.h"
#include "base/units.h"
#include "chart.h"
#include "deck_areas.h"
#include "figures.h"
#include "histplot.h"

enum area {
	AREA_TITLE,
	AREA_KNOBS,
	AREA_NUMBERS,
	AREA_IOPS,
	AREA_P99,
	AREA_AXIS,
	AREA_LEGEND,
	AREA_HIST,
	AREA_PARTS,
	AREA_EVENTS,
	AREA_SPARE,
	AREA_CAPTION,
	AREA_MESSAGE,
	AREA_FOOTER,
	N_AREAS,
};

/* ---- areas of one line of code ---- */

static struct time_axis time_axis(const struct canvas *c, const struct snapshot *s)
{
	return chart_time_axis(s, c->glyphs, c->columns - CHART_GUTTER);
}

static void area_iops(struct canvas *c, struct rect part, const struct snapshot *s,
		      const struct view *v)
{
	struct time_axis t = time_axis(c, s);

	(void)v;
	chart_strip(c, part, s, &t, STRIP_IOPS);
}

static void area_p99(struct canvas *c, struct rect part, const struct snapshot *s,
		     const struct view *v)
{
	struct time_axis t = time_axis(c, s);

	(void)v;
	chart_strip(c, part, s, &t, STRIP_P99);
}

static void area_axis(struct canvas *c, struct rect part, const struct snapshot *s,
		      const struct view *v)
{
	struct time_axis t = time_axis(c, s);

	(void)v;
	chart_markers(c, part, s, &t);
}

static void area_hist(struct canvas *c, struct rect part, const struct snapshot *s,
		      const struct view *v)
{
	struct bins b;
	struct histplot total = { .title = "TOTAL ms",
				  .role = ROLE_NOW,
				  .now = &s->window[METRIC_TOTAL] };
	struct histplot device = { .title = "DEVICE ms",
				   .role = ROLE_DEVICE,
				   .now = &s->window[METRIC_DEVICE] };
	int gap = part.columns >= 80 ? 2 : 1, half = (part.columns - gap) / 2;
	struct rect left = { part.row, part.column, part.rows, half };
	struct rect right = { part.row, part.column + part.columns - half, part.rows, half };

	(void)v;
	if (s->has_before) {
		total.before = &s->before[METRIC_TOTAL];
		device.before = &s->before[METRIC_DEVICE];
	}
	bins_choose(&b, s, part.rows - 1);
	histplot_draw(c, left, &total, &b);
	histplot_draw(c, right, &device, &b);
}

/* ---- what each area is ---- */

static const struct area_row {
	void (*draw)(struct canvas *c, struct rect part, const struct snapshot *s,
		     const struct view *v);
	int rows; /* at most, when `need` is NULL */
	int (*need)(const struct canvas *c, const struct snapshot *s, const struct view *v);
} areas[N_AREAS] = {
	[AREA_TITLE] = { area_title, 1, NULL },
	[AREA_KNOBS] = { area_knobs, 0, area_knobs_need },
	[AREA_NUMBERS] = { area_numbers, 2, NULL },
	[AREA_IOPS] = { area_iops, 100, NULL },
	[AREA_P99] = { area_p99, 100, NULL },
	[AREA_AXIS] = { area_axis, 1, NULL },
	[AREA_LEGEND] = { area_legend, 1, NULL },
	[AREA_HIST] = { area_hist, 13, NULL },
	[AREA_PARTS] = { area_parts, 0, area_parts_need },
	[AREA_EVENTS] = { area_events, 0, area_events_need },
	[AREA_CAPTION] = { area_caption, 0, area_caption_need },
	[AREA_MESSAGE] = { screen_message, 1, NULL },
	[AREA_FOOTER] = { screen_footer, 1, NULL },
};

enum { ALL = 100 };

/* Rows are given in this order: each area up to `rows`, its first rows whole or not at all. At
 * 80x24 all is there down to the second line of P99 or, without caption and with few parts, to its
 * third. */
static const struct growth {
	enum area area;
	int rows;
} growth[] = {
	{ AREA_FOOTER, 1 },
	{ AREA_TITLE, 1 },
	{ AREA_NUMBERS, 1 },
	{ AREA_MESSAGE, 1 },
	{ AREA_KNOBS, 1 },
	{ AREA_IOPS, 2 },
	{ AREA_AXIS, 1 },
	{ AREA_HIST, 4 },
	{ AREA_KNOBS, ALL },
	{ AREA_PARTS, 1 },
	{ AREA_LEGEND, 1 },
	{ AREA_HIST, 5 },
	{ AREA_P99, 2 },
	{ AREA_NUMBERS, 2 },
	{ AREA_CAPTION, ALL },
	{ AREA_PARTS, ALL },
	{ AREA_HIST, 7 },
	{ AREA_IOPS, 3 },
	{ AREA_HIST, 8 },
	{ AREA_P99, 3 },
	/* more than 24 rows */
	{ AREA_IOPS, 4 },
	{ AREA_HIST, 9 },
	{ AREA_IOPS, 5 },
	{ AREA_P99, 4 },
	{ AREA_EVENTS, 3 },
	{ AREA_HIST, 11 },
	{ AREA_IOPS, 6 },
	{ AREA_P99, 5 },
	{ AREA_EVENTS, 5 },
	{ AREA_IOPS, 8 },
	{ AREA_P99, 7 },
	{ AREA_HIST, 13 },
	{ AREA_EVENTS, 9 },
	{ AREA_IOPS, 14 },
	{ AREA_P99, 12 },
	{ AREA_EVENTS, 17 },
	{ AREA_IOPS, ALL },
	{ AREA_P99, ALL },
	{ AREA_SPARE, CANVAS_MAX_ROWS },
};

static int need(enum area area, const struct canvas *c, const struct snapshot *s,
		const struct view *v)
{
	if (area == AREA_SPARE)
		return CANVAS_MAX_ROWS;
	return areas[area].need ? areas[area].need(c, s, v) : areas[area].rows;
}

static void grow(int rows[N_AREAS], const struct canvas *c, const struct snapshot *s,
		 const struct view *v)
{
	int left = c->rows;

	for (unsigned i = 0; i < sizeof(growth) / sizeof(growth[0]); i++) {
		enum area area = growth[i].area;
		int most = need(area, c, s, v);
		int more = (growth[i].rows < most ? growth[i].rows : most) - rows[area];

		if (more > left)
			more = rows[area] || area == AREA_SPARE ? left : 0;
		if (more > 0) {
			rows[area] += more;
			left -= more;
		}
	}
}

static void draw_areas(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	int rows[N_AREAS] = { 0 }, row = 0;

	grow(rows, c, s, v);
	rows[AREA_SPARE] = c->rows;
	for (int area = 0; area < N_AREAS; area++)
		if (area != AREA_SPARE)
			rows[AREA_SPARE] -= rows[area];
	for (int area = 0; area < N_AREAS; area++) {
		struct rect part = { row, 0, rows[area], c->columns };

		if (rows[area] && areas[area].draw)
			areas[area].draw(c, part, s, v);
		row += rows[area];
	}
}

/* ---- below 40x10: words ---- */

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

static void draw_words(struct canvas *c, const struct snapshot *s, const struct view *v)
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

void screen_deck(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	if (!s)
		canvas_text(c, 0, 0, c->columns, ROLE_TEXT, "no preset is open; :load NAME");
	else if (c->columns < 40 || c->rows < 10)
		draw_words(c, s, v);
	else
		draw_areas(c, s, v);
}
