#include "stats.h"

#include <math.h>
#include <string.h>

#include "snapshot.h"

static void init_all(struct hist h[N_METRICS])
{
	for (int m = 0; m < N_METRICS; m++)
		hist_init_zero(&h[m]);
}

static void clear_all(struct hist h[N_METRICS])
{
	for (int m = 0; m < N_METRICS; m++)
		hist_clear(&h[m]);
}

static void add_all(struct hist dst[N_METRICS], const struct hist src[N_METRICS])
{
	for (int m = 0; m < N_METRICS; m++)
		hist_add(&dst[m], &src[m]);
}

static void counts_add(struct counts *to, const struct counts *c)
{
	to->requests += c->requests;
	to->bytes += c->bytes;
	to->errors += c->errors;
	to->short_transfers += c->short_transfers;
	to->transactions += c->transactions;
}

void stats_init_zero(struct stats *s, int64_t now_ns)
{
	hist_init_zero(&s->same);
	init_all(s->slice);
	init_all(s->interval);
	init_all(s->step);
	init_all(s->pane[0]);
	init_all(s->pane[1]);
	s->last_ns = -1;
	s->pane_start_ns = now_ns;
}

void stats_init(struct stats *s, int64_t now_ns)
{
	memset(s, 0, sizeof(*s));
	stats_init_zero(s, now_ns);
}

void stats_begin_interval(struct stats *s)
{
	clear_all(s->interval);
	s->in_interval = (struct counts){0};
}

void stats_begin_window(struct stats *s, int64_t now_ns)
{
	/* what the open slice has recorded so far belongs to the step and the interval, not to the new window */
	stats_unfold(s);
	add_all(s->interval, s->slice);
	add_all(s->step, s->slice);
	clear_all(s->slice);
	clear_all(s->pane[0]);
	clear_all(s->pane[1]);
	s->pane_start_ns = now_ns;
}

void stats_begin_step(struct stats *s, int64_t now_ns)
{
	hist_clear(&s->same);
	clear_all(s->slice);
	clear_all(s->step);
	s->in_slice = s->in_step = (struct counts){0};
	memset(s->error, 0, sizeof(s->error));
	s->last_ns = -1;
	s->gap_ns = s->slice_gap_ns = 0;
	stats_begin_interval(s);
	stats_begin_window(s, now_ns);
}

static void add_errors(struct stats *to, const struct error_count *from)
{
	struct error_count *e = to->error, *last = to->error + RESULT_MAX_ERRORS - 1;

	while (e < last && e->n && e->code != from->code)
		e++;
	e->code = e->n ? e->code : from->code;
	e->n += from->n;
}

void stats_error(struct stats *s, int code)
{
	add_errors(s, &(struct error_count){code < 0 ? -code : code, 1});
	s->in_slice.errors++;
}

static void move(struct stats *to, struct stats *from)
{
	stats_unfold(from);
	add_all(to->slice, from->slice);
	clear_all(from->slice);
	counts_add(&to->in_slice, &from->in_slice);
	from->in_slice = (struct counts){0};
	for (int i = 0; i < RESULT_MAX_ERRORS && from->error[i].n; i++)
		add_errors(to, &from->error[i]);
	memset(from->error, 0, sizeof(from->error));
}

static void join_pauses(struct stats *sum, struct stats *own, uint32_t n, int64_t now_ns)
{
	int64_t from = INT64_MIN, to = now_ns;
	bool over = false; /* somebody completed something */

	for (uint32_t i = 0; i < n; i++) {
		struct stats *s = &own[i];
		bool ended = s->slice_gap_ns > 0; /* it completed something, and this was the longest pause before that; else it still pauses */
		int64_t begin = ended ? s->slice_gap_end_ns - s->slice_gap_ns : s->last_ns;
		from = begin > from ? begin : from;
		to = ended && s->slice_gap_end_ns < to ? s->slice_gap_end_ns : to;
		over |= ended;
		sum->last_ns = s->last_ns > sum->last_ns ? s->last_ns : sum->last_ns;
		s->slice_gap_ns = 0;
	}
	if (over && from >= 0)
		stats_put_gap(sum, to - from, to);
}

void stats_join(struct stats *sum, struct stats *own, uint32_t n, int64_t now_ns)
{
	join_pauses(sum, own, n, now_ns);
	for (uint32_t i = 0; i < n; i++)
		move(sum, &own[i]);
}

void stats_unfold(struct stats *s)
{
	if (!s->same.n)
		return;
	hist_add(&s->slice[METRIC_TOTAL], &s->same);
	hist_add(&s->slice[METRIC_DEVICE], &s->same);
	hist_add(&s->slice[METRIC_RESPONSE], &s->same);
	hist_record_zeros(&s->slice[METRIC_WAIT], s->same.n);
	hist_clear(&s->same);
}

void stats_end_slice(struct stats *s, int64_t now_ns)
{
	stats_unfold(s);
	add_all(s->interval, s->slice);
	add_all(s->step, s->slice);
	add_all(s->pane[s->filling], s->slice);
	counts_add(&s->in_interval, &s->in_slice);
	counts_add(&s->in_step, &s->in_slice);
	s->run_requests += s->in_slice.requests;
	clear_all(s->slice);
	s->in_slice = (struct counts){0};
	s->slice_gap_ns = 0;
	if (now_ns - s->pane_start_ns < STATS_PANE_NS)
		return;
	s->filling = !s->filling;
	clear_all(s->pane[s->filling]);
	s->pane_start_ns = now_ns;
}

void stats_window(const struct stats *s, enum metric m, struct lat_view *view)
{
	static const double q[] = {0.50, 0.95, 0.99, 0.999};
	double ns[4];
	struct hist h;

	hist_init(&h);
	hist_add(&h, &s->pane[0][m]);
	hist_add(&h, &s->pane[1][m]);
	hist_percentiles(&h, q, ns, 4);
	*view = (struct lat_view){.n = h.n, .mean_ns = hist_mean(&h), .p50_ns = ns[0], .p95_ns = ns[1], .p99_ns = ns[2], .p999_ns = ns[3]};
	view->min_ns = h.n ? (double)h.min : NAN;
	view->max_ns = h.n ? (double)h.max : NAN;
	hist_log2(&h, view->log2);
}
