/* The command line as read: one struct for every command. */
#ifndef IODECK_OPTIONS_H
#define IODECK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "preset.h"
#include "target.h"

enum { OPTIONS_MAX_SET = 64, OPTIONS_MAX_WORDS = 64 };

/* Exit status of the program (INTERFACE.md "Exit status"). */
enum exit_code { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_REFUSED = 3, EXIT_WITH_ERRORS = 4, EXIT_MISSED = 5, EXIT_GONE = 6 };

/* Pointers are borrowed from argv, but `dirs`, which main fills. */
struct options {
	const char *word[OPTIONS_MAX_WORDS]; /* presets and the like, in order */
	uint32_t n_words;
	const char *set[OPTIONS_MAX_SET]; /* --set KNOB=VALUE */
	uint32_t n_set;
	bool has_seed, has_speed, force, keys;
	bool kernel; /* --kernel: settings of the kernel may be changed */
	uint64_t seed;
	double speed; /* virtual seconds per second, 0: max */
	int64_t runtime_ns; /* 0: as the preset says */
	uint32_t workers;   /* 0: one */
	const char *steps, *backend, *json, *csv;
	const char *glyphs, *colours, *script;
	const char *sysroot; /* NULL: this machine */
	bool has_interval, line;
	int64_t interval_ns;
	uint64_t count; /* 0: not given */
	const char *target[SPEC_MAX_TARGETS]; /* --target PATH */
	uint32_t n_targets;
	struct target_permit permit; /* --write[=NAME] */
	struct preset_dirs dirs;
};

/* Load the preset named by `word` ("NAME", "PATH", with an optional "@STEP"), apply --set and --seed. `*first_step` (may be NULL) gets the step
 * behind the @, else 0. On success `*spec` is given (spec_free); else an exit code other than 0 with err. */
int options_load(const struct options *o, const char *word, struct spec **spec, uint32_t *first_step, struct err *err);

/* Open the targets of a loaded spec when the backend is aio (o->backend, or by default when there are targets). 0 with `*set` NULL when
 * there is nothing to open; else an exit code with err: EXIT_REFUSED when the guard refuses. */
int options_open_targets(const struct options *o, struct spec *spec, struct target_set **set, struct err *err);
/* The backend that a run of this spec takes. */
const char *options_backend(const struct options *o, const struct spec *spec);

#endif
