/* Hand-made snapshots for the screen tests: no engine, no clock. */
#ifndef IODECK_SAMPLE_H
#define IODECK_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "screen.h"

#define SAMPLE_UNUSED __attribute__((unused))

/* A histogram around `peak` (log2 row): half of n there, the rest beside it. */
static void sample_lat(struct lat_view *v, uint64_t n, uint32_t peak, double p50_ms)
{
	static const unsigned share[] = { 1, 9, 52, 30, 7, 1 }; /* per cent from peak - 2 on */

	memset(v, 0, sizeof(*v));
	v->n = n;
	for (uint32_t i = 0; i < 6; i++)
		v->log2[peak - 2 + i] = n * share[i] / 100;
	v->min_ns = p50_ms * 0.3e6;
	v->mean_ns = p50_ms * 1.1e6;
	v->p50_ns = p50_ms * 1e6;
	v->p95_ns = p50_ms * 1.9e6;
	v->p99_ns = p50_ms * 2.6e6;
	v->p999_ns = p50_ms * 3.3e6;
	v->max_ns = p50_ms * 5e6;
}

static void sample_knob(struct snapshot *s, enum knob_id id, int64_t value, int64_t before,
			bool applies)
{
	s->knob[id] = (struct knob_view){
		.ref = { .id = (uint8_t)id },
		.asked = value,
		.in_effect = value,
		.before = before,
		.applies = applies,
	};
	if (!applies)
		snprintf(s->knob[id].reason, sizeof(s->knob[id].reason),
			 "SCSI: only DASD volumes have aliases");
}

static void sample_knobs(struct snapshot *s)
{
	sample_knob(s, KNOB_QD, 10, 1, true);
	sample_knob(s, KNOB_ALIASES, 0, 0, false);
	sample_knob(s, KNOB_PATH, 0, 0, true);
	sample_knob(s, KNOB_IODEPTH, 1, 1, true);
	sample_knob(s, KNOB_JOBS, 50, 50, true);
	sample_knob(s, KNOB_BS, 8192, 8192, true);
	sample_knob(s, KNOB_MIX, 100, 100, true);
	sample_knob(s, KNOB_THINK, 0, 0, true);
	sample_knob(s, KNOB_RATE, 0, 0, true);
}

/* 1500 requests a second, from slice 640 on sixteen times as many. */
static void sample_slices(struct snapshot *s)
{
	static const uint8_t before[HIST_LOG2_ROWS] = { [11] = 3, [12] = 24, [13] = 158, [14] = 70 };
	static const uint8_t after[HIST_LOG2_ROWS] = { [7] = 24, [8] = 133, [9] = 77, [10] = 18, [11] = 3 };

	s->n_slices = 912;
	for (uint32_t i = 0; i < s->n_slices; i++) {
		bool fast = i >= 640;
		uint32_t wobble = (i * 7919u) % 13;

		s->slice[i].requests = fast ? 2440 + 4 * wobble : 146 + wobble;
		s->slice[i].bytes = s->slice[i].requests * UINT64_C(8192);
		s->slice[i].p99_total_ms =
			fast ? 3.1f + (float)wobble / 20 : 38 + (float)wobble / 4;
		memcpy(s->slice[i].total_share, fast ? after : before, sizeof(after));
		if (i % 97 == 0) /* one slow request among many */
			s->slice[i].total_share[16] = 1;
	}
}

static struct act *sample_act(struct snapshot *s, enum act_kind kind, uint64_t slice,
			      const char *text)
{
	struct act *a = &s->act[s->n_acts++];

	*a = (struct act){ .number = s->n_acts,
			   .kind = kind,
			   .cause = CAUSE_KEY,
			   .slice = slice,
			   .t_ns = (int64_t)slice * NS_PER_S / 10,
			   .ratio = NAN,
			   .ratio_low = NAN,
			   .ratio_high = NAN };
	snprintf(a->text, sizeof(a->text), "%s", text);
	return a;
}

/* Two jobs: the second rests longer and writes. */
static void sample_jobs(struct snapshot *s)
{
	s->n_jobs = 2;
	for (int i = 0; i < 2; i++) {
		struct job_view *job = &s->job[i];

		snprintf(job->name, sizeof(job->name), "%s", i ? "dbwr" : "vxbench");
		job->applies = 0x3f;
		for (int k = 0; k < N_KNOBS - KNOB_FIRST_OF_JOB; k++)
			job->value[k] = s->knob[KNOB_FIRST_OF_JOB + k].in_effect;
	}
	s->job[1].value[KNOB_JOBS - KNOB_FIRST_OF_JOB] = 3;
	s->job[1].value[KNOB_THINK - KNOB_FIRST_OF_JOB] = 12 * NS_PER_MS;
}

