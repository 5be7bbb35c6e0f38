#include "setting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "base/text.h"
#include "base/units.h"
#include "scan.h"

/* ---- attributes ---- */

/* "mq-deadline kyber [none]" -> "none" */
static void only_bracket(char *text)
{
	char *from = strchr(text, '['), *to = from ? strchr(from, ']') : NULL;

	if (!to)
		return;
	*to = '\0';
	memmove(text, from + 1, strlen(from + 1) + 1);
}

static void only_speed(char *text)
{
	if (strstr(text, "(system)"))
		text_format(text, SETTING_VALUE, "system");
	else
		text[strcspn(text, " ")] = '\0';
}

static void only_frozen(char *text)
{
	if (strcmp(text, "frozen"))
		text_format(text, SETTING_VALUE, "idle");
}

static int read_attribute(const char *root, const struct setting *s, char *value, size_t room, struct err *err)
{
	static void (*const reduce[N_SETTING_KINDS])(char *) = {
		[SETTING_CHOICE] = only_bracket, [SETTING_MD_SPEED] = only_speed, [SETTING_MD_FROZEN] = only_frozen
	};
	char text[SETTING_VALUE];
	int n = attribute_read(root, s->object, text, sizeof(text));

	if (n < 0)
		return err_set(err, n, "cannot read %s: %s", s->object, strerror(-n));
	if (reduce[s->kind])
		reduce[s->kind](text);
	text_format(value, room, "%s", text);
	return 0;
}

static int write_attribute(const char *root, const struct setting *s, struct err *err)
{
	int ret = attribute_write(root, s->object, s->value);

	return ret ? err_set(err, ret, "the kernel refused %s in %s: %s", s->value, s->object, strerror(-ret)) : 0;
}

/* ---- device mapper ---- */

static int map_of(const char *root, const struct setting *s, struct dm_map *map, struct err *err)
{
	char kernel[16];

	text_format(kernel, sizeof(kernel), "%.*s", (int)strcspn(s->object, " "), s->object);
	if (*root)
		return err_set(err, -EPERM, "%s: only this machine's own device mapper can be asked", kernel);
	return scan_dm_map(root, kernel, map) ? 0 : err_set(err, -ENOENT, "%s is no map of the device mapper, or is gone", kernel);
}

static int read_text(const char *root, const struct setting *s, bool status, struct strbuf *text, struct err *err)
{
	struct dm_map map;
	int ret = map_of(root, s, &map, err);

	if (!ret)
		ret = dm_read(&map, status, text, err);
	if (!ret && (!text->text || !text->length))
		ret = err_set(err, -ENODATA, "%s has no table", s->object);
	return ret;
}

static int read_table(const char *root, const struct setting *s, char *value, size_t room, struct err *err)
{
	struct strbuf text = { 0 };
	int ret = read_text(root, s, false, &text, err);

	if (!ret && text.length >= room)
		ret = err_set(err, -E2BIG, "the table of %s is longer than %zu bytes", s->object, room - 1);
	while (!ret && text.length && strchr(" \n", text.text[text.length - 1]))
		text.text[--text.length] = '\0';
	if (!ret)
		text_format(value, room, "%s", text.text);
	strbuf_release(&text);
	return ret;
}

static int write_table(const char *root, const struct setting *s, struct err *err)
{
	struct dm_map map;
	int ret = map_of(root, s, &map, err);

	return ret ? ret : dm_reload(&map, s->value, err);
}

static int read_path(const char *root, const struct setting *s, char *value, size_t room, struct err *err)
{
	const char *dev = strchr(s->object, ' ');
	struct strbuf text = { 0 };
	struct dm_multipath m = { 0 };
	struct dm_line line;
	int ret = read_text(root, s, true, &text, err);

	if (!ret && (dm_parse_line(text.text, &line) || strcmp(line.type, "multipath") || dm_parse_multipath_status(line.params, &m)))
		ret = err_set(err, -EINVAL, "%s: not the status of a multipath map", s->object);
	strbuf_release(&text);
	for (uint32_t i = 0; !ret && i < m.n_paths; i++)
		if (dev && !strcmp(m.path[i].dev, dev + 1)) {
			text_format(value, room, "%c", m.path[i].failed ? 'F' : 'A');
			return 0;
		}
	return ret ? ret : err_set(err, -ENOENT, "%s: the map has no such path", s->object);
}

