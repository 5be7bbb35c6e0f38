#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine_private.h"

/* Everything a screen needs, filled from front to back. */

static void copy_text(char *dst, size_t room, const char *src)
{
	text_clean(dst, room, src ? src : "", 0);
}

static void fill_identity(const struct engine *e, struct snapshot *s)
{
	const struct step *step = &e->spec->step[e->step];

	copy_text(s->preset, sizeof(s->preset), e->spec->name);
	copy_text(s->step_name, sizeof(s->step_name), step->name);
	copy_text(s->question, sizeof(s->question), e->spec->question);
	copy_text(s->caption, sizeof(s->caption), step->caption);
	copy_text(s->hint, sizeof(s->hint), step->hint);
	copy_text(s->note, sizeof(s->note), step->note);
	copy_text(s->backend, sizeof(s->backend), e->ops->name);
	s->simulated = e->ops->virtual_time;
	s->seed = e->spec->seed;
}

static void fill_time(const struct engine *e, struct snapshot *s)
{
	s->step = e->step;
	s->n_steps = e->spec->n_steps;
	s->playing = e->playing;
	s->paused = e->paused;
	s->ended = e->ended;
	s->warming = e->warming;
	s->speed = e->speed;
	s->t_ns = worker_now(&e->w);
	s->step_t_ns = e->warming ? 0 : s->t_ns - e->step_start_ns;
	s->step_length_ns = e->playing && e->step_end_ns != INT64_MAX ? e->step_end_ns - e->step_start_ns : 0;
}

void engine_fill_paths(const struct engine *e, const uint64_t *then, struct path_view *v, uint32_t *n)
{
	const struct stack *s = &e->w.stack;
	struct crew_totals sum;
	double all = 0;

	crew_totals(&e->crew, &sum);
	*n = s->p.n_paths;
	for (uint32_t i = 0; i < *n; i++)
		all += (double)(sum.path_requests[i] - then[i]);
	for (uint32_t i = 0; i < *n; i++) {
		v[i] = (struct path_view){
			.state = (enum path_state)s->path[i].state,
			.requests = sum.path_requests[i] - e->path_then[i],
			.share = all > 0 ? (double)(sum.path_requests[i] - then[i]) / all : NAN,
			.in_flight = sum.path_in_flight[i],
			.weight = s->path[i].weight,
		};
		text_format(v[i].name, sizeof(v[i].name), "p%u", i);
	}
}

static double rate(uint64_t now, uint64_t then, int64_t ns)
{
	return ns > 0 ? (double)(now - then) * 1e9 / (double)ns : NAN;
}

/* The last second, or less since the last change. */
struct recent {
	uint64_t n; /* slices */
	const struct tally *now, *then;
	int64_t ns;
};

static struct recent recent(const struct engine *e)
{
	uint64_t n = engine_segment_slices(e) < RECENT_SLICES ? engine_segment_slices(e) : RECENT_SLICES;
	const struct tally *now = &e->tally[(e->n_slices + RECENT_SLICES) % (RECENT_SLICES + 1)];
	const struct tally *then = &e->tally[(e->n_slices + RECENT_SLICES - n) % (RECENT_SLICES + 1)];

	return (struct recent){n, now, then, now->t_ns - then->t_ns};
}

static void fill_rates(const struct engine *e, struct snapshot *s)
{
	struct recent r = recent(e);
	const struct tally *now = r.now, *then = r.then;
	uint64_t n = r.n;
	int64_t ns = r.ns;
	struct backend_counters c = {0};
	bool has_tx = false;

	for (uint32_t i = 0; i < e->w.n_jobs; i++)
		has_tx |= e->w.job[i].spec.transaction;
	s->iops = n ? rate(now->requests, then->requests, ns) : NAN;
	s->bytes_per_s = n ? rate(now->bytes, then->bytes, ns) : NAN;
	s->transactions_per_s = n && has_tx ? rate(now->transactions, then->transactions, ns) : NAN;
	if (e->w.backend && e->w.backend->ops->counters)
		e->w.backend->ops->counters(e->w.backend, &c);
	s->n_members = c.n_members;
	s->forwarded_share = c.n_members > 1 && now->commands > then->commands
				     ? (double)(now->forwarded - then->forwarded) / (double)(now->commands - then->commands)
				     : NAN;
	for (uint32_t i = 0; i < c.n_members; i++) {
		double busy = ns > 0 ? (double)(now->member_busy_ns[i] - then->member_busy_ns[i]) / (double)ns / c.servers : 0;
		s->member_busy[i] = (float)(busy < 0 ? 0 : busy > 1 ? 1 : busy);
	}
	engine_fill_paths(e, then->path_requests, s->path, &s->n_paths);
	s->n_paths = e->w.stack.p.dasd ? 0 : s->n_paths;
	engine_fill_disks(e, then->disk_busy_ns, ns, s->disk, &s->n_disks);
	engine_fill_rebalance(e, &s->rebalance);
}

static void fill_windows(const struct engine *e, struct snapshot *s)
{
	struct estimate now = engine_window_mean(e);
	struct ratio r = {NAN, NAN, NAN};
	uint32_t n;

	s->window_iops = now.mean;
	s->settle.cv = engine_segment_cv(e, &n);
	s->settle.settled = e->settled_at != 0;
	s->settle.needed_cv = STEADY_CV;
	s->settle.needed_s = STEADY_SLICES / 10.0;
	s->settle.waited_s = n < STEADY_SLICES ? n / 10.0 : s->settle.needed_s;
	for (int m = 0; m < N_METRICS; m++)
		stats_window(e->stats, (enum metric)m, &s->window[m]);
	s->has_before = e->before.valid;
	s->before_kept = e->before.kept;
	s->before_t_ns = e->before.t_ns;
	s->before_iops = e->before.iops.mean;
	memcpy(s->before, e->before.window, sizeof(s->before));
	if (e->before.valid)
		r = steady_ratio(e->before.iops, now);
	s->change_ratio = r.ratio;
	s->change_low = r.low;
	s->change_high = r.high;
}

