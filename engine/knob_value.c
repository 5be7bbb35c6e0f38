/* Values of knobs: how each is read, written and stored. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "config_row.h"
#include "spec.h"
#include "stack/stack.h"

/* ---- values of a choice of path: policy << 32 | n ---- */

static struct path_choice unpack_path(int64_t value)
{
	return (struct path_choice){ .policy = (enum path_policy)(value >> 32),
				     .n = (uint32_t)value };
}

static int64_t pack_path(enum path_policy policy, uint32_t n) { return (int64_t)policy << 32 | n; }

static int unknown_policy(const char *text, struct err *err)
{
	const char *names[N_PATH_POLICIES];

	for (size_t i = 0; i < N_PATH_POLICIES; i++)
		names[i] = path_policies[i]->name;
	say_unknown(err, "path policy", text, names, N_PATH_POLICIES);
	return -EINVAL;
}

static int parse_policy_n(const struct path_policy_ops *row, const char *text, uint32_t *n,
			  struct err *err)
{
	uint64_t value = row->n;
	const char *why = NULL;

	if (*text && !row->n)
		return err_set(err, -EINVAL, "%s takes no number", row->name);
	if (*text && units_parse_u64(text + 1, &value, &why))
		return err_set(err, -EINVAL, "the number behind '%s:' %s", row->name, why);
	if (value > UINT32_MAX || (row->n && !value))
		return err_set(err, -ERANGE, "the number behind '%s:' must be 1..%u", row->name,
			       UINT32_MAX);
	*n = (uint32_t)value;
	return 0;
}

static int parse_path(const char *text, int64_t *value, struct err *err)
{
	size_t length = strcspn(text, ":");

	for (int i = 0; i < N_PATH_POLICIES; i++) {
		uint32_t n = 0;
		int ret;

		if (strlen(path_policies[i]->name) != length ||
		    memcmp(path_policies[i]->name, text, length))
			continue;
		ret = parse_policy_n(path_policies[i], text + length, &n, err);
		*value = pack_path((enum path_policy)i, n);
		return ret;
	}
	return unknown_policy(text, err);
}

static void format_path(int64_t value, char *buf, size_t room)
{
	struct path_choice choice = unpack_path(value);
	bool known = (uint32_t)choice.policy < N_PATH_POLICIES;

	if (known && path_policies[choice.policy]->n)
		text_format(buf, room, "%s:%u", path_policies[choice.policy]->name, choice.n);
	else
		text_format(buf, room, "%s", known ? path_policies[choice.policy]->name : "?");
}

/* ---- how the values of each knob are read, written and stored ---- */

static int parse_count(const char *text, int64_t *value, struct err *err)
{
	const char *why;
	uint64_t n;
	int ret = units_parse_u64(text, &n, &why);

	if (ret)
		return err_set(err, ret, "%s", why);
	*value = n > INT64_MAX ? INT64_MAX : (int64_t)n;
	return 0;
}

static int parse_size(const char *text, int64_t *value, struct err *err)
{
	const char *why;
	uint64_t bytes;
	int ret = units_parse_size(text, &bytes, &why);

	if (ret)
		return err_set(err, ret, "%s", why);
	*value = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
	return 0;
}

static int parse_time(const char *text, int64_t *value, struct err *err)
{
	const char *why;
	int ret = units_parse_time(text, value, &why);

	return ret ? err_set(err, ret, "%s", why) : 0;
}

static void format_count(int64_t value, char *buf, size_t room)
{
	text_format(buf, room, "%lld", (long long)value);
}

static void format_size(int64_t value, char *buf, size_t room)
{
	units_format_size(buf, room, (uint64_t)value);
}

static void format_time(int64_t value, char *buf, size_t room)
{
	units_format_time(buf, room, value);
}

/* A mix turns a job that only reads or only writes into one that does both. */
static void put_mix(struct job_spec *job, int64_t value)
{
	static const enum job_rw mixed[] = {
		[RW_READ] = RW_RW,
		[RW_WRITE] = RW_RW,
		[RW_RW] = RW_RW,
		[RW_RANDREAD] = RW_RANDRW,
		[RW_RANDWRITE] = RW_RANDRW,
		[RW_RANDRW] = RW_RANDRW,
	};

	job->rwmixread = (uint32_t)value;
	job->rw = mixed[job->rw];
}

static int64_t get_mix(const struct job_spec *job)
{
	bool reads = job->rw == RW_READ || job->rw == RW_RANDREAD;
	bool writes = job->rw == RW_WRITE || job->rw == RW_RANDWRITE;

	return reads ? 100 : writes ? 0
				    : (int64_t)job->rwmixread;
}

/* What has a rate is open, what has none is closed; a burst keeps its own pace. */
void job_put_rate(struct job_spec *job, uint64_t rate)
{
	job->arrival_iops = rate;
	if (job->kind != JOB_BURST)
		job->kind = rate ? JOB_OPEN : JOB_CLOSED;
}

static void put_rate(struct job_spec *job, int64_t value) { job_put_rate(job, (uint64_t)value); }

