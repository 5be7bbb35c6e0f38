/* DASDs: CCW devices, LCUs and their alias pools. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "probes_private.h"

const char *const dasd_mode_names[N_DASD_MODES] = { "none", "pav", "hyperpav" };

enum { NAMES = 1024 };

static void read_uid(struct probe_context *c, struct probe_dasd *d)
{
	int n = sysread_filef(c->sys, c->text, PROBE_TEXT, "sys/bus/ccw/devices/%s/uid", d->busid);
	int code = n < 0 ? n : dasd_parse_uid(c->text, (size_t)n, &d->uid);

	d->has_uid = !code;
	if (code == -EINVAL && !c->bad[0])
		text_format(c->bad, sizeof(c->bad), "sys/bus/ccw/devices/%s/uid", d->busid);
}

/* The one folder in `block`: its disk. */
static void read_block(struct probe_context *c, struct probe_dasd *d)
{
	char path[128], name[1][SYSREAD_NAME];

	text_format(path, sizeof(path), "sys/bus/ccw/devices/%s/block", d->busid);
	if (sysread_dir(c->sys, path, name, 1, NULL) == 1)
		text_format(d->block, sizeof(d->block), "%s", name[0]);
}

static void read_device(struct probe_context *c, const char *busid)
{
	struct probe_dasd *d;

	c->s->n_dasd_all++;
	if (c->s->n_dasd == PROBE_MAX_DASD)
		return;
	d = &c->s->dasd[c->s->n_dasd++];
	d->lcu = -1;
	d->block_size = d->blocks = PROBE_UNKNOWN;
	text_format(d->busid, sizeof(d->busid), "%s", busid);
	d->online = take_i64(c, "sys/bus/ccw/devices/%s/online", busid) == 1;
	d->alias = take_i64(c, "sys/bus/ccw/devices/%s/alias", busid) == 1;
	take_text(c, d->status, sizeof(d->status), "sys/bus/ccw/devices/%s/status", busid);
	take_text(c, d->discipline, sizeof(d->discipline), "sys/bus/ccw/devices/%s/discipline", busid);
	read_uid(c, d);
	read_block(c, d);
}

/* All CCW devices of the two drivers; other CCW devices have no attribute `alias`. */
static int read_devices(struct probe_context *c)
{
	static const char *const drivers[] = { "sys/bus/ccw/drivers/dasd-eckd", "sys/bus/ccw/drivers/dasd-fba" };
	char name[NAMES][SYSREAD_NAME];
	int found = -ENOENT;

	for (size_t k = 0; k < sizeof(drivers) / sizeof(drivers[0]); k++) {
		int n = sysread_dir(c->sys, drivers[k], name, NAMES, NULL);

		if (n < 0)
			continue;
		found = found < 0 ? 0 : found;
		for (int i = 0; i < n; i++) {
			if (!strchr(name[i], '.')) /* bind, uevent, unbind */
				continue;
			read_device(c, name[i]);
			found++;
		}
	}
	return found;
}

static struct probe_dasd *find_busid(struct probe_snapshot *s, const char *busid)
{
	for (uint32_t i = 0; i < s->n_dasd; i++)
		if (!strcmp(s->dasd[i].busid, busid))
			return &s->dasd[i];
	return NULL;
}

static void take_line(struct probe_snapshot *s, const struct dasd_device_line *line)
{
	struct probe_dasd *d = find_busid(s, line->busid);

	if (!d && s->n_dasd < PROBE_MAX_DASD) { /* a tree with /proc only */
		d = &s->dasd[s->n_dasd++];
		s->n_dasd_all++;
		d->lcu = -1;
		d->online = true;
		text_format(d->busid, sizeof(d->busid), "%s", line->busid);
		text_format(d->discipline, sizeof(d->discipline), "%s", line->discipline);
	}
	if (!d)
		return;
	if (!d->block[0])
		text_format(d->block, sizeof(d->block), "%s", line->name);
	text_format(d->state_text, sizeof(d->state_text), "%s", line->state);
	d->read_only = line->read_only;
	d->block_size = line->block_size < 0 ? PROBE_UNKNOWN : line->block_size;
	d->blocks = line->blocks < 0 ? PROBE_UNKNOWN : line->blocks;
}

