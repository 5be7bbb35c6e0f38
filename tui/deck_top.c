/* Title and numbers of the main screen. */
#include <math.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "deck_areas.h"
#include "figures.h"

/* ---- title ---- */

static const char *state_word(const struct snapshot *s)
{
	return s->paused ? "PAUSE" : s->ended ? "END"
			     : s->playing     ? "PLAY"
					      : "HELD";
}

char *deck_state(const struct snapshot *s, char *buf, size_t room)
{
	text_format(buf, room, "%s %u/%u", state_word(s), s->step + 1, s->n_steps);
	return buf;
}

static void title_speed(struct fields *f, const struct snapshot *s)
{
	char speed[FIGURE_ROOM];

	if (s->simulated)
		fields_label(f, 1, ROLE_TITLE, "SIM %s", figure_speed(speed, sizeof(speed), s->speed));
	else
		fields_label(f, 1, ROLE_TITLE, "REAL");
	if (s->lag_s >= 1)
		fields_label(f, 7, ROLE_TITLE, "lags %.0f s", s->lag_s < 99999 ? s->lag_s : 99999);
}

static void title_step(struct fields *f, const struct snapshot *s)
{
	fields_label(f, 5, ROLE_TITLE, "%s", s->step_name);
	if (s->warming)
		fields_label(f, 5, ROLE_TITLE, "warm-up");
	else if (s->playing && s->step_length_ns > 0)
		fields_label(f, 5, ROLE_TITLE, "(%lld/%lld s)",
			     (long long)(s->step_t_ns / NS_PER_S),
			     (long long)(s->step_length_ns / NS_PER_S));
}

static void title_baseline(struct fields *f, const struct snapshot *s)
{
	char clock[FIGURE_ROOM];

	if (s->has_before)
		fields_label(f, 3, ROLE_TITLE, "%s@%s", s->before_kept ? "A" : "auto",
			     figure_clock(clock, sizeof(clock), s->before_t_ns, 0));
	else
		fields_label(f, 3, ROLE_TITLE, "no before");
}

void area_title(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	struct fields f = { .gap = 2 };
	char state[32], clock[FIGURE_ROOM];

	fields_label(&f, FIELDS_SPARE, ROLE_TITLE, "IODECK");
	fields_label(&f, 2, ROLE_TITLE, "%s", s->preset);
	title_speed(&f, s);
	fields_label(&f, 0, ROLE_TITLE, "%s", deck_state(s, state, sizeof(state)));
	title_step(&f, s);
	fields_label(&f, 1, ROLE_TITLE, "%s", figure_clock(clock, sizeof(clock), s->t_ns, 0));
	fields_label(&f, 4, ROLE_TITLE, "seed %llu", (unsigned long long)s->seed);
	title_baseline(&f, s);
	if (v->frozen)
		fields_label(&f, 1, ROLE_TITLE, "FROZEN (f)");
	canvas_fill(c, part.row, part.column, part.column + part.columns, ROLE_TITLE, ' ');
	fields_row(c, part.row, part.column + 1, part.column + part.columns, &f);
}

/* ---- numbers ---- */

static const struct figure_row {
	const char *name;
	size_t at; /* in lat_view */
	double quantile;
	int rank;
} percentiles[] = {
	{ "p50", offsetof(struct lat_view, p50_ns), 0.5, 4 },
	{ "p95", offsetof(struct lat_view, p95_ns), 0.95, 6 },
	{ "p99", offsetof(struct lat_view, p99_ns), 0.99, 1 },
	{ "p99.9", offsetof(struct lat_view, p999_ns), 0.999, 5 },
};
enum { N_PERCENTILES = sizeof(percentiles) / sizeof(percentiles[0]) };

static double figure_at(const struct lat_view *v, size_t at)
{
	return *(const double *)(const void *)((const char *)v + at);
}

/* Too few requests in the window to be sure of the percentile. */
static bool unsure(const struct lat_view *v, const struct figure_row *row)
{
	return v->n && !hist_enough(v->n, row->quantile);
}

