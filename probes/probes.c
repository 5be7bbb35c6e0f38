#include "probes.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "probes_private.h"

struct probes {
	struct sysread sys;
	struct probe_snapshot *sample[2]; /* owned: the last and the one being made, by turns */
	uint64_t n_samples;
	char *text; /* owned */
	struct links *links;
	struct queue_reader *queues;
};

const struct probe_row probe_table[N_PROBES] = {
	[PROBE_BLOCK] = { "block", "/proc/diskstats, /sys/block", probe_block_read },
	[PROBE_QUEUE] = { "queue", "/sys/block/*/queue", probe_queue_read },
	[PROBE_SCSI] = { "scsi", "/sys/block/*/device, /sys/class/scsi_host", probe_scsi_read },
	[PROBE_FC] = { "fc", "/sys/class/fc_remote_ports", probe_fc_read },
	[PROBE_DM] = { "dm", "libdevmapper: multipath, switch, statistics", probe_dm_read },
	[PROBE_NVME] = { "nvme", "/sys/class/nvme-subsystem", probe_nvme_read },
	[PROBE_DASD] = { "dasd", "/proc/dasd/devices, /sys/bus/ccw", probe_dasd_read },
	[PROBE_DASD_STATS] = { "dasd-stats", "debugfs dasd/*/statistics, /proc/dasd/statistics", probe_dasd_stats_read },
	[PROBE_MD] = { "md", "/proc/mdstat, /sys/block/md*/md", probe_md_read },
	[PROBE_ISCSI] = { "iscsi", "/sys/class/iscsi_session", probe_iscsi_read },
	[PROBE_LINKS] = { "links", "netlink: interfaces of iSCSI sessions", probe_links_read },
	[PROBE_PRESSURE] = { "pressure", "/proc/pressure/io", probe_pressure_read },
	[PROBE_CPU] = { "cpu", "/proc/stat", probe_cpu_read },
};

/* ---- what rows read with ---- */

void source_say(struct probe_context *c, enum source_state state, const char *fmt, ...)
{
	char raw[PROBE_REASON];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	c->source->state = state;
	text_clean(c->source->reason, sizeof(c->source->reason), raw, 0);
}

void source_failed(struct probe_context *c, int code, const char *path)
{
	enum source_state state = sysread_state(code);

	if (state == SOURCE_ABSENT)
		source_say(c, state, "there is no /%s", path);
	else if (code == -EACCES || code == -EPERM)
		source_say(c, state, "/%s: %s (root may read it)", path, strerror(-code));
	else
		source_say(c, state, "/%s: %s", path, code == -EFBIG ? "longer than any known form" : code == -ENOTSUP ? "not a file" : strerror(-code));
}

void state_set(struct probe_state *state, char letter, const char *fmt, ...)
{
	va_list args;

	state->letter = letter;
	va_start(args, fmt);
	vsnprintf(state->word, sizeof(state->word), fmt, args);
	va_end(args);
}

/* Read the attribute named by the format into c->text. Length or negative errno; the name goes to `path`. */
static int take(struct probe_context *c, char *path, size_t room, const char *fmt, va_list args)
{
	int n = vsnprintf(path, room, fmt, args);

	return n < 0 || (size_t)n >= room ? -ENAMETOOLONG : sysread_file(c->sys, path, c->text, PROBE_TEXT);
}

static void note_bad(struct probe_context *c, const char *path)
{
	if (!c->bad[0])
		text_format(c->bad, sizeof(c->bad), "%s", path);
}

#define TAKE(n)                                                  \
	char path[256];                                          \
	va_list args;                                            \
	va_start(args, fmt);                                     \
	int n = take(c, path, sizeof(path), fmt, args);          \
	va_end(args)

int64_t take_i64(struct probe_context *c, const char *fmt, ...)
{
	int64_t value;
	TAKE(n);
	if (n < 0)
		return PROBE_UNKNOWN;
	if (!attr_parse_i64(c->text, (size_t)n, &value))
		return value;
	note_bad(c, path);
	return PROBE_UNKNOWN;
}

int64_t take_hex(struct probe_context *c, const char *fmt, ...)
{
	uint64_t value;
	TAKE(n);
	if (n < 0)
		return PROBE_UNKNOWN;
	if (!attr_parse_hex(c->text, (size_t)n, &value))
		return (int64_t)value;
	note_bad(c, path);
	return PROBE_UNKNOWN;
}

