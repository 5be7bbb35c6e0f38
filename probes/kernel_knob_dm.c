/* Knobs of device mapper maps. */
#include <errno.h>
#include <string.h>

#include "attribute.h"
#include "base/text.h"
#include "base/units.h"
#include "kernel_knob.h"
#include "scan.h"

/* ---- reading a map ---- */

/* The only line of the table, or of the status, of a map with one target of `type`. `text` keeps it. */
static int one_line(const char *root, const char *device, bool status, const char *type, struct strbuf *text, struct dm_line *line, struct err *err)
{
	struct dm_map map;
	int ret;

	if (*root)
		return err_set(err, -EPERM, "%s: only this machine's own device mapper can be asked", device);
	if (!scan_dm_map(root, device, &map))
		return err_set(err, -EINVAL, "%s is no map of the device mapper", device);
	ret = dm_read(&map, status, text, err);
	if (ret)
		return ret;
	if (!text->text || dm_parse_line(text->text, line) || strcmp(line->type, type) || strchr(text->text, '\n') != text->text + text->length - 1)
		return err_set(err, -EINVAL, "%s (%s) is no plain %s map", device, map.name, type);
	return 0;
}

int dm_paths_left(const char *root, const char *device)
{
	struct strbuf text = { 0 };
	struct dm_multipath m;
	struct dm_line line;
	int n = -1;

	if (!strncmp(device, "dm-", 3) && !one_line(root, device, true, "multipath", &text, &line, NULL) &&
	    !dm_parse_multipath_status(line.params, &m))
		n = (int)dm_active_paths(&m);
	strbuf_release(&text);
	return n;
}

/* ---- selector ---- */

static const char *const selectors[] = { "round-robin", "queue-length", "service-time" };

/* "round-robin:1000". The kernel turns more than one request in a row into 1 (since 4.x), which reading back shows. */
static int parse_selector(const struct plan *p, const char **selector, uint64_t *repeat, struct err *err)
{
	size_t n = strcspn(p->asked, ":");

	*repeat = 1;
	for (int i = 0; i < 3; i++)
		if (strlen(selectors[i]) == n && !strncmp(p->asked, selectors[i], n)) {
			*selector = selectors[i];
			if (!p->asked[n])
				return 0;
			if (!i && !units_parse_u64(p->asked + n + 1, repeat, NULL) && *repeat >= 1 && *repeat <= 1000000)
				return 0;
		}
	return err_set(err, -EINVAL, "selector %s: one of round-robin, round-robin:1..1000000, queue-length, service-time", p->asked);
}

int plan_selector(const char *root, struct plan *p, struct err *err)
{
	struct strbuf text = { 0 }, table = { 0 };
	const char *selector = NULL;
	struct dm_line line;
	struct setting *s;
	uint64_t repeat = 1;
	int ret = parse_selector(p, &selector, &repeat, err);

	if (!ret)
		ret = one_line(root, p->device, false, "multipath", &text, &line, err);
	if (!ret) {
		strbuf_printf(&table, "%llu %llu multipath ", (unsigned long long)line.start, (unsigned long long)line.length);
		ret = dm_with_selector(line.params, selector, repeat, &table);
		if (ret || table.length >= SETTING_VALUE)
			ret = err_set(err, -EINVAL, "%s: its table cannot be read", p->device);
	}
	s = ret ? NULL : plan_add(p, SETTING_DM_TABLE, "%s", p->device);
	if (s)
		text_format(s->value, sizeof(s->value), "%s", table.text);
	strbuf_release(&text);
	strbuf_release(&table);
	return ret;
}

int show_selector(const char *root, const struct plan *p, char *value, size_t room, struct err *err)
{
	struct strbuf text = { 0 };
	struct dm_multipath m;
	struct dm_line line;
	int ret = one_line(root, p->device, false, "multipath", &text, &line, err);

	if (!ret && (dm_parse_multipath_table(line.params, &m) || !m.n_groups))
		ret = err_set(err, -EINVAL, "%s: its table cannot be read", p->device);
	if (!ret && m.n_paths && m.path[0].repeat && !strcmp(m.group[0].selector, "round-robin"))
		text_format(value, room, "round-robin:%llu", (unsigned long long)m.path[0].repeat);
	else if (!ret)
		text_format(value, room, "%s", m.group[0].selector);
	strbuf_release(&text);
	return ret;
}

/* ---- paths ---- */

/* "8:16" of "sdb", or as it stands. */
static int path_number(const char *root, const char *word, char *dev, size_t room, struct err *err)
{
	char path[128];

	text_format(dev, room, "%s", word);
	if (strchr(word, ':'))
		return 0;
	text_format(path, sizeof(path), "/sys/block/%.64s/dev", word);
	return !strchr(word, '/') && attribute_read(root, path, dev, room) > 0 ? 0 : err_set(err, -ENOENT, "there is no path device '%s'", word);
}

