#include "chart.h"

#include <math.h>

#include "base/text.h"

enum { SPAN_SLICES = 600 }; /* at least this much is shown where the snapshot has it: one minute */

/* ---- time ---- */

struct time_axis chart_time_axis(const struct snapshot *s, enum glyphs glyphs, int columns)
{
	struct time_axis t = { .columns = columns > 0 ? columns : 1,
			       .per_cell = glyph_sets[glyphs].columns };
	uint64_t values = (uint64_t)t.columns * (uint64_t)t.per_cell;
	uint64_t end = s->first_slice + s->n_slices;

	t.slices = (SPAN_SLICES + values - 1) / values;
	t.newest = end ? (end - 1) / (t.slices * (uint64_t)t.per_cell) : 0;
	return t;
}

int chart_column(const struct time_axis *t, uint64_t slice)
{
	uint64_t cell = slice / (t->slices * (uint64_t)t->per_cell);
	uint64_t oldest =
		t->newest >= (uint64_t)t->columns ? t->newest - (uint64_t)t->columns + 1 : 0;

	if (cell < oldest)
		return -1;
	if (cell > t->newest) /* happened in the slice that is still open */
		cell = t->newest;
	return t->columns - 1 - (int)(t->newest - cell);
}

double chart_span_s(const struct time_axis *t)
{
	return (double)t->slices * t->per_cell * t->columns / 10;
}

/* ---- values ---- */

static double iops_of(const struct slice *slice, uint64_t n)
{
	double requests = 0;

	for (uint64_t i = 0; i < n; i++)
		requests += slice[i].requests;
	return requests * 10 / (double)n;
}

static double mbps_of(const struct slice *slice, uint64_t n)
{
	double bytes = 0;

	for (uint64_t i = 0; i < n; i++)
		bytes += (double)slice[i].bytes;
	return bytes * 10 / (double)n / 1e6;
}

static double p99_of(const struct slice *slice, uint64_t n)
{
	double peak = NAN;

	for (uint64_t i = 0; i < n; i++)
		if (isfinite(slice[i].p99_total_ms) && !(peak >= slice[i].p99_total_ms))
			peak = slice[i].p99_total_ms;
	return peak;
}

static void ms_label(char *buf, size_t room, double ms) { text_format(buf, room, "%g ms", ms); }

/* Axis maxima are round: "1.5k", "30k". */
static void count_label(char *buf, size_t room, double value)
{
	static const char *const suffix[] = { "", "k", "M", "G", "T" };
	int i = 0;

	for (; value >= 999 && i < 4; i++)
		value /= 1000;
	text_format(buf, room, "%g%s", value, suffix[i]);
}

static const struct strip_row {
	const char *name;
	double (*value)(const struct slice *slice, uint64_t n);
	void (*label)(char *buf, size_t room, double value);
} strips[N_STRIPS] = {
	[STRIP_IOPS] = { "IOPS", iops_of, count_label },
	[STRIP_P99] = { "p99", p99_of, ms_label },
	[STRIP_MBPS] = { "MB/s", mbps_of, count_label },
};

/* The value that begins at absolute slice `from`; NaN outside what the snapshot has. */
static double value_at(const struct snapshot *s, const struct time_axis *t, enum strip_what what,
		       uint64_t from)
{
	uint64_t begin = s->first_slice, end = begin + s->n_slices;
	uint64_t first = from < begin ? begin : from;
	uint64_t last = from + t->slices < end ? from + t->slices : end;

	if (first >= last)
		return NAN;
	return strips[what].value(&s->slice[first - begin], last - first);
}

/* Values of cell `column`, left to right. */
static void cell_values(const struct snapshot *s, const struct time_axis *t, enum strip_what what,
			int column, double out[2])
{
	uint64_t back = (uint64_t)(t->columns - 1 - column);
	uint64_t first = (t->newest - back) * t->slices * (uint64_t)t->per_cell;

	for (int i = 0; i < 2; i++)
		out[i] = back > t->newest || i >= t->per_cell
				 ? NAN
				 : value_at(s, t, what, first + (uint64_t)i * t->slices);
}

