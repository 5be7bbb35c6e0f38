#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine_private.h"

/* Time: the worker runs to the next boundary (end of a slice, of the warm-up, of the step, a fault that is due, the caller's limit), then
 * what is due there is done, always in the same order. */

void engine_restart_slices(struct engine *e)
{
	int64_t now = worker_now(&e->w);

	e->slice_start_ns = now;
	e->slice_end_ns = now + SLICE_NS;
	e->interval_start_ns = now;
	e->interval_end_ns = now + e->o.interval_ns;
	e->tally[(e->n_slices + RECENT_SLICES) % (RECENT_SLICES + 1)].t_ns = now;
	stats_begin_interval(e->stats);
}

/* What plays must not fail at its third step. */
static int check_steps(const struct spec *spec, const struct engine_options *o, const struct backend_ops *ops, struct err *err)
{
	struct config *cfg = malloc(sizeof(*cfg));
	int code = cfg ? 0 : err_set(err, -ENOMEM, "out of memory");

	for (uint32_t i = o->first_step; !code && !o->hold && i < spec->n_steps; i++) {
		struct err why;
		if (o->selected && !o->selected[i])
			continue;
		code = spec_step_config(spec, i, cfg, err);
		if (!code && cfg->volume.verify && !ops->data)
			code = err_set(err, -ENOTSUP, "verify needs real storage (--target): the backend '%s' keeps no data that could be verified",
				       ops->name);
		if (!code && (worker_check_path(ops, &spec->owners, cfg->host.path.policy, &why) < 0 || crew_check(ops, cfg, o->workers, &why) < 0))
			code = err_set(err, -ENOTSUP, "step '%s': %s", spec->step[i].name, why.text);
	}
	free(cfg);
	return code;
}

struct engine *engine_new(const struct spec *spec, const struct engine_options *o, struct err *err)
{
	const struct backend_ops *ops = backend_find(o->backend);

	if (!ops) {
		err_set(err, -ENOENT, "there is no backend '%s' (model, null, aio)", o->backend);
		return NULL;
	}
	if (check_steps(spec, o, ops, err) < 0)
		return NULL;
	struct engine *e = calloc(1, sizeof(*e));
	if (e) {
		e->stats = calloc(1, sizeof(*e->stats));
		e->result = malloc(sizeof(*e->result));
	}
	if (!e || !e->stats || !e->result) {
		engine_free(e);
		err_set(err, -ENOMEM, "cannot start the engine: out of memory");
		return NULL;
	}
	e->spec = spec;
	e->o = *o;
	e->ops = ops;
	e->crew = (struct crew){.n = 1, .first = &e->w};
	e->playing = !o->hold;
	stats_init_zero(e->stats, 0);
	if (!e->o.interval_ns)
		e->o.interval_ns = SLICE_NS;
	uint32_t first = o->first_step;
	while (e->playing && o->selected && first + 1 < spec->n_steps && !o->selected[first])
		first++;
	if (engine_begin_run(e, first, err) < 0) {
		engine_free(e);
		return NULL;
	}
	return e;
}

int engine_begin_run(struct engine *e, uint32_t step, struct err *err)
{
	e->work.last_elapsed_s = e->work.last_cpu_sys_s = e->work.last_cpu_user_s = NAN;
	e->step = step;
	return engine_start_step(e, step, true, err);
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	engine_state_end(e);
	crew_close(&e->crew);
	for (uint32_t i = 0; e->done && i < e->spec->n_steps; i++)
		free(e->done[i]);
	free(e->done);
	free(e->target);
	free(e->stats);
	free(e->result);
	free(e);
}

int64_t engine_now(const struct engine *e)
{
	return worker_now(&e->w);
}

static void tally_slice(struct engine *e)
{
	const struct stats *s = e->stats;
	struct tally *t = &e->tally[e->n_slices % (RECENT_SLICES + 1)];
	const struct tally *last = &e->tally[(e->n_slices + RECENT_SLICES) % (RECENT_SLICES + 1)];
	struct backend_counters c = {0};
	struct crew_totals sum;

	*t = *last;
	t->t_ns = worker_now(&e->w);
	t->requests += s->in_slice.requests;
	t->bytes += s->in_slice.bytes;
	t->transactions += s->in_slice.transactions;
	if (e->w.backend->ops->counters)
		e->w.backend->ops->counters(e->w.backend, &c);
	t->commands = c.commands;
	t->forwarded = c.forwarded;
	for (uint32_t i = 0; i < c.n_members; i++)
		t->member_busy_ns[i] = c.member_busy_ns[i];
	for (uint32_t i = 0; i < e->w.stack.p.n_lcus; i++)
		t->lcu_busy_ns[i] = crew_lcu(&e->crew, i)->busy_ns;
	crew_totals(&e->crew, &sum);
	memcpy(t->path_requests, sum.path_requests, sizeof(t->path_requests));
	for (uint32_t i = 0; e->w.has_volume && i < e->w.volume.n_disks; i++)
		t->disk_busy_ns[i] = engine_disk_busy_ns(e, i);
}