/* Such a one has a question mark in place of a blank, and is grey. */
static void add_percentile(struct fields *f, const struct snapshot *s, const struct figure_row *row,
			   bool before)
{
	struct field *field = fields_add(f, row->rank);
	char now[24], was[24];

	units_format_ms(now, sizeof(now), figure_at(&s->window[METRIC_TOTAL], row->at));
	units_format_ms(was, sizeof(was), figure_at(&s->before[METRIC_TOTAL], row->at));
	text_format(field->label, sizeof(field->label), "%s%s%4s", row->name, unsure(&s->window[METRIC_TOTAL], row) ? "?" : " ", now);
	if (unsure(&s->window[METRIC_TOTAL], row))
		field->role = ROLE_AXIS;
	if (before && s->has_before)
		text_format(field->tail, sizeof(field->tail), "%s(%4s)", unsure(&s->before[METRIC_TOTAL], row) ? "?" : " ", was);
	else if (before)
		text_format(field->tail, sizeof(field->tail), "%7s", "");
}

static void add_rates(struct fields *f, const struct snapshot *s, bool intervals)
{
	char iops[24], change[FIGURE_ROOM], mbps[FIGURE_ROOM];

	fields_label(f, 0, ROLE_TEXT, "IOPS %5s", units_format_count(iops, sizeof(iops), s->iops));
	if (intervals)
		figure_ratio(change, sizeof(change), s->change_ratio, s->change_low,
			     s->change_high);
	else
		figure_ratio_short(change, sizeof(change), s->change_ratio, s->change_low,
				   s->change_high);
	fields_label(f, 1, ROLE_TEXT, intervals ? "%-17s" : "%-5s", s->has_before ? change : "");
	fields_label(f, 2, ROLE_TEXT, "%5s MB/s", figure_mbps(mbps, sizeof(mbps), s->bytes_per_s));
}

/* "!9 EIO", of several kinds "!9 err"; "!3 short". */
static void add_trouble(struct fields *f, uint64_t n, const char *what)
{
	char count[24];
	struct field *field;

	if (!n)
		return;
	field = fields_add(f, 1);
	text_format(field->value, sizeof(field->value), "!%s %s", units_format_count(count, sizeof(count), (double)n), what);
	field->value_role = ROLE_FAILED;
}

static void add_errors(struct fields *f, const struct snapshot *s)
{
	bool one_kind = s->error[0].n && !s->error[1].n;
	char name[16], age[32];

	add_trouble(f, s->errors, one_kind ? errno_name(s->error[0].code, name, sizeof(name)) : "err");
	add_trouble(f, s->short_transfers, "short");
	text_format(age, sizeof(age), "out %lld s", (long long)(s->silence.oldest_ns / NS_PER_S));
	add_trouble(f, s->silence.n, age);
}

static void numbers_one_row(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct fields f = { .gap = 2 };

	add_rates(&f, s, false);
	for (int i = 0; i < N_PERCENTILES; i++)
		add_percentile(&f, s, &percentiles[i], false);
	fields_label(&f, 7, ROLE_TEXT, "Q %u+%u", s->in_flight, s->waiting);
	add_errors(&f, s);
	fields_row(c, part.row, part.column, part.column + part.columns, &f);
}

static void numbers_rates(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct fields f = { .gap = 2 };
	char tps[24];

	add_rates(&f, s, true);
	fields_label(&f, 3, ROLE_TEXT, "in flight %4u", s->in_flight);
	fields_label(&f, 3, ROLE_TEXT, "waiting %4u", s->waiting);
	add_errors(&f, s);
	if (isfinite(s->transactions_per_s))
		fields_label(&f, 8, ROLE_TEXT, "%5s tps",
			     units_format_count(tps, sizeof(tps), s->transactions_per_s));
	fields_row(c, part.row, part.column, part.column + part.columns, &f);
}

static void numbers_percentiles(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct fields f = { .gap = 2 };

	fields_label(&f, 2, ROLE_TEXT, "TOTAL ms");
	for (int i = 0; i < N_PERCENTILES; i++)
		add_percentile(&f, s, &percentiles[i], part.columns >= 78);
	fields_row(c, part.row + 1, part.column, part.column + part.columns, &f);
}

void area_numbers(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct view *v)
{
	(void)v;
	if (part.rows < 2) {
		numbers_one_row(c, part, s);
		return;
	}
	numbers_rates(c, part, s);
	numbers_percentiles(c, part, s);
}