static int write_path(const char *root, const struct setting *s, struct err *err)
{
	const char *dev = strchr(s->object, ' ');
	char message[64];
	struct dm_map map;
	int ret = map_of(root, s, &map, err);

	if (ret)
		return ret;
	text_format(message, sizeof(message), "%s %s", s->value[0] == 'F' ? "fail_path" : "reinstate_path", dev ? dev + 1 : "");
	return dm_message(&map, message, NULL, err);
}

static int read_map(const char *root, const struct setting *s, char *value, size_t room, struct err *err)
{
	(void)root, (void)s, (void)err;
	text_format(value, room, "%s", "");
	return 0;
}

/* "0,1,2": 0 or -EINVAL. */
static int parse_pattern(const char *text, uint32_t *path, uint32_t *n)
{
	for (*n = 0; *n < DM_MAX_PATHS;) {
		size_t length = strcspn(text, ",");
		char word[16];
		uint64_t value;

		text_format(word, sizeof(word), "%.*s", (int)length, text);
		if (units_parse_u64(word, &value, NULL) || value >= DM_MAX_PATHS)
			return -EINVAL;
		path[(*n)++] = (uint32_t)value;
		if (!text[length])
			return 0;
		text += length + 1;
	}
	return -EINVAL;
}

static int write_map(const char *root, const struct setting *s, struct err *err)
{
	uint32_t path[DM_MAX_PATHS], n;
	struct strbuf text = { 0 }, message = { 0 };
	struct dm_switch sw = { 0 };
	struct dm_line line;
	struct dm_map map;
	int ret = map_of(root, s, &map, err);

	if (!ret)
		ret = read_text(root, s, false, &text, err);
	if (!ret && (dm_parse_line(text.text, &line) || strcmp(line.type, "switch") || dm_parse_switch_table(&line, &sw)))
		ret = err_set(err, -EINVAL, "%s is no dm-switch", s->object);
	if (!ret && parse_pattern(s->value, path, &n))
		ret = err_set(err, -EINVAL, "%s: '%s' is no list of paths such as 0,1,2", s->object, s->value);
	for (uint32_t i = 0; !ret && i < n; i++)
		if (path[i] >= sw.n_paths)
			ret = err_set(err, -ERANGE, "%s has paths 0..%u, not %u", s->object, sw.n_paths - 1, path[i]);
	if (!ret)
		dm_switch_message(&sw, path, n, &message);
	if (!ret)
		ret = message.failed ? -ENOMEM : dm_message(&map, message.text, NULL, err);
	strbuf_release(&text);
	strbuf_release(&message);
	return ret;
}

/* Regions of ours: the program id is in the list. */
static int stats_list(const char *root, const struct setting *s, struct dm_map *map, struct strbuf *list, struct err *err)
{
	int ret = map_of(root, s, map, err);

	return ret ? ret : dm_message(map, "@stats_list iodeck", list, err);
}

static int read_stats(const char *root, const struct setting *s, char *value, size_t room, struct err *err)
{
	struct strbuf list = { 0 };
	struct dm_map map;
	int ret = stats_list(root, s, &map, &list, err);

	if (!ret)
		text_format(value, room, list.length ? "on" : "off");
	strbuf_release(&list);
	return ret;
}

static int delete_regions(const struct dm_map *map, char *list, struct err *err)
{
	char message[48], *rest = NULL;
	struct dm_stats region;
	int ret = 0;

	for (char *line = strtok_r(list, "\n", &rest); line && !ret; line = strtok_r(NULL, "\n", &rest)) {
		if (dm_parse_stats_list(line, &region))
			continue;
		text_format(message, sizeof(message), "@stats_delete %llu", (unsigned long long)region.id);
		ret = dm_message(map, message, NULL, err);
	}
	return ret;
}

