/* The knobs: what can be turned while an experiment runs, one row each. */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "config_row.h"
#include "say.h"
#include "spec.h"

/* clang-format off */
/* Letters: UI.md 3.12 keeps r for reset, so the rate took e. */
const struct knob_row knob_table[N_KNOBS] = {
	[KNOB_QD] = {
		.name = "qd", .label = "QD", .config_key = "qd", .key = 'd',
		.what = "commands a path device takes at once (SCSI)",
		.step = KNOB_STEP_DOUBLE, .amount = 1, .min = 1, .max = LIMIT_QD },
	[KNOB_ALIASES] = {
		.name = "aliases", .label = "ALIAS", .config_key = "aliases", .key = 'a',
		.what = "PAV or HyperPAV aliases, sum over the LCUs (DASD)",
		.step = KNOB_STEP_ADD, .amount = 10, .min = 0, .max = SPEC_MAX_ALIASES },
	[KNOB_PATH] = {
		.name = "path", .label = "PATH", .config_key = "path", .key = 'p',
		.what = "how a path is chosen",
		.step = KNOB_STEP_NEXT, .amount = 1, .min = 0,
		.max = (int64_t)(N_PATH_POLICIES - 1) << 32 | UINT32_MAX },
	[KNOB_POWER] = {
		.name = "power", .label = "REBAL", .config_key = "power", .key = 'b',
		.what = "rebalance power: relocations in flight; 0 stops",
		.step = KNOB_STEP_ADD, .amount = 1, .min = 0, .max = LIMIT_POWER },
	[KNOB_IODEPTH] = {
		.name = "iodepth", .label = "DEPTH", .config_key = "iodepth", .key = 'o',
		.what = "requests each job keeps in flight",
		.step = KNOB_STEP_DOUBLE, .amount = 1, .min = 1, .max = LIMIT_IODEPTH },
	[KNOB_JOBS] = {
		.name = "jobs", .label = "JOBS", .config_key = "numjobs", .key = 't',
		.what = "clones of the job; 0: it rests",
		.step = KNOB_STEP_DOUBLE, .amount = 1, .min = 0, .max = LIMIT_JOBS },
	[KNOB_BS] = {
		.name = "bs", .label = "BS", .config_key = "bs", .key = 's',
		.what = "bytes of one request",
		.step = KNOB_STEP_DOUBLE, .amount = 512, .min = LIMIT_BS_MIN, .max = LIMIT_BS },
	[KNOB_MIX] = {
		.name = "mix", .label = "MIX", .config_key = "rwmixread", .key = 'm',
		.what = "per cent of the requests that read",
		.step = KNOB_STEP_ADD, .amount = 5, .min = 0, .max = 100 },
	[KNOB_THINK] = {
		.name = "think", .label = "THINK", .config_key = "thinktime", .key = 'i',
		.what = "mean time from one completion to the next request",
		.step = KNOB_STEP_DOUBLE, .amount = 100 * NS_PER_US, .min = 0, .max = LIMIT_TIME_NS },
	[KNOB_RATE] = {
		.name = "rate", .label = "RATE", .config_key = "arrival_iops", .key = 'e',
		.what = "requests that arrive per second over all clones; 0: closed loop",
		.step = KNOB_STEP_DOUBLE, .amount = 1000, .min = 0, .max = LIMIT_RATE },
};
/* clang-format on */

static const char *const *knob_names(const char *names[N_KNOBS])
{
	for (size_t i = 0; i < N_KNOBS; i++)
		names[i] = knob_table[i].name;
	return names;
}

static int find_name(const char *name, struct err *err)
{
	const char *names[N_KNOBS];

	for (int i = 0; i < N_KNOBS; i++)
		if (!strcmp(knob_table[i].name, name))
			return i;
	return say_unknown(err, "knob", name, knob_names(names), N_KNOBS);
}

/* "users.jobs": the job may have points in its name, the knob has none. */
static int find_of_job(const struct config *cfg, const char *name, const char *point,
		       struct knob_ref *ref, struct err *err)
{
	int id = find_name(point + 1, err);
	int job;

	if (id < 0)
		return id;
	if (id < KNOB_FIRST_OF_JOB)
		return err_set(err, -ENOENT, "%s is a knob of the host, not of a job: write %s",
			       knob_table[id].name, knob_table[id].name);
	job = config_find_job(cfg, name, (size_t)(point - name), err);
	if (job < 0)
		return job;
	*ref = (struct knob_ref){ .id = (uint8_t)id, .job = (uint8_t)job };
	return 0;
}

int knob_find(const struct config *cfg, const char *name, struct knob_ref *ref, struct err *err)
{
	const char *point = strrchr(name, '.');
	int id;

	if (point)
		return find_of_job(cfg, name, point, ref, err);
	id = find_name(name, err);
	if (id < 0)
		return id;
	if (id >= KNOB_FIRST_OF_JOB && !cfg->n_jobs)
		return err_set(err, -ENOENT, "%s turns a job, and there is none", name);
	*ref = (struct knob_ref){ .id = (uint8_t)id };
	return 0;
}

