/* Multipath and switch maps of the device mapper, and statistics that somebody asked it for. Only queries. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "dm.h"
#include "probes_private.h"

/* Name of the whole disk with that number. */
static void name_device(const struct probe_snapshot *s, struct probe_path *p)
{
	unsigned major, minor;

	if (sscanf(p->dev, "%u:%u", &major, &minor) != 2)
		return;
	for (uint32_t i = 0; i < s->n_devices; i++)
		if (s->device[i].major == major && s->device[i].minor == minor)
			text_format(p->device, sizeof(p->device), "%s", s->device[i].kernel);
}

static void mark_device(struct probe_snapshot *s, const struct probe_path *p)
{
	int i = p->device[0] ? probe_find(s, p->device) : -1;

	if (i < 0)
		return;
	if (p->failed)
		state_set(&s->device[i].state, '!', "failed");
	else if (p->group_state != 'A' && s->device[i].state.letter == '+')
		state_set(&s->device[i].state, '-', p->group_state == 'D' ? "disabled" : "standby");
}

static void take_paths(struct probe_snapshot *s, struct probe_device *d, const struct dm_multipath *table, const struct dm_multipath *status)
{
	uint32_t active = dm_active_paths(status);

	for (uint32_t i = 0; i < status->n_paths && s->n_paths < PROBE_MAX_PATHS; i++) {
		const struct dm_path *from = &status->path[i];
		struct probe_path *p = &s->path[s->n_paths++];
		uint32_t g = from->group;

		text_format(p->map, sizeof(p->map), "%s", d->kernel);
		text_format(p->dev, sizeof(p->dev), "%s", from->dev);
		p->group = g + 1;
		p->failed = from->failed;
		p->fails = from->fails;
		p->in_flight = from->in_flight < 0 ? PROBE_UNKNOWN : from->in_flight;
		if (g < status->n_groups)
			p->group_state = status->group[g].state;
		if (g < table->n_groups)
			text_format(p->selector, sizeof(p->selector), "%s", table->group[g].selector);
		name_device(s, p);
		mark_device(s, p);
	}
	text_format(d->kind, sizeof(d->kind), "mpath");
	text_format(d->policy, sizeof(d->policy), "%s%s", table->n_groups ? table->group[0].selector : "", table->queue_if_no_path ? " queueing" : "");
	if (!active)
		state_set(&d->state, '!', "no path");
	else if (active < status->n_paths && d->state.letter == '+')
		state_set(&d->state, '~', "%u of %u", active, status->n_paths);
}

static void take_switch(struct probe_device *d, const struct dm_line *line)
{
	struct dm_switch sw;

	text_format(d->kind, sizeof(d->kind), "switch");
	if (!dm_parse_switch_table(line, &sw))
		text_format(d->policy, sizeof(d->policy), "%u paths, regions of %llu KiB", sw.n_paths, (unsigned long long)sw.region_sectors / 2);
}

/* Regions are only listed: making one would change the machine. */
static void take_regions(struct probe_snapshot *s, const struct dm_map *map)
{
	struct strbuf list = { 0 }, print = { 0 };
	char command[48], *save = NULL;

	if (!dm_message(map, "@stats_list", &list, NULL) && list.text) {
		for (char *line = strtok_r(list.text, "\n", &save); line && s->n_regions < PROBE_MAX_REGIONS; line = strtok_r(NULL, "\n", &save)) {
			struct probe_region *r = &s->region[s->n_regions];

			if (dm_parse_stats_list(line, &r->stats))
				continue;
			text_format(command, sizeof(command), "@stats_print %llu", (unsigned long long)r->stats.id);
			strbuf_clear(&print);
			if (dm_message(map, command, &print, NULL) || !print.text)
				continue;
			print.text[strcspn(print.text, "\n")] = '\0';
			if (dm_parse_stats_print(print.text, &r->stats))
				continue;
			text_format(r->map, sizeof(r->map), "%s", map->kernel);
			s->n_regions++;
		}
	}
	strbuf_release(&list);
	strbuf_release(&print);
}

/* 0, or a negative errno of asking. */
static int read_map(struct probe_context *c, struct probe_device *d)
{
	struct strbuf table = { 0 }, status = { 0 };
	struct dm_map map = { .major = d->major, .minor = d->minor };
	struct dm_multipath mt, ms;
	struct dm_line line, state;
	struct err err;
	int code;

	text_format(map.kernel, sizeof(map.kernel), "%s", d->kernel);
	text_format(map.name, sizeof(map.name), "%s", d->label);
	code = dm_read(&map, false, &table, &err);
	if (!code)
		code = dm_read(&map, true, &status, &err);
	if (!code && table.text && status.text && !dm_parse_line(table.text, &line)) {
		if (!strcmp(line.type, "switch"))
			take_switch(d, &line);
		else if (!strcmp(line.type, "multipath") && !dm_parse_line(status.text, &state) && !dm_parse_multipath_table(line.params, &mt) &&
			 !dm_parse_multipath_status(state.params, &ms))
			take_paths(c->s, d, &mt, &ms);
		else if (!strcmp(line.type, "multipath"))
			text_format(c->bad, sizeof(c->bad), "dev/mapper/control: the status of %s", d->kernel);
		take_regions(c->s, &map);
	}
	strbuf_release(&table);
	strbuf_release(&status);
	return code;
}

void probe_dm_read(struct probe_context *c)
{
	uint32_t maps = 0;
	int code = 0;

	if (!c->sys->real) {
		source_say(c, SOURCE_ABSENT, "the device mapper tells of this machine, not of %s", c->sys->path);
		return;
	}
	for (uint32_t i = 0; i < c->s->n_devices; i++) {
		if (strncmp(c->s->device[i].kernel, "dm-", 3))
			continue;
		maps++;
		code = code ? code : read_map(c, &c->s->device[i]);
	}
	if (!maps)
		source_say(c, SOURCE_ABSENT, "there is no device-mapper map");
	else if (code && sysread_state(code) != SOURCE_ABSENT)
		source_say(c, SOURCE_UNREADABLE, "device mapper: %s%s", strerror(-code), code == -EACCES || code == -EPERM ? " (root may ask it)" : "");
}
