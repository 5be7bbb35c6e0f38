/* The column of figures beside the strips: rates with mean, least and most since the last change,
 * percentiles beside the baseline's. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "chart.h"
#include "deck_areas.h"
#include "figures.h"

enum {
	A_SECOND = 10, /* slices */
	VALUE = 7,     /* columns of a figure with the blank before it */
	NAME = 11,
};

/* ---- since the last change ---- */

struct since {
	double mean_mbps, least, most; /* of whole seconds; NaN without one */
};

/* Index in the snapshot of the first slice after the last change. */
static uint32_t first_since(const struct snapshot *s)
{
	uint64_t slice = 0;

	for (uint32_t i = s->n_acts; i-- > 0 && !slice;)
		if (s->act[i].marker || s->act[i].kind == ACT_STEP)
			slice = s->act[i].slice + 1;
	if (slice <= s->first_slice)
		return 0;
	slice -= s->first_slice;
	return slice < s->n_slices ? (uint32_t)slice : s->n_slices;
}

static double iops_of_second(const struct slice *slice)
{
	double requests = 0;

	for (int i = 0; i < A_SECOND; i++)
		requests += slice[i].requests;
	return requests;
}

static struct since since_change(const struct snapshot *s)
{
	struct since out = { NAN, NAN, NAN };
	uint32_t first = first_since(s), n = s->n_slices - first;
	double bytes = 0;

	for (uint32_t i = first; i < s->n_slices; i++)
		bytes += (double)s->slice[i].bytes;
	if (n)
		out.mean_mbps = bytes * A_SECOND / n;
	for (uint32_t end = s->n_slices; end >= first + A_SECOND; end -= A_SECOND) {
		double iops = iops_of_second(&s->slice[end - A_SECOND]);

		out.least = out.least <= iops ? out.least : iops;
		out.most = out.most >= iops ? out.most : iops;
	}
	return out;
}

/* ---- lines ---- */

struct column;
struct stat_row {
	void (*draw)(const struct column *k, int row, const struct stat_row *l);
	int rank;
	const char *name;
	size_t at;	 /* of the figure in lat_view */
	double quantile; /* 0: none */
	bool (*when)(const struct column *k);
};

struct column {
	struct canvas *c;
	struct rect part;
	const struct snapshot *s;
	struct since since;
	bool device; /* room for DEVICE beside TOTAL */
};

static int end_of(const struct column *k) { return k->part.column + k->part.columns; }

static void two(const struct column *k, int row, const char *name, const char *value,
		const char *name2, const char *value2)
{
	canvas_printf(k->c, row, k->part.column, end_of(k), ROLE_TEXT, "%-7s%6s  %5s %6s", name,
		      value, name2, value2);
}

static void line_iops(const struct column *k, int row, const struct stat_row *l)
{
	char now[24], mean[24];

	(void)l;
	two(k, row, "IOPS", units_format_count(now, sizeof(now), k->s->iops), "mean",
	    units_format_count(mean, sizeof(mean), k->s->window_iops));
}

static void line_range(const struct column *k, int row, const struct stat_row *l)
{
	char least[24], most[24];

	(void)l;
	two(k, row, "  min", units_format_count(least, sizeof(least), k->since.least), "max",
	    units_format_count(most, sizeof(most), k->since.most));
}

static const char *baseline(const struct snapshot *s) { return s->before_kept ? "A" : "auto"; }

static void line_change(const struct column *k, int row, const struct stat_row *l)
{
	char change[FIGURE_ROOM];
	const struct snapshot *s = k->s;

	(void)l;
	if (s->has_before)
		canvas_printf(k->c, row, k->part.column, end_of(k), ROLE_TEXT, "  vs %-4s %s",
			      baseline(s), figure_ratio(change, sizeof(change), s->change_ratio, s->change_low, s->change_high));
	else
		canvas_text(k->c, row, k->part.column, end_of(k), ROLE_TEXT, "  nothing before to compare");
}

static void line_mbps(const struct column *k, int row, const struct stat_row *l)
{
	char now[24], mean[24];

	(void)l;
	two(k, row, "MB/s", figure_mbps(now, sizeof(now), k->s->bytes_per_s), "mean",
	    figure_mbps(mean, sizeof(mean), k->since.mean_mbps));
}

static void line_tps(const struct column *k, int row, const struct stat_row *l)
{
	char now[24];

	(void)l;
	two(k, row, "tps", units_format_count(now, sizeof(now), k->s->transactions_per_s), "", "");
}

static void line_head(const struct column *k, int row, const struct stat_row *l)
{
	const char *before = k->s->has_before ? baseline(k->s) : "";

	(void)l;
	canvas_printf(k->c, row, k->part.column, end_of(k), ROLE_AXIS, "%-*s%*s%*s%*s%*s", NAME,
		      "ms", VALUE, "TOTAL", VALUE, before, VALUE + 2, k->device ? "DEVICE" : "",
		      VALUE, k->device ? before : "");
}

/* With too few requests for it, a percentile is grey and has a question mark. */
static int put_ms(const struct column *k, int row, int column, int width, const struct lat_view *v,
		  const struct stat_row *l)
{
	bool few = v->n && l->quantile > 0 && !hist_enough(v->n, l->quantile);
	char text[24], value[32];

	units_format_ms(text, sizeof(text), *(const double *)(const void *)((const char *)v + l->at));
	text_format(value, sizeof(value), "%s%s", few ? "?" : "", text);
	canvas_right(k->c, row, column, column + width, few ? ROLE_AXIS : ROLE_TEXT, value);
	return column + width;
}

