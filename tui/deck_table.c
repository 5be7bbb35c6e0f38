/* View 1 as plain rows: everything that its charts, strips and parts say in figures. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "deck_areas.h"
#include "figures.h"
#include "histplot.h"
#include "table.h"

static void table_run(struct table *t, const struct snapshot *s)
{
	char text[FIGURE_ROOM];

	table_row(t, "preset", NULL, "%s", s->preset);
	table_row(t, "state", NULL, "%s", deck_state(s, text, sizeof(text)));
	table_row(t, "step name", NULL, "%s", s->step_name);
	table_row(t, "storage", NULL, "%s", s->simulated ? "simulated" : "real");
	table_row(t, "time", NULL, "%s", figure_clock(text, sizeof(text), s->t_ns, 1));
	table_row(t, "speed", NULL, "%s", figure_speed(text, sizeof(text), s->speed));
	table_row(t, "seed", NULL, "%llu", (unsigned long long)s->seed);
	table_row(t, "settled", NULL, "%s", s->settle.settled ? "yes" : "no");
	table_row(t, "before", NULL, "%s", !s->has_before ? "" : s->before_kept ? "kept by hand" : "chosen automatically");
	if (s->has_before)
		table_row(t, "before at", NULL, "%s", figure_clock(text, sizeof(text), s->before_t_ns, 1));
}

static const char *knob_word(const struct knob_view *k)
{
	static const char *const words[] = { [KNOB_IN_EFFECT] = "", [KNOB_CLAMPED] = ", clamped", [KNOB_REFUSED] = ", last change refused", [KNOB_PENDING] = ", more asked, pending until restart" };

	return words[k->state];
}

static void table_knobs(struct table *t, const struct snapshot *s, const struct view *v)
{
	for (int id = 0; id < N_KNOBS; id++) {
		const struct knob_view *k = &s->knob[id];
		char name[64], now[64], was[64];

		text_format(name, sizeof(name), "knob %s%s", knob_table[id].name, v->knob == id ? " (chosen)" : "");
		knob_format(k->ref, k->in_effect, now, sizeof(now));
		knob_format(k->ref, k->before, was, sizeof(was));
		if (!k->applies)
			table_row(t, name, NULL, "no effect: %s", k->reason);
		else
			table_row(t, name, NULL, "%s%s%s%s%s", now, s->has_before && k->before != k->in_effect ? ", before " : "",
				  s->has_before && k->before != k->in_effect ? was : "", knob_word(k), v->asked[id].waiting ? ", asked" : "");
	}
}

/* Knobs of further jobs that stand elsewhere than the first job's. */
static void table_jobs(struct table *t, const struct snapshot *s)
{
	for (uint32_t job = 1; job < s->n_jobs; job++)
		for (int id = KNOB_FIRST_OF_JOB; id < N_KNOBS; id++) {
			struct knob_ref ref = { (uint8_t)id, (uint8_t)job };
			int64_t now = s->job[job].value[id - KNOB_FIRST_OF_JOB];
			char name[SPEC_NAME + 32], value[64];

			if (!deck_job_differs(s, job, id))
				continue;
			text_format(name, sizeof(name), "knob %s.%s", s->job[job].name, knob_table[id].name);
			table_row(t, name, NULL, "%s", knob_format(ref, now, value, sizeof(value)));
		}
}

static void table_rates(struct table *t, const struct snapshot *s)
{
	char text[FIGURE_ROOM];

	table_row(t, "IOPS", "per second", "%s", units_format_count(text, sizeof(text), s->iops));
	if (s->has_before)
		table_row(t, "IOPS against before", NULL, "%s", figure_ratio(text, sizeof(text), s->change_ratio, s->change_low, s->change_high));
	table_row(t, "throughput", "MB/s", "%s", figure_mbps(text, sizeof(text), s->bytes_per_s));
	if (isfinite(s->transactions_per_s))
		table_row(t, "transactions", "per second", "%s", units_format_count(text, sizeof(text), s->transactions_per_s));
	table_row(t, "in flight", "requests", "%u", s->in_flight);
	table_row(t, "waiting", "requests", "%u", s->waiting);
	table_row(t, "errors", "requests", "%llu", (unsigned long long)s->errors);
	if (s->short_transfers)
		table_row(t, "short", "requests", "%llu", (unsigned long long)s->short_transfers);
	if (s->silence.n)
		table_row(t, "no answer", NULL, "%u requests outstanding, oldest %lld s", s->silence.n, (long long)(s->silence.oldest_ns / NS_PER_S));
}

static const struct {
	const char *name;
	size_t at; /* in lat_view */
	double quantile;
} figures[] = {
	{ "mean", offsetof(struct lat_view, mean_ns), 0 },    { "p50", offsetof(struct lat_view, p50_ns), 0.5 },
	{ "p95", offsetof(struct lat_view, p95_ns), 0.95 },   { "p99", offsetof(struct lat_view, p99_ns), 0.99 },
	{ "p99.9", offsetof(struct lat_view, p999_ns), 0.999 }, { "max", offsetof(struct lat_view, max_ns), 0 },
};
enum { N_TABLE_FIGURES = sizeof(figures) / sizeof(figures[0]) };

