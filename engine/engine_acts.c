#include <math.h>

#include "engine_private.h"

/* What was done and what it did: every change is compared with the last settled window before it. */

struct act *engine_add_act(struct engine *e, enum act_kind kind, enum cause cause, bool marked)
{
	struct act *a = &e->act[e->n_acts % SNAPSHOT_ACTS];

	*a = (struct act){
		.number = ++e->n_acts,
		.marker = marked ? ++e->n_markers : 0,
		.kind = kind,
		.cause = cause,
		.t_ns = worker_now(&e->w),
		.slice = e->n_slices,
		.request = e->stats->run_requests + e->stats->in_slice.requests,
		.ratio = NAN,
		.ratio_low = NAN,
		.ratio_high = NAN,
		.gap_ms = NAN,
	};
	return a;
}

struct act *engine_last_marked(struct engine *e)
{
	for (uint64_t n = e->n_acts; n > 0 && n + SNAPSHOT_ACTS > e->n_acts; n--) {
		struct act *a = &e->act[(n - 1) % SNAPSHOT_ACTS];
		if (a->marker && a->kind != ACT_MARK)
			return a;
	}
	return NULL;
}

/* IOPS of the slices from absolute number `first` on (at most STEADY_GIVE_UP of the newest), oldest first. */
static uint32_t slice_iops(const struct engine *e, uint64_t first, double *x)
{
	uint64_t n = e->n_slices > first ? e->n_slices - first : 0;

	if (n > STEADY_GIVE_UP)
		n = STEADY_GIVE_UP;
	for (uint64_t i = 0; i < n; i++)
		x[i] = e->slice[(e->n_slices - n + i) % SNAPSHOT_SLICES].requests * (1e9 / SLICE_NS);
	return (uint32_t)n;
}

uint64_t engine_segment_slices(const struct engine *e)
{
	return e->n_slices > e->segment ? e->n_slices - e->segment : 0;
}

double engine_segment_cv(const struct engine *e, uint32_t *n)
{
	double x[STEADY_GIVE_UP];

	*n = slice_iops(e, e->segment, x);
	return steady_cv(x, *n);
}

/* The mean of this segment, without what came before it was settled. */
struct estimate engine_window_mean(const struct engine *e)
{
	double x[STEADY_GIVE_UP];
	uint64_t first = e->segment;

	if (e->settled_at >= e->segment + STEADY_SLICES)
		first = e->settled_at - STEADY_SLICES;
	uint32_t n = slice_iops(e, first, x);
	return steady_mean(x, n);
}

static void take_baseline(struct engine *e, bool kept)
{
	e->before.valid = true;
	e->before.kept = kept;
	e->before.t_ns = worker_now(&e->w);
	e->before.iops = engine_window_mean(e);
	e->before.config = e->effect;
	for (int m = 0; m < N_METRICS; m++)
		stats_window(e->stats, (enum metric)m, &e->before.window[m]);
}

void engine_keep_baseline(struct engine *e, bool keep)
{
	if (keep)
		take_baseline(e, true);
	else
		e->before.kept = false;
}

/* The slice that is open now holds something of before the change, so the window's mean begins with the next one. */
void engine_restart_window(struct engine *e)
{
	e->segment = e->n_slices + (worker_now(&e->w) > e->slice_start_ns);
	e->settled_at = 0;
	e->epoch++;
	stats_begin_window(e->stats, worker_now(&e->w));
}

/* The window now becomes the baseline if it is settled, or if there is none yet and it has at least a second. */
void engine_begin_segment(struct engine *e)
{
	bool enough = e->settled_at || (!e->before.valid && engine_segment_slices(e) >= RECENT_SLICES);

	if (!e->before.kept && !e->warming && enough)
		take_baseline(e, false);
	struct act *last = engine_last_marked(e);
	if (last && !last->judged)
		last->superseded = true;
	e->segment_acts = e->n_acts;
	engine_restart_window(e);
}

void engine_judge(struct engine *e)
{
	uint32_t n;
	double cv = engine_segment_cv(e, &n);
	struct act *a = engine_last_marked(e);

	if (!e->settled_at && cv < STEADY_CV)
		e->settled_at = e->n_slices;
	if (!a || a->superseded || a->number <= e->segment_acts || !e->before.valid || (!e->settled_at && n < STEADY_GIVE_UP))
		return;
	if (n > STEADY_GIVE_UP - 1 && a->judged)
		return;
	struct ratio r = steady_ratio(e->before.iops, engine_window_mean(e));
	if (!a->judged)
		a->judged_ns = worker_now(&e->w);
	a->judged = isfinite(r.ratio);
	a->settled = e->settled_at != 0;
	a->ratio = r.ratio;
	a->ratio_low = r.low;
	a->ratio_high = r.high;
}