static int put_pair(const struct column *k, int row, int column, int width, enum metric m,
		    const struct stat_row *l)
{
	column = put_ms(k, row, column, width, &k->s->window[m], l);
	if (k->s->has_before)
		put_ms(k, row, column, VALUE, &k->s->before[m], l);
	return column + VALUE;
}

static void line_total(const struct column *k, int row, const struct stat_row *l)
{
	int column = k->part.column + NAME;

	canvas_text(k->c, row, k->part.column, column, ROLE_TEXT, l->name);
	column = put_pair(k, row, column, VALUE, METRIC_TOTAL, l);
	if (k->device)
		put_pair(k, row, column, VALUE + 2, METRIC_DEVICE, l);
}

/* Below TOTAL where there is no room beside it. */
static void line_device(const struct column *k, int row, const struct stat_row *l)
{
	int column = k->part.column + NAME;

	canvas_text(k->c, row, k->part.column, column, ROLE_TEXT, l->name);
	put_pair(k, row, column, VALUE, METRIC_DEVICE, l);
}

static void line_evenness(const struct column *k, int row, const struct stat_row *l)
{
	char state[FIGURE_ROOM];

	(void)l;
	canvas_text(k->c, row, k->part.column, end_of(k), ROLE_TEXT,
		    deck_settling(k->s, state, sizeof(state)));
}

static void line_queues(const struct column *k, int row, const struct stat_row *l)
{
	char in[24], waiting[24];

	(void)l;
	canvas_printf(k->c, row, k->part.column, end_of(k), ROLE_TEXT, "in flight %5s waiting %5s",
		      units_format_count(in, sizeof(in), k->s->in_flight),
		      units_format_count(waiting, sizeof(waiting), k->s->waiting));
}

static void line_errors(const struct column *k, int row, const struct stat_row *l)
{
	char n[24];
	int column = canvas_printf(k->c, row, k->part.column, end_of(k), ROLE_FAILED, "!%s err",
				   units_format_count(n, sizeof(n), (double)k->s->errors));

	(void)l;
	canvas_text(k->c, row, column, end_of(k), ROLE_TEXT, " in this step");
}

static bool has_errors(const struct column *k) { return k->s->errors > 0; }
static bool has_tps(const struct column *k) { return isfinite(k->s->transactions_per_s); }
static bool is_narrow(const struct column *k) { return !k->device; }

#define FIGURE(name) offsetof(struct lat_view, name)
/* Top to bottom; with fewer rows those of the highest rank go. */
static const struct stat_row lines[] = {
	{ line_iops, 0, NULL, 0, 0, NULL },
	{ line_range, 8, NULL, 0, 0, NULL },
	{ line_change, 1, NULL, 0, 0, NULL },
	{ line_mbps, 3, NULL, 0, 0, NULL },
	{ line_tps, 7, NULL, 0, 0, has_tps },
	{ line_errors, 1, NULL, 0, 0, has_errors },
	{ line_head, 2, NULL, 0, 0, NULL },
	{ line_total, 10, "mean", FIGURE(mean_ns), 0, NULL },
	{ line_total, 4, "p50", FIGURE(p50_ns), 0.5, NULL },
	{ line_total, 6, "p95", FIGURE(p95_ns), 0.95, NULL },
	{ line_total, 2, "p99", FIGURE(p99_ns), 0.99, NULL },
	{ line_total, 5, "p99.9", FIGURE(p999_ns), 0.999, NULL },
	{ line_total, 9, "max", FIGURE(max_ns), 0, NULL },
	{ line_device, 11, "DEVICE p50", FIGURE(p50_ns), 0.5, is_narrow },
	{ line_device, 12, "DEVICE p99", FIGURE(p99_ns), 0.99, is_narrow },
	{ line_queues, 4, NULL, 0, 0, NULL },
	{ line_evenness, 13, NULL, 0, 0, NULL },
};
#undef FIGURE
enum { N_LINES = sizeof(lines) / sizeof(lines[0]) };

static bool shown(const struct column *k, int line, int most_rank)
{
	return lines[line].rank <= most_rank && (!lines[line].when || lines[line].when(k));
}

static int count(const struct column *k, int most_rank)
{
	int n = 0;

	for (int i = 0; i < N_LINES; i++)
		n += shown(k, i, most_rank);
	return n;
}

int deck_stats_columns(const struct canvas *c)
{
	if (deck_width_class(c) < SIZE_L || deck_height_class(c) < SIZE_L)
		return 0;
	return deck_width_class(c) == SIZE_XL ? 46 : 31;
}

void deck_stats(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct column k = { c, part, s, since_change(s), part.columns >= 46 };
	int rank = 99, row = part.row;

	for (int i = part.row; i < part.row + part.rows; i++)
		canvas_put(c, i, part.column, ROLE_AXIS, glyph_sets[c->glyphs].vertical);
	k.part.column += 2;
	k.part.columns -= 2;
	while (rank > 0 && count(&k, rank) > part.rows)
		rank--;
	for (int i = 0; i < N_LINES && row < part.row + part.rows; i++)
		if (shown(&k, i, rank))
			lines[i].draw(&k, row++, &lines[i]);
}
