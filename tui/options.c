/* The options as rows: what parses them and what explains them. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli.h"
#include "engine.h"

/* One row per option. `value` is what stands for the value in the help, NULL for a flag; then `store` gets NULL. */
struct option_row {
	const char *name, *value, *what; /* a value in brackets may be left out */
	unsigned commands;
	bool repeatable;
	int (*store)(struct options *o, const char *value, struct err *err);
};

static int store_set(struct options *o, const char *value, struct err *err)
{
	if (!strchr(value, '='))
		return err_set(err, -EINVAL, "--set %s: has no '=' (KNOB=VALUE, e.g. qd=32)", value);
	if (o->n_set == OPTIONS_MAX_SET)
		return err_set(err, -EINVAL, "--set %s: more than %d of them", value, OPTIONS_MAX_SET);
	o->set[o->n_set++] = value;
	return 0;
}

static int store_seed(struct options *o, const char *value, struct err *err)
{
	const char *why = NULL;
	uint64_t seed = 0;

	if (units_parse_u64(value, &seed, &why))
		return err_set(err, -EINVAL, "--seed %s: %s", value, why);
	if (seed > INT64_MAX)
		return err_set(err, -EINVAL, "--seed %s: above %lld", value, (long long)INT64_MAX);
	o->seed = seed;
	o->has_seed = true;
	return 0;
}

static int store_runtime(struct options *o, const char *value, struct err *err)
{
	const char *why = NULL;

	if (units_parse_time(value, &o->runtime_ns, &why))
		return err_set(err, -EINVAL, "--runtime %s: %s", value, why);
	if (o->runtime_ns <= 0)
		return err_set(err, -EINVAL, "--runtime %s: must be above 0 (e.g. 10s)", value);
	return 0;
}

static int store_workers(struct options *o, const char *value, struct err *err)
{
	const char *why = NULL;
	uint64_t n = 0;

	if (units_parse_u64(value, &n, &why))
		return err_set(err, -EINVAL, "--workers %s: %s", value, why);
	if (n < 1 || n > ENGINE_MAX_WORKERS)
		return err_set(err, -EINVAL, "--workers %s: outside 1..%d", value, ENGINE_MAX_WORKERS);
	o->workers = (uint32_t)n;
	return 0;
}

static int store_speed(struct options *o, const char *value, struct err *err)
{
	const char *why = NULL;

	o->has_speed = true;
	o->speed = 0;
	if (!strcmp(value, "max"))
		return 0;
	if (units_parse_decimal(value, &o->speed, &why))
		return err_set(err, -EINVAL, "--speed %s: %s (virtual seconds per second, or max)", value, why);
	if (!(o->speed >= 0.001 && o->speed <= 1e6))
		return err_set(err, -EINVAL, "--speed %s: outside 0.001..1000000 (or max)", value);
	return 0;
}

static int store_one_of(const char *option, const char *const *words, size_t n_words, const char *value,
			const char **out, struct err *err)
{
	for (size_t i = 0; i < n_words; i++) {
		if (!strcmp(words[i], value)) {
			*out = value;
			return 0;
		}
	}
	const char *near = text_nearest(value, words, n_words);
	char list[128] = "";

	for (size_t i = 0, at = 0; i < n_words; i++)
		at += text_format(list + at, sizeof(list) - at, "%s%s", i ? ", " : "", words[i]);
	return err_set(err, -EINVAL, "--%s %s: one of %s%s%s%s", option, value, list, near ? " (nearest: " : "",
		       near ? near : "", near ? ")" : "");
}

static int store_backend(struct options *o, const char *value, struct err *err)
{
	static const char *const words[] = { "model", "null", "aio" };

	return store_one_of("backend", words, 3, value, &o->backend, err);
}

static int store_glyphs(struct options *o, const char *value, struct err *err)
{
	static const char *const words[] = { "ascii", "acs", "utf8" };

	return store_one_of("glyphs", words, 3, value, &o->glyphs, err);
}

static int store_colours(struct options *o, const char *value, struct err *err)
{
	static const char *const words[] = { "mono", "safe", "16" };

	return store_one_of("colours", words, 3, value, &o->colours, err);
}

static int store_text(const char *option, const char *value, const char **out, struct err *err)
{
	if (!*value)
		return err_set(err, -EINVAL, "--%s: its value is empty", option);
	*out = value;
	return 0;
}

static int store_steps(struct options *o, const char *value, struct err *err)
{
	return store_text("steps", value, &o->steps, err);
}

