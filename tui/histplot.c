#include "histplot.h"

#include <math.h>

#include "base/text.h"
#include "base/units.h"
#include "chart.h"
#include "figures.h"

enum {
	NOW_COLUMNS = 5,    /* " 100%" */
	BEFORE_COLUMNS = 5, /* "(100)" */
};

/* ---- bins ---- */

/* What the bins are chosen for: TOTAL and DEVICE, now and before. */
struct seen {
	const struct lat_view *v[BINS_MAX_VIEWS];
	int n;
};

static double rows_share(const struct lat_view *v, uint32_t first, uint32_t end)
{
	uint64_t count = 0;

	for (uint32_t row = first; row < end; row++)
		count += v->log2[row];
	return v->n ? (double)count / (double)v->n : NAN;
}

/* The largest share that any view has in these rows. */
static double weight(const struct seen *s, uint32_t first, uint32_t end)
{
	double most = 0;

	for (int i = 0; i < s->n; i++) {
		double share = rows_share(s->v[i], first, end);

		most = share > most ? share : most;
	}
	return most;
}

/* First and last row in which some view has at least 1 %; around 1 ms when there is nothing yet. */
static void occupied(const struct seen *s, uint32_t *low, uint32_t *high)
{
	*low = HIST_LOG2_ROWS;
	*high = 0;
	for (uint32_t row = 0; row < HIST_LOG2_ROWS; row++) {
		if (weight(s, row, row + 1) < 0.01)
			continue;
		*low = row < *low ? row : *low;
		*high = row;
	}
	if (*low > *high)
		*low = *high = 7;
}

/* Join the two neighbours that hold least, so that gaps go first and peaks stay apart. Whole per
 * cents decide, the leftmost of equals goes: the bins do not dance with the noise. */
static void join_least(struct bins *b, const struct seen *s)
{
	int least = 0, least_pct = 101;

	for (int i = 0; i + 1 < b->n; i++) {
		int pct = (int)(weight(s, b->first[i], b->first[i + 2]) * 100 + 0.5);

		if (pct < least_pct) {
			least = i;
			least_pct = pct;
		}
	}
	for (int i = least + 1; i < b->n; i++)
		b->first[i] = b->first[i + 1];
	b->n--;
}

/* One bin a row from the lowest row in use on; unused rows above it until there are n. */
static void one_bin_a_row(struct bins *b, const struct seen *s, int n)
{
	uint32_t low, high;

	occupied(s, &low, &high);
	if (low && high - low + 2 <= (uint32_t)n) /* one below, so that moving left is seen */
		low--;
	while (high - low + 1 < (uint32_t)n && high + 1 < HIST_LOG2_ROWS)
		high++;
	while (high - low + 1 < (uint32_t)n && low)
		low--;
	b->n = (int)(high - low + 1);
	for (int i = 1; i < b->n; i++)
		b->first[i] = low + (uint32_t)i;
	b->first[b->n] = HIST_LOG2_ROWS;
}

static double largest_share(const struct bins *b, const struct seen *s)
{
	double most = 0;

	for (int i = 0; i < b->n; i++) {
		double share = weight(s, b->first[i], b->first[i + 1]);

		most = share > most ? share : most;
	}
	return most;
}

static int widest_label(const struct bins *b)
{
	int width = 0;

	for (int bin = 0; bin < b->n; bin++) {
		char label[24];
		int columns;

		bins_label(b, bin, label, sizeof(label));
		columns = canvas_width(label);
		width = columns > width ? columns : width;
	}
	return width;
}

void bins_choose_for(struct bins *b, const struct lat_view *const *view, int n_views, int n)
{
	struct seen seen = { .n = n_views };
	const struct seen *s = &seen;
	double most;

	for (int i = 0; i < n_views; i++)
		seen.v[i] = view[i];
	n = n < 2 ? 2 : n > BINS_MAX ? BINS_MAX
				     : n;
	*b = (struct bins){ .scale = 0.25 };
	one_bin_a_row(b, s, n);
	while (b->n > n)
		join_least(b, s);
	b->label_width = widest_label(b);
	most = largest_share(b, s);
	while (b->scale < most && b->scale < 1)
		b->scale += 0.25;
}

void bins_choose(struct bins *b, const struct snapshot *s, int n)
{
	const struct lat_view *const view[] = { &s->window[METRIC_TOTAL], &s->window[METRIC_DEVICE], &s->before[METRIC_TOTAL],
						&s->before[METRIC_DEVICE] };

	bins_choose_for(b, view, s->has_before ? 4 : 2, n);
}