static void fill_slices(const struct engine *e, struct snapshot *s)
{
	uint64_t n = e->n_slices < SNAPSHOT_SLICES ? e->n_slices : SNAPSHOT_SLICES;

	s->n_slices = (uint32_t)n;
	s->first_slice = e->n_slices - n;
	for (uint64_t i = 0; i < n; i++)
		s->slice[i] = e->slice[(s->first_slice + i) % SNAPSHOT_SLICES];
}

static void fill_acts(const struct engine *e, struct snapshot *s)
{
	uint64_t n = e->n_acts < SNAPSHOT_ACTS ? e->n_acts : SNAPSHOT_ACTS;

	s->n_acts = (uint32_t)n;
	for (uint64_t i = 0; i < n; i++)
		s->act[i] = e->act[(e->n_acts - n + i) % SNAPSHOT_ACTS];
}

static void add_lcu(struct lcu_view *v, const struct lcu *u, double busy)
{
	v->aliases += u->n_alias;
	v->busy += (uint32_t)(busy > 0 ? busy + 0.5 : 0);
	v->peak += u->peak;
	v->bases += u->n_luns;
}

static void fill_lcus(const struct engine *e, struct snapshot *s)
{
	const struct stack *st = &e->w.stack;

	s->has_aliases = st->p.dasd && st->p.alias_mode != STACK_ALIASES_NONE;
	s->n_lcus = !st->p.dasd ? 0 : st->p.n_lcus < SNAPSHOT_LCUS ? st->p.n_lcus : SNAPSHOT_LCUS;
	s->n_all_lcus = st->p.dasd ? st->p.n_lcus : 0;
	memset(s->lcu, 0, sizeof(s->lcu));
	struct recent r = recent(e);
	for (uint32_t i = 0; s->n_lcus && i < st->p.n_lcus; i++) {
		double busy = r.ns > 0 ? (double)(r.now->lcu_busy_ns[i] - r.then->lcu_busy_ns[i]) / (double)r.ns : 0;
		add_lcu(&s->lcu[i < s->n_lcus ? i : s->n_lcus - 1], crew_lcu(&e->crew, i), busy);
	}
	for (uint32_t i = 0; s->n_lcus && i < st->p.n_luns; i++) {
		uint32_t u = i % st->p.n_lcus;
		s->lcu[u < s->n_lcus ? u : s->n_lcus - 1].waiting += crew_lun(&e->crew, i)->block.n;
	}
}

static void fill_jobs(const struct engine *e, struct snapshot *s)
{
	s->n_jobs = e->effect.n_jobs;
	for (uint32_t i = 0; i < s->n_jobs; i++) {
		struct job_view *v = &s->job[i];

		v->applies = 0;
		copy_text(v->name, sizeof(v->name), e->effect.job[i].name);
		for (int id = KNOB_FIRST_OF_JOB; id < N_KNOBS; id++) {
			struct knob_ref ref = {(uint8_t)id, (uint8_t)i};

			v->value[id - KNOB_FIRST_OF_JOB] = knob_get(&e->effect, ref);
			if (knob_applies(&e->effect, ref, NULL))
				v->applies |= 1u << (id - KNOB_FIRST_OF_JOB);
		}
	}
}

static void fill_parts(const struct engine *e, struct snapshot *s)
{
	struct crew_totals sum;

	crew_totals(&e->crew, &sum);
	s->requests = e->stats->in_step.requests + e->stats->in_slice.requests;
	s->errors = e->stats->in_step.errors + e->stats->in_slice.errors;
	s->short_transfers = e->stats->in_step.short_transfers + e->stats->in_slice.short_transfers;
	memcpy(s->error, e->stats->error, sizeof(s->error));
	s->redecided = sum.redecided - e->redecided_then;
	s->in_flight = sum.in_flight;
	s->waiting = sum.waiting;
	s->silence = e->honest.silence;
	s->honest = e->honest.view;
	s->work = e->work;
	s->work.number = sum.work;
	s->work.done = sum.work_done;
}

/* What was refused is shown as asked until something else is asked. */
static void fill_knob(const struct engine *e, struct knob_ref ref, struct knob_view *v)
{
	engine_fill_knob(e, ref, v);
	if (v->state == KNOB_REFUSED)
		v->asked = e->note[ref.id][ref.job].refused;
}

void engine_snapshot(struct engine *e, struct snapshot *s)
{
	s->number = ++e->n_snapshots;
	s->epoch = e->epoch;
	s->lag_s = 0;
	fill_identity(e, s);
	fill_time(e, s);
	for (int id = 0; id < N_KNOBS; id++)
		fill_knob(e, (struct knob_ref){(uint8_t)id, 0}, &s->knob[id]);
	fill_jobs(e, s);
	s->undo_act = e->n_undo ? e->undo[e->n_undo - 1].act : 0;
	fill_rates(e, s);
	fill_windows(e, s);
	fill_slices(e, s);
	fill_acts(e, s);
	fill_lcus(e, s);
	fill_parts(e, s);
	engine_fill_story(e, s);
}
