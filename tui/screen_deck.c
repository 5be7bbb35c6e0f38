/* The main screen: which areas there are at a size, and where. No size is too small; the least
 * important area goes first. */
#include "deck_areas.h"

enum area {
	AREA_TITLE,
	AREA_KNOBS,
	AREA_JOBS,
	AREA_NUMBERS,
	AREA_IOPS,
	AREA_P99,
	AREA_MBPS,
	AREA_HEAT,
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

/* ---- what each area is ---- */

static const struct area_row {
	void (*draw)(struct canvas *c, struct rect part, const struct snapshot *s,
		     const struct view *v);
	int rows; /* at most, when `need` is NULL */
	int (*need)(const struct canvas *c, const struct snapshot *s, const struct view *v);
} areas[N_AREAS] = {
	[AREA_TITLE] = { area_title, 1, NULL },
	[AREA_KNOBS] = { area_knobs, 0, area_knobs_need },
	[AREA_JOBS] = { area_jobs, 0, area_jobs_need },
	[AREA_NUMBERS] = { area_numbers, 0, area_numbers_need },
	[AREA_IOPS] = { area_iops, 100, NULL },
	[AREA_P99] = { area_p99, 100, NULL },
	[AREA_MBPS] = { area_mbps, 0, area_tall_need },
	[AREA_HEAT] = { area_heat, 0, area_tall_need },
	[AREA_AXIS] = { area_axis, 1, NULL },
	[AREA_LEGEND] = { area_legend, 1, NULL },
	[AREA_HIST] = { area_hist, 12, NULL },
	[AREA_PARTS] = { area_parts, 0, area_panel_parts_need },
	[AREA_EVENTS] = { area_events, 0, area_events_need },
	[AREA_CAPTION] = { area_caption, 0, area_caption_need },
	[AREA_MESSAGE] = { area_message, 0, area_message_need },
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
	{ AREA_MESSAGE, 2 },
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
	{ AREA_IOPS, ALL },
	{ AREA_P99, ALL },
	{ AREA_SPARE, CANVAS_MAX_ROWS },
};

/* From 36 rows on: ten bins and the figures beside the strips come before more of the events. */
static const struct growth growth_tall[] = {
	{ AREA_FOOTER, 1 },
	{ AREA_TITLE, 1 },
	{ AREA_MESSAGE, 1 },
	{ AREA_KNOBS, ALL },
	{ AREA_JOBS, ALL },
	{ AREA_NUMBERS, 2 },
	{ AREA_IOPS, 5 },
	{ AREA_P99, 4 },
	{ AREA_AXIS, 1 },
	{ AREA_LEGEND, 1 },
	{ AREA_PARTS, ALL },
	{ AREA_HIST, 9 },
	{ AREA_MESSAGE, 2 },
	{ AREA_CAPTION, ALL },
	{ AREA_HIST, 11 },
	{ AREA_EVENTS, 3 },
	{ AREA_IOPS, 6 },
	{ AREA_P99, 5 },
	{ AREA_MBPS, 3 },
	{ AREA_HEAT, 8 },
	{ AREA_HIST, 12 },
	{ AREA_EVENTS, 5 },
	{ AREA_IOPS, 7 },
	{ AREA_P99, 6 },
	{ AREA_EVENTS, 6 },
	{ AREA_IOPS, 8 },
	{ AREA_HEAT, 10 },
	{ AREA_MBPS, 4 },
	{ AREA_EVENTS, 9 },
	{ AREA_IOPS, 10 },
	{ AREA_P99, 8 },
	{ AREA_HEAT, 14 },
	{ AREA_MBPS, 6 },
	{ AREA_EVENTS, 17 },
	{ AREA_IOPS, 16 },
	{ AREA_P99, 12 },
	{ AREA_MBPS, 10 },
	{ AREA_HEAT, 20 },
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
	bool tall = deck_height_class(c) >= SIZE_L;
	const struct growth *g = tall ? growth_tall : growth;
	const struct growth *end = tall ? g + sizeof(growth_tall) / sizeof(*g) : g + sizeof(growth) / sizeof(*g);
	int left = c->rows;

	for (; g < end; g++) {
		enum area area = g->area;
		int most = need(area, c, s, v);
		int more = (g->rows < most ? g->rows : most) - rows[area];

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
	struct rect figures = { 0, c->columns - deck_stats_columns(c), 0, deck_stats_columns(c) };

	grow(rows, c, s, v);
	rows[AREA_SPARE] = c->rows;
	for (int area = 0; area < N_AREAS; area++)
		if (area != AREA_SPARE)
			rows[AREA_SPARE] -= rows[area];
	for (int area = 0; area < N_AREAS; area++) {
		struct rect part = { row, 0, rows[area], c->columns };

		if (rows[area] && areas[area].draw)
			areas[area].draw(c, part, s, v);
		if (area == AREA_IOPS)
			figures.row = row;
		row += rows[area];
		if (area == AREA_AXIS)
			figures.rows = row - figures.row;
	}
	if (figures.columns)
		deck_stats(c, figures, s);
}

void screen_deck(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	if (!s)
		canvas_text(c, 0, 0, c->columns, ROLE_TEXT, "no preset is open; :load NAME");
	else if (deck_width_class(c) == SIZE_XS || deck_height_class(c) == SIZE_XS)
		deck_words(c, s, v);
	else
		draw_areas(c, s, v);
}