/* Rounded up, so that the one slow request among ten thousand is still there. */
static void fill_total_share(const struct hist *h, uint8_t share[HIST_LOG2_ROWS])
{
	uint64_t rows[HIST_LOG2_ROWS];

	hist_log2(h, rows);
	for (int i = 0; i < HIST_LOG2_ROWS; i++)
		share[i] = h->n ? (uint8_t)((rows[i] * 255 + h->n - 1) / h->n) : 0;
}

static void strip_slice(struct engine *e)
{
	const struct stats *s = e->stats;
	double p99 = hist_percentile(&s->slice[METRIC_TOTAL], 0.99);
	struct slice *slice = &e->slice[e->n_slices % SNAPSHOT_SLICES];

	*slice = (struct slice){
		.requests = (uint32_t)s->in_slice.requests,
		.errors = (uint32_t)s->in_slice.errors,
		.bytes = s->in_slice.bytes,
		.p99_total_ms = s->slice[METRIC_TOTAL].n ? (float)(p99 / 1e6) : NAN,
	};
	fill_total_share(&s->slice[METRIC_TOTAL], slice->total_share);
}

static int64_t knob_or_none(const struct engine *e, enum knob_id id)
{
	struct knob_ref ref = {(uint8_t)id, 0};

	return knob_applies(&e->effect, ref, NULL) ? knob_get(&e->effect, ref) : -1;
}

void engine_end_interval(struct engine *e)
{
	int64_t now = worker_now(&e->w);
	const struct stats *s = e->stats;
	struct interval i = {
		.start_ns = e->interval_start_ns,
		.length_ns = now - e->interval_start_ns,
		.step = e->step,
		.step_name = e->spec->step[e->step].name,
		.requests = s->in_interval.requests,
		.bytes = s->in_interval.bytes,
		.errors = s->in_interval.errors,
		.hist = s->interval,
		.qd = knob_or_none(e, KNOB_QD),
		.aliases = knob_or_none(e, KNOB_ALIASES),
		.path = knob_or_none(e, KNOB_PATH),
		.power = knob_or_none(e, KNOB_POWER),
	};

	if (!e->warming && e->o.sink.interval && i.length_ns > 0)
		e->o.sink.interval(e->o.sink.data, &i);
	stats_begin_interval(e->stats);
	e->interval_start_ns = now;
	e->interval_end_ns += e->o.interval_ns;
}

/* A slice cut short by the end of a step is counted, but it is no column of a strip. */
void engine_end_slice(struct engine *e)
{
	int64_t now = worker_now(&e->w);
	bool whole = now >= e->slice_end_ns;

	stats_unfold(e->stats);
	if (whole) {
		engine_honest_slice(e);
		strip_slice(e);
		tally_slice(e);
		engine_outside_slice(e);
		e->n_slices++;
	}
	stats_end_slice(e->stats, now);
	if (now >= e->interval_end_ns)
		engine_end_interval(e);
	e->slice_start_ns = now;
	if (whole)
		e->slice_end_ns += SLICE_NS;
	if (whole)
		engine_judge(e);
}

static int64_t next_boundary(const struct engine *e, int64_t limit)
{
	bool timed = e->playing && e->step_end_ns > worker_now(&e->w); /* behind its end: requests are waited for */
	int64_t step_end = timed ? e->step_end_ns : INT64_MAX;
	int64_t at[] = {e->slice_end_ns, e->warming ? e->warm_end_ns : step_end, engine_next_fault_ns(e)};
	int64_t next = limit;

	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		if (at[i] < next)
			next = at[i];
	return next;
}

static bool step_is_over(struct engine *e, enum step_end *why)
{
	const struct step *s = &e->spec->step[e->step];
	uint32_t n;
	double cv = engine_segment_cv(e, &n);

	if (!e->playing || e->warming)
		return false;
	if (crew_idle(&e->crew)) {
		*why = END_DEVICE;
		return true;
	}
	if (worker_now(&e->w) >= e->step_end_ns) {
		*why = crew_lost(&e->crew) ? END_DEVICE : END_RUNTIME;
		return engine_honest_over(e, why);
	}
	if (s->until == RUN_DONE && crew_work_done(&e->crew)) {
		*why = END_DONE;
		return true;
	}
	if (s->until == RUN_DONE && engine_rebalance_over(e, why))
		return true;
	*why = END_SETTLED;
	return s->until == RUN_SETTLED && cv < STEADY_CV && worker_now(&e->w) - e->step_start_ns >= STEADY_SLICES * SLICE_NS;
}

