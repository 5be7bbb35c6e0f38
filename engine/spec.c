/* A spec in use: which config a step has, and what may be set on top of it. */
#include "spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config_row.h"
#include "expect.h"
#include "preset.h"
#include "spec_check.h"

/* ---- steps ---- */

int spec_find_step(const struct spec *spec, const char *name, struct err *err)
{
	const char **names;

	for (uint32_t i = 0; i < spec->n_steps; i++)
		if (!strcmp(spec->step[i].name, name))
			return (int)i;
	names = calloc(spec->n_steps + 1, sizeof(*names));
	if (!names)
		return err_set(err, -ENOENT, "unknown step");
	for (uint32_t i = 0; i < spec->n_steps; i++)
		names[i] = spec->step[i].name;
	say_unknown(err, "step", name, names, spec->n_steps);
	free(names);
	return -ENOENT;
}

/* ---- assignments ---- */

static int say_assign(const struct assign *a, int ret, struct err *err)
{
	char key[SAY_ROOM], value[SAY_ROOM];

	return err_set(err, ret, "%s=%s: %s", say(key, a->key), say(value, a->value),
		       err ? err->text : "");
}

/* Copy n bytes without the blanks around them; false when they do not fit. */
static bool copy_trimmed(char *dst, size_t room, const char *src, size_t n)
{
	size_t blanks = strspn(src, " \t");

	blanks = blanks < n ? blanks : n;
	src += blanks;
	n -= blanks;
	while (n && (src[n - 1] == ' ' || src[n - 1] == '\t'))
		n--;
	if (n >= room)
		return false;
	memcpy(dst, src, n);
	dst[n] = '\0';
	return true;
}

int assign_parse(struct assign *a, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	char shown[SAY_ROOM];

	if (!equals)
		return err_set(err, -EINVAL, "'%s' is not KEY=VALUE, such as qd=8",
			       say(shown, text));
	if (!copy_trimmed(a->key, sizeof(a->key), text, (size_t)(equals - text)) ||
	    !copy_trimmed(a->value, sizeof(a->value), equals + 1, strlen(equals + 1)))
		return err_set(err, -EINVAL,
			       "'%s' is too long: a key has at most %zu bytes, a value "
			       "%zu",
			       say(shown, text), sizeof(a->key) - 1, sizeof(a->value) - 1);
	if (!*a->key || !*a->value)
		return err_set(err, -EINVAL, "'%s' lacks its %s: KEY=VALUE, such as qd=8",
			       say(shown, text), *a->key ? "value" : "key");
	return 0;
}

static int apply(const struct assign *list, uint32_t n, struct config *cfg, struct err *err)
{
	for (uint32_t i = 0; i < n; i++) {
		int ret = config_set(cfg, list[i].key, list[i].value, err);

		if (ret)
			return say_assign(&list[i], ret, err);
	}
	return 0;
}

int spec_step_config(const struct spec *spec, uint32_t step, struct config *out, struct err *err)
{
	int ret;

	*out = spec->config;
	ret = apply(spec->step[step].set, spec->step[step].n_set, out, err);
	return ret ? ret : apply(spec->override, spec->n_override, out, err);
}

/* ---- checks ---- */

static bool has_effect(const struct config *cfg, const struct assign *a, const char **why)
{
	struct knob_ref ref;

	*why = NULL;
	return knob_find(cfg, a->key, &ref, NULL) || knob_applies(cfg, ref, why);
}

/* The same field named twice, whatever it is called. */
static int check_twice(const struct config *cfg, const struct assign *list, uint32_t n,
		       struct err *err)
{
	struct config_place a, b;

	for (uint32_t i = 1; i < n; i++) {
		config_find(cfg, list[i].key, &a, NULL);
		for (uint32_t j = 0; j < i; j++) {
			config_find(cfg, list[j].key, &b, NULL);
			if (!config_same(&a, &b))
				continue;
			err_set(err, -EINVAL, "is set twice, before as %s=%s: drop one",
				list[j].key, list[j].value);
			return say_assign(&list[i], -EINVAL, err);
		}
	}
	return 0;
}

/* What is not a knob changes only where everything begins anew. */
static int check_live(const struct spec *spec, const struct step *step, struct err *err)
{
	struct knob_ref ref;

	for (uint32_t i = 0; i < step->n_set && !step->fresh; i++) {
		if (!knob_find(&spec->config, step->set[i].key, &ref, NULL))
			continue;
		err_set(err, -EINVAL,
			"is no knob, so it can only be set in a step with fresh = yes");
		return say_assign(&step->set[i], -EINVAL, err);
	}
	return 0;
}

static int check_effects(const struct step *step, const struct config *cfg, struct err *err)
{
	const char *why;

	for (uint32_t i = 0; i < step->n_set; i++)
		if (!has_effect(cfg, &step->set[i], &why)) {
			err_set(err, -EINVAL, "has no effect here: %s", why);
			return say_assign(&step->set[i], -EINVAL, err);
		}
	return 0;
}

static bool has_work(const struct config *cfg)
{
	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		if (cfg->job[i].number_ios && cfg->job[i].numjobs)
			return true;
	return false;
}

