/* Find a key, set it, put all keys to their defaults. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "config_row.h"

enum { MAX_ROWS = 64 };

/* Words that stand before a point in a key, or head a section, now or soon. */
static const char *const reserved[] = { "host", "array", "volume", "preset",
					"fault", "target", "job", "step" };

static bool is_reserved(const char *name)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (!strcmp(reserved[i], name))
			return true;
	return false;
}

static void *part_base(struct config *cfg, enum config_part part, uint32_t job)
{
	void *base[] = {
		[PART_JOB] = &cfg->job[job], [PART_HOST] = &cfg->host, [PART_VOLUME] = &cfg->volume,
		[PART_ARRAY] = &cfg->array
	};

	return base[part];
}

void config_defaults(struct config *cfg, enum config_part part, uint32_t job)
{
	const struct config_section *section = &config_sections[part];
	char *base = part_base(cfg, part, job);

	for (const struct config_row *row = section->row; row < section->row + section->n_rows;
	     row++)
		row->form->parse(row, row->fallback, base + row->at, NULL);
}

void config_init(struct config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	config_defaults(cfg, PART_HOST, 0);
	config_defaults(cfg, PART_VOLUME, 0);
	config_defaults(cfg, PART_ARRAY, 0);
}

/* ---- jobs ---- */

int config_add_job(struct config *cfg, const char *name, struct err *err)
{
	struct job_spec *job = &cfg->job[cfg->n_jobs];
	char shown[SAY_ROOM];

	if (is_reserved(name))
		return err_set(err, -EEXIST,
			       "a job cannot be named '%s': keys begin with that word", name);
	if (cfg->n_jobs == SPEC_MAX_JOBS)
		return err_set(err, -E2BIG, "one job too many: at most %d", SPEC_MAX_JOBS);
	if (text_format(job->name, sizeof(job->name), "%s", name) < strlen(name))
		return err_set(err, -E2BIG, "the name '%s' is longer than %d bytes",
			       say(shown, name), SPEC_NAME - 1);
	config_defaults(cfg, PART_JOB, cfg->n_jobs);
	return (int)cfg->n_jobs++;
}

int config_find_job(const struct config *cfg, const char *name, size_t length, struct err *err)
{
	const char *names[SPEC_MAX_JOBS];
	char word[SPEC_NAME * 2];

	for (uint32_t i = 0; i < cfg->n_jobs; i++) {
		names[i] = cfg->job[i].name;
		if (strlen(names[i]) == length && !memcmp(names[i], name, length))
			return (int)i;
	}
	text_format(word, sizeof(word), "%.*s", (int)length, name);
	return say_unknown(err, "job", word, names, cfg->n_jobs);
}

/* ---- keys ---- */

int config_find_row(enum config_part part, const char *key, const struct config_row **row,
		    struct err *err)
{
	const struct config_section *section = &config_sections[part];
	const char *names[MAX_ROWS];

	for (size_t i = 0; i < section->n_rows && i < MAX_ROWS; i++) {
		names[i] = section->row[i].key;
		if (!strcmp(names[i], key)) {
			*row = &section->row[i];
			return 0;
		}
	}
	return say_unknown(err, "key", key, names, section->n_rows);
}

static int place_knob(struct config_place *place, struct knob_ref ref, struct err *err)
{
	bool of_job = ref.id >= KNOB_FIRST_OF_JOB;

	*place = (struct config_place){ .part = of_job			? PART_JOB
						: ref.id == KNOB_POWER	? PART_VOLUME
									: PART_HOST,
					.job = ref.job,
					.is_knob = true,
					.knob = ref };
	return config_find_row(place->part, knob_table[ref.id].config_key, &place->row, err);
}

/* The words that may stand before the last point: host, volume, array, or a job. */
static int find_part(const struct config *cfg, const char *key, size_t length,
		     struct config_place *place, struct err *err)
{
	const char *names[SPEC_MAX_JOBS + 3] = { "host", "volume", "array" };
	char word[SPEC_NAME * 2];
	int job = config_find_job(cfg, key, length, NULL);

	*place = (struct config_place){ .part = PART_JOB, .job = job < 0 ? 0 : (uint32_t)job };
	if (job >= 0)
		return 0;
	for (int part = PART_HOST; part < N_PARTS; part++) {
		place->part = (enum config_part)part;
		if (strlen(config_sections[part].name) == length &&
		    !memcmp(config_sections[part].name, key, length))
			return 0;
	}
	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		names[3 + i] = cfg->job[i].name;
	text_format(word, sizeof(word), "%.*s", (int)length, key);
	return say_unknown(err, "job or section", word, names, 3 + cfg->n_jobs);
}

/* A key of a section that was named without it. */
static int name_section(const char *key, int ret, struct err *err)
{
	const struct config_row *row;

	for (int part = 0; part < N_PARTS; part++)
		if (!config_find_row((enum config_part)part, key, &row, NULL))
			return err_set(err, ret, "unknown knob '%s': as a key it is %s.%s", key,
				       part == PART_JOB ? "JOB" : config_sections[part].name, key);
	return ret;
}

int config_find(const struct config *cfg, const char *key, struct config_place *place,
		struct err *err)
{
	const char *point = strrchr(key, '.');
	struct knob_ref ref;
	int ret = knob_find(cfg, key, &ref, err);

	if (!ret)
		return place_knob(place, ref, err);
	if (!point)
		return name_section(key, ret, err);
	ret = find_part(cfg, key, (size_t)(point - key), place, err);
	return ret ? ret : config_find_row(place->part, point + 1, &place->row, err);
}

bool config_same(const struct config_place *a, const struct config_place *b)
{
	return a->part == b->part && a->job == b->job && a->row == b->row;
}

/* ---- values ---- */

/* Say what the key takes; forms without a range say it themselves. */
static int explain(const struct config_row *row, int ret, struct err *err)
{
	char low[32], high[32];

	if (!err || ret != -EINVAL || !row->form->format_bound)
		return ret;
	row->form->format_bound(row->min, low, sizeof(low));
	row->form->format_bound(row->max, high, sizeof(high));
	return err_set(err, ret, "%s (takes %s, %s..%s)", err->text, row->form->name, low, high);
}

int config_put(struct config *cfg, const struct config_place *place, const char *value,
	       struct err *err)
{
	char *base = part_base(cfg, place->part, place->job);
	int64_t number;
	int ret;

	if (strlen(value) >= SPEC_VALUE)
		return err_set(err, -EINVAL, "is longer than %d bytes", SPEC_VALUE - 1);
	if (!place->is_knob)
		return explain(
			place->row,
			place->row->form->parse(place->row, value, base + place->row->at, err),
			err);
	ret = knob_parse(place->knob, value, &number, err);
	if (ret)
		return explain(place->row, ret, err);
	knob_put(cfg, place->knob, number);
	return 0;
}

char *config_format(const struct config *cfg, const struct config_place *place, char *buf,
		    size_t room)
{
	const char *base[] = { [PART_JOB] = (const char *)&cfg->job[place->job],
			       [PART_HOST] = (const char *)&cfg->host,
			       [PART_VOLUME] = (const char *)&cfg->volume,
			       [PART_ARRAY] = (const char *)&cfg->array };

	place->row->form->format(place->row, base[place->part] + place->row->at, buf, room);
	return buf;
}

int config_set(struct config *cfg, const char *key, const char *value, struct err *err)
{
	struct config_place place;
	int ret = config_find(cfg, key, &place, err);

	return ret ? ret : config_put(cfg, &place, value, err);
}
