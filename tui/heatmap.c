#include "heatmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "histplot.h"

/* From this share on, in 1/1000. */
static const int level_from[HEAT_LEVELS] = { 1, 20, 80, 200, 500 };

int heat_level(double share)
{
	int level = share > 0;

	while (level && level < HEAT_LEVELS && share * 1000 >= level_from[level])
		level++;
	return level;
}

/* ---- one column of the picture ---- */

/* Requests of a column, and 255 x those of each log2 row. */
struct column {
	uint64_t requests;
	uint64_t row[HIST_LOG2_ROWS];
};

static void column_at(const struct snapshot *s, const struct time_axis *t, int column,
		      struct column *out)
{
	uint64_t back = (uint64_t)(t->columns - 1 - column), wide = t->slices * (uint64_t)t->per_cell;
	uint64_t first = (t->newest - back) * wide - s->first_slice;

	memset(out, 0, sizeof(*out));
	if (back > t->newest)
		return;
	for (uint64_t i = 0; i < wide; i++) {
		const struct slice *slice;

		if (first + i >= s->n_slices) /* gone already or not yet there */
			continue;
		slice = &s->slice[first + i];
		out->requests += slice->requests;
		for (int row = 0; row < HIST_LOG2_ROWS; row++)
			out->row[row] += (uint64_t)slice->requests * slice->total_share[row];
	}
}

static double share_of(const struct column *column, uint32_t first, uint32_t end)
{
	uint64_t sum = 0;

	for (uint32_t row = first; row < end; row++)
		sum += column->row[row];
	return column->requests ? (double)sum / (double)column->requests / 255 : 0;
}

/* ---- which buckets ---- */

/* The most that any column has in each row. */
static void most_of_rows(const struct column *all, int n, double most[HIST_LOG2_ROWS])
{
	for (int row = 0; row < HIST_LOG2_ROWS; row++)
		most[row] = 0;
	for (int i = 0; i < n; i++) {
		for (uint32_t row = 0; all[i].requests && row < HIST_LOG2_ROWS; row++) {
			double share = share_of(&all[i], row, row + 1);

			most[row] = share > most[row] ? share : most[row];
		}
	}
}

/* First and last row in which some column has more than a trace; around 1 ms when there is nothing. */
static void occupied(const double most[HIST_LOG2_ROWS], uint32_t *low, uint32_t *high)
{
	*low = HIST_LOG2_ROWS;
	*high = 0;
	for (uint32_t row = 0; row < HIST_LOG2_ROWS; row++)
		if (heat_level(most[row]) >= 2) {
			*low = row < *low ? row : *low;
			*high = row;
		}
	if (*low > *high)
		*low = *high = 8;
}

/* The two neighbours that hold least become one. */
static void join_least(struct bins *b, double weight[HIST_LOG2_ROWS])
{
	int least = 0;

	for (int i = 1; i + 1 < b->n; i++)
		if (weight[i] + weight[i + 1] < weight[least] + weight[least + 1])
			least = i;
	weight[least] += weight[least + 1];
	b->n--;
	for (int i = least + 1; i < b->n; i++) {
		b->first[i] = b->first[i + 1];
		weight[i] = weight[i + 1];
	}
}

/* A bin for each row in use and, with rows to spare, one below and some above; joined to `n`. */
static void choose(struct bins *b, const double most[HIST_LOG2_ROWS], int n)
{
	double weight[HIST_LOG2_ROWS] = { 0 };
	uint32_t low, high;

	occupied(most, &low, &high);
	if (low && high - low + 2 <= (uint32_t)n) /* so that moving down is seen */
		low--;
	while (high - low + 1 < (uint32_t)n && high + 1 < HIST_LOG2_ROWS)
		high++;
	*b = (struct bins){ .n = (int)(high - low + 1) };
	for (int i = 0; i < b->n; i++) {
		b->first[i] = i ? low + (uint32_t)i : 0;
		weight[i] = most[low + (uint32_t)i];
	}
	while (b->n > n)
		join_least(b, weight);
	b->first[b->n] = HIST_LOG2_ROWS;
}

/* ---- drawing ---- */

static void draw_title(struct canvas *c, struct rect part, int left)
{
	int end = part.column + part.columns;
	int column = canvas_text(c, part.row, left, end, ROLE_TEXT, "TOTAL ms over time");

	column = canvas_text(c, part.row, column, end, ROLE_AXIS, "  share from:");
	for (int i = 0; i < HEAT_LEVELS && column + 7 < end; i++) {
		canvas_put(c, part.row, column + 2, ROLE_NOW, glyph_sets[c->glyphs].heat[i]);
		column = canvas_printf(c, part.row, column + 3, end, ROLE_AXIS, " %d%%",
				       i ? level_from[i] / 10 : 0);
	}
}

static void draw_gutter(struct canvas *c, struct rect part, const struct bins *b)
{
	int bar = part.column + CHART_GUTTER - 1;

	for (int i = 0; i < b->n; i++) {
		int row = part.row + part.rows - 1 - i;
		char label[24];

		bins_label(b, i, label, sizeof(label));
		canvas_right(c, row, part.column, bar, ROLE_TEXT, label);
		canvas_put(c, row, bar, ROLE_AXIS, glyph_sets[c->glyphs].vertical);
	}
}

static void draw_column(struct canvas *c, struct rect part, int column, const struct bins *b,
			const struct column *data)
{
	for (int i = 0; i < b->n; i++) {
		int level = heat_level(share_of(data, b->first[i], b->first[i + 1]));

		if (level)
			canvas_put(c, part.row + part.rows - 1 - i, column, ROLE_NOW,
				   glyph_sets[c->glyphs].heat[level - 1]);
	}
}

void heatmap_draw(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct time_axis *t)
{
	struct rect body = { part.row + 1, part.column, part.rows - 1, part.columns };
	int left = part.column + CHART_GUTTER, n = body.rows < BINS_MAX ? body.rows : BINS_MAX;
	double most[HIST_LOG2_ROWS];
	struct column *all;
	struct bins b;

	draw_title(c, part, left);
	all = n < 2 ? NULL : calloc((size_t)t->columns, sizeof(*all));
	if (!all)
		return;
	for (int i = 0; i < t->columns; i++)
		column_at(s, t, i, &all[i]);
	most_of_rows(all, t->columns, most);
	choose(&b, most, n);
	draw_gutter(c, body, &b);
	for (int i = 0; i < t->columns && i + CHART_GUTTER < part.columns; i++)
		draw_column(c, body, left + i, &b, &all[i]);
	free(all);
	chart_marks(c, (struct rect){ body.row + body.rows - b.n, left, b.n, t->columns }, s, t);
}