double chart_axis_max(double value)
{
	static const double round[] = { 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 };
	double decade = 1e-6;

	if (!isfinite(value) || value <= 0)
		return 1;
	while (decade * 10 <= value)
		decade *= 10;
	for (unsigned i = 0; i < sizeof(round) / sizeof(round[0]); i++)
		if (value <= round[i] * decade * 1.0001)
			return round[i] * decade;
	return 10 * decade;
}

/* ---- drawing ---- */

/* Height of a value in steps of `of`; something is at least one step. */
static int height(double value, double max, int of)
{
	int steps = (int)(value / max * of + 0.5);

	if (!isfinite(value) || value <= 0)
		return 0;
	return steps < 1 ? 1 : steps > of ? of
					  : steps;
}

static void draw_line_cell(struct canvas *c, struct rect part, int column, double value, double max,
			   enum role role)
{
	const struct glyph_set *g = &glyph_sets[c->glyphs];
	int steps = height(value, max, part.rows * g->steps);
	int row = part.row + part.rows - 1 - (steps ? (steps - 1) / g->steps : 0);

	if (steps)
		canvas_put(c, row, column, role, g->step[(steps - 1) % g->steps]);
	else if (value == 0) /* nothing happened: not the same as unknown */
		canvas_put(c, row, column, role, '.');
}

/* Dots of one column of a braille cell, filled from below: none, 1, 2, 3, 4. */
static const uint8_t dots_left[] = { 0, 0x40, 0x44, 0x46, 0x47 };
static const uint8_t dots_right[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };

static int dots_in_row(int steps, int row)
{
	int dots = steps - row * 4;

	return dots < 0 ? 0 : dots > 4 ? 4
				       : dots;
}

static void draw_braille_cell(struct canvas *c, struct rect part, int column, const double value[2],
			      double max, enum role role)
{
	int left = height(value[0], max, part.rows * 4),
	    right = height(value[1], max, part.rows * 4);

	for (int row = 0; row < part.rows; row++) {
		uint32_t dots =
			dots_left[dots_in_row(left, row)] | dots_right[dots_in_row(right, row)];

		if (dots)
			canvas_put(c, part.row + part.rows - 1 - row, column, role, 0x2800 + dots);
	}
}

static void draw_gutter(struct canvas *c, struct rect part, const struct strip_row *strip,
			double max)
{
	int bar = part.column + CHART_GUTTER - 1, last = part.row + part.rows - 1;
	char label[16];

	for (int row = part.row; row <= last; row++)
		canvas_put(c, row, bar, ROLE_AXIS, glyph_sets[c->glyphs].vertical);
	if (part.rows > 1) {
		canvas_text(c, part.row + (part.rows > 3 ? 2 : 1), part.column, bar, ROLE_TEXT,
			    strip->name);
		canvas_right(c, last, part.column, bar, ROLE_AXIS, "0");
	}
	strip->label(label, sizeof(label), max);
	canvas_right(c, part.row, part.column, bar, ROLE_AXIS, label);
	if (part.rows >= 6) {
		strip->label(label, sizeof(label), max / 2);
		canvas_right(c, part.row + part.rows / 2, part.column, bar, ROLE_AXIS, label);
	}
}

static double largest(const struct snapshot *s, const struct time_axis *t, enum strip_what what)
{
	double most = 0, value[2];

	for (int column = 0; column < t->columns; column++) {
		cell_values(s, t, what, column, value);
		for (int i = 0; i < 2; i++)
			most = value[i] > most ? value[i] : most;
	}
	return most;
}

static bool is_blank(const struct canvas *c, int row, int column, int width)
{
	for (int i = column; i < column + width; i++)
		if (canvas_at(c, row, i) && canvas_at(c, row, i)->ch != ' ')
			return false;
	return true;
}

