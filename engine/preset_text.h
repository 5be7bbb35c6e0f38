/* What text a preset may hold, so that iniparser reads it as it was written. Private to the preset
 * reader. */
#ifndef IODECK_PRESET_TEXT_H
#define IODECK_PRESET_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "preset_place.h"

/* All return 0, or -EINVAL said at the place. */

/* The bytes of a line without its newline; a CR at its end is cut off. */
int text_check_line(const struct preset_place *place, char *line, size_t n);
/* A name of a section or key (`what`): letters, digits, single blanks and . _ - */
int text_check_name(const struct preset_place *place, const char *name, const char *what);
/* `raw` is what stands behind the =, trimmed; *value becomes the value itself, without quotes or
 * comment. Cuts in place. */
int text_cut_value(const struct preset_place *place, char *raw, const char **value, bool *cut);

/* Cut blanks at both ends, in place; returns the beginning. */
char *text_trim(char *s);
/* Compare names as iniparser does: A-Z and a-z are the same. Not strcasecmp, which follows the
 * locale. */
bool text_same_name(const char *a, const char *b);

#endif
