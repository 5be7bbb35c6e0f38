#include "scan.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "base/text.h"

/* ---- a sorted list ---- */

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static char *find(const struct scan *s, const char *device)
{
	return bsearch(device, s->device, s->n_devices, sizeof(s->device[0]), by_name);
}

static void sort(struct scan *s) { qsort(s->device, s->n_devices, sizeof(s->device[0]), by_name); }

void scan_add(struct scan *s, const char *device)
{
	if (s->n_devices == SCAN_MAX_DEVICES || find(s, device))
		return;
	text_format(s->device[s->n_devices++], sizeof(s->device[0]), "%s", device);
	sort(s);
}

void scan_remove(struct scan *s, const char *device)
{
	char *at = find(s, device);
	size_t i = at ? (size_t)(at - s->device[0]) / sizeof(s->device[0]) : 0;

	if (!at)
		return;
	s->n_devices--;
	memmove(s->device[i], s->device[i + 1], (s->n_devices - i) * sizeof(s->device[0]));
}

static struct scan_path *find_path(struct scan *s, const char *map, const char *dev)
{
	for (uint32_t i = 0; i < s->n_paths; i++)
		if (!strcmp(s->path[i].map, map) && !strcmp(s->path[i].dev, dev))
			return &s->path[i];
	return NULL;
}

void scan_set_path(struct scan *s, const char *map, const char *dev, bool failed)
{
	struct scan_path *p = find_path(s, map, dev);

	if (!p && s->n_paths < SCAN_MAX_PATHS) {
		p = &s->path[s->n_paths++];
		text_format(p->map, sizeof(p->map), "%s", map);
		text_format(p->dev, sizeof(p->dev), "%s", dev);
	}
	if (p)
		p->failed = failed;
}

/* ---- looking ---- */

bool scan_dm_map(const char *root, const char *kernel, struct dm_map *out)
{
	char path[256], dev[32];

	text_format(out->kernel, sizeof(out->kernel), "%s", kernel);
	text_format(path, sizeof(path), "/sys/block/%s/dm/name", kernel);
	if (attribute_read(root, path, out->name, sizeof(out->name)) < 0)
		return false;
	text_format(path, sizeof(path), "/sys/block/%s/dev", kernel);
	return attribute_read(root, path, dev, sizeof(dev)) > 0 && sscanf(dev, "%u:%u", &out->major, &out->minor) == 2;
}

static void read_paths(struct scan *s, const char *device)
{
	struct strbuf text = { 0 };
	struct dm_multipath m;
	struct dm_line line;
	struct dm_map map;

	if (scan_dm_map("", device, &map) && !dm_read(&map, true, &text, NULL) && text.text && !dm_parse_line(text.text, &line) &&
	    !strcmp(line.type, "multipath") && !dm_parse_multipath_status(line.params, &m))
		for (uint32_t i = 0; i < m.n_paths; i++)
			scan_set_path(s, map.name, m.path[i].dev, m.path[i].failed);
	strbuf_release(&text);
}

void scan_read(const char *root, struct scan *out)
{
	struct dirent *entry;
	char path[512];
	DIR *dir;

	out->n_devices = out->n_paths = 0;
	text_format(path, sizeof(path), "%s/sys/block", root);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && out->n_devices < SCAN_MAX_DEVICES)
			text_format(out->device[out->n_devices++], sizeof(out->device[0]), "%s", entry->d_name);
	if (dir)
		closedir(dir);
	sort(out);
	for (uint32_t i = 0; !*root && i < out->n_devices; i++)
		if (!strncmp(out->device[i], "dm-", 3))
			read_paths(out, out->device[i]);
}

/* ---- differences ---- */

void scan_compare(const struct scan *before, const struct scan *now, void (*tell)(void *data, const struct scan_change *c), void *data)
{
	for (uint32_t i = 0; i < before->n_devices; i++)
		if (!find(now, before->device[i]))
			tell(data, &(struct scan_change){ .bad = true, .name = before->device[i] });
	for (uint32_t i = 0; i < now->n_devices; i++)
		if (!find(before, now->device[i]))
			tell(data, &(struct scan_change){ .name = now->device[i] });
	for (uint32_t i = 0; i < now->n_paths; i++) {
		const struct scan_path *p = &now->path[i], *was = find_path((struct scan *)before, p->map, p->dev);

		if (was ? was->failed != p->failed : p->failed)
			tell(data, &(struct scan_change){ .is_path = true, .bad = p->failed, .name = p->map, .dev = p->dev });
	}
}