/* A number goes where nothing stands yet; of two that would overlap the newer one stays. */
static void draw_marker(struct canvas *c, struct rect part, int column, uint32_t marker, int *end)
{
	char text[12];
	int width = (int)text_format(text, sizeof(text), "%u", marker), row = part.row;

	if (column + width > *end && column + width <= *end + width && *end > width)
		column = *end - width;
	if (column < 0 || column + width > *end)
		return;
	while (row < part.row + part.rows && !is_blank(c, row, part.column + column, width))
		row++;
	if (row == part.row + part.rows)
		row = part.row;
	canvas_text(c, row, part.column + column, part.column + column + width, ROLE_CHANGED, text);
	*end = column - 1;
}

void chart_marks(struct canvas *c, struct rect part, const struct snapshot *s,
		 const struct time_axis *t)
{
	int end = t->columns;

	for (uint32_t i = s->n_acts; i-- > 0;)
		if (s->act[i].marker)
			draw_marker(c, part, chart_column(t, s->act[i].slice), s->act[i].marker, &end);
}

double chart_strip(struct canvas *c, struct rect part, const struct snapshot *s,
		   const struct time_axis *t, enum strip_what what)
{
	double max = chart_axis_max(largest(s, t, what)), value[2];

	draw_gutter(c, part, &strips[what], max);
	for (int i = 0; i < t->columns && i + CHART_GUTTER < part.columns; i++) {
		cell_values(s, t, what, i, value);
		if (t->per_cell == 2)
			draw_braille_cell(c, part, part.column + CHART_GUTTER + i, value, max,
					  ROLE_NOW);
		else
			draw_line_cell(c, part, part.column + CHART_GUTTER + i, value[0], max,
				       ROLE_NOW);
	}
	if (part.rows > 1)
		chart_marks(c, (struct rect){ part.row, part.column + CHART_GUTTER, part.rows, t->columns },
			    s, t);
	return max;
}

static bool has_marker(const struct canvas *c, int row, int from, int to)
{
	for (int i = from; i < to; i++)
		if (canvas_at(c, row, i) && canvas_at(c, row, i)->role == ROLE_CHANGED)
			return true;
	return false;
}

/* Free for a label, with a blank on both sides. */
static bool is_free(const struct canvas *c, int row, int from, int to)
{
	return !has_marker(c, row, from - 1, to + 1);
}

/* "-20s" under its column, as many as have room. */
static void draw_ticks(struct canvas *c, int row, int left, const struct time_axis *t)
{
	static const int steps[] = { 5, 10, 20, 30, 60 };
	double per_cell_s = (double)t->slices * t->per_cell / 10;
	unsigned i = 0;

	while (i < sizeof(steps) / sizeof(steps[0]) && steps[i] / per_cell_s < 16)
		i++;
	if (i == sizeof(steps) / sizeof(steps[0]))
		return;
	for (int s = steps[i]; s / per_cell_s < t->columns - 3; s += steps[i]) {
		int column = left + t->columns - 1 - (int)(s / per_cell_s + 0.5);
		char text[16];
		int width = (int)text_format(text, sizeof(text), "-%ds", s);

		if (is_free(c, row, column, column + width))
			canvas_text(c, row, column, column + width, ROLE_AXIS, text);
	}
}

void chart_markers(struct canvas *c, struct rect part, const struct snapshot *s,
		   const struct time_axis *t)
{
	int left = part.column + CHART_GUTTER, right = part.column + part.columns;
	char span[16];

	canvas_fill(c, part.row, left, right, ROLE_AXIS, glyph_sets[c->glyphs].horizontal);
	text_format(span, sizeof(span), "%.0f s ", chart_span_s(t));
	canvas_right(c, part.row, part.column, left, ROLE_AXIS, span);
	chart_marks(c, (struct rect){ part.row, left, 1, t->columns }, s, t);
	draw_ticks(c, part.row, left, t);
	if (!has_marker(c, part.row, right - 5, right))
		canvas_right(c, part.row, left, right - 1, ROLE_AXIS, " now");
}
