/* Block devices: what there is, counters, rates. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "probes_private.h"

/* Kinds by the name; those with `virtual` are not worth a row while they have no size. */
static const struct kind {
	const char *prefix, *kind;
	bool virtual;
} kinds[] = {
	{ "loop", "loop", true }, { "ram", "ram", true },     { "zram", "zram", true }, { "nbd", "nbd", true },	  { "sr", "cdrom", true },
	{ "fd", "floppy", true }, { "dm-", "dm", false },     { "md", "md", false },    { "nvme", "nvme", false }, { "dasd", "dasd", false },
	{ "sd", "scsi", false },  { "vd", "virtio", false },  { "nullb", "null", false }, { "xvd", "xen", false }, { "mmcblk", "mmc", false },
};

static const struct kind *kind_of(const char *kernel)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(kernel, kinds[i].prefix, strlen(kinds[i].prefix)))
			return &kinds[i];
	return NULL;
}

struct probe_device *probe_add_device(struct probe_snapshot *s, const char *kernel)
{
	const struct kind *kind = kind_of(kernel);
	struct probe_device *d;

	s->n_devices_all++;
	if (s->n_devices == PROBE_MAX_DEVICES)
		return NULL;
	d = &s->device[s->n_devices++];
	memset(d, 0, sizeof(*d));
	text_format(d->kernel, sizeof(d->kernel), "%s", kernel);
	text_format(d->name, sizeof(d->name), "%s", kernel);
	for (char *p = d->name; *p; p++)
		if (*p == '!')
			*p = '/'; /* sysfs cannot have a slash in a name */
	text_format(d->kind, sizeof(d->kind), "%s", kind ? kind->kind : "disk");
	state_set(&d->state, '+', "ok");
	d->parent = d->dasd = d->md = d->scsi.host = -1;
	d->inflight_reads = d->inflight_writes = PROBE_UNKNOWN;
	diskstats_no_rates(&d->rates);
	return d;
}

static bool count_folder(struct probe_context *c, const char *kernel, const char *folder, uint16_t *n)
{
	char path[128], none[1][SYSREAD_NAME];
	uint32_t all;

	text_format(path, sizeof(path), "sys/block/%s/%s", kernel, folder);
	if (sysread_dir(c->sys, path, none, 0, &all) < 0)
		return false;
	*n = (uint16_t)(all < UINT16_MAX ? all : UINT16_MAX);
	return true;
}

/* What a dm map is, by the prefix of its uuid; its name. */
static void name_map(struct probe_context *c, struct probe_device *d)
{
	char uuid[160];

	take_text(c, d->label, sizeof(d->label), "sys/block/%s/dm/name", d->kernel);
	if (take_text(c, uuid, sizeof(uuid), "sys/block/%s/dm/uuid", d->kernel))
		text_format(d->kind, sizeof(d->kind), "%s", !strncmp(uuid, "mpath-", 6) ? "mpath" : !strncmp(uuid, "LVM-", 4) ? "lvm" : "dm");
}

static void describe(struct probe_context *c, struct probe_device *d)
{
	int64_t size = take_i64(c, "sys/block/%s/size", d->kernel), value;
	char dev[24];

	d->size = size > 0 ? (uint64_t)size * 512 : 0;
	if (take_text(c, dev, sizeof(dev), "sys/block/%s/dev", d->kernel)) {
		size_t n = strlen(dev);

		dev[n] = '\n';
		if (attr_parse_dev(dev, n + 1, &d->major, &d->minor) && !c->bad[0])
			text_format(c->bad, sizeof(c->bad), "sys/block/%s/dev", d->kernel);
	}
	value = take_i64(c, "sys/block/%s/diskseq", d->kernel);
	d->diskseq = value > 0 ? (uint64_t)value : 0;
	d->hidden = take_i64(c, "sys/block/%s/hidden", d->kernel) == 1;
	if (d->hidden)
		text_format(d->kind, sizeof(d->kind), "path");
	count_folder(c, d->kernel, "slaves", &d->n_below);
	count_folder(c, d->kernel, "holders", &d->n_above);
	if (!strcmp(d->kind, "dm"))
		name_map(c, d);
	else if (!strcmp(d->kind, "loop"))
		take_text(c, d->label, sizeof(d->label), "sys/block/%s/loop/backing_file", d->kernel);
}

