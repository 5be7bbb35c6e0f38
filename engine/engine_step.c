#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine_private.h"
#include "fault.h"

/* Steps: how one begins, what it measured when it ends, which one is next. */

enum { LARGEST_QD = 1024, HELD_DEPTH = 1024 };

static void remember_counters(struct engine *e)
{
	struct crew_totals sum;

	if (e->w.backend->ops->counters)
		e->w.backend->ops->counters(e->w.backend, &e->counters_then);
	crew_totals(&e->crew, &sum);
	memcpy(e->path_then, sum.path_requests, sizeof(e->path_then));
	e->redecided_then = sum.redecided;
	e->alias_requests_then = sum.alias_requests;
	e->alias_ns_then = sum.alias_ns;
	crew_begin_step(&e->crew);
	engine_honest_begin(e);
	engine_remember_disks(e);
}

static void begin_round(struct engine *e)
{
	stats_unfold(e->stats);
	e->round_start_ns = worker_now(&e->w);
	e->round_requests = e->stats->in_step.requests + e->stats->in_slice.requests;
	e->round_response_s = hist_sum_s(&e->stats->step[METRIC_RESPONSE]) + hist_sum_s(&e->stats->slice[METRIC_RESPONSE]);
	e->round_device_s = hist_sum_s(&e->stats->step[METRIC_DEVICE]) + hist_sum_s(&e->stats->slice[METRIC_DEVICE]);
}

static int64_t step_length(const struct engine *e)
{
	const struct step *s = &e->spec->step[e->step];

	if (s->until == RUN_SETTLED)
		return STEADY_GIVE_UP * SLICE_NS;
	if (s->until == RUN_DONE)
		return INT64_MAX;
	return e->o.runtime_ns ? e->o.runtime_ns : s->run_ns;
}

void engine_begin_measure(struct engine *e)
{
	int64_t now = worker_now(&e->w), length = step_length(e);

	e->warming = false;
	e->step_start_ns = now;
	e->step_end_ns = length == INT64_MAX ? INT64_MAX : now + length;
	e->next_fault = 0;
	e->refused[0] = '\0';
	stats_begin_step(e->stats, now);
	engine_restart_slices(e);
	remember_counters(e);
	begin_round(e);
	engine_restart_window(e);
}

static void begin_warmup(struct engine *e)
{
	e->warming = true;
	e->warm_end_ns = worker_now(&e->w) + e->spec->warmup_ns;
	e->step_end_ns = INT64_MAX;
	engine_restart_slices(e);
	if (!e->spec->warmup_ns)
		engine_begin_measure(e);
}

/* Which knobs the step turns, as an act of its own; the first one that differs is shown as what was changed. */
static void announce_step(struct engine *e, const struct config *was, bool first)
{
	const struct step *s = &e->spec->step[e->step];
	struct act *a = engine_add_act(e, ACT_STEP, CAUSE_STEP, !first);

	text_format(a->text, sizeof(a->text), "step %u '%s'", e->step + 1, s->name);
	for (uint8_t id = 0; id < N_KNOBS && !first; id++) {
		struct knob_ref ref = {id, 0};
		int64_t from = knob_get(was, ref), to = knob_get(&e->effect, ref);
		if (from == to || a->from != a->to)
			continue;
		a->ref = ref;
		a->from = from;
		a->to = to;
		a->asked = knob_get(&e->asked, ref);
	}
}

static struct tally *last_tally(struct engine *e)
{
	return &e->tally[(e->n_slices + RECENT_SLICES) % (RECENT_SLICES + 1)];
}

/* The most that may be in the devices at once: over all steps, and by hand as far as the knobs go. */
static uint32_t deepest(struct engine *e, const struct config *cfg)
{
	uint64_t devices = (uint64_t)cfg->host.bases * cfg->host.paths * LARGEST_QD;
	uint32_t most = e->o.hold ? HELD_DEPTH : 1;
	struct config *step = malloc(sizeof(*step));

	for (uint32_t i = 0; step && i < e->spec->n_steps; i++) {
		uint32_t n = spec_step_config(e->spec, i, step, NULL) ? 0 : worker_most_in_flight(step);
		most = n > most ? n : most;
	}
	free(step);
	return most < devices ? most : (uint32_t)devices;
}

