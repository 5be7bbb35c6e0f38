/* Keys of [preset], and the pieces that keys of [preset] and [step NAME] are read with. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "preset_fill.h"
#include "say.h"

enum { COLUMNS = 78 };

/* ---- pieces ---- */

void *fill_grow(struct fill *fill, void *list, uint32_t *n, size_t size)
{
	char *grown;

	if (*n == PRESET_MAX_LIST) {
		preset_refuse(&fill->place, "too many of these: at most %d", PRESET_MAX_LIST);
		return NULL;
	}
	grown = realloc(list, (*n + 1) * size);
	if (grown)
		memset(grown + (*n)++ * size, 0, size);
	else
		preset_fail(&fill->place, -ENOMEM, "out of memory");
	return grown;
}

/* Columns of the word at s: characters, not bytes; `*bytes` is its length. */
static unsigned word_columns(const char *s, size_t *bytes)
{
	unsigned n = 0;

	*bytes = strcspn(s, " \t");
	for (size_t i = 0; i < *bytes; i++)
		n += (s[i] & 0xc0) != 0x80;
	return n;
}

/* Lines that a text takes when it is broken at blanks. */
static unsigned count_lines(const char *s)
{
	unsigned lines = 0, used = COLUMNS;

	for (s += strspn(s, " \t"); *s; s += strspn(s, " \t")) {
		size_t bytes;
		unsigned n = word_columns(s, &bytes);

		lines += used + 1 + n > COLUMNS ? 1 + n / (COLUMNS + 1) : 0;
		used = used + 1 + n > COLUMNS ? n % (COLUMNS + 1) : used + 1 + n;
		s += bytes;
	}
	return lines;
}

int fill_text(struct fill *fill, const char *value, unsigned lines, char **out)
{
	unsigned takes = count_lines(value);

	if (takes > lines)
		return preset_refuse(&fill->place,
				     "takes %u lines of %d characters, at most %u: "
				     "shorten it",
				     takes, COLUMNS, lines);
	*out = strdup(value);
	return *out ? 0 : preset_fail(&fill->place, -ENOMEM, "out of memory");
}

int fill_time(struct fill *fill, const char *value, int64_t low, int64_t high, int64_t *ns)
{
	const char *why;
	char from[32], to[32];
	int ret = units_parse_time(value, ns, &why);

	if (ret)
		return preset_fail(&fill->place, ret, "%s", why);
	if (*ns >= low && *ns <= high)
		return 0;
	return preset_fail(&fill->place, -ERANGE, "is outside %s..%s",
			   units_format_time(from, sizeof(from), low),
			   units_format_time(to, sizeof(to), high));
}

/* ---- [preset] ---- */

static int put_title(struct fill *fill, const char *value)
{
	return fill_text(fill, value, 1, &fill->spec->title);
}

static int put_source(struct fill *fill, const char *value)
{
	return fill_text(fill, value, 2, &fill->spec->source);
}

static int put_seed(struct fill *fill, const char *value)
{
	const char *why;
	int ret = units_parse_u64(value, &fill->spec->seed, &why);

	return ret ? preset_fail(&fill->place, ret, "%s", why) : 0;
}

static int put_warmup(struct fill *fill, const char *value)
{
	return fill_time(fill, value, 0, 3600 * NS_PER_S, &fill->spec->warmup_ns);
}

static int put_default_run(struct fill *fill, const char *value)
{
	return fill_time(fill, value, NS_PER_MS, PRESET_MAX_RUN_NS, &fill->spec->default_run_ns);
}

static int put_note(struct fill *fill, const char *value)
{
	struct spec *spec = fill->spec;
	char **note;

	if (fill->number != spec->n_note + 1)
		return preset_refuse(&fill->place, "the next note is notes.%u", spec->n_note + 1);
	note = fill_grow(fill, spec->note, &spec->n_note, sizeof(*note));
	if (!note)
		return -EINVAL;
	spec->note = note;
	return fill_text(fill, value, 6, &note[spec->n_note - 1]);
}

static const struct preset_key preset_rows[] = {
	{ "title", false, put_title, "text, 1 line", "", "what it is about" },
	{ "source", false, put_source, "text, 2 lines", "", "the document it follows" },
	{ "seed", false, put_seed, "a whole number", "1", "of all random streams" },
	{ "warmup", false, put_warmup, "a time, 0..1h", "0", "begin of each step, not measured" },
	{ "default_run", false, put_default_run, "a time, 1ms..365d", "",
	  "length of the steps that do not say theirs" },
	{ "notes", true, put_note, "text, 6 lines", "", "what to know about the figures" },
};
const struct preset_keys preset_section_keys = { preset_rows,
						 sizeof(preset_rows) / sizeof(preset_rows[0]) };

/* ---- a key by its row ---- */

/* Whether `key` is the row's: its name, or with .N behind it when numbered. */
static bool is_key(const struct preset_key *row, const char *key, unsigned *number)
{
	size_t n = strlen(row->name);
	uint64_t value = 0;

	if (strncmp(key, row->name, n))
		return false;
	if (!row->numbered)
		return !key[n];
	if (key[n] != '.' || units_parse_u64(key + n + 1, &value, NULL) || value > 9999)
		return false;
	*number = (unsigned)value;
	return true;
}

static int unknown_key(const struct preset_keys *keys, const struct fill *fill)
{
	char names[16][SPEC_NAME];
	const char *list[16];
	struct err why;

	for (size_t i = 0; i < keys->n; i++) {
		text_format(names[i], sizeof(names[i]), "%s%s", keys->key[i].name,
			    keys->key[i].numbered ? ".N" : "");
		list[i] = names[i];
	}
	say_unknown(&why, "key", fill->place.key, list, keys->n);
	return preset_refuse(&fill->place, "%s", why.text);
}

/* A sentence may well hold a semicolon: what would be taken for a comment behind a number is refused here. */
static bool is_sentence(const struct preset_key *row) { return !strncmp(row->form, "text", 4); }

static int cut_short(struct fill *fill)
{
	return preset_refuse(&fill->place, "the text would be cut at a ';' or '#': put all of it in double quotes");
}

int preset_put(struct fill *fill, const struct preset_keys *keys, const struct walk_item *item)
{
	fill->place = walk_place(fill->place.file, item, fill->place.err);
	for (const struct preset_key *row = keys->key; row < keys->key + keys->n; row++)
		if (is_key(row, item->key, &fill->number))
			return item->cut && is_sentence(row) ? cut_short(fill) : row->put(fill, item->value);
	return unknown_key(keys, fill);
}