int spec_check_step(const struct spec *spec, uint32_t index, struct config *cfg, struct err *err)
{
	const struct step *step = &spec->step[index];
	int ret = spec_step_config(spec, index, cfg, err);

	if (!ret)
		ret = check_live(spec, step, err);
	if (!ret)
		ret = check_twice(cfg, step->set, step->n_set, err);
	if (!ret)
		ret = check_effects(step, cfg, err);
	if (!ret)
		ret = config_check(cfg, err);
	/* A volume's step without fixed work is done with its rebalance. */
	if (!ret && step->until == RUN_DONE && !has_work(cfg) && !cfg->volume.disks)
		ret = err_set(err, -EINVAL,
			      "runs until done, but no job has number_ios and there is "
			      "no volume: it would never end");
	return ret ? -EINVAL : 0;
}

/* ---- --set ---- */

/* An override must fit every step, and have an effect in one at least. */
static int check_steps(const struct spec *spec, const struct assign *a, struct config *cfg,
		       struct err *err)
{
	const char *why = NULL, *reason = NULL;
	bool effect = false;

	for (uint32_t i = 0; i < spec->n_steps; i++) {
		if (spec_check_step(spec, i, cfg, err))
			return err_set(err, -EINVAL, "in step '%s': %s", spec->step[i].name,
				       err ? err->text : "");
		effect |= has_effect(cfg, a, &why);
		reason = why ? why : reason;
	}
	return effect ? 0 : err_set(err, -EINVAL, "has no effect in this preset: %s", reason);
}

/* `cfg` is room for configs. The last override is the one to be checked. */
static int check_override(const struct spec *spec, const struct assign *a, struct config *cfg,
			  struct err *err)
{
	int ret;

	*cfg = spec->config;
	ret = config_set(cfg, a->key, a->value, err);
	if (ret)
		return say_assign(a, ret, err);
	ret = check_twice(cfg, spec->override, spec->n_override, err);
	if (ret)
		return ret;
	ret = check_steps(spec, a, cfg, err);
	return ret ? say_assign(a, ret, err) : 0;
}

static int add_override(struct spec *spec, const struct assign *a, struct err *err)
{
	struct assign *grown = realloc(spec->override, (spec->n_override + 1) * sizeof(*grown));

	if (!grown)
		return err_set(err, -ENOMEM, "out of memory");
	spec->override = grown;
	spec->override[spec->n_override++] = *a;
	return 0;
}

int spec_override(struct spec *spec, const char *assignment, struct err *err)
{
	struct config *cfg;
	struct assign a;
	int ret = assign_parse(&a, assignment, err);

	if (!ret)
		ret = add_override(spec, &a, err);
	if (ret)
		return ret;
	cfg = malloc(sizeof(*cfg));
	ret = cfg ? check_override(spec, &a, cfg, err) : err_set(err, -ENOMEM, "out of memory");
	free(cfg);
	spec->n_override -= ret != 0;
	return ret;
}

/* ---- the end ---- */

static void free_step(struct step *step)
{
	char *texts[] = { step->caption, step->ask, step->hint, step->note };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	for (uint32_t i = 0; i < step->n_answer; i++)
		free(step->answer[i]);
	free(step->set);
	free(step->fault);
	free(step->expect);
	free(step->when);
}

/* ---- targets ---- */

/* The place of one more path: behind those of its name, or the first of a new LUN. */
static struct target_def next_target(const struct spec *spec, const char *name)
{
	struct target_def def = { .lun = 0 };

	for (uint32_t i = 0; i < spec->n_targets; i++)
		if (spec->target[i].lun >= def.lun)
			def.lun = spec->target[i].lun + 1;
	for (uint32_t i = 0; i < spec->n_targets; i++) {
		if (strcmp(spec->target[i].name, name))
			continue;
		def.lun = spec->target[i].lun;
		def.way = spec->target[i].way + 1;
	}
	return def;
}

int spec_add_target(struct spec *spec, const char *name, const char *path, struct err *err)
{
	struct target_def *grown, def = next_target(spec, name);

	if (spec->n_targets == SPEC_MAX_TARGETS)
		return err_set(err, -E2BIG, "more than %d targets", SPEC_MAX_TARGETS);
	grown = realloc(spec->target, (spec->n_targets + 1) * sizeof(*grown));
	if (grown)
		spec->target = grown;
	def.path = grown ? strdup(path) : NULL;
	if (!def.path)
		return err_set(err, -ENOMEM, "out of memory");
	text_format(def.name, sizeof(def.name), "%s", name);
	grown[spec->n_targets] = def;
	return (int)spec->n_targets++;
}

void spec_clear_targets(struct spec *spec)
{
	for (uint32_t i = 0; i < spec->n_targets; i++)
		free(spec->target[i].path);
	free(spec->target);
	spec->target = NULL;
	spec->n_targets = 0;
}

void spec_free(struct spec *spec)
{
	if (!spec)
		return;
	spec_clear_targets(spec);
	free(spec->owners.paths);
	for (uint32_t i = 0; i < spec->n_steps; i++)
		free_step(&spec->step[i]);
	for (uint32_t i = 0; i < spec->n_note; i++)
		free(spec->note[i]);
	free(spec->note);
	free(spec->path);
	free(spec->question);
	free(spec->title);
	free(spec->source);
	free(spec->step);
	free(spec->override);
	free(spec);
}
