/* The lines of a preset, one after the other: iniparser 4.1 merges names that differ in case, keeps
 * the last of two equal keys and loses keys before any section; each is refused here with its line.
 * What a line may hold: preset_text.c. */
#include "preset_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "preset_text.h"

/* The line being looked at; `place` grows as more of it is known. */
struct walker {
	struct walk *walk;
	struct preset_place place;
	bool cut; /* a comment was cut off the value of this line */
};

static int add_item(struct walker *w, const struct walk_item *item)
{
	struct walk *walk = w->walk;

	if (walk->n_items == WALK_MAX_ITEMS)
		return preset_refuse(&w->place,
				     "too much for one preset: at most %d sections and keys",
				     WALK_MAX_ITEMS);
	walk->item[walk->n_items++] = *item;
	return 0;
}

/* The earlier item of that name: a section anywhere (key NULL), a key in the section under way. */
static const struct walk_item *find_item(const struct walk *walk, const char *section,
					 const char *key)
{
	for (const struct walk_item *i = walk->item; i < walk->item + walk->n_items; i++)
		if (text_same_name(i->section, section) && !i->key == !key &&
		    (!key || text_same_name(i->key, key)))
			return i;
	return NULL;
}

static int take_header(struct walker *w, char *line)
{
	char *end = strchr(line, ']');
	const struct walk_item *before;
	int ret;

	w->place.section = w->place.key = NULL;
	if (!end)
		return preset_refuse(&w->place, "a section header without ]: [NAME]");
	*end = '\0';
	w->place.section = text_trim(line + 1);
	ret = text_check_name(&w->place, w->place.section, "section's name");
	if (ret)
		return ret;
	if (end[1])
		return preset_refuse(&w->place,
				     "text behind the header: a comment goes on a line of its own");
	before = find_item(w->walk, w->place.section, NULL);
	if (before)
		return preset_refuse(
			&w->place,
			"the section stands already in line %u as [%s] (upper and lower case "
			"are the same): give it another name",
			before->line, before->section);
	return add_item(w,
			&(struct walk_item){ .line = w->place.line, .section = w->place.section });
}

/* KEY = VALUE into the place. */
static int split_line(struct walker *w, char *line)
{
	char *equals = strchr(line, '=');
	const char *value;
	int ret;

	if (!equals)
		return preset_refuse(&w->place, "'%.40s' is no [section], no key = value and no "
						"comment (# or ;)",
				     line);
	*equals = '\0';
	line = text_trim(line);
	if (!*line)
		return preset_refuse(&w->place, "a value without a key: write KEY = VALUE");
	w->place.key = line;
	ret = text_check_name(&w->place, line, "key");
	if (!ret)
		ret = text_cut_value(&w->place, text_trim(equals + 1), &value, &w->cut);
	if (!ret)
		w->place.value = value;
	return ret;
}

static int take_key(struct walker *w, char *line)
{
	const struct preset_place *place = &w->place;
	const struct walk_item *before;
	int ret = split_line(w, line);

	if (ret)
		return ret;
	if (!place->section)
		return preset_refuse(place, "stands before any section: put it under a [section]");
	before = find_item(w->walk, place->section, place->key);
	if (before)
		return preset_refuse(place, "the key stands already in line %u as %s (upper and "
					    "lower case are the same): drop one",
				     before->line, before->key);
	return add_item(w, &(struct walk_item){ place->line, place->section, place->key,
						place->value, w->cut });
}

static int take_line(struct walker *w, char *line, size_t n)
{
	int ret = text_check_line(&w->place, line, n);

	if (ret)
		return ret;
	line = text_trim(line);
	if (*line == '#' || *line == ';') {
		if (w->place.line == 1)
			w->walk->question = text_trim(line + 1);
		return 0;
	}
	return !*line ? 0 : *line == '[' ? take_header(w, line)
					 : take_key(w, line);
}

/* The section stays, the key goes with its line. */
static int take_lines(struct walker *w, char *text, size_t n_bytes)
{
	char *end = text + n_bytes;
	int ret = 0;

	for (char *line = text, *next; line < end && !ret; line = next) {
		char *newline = memchr(line, '\n', (size_t)(end - line));
		char *stop = newline ? newline : end;

		next = newline ? newline + 1 : end;
		*stop = '\0';
		w->place.line++;
		w->place.key = w->place.value = NULL;
		ret = take_line(w, line, (size_t)(stop - line));
	}
	return ret;
}

/* A line holds one item at most. */
static size_t count_lines(const char *bytes, size_t n_bytes)
{
	size_t n = 1;

	for (size_t i = 0; i < n_bytes; i++)
		n += bytes[i] == '\n';
	return n;
}

int preset_walk(const char *file, const char *bytes, size_t n_bytes, struct walk *walk,
		struct err *err)
{
	struct walker w = { .walk = walk, .place = { .err = err, .file = file } };
	int ret;

	*walk = (struct walk){ .text = malloc(n_bytes + 1),
			       .item = calloc(count_lines(bytes, n_bytes), sizeof(*walk->item)) };
	if (!walk->text || !walk->item) {
		ret = preset_fail(&w.place, -ENOMEM, "out of memory");
	} else {
		memcpy(walk->text, bytes, n_bytes);
		ret = take_lines(&w, walk->text, n_bytes);
	}
	if (!ret && !walk->n_items) {
		w.place = (struct preset_place){ .err = err, .file = file, .line = 1 };
		ret = preset_refuse(&w.place,
				    "the file is empty: a preset needs [job NAME] and [step NAME]");
	}
	if (ret)
		preset_walk_release(walk);
	return ret;
}

void preset_walk_release(struct walk *walk)
{
	free(walk->text);
	free(walk->item);
	*walk = (struct walk){ 0 };
}

struct preset_place walk_place(const char *file, const struct walk_item *item, struct err *err)
{
	return (struct preset_place){ .err = err,
				      .file = file,
				      .line = item->line,
				      .section = item->section,
				      .key = item->key,
				      .value = item->value };
}