/* Times in ns, buckets from 125 us on, each twice as wide as the one before. */
static void put_create(struct strbuf *message)
{
	unsigned long long bound = 125000;

	strbuf_puts(message, "@stats_create - /1 2 precise_timestamps histogram:");
	for (int i = 0; i < 15; i++, bound *= 2)
		strbuf_printf(message, i ? ",%llu" : "%llu", bound);
	strbuf_puts(message, " iodeck");
}

static int write_stats(const char *root, const struct setting *s, struct err *err)
{
	struct strbuf list = { 0 }, message = { 0 };
	struct dm_map map;
	int ret = stats_list(root, s, &map, &list, err);

	if (!ret && list.length)
		ret = delete_regions(&map, list.text, err);
	put_create(&message);
	if (!ret && !strcmp(s->value, "on"))
		ret = message.failed ? -ENOMEM : dm_message(&map, message.text, NULL, err);
	strbuf_release(&list);
	strbuf_release(&message);
	return ret;
}

/* ---- the kinds ---- */

static const struct {
	int (*read)(const char *root, const struct setting *s, char *value, size_t room, struct err *err);
	int (*write)(const char *root, const struct setting *s, struct err *err);
} kinds[N_SETTING_KINDS] = {
	[SETTING_PLAIN] = { read_attribute, write_attribute },	   [SETTING_CHOICE] = { read_attribute, write_attribute },
	[SETTING_MD_SPEED] = { read_attribute, write_attribute },  [SETTING_MD_FROZEN] = { read_attribute, write_attribute },
	[SETTING_DM_TABLE] = { read_table, write_table },	   [SETTING_DM_PATH] = { read_path, write_path },
	[SETTING_DM_MAP] = { read_map, write_map },
	[SETTING_DM_STATS] = { read_stats, write_stats },
};

int setting_read(const char *root, const struct setting *s, char *value, size_t room, struct err *err)
{
	return kinds[s->kind].read(root, s, value, room, err);
}

int setting_write(const char *root, const struct setting *s, struct err *err) { return kinds[s->kind].write(root, s, err); }

/* A number given again after a device went away must not be taken for that device. */
void setting_identify(const char *root, const struct setting *s, char *identity, size_t room)
{
	static const char block[] = "/sys/block/";
	char path[SETTING_OBJECT], diskseq[32] = "", name[128] = "";
	const char *disk = s->object[0] == '/' ? s->object + strlen(block) : s->object;
	int n = (int)strcspn(disk, "/ ");

	text_format(identity, room, "%s", "");
	if (s->object[0] == '/' && strncmp(s->object, block, strlen(block)))
		return;
	text_format(path, sizeof(path), "%s%.*s/diskseq", block, n, disk);
	attribute_read(root, path, diskseq, sizeof(diskseq));
	text_format(path, sizeof(path), "%s%.*s/dm/name", block, n, disk);
	attribute_read(root, path, name, sizeof(name));
	text_format(identity, room, "diskseq %s %s", diskseq, name);
}

char *setting_describe(const struct setting *s, char *buf, size_t room)
{
	if (s->kind == SETTING_DM_TABLE)
		text_format(buf, room, "load another table into %s", s->object);
	else if (s->kind == SETTING_DM_PATH)
		text_format(buf, room, "%s path %s", s->value[0] == 'F' ? "fail" : "reinstate", s->object);
	else if (s->kind == SETTING_DM_STATS)
		text_format(buf, room, "%s a histogram of latencies in %s", s->value[1] == 'n' ? "keep" : "keep no more", s->object);
	else if (s->kind == SETTING_DM_MAP)
		text_format(buf, room, "lay %s over all regions of %s", s->value, s->object);
	else
		text_format(buf, room, "write %s to %s", s->value, s->object);
	return buf;
}
