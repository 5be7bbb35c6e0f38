/* What completed: histograms and counts of the open slice, added up into interval, step and window when the slice ends, so that each
 * request is recorded once. One thread. */
#ifndef IODECK_STATS_H
#define IODECK_STATS_H

#include "result.h"

struct counts {
	uint64_t requests, bytes, errors, short_transfers, transactions;
};

/* The window shows the last 5 to 10 s: a closed pane and the one being filled. */
#define STATS_PANE_NS (5 * INT64_C(1000000000))

struct stats {
	struct hist same;           /* of the open slice: requests that waited nowhere, so that all clocks but wait agree */
	struct hist slice[N_METRICS], interval[N_METRICS], step[N_METRICS], pane[2][N_METRICS];
	struct counts in_slice, in_interval, in_step;
	uint64_t run_requests;      /* since the engine began */
	int64_t last_ns, gap_ns;    /* last completion in this step or -1; longest time between two */
	int64_t slice_gap_ns, slice_gap_end_ns; /* longest that ended in the open slice, and when */
	int64_t pane_start_ns;
	unsigned filling;           /* which pane */
	struct error_count error[RESULT_MAX_ERRORS]; /* in this step, by kind; the last one also takes those without a place */
};

void stats_init(struct stats *s, int64_t now_ns);
/* The same for memory that is all-zero (calloc): of its 600 KiB only the pages in use are ever touched. */
void stats_init_zero(struct stats *s, int64_t now_ns);
/* Everything of the step is empty again (step start, end of the warm-up, reset). */
void stats_begin_step(struct stats *s, int64_t now_ns);
void stats_begin_interval(struct stats *s);
/* One failed request. */
void stats_error(struct stats *s, int code);
/* The window starts again (an act). */
void stats_begin_window(struct stats *s, int64_t now_ns);
/* Before the histograms of the open slice are looked at: one record in `same` becomes the four it stands for. */
void stats_unfold(struct stats *s);
/* What `n` workers recorded since the last call moves to the open slice of `sum`; `now_ns`: they have all come this far. A pause is one that all
 * had at once, as far as their longest ones overlap: an outage is one, that each of them waited now and then is none. */
void stats_join(struct stats *sum, struct stats *own, uint32_t n, int64_t now_ns);
/* The slice is over: add it up and empty it. */
void stats_end_slice(struct stats *s, int64_t now_ns);
/* The window of one metric as a view. */
struct lat_view;
void stats_window(const struct stats *s, enum metric m, struct lat_view *view);

/* Hot path, the three of them for each good request: its four times ... */
static inline void stats_record(struct stats *s, int64_t now_ns, int64_t submit, int64_t enter, int64_t start)
{
	if (submit == start && enter == start) {
		hist_record(&s->same, now_ns - start);
	} else {
		hist_record(&s->slice[METRIC_TOTAL], now_ns - enter);
		hist_record(&s->slice[METRIC_DEVICE], now_ns - start);
		hist_record(&s->slice[METRIC_WAIT], start - enter);
		hist_record(&s->slice[METRIC_RESPONSE], now_ns - submit);
	}
}

/* ... what it moved ... */
static inline void stats_count(struct stats *s, uint32_t bytes, bool transaction)
{
	s->in_slice.requests++;
	s->in_slice.bytes += bytes;
	s->in_slice.transactions += transaction;
}

/* A pause of `gap_ns` between two completions ended. */
static inline void stats_put_gap(struct stats *s, int64_t gap_ns, int64_t end_ns)
{
	if (gap_ns <= s->slice_gap_ns)
		return;
	s->slice_gap_ns = gap_ns;
	s->slice_gap_end_ns = end_ns;
	s->gap_ns = gap_ns > s->gap_ns ? gap_ns : s->gap_ns;
}

/* ... and that it came at `now_ns` (of several that came then, once is enough). */
static inline void stats_gap(struct stats *s, int64_t now_ns)
{
	if (s->last_ns >= 0)
		stats_put_gap(s, now_ns - s->last_ns, now_ns);
	s->last_ns = now_ns;
}

#endif