static int store_script(struct options *o, const char *value, struct err *err)
{
	return store_text("script", value, &o->script, err);
}

static int store_json(struct options *o, const char *value, struct err *err)
{
	return store_text("json", value, &o->json, err);
}

static int store_csv(struct options *o, const char *value, struct err *err)
{
	return store_text("csv", value, &o->csv, err);
}

static int store_target(struct options *o, const char *value, struct err *err)
{
	if (o->n_targets == SPEC_MAX_TARGETS)
		return err_set(err, -EINVAL, "--target %s: more than %d of them", value, SPEC_MAX_TARGETS);
	o->target[o->n_targets++] = value;
	return 0;
}

static int store_write(struct options *o, const char *value, struct err *err)
{
	o->permit.write = true;
	if (!value)
		return 0;
	if (!*value || o->permit.n_names == TARGET_MAX_NAMES)
		return err_set(err, -EINVAL, "--write=%s: names nothing, or is one name too many", value);
	o->permit.name[o->permit.n_names++] = value;
	return 0;
}

static int store_force(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->force = true;
	return 0;
}

static int store_keys(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->keys = true;
	return 0;
}

static int store_kernel(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->kernel = true;
	return 0;
}

static int store_interval(struct options *o, const char *value, struct err *err)
{
	const char *why = NULL;

	if (units_parse_time(value, &o->interval_ns, &why))
		return err_set(err, -EINVAL, "--interval %s: %s", value, why);
	if (o->interval_ns && (o->interval_ns < 100000000 || o->interval_ns > INT64_C(86400000000000)))
		return err_set(err, -EINVAL, "--interval %s: outside 100ms..1d (or 0: one look without rates)", value);
	o->has_interval = true;
	return 0;
}

static int store_count(struct options *o, const char *value, struct err *err)
{
	const char *why = NULL;

	if (units_parse_u64(value, &o->count, &why))
		return err_set(err, -EINVAL, "--count %s: %s", value, why);
	return o->count ? 0 : err_set(err, -EINVAL, "--count %s: must be above 0", value);
}

static int store_line(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->line = true;
	return 0;
}

static int store_sysroot(struct options *o, const char *value, struct err *err)
{
	return store_text("sysroot", value, &o->sysroot, err);
}

static const struct option_row option_table[] = {
	{ "set", "KNOB=VALUE", "turn a knob, or any key, for every step (repeatable)", ON_DECK | ON_RUN | ON_CHECK,
	  true, store_set },
	{ "seed", "N", "seed of all random streams", ON_DECK | ON_RUN | ON_CHECK, false, store_seed },
	{ "backend", "NAME", "model: built-in array; null: nobody; aio: --target", ON_DECK | ON_RUN, false,
	  store_backend },
	{ "target", "PATH", "a file or block device to measure (repeatable)", ON_DECK | ON_RUN, true, store_target },
	{ "write", "[NAME]", "allow writing; NAME: a device, what is on it", ON_DECK | ON_RUN, true,
	  store_write },
	{ "runtime", "T", "length of every timed step, e.g. 10s", ON_DECK | ON_RUN, false, store_runtime },
	{ "steps", "NAME,...", "only these steps", ON_RUN, false, store_steps },
	{ "speed", "N|max", "virtual seconds per second (run: max, deck: 1)", ON_DECK | ON_RUN, false, store_speed },
	{ "workers", "N", "threads that LUNs are dealt out to (aio, null)", ON_DECK | ON_RUN, false, store_workers },
	{ "interval", "T", "between two looks, 1s; without --count: go on", ON_PROBE, false, store_interval },
	{ "count", "N", "so many samples, 1", ON_PROBE, false, store_count },
	{ "line", NULL, "a line for each device in place of the table", ON_PROBE, false, store_line },
	{ "json", "FILE", "write the results as JSON; - is stdout", ON_RUN, false, store_json },
	{ "json", "FILE", "one JSON object a sample and line; - is stdout", ON_PROBE, false, store_json },
	{ "csv", "FILE", "write one row per second as CSV; - is stdout", ON_RUN, false, store_csv },
	{ "csv", "FILE", "one CSV row a device and sample; - is stdout", ON_PROBE, false, store_csv },
	{ "force", NULL, "replace an existing output file", ON_RUN | ON_PROBE, false, store_force },
	{ "force", NULL, "put back also what another program has changed", ON_UNDO, false, store_force },
	{ "glyphs", "TIER", "ascii, acs or utf8", ON_DECK, false, store_glyphs },
	{ "colours", "SCHEME", "mono, safe or 16", ON_DECK, false, store_colours },
	{ "script", "FILE", "play lines of deck commands", ON_DECK, false, store_script },
	{ "kernel", NULL, "allow :kernel to change settings of the kernel", ON_DECK, false, store_kernel },
	{ "sysroot", "DIR", "look there in place of / for /proc and /sys", ON_PROBE | ON_DECK, false, store_sysroot },
	{ "keys", NULL, "list all sections and keys of a preset", ON_CHECK, false, store_keys },
};
enum { N_OPTIONS = sizeof(option_table) / sizeof(option_table[0]) };