/* 2^exponent us as people say it: 1024 us is 1 ms. */
static void edge(uint32_t exponent, char *buf, size_t room)
{
	static const char *const below_1ms[] = { ".001", ".002", ".004", ".008", ".016",
						 ".03", ".06", ".12", ".25", ".5" };

	if (exponent < 10)
		text_format(buf, room, "%s", below_1ms[exponent]);
	else if (exponent < 20)
		text_format(buf, room, "%u", 1u << (exponent - 10));
	else
		text_format(buf, room, "%us", 1u << (exponent - 20));
}

void bins_label(const struct bins *b, int bin, char *buf, size_t room)
{
	char low[12], high[12];

	edge(b->first[bin] + 1, low, sizeof(low));
	edge(b->first[bin + 1] + 1, high, sizeof(high));
	if (bin == 0)
		text_format(buf, room, "<%s", high);
	else if (bin == b->n - 1)
		text_format(buf, room, ">=%s", low);
	else
		text_format(buf, room, "%s-%s", low, high);
}

double bins_share(const struct bins *b, const struct lat_view *v, int bin)
{
	return rows_share(v, b->first[bin], b->first[bin + 1]);
}

/* ---- drawing ---- */

static int cells(double share, double scale, int columns)
{
	int n = (int)(share / scale * columns + 0.5);

	return !(share > 0) ? 0 : n > columns ? columns
					      : n;
}

/* Now is filled; where before reached further it is a ghost up to its edge, else its edge stands
 * inside the bar. */
static void draw_bar(struct canvas *c, int row, int column, const struct histplot *h, int now,
		     int before)
{
	const struct glyph_set *g = &glyph_sets[c->glyphs];

	canvas_fill(c, row, column, column + now, h->role, g->bar);
	canvas_fill(c, row, column + now, column + before, ROLE_BEFORE, g->ghost);
	if (before > 0 && before != now)
		canvas_put(c, row, column + before - 1, ROLE_BEFORE, g->edge);
}

static void draw_shares(struct canvas *c, int row, int end, double now, double before,
			int before_columns)
{
	char text[16], inner[16];

	canvas_right(c, row, end - before_columns - NOW_COLUMNS, end - before_columns, ROLE_TEXT,
		     figure_share(text, sizeof(text), now));
	if (!before_columns || !isfinite(before))
		return;
	if (before > 0 && before < 0.005)
		text_format(inner, sizeof(inner), "(<1)");
	else
		text_format(inner, sizeof(inner), "(%2.0f)", before * 100);
	canvas_text(c, row, end - before_columns, end, ROLE_TEXT, inner);
}

static void draw_bin(struct canvas *c, struct rect part, int bin, const struct histplot *h,
		     const struct bins *b, int before_columns)
{
	int row = part.row + 1 + bin, end = part.column + part.columns;
	int bar = part.column + b->label_width;
	int columns = part.columns - b->label_width - 1 - NOW_COLUMNS - before_columns;
	double now = bins_share(b, h->now, bin);
	double before = h->before ? bins_share(b, h->before, bin) : NAN;
	char label[24];

	bins_label(b, bin, label, sizeof(label));
	canvas_right(c, row, part.column, bar, ROLE_TEXT, label);
	canvas_put(c, row, bar, ROLE_AXIS, glyph_sets[c->glyphs].vertical);
	if (columns > 0)
		draw_bar(c, row, bar + 1, h, cells(now, b->scale, columns),
			 cells(before, b->scale, columns));
	draw_shares(c, row, end, now, before, before_columns);
}

static void draw_title(struct canvas *c, struct rect part, const struct histplot *h, bool before)
{
	int end = part.column + part.columns, column;
	char count[16], n[24];

	column = canvas_text(c, part.row, part.column, end, ROLE_TEXT, h->title);
	text_format(n, sizeof(n), "  n=%s",
		    units_format_count(count, sizeof(count), (double)h->now->n));
	if (column + canvas_width(n) <= end)
		column = canvas_text(c, part.row, column, end, ROLE_AXIS, n);
	canvas_right(c, part.row, column + 1, end, ROLE_AXIS, before ? "now(was)" : "now");
}

void histplot_draw(struct canvas *c, struct rect part, const struct histplot *h,
		   const struct bins *b)
{
	bool wide = part.columns - b->label_width - 1 - NOW_COLUMNS - BEFORE_COLUMNS >= 3;

	draw_title(c, part, h, wide && h->before);
	for (int bin = 0; bin < b->n && bin + 1 < part.rows; bin++)
		draw_bin(c, part, bin, h, b, wide ? BEFORE_COLUMNS : 0);
}