static int start_fresh(struct engine *e, const struct config *cfg, struct err *err)
{
	int64_t now = worker_now(&e->w);

	engine_state_end(e);
	crew_close(&e->crew);
	memset(e->note, 0, sizeof(e->note));
	e->asked = e->effect = *cfg;
	memset(last_tally(e)->member_busy_ns, 0, sizeof(last_tally(e)->member_busy_ns));
	memset(last_tally(e)->path_requests, 0, sizeof(last_tally(e)->path_requests));
	memset(last_tally(e)->disk_busy_ns, 0, sizeof(last_tally(e)->disk_busy_ns));
	memset(last_tally(e)->lcu_busy_ns, 0, sizeof(last_tally(e)->lcu_busy_ns));
	engine_limit_power(e);
	struct verify_params verify;
	struct worker_site site = {
		.ops = e->ops, .clock = e->o.clock, .fault = e->spec->has_fault ? &e->spec->fault : NULL, .owners = &e->spec->owners};
	if (e->o.targets) {
		free(e->target);
		site.target = e->target = target_list(e->o.targets, worker_luns(cfg), cfg->host.paths);
		site.depth = deepest(e, cfg);
		site.disks = e->o.targets->luns;
		site.disk_bytes = e->o.targets->lun_bytes;
		if (!e->target)
			return err_set(err, -ENOMEM, "cannot start the load: out of memory");
	}
	int code = engine_state_begin(e, cfg, &site, err);
	if (code)
		return code;
	if (engine_verify_params(e, cfg, &verify))
		site.verify = &verify;
	if (e->paused)
		e->paused_at_ns = clock_now(&e->o.clock); /* the new backend knows nothing of the pause so far */
	return crew_open(&e->crew, e->o.workers, &e->w, &e->effect, &site, e->spec->seed, now, e->stats, err);
}

/* A step that goes on: its knobs are turned, everything else stays; fixed work that is done starts again. */
static int start_on(struct engine *e, const struct config *cfg, struct err *err)
{
	for (uint32_t job = 0; job < cfg->n_jobs; job++)
		for (uint8_t id = job ? KNOB_FIRST_OF_JOB : 0; id < N_KNOBS; id++) {
			struct knob_ref ref = {id, (uint8_t)job};
			if (knob_get(cfg, ref) == knob_get(&e->asked, ref))
				continue;
			int code = engine_apply(e, ref, knob_get(cfg, ref), CAUSE_STEP, false, err);
			if (code < 0)
				return code;
		}
	crew_seed(&e->crew, e->spec->seed);
	crew_begin_round(&e->crew);
	return 0;
}

int engine_start_step(struct engine *e, uint32_t step, bool fresh, struct err *err)
{
	struct config cfg, was = e->effect;
	bool first = !e->w.backend;
	int code = spec_step_config(e->spec, step, &cfg, err);

	if (!code)
		code = worker_check_path(e->ops, &e->spec->owners, cfg.host.path.policy, err);
	if (code < 0)
		return code;
	e->step = step;
	e->at_end = false;
	e->n_undo = 0;
	if (!first)
		engine_begin_segment(e);
	code = fresh || first ? start_fresh(e, &cfg, err) : start_on(e, &cfg, err);
	if (code < 0)
		return code;
	if (e->spec->step[step].until == RUN_DONE && !e->w.has_work && !e->w.has_volume)
		return err_set(err, -EINVAL, "step '%s' runs until done, but no job has fixed work (number_ios) and there is no volume", e->spec->step[step].name);
	e->ended = false;
	announce_step(e, &was, first);
	e->work.rounds = 0;
	begin_warmup(e);
	return 0;
}

static bool is_selected(const struct engine *e, uint32_t step)
{
	return !e->o.selected || e->o.selected[step];
}

int engine_next_step(struct engine *e, struct err *err)
{
	uint32_t next = e->step + 1;

	while (next < e->spec->n_steps && !is_selected(e, next))
		next++;
	if (next < e->spec->n_steps)
		return engine_start_step(e, next, e->spec->step[next].fresh, err);
	if (e->o.hold) {
		e->playing = false;
		engine_work_done(e);
	} else {
		e->ended = true;
	}
	return 0;
}

