#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "engine_private.h"

/* While real devices are measured: what is told in the list of events when it happens, and what each second's figures rest on. */

#define SILENT_NS (5 * NS_PER_S) /* a request that is out for so long is told */

void engine_tell(struct engine *e, const char *fmt, ...)
{
	struct act *a = engine_add_act(e, ACT_DEVICE, CAUSE_STEP, false);
	va_list args;

	va_start(args, fmt);
	vsnprintf(a->text, sizeof(a->text), fmt, args);
	va_end(args);
}

/* Also when others are answered: one of several devices may be dead. */
static void watch_silence(struct engine *e)
{
	struct honest *h = &e->honest;
	int64_t oldest = 0;
	uint32_t n = crew_in_device(&e->crew, &oldest);
	bool silent = n && oldest > SILENT_NS;

	h->silence = silent ? (struct silence_view){n, oldest} : (struct silence_view){0, 0};
	if (silent && !h->told_silence)
		engine_tell(e, "no answer: %u requests outstanding, oldest %.0f s", n, (double)oldest / 1e9);
	h->told_silence = silent;
}

/* Only what is twice as late as was told before. */
static void watch_time(struct engine *e)
{
	struct honest *h = &e->honest;
	int64_t late = worker_now(&e->w) - e->slice_end_ns, offset = honest_wall_offset_ns();

	if (late > h->late_ns)
		h->late_ns = late;
	if (late > HONEST_LATE_NS && late > 2 * h->told_late_ns) {
		h->told_late_ns = late;
		engine_tell(e, "an interval ended %.1f s late: stopped, or no time for us", (double)late / 1e9);
	}
	int64_t stepped = h->seen_offset_ns ? offset - h->seen_offset_ns : 0;
	if (stepped > HONEST_STEPPED_NS || stepped < -HONEST_STEPPED_NS)
		engine_tell(e, "the wall clock was set by %+.1f s; no figure depends on it", (double)stepped / 1e9);
	h->seen_offset_ns = offset;
}

/* ---- what the figures of the last second rest on ---- */

static void begin_second(struct engine *e)
{
	struct honest_second *s = &e->honest.second;

	*s = (struct honest_second){.t_ns = worker_now(&e->w), .cpu_ns = honest_cpu_ns(), .sectors = honest_sectors(e->o.targets)};
}

/* Of a volume it says nothing: copies and moves are bytes that no user asked for. */
static double share_below(const struct engine *e, const struct honest_second *s)
{
	uint64_t below = (honest_sectors(e->o.targets) - s->sectors) * HONEST_SECTOR;

	return e->w.has_volume || e->o.targets->t[0].kind == TARGET_NONE || s->bytes < HONEST_FEW_BYTES ? NAN : (double)below / (double)s->bytes;
}

static void watch_second(struct engine *e)
{
	struct honest_second *s = &e->honest.second;
	double ns = (double)(worker_now(&e->w) - s->t_ns);

	s->bytes += e->stats->in_slice.bytes;
	s->in_flight_s += hist_sum_s(&e->stats->slice[METRIC_TOTAL]);
	if (++s->slices < RECENT_SLICES || ns <= 0)
		return;
	e->honest.view = (struct honest_view){
		.known = true,
		.depth = s->in_flight_s * 1e9 / ns,
		.asked = honest_asked_depth(&e->effect),
		.cpu_share = (double)(honest_cpu_ns() - s->cpu_ns) / ns,
		.below_share = share_below(e, s),
	};
	begin_second(e);
}

static void tell_targets(struct engine *e)
{
	for (uint32_t i = 0; i < e->o.targets->n; i++) {
		const struct target *t = &e->o.targets->t[i];
		if (t->label[0])
			engine_tell(e, "'%s': %s", t->def->path, t->label);
		if (honest_sparse(t))
			engine_tell(e, "'%s': only %.0f %% are written, the rest is no device", t->def->path,
				    (double)t->allocated_bytes * 100 / (double)t->size_bytes);
	}
	begin_second(e);
}

static void watch_targets(struct engine *e)
{
	if (!e->honest.told_labels)
		tell_targets(e);
	else
		watch_second(e);
	e->honest.told_labels = true;
	watch_time(e);
}

void engine_honest_slice(struct engine *e)
{
	struct honest *h = &e->honest;

	if (e->ops->virtual_time)
		return;
	watch_silence(e);
	engine_verify_slice(e);
	if (crew_lost(&e->crew) > h->n_lost_told)
		engine_tell(e, "%u target%s went away", crew_lost(&e->crew), crew_lost(&e->crew) > 1 ? "s" : "");
	h->n_lost_told = crew_lost(&e->crew);
	if (e->o.targets)
		watch_targets(e);
}