bool take_text(struct probe_context *c, char *out, size_t room, const char *fmt, ...)
{
	TAKE(n);
	out[0] = '\0';
	if (n < 0)
		return false;
	if (!attr_parse_text(c->text, (size_t)n, out, room))
		return out[0] != '\0';
	if (n)
		note_bad(c, path);
	return false;
}

int64_t take_timeout(struct probe_context *c, const char *fmt, ...)
{
	int64_t value;
	TAKE(n);
	if (n < 0)
		return PROBE_UNKNOWN;
	if (!attr_parse_timeout(c->text, (size_t)n, &value))
		return value;
	note_bad(c, path);
	return PROBE_UNKNOWN;
}

int64_t take_speed(struct probe_context *c, bool *local, const char *fmt, ...)
{
	int64_t value;
	TAKE(n);
	*local = false;
	if (n < 0)
		return PROBE_UNKNOWN;
	if (!md_parse_speed(c->text, (size_t)n, &value, local))
		return value < 0 ? PROBE_UNKNOWN : value;
	note_bad(c, path);
	return PROBE_UNKNOWN;
}

/* ---- samples ---- */

struct probes *probes_open(const char *root, struct err *err)
{
	struct probes *p = calloc(1, sizeof(*p));

	if (!p) {
		err_set(err, -ENOMEM, "no memory for probes");
		return NULL;
	}
	if (sysread_open(&p->sys, root, err)) {
		free(p);
		return NULL;
	}
	for (int i = 0; i < 2; i++)
		p->sample[i] = calloc(1, sizeof(*p->sample[i]));
	p->text = malloc(PROBE_TEXT);
	p->links = p->sys.real ? links_open() : NULL;
	p->queues = queue_reader_start(root);
	if (p->text && p->sample[0] && p->sample[1])
		return p;
	probes_close(p);
	err_set(err, -ENOMEM, "no memory for probes");
	return NULL;
}

void probes_close(struct probes *p)
{
	if (!p)
		return;
	queue_reader_stop(p->queues);
	links_close(p->links);
	sysread_close(&p->sys);
	free(p->sample[0]);
	free(p->sample[1]);
	free(p->text);
	free(p);
}

static void read_rows(struct probes *p, struct probe_snapshot *now, const struct probe_snapshot *before)
{
	struct probe_context c = { .sys = &p->sys, .s = now, .before = before, .text = p->text, .links = p->links, .queues = p->queues };

	for (int i = 0; i < N_PROBES; i++) {
		c.source = &now->source[i];
		c.bad[0] = '\0';
		probe_table[i].read(&c);
		if (c.bad[0] && c.source->state == SOURCE_OK)
			source_say(&c, SOURCE_MALFORMED, "/%s is of no known form", c.bad);
	}
	probe_tree(&c);
}

const struct probe_snapshot *probes_sample(struct probes *p, int64_t at_ns, int64_t wall_s)
{
	const struct probe_snapshot *before = p->sample[p->n_samples % 2];
	struct probe_snapshot *now = p->sample[++p->n_samples % 2];
	struct clock clock = clock_monotonic();
	int64_t begin = clock_now(&clock);

	memset(now, 0, sizeof(*now));
	now->number = p->n_samples;
	now->at_ns = at_ns;
	now->wall_s = wall_s;
	now->interval_s = before->number && at_ns > before->at_ns ? (double)(at_ns - before->at_ns) / 1e9 : NAN;
	read_rows(p, now, before);
	now->cost_s = (double)(clock_now(&clock) - begin) / 1e9;
	return now;
}

int probe_find(const struct probe_snapshot *s, const char *kernel)
{
	for (uint32_t i = 0; i < s->n_devices; i++)
		if (!strcmp(s->device[i].kernel, kernel))
			return (int)i;
	return -1;
}

const struct probe_dasd_stats *probe_find_stats(const struct probe_snapshot *s, const char *name)
{
	for (uint32_t i = 0; i < s->n_stats; i++)
		if (!strcmp(s->stats[i].name, name))
			return &s->stats[i];
	return NULL;
}
