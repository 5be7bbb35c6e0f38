#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "base/text.h"
#include "engine_private.h"

/* What one has to know to believe figures of real devices: the depth that was reached, what iodeck itself cost, whether the device below
 * moved those bytes, whether time passed evenly. Said here with the result of the step; while it runs: engine_watch.c. */

#define PATIENCE_NS NS_PER_S          /* the end of a step waits for requests older than this ... */
#define GRACE_NS (5 * NS_PER_S)       /* ... for at most so long */

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t honest_cpu_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t honest_wall_offset_ns(void)
{
	return clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
}

/* Sectors that a device has moved since it is there (Linux block/stat: fields 3 and 7; 512 bytes whatever the device says). */
static uint64_t sectors_of(dev_t dev)
{
	char path[64];
	unsigned long long read = 0, written = 0;

	text_format(path, sizeof(path), "/sys/dev/block/%u:%u/stat", major(dev), minor(dev));
	FILE *f = dev ? fopen(path, "re") : NULL;
	if (f && fscanf(f, "%*u %*u %llu %*u %*u %*u %llu", &read, &written) != 2)
		read = written = 0;
	if (f)
		fclose(f);
	return read + written;
}

uint64_t honest_sectors(const struct target_set *set)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < set->n; i++) {
		bool seen = false;
		for (uint32_t k = 0; k < i; k++)
			seen |= set->t[k].dev == set->t[i].dev;
		if (!seen)
			sum += sectors_of(set->t[i].dev);
	}
	return sum;
}

void engine_honest_begin(struct engine *e)
{
	struct honest *h = &e->honest;

	h->over_ns = 0;
	if (!e->o.targets)
		return;
	h->sectors = honest_sectors(e->o.targets);
	h->cpu_ns = honest_cpu_ns();
	h->wall_offset_ns = honest_wall_offset_ns();
	h->late_ns = h->told_late_ns = 0;
}

/* ---- notes of a step ---- */

void engine_note(struct step_result *r, const char *fmt, ...)
{
	va_list args;

	if (r->n_notes == RESULT_MAX_NOTES)
		return;
	va_start(args, fmt);
	vsnprintf(r->note[r->n_notes++], RESULT_NOTE, fmt, args);
	va_end(args);
}

static double mib(uint64_t bytes)
{
	return (double)bytes / (1 << 20);
}

bool honest_sparse(const struct target *t)
{
	return t->kind == TARGET_FILE && t->allocated_bytes < t->size_bytes / 100 * 95;
}

static void note_target(const struct target *t, struct step_result *r)
{
	engine_note(r, "target '%s'%s%s%s: %.1f MiB, %s%s%s", t->def->path, t->kernel_name[0] ? " (" : "", t->kernel_name,
	     t->kernel_name[0] ? ")" : "", mib(t->size_bytes), t->direct ? "direct" : "not direct", t->label[0] ? ", " : "", t->label);
	if (honest_sparse(t))
		engine_note(r, "target '%s': only %.1f of %.1f MiB are written; the rest is answered without any device", t->def->path,
		     mib(t->allocated_bytes), mib(t->size_bytes));
}

static void note_targets(struct engine *e, struct step_result *r)
{
	const struct target_set *set = e->o.targets;

	if (e->honest.told_targets)
		return;
	e->honest.told_targets = true;
	for (uint32_t i = 0; i < set->n; i++)
		note_target(&set->t[i], r);
	if (set->sizes_differ)
		engine_note(r, "the targets differ in size: the first %.1f MiB of each are used", mib(set->lun_bytes));
}

/* Requests that closed jobs without think time keep in flight; 0: nobody can say. */
uint32_t honest_asked_depth(const struct config *cfg)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < cfg->n_jobs; i++) {
		const struct job_spec *j = &cfg->job[i];
		if (j->numjobs && (j->kind != JOB_CLOSED || j->arrival_iops || j->think.mean_ns))
			return 0;
		n += j->numjobs * j->iodepth;
	}
	return n;
}

