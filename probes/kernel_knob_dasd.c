/* Aliases of an LCU: set online or offline by the attribute `online` of the ccw device (drivers/s390/block/dasd_devmap.c). An offline alias cannot be told
 * from an offline base, so only those that were seen online are ever switched. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "base/text.h"
#include "base/units.h"
#include "kernel_knob.h"

#define CCW_DEVICES "/sys/bus/ccw/devices"
static int by_text(const void *a, const void *b) { return strcmp(a, b); }

/* "IBM.75000000092461.e900.xx" belongs to LCU "IBM.75000000092461.e900". */
static bool in_lcu(const char *uid, const char *lcu)
{
	size_t n = strlen(lcu);

	return !strncmp(uid, lcu, n) && uid[n] == '.';
}

static bool is_alias_of(const char *root, const char *bus, const char *lcu)
{
	char path[256], text[128];

	text_format(path, sizeof(path), CCW_DEVICES "/%s/alias", bus);
	if (attribute_read(root, path, text, sizeof(text)) < 0 || strcmp(text, "1"))
		return false;
	text_format(path, sizeof(path), CCW_DEVICES "/%s/uid", bus);
	return attribute_read(root, path, text, sizeof(text)) > 0 && in_lcu(text, lcu);
}

/* Add the aliases that are online to those seen before, sorted. Returns how many are online. */
static uint32_t look(const char *root, const char *lcu, struct alias_list *seen)
{
	struct dirent *entry;
	char path[512];
	uint32_t n = 0;
	DIR *dir;

	text_format(path, sizeof(path), "%s" CCW_DEVICES, root);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(seen->bus[0]) || !is_alias_of(root, entry->d_name, lcu))
			continue;
		n++;
		if (seen->n < PLAN_MAX_SETTINGS && !bsearch(entry->d_name, seen->bus, seen->n, sizeof(seen->bus[0]), by_text)) {
			text_format(seen->bus[seen->n++], sizeof(seen->bus[0]), "%s", entry->d_name);
			qsort(seen->bus, seen->n, sizeof(seen->bus[0]), by_text);
		}
	}
	if (dir)
		closedir(dir);
	return n;
}

/* The LCU of a DASD: the first three fields of its uid. A word that is no device is taken for an LCU. */
int kernel_lcu(const char *root, const char *word, char *lcu, size_t room, struct err *err)
{
	char path[256], uid[128];
	int dots = 0;
	size_t n;

	if (!*word || word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.")])
		return err_set(err, -EINVAL, "'%s' is no name of an LCU or a DASD", word);
	text_format(path, sizeof(path), "/sys/block/%.64s/device/uid", word);
	if (attribute_read(root, path, uid, sizeof(uid)) <= 0)
		text_format(uid, sizeof(uid), "%s", word);
	for (n = 0; uid[n] && (uid[n] != '.' || ++dots < 3); n++)
		;
	text_format(lcu, room, "%.*s", (int)n, uid);
	return dots >= 2 ? 0 : err_set(err, -ENOENT, "'%s' is no DASD, and no LCU such as IBM.75000000092461.e900", word);
}

static int plan_one(struct plan *p, const char *root, const char *bus, bool online, struct err *err)
{
	char path[256], now[16];
	struct setting *s;
	int n;

	text_format(path, sizeof(path), CCW_DEVICES "/%s/online", bus);
	n = attribute_read(root, path, now, sizeof(now));
	if (n < 0)
		return err_set(err, n, "cannot read %s: %s", path, strerror(-n));
	if (!strcmp(now, online ? "1" : "0"))
		return 0;
	s = plan_add(p, SETTING_PLAIN, "%s", path);
	if (!s)
		return err_set(err, -E2BIG, "more than %d aliases at once", PLAN_MAX_SETTINGS);
	text_format(s->value, sizeof(s->value), "%d", online);
	return 0;
}

int plan_aliases(const char *root, struct plan *p, struct err *err)
{
	const char *why = NULL;
	uint64_t wanted;
	int ret = 0;

	look(root, p->device, p->seen);
	if (units_parse_u64(p->asked, &wanted, &why))
		return err_set(err, -EINVAL, "aliases %s: %s", p->asked, why);
	if (!p->seen->n)
		return err_set(err, -ENOENT, "LCU %s has no alias online: offline ones cannot be told from bases", p->device);
	if (wanted > p->seen->n)
		return err_set(err, -ERANGE, "LCU %s: %u aliases were seen online, more are not known here", p->device, p->seen->n);
	for (uint32_t i = 0; !ret && i < p->seen->n; i++)
		ret = plan_one(p, root, p->seen->bus[i], i < wanted, err);
	return ret;
}

int show_aliases(const char *root, const struct plan *p, char *value, size_t room, struct err *err)
{
	(void)err;
	text_format(value, room, "%u", look(root, p->device, p->seen));
	return 0;
}