void options_help(unsigned command, struct strbuf *out)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_row *row = &option_table[i];
		char left[64];

		if (!(row->commands & command))
			continue;
		bool optional = row->value && row->value[0] == '[';

		text_format(left, sizeof(left), optional ? "--%s[=%s" : "--%s%s%s", row->name,
			    optional ? row->value + 1 : row->value ? " " : "", optional || !row->value ? "" : row->value);
		strbuf_printf(out, "  %-20s %s\n", left, row->what);
	}
	strbuf_printf(out, "  %-20s %s\n", "--help", "this text");
}

static int unknown_option(const char *name, unsigned command, const char *command_name, struct err *err)
{
	const char *names[N_OPTIONS + 2] = { "help", "version" };
	size_t n = 2;

	for (size_t i = 0; i < N_OPTIONS; i++) {
		if (!strcmp(option_table[i].name, name))
			return err_set(err, -EINVAL, "option --%s has no meaning for %s", name, command_name);
		if (option_table[i].commands & command)
			names[n++] = option_table[i].name;
	}
	const char *near = text_nearest(name, names, n);

	if (near)
		return err_set(err, -EINVAL, "unknown option --%s (nearest: --%s)", name, near);
	return err_set(err, -EINVAL, "unknown option --%s", name);
}

static const struct option_row *find_option(const char *name, unsigned command)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		if ((option_table[i].commands & command) && !strcmp(option_table[i].name, name))
			return &option_table[i];
	}
	return NULL;
}

/* One option at argv[0]; returns how many words it took, or negative. */
static int parse_option(int argc, char **argv, unsigned command, const char *command_name, bool *seen,
			struct options *o, struct err *err)
{
	char name[32];
	const char *word = argv[0] + 2, *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);

	if (length >= sizeof(name))
		return err_set(err, -EINVAL, "unknown option %s", argv[0]);
	memcpy(name, word, length);
	name[length] = '\0';
	const struct option_row *row = find_option(name, command);

	if (!row)
		return unknown_option(name, command, command_name, err);
	if (seen[row - option_table] && !row->repeatable)
		return err_set(err, -EINVAL, "option --%s stands there twice", name);
	seen[row - option_table] = true;
	const char *value = equals ? equals + 1 : NULL;
	int used = 1;

	if (!row->value && value)
		return err_set(err, -EINVAL, "option --%s takes no value", name);
	if (row->value && row->value[0] != '[' && !value) {
		if (argc < 2 || !strncmp(argv[1], "--", 2))
			return err_set(err, -EINVAL, "option --%s needs a value: --%s %s", name, name, row->value);
		value = argv[1];
		used = 2;
	}
	int code = row->store(o, value, err);

	return code < 0 ? code : used;
}

int options_parse(int argc, char **argv, unsigned command, const char *name, struct options *o, struct ask *ask,
		  struct err *err)
{
	bool seen[N_OPTIONS] = { false }, words_only = false;

	for (int i = 0; i < argc;) {
		const char *word = argv[i];

		if (words_only || word[0] != '-' || !word[1]) {
			if (o->n_words == OPTIONS_MAX_WORDS)
				return err_set(err, -EINVAL, "more than %d words", OPTIONS_MAX_WORDS);
			o->word[o->n_words++] = word;
			i++;
		} else if (!strcmp(word, "--")) {
			words_only = true;
			i++;
		} else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
			ask->help = true;
			i++;
		} else if (!strcmp(word, "--version")) {
			ask->version = true;
			i++;
		} else if (word[1] != '-') {
			return err_set(err, -EINVAL, "unknown option %s (options begin with two dashes)", word);
		} else {
			int used = parse_option(argc - i, argv + i, command, name, seen, o, err);

			if (used < 0)
				return used;
			i += used;
		}
	}
	return 0;
}
