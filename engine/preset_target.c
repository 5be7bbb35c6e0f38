/* [target]: real storage by name. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "preset_fill.h"
#include "preset_owners.h"

static int put_direct(struct fill *fill, const char *value)
{
	static const char *const yes[] = { "yes", "1", "true", "on" }, *const no[] = { "no", "0", "false", "off" };

	for (int i = 0; i < 4; i++) {
		if (!strcmp(value, yes[i]) || !strcmp(value, no[i])) {
			fill->spec->buffered = !strcmp(value, no[i]);
			return 0;
		}
	}
	return preset_refuse(&fill->place, "is neither yes nor no");
}

static int put_size(struct fill *fill, const char *value)
{
	const char *why;
	int ret = units_parse_size(value, &fill->spec->target_bytes, &why);

	if (!ret && fill->spec->target_bytes > UINT64_C(1) << 60)
		return preset_refuse(&fill->place, "is above 1 EiB");
	return ret ? preset_fail(&fill->place, ret, "%s", why) : 0;
}

static int put_page_size(struct fill *fill, const char *value)
{
	const char *why;
	uint64_t *bytes = &fill->spec->owners.page_bytes;
	int ret = units_parse_size(value, bytes, &why);

	if (!ret && (*bytes < 512 || *bytes > UINT64_C(1) << 40))
		return preset_refuse(&fill->place, "is outside 512B..1TiB");
	return ret ? preset_fail(&fill->place, ret, "%s", why) : 0;
}

static int put_owners(struct fill *fill, const char *value)
{
	struct err why;
	int ret = owners_parse(&fill->spec->owners, value, &why);

	return ret ? preset_fail(&fill->place, ret, "%s", why.text) : 0;
}

static const struct preset_key target_rows[] = {
	{ "direct", false, put_direct, "yes or no", "yes", "past the page cache (O_DIRECT)" },
	{ "size", false, put_size, "a size such as 4k", "0",
	  "bytes used of each target, and the size of a file that is to be created; 0: all there is" },
	{ "page_size", false, put_page_size, "a size such as 15m", "", "of the pages whose owners are told (path = page-owner)" },
	{ "owners", false, put_owners, "paths of each page: p0*2, p1, p0+p2", "",
	  "from the first page of a LUN on, begins again at its end; p0 is NAME, p1 NAME.2" },
};
const struct preset_keys preset_target_keys = { target_rows, sizeof(target_rows) / sizeof(target_rows[0]) };

int target_begin(struct fill *fill, const struct walk_item *header)
{
	(void)header;
	fill->spec->wants_target = true;
	return 0;
}

/* "disk.2" -> "disk" and 2; a name without a number is path 1. */
static uint32_t split_name(const char *key, char *name, size_t room)
{
	const char *point = strrchr(key, '.');
	uint64_t number = 1;

	if (!point || units_parse_u64(point + 1, &number, NULL) || number > SPEC_MAX_PATHS)
		point = NULL;
	text_format(name, room, "%.*s", (int)(point ? (size_t)(point - key) : strlen(key)), key);
	return point ? (uint32_t)number : 1;
}

static uint32_t ways_of(const struct spec *spec, const char *name)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < spec->n_targets; i++)
		n += !strcmp(spec->target[i].name, name);
	return n;
}

int target_end(struct fill *fill)
{
	const struct page_owners *o = &fill->spec->owners;

	if (!o->page_bytes == !o->n)
		return 0;
	fill->place.key = o->n ? "owners" : "page_size";
	fill->place.value = NULL;
	return preset_refuse(&fill->place, "means nothing without %s", o->n ? "page_size" : "owners");
}

int target_put(struct fill *fill, const struct walk_item *item)
{
	char name[SPEC_NAME];
	struct err why;

	for (const struct preset_key *row = target_rows; row < target_rows + preset_target_keys.n; row++)
		if (!strcmp(row->name, item->key))
			return preset_put(fill, &preset_target_keys, item);
	fill->place = walk_place(fill->place.file, item, fill->place.err);
	uint32_t number = split_name(item->key, name, sizeof(name));
	uint32_t known = ways_of(fill->spec, name);

	/* Names under /dev/disk/by-id may hold both: what is left may be another device. */
	if (item->cut)
		return preset_refuse(&fill->place, "the path would be cut at a ';' or '#': put it in double quotes");
	if (!*item->value)
		return preset_refuse(&fill->place, "names no path");
	if (number != known + 1)
		return preset_refuse(&fill->place, "the next path of '%s' is %s%s", name, name, known ? ".N with the next N" : "");
	return spec_add_target(fill->spec, name, item->value, &why) < 0 ? preset_refuse(&fill->place, "%s", why.text) : 0;
}