/* ---- knobs without an effect ---- */

static const char *qd_reason(const struct config *cfg, const struct job_spec *job)
{
	(void)job;
	return cfg->host.device == DEVICE_DASD ? "DASD: one request per base or alias" : NULL;
}

static const char *aliases_reason(const struct config *cfg, const struct job_spec *job)
{
	(void)job;
	if (cfg->host.device != DEVICE_DASD)
		return "SCSI: only DASD volumes have aliases";
	return cfg->host.alias_mode == ALIAS_NONE ? "alias_mode is none" : NULL;
}

static const char *path_reason(const struct config *cfg, const struct job_spec *job)
{
	(void)job;
	return cfg->host.paths < 2 ? "there is one path only" : NULL;
}

static const char *power_reason(const struct config *cfg, const struct job_spec *job)
{
	(void)job;
	return cfg->volume.disks ? NULL : "there is no volume";
}

static const char *iodepth_reason(const struct config *cfg, const struct job_spec *job)
{
	(void)cfg;
	if (job->kind == JOB_BURST)
		return "a burst job submits its whole burst at once";
	return job->arrival_iops ? "an open job submits at its rate" : NULL;
}

static const char *think_reason(const struct config *cfg, const struct job_spec *job)
{
	(void)cfg;
	return job->arrival_iops ? "an open job submits at its rate" : NULL;
}

static const char *rate_reason(const struct config *cfg, const struct job_spec *job)
{
	(void)cfg;
	return job->kind == JOB_BURST ? "a burst job waits for its burst, then thinks" : NULL;
}

static const char *(*const reasons[N_KNOBS])(const struct config *, const struct job_spec *) = {
	[KNOB_QD] = qd_reason,
	[KNOB_ALIASES] = aliases_reason,
	[KNOB_PATH] = path_reason,
	[KNOB_POWER] = power_reason,
	[KNOB_IODEPTH] = iodepth_reason,
	[KNOB_THINK] = think_reason,
	[KNOB_RATE] = rate_reason,
};

bool knob_applies(const struct config *cfg, struct knob_ref ref, const char **reason)
{
	const char *why = NULL;

	if (reasons[ref.id])
		why = reasons[ref.id](cfg, &cfg->job[ref.job]);
	if (reason)
		*reason = why;
	return !why;
}

/* ---- what may be set ---- */

static int check_in_flight(const struct job_spec *job, uint32_t each, const char *what,
			   struct err *err)
{
	uint64_t total = (uint64_t)job->numjobs * each;

	if (total <= SPEC_MAX_IN_FLIGHT)
		return 0;
	return err_set(err, -ERANGE, "job '%s': %u jobs x %s %u are %llu requests in flight, at most "
				     "%d: lower one of the two",
		       job->name, job->numjobs, what, each, (unsigned long long)total,
		       SPEC_MAX_IN_FLIGHT);
}

int job_check_in_flight(const struct job_spec *job, struct err *err)
{
	if (job->kind == JOB_BURST)
		return check_in_flight(job, job->burst, "burst", err);
	return check_in_flight(job, job->iodepth, "iodepth", err);
}

int knob_check(const struct config *cfg, struct knob_ref ref, int64_t value, struct err *err)
{
	struct job_spec job = cfg->job[ref.job];
	int ret = knob_check_range(ref, value, err);

	if (ret)
		return ret;
	if (ref.id == KNOB_JOBS)
		job.numjobs = (uint32_t)value;
	else if (ref.id == KNOB_IODEPTH)
		job.iodepth = (uint32_t)value;
	else
		return 0;
	return job_check_in_flight(&job, err);
}

/* ---- one step ---- */

/* Up from 0 to the first amount, from there by doubling; down the same way. */
static int64_t double_step(const struct knob_row *row, int64_t value, int direction)
{
	if (direction > 0)
		return value < row->amount ? row->amount : value > row->max / 2 ? row->max
										: value * 2;
	return value / 2 < row->amount ? row->min : value / 2;
}

static int64_t add_step(const struct knob_row *row, int64_t value, int direction)
{
	return direction > 0 ? value + row->amount : value - row->amount;
}

static int64_t next_step(const struct knob_row *row, int64_t value, int direction)
{
	(void)row;
	return path_step(value, direction);
}

static int64_t (*const steps[])(const struct knob_row *, int64_t, int) = {
	[KNOB_STEP_DOUBLE] = double_step,
	[KNOB_STEP_ADD] = add_step,
	[KNOB_STEP_NEXT] = next_step,
};

int64_t knob_step_value(struct knob_ref ref, int64_t value, int direction)
{
	const struct knob_row *row = &knob_table[ref.id];
	int64_t next = steps[row->step](row, value, direction);

	return next < row->min ? row->min : next > row->max ? row->max
							    : next;
}
