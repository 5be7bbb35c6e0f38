/* The sections of a preset, read in the order that errors are best understood in: names, [preset],
 * what is set for all steps, the steps, and at last the expectations, which may name any step. */
#include "preset_fill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config_row.h"
#include "expect.h"
#include "preset.h"

/* ---- passes over the file ---- */

static int take_headers(struct fill *fill, const struct walk *walk)
{
	int ret = 0;

	for (uint32_t i = 0; i < walk->n_items && !ret; i++)
		if (!walk->item[i].key)
			ret = section_begin(fill, &walk->item[i]);
	return ret;
}

/* All sections of one kind, in the order of the file. */
static int pass(struct fill *fill, const struct walk *walk, const struct section_kind *kind)
{
	int ret = 0;

	for (uint32_t i = 0; i < walk->n_items && !ret; i++) {
		const struct walk_item *item = &walk->item[i];
		const char *name;

		if (section_find(item->section, &name) != kind)
			continue;
		if (item->key)
			ret = kind->put(fill, item);
		else if (kind->begin)
			ret = kind->begin(fill, item);
	}
	return ret || !kind->end ? ret : kind->end(fill);
}

/* The header of a section, or the file's first line when it is not there. */
static struct preset_place header_place(const struct fill *fill, const struct walk *walk,
					const char *section)
{
	struct preset_place place = { .err = fill->place.err, .file = fill->place.file, .line = 1 };

	for (uint32_t i = 0; section && i < walk->n_items; i++)
		if (!walk->item[i].key && !strcmp(walk->item[i].section, section))
			return walk_place(place.file, &walk->item[i], place.err);
	return place;
}

static int check_part(struct fill *fill, const struct walk *walk, enum config_part part,
		      uint32_t job)
{
	const struct config *cfg = &fill->spec->config;
	char section[SPEC_NAME + 8];
	struct err why;

	if (!config_check_part(cfg, part, job, &why))
		return 0;
	text_format(section, sizeof(section), "%s", config_sections[part].name);
	if (part == PART_JOB)
		text_format(section, sizeof(section), "job %s", cfg->job[job].name);
	fill->place = header_place(fill, walk, section);
	return preset_refuse(&fill->place, "%s", why.text);
}

/* The preset's own values, before any step sets others. */
static int check_base(struct fill *fill, const struct walk *walk)
{
	const struct spec *spec = fill->spec;
	int ret = check_part(fill, walk, PART_HOST, 0);

	fill->place = ret ? fill->place : header_place(fill, walk, NULL);
	if (!ret && !spec->config.n_jobs)
		ret = preset_refuse(&fill->place, "there is no job: write a [job NAME] section");
	if (!ret && !spec->n_steps)
		ret = preset_refuse(&fill->place, "there is no step: write a [step NAME] section");
	for (uint32_t i = 0; i < spec->config.n_jobs && !ret; i++)
		ret = check_part(fill, walk, PART_JOB, i);
	return ret ? ret : check_part(fill, walk, PART_VOLUME, 0);
}

/* Expectations were kept as text and line. */
static int parse_list(struct fill *fill, uint32_t index, const char *name, struct expect *list, uint32_t n)
{
	char section[SPEC_NAME + 8], key[16];

	text_format(section, sizeof(section), "step %s", fill->spec->step[index].name);
	for (uint32_t i = 0; i < n; i++) {
		struct expect *expect = &list[i], parsed;
		struct preset_place place = {
			fill->place.err, fill->place.file, expect->line, section, key, expect->text
		};
		struct err why;

		text_format(key, sizeof(key), "%s.%u", name, i + 1);
		if (expect_parse(fill->spec, index, expect->text, &parsed, &why))
			return preset_refuse(&place, "%s", why.text);
		parsed.line = expect->line;
		*expect = parsed;
	}
	return 0;
}

static int parse_expects(struct fill *fill, uint32_t index)
{
	const struct step *step = &fill->spec->step[index];
	int ret = parse_list(fill, index, "expect", step->expect, step->n_expect);

	return ret ? ret : parse_list(fill, index, "when", step->when, step->n_when);
}

/* The preset's own values are checked before any step builds on them. */
static int fill_all(struct fill *fill, const struct walk *walk)
{
	int ret = take_headers(fill, walk);

	for (size_t i = 0; i < N_SECTION_KINDS && !ret; i++) {
		if (i == SECTION_STEP)
			ret = check_base(fill, walk);
		if (!ret)
			ret = pass(fill, walk, &section_kinds[i]);
	}
	for (uint32_t i = 0; i < fill->spec->n_steps && !ret; i++)
		ret = parse_expects(fill, i);
	return ret;
}

/* ---- the preset itself ---- */

/* File name without folder and .ini. */
static void put_name(struct spec *spec)
{
	const char *slash = strrchr(spec->path, '/');
	char *end;

	text_clean(spec->name, sizeof(spec->name), slash ? slash + 1 : spec->path, 0);
	end = strstr(spec->name, ".ini");
	if (end && !end[4])
		*end = '\0';
}

/* A preset without a question in its first line asks what its title says. */
static int put_question(struct fill *fill, const char *question)
{
	struct spec *spec = fill->spec;
	const char *text = question && *question ? question : spec->title ? spec->title
									  : "";

	fill->place =
		(struct preset_place){ fill->place.err, fill->place.file, 1, NULL, NULL, NULL };
	return fill_text(fill, text, 3, &spec->question);
}

static struct spec *new_spec(const char *path)
{
	struct spec *spec = calloc(1, sizeof(*spec));

	if (!spec)
		return NULL;
	spec->path = strdup(path);
	if (!spec->path) {
		spec_free(spec);
		return NULL;
	}
	spec->seed = 1;
	config_init(&spec->config);
	put_name(spec);
	return spec;
}

int preset_fill(const char *path, const struct walk *walk, struct spec **out, struct err *err)
{
	struct fill fill = { .spec = new_spec(path), .place = { .err = err, .file = path } };
	int ret;

	if (!fill.spec)
		return preset_fail(&fill.place, -ENOMEM, "out of memory");
	ret = fill_all(&fill, walk);
	if (!ret)
		ret = put_question(&fill, walk->question);
	if (ret)
		spec_free(fill.spec);
	else
		*out = fill.spec;
	return ret;
}
