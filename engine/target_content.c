/* The door to libblkid: what is on a device before it is written to. */
#include <blkid/blkid.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "target_private.h"

static const char *value_of(blkid_probe p, const char *name)
{
	const char *value = NULL;

	return blkid_probe_lookup_value(p, name, &value, NULL) ? NULL : value;
}

static void add(struct content *c, const char *type, const char *what, const char *label)
{
	char clean[64] = "";
	size_t at = strlen(c->text);

	if (c->n == CONTENT_MAX)
		return;
	text_clean(c->type[c->n], sizeof(c->type[0]), type, 0);
	if (label)
		text_clean(clean, sizeof(clean), label, 0);
	text_format(c->text + at, sizeof(c->text) - at, "%s%s%s%s%s%s", c->n ? ", " : "", c->type[c->n], what, label ? " '" : "", clean,
		    label ? "'" : "");
	c->n++;
}

static void add_found(struct content *c, blkid_probe p)
{
	const char *type = value_of(p, "TYPE"), *table = value_of(p, "PTTYPE");

	if (type)
		add(c, type, "", value_of(p, "LABEL"));
	else if (table)
		add(c, table, " partition table", NULL);
}

int target_content(int fd, struct content *c)
{
	blkid_probe p = blkid_new_probe();
	int code = -1;

	*c = (struct content){.n = 0};
	if (!p)
		return -ENOMEM;
	if (!blkid_probe_set_device(p, fd, 0, 0)) {
		blkid_probe_enable_superblocks(p, 1);
		blkid_probe_set_superblocks_flags(p, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL);
		blkid_probe_enable_partitions(p, 1);
		while (!(code = blkid_do_probe(p)))
			add_found(c, p);
	}
	blkid_free_probe(p);
	return code < 0 ? -EIO : 0;
}