static void sample_acts(struct snapshot *s)
{
	struct act *a;

	sample_act(s, ACT_STEP, 0, "step depth 1");
	a = sample_act(s, ACT_KNOB, 400, "qd 1>2 in effect");
	a->marker = 1;
	a->from = 1;
	a->to = a->asked = 2;
	a->superseded = a->undone = true;
	a = sample_act(s, ACT_KNOB, 640, "qd 1>10 in effect");
	a->marker = 2;
	a->from = 1;
	a->to = a->asked = 10;
	a->judged = a->settled = true;
	a->ratio = 16.42;
	a->ratio_low = 16.31;
	a->ratio_high = 16.53;
	s->undo_act = a->number;
	a->request = 60412;
}

static void sample_parts(struct snapshot *s)
{
	s->n_paths = 2;
	s->path[0] = (struct path_view){ "p0", PATH_ACTIVE, 412331, 1, 10, 1 };
	s->path[1] = (struct path_view){ "p1", PATH_STANDBY, 0, 0, 0, 1 };
	s->forwarded_share = NAN;
	s->n_members = 1;
	s->member_busy[0] = 0.95f;
	s->work = (struct work_view){ .number = 32000,
				      .done = 14400,
				      .rounds = 3,
				      .last_elapsed_s = 1.29,
				      .last_cpu_sys_s = 0.926,
				      .last_cpu_user_s = 0.141 };
}

/* The DS5100 after qd 1>10: everything settled. */
static SAMPLE_UNUSED struct snapshot *sample_ds5100(void)
{
	struct snapshot *s = calloc(1, sizeof(*s));

	s->number = 900;
	snprintf(s->preset, sizeof(s->preset), "ds5100");
	snprintf(s->step_name, sizeof(s->step_name), "depth 1");
	snprintf(s->question, sizeof(s->question),
		 "Why does ten times the queue depth give sixteen times the throughput?");
	snprintf(s->backend, sizeof(s->backend), "model");
	s->simulated = true;
	s->seed = 42;
	s->n_steps = 9;
	s->speed = 1;
	s->t_ns = s->step_t_ns = 91 * NS_PER_S;
	sample_knobs(s);
	sample_jobs(s);
	s->iops = 24640;
	s->bytes_per_s = 24640 * 8192.0;
	s->transactions_per_s = NAN;
	s->change_ratio = 16.42;
	s->change_low = 16.31;
	s->change_high = 16.53;
	s->requests = 671000;
	s->in_flight = 10;
	s->waiting = 40;
	s->settle = (struct settle_view){ true, 3, 3, 0.012, 0.03 };
	s->window_iops = 24620;
	sample_lat(&s->window[METRIC_TOTAL], 123100, 8, 2.03);
	sample_lat(&s->window[METRIC_DEVICE], 123100, 6, 0.41);
	s->has_before = true;
	s->before_t_ns = 64 * NS_PER_S;
	s->before_iops = 1500;
	sample_lat(&s->before[METRIC_TOTAL], 7500, 13, 33.2);
	sample_lat(&s->before[METRIC_DEVICE], 7500, 7, 0.66);
	sample_slices(s);
	sample_acts(s);
	sample_parts(s);
	return s;
}

/* The same before anything was turned. */
static SAMPLE_UNUSED struct snapshot *sample_start(void)
{
	struct snapshot *s = sample_ds5100();

	s->n_acts = 1;
	s->has_before = false;
	s->change_ratio = s->change_low = s->change_high = NAN;
	sample_knob(s, KNOB_QD, 1, 1, true);
	s->n_slices = 25;
	s->t_ns = s->step_t_ns = 2500 * NS_PER_MS;
	s->iops = 1502;
	s->bytes_per_s = 1502 * 8192.0;
	s->in_flight = 1;
	s->waiting = 49;
	s->settle = (struct settle_view){ false, 2, 3, NAN, 0.03 };
	s->window[METRIC_TOTAL] = s->before[METRIC_TOTAL];
	s->window[METRIC_DEVICE] = s->before[METRIC_DEVICE];
	memset(s->before, 0, sizeof(s->before));
	s->work.last_elapsed_s = s->work.last_cpu_sys_s = s->work.last_cpu_user_s = NAN;
	return s;
}

/* A slow device a second after a change: too few requests for the high percentiles, and not even. */
static SAMPLE_UNUSED struct snapshot *sample_few(void)
{
	struct snapshot *s = sample_ds5100();

	sample_lat(&s->window[METRIC_TOTAL], 300, 8, 2.03);
	sample_lat(&s->window[METRIC_DEVICE], 300, 6, 0.41);
	sample_lat(&s->before[METRIC_TOTAL], 1000, 13, 33.2);
	sample_lat(&s->before[METRIC_DEVICE], 1000, 7, 0.66);
	s->act[s->n_acts - 1].judged = false;
	s->settle = (struct settle_view){ false, 3, 3, 0.071, 0.03 };
	return s;
}