static void read_inflight(struct probe_context *c, struct probe_device *d)
{
	int n = sysread_filef(c->sys, c->text, PROBE_TEXT, "sys/block/%s/inflight", d->kernel);

	if (n >= 0 && diskstats_parse_inflight(c->text, (size_t)n, &d->inflight_reads, &d->inflight_writes) && !c->bad[0])
		text_format(c->bad, sizeof(c->bad), "sys/block/%s/inflight", d->kernel);
}

static void read_stat(struct probe_context *c, struct probe_device *d)
{
	int n = sysread_filef(c->sys, c->text, PROBE_TEXT, "sys/block/%s/stat", d->kernel);

	if (n < 0)
		return;
	d->counted = !diskstats_parse_stat(c->text, (size_t)n, &d->counters);
	if (!d->counted && !c->bad[0])
		text_format(c->bad, sizeof(c->bad), "sys/block/%s/stat", d->kernel);
}

static const struct probe_device *same_before(const struct probe_context *c, const struct probe_device *d)
{
	int i = c->before->number ? probe_find(c->before, d->kernel) : -1;
	const struct probe_device *was = i < 0 ? NULL : &c->before->device[i];

	return was && was->counted && was->diskseq == d->diskseq && was->major == d->major && was->minor == d->minor ? was : NULL;
}

/* Only a second without any completion says that a device stands still. */
static void rate(struct probe_context *c, struct probe_device *d)
{
	const struct probe_device *was = d->counted ? same_before(c, d) : NULL;

	if (!was || isnan(c->s->interval_s))
		return;
	if (!diskstats_rates(&was->counters, &d->counters, c->s->interval_s, &d->rates))
		return;
	if (d->rates.stalled && c->s->interval_s >= 0.9)
		state_set(&d->state, '!', "STALLED");
}

/* Counters of all lines; without /sys/block each line is a device. */
static bool take_lines(struct probe_context *c, bool have_sys)
{
	int n = sysread_file(c->sys, "proc/diskstats", c->text, PROBE_TEXT), ret;
	const char *at = c->text, *end = c->text + (n > 0 ? n : 0);
	struct disk_line line;
	uint32_t bad = 0, number = 0;

	if (n < 0) {
		source_failed(c, n, "proc/diskstats");
		return false;
	}
	while ((ret = diskstats_next(&at, end, &line))) {
		struct probe_device *d = NULL;

		number++;
		if (ret < 0) {
			bad = bad ? bad : number;
			continue;
		}
		for (uint32_t i = 0; i < c->s->n_devices && !d; i++)
			if (!strcmp(c->s->device[i].name, line.name))
				d = &c->s->device[i];
		if (!d && !have_sys && (d = probe_add_device(c->s, line.name))) {
			d->major = line.major;
			d->minor = line.minor;
		}
		if (d) {
			d->counters = line.c;
			d->counted = true;
		}
	}
	if (bad)
		source_say(c, SOURCE_MALFORMED, "line %u of /proc/diskstats is of no known form; its device has no figures", bad);
	return true;
}

static void drop_empty(struct probe_snapshot *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n_devices; i++) {
		const struct kind *kind = kind_of(s->device[i].kernel);

		if (kind && kind->virtual && !s->device[i].size)
			s->n_devices_all--;
		else if (n++ != i)
			s->device[n - 1] = s->device[i];
	}
	s->n_devices = n;
}

void probe_block_read(struct probe_context *c)
{
	char name[PROBE_MAX_DEVICES][SYSREAD_NAME];
	uint32_t all = 0;
	int n = sysread_dir(c->sys, "sys/block", name, PROBE_MAX_DEVICES, &all);

	for (int i = 0; i < n; i++)
		probe_add_device(c->s, name[i]);
	if (n >= 0)
		c->s->n_devices_all = all;
	/* first of all what the interval is told by */
	bool lines = take_lines(c, n >= 0);

	for (uint32_t i = 0; i < c->s->n_devices; i++) {
		struct probe_device *d = &c->s->device[i];

		if (n >= 0 && !d->counted)
			read_stat(c, d);
		if (n >= 0) {
			describe(c, d);
			read_inflight(c, d);
		}
		rate(c, d);
	}
	if (n >= 0)
		drop_empty(c->s);
	if (n < 0 && !lines)
		source_failed(c, n, "sys/block");
	else if (!lines && n > 0 && sysread_state(-ENOENT) == c->source->state)
		source_say(c, SOURCE_OK, "there is no /proc/diskstats: counters are from /sys/block/*/stat");
	if (c->s->n_devices_all > c->s->n_devices && c->source->state == SOURCE_OK)
		source_say(c, SOURCE_OK, "%u devices more than there is room for", c->s->n_devices_all - c->s->n_devices);
}
