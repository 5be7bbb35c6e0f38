/* The kinds of sections: what happens at the header of each and with its keys. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config_row.h"
#include "preset_fill.h"

static int put_preset(struct fill *fill, const struct walk_item *item)
{
	return preset_put(fill, &preset_section_keys, item);
}

static int put_step(struct fill *fill, const struct walk_item *item)
{
	return preset_put(fill, &preset_step_keys, item);
}

static int put_config(struct fill *fill, const struct walk_item *item, enum config_part part,
		      uint32_t job)
{
	struct config_place place = { .part = part, .job = job };
	struct err why;
	int ret = config_find_row(part, item->key, &place.row, &why);

	fill->place = walk_place(fill->place.file, item, fill->place.err);
	if (!ret)
		ret = config_put(&fill->spec->config, &place, item->value, &why);
	return ret ? preset_fail(&fill->place, ret, "%s", why.text) : 0;
}

static int put_host(struct fill *fill, const struct walk_item *item)
{
	return put_config(fill, item, PART_HOST, 0);
}

static int put_volume(struct fill *fill, const struct walk_item *item)
{
	return put_config(fill, item, PART_VOLUME, 0);
}

static int put_array(struct fill *fill, const struct walk_item *item)
{
	return put_config(fill, item, PART_ARRAY, 0);
}

/* The job was appended when the names were read. */
static int put_job(struct fill *fill, const struct walk_item *item)
{
	const char *name = item->section + strlen("job ");
	int job = config_find_job(&fill->spec->config, name, strlen(name), NULL);

	return put_config(fill, item, PART_JOB, (uint32_t)job);
}

static int add_job(struct fill *fill, const char *name)
{
	struct err why;
	int job = config_add_job(&fill->spec->config, name, &why);

	return job < 0 ? preset_fail(&fill->place, -EINVAL, "%s", why.text) : 0;
}

static int add_step(struct fill *fill, const char *name)
{
	struct spec *spec = fill->spec;
	struct step *grown;

	if (spec->n_steps == PRESET_MAX_STEPS)
		return preset_refuse(&fill->place, "too many steps: at most %d", PRESET_MAX_STEPS);
	if (strlen(name) >= SPEC_NAME)
		return preset_refuse(&fill->place, "the step's name is %zu bytes long, at most %d",
				     strlen(name), SPEC_NAME - 1);
	grown = realloc(spec->step, (spec->n_steps + 1) * sizeof(*grown));
	if (!grown)
		return preset_fail(&fill->place, -ENOMEM, "out of memory");
	spec->step = grown;
	fill->step = memset(&grown[spec->n_steps++], 0, sizeof(*grown));
	text_format(fill->step->name, SPEC_NAME, "%s", name);
	return 0;
}

static int end_step(struct fill *fill) { return fill->header ? preset_finish_step(fill) : 0; }

/* The steps were appended when the names were read, so the next header is the next step. */
static int begin_step(struct fill *fill, const struct walk_item *header)
{
	int ret = end_step(fill);

	fill->step = fill->header ? fill->step + 1 : fill->spec->step;
	fill->header = header;
	fill->set = fill->fault = fill->at = (struct preset_place){ 0 };
	fill->run = fill->right = false;
	return ret;
}

const struct section_kind section_kinds[N_SECTION_KINDS] = {
	[SECTION_PRESET] = { .word = "preset", .put = put_preset },
	[SECTION_HOST] = { .word = "host", .put = put_host },
	[SECTION_VOLUME] = { .word = "volume", .put = put_volume },
	[SECTION_ARRAY] = { .word = "array", .put = put_array },
	[SECTION_TARGET] = { .word = "target", .begin = target_begin, .put = target_put, .end = target_end },
	[SECTION_FAULT] = { .word = "fault", .put = fault_section_put },
	[SECTION_JOB] = { .word = "job", .add = add_job, .put = put_job },
	[SECTION_STEP] = { .word = "step",
			   .add = add_step,
			   .begin = begin_step,
			   .put = put_step,
			   .end = end_step },
};

/* ---- by name ---- */

const struct section_kind *section_find(const char *section, const char **name)
{
	for (const struct section_kind *k = section_kinds; k < section_kinds + N_SECTION_KINDS;
	     k++) {
		size_t n = strlen(k->word);

		if (strncmp(section, k->word, n) || section[n] != (k->add ? ' ' : '\0'))
			continue;
		*name = section + n + 1;
		return k;
	}
	return NULL;
}

/* The first word is what is compared, so that [stpe one] finds [step NAME]. */
static const struct section_kind *nearest_kind(const char *section)
{
	const char *words[N_SECTION_KINDS], *nearest;
	char word[SPEC_NAME];

	for (size_t i = 0; i < N_SECTION_KINDS; i++)
		words[i] = section_kinds[i].word;
	text_format(word, sizeof(word), "%.*s", (int)strcspn(section, " "), section);
	nearest = text_nearest(word, words, N_SECTION_KINDS);
	for (size_t i = 0; nearest && i < N_SECTION_KINDS; i++)
		if (words[i] == nearest)
			return &section_kinds[i];
	return NULL;
}

static int unknown_section(const struct fill *fill)
{
	const struct section_kind *kind = nearest_kind(fill->place.section);

	if (!kind)
		return preset_refuse(&fill->place,
				     "unknown section (one of: [preset] [host] [array] [target] [fault] "
				     "[job NAME] [step NAME])");
	return preset_refuse(&fill->place, "unknown section (nearest: [%s%s])", kind->word,
			     kind->add ? " NAME" : "");
}

int section_begin(struct fill *fill, const struct walk_item *item)
{
	const char *name;
	const struct section_kind *kind = section_find(item->section, &name);

	fill->place = walk_place(fill->place.file, item, fill->place.err);
	if (!kind)
		return unknown_section(fill);
	return kind->add ? kind->add(fill, name) : 0;
}