/* All fixed work is done and the step goes on: held, it starts again; played to a time, the load rests until then. */
void engine_work_done(struct engine *e)
{
	const struct host_spec *h = &e->effect.host;
	const struct stats *s = e->stats;

	if (!crew_work_done(&e->crew) || e->playing)
		return;
	stats_unfold(e->stats);
	double requests = (double)(s->in_step.requests + s->in_slice.requests - e->round_requests);
	double waited = hist_sum_s(&s->step[METRIC_RESPONSE]) + hist_sum_s(&s->slice[METRIC_RESPONSE]) - e->round_response_s -
			(hist_sum_s(&s->step[METRIC_DEVICE]) + hist_sum_s(&s->slice[METRIC_DEVICE]) - e->round_device_s);
	e->work.rounds++;
	e->work.last_elapsed_s = (double)(worker_now(&e->w) - e->round_start_ns) / 1e9;
	if (h->cpu_sys_io_ns || h->cpu_user_io_ns) {
		e->work.last_cpu_sys_s = requests * (double)h->cpu_sys_io_ns / 1e9 + waited * h->cpu_sys_waiter;
		e->work.last_cpu_user_s = requests * (double)h->cpu_user_io_ns / 1e9 + waited * h->cpu_user_waiter;
	}
	crew_begin_round(&e->crew);
	begin_round(e);
}

int64_t engine_next_fault_ns(const struct engine *e)
{
	const struct step *s = &e->spec->step[e->step];

	if (e->warming || !e->playing || e->next_fault >= s->n_fault)
		return INT64_MAX;
	return e->step_start_ns + s->fault[e->next_fault].at_ns;
}

static int one_fault(struct engine *e, const char *text, enum cause cause, struct err *err)
{
	struct command c = {.type = COMMAND_FAULT, .cause = cause};

	text_format(c.text, sizeof(c.text), "%s", text);
	return engine_command(e, &c, err);
}

int engine_due_faults(struct engine *e, struct err *err)
{
	while (engine_next_fault_ns(e) <= worker_now(&e->w)) {
		const char *text = e->spec->step[e->step].fault[e->next_fault].text;
		struct err why;
		int code = one_fault(e, text, CAUSE_STEP, &why);
		e->next_fault++;
		if (code < 0)
			text_format(e->refused, sizeof(e->refused), "fault '%s' was refused: %s", text, why.text);
		if (code < 0 && code != -EALREADY)
			return err_set(err, code, "%s", e->refused);
	}
	return 0;
}

/* ---- the result ---- */

static void fill_knobs(const struct engine *e, struct step_result *r)
{
	for (uint32_t job = 0; job < e->effect.n_jobs; job++)
		for (uint8_t id = job ? KNOB_FIRST_OF_JOB : 0; id < N_KNOBS; id++)
			engine_fill_knob(e, (struct knob_ref){id, (uint8_t)job}, &r->knob[r->n_knobs++]);
}

static void fill_aliases(const struct engine *e, struct step_result *r)
{
	const struct stack *s = &e->w.stack;
	struct crew_totals sum;
	uint32_t peak = 0;

	r->aliases_mean = r->aliases_peak = r->aliases_share = NAN;
	if (!s->p.dasd || s->p.alias_mode == STACK_ALIASES_NONE || r->length_ns <= 0)
		return;
	for (uint32_t i = 0; i < s->p.n_lcus; i++)
		peak += crew_lcu(&e->crew, i)->peak;
	crew_totals(&e->crew, &sum);
	r->aliases_peak = peak;
	r->aliases_mean = (double)(sum.alias_ns - e->alias_ns_then) / (double)r->length_ns;
	if (r->requests)
		r->aliases_share = (double)(sum.alias_requests - e->alias_requests_then) / (double)r->requests;
}

