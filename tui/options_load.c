/* What a command line names: its preset with the options laid over it, its targets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "options.h"

/* The @STEP of `word`, or NULL: a file may have an @ in its name, and in its folders. */
static const char *step_of(const char *word)
{
	const char *at = strrchr(word, '@');

	return at && !strchr(at, '/') && access(word, F_OK) ? at + 1 : NULL;
}

/* Targets named on the command line stand in place of the preset's. */
static int take_targets(const struct options *o, struct spec *spec, struct err *err)
{
	char name[SPEC_NAME];
	int code = 0;

	if (o->n_targets)
		spec_clear_targets(spec);
	for (uint32_t i = 0; i < o->n_targets && code >= 0; i++) {
		text_format(name, sizeof(name), "t%u", i + 1);
		code = spec_add_target(spec, name, o->target[i], err);
	}
	return code < 0 ? code : 0;
}

/* Read the file and lay the options over it. */
static int load_file(const struct options *o, const char *path, struct spec **spec, struct err *err)
{
	int code = preset_load(path, spec, err);

	if (code)
		return code;
	for (uint32_t i = 0; i < o->n_set && !code; i++) {
		struct err why;

		code = spec_override(*spec, o->set[i], &why);
		if (code)
			err_set(err, code, "--set %s: %s", o->set[i], why.text);
	}
	if (code) {
		spec_free(*spec);
		*spec = NULL;
		return code;
	}
	if (o->has_seed)
		(*spec)->seed = o->seed;
	return take_targets(o, *spec, err);
}

const char *options_backend(const struct options *o, const struct spec *spec)
{
	return o->backend ? o->backend : spec->n_targets ? "aio" : "model";
}

int options_open_targets(const struct options *o, struct spec *spec, struct target_set **set, struct err *err)
{
	*set = NULL;
	if (!spec->n_targets && spec->wants_target && !o->backend) {
		err_set(err, -EINVAL, "preset '%s' measures real storage: name it with --target PATH", spec->name);
		return EXIT_USAGE;
	}
	if (strcmp(options_backend(o, spec), "aio") != 0)
		return EXIT_DONE;
	if (!spec->n_targets) {
		err_set(err, -EINVAL, "--backend aio needs a target: --target PATH");
		return EXIT_USAGE;
	}
	int code = target_open(spec, &o->permit, set, err);

	return !code ? EXIT_DONE : code == -EPERM ? EXIT_REFUSED : EXIT_USAGE;
}

int options_load(const struct options *o, const char *word, struct spec **spec, uint32_t *first_step, struct err *err)
{
	const char *step = first_step ? step_of(word) : NULL;
	char *name = step ? strndup(word, (size_t)(step - 1 - word)) : strdup(word);
	char *path = NULL;
	int code = EXIT_USAGE;

	*spec = NULL;
	if (first_step)
		*first_step = 0;
	if (!name) {
		err_set(err, -ENOMEM, "out of memory");
		return EXIT_FAILED;
	}
	if (!preset_find(&o->dirs, name, &path, err) && !load_file(o, path, spec, err))
		code = EXIT_DONE;
	free(path);
	free(name);
	if (code == EXIT_DONE && step) {
		int index = spec_find_step(*spec, step, err);

		if (index < 0) {
			spec_free(*spec);
			*spec = NULL;
			return EXIT_USAGE;
		}
		*first_step = (uint32_t)index;
	}
	return code;
}