/* `at` is the field in host_spec, volume_spec for the power, or in job_spec for the workload's knobs. Rows that are more than
 * a number have functions of their own. */
static const struct knob_code {
	int (*parse)(const char *text, int64_t *value, struct err *err);
	void (*format)(int64_t value, char *buf, size_t room);
	size_t at, size;
	int64_t (*get)(const struct job_spec *job);
	void (*put)(struct job_spec *job, int64_t value);
} codes[N_KNOBS] = {
#define FIELD(type, member) \
	.at = offsetof(struct type, member), .size = sizeof(((struct type *)0)->member)
	[KNOB_QD] = { parse_count, format_count, FIELD(host_spec, qd) },
	[KNOB_ALIASES] = { parse_count, format_count, FIELD(host_spec, aliases) },
	[KNOB_PATH] = { parse_path, format_path, FIELD(host_spec, path) },
	[KNOB_POWER] = { parse_count, format_count, FIELD(volume_spec, power) },
	[KNOB_IODEPTH] = { parse_count, format_count, FIELD(job_spec, iodepth) },
	[KNOB_JOBS] = { parse_count, format_count, FIELD(job_spec, numjobs) },
	[KNOB_BS] = { parse_size, format_size, FIELD(job_spec, bs_bytes) },
	[KNOB_MIX] = { parse_count, format_count, .get = get_mix, .put = put_mix },
	[KNOB_THINK] = { parse_time, format_time, FIELD(job_spec, think.mean_ns) },
	[KNOB_RATE] = { parse_count, format_count, FIELD(job_spec, arrival_iops), .put = put_rate },
#undef FIELD
};

static size_t field_offset(const struct config *cfg, struct knob_ref ref)
{
	const char *owner = ref.id >= KNOB_FIRST_OF_JOB ? (const char *)&cfg->job[ref.job]
			    : ref.id == KNOB_POWER	? (const char *)&cfg->volume
							: (const char *)&cfg->host;

	return (size_t)(owner - (const char *)cfg) + codes[ref.id].at;
}

int64_t knob_get(const struct config *cfg, struct knob_ref ref)
{
	const char *field = (const char *)cfg + field_offset(cfg, ref);
	uint32_t narrow;
	int64_t wide;

	if (ref.id == KNOB_PATH)
		return pack_path(cfg->host.path.policy, cfg->host.path.n);
	if (codes[ref.id].get)
		return codes[ref.id].get(&cfg->job[ref.job]);
	memcpy(&narrow, field, sizeof(narrow));
	if (codes[ref.id].size == sizeof(narrow))
		return narrow;
	memcpy(&wide, field, sizeof(wide));
	return wide;
}

void knob_put(struct config *cfg, struct knob_ref ref, int64_t value)
{
	char *field = (char *)cfg + field_offset(cfg, ref);
	uint32_t narrow = (uint32_t)value;

	if (ref.id == KNOB_PATH)
		cfg->host.path = unpack_path(value);
	else if (codes[ref.id].put)
		codes[ref.id].put(&cfg->job[ref.job], value);
	else if (codes[ref.id].size == sizeof(narrow))
		memcpy(field, &narrow, sizeof(narrow));
	else
		memcpy(field, &value, sizeof(value));
}

int64_t path_step(int64_t value, int direction)
{
	int n = N_PATH_POLICIES;
	int policy = ((int)unpack_path(value).policy + (direction > 0 ? 1 : n - 1)) % n;

	return pack_path((enum path_policy)policy, path_policies[policy]->n);
}

/* A number where the policy has one, none where not. */
static int check_path(struct knob_ref ref, int64_t value, struct err *err)
{
	struct path_choice choice = unpack_path(value);
	char is[32];

	if (ref.id != KNOB_PATH || !choice.n == !path_policies[choice.policy]->n)
		return 0;
	return err_set(err, -EINVAL, "%s: %s", knob_format(ref, value, is, sizeof(is)),
		       choice.n ? "takes no number" : "the number must be 1 or more");
}

int knob_check_range(struct knob_ref ref, int64_t value, struct err *err)
{
	const struct knob_row *row = &knob_table[ref.id];
	char low[32], high[32], is[32];

	if (value >= row->min && value <= row->max)
		return check_path(ref, value, err);
	return err_set(err, -ERANGE, "%s is outside %s..%s",
		       knob_format(ref, value, is, sizeof(is)),
		       knob_format(ref, row->min, low, sizeof(low)),
		       knob_format(ref, row->max, high, sizeof(high)));
}

int knob_parse(struct knob_ref ref, const char *text, int64_t *value, struct err *err)
{
	int64_t parsed = 0;
	int ret = codes[ref.id].parse(text, &parsed, err);

	if (!ret)
		ret = knob_check_range(ref, parsed, err);
	if (!ret)
		*value = parsed;
	return ret;
}

char *knob_format(struct knob_ref ref, int64_t value, char *buf, size_t room)
{
	codes[ref.id].format(value, buf, room);
	return buf;
}