static void fill_cpu(const struct engine *e, struct step_result *r)
{
	const struct host_spec *h = &e->effect.host;
	double n = (double)r->requests;
	double waited = hist_sum_s(&r->hist[METRIC_RESPONSE]) - hist_sum_s(&r->hist[METRIC_DEVICE]);

	r->has_cpu = h->cpu_sys_io_ns || h->cpu_user_io_ns;
	r->cpu_sys_s = r->has_cpu ? n * (double)h->cpu_sys_io_ns / 1e9 + waited * h->cpu_sys_waiter : NAN;
	r->cpu_user_s = r->has_cpu ? n * (double)h->cpu_user_io_ns / 1e9 + waited * h->cpu_user_waiter : NAN;
}

static double forwarded_share(const struct engine *e)
{
	struct backend_counters c = {0};

	if (e->w.backend->ops->counters)
		e->w.backend->ops->counters(e->w.backend, &c);
	uint64_t commands = c.commands - e->counters_then.commands;
	if (c.n_members < 2 || !commands || e->w.stack.p.dasd)
		return NAN;
	return (double)(c.forwarded - e->counters_then.forwarded) / (double)commands;
}

/* Also the time since the last completion (or since the start, when there was none) while requests are out: an outage that has not ended. */
static int64_t longest_gap_ns(const struct engine *e, const struct step_result *r)
{
	const struct stats *s = e->stats;
	int64_t open = worker_now(&e->w) - (s->last_ns >= 0 ? s->last_ns : r->start_ns);

	return r->outstanding && open > s->gap_ns ? open : s->gap_ns;
}

static void fill_counts(const struct engine *e, struct step_result *r)
{
	const struct stats *s = e->stats;
	struct crew_totals sum;

	r->requests = s->in_step.requests;
	r->bytes = s->in_step.bytes;
	r->errors = s->in_step.errors;
	r->short_transfers = s->in_step.short_transfers;
	r->transactions = s->in_step.transactions;
	crew_totals(&e->crew, &sum);
	r->redecided = sum.redecided - e->redecided_then;
	r->outstanding = sum.outstanding;
	r->gap_ms = r->requests || r->outstanding ? (double)longest_gap_ns(e, r) / 1e6 : NAN;
	r->elapsed_s = (double)r->length_ns / 1e9;
	if (e->w.has_work && s->last_ns >= 0)
		r->elapsed_s = (double)(s->last_ns - r->start_ns) / 1e9;
	else if (!e->w.has_work && e->w.has_volume && e->w.volume.rebalance.ended_ns > r->start_ns)
		r->elapsed_s = (double)(e->w.volume.rebalance.ended_ns - r->start_ns) / 1e9;
	for (uint32_t i = 0; i < e->w.n_jobs; i++)
		r->has_transactions |= e->w.job[i].spec.transaction;
}

void engine_measure_step(struct engine *e, enum step_end why)
{
	struct step_result *r = e->result;

	engine_end_slice(e);
	engine_end_interval(e);
	memset(r, 0, sizeof(*r));
	text_format(r->name, sizeof(r->name), "%s", e->spec->step[e->step].name);
	r->step = e->step;
	r->start_ns = e->warming ? worker_now(&e->w) : e->step_start_ns;
	r->length_ns = worker_now(&e->w) - r->start_ns;
	r->end = why;
	memcpy(r->hist, e->stats->step, sizeof(r->hist));
	fill_counts(e, r);
	fill_knobs(e, r);
	engine_fill_paths(e, e->path_then, r->path, &r->n_paths);
	fill_aliases(e, r);
	engine_fill_disks(e, e->disk_busy_then, r->length_ns, r->disk, &r->n_disks);
	engine_fill_rebalance(e, &r->rebalance);
	fill_cpu(e, r);
	r->forwarded_share = forwarded_share(e);
	memcpy(r->error, e->stats->error, sizeof(r->error));
	engine_honest_end(e, r);
}

void engine_give_result(struct engine *e)
{
	if (e->o.sink.step_end)
		e->o.sink.step_end(e->o.sink.data, e->result);
	engine_keep_result(e);
}

/* A step that is cut short while its final check runs was measured already. */
void engine_close_step(struct engine *e, enum step_end why)
{
	if (e->checking) {
		e->result->end = why;
		engine_check_end(e);
	} else {
		engine_measure_step(e, why);
		engine_verify_end(e, e->result, why);
	}
	engine_give_result(e);
}
