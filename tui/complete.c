/* Completion of the `:` line: which words can stand here, and how far one of them is certain. */
#include <string.h>

#include "base/text.h"
#include "canvas.h"
#include "commands.h"
#include "style.h"
#include "views.h"

/* The candidates that begin with what is typed so far. */
struct candidates {
	const char *typed;
	size_t length;
	int n;
	char common[LINE_WORD]; /* what all of them begin with */
	char *list;		/* of all, for the hint */
	size_t room, used;
};

static void offer(struct candidates *c, const char *word)
{
	size_t same = 0;

	if (strncmp(word, c->typed, c->length))
		return;
	if (c->n++ == 0)
		text_format(c->common, sizeof(c->common), "%s", word);
	while (c->common[same] && c->common[same] == word[same])
		same++;
	c->common[same] = '\0';
	c->used += text_format(c->list + c->used, c->room - c->used, "%s%s", c->used ? "  " : "",
			       word);
}

static void offer_names(struct candidates *c, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		offer(c, names[i]);
}

/* ---- one function a kind of word; `before` is the word before it ---- */

static void commands(struct candidates *c, const struct language *lang, const char *before)
{
	(void)lang;
	(void)before;
	for (size_t i = 0; i < line_rows(); i++)
		offer(c, line_row(i)->name);
}

static void knobs(struct candidates *c, const struct language *lang, const char *before)
{
	(void)before;
	for (int i = 0; i < N_KNOBS; i++)
		offer(c, knob_table[i].name);
	for (uint32_t job = 1; lang->spec && job < lang->spec->config.n_jobs; job++)
		for (int i = KNOB_FIRST_OF_JOB; i < N_KNOBS; i++) {
			char name[SPEC_NAME * 2];

			text_format(name, sizeof(name), "%s.%s", lang->spec->config.job[job].name,
				    knob_table[i].name);
			offer(c, name);
		}
}

/* All that steps lead to from a value on, at most eight; for a knob of choices that is all of them.
 */
static void values(struct candidates *c, const struct language *lang, const char *before)
{
	struct knob_ref ref;
	int64_t value, first;
	char text[64];

	if (!lang->spec || knob_find(&lang->spec->config, before, &ref, NULL))
		return;
	first = value = knob_get(&lang->spec->config, ref);
	for (int i = 0; i < 8; i++) {
		int64_t next = knob_step_value(ref, value, 1);

		offer(c, knob_format(ref, value, text, sizeof(text)));
		if (next == value || next == first)
			break;
		value = next;
	}
}

static void steps(struct candidates *c, const struct language *lang, const char *before)
{
	(void)before;
	for (uint32_t i = 0; lang->spec && i < lang->spec->n_steps; i++)
		offer(c, lang->spec->step[i].name);
}

static void presets(struct candidates *c, const struct language *lang, const char *before)
{
	(void)before;
	for (uint32_t i = 0; i < lang->n_presets; i++)
		offer(c, lang->preset[i].name);
}

/* The disks of the volume, and for `add` the one that would be next. */
static void disk_names(struct candidates *c, const struct snapshot *s, bool add)
{
	char next[16];

	for (uint32_t i = 0; s && !add && i < s->n_disks; i++)
		offer(c, s->disk[i].name);
	text_format(next, sizeof(next), "d%u", s ? s->n_disks + 1 : 1);
	if (s && add && s->n_disks)
		offer(c, next);
}

static void path_names(struct candidates *c, const struct language *lang, const char *before)
{
	if (!strcmp(before, "disk") || !strcmp(before, "drop") || !strcmp(before, "add")) {
		disk_names(c, lang->snapshot, !strcmp(before, "add"));
		return;
	}
	for (uint32_t i = 0; lang->snapshot && i < lang->snapshot->n_paths; i++)
		offer(c, lang->snapshot->path[i].name);
}

static void glyph_words(struct candidates *c, const struct language *lang, const char *before)
{
	(void)lang;
	(void)before;
	offer_names(c, glyphs_names, N_GLYPHS);
}

static void colour_words(struct candidates *c, const struct language *lang, const char *before)
{
	(void)lang;
	(void)before;
	offer_names(c, colours_names, N_COLOURS);
}

static void fixed_words(struct candidates *c, const char *before, const char *const *names, int n)
{
	(void)before;
	offer_names(c, names, n);
}