/* Behind the step, and behind its final check. */
static int go_on(struct engine *e, enum step_end why, struct err *err)
{
	if (crew_idle(&e->crew) || (why == END_HUNG && !e->ops->virtual_time)) {
		e->ended = true;
		return 0;
	}
	return engine_stands(e) ? 0 : engine_next_step(e, err);
}

static int pass_check(struct engine *e, struct err *err)
{
	if (worker_now(&e->w) >= e->slice_end_ns)
		engine_end_slice(e);
	if (!engine_check_over(e))
		return 0;
	engine_check_end(e);
	engine_give_result(e);
	return go_on(e, e->result->end, err);
}

static int end_step(struct engine *e, enum step_end why, struct err *err)
{
	engine_measure_step(e, why);
	if (engine_check_begin(e, why))
		return 0;
	engine_verify_end(e, e->result, why);
	engine_give_result(e);
	return go_on(e, why, err);
}

static int pass_boundary(struct engine *e, struct err *err)
{
	int64_t now = worker_now(&e->w);
	enum step_end why;
	int code;

	if (e->checking)
		return pass_check(e, err);
	if (e->warming && now >= e->warm_end_ns)
		engine_begin_measure(e);
	code = engine_due_faults(e, err);
	if (code < 0)
		return code;
	if (now >= e->slice_end_ns)
		engine_end_slice(e);
	if (step_is_over(e, &why))
		return end_step(e, why, err);
	if (crew_work_done(&e->crew))
		engine_work_done(e);
	return 0;
}

static int name_failure(const struct engine *e, int code, struct err *err)
{
	const struct io *io = crew_refused(&e->crew);

	if (engine_state_failure(e)[0])
		return err_set(err, code, "the run cannot go on: %s", engine_state_failure(e));
	if (code == -EINVAL && e->o.targets)
		return err_set(err, code,
			       "the run cannot go on: '%s' refused %u bytes at offset %llu as invalid (EINVAL); its direct I/O may want larger blocks: bs, or direct = no",
			       target_path(e->o.targets, io->lun), io->bytes, (unsigned long long)io->offset_bytes);
	if (code == -ETIME)
		return err_set(err, code, "the run cannot go on: requests take no time at all, so time stands still: give the array a service time or "
					  "a link latency, or the jobs a think time");
	return err_set(err, code, "the run cannot go on: %s", code == -ENOMEM ? "out of memory" : "the backend broke its contract");
}

/* The run ends here; a deck shows why as its last act. */
static int end_failed(struct engine *e, int code, const struct err *why, struct err *err)
{
	e->ended = true;
	struct act *a = engine_add_act(e, ACT_NOTE, CAUSE_STEP, false);
	a->state = KNOB_REFUSED;
	text_format(a->text, sizeof(a->text), "%s", why->text);
	if (err)
		*err = *why;
	return code;
}

static int fail(struct engine *e, int code, struct err *err)
{
	struct err why;

	engine_close_step(e, END_ERROR);
	(void)name_failure(e, code, &why);
	return end_failed(e, code, &why, err);
}

int engine_run_until(struct engine *e, int64_t t_ns, struct err *err)
{
	struct err why;

	while (!e->ended && !e->at_end && worker_now(&e->w) < t_ns) {
		bool seeking = e->goal.kind != GOAL_NONE;
		bool stop = !e->warming && !e->checking && (!e->playing || e->spec->step[e->step].until == RUN_DONE);
		int code = crew_run(&e->crew, next_boundary(e, engine_goal_limit(e, t_ns)), stop);
		if (code < 0)
			return fail(e, code, err);
		code = pass_boundary(e, &why);
		if (code < 0)
			return end_failed(e, code, &why, err);
		if (engine_goal_reached(e) || (seeking && e->goal.kind == GOAL_NONE))
			break;
	}
	return !e->ended;
}

struct engine_pace engine_pace(const struct engine *e)
{
	bool seeking = e->goal.kind != GOAL_NONE;

	return (struct engine_pace){e->paused, e->ended, seeking, e->ops->virtual_time, seeking ? 0 : e->speed};
}

void engine_stop(struct engine *e, enum step_end why)
{
	if (e->ended)
		return;
	engine_close_step(e, why);
	e->ended = true;
}
