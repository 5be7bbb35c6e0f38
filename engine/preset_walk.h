/* The one walk over the bytes of a preset: refuses all that iniparser would bend, keeps line
 * numbers and spelling. */
#ifndef IODECK_PRESET_WALK_H
#define IODECK_PRESET_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preset_place.h"

enum {
	/* iniparser 4.1 reads lines into 1024 bytes, with newline and NUL. */
	WALK_MAX_LINE = 1022,
	WALK_MAX_NAME = 100,
	WALK_MAX_ITEMS = 4096,
};

/* A section's header (key and value NULL) or one key with its value. Borrowed from the walk. */
struct walk_item {
	unsigned line;
	const char *section, *key, *value;
	bool cut; /* a comment was cut off an unquoted value */
};

struct walk {
	char *text;		/* owned: the bytes, cut into strings */
	struct walk_item *item; /* owned, in the order of the file */
	uint32_t n_items;
	const char *question; /* the comment in the first line, or NULL; borrowed from text */
};

/* `bytes` (without a byte-order mark) are the file named `file`, which is only named in errors.
 * 0 or negative with FILE:LINE in err; then nothing is left to release. */
int preset_walk(const char *file, const char *bytes, size_t n_bytes, struct walk *w,
		struct err *err);
void preset_walk_release(struct walk *w);

/* The place of an item, for errors. */
struct preset_place walk_place(const char *file, const struct walk_item *item, struct err *err);

#endif