static void word_path(struct candidates *c, const struct language *lang, const char *before)
{
	const struct snapshot *s = lang->snapshot;

	if (!s || s->n_paths)
		fixed_words(c, before, (const char *const[]){ "path" }, 1);
	if (s && s->n_disks)
		fixed_words(c, before, (const char *const[]){ "disk" }, 1);
}

static void word_up_down(struct candidates *c, const struct language *lang, const char *before)
{
	(void)lang;
	if (before[0] == 'd')
		fixed_words(c, before, (const char *const[]){ "fail" }, 1);
	else
		fixed_words(c, before, (const char *const[]){ "down", "up" }, 2);
}

static void word_auto(struct candidates *c, const struct language *lang, const char *before)
{
	(void)lang;
	fixed_words(c, before, (const char *const[]){ "auto" }, 1);
}

static void word_speed(struct candidates *c, const struct language *lang, const char *before)
{
	(void)lang;
	fixed_words(c, before, (const char *const[]){ "1", "10", "100", "max" }, 4);
}

static void view_words(struct candidates *c, const struct language *lang, const char *before)
{
	(void)lang;
	(void)before;
	for (int i = 0; i < N_SCREENS; i++)
		if (view_table[i].number)
			offer(c, view_table[i].name);
}

static void (*const sources[N_WORDS])(struct candidates *c, const struct language *lang,
				      const char *before) = {
	[WORD_COMMAND] = commands,
	[WORD_KNOB] = knobs,
	[WORD_VALUE] = values,
	[WORD_STEP] = steps,
	[WORD_PRESET] = presets,
	[WORD_PATH] = word_path,
	[WORD_PATH_NAME] = path_names,
	[WORD_UP_DOWN] = word_up_down,
	[WORD_AUTO] = word_auto,
	[WORD_GLYPHS] = glyph_words,
	[WORD_COLOURS] = colour_words,
	[WORD_SPEED] = word_speed,
	[WORD_VIEW] = view_words,
};

/* ---- the line ---- */

struct place {
	enum word word;
	const struct line_row *row; /* NULL: the command itself */
	int from;		/* where the word begins */
	char before[LINE_WORD]; /* the word before it */
};

/* Which word the end of the line is in, or would begin. */
static struct place place_at_end(const char *line)
{
	struct span span[LINE_SPANS];
	int n = line_spans(line, span, LINE_SPANS), length = (int)strlen(line);
	int at = n && span[n - 1].to == length ? n - 1 : n; /* number of the word */
	struct place p = { .word = WORD_COMMAND, .from = at < n ? span[at].from : length };
	const struct line_row *row;
	char name[LINE_WORD];

	if (at == 0)
		return p;
	text_format(name, sizeof(name), "%.*s", span[0].to - span[0].from, line + span[0].from);
	row = line_find(name);
	if (row && row->whole && n > 1) {
		at = 1;
		p.from = span[1].from;
	}
	p.row = row;
	p.word = row && at <= LINE_WORDS ? row->word[at - 1] : WORD_NONE;
	text_format(p.before, sizeof(p.before), "%.*s", span[at - 1].to - span[at - 1].from,
		    line + span[at - 1].from);
	return p;
}

static bool put_word(char *line, size_t room, int from, const char *word, bool certain)
{
	char was[LINE_WORD];

	text_format(was, sizeof(was), "%s", line);
	text_format(line + from, room - (size_t)from, "%s%s", word, certain ? " " : "");
	return strcmp(was, line) != 0;
}

bool line_complete(char *line, size_t room, const struct language *lang, char *hint,
		   size_t hint_room)
{
	struct place p = place_at_end(line);
	char typed[LINE_WORD];
	struct candidates c = { .typed = typed, .list = hint, .room = hint_room };

	hint[0] = '\0';
	text_format(typed, sizeof(typed), "%s", line + p.from);
	c.length = strlen(typed);
	if (sources[p.word])
		sources[p.word](&c, lang, p.before);
	for (int i = 0; p.word == WORD_CHOICE && p.row->choices[i]; i++)
		offer(&c, p.row->choices[i]);
	if (!c.n) {
		text_format(hint, hint_room, "nothing begins with '%s' here", typed);
		return false;
	}
	if (c.n == 1)
		hint[0] = '\0';
	return put_word(line, room, p.from, c.common, c.n == 1);
}
