/* INI file -> spec; the door to iniparser. */
#ifndef IODECK_PRESET_H
#define IODECK_PRESET_H

#include "spec.h"

/* Find a preset: with a `/` or ending in .ini a path, else a name looked up in $IODECK_PRESETS, `build_presets` (may be NULL),
 * $XDG_DATA_HOME/iodeck/presets (or ~/.local/share), `install_presets` (may be NULL). `*path` is given (free it). 0 or -ENOENT with the
 * nearest known name in err. */
struct preset_dirs {
	const char *build, *install; /* borrowed */
};
int preset_find(const struct preset_dirs *dirs, const char *name, char **path, struct err *err);

/* Read and validate one file. On success `*spec` is given (spec_free). On failure 0 > code, err.text is
 * "FILE:LINE: [section] key = value: reason (nearest: NAME)". Nothing is printed, by the library neither. Any thread. */
int preset_load(const char *path, struct spec **spec, struct err *err);
void spec_free(struct spec *spec);

/* Add a `--set KEY=VALUE` that holds for every step. 0 or negative with err. */
int spec_override(struct spec *spec, const char *assignment, struct err *err);

/* All presets found, one entry each, sorted by name; a name found first hides later ones. `*list` is given (preset_list_free). */
struct preset_entry {
	char name[SPEC_NAME];
	char *path, *question; /* owned; question NULL when the file cannot be read */
};
int preset_list(const struct preset_dirs *dirs, struct preset_entry **list, uint32_t *n, struct err *err);
void preset_list_free(struct preset_entry *list, uint32_t n);

/* Print every section and key with its form, range, default and meaning ( `check --keys` ), into a strbuf. */
struct strbuf;
void config_describe_keys(struct strbuf *out);
/* The plan of a preset with every parsed value ( `check` ). */
void spec_describe(const struct spec *spec, struct strbuf *out);

#endif
