/* Where something stands in a preset, as errors name it. Private to the preset reader. */
#ifndef IODECK_PRESET_PLACE_H
#define IODECK_PRESET_PLACE_H

#include "base/err.h"

/* All borrowed; section, key and value may be NULL. line 0: the file as a whole. */
struct preset_place {
	struct err *err; /* where errors of this place are written */
	const char *file;
	unsigned line;
	const char *section, *key, *value;
};

/* Write "FILE:LINE: [section] key = value: REASON" to the place's err, foreign text cleaned;
 * returns code. */
int preset_fail(const struct preset_place *place, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same with -EINVAL. */
int preset_refuse(const struct preset_place *place, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