/* "5.28", or "5.28 (unsure: 300 of 368 requests)". */
static void figure_text(const struct lat_view *v, int i, char *buf, size_t room)
{
	bool unsure = v->n && figures[i].quantile > 0 && !hist_enough(v->n, figures[i].quantile);
	char ms[24];

	units_format_ms(ms, sizeof(ms), *(const double *)(const void *)((const char *)v + figures[i].at));
	if (unsure)
		text_format(buf, room, "%s (unsure: %llu of %llu requests)", ms, (unsigned long long)v->n,
			    (unsigned long long)hist_needs(figures[i].quantile));
	else
		text_format(buf, room, "%s", ms);
}

/* One row a figure; before behind it. */
static void table_clock(struct table *t, const struct snapshot *s, const char *clock, enum metric m)
{
	const struct lat_view *now = &s->window[m], *was = &s->before[m];
	char name[48], value[64], then[64];

	for (int i = 0; i < N_TABLE_FIGURES; i++) {
		text_format(name, sizeof(name), "%s %s", clock, figures[i].name);
		figure_text(now, i, value, sizeof(value));
		figure_text(was, i, then, sizeof(then));
		table_row(t, name, "ms", "%s%s%s", value, s->has_before ? ", before " : "", s->has_before ? then : "");
	}
}

static void table_bins(struct table *t, const struct snapshot *s, const char *clock, enum metric m)
{
	struct bins b;

	bins_choose(&b, s, 10);
	for (int i = 0; i < b.n; i++) {
		char label[24], name[48], now[FIGURE_ROOM], was[FIGURE_ROOM];

		bins_label(&b, i, label, sizeof(label));
		text_format(name, sizeof(name), "%s %s ms", clock, label);
		figure_share(now, sizeof(now), bins_share(&b, &s->window[m], i));
		figure_share(was, sizeof(was), bins_share(&b, &s->before[m], i));
		table_row(t, name, NULL, "%s%s%s", now + strspn(now, " "), s->has_before ? ", before " : "", s->has_before ? was + strspn(was, " ") : "");
	}
}

static void table_parts(struct table *t, const struct snapshot *s)
{
	char name[48], text[FIGURE_ROOM];

	for (uint32_t i = 0; i < s->n_paths; i++) {
		text_format(name, sizeof(name), "path %s", s->path[i].name);
		figure_share(text, sizeof(text), s->path[i].share);
		table_row(t, name, NULL, "%s, %s of the requests, %u in flight", path_state_names[s->path[i].state], text + strspn(text, " "), s->path[i].in_flight);
	}
	for (uint32_t i = 0; s->has_aliases && i < s->n_lcus; i++) {
		text_format(name, sizeof(name), "LCU %u", i);
		table_row(t, name, NULL, "%u of %u aliases busy, peak %u, %u waiting", s->lcu[i].busy, s->lcu[i].aliases, s->lcu[i].peak, s->lcu[i].waiting);
	}
	for (uint32_t i = 0; i < s->n_disks; i++) {
		text_format(name, sizeof(name), "disk %s", s->disk[i].name);
		figure_share(text, sizeof(text), s->disk[i].busy);
		table_row(t, name, NULL, "%s, %s busy", s->disk[i].state ? s->disk[i].state : "", text + strspn(text, " "));
	}
	for (uint32_t i = 0; i < s->n_members; i++) {
		text_format(name, sizeof(name), "member m%u", i);
		figure_share(text, sizeof(text), s->member_busy[i]);
		table_row(t, name, "busy", "%s", text + strspn(text, " "));
	}
	if (s->n_paths && isfinite(s->forwarded_share)) {
		figure_share(text, sizeof(text), s->forwarded_share);
		table_row(t, "wrong member", "of the commands", "%s", text + strspn(text, " "));
	}
}

static void table_work(struct table *t, const struct snapshot *s)
{
	const struct rebalance_view *r = &s->rebalance;
	char text[FIGURE_ROOM];

	if (r->has_volume) {
		table_row(t, "rebalance", NULL, "%s", r->state ? r->state : "");
		table_row(t, "rebalance done", "AU", "%u of %u", r->sofar_au, r->est_work_au);
		if (r->stalled)
			table_row(t, "rebalance left", NULL, "stalled %s", r->reason);
		else
			table_row(t, "rebalance left", "minutes", isfinite(r->est_minutes) ? "%.1f" : "-", r->est_minutes);
	}
	if (!s->work.number)
		return;
	table_row(t, "fixed work", "requests", "%llu of %llu", (unsigned long long)s->work.done, (unsigned long long)s->work.number);
	table_row(t, "last round", "seconds", "%s", figure_seconds(text, sizeof(text), s->work.last_elapsed_s));
}

static void table_acts(struct table *t, const struct snapshot *s)
{
	uint32_t from = s->n_acts > 5 ? s->n_acts - 5 : 0;

	for (uint32_t i = s->n_acts; i > from; i--) {
		char clock[FIGURE_ROOM], name[64];

		text_format(name, sizeof(name), "event %s", figure_clock(clock, sizeof(clock), s->act[i - 1].t_ns, 1));
		table_row(t, name, NULL, "%s", s->act[i - 1].text);
	}
}

void deck_table(struct table *t, const struct snapshot *s, const struct view *v)
{
	if (!s)
		return;
	table_run(t, s);
	table_knobs(t, s, v);
	table_jobs(t, s);
	table_rates(t, s);
	table_clock(t, s, "TOTAL", METRIC_TOTAL);
	table_clock(t, s, "DEVICE", METRIC_DEVICE);
	table_parts(t, s);
	table_honest(t, s);
	table_work(t, s);
	table_bins(t, s, "TOTAL", METRIC_TOTAL);
	table_bins(t, s, "DEVICE", METRIC_DEVICE);
	table_acts(t, s);
}