static int read_lines(struct probe_context *c)
{
	int n = sysread_file(c->sys, "proc/dasd/devices", c->text, PROBE_TEXT), ret;
	const char *at = c->text, *end = c->text + (n > 0 ? n : 0);
	struct dasd_device_line line;

	while ((ret = dasd_devices_next(&at, end, &line))) {
		if (ret > 0)
			take_line(c->s, &line);
		else if (!c->bad[0])
			text_format(c->bad, sizeof(c->bad), "proc/dasd/devices");
	}
	return n;
}

/* ---- LCUs: the first three parts of the UID ---- */

static int lcu_of(struct probe_snapshot *s, const char *uid)
{
	for (uint32_t i = 0; i < s->n_lcus; i++)
		if (!strcmp(s->lcu[i].uid, uid))
			return (int)i;
	if (s->n_lcus == PROBE_MAX_LCUS)
		return -1;
	text_format(s->lcu[s->n_lcus].uid, sizeof(s->lcu[0].uid), "%s", uid);
	return (int)s->n_lcus++;
}

/* An alias whose unit address is "xx" is in a HyperPAV pool, one with a number is bound to the base of that number. */
static void count_in(struct probe_snapshot *s, struct probe_dasd *d)
{
	struct probe_lcu *lcu;

	d->lcu = d->has_uid ? lcu_of(s, d->uid.lcu) : -1;
	if (d->lcu < 0)
		return;
	lcu = &s->lcu[d->lcu];
	if (!d->alias) {
		lcu->bases++;
		return;
	}
	lcu->aliases += d->online;
	if (!strcmp(d->uid.ua, "xx"))
		lcu->mode = DASD_MODE_HYPERPAV;
	else if (lcu->mode == DASD_MODE_NONE)
		lcu->mode = DASD_MODE_PAV;
}

/* ---- their disks ---- */

static void join(struct probe_snapshot *s, uint32_t i)
{
	struct probe_dasd *d = &s->dasd[i];
	int at = d->block[0] ? probe_find(s, d->block) : -1;
	struct probe_device *disk;

	if (!d->block[0])
		return;
	disk = at >= 0 ? &s->device[at] : probe_add_device(s, d->block); /* a tree without /sys/block */
	if (!disk)
		return;
	text_format(disk->kind, sizeof(disk->kind), "dasd");
	text_format(disk->label, sizeof(disk->label), "%s", d->busid);
	disk->dasd = (int)i;
	if (!disk->size && d->blocks > 0 && d->block_size > 0)
		disk->size = (uint64_t)d->blocks * (uint64_t)d->block_size;
	if (!d->online)
		state_set(&disk->state, '-', "offline");
	else if (disk->state.letter == '+' && d->state_text[0])
		state_set(&disk->state, !strcmp(d->state_text, "active") ? '+' : '~', "%s%s", d->state_text, d->read_only ? " ro" : "");
}

void probe_dasd_read(struct probe_context *c)
{
	int n = read_devices(c), lines = read_lines(c);

	for (uint32_t i = 0; i < c->s->n_dasd; i++) {
		count_in(c->s, &c->s->dasd[i]);
		join(c->s, i);
	}
	if (n < 0 && lines < 0 && sysread_state(lines) == SOURCE_ABSENT)
		source_say(c, SOURCE_ABSENT, "no DASD driver: there is no /proc/dasd (s390x only)");
	else if (n < 0 && lines < 0)
		source_failed(c, lines, "proc/dasd/devices");
	else if (n < 0)
		source_say(c, SOURCE_OK, "there is no /sys/bus/ccw: aliases and LCUs cannot be told");
}