static int plan_path(const char *root, struct plan *p, const char *state, struct err *err)
{
	struct strbuf text = { 0 };
	struct dm_line line;
	struct setting *s;
	char dev[32], now[16];
	int ret = one_line(root, p->device, true, "multipath", &text, &line, err);

	strbuf_release(&text);
	if (!ret)
		ret = path_number(root, p->asked, dev, sizeof(dev), err);
	s = ret ? NULL : plan_add(p, SETTING_DM_PATH, "%s %s", p->device, dev);
	if (!s)
		return ret;
	text_format(s->value, sizeof(s->value), "%s", state);
	ret = setting_read(root, s, now, sizeof(now), err); /* it must be one of the map's */
	if (!ret && state[0] == 'F' && dm_paths_left(root, p->device) == 1 && now[0] == 'A')
		text_format(p->warning, sizeof(p->warning), "this is the last path: the map stands still or fails every request");
	return ret;
}

int plan_fail(const char *root, struct plan *p, struct err *err) { return plan_path(root, p, "F", err); }
int plan_reinstate(const char *root, struct plan *p, struct err *err) { return plan_path(root, p, "A", err); }

int show_path(const char *root, const struct plan *p, char *value, size_t room, struct err *err)
{
	char now[16];
	int ret = setting_read(root, &p->setting[0], now, sizeof(now), err);

	if (!ret)
		text_format(value, room, "%s %s", p->asked, now[0] == 'F' ? "failed" : "active");
	return ret;
}

/* ---- dm-switch ---- */

/* What a new table begins with: region i on path i mod n. It stands for the map before, which the kernel does not tell. */
static void first_map(uint32_t n_paths, char *value, size_t room)
{
	size_t n = 0;

	for (uint32_t i = 0; i < n_paths; i++)
		n += text_format(value + n, room - n, i ? ",%u" : "%u", i);
}

int plan_map(const char *root, struct plan *p, struct err *err)
{
	struct strbuf text = { 0 };
	struct dm_switch sw;
	struct dm_line line;
	struct setting *s;
	int ret = one_line(root, p->device, false, "switch", &text, &line, err);

	if (!ret && dm_parse_switch_table(&line, &sw))
		ret = err_set(err, -EINVAL, "%s: its table cannot be read", p->device);
	for (const char *at = p->asked; !ret && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char word[16];
		uint64_t path;

		text_format(word, sizeof(word), "%.*s", (int)strcspn(at, ","), at);
		if (units_parse_u64(word, &path, NULL) || path >= sw.n_paths)
			ret = err_set(err, -ERANGE, "map %s: '%s' is no path; %s has 0..%u", p->asked, word, p->device, sw.n_paths - 1);
	}
	s = ret ? NULL : plan_add(p, SETTING_DM_MAP, "%s", p->device);
	if (s) {
		text_format(s->value, sizeof(s->value), "%s", p->asked);
		text_format(p->warning, sizeof(p->warning), "undo lays the regions as in a new table: the map before cannot be read");
	}
	strbuf_release(&text);
	return ret;
}

int show_map(const char *root, const struct plan *p, char *value, size_t room, struct err *err)
{
	struct strbuf text = { 0 };
	struct dm_switch sw;
	struct dm_line line;
	int ret = one_line(root, p->device, false, "switch", &text, &line, err);

	if (!ret && !dm_parse_switch_table(&line, &sw))
		first_map(sw.n_paths, value, room);
	strbuf_release(&text);
	return ret;
}

/* ---- statistics ---- */

int plan_stats(const char *root, struct plan *p, struct err *err)
{
	struct setting *s;
	struct dm_map map;

	if (*root)
		return err_set(err, -EPERM, "%s: only this machine's own device mapper can be asked", p->device);
	if (!scan_dm_map(root, p->device, &map))
		return err_set(err, -EINVAL, "%s is no map of the device mapper", p->device);
	if (dm_paths_left(root, p->device) >= 0)
		return err_set(err, -ENOTSUP, "%s is a multipath map: the kernel's times of its requests are wrong (seen with Linux 6.1)", p->device);
	if (strcmp(p->asked, "on") && strcmp(p->asked, "off"))
		return err_set(err, -EINVAL, "stats %s: on or off", p->asked);
	s = plan_add(p, SETTING_DM_STATS, "%s", p->device);
	text_format(s->value, sizeof(s->value), "%s", p->asked);
	return 0;
}
