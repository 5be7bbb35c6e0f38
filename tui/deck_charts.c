/* The charts of the main screen: strips and heat map on one time axis, the two histograms and beside
 * them, on a wide screen, the topology. Size classes decide which there are. */
#include "chart.h"
#include "deck_areas.h"
#include "heatmap.h"
#include "histplot.h"

/* ---- size classes ---- */

static enum size_class class_of(int size, const int least[SIZE_XL])
{
	int class = SIZE_XL;

	while (class > SIZE_XS && size < least[class - 1])
		class --;
	return (enum size_class) class;
}

enum size_class deck_width_class(const struct canvas *c)
{
	static const int least[SIZE_XL] = { 40, 80, 120, 180 };

	return class_of(c->columns, least);
}

enum size_class deck_height_class(const struct canvas *c)
{
	static const int least[SIZE_XL] = { 10, 24, 36, 48 };

	return class_of(c->rows, least);
}

/* ---- charts: all on one time axis, beside them the figures ---- */

static struct time_axis time_axis(const struct canvas *c, const struct snapshot *s)
{
	return chart_time_axis(s, c->glyphs, c->columns - CHART_GUTTER - deck_stats_columns(c));
}

static struct rect chart_part(const struct canvas *c, struct rect part)
{
	part.columns -= deck_stats_columns(c);
	return part;
}

static void strip(struct canvas *c, struct rect part, const struct snapshot *s,
		  enum strip_what what)
{
	struct time_axis t = time_axis(c, s);

	chart_strip(c, chart_part(c, part), s, &t, what);
}

void area_iops(struct canvas *c, struct rect part, const struct snapshot *s,
	       const struct view *v)
{
	(void)v;
	strip(c, part, s, STRIP_IOPS);
}

void area_p99(struct canvas *c, struct rect part, const struct snapshot *s,
	      const struct view *v)
{
	(void)v;
	strip(c, part, s, STRIP_P99);
}

void area_mbps(struct canvas *c, struct rect part, const struct snapshot *s,
	       const struct view *v)
{
	(void)v;
	strip(c, part, s, STRIP_MBPS);
}

void area_heat(struct canvas *c, struct rect part, const struct snapshot *s,
	       const struct view *v)
{
	struct time_axis t = time_axis(c, s);

	(void)v;
	heatmap_draw(c, chart_part(c, part), s, &t);
}

void area_axis(struct canvas *c, struct rect part, const struct snapshot *s,
	       const struct view *v)
{
	struct time_axis t = time_axis(c, s);

	(void)v;
	chart_markers(c, chart_part(c, part), s, &t);
}

/* Third strip and heat map. */
int area_tall_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	(void)s;
	(void)v;
	return deck_height_class(c) == SIZE_XL && deck_width_class(c) >= SIZE_M ? CANVAS_MAX_ROWS : 0;
}

/* In the column beside the strips they need no rows of their own. */
int area_numbers_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	(void)s;
	(void)v;
	return deck_stats_columns(c) ? 0 : 2;
}

/* ---- histograms, beside them the topology ---- */

enum {
	KEY_FROM = 12, /* rows from which on there is a key */
};

static void draw_key(struct canvas *c, struct rect part, const struct snapshot *s)
{
	const struct glyph_set *g = &glyph_sets[c->glyphs];
	int row = part.row + part.rows - 1, end = part.column + part.columns;
	int column = part.column + 1;

	canvas_put(c, row, part.column, ROLE_NOW, g->bar);
	column = canvas_text(c, row, column, end, ROLE_AXIS, " now");
	if (s->has_before) {
		canvas_put(c, row, column + 2, ROLE_BEFORE, g->ghost);
		canvas_put(c, row, column + 3, ROLE_BEFORE, g->edge);
		column = canvas_printf(c, row, column + 4, end, ROLE_AXIS, " before%s",
				       s->before_kept ? " (A)" : "");
	}
	canvas_text(c, row, column, end, ROLE_AXIS,
		    "   both: % of the requests in log2 bins of ms");
}

static void draw_hists(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct bins b;
	struct histplot total = { .title = "TOTAL ms",
				  .role = ROLE_NOW,
				  .now = &s->window[METRIC_TOTAL] };
	struct histplot device = { .title = "DEVICE ms",
				   .role = ROLE_DEVICE,
				   .now = &s->window[METRIC_DEVICE] };
	int gap = part.columns >= 78 ? 2 : 1, half = (part.columns - gap) / 2;
	struct rect left = { part.row, part.column, part.rows, half };
	struct rect right = { part.row, part.column + part.columns - half, part.rows, half };

	if (s->has_before) {
		total.before = &s->before[METRIC_TOTAL];
		device.before = &s->before[METRIC_DEVICE];
	}
	bins_choose(&b, s, part.rows - 1);
	histplot_draw(c, left, &total, &b);
	histplot_draw(c, right, &device, &b);
}

static bool has_panel(const struct canvas *c) { return deck_width_class(c) >= SIZE_L; }

/* The panel has the right third. */
void area_hist(struct canvas *c, struct rect part, const struct snapshot *s,
	       const struct view *v)
{
	struct rect panel = part;

	(void)v;
	if (has_panel(c)) {
		part.columns = part.columns * 2 / 3;
		panel.column += part.columns + 2;
		panel.columns -= part.columns + 2;
		deck_topology(c, panel, s);
	}
	if (has_panel(c) && part.rows >= KEY_FROM) {
		draw_key(c, part, s);
		part.rows--;
	}
	draw_hists(c, part, s);
}

int area_panel_parts_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	return has_panel(c) ? 0 : area_parts_need(c, s, v);
}