static void note_depth(const struct engine *e, struct step_result *r)
{
	double s = (double)r->length_ns / 1e9, in_flight = hist_sum_s(&r->hist[METRIC_TOTAL]) / s;
	double cpu_s = (double)(honest_cpu_ns() - e->honest.cpu_ns) / 1e9;
	uint32_t asked = honest_asked_depth(&e->effect);
	char of[64] = "";

	if (asked)
		text_format(of, sizeof(of), " of %u asked for (IOPS x latency / depth = %.2f)", asked, in_flight / asked);
	engine_note(r, "step '%s': %.1f requests in flight on average%s; iodeck itself took %.0f %% of a processor, %.2f us a request", r->name, in_flight, of,
	     cpu_s / s * 100, cpu_s * 1e6 / (double)r->requests);
}

static void note_cache(const struct engine *e, struct step_result *r)
{
	uint64_t below = (honest_sectors(e->o.targets) - e->honest.sectors) * HONEST_SECTOR;

	if (e->o.targets->t[0].kind == TARGET_NONE || r->bytes < HONEST_FEW_BYTES)
		return;
	if (e->w.has_volume)
		return; /* copies and moves: what the devices move is not what the users ask */
	if (below < r->bytes / 100 * 95)
		engine_note(r, "step '%s': the device below moved %.1f MiB, the requests %.1f: the rest came from a cache, not from the device", r->name,
		     mib(below), mib(r->bytes));
	else if (below > r->bytes / 100 * 110)
		engine_note(r, "step '%s': the device below moved %.1f MiB, the requests %.1f: somebody else was at work as well", r->name, mib(below),
		     mib(r->bytes));
}

static void note_time(const struct engine *e, struct step_result *r)
{
	int64_t stepped = honest_wall_offset_ns() - e->honest.wall_offset_ns;

	if (e->honest.late_ns > HONEST_LATE_NS)
		engine_note(r, "step '%s': an interval ended %.1f s late: the process was stopped, or the machine had no time for it", r->name,
		     (double)e->honest.late_ns / 1e9);
	if (stepped > HONEST_STEPPED_NS || stepped < -HONEST_STEPPED_NS)
		engine_note(r, "step '%s': the wall clock was set by %+.1f s meanwhile; no figure depends on it", r->name, (double)stepped / 1e9);
}

static void note_lost(const struct engine *e, struct step_result *r)
{
	for (uint32_t i = 0; i < e->o.targets->n; i++) {
		const struct target_def *def = e->o.targets->t[i].def;
		if (crew_has_lost(&e->crew, e->o.targets->t[i].lun) && !def->way)
			engine_note(r, "step '%s': '%s' went away%s", r->name, def->path, crew_idle(&e->crew) ? "" : "; the other targets went on");
	}
}

static void note_silence(struct engine *e, struct step_result *r)
{
	int64_t oldest;
	uint32_t n = crew_in_device(&e->crew, &oldest);

	if (n && oldest > PATIENCE_NS)
		engine_note(r, "step '%s': %u requests outstanding, oldest %.1f s; the kernel keeps this process until they come back", r->name, n,
		     (double)oldest / 1e9);
}

void engine_honest_end(struct engine *e, struct step_result *r)
{
	if (e->refused[0])
		engine_note(r, "step '%s': %s", r->name, e->refused);
	if (!e->ops->virtual_time)
		note_silence(e, r);
	if (!e->o.targets)
		return;
	note_targets(e, r);
	if (r->requests && r->length_ns > 0)
		note_depth(e, r);
	note_cache(e, r);
	note_time(e, r);
	note_lost(e, r);
	engine_state_note(e, r);
}

/* The time of a step is over. Old requests get some more, for whoever waits for an answer wants to know whether there is one; counted from
 * now on, for a process that was stopped finds both late and old what has long been answered. */
bool engine_honest_over(struct engine *e, enum step_end *why)
{
	int64_t oldest, now = worker_now(&e->w);

	if (e->ops->virtual_time)
		return true;
	if (!crew_in_device(&e->crew, &oldest) || oldest < PATIENCE_NS)
		return true;
	if (!e->honest.over_ns)
		e->honest.over_ns = now;
	if (now < e->honest.over_ns + GRACE_NS)
		return false;
	*why = END_HUNG;
	return true;
}