/* Four paths, one down, two LCUs with aliases, a caption. */
static SAMPLE_UNUSED struct snapshot *sample_aliases(void)
{
	struct snapshot *s = sample_ds5100();
	struct act *a;

	snprintf(s->preset, sizeof(s->preset), "hyperpav-shared");
	snprintf(s->step_name, sizeof(s->step_name), "aliases 20");
	snprintf(s->caption, sizeof(s->caption),
		 "Until now one request could be started at a time on this volume: each waited "
		 "behind about four others. Now the pool has 20 aliases.");
	s->playing = true;
	s->step = 2;
	s->step_length_ns = 60 * NS_PER_S;
	s->step_t_ns = 21 * NS_PER_S;
	s->before_kept = true;
	s->change_ratio = 1.43;
	s->change_low = 1.39;
	s->change_high = 1.47;
	sample_knob(s, KNOB_QD, 1024, 1024, false);
	sample_knob(s, KNOB_ALIASES, 20, 10, true);
	s->has_aliases = true;
	s->n_lcus = s->n_all_lcus = 2;
	s->lcu[0] = (struct lcu_view){ 10, 7, 10, 3, 4 };
	s->lcu[1] = (struct lcu_view){ 10, 10, 10, 12, 4 };
	s->n_paths = 4;
	for (uint32_t i = 0; i < 4; i++) {
		snprintf(s->path[i].name, sizeof(s->path[i].name), "p%u", i);
		s->path[i].state = i == 3 ? PATH_FAILED : PATH_ACTIVE;
		s->path[i].requests = i == 3 ? 1200 : 210000 + i * 4000;
		s->path[i].share = (double)s->path[i].requests / 643200;
		s->path[i].in_flight = i == 3 ? 0 : 15 + i;
		s->path[i].weight = 1;
	}
	s->redecided = 214;
	s->work.number = 0;
	a = sample_act(s, ACT_KNOB, 760, "aliases 10>20 in effect");
	a->marker = 3;
	a->ref.id = KNOB_ALIASES;
	a->from = 10;
	a->to = a->asked = 20;
	a->judged = a->settled = true;
	a->ratio = 1.43;
	a->ratio_low = 1.39;
	a->ratio_high = 1.47;
	a = sample_act(s, ACT_FAULT, 880, "path p3 down; 214 requests decided anew");
	a->marker = 4;
	s->settle = (struct settle_view){ false, 2, 3, NAN, 0.03 };
	return s;
}

/* A value the engine did not take. */
static SAMPLE_UNUSED struct snapshot *sample_refused(void)
{
	struct snapshot *s = sample_ds5100();
	struct act *a = sample_act(s, ACT_KNOB, 905,
				   "jobs 4096 refused: job 'vxbench': 4096 jobs x iodepth 32 are 131072 "
				   "requests in flight, at most 65536: lower one of the two");

	a->ref.id = KNOB_JOBS;
	a->state = KNOB_REFUSED;
	a->from = a->to = 50;
	a->asked = 4096;
	a->request = 668123;
	s->knob[KNOB_JOBS].state = KNOB_REFUSED;
	s->knob[KNOB_JOBS].asked = 4096;
	return s;
}

/* A volume of `n` disks in pairs, one failed, one that leaves, a rebalance under way. */
static SAMPLE_UNUSED struct snapshot *sample_volume(uint32_t n)
{
	struct snapshot *s = sample_ds5100();

	snprintf(s->preset, sizeof(s->preset), "asm");
	s->n_paths = 1;
	sample_knob(s, KNOB_PATH, 0, 0, false);
	sample_knob(s, KNOB_POWER, 4, 0, true);
	s->n_disks = n;
	for (uint32_t i = 0; i < n; i++) {
		struct disk_view *d = &s->disk[i];

		snprintf(d->name, sizeof(d->name), "d%u", i + 1);
		d->state = i == 2 ? "failed" : i == 3 ? "dropping"
						      : "online";
		d->letter = i == 2 ? '!' : i == 3 ? '~'
						  : '+';
		d->member = true;
		d->failgroup = i / 2;
		d->busy = i == 2 ? 0 : 0.40 + 0.01 * (i % 50);
	}
	s->rebalance = (struct rebalance_view){ .has_volume = true,
						.state = "RUN",
						.power_asked = 4,
						.power_actual = 4,
						.sofar_au = 437,
						.est_work_au = 950,
						.est_rate_au_per_min = 497,
						.est_minutes = 1.033 };
	return s;
}

static SAMPLE_UNUSED struct view *sample_view(void) { return calloc(1, sizeof(struct view)); }

#endif
