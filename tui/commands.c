#include "commands.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "canvas.h"
#include "style.h"
#include "views.h"

typedef int parse_fn(const struct words *w, const struct language *lang, struct action *out,
		     int *bad, struct err *err);

/* ---- knobs ---- */

static int parse_set(const struct words *w, const struct language *lang, struct action *out,
		     int *bad, struct err *err)
{
	static const struct config empty;
	const struct config *cfg = lang->spec ? &lang->spec->config : &empty;
	struct command *c = &out->command;
	struct err why;
	int ret;

	*bad = 1;
	ret = knob_find(cfg, w->word[0], &c->ref, err);
	if (ret)
		return ret;
	*bad = 2;
	ret = knob_parse(c->ref, w->word[1], &c->value, &why);
	return ret ? err_set(err, ret, "%s %s: %s", w->word[0], w->word[1], why.text) : 0;
}

/* ---- steps ---- */

int line_parse_step(const struct words *w, const struct language *lang, struct action *out,
		    int *bad, struct err *err)
{
	uint64_t number;
	int index;

	*bad = 1;
	if (!lang->spec)
		return err_set(err, -ENOENT, "no preset is open");
	index = spec_find_step(lang->spec, w->rest, err);
	if (index < 0 && !units_parse_u64(w->rest, &number, NULL)) {
		if (number < 1 || number > lang->spec->n_steps)
			return err_set(err, -ERANGE, "there is no step %s: 1..%u", w->rest,
				       lang->spec->n_steps);
		index = (int)number - 1;
	}
	out->command.value = index;
	return index < 0 ? index : 0;
}

/* ---- faults ---- */

static int unknown_path(const struct snapshot *s, const char *name, struct err *err)
{
	char list[256] = "";
	size_t n = 0;

	for (uint32_t i = 0; i < s->n_paths; i++)
		n += text_format(list + n, sizeof(list) - n, " %s", s->path[i].name);
	return err_set(err, -ENOENT, "unknown path '%s'; there %s:%s", name,
		       s->n_paths ? "are" : "is none here", list);
}

static int check_path(const struct snapshot *s, const char *name, struct err *err)
{
	for (uint32_t i = 0; s && i < s->n_paths; i++)
		if (!strcmp(s->path[i].name, name))
			return 0;
	return s ? unknown_path(s, name, err) : 0;
}

/* What the engine reads by itself, word for word. */
static int pass_on(const struct words *w, struct action *out)
{
	size_t n = 0;

	for (int i = 0; i < w->n; i++)
		n += text_format(out->command.text + n, sizeof(out->command.text) - n, "%s%s", i ? " " : "", w->word[i]);
	return 0;
}

static int join_or_leave(const char *verb, const struct words *w, struct action *out)
{
	text_format(out->command.text, sizeof(out->command.text), "%s %s", verb, w->word[0]);
	return 0;
}

static int parse_drop(const struct words *w, const struct language *lang, struct action *out, int *bad, struct err *err)
{
	(void)lang, (void)bad, (void)err;
	return join_or_leave("drop", w, out);
}

static int parse_add(const struct words *w, const struct language *lang, struct action *out, int *bad, struct err *err)
{
	(void)lang, (void)bad, (void)err;
	return join_or_leave("add", w, out);
}

static int parse_fault(const struct words *w, const struct language *lang, struct action *out,
		       int *bad, struct err *err)
{
	int ret;

	*bad = 1;
	if (w->n == 2) /* a rule of [fault]: the engine knows them */
		return pass_on(w, out);
	if (strcmp(w->word[0], "path")) /* "disk dN fail", or unknown: the engine says what there is */
		return pass_on(w, out);
	*bad = 2;
	ret = check_path(lang->snapshot, w->word[1], err);
	if (ret)
		return ret;
	*bad = 3;
	if (strcmp(w->word[2], "down") && strcmp(w->word[2], "up"))
		return err_set(err, -EINVAL, "a path goes down or up, not '%s'", w->word[2]);
	text_format(out->command.text, sizeof(out->command.text), "path %s %s", w->word[1],
		    w->word[2]);
	return 0;
}

static int parse_weight(const struct words *w, const struct language *lang, struct action *out,
			int *bad, struct err *err)
{
	uint64_t weight;
	int ret;

	*bad = 1;
	ret = check_path(lang->snapshot, w->word[0], err);
	if (ret)
		return ret;
	*bad = 2;
	if (units_parse_u64(w->word[1], &weight, NULL) || weight < 1 || weight > SPEC_MAX_WEIGHT)
		return err_set(err, -ERANGE, "a weight is a number 1..%d, not '%s'", SPEC_MAX_WEIGHT,
			       w->word[1]);
	text_format(out->command.text, sizeof(out->command.text), "weight %s %u", w->word[0],
		    (unsigned)weight);
	return 0;
}

/* ---- words from a list ---- */

static int one_of(const char *word, const char *const *names, int n, int *index, struct err *err)
{
	char list[128] = "";
	size_t at = 0;

	for (int i = 0; i < n; i++) {
		if (!strcmp(word, names[i])) {
			*index = i;
			return 0;
		}
		at += text_format(list + at, sizeof(list) - at, "%s%s", i ? ", " : "", names[i]);
	}
	return err_set(err, -EINVAL, "'%s' is none of %s", word, list);
}

static int parse_glyphs(const struct words *w, const struct language *lang, struct action *out,
			int *bad, struct err *err)
{
	(void)lang;
	*bad = 1;
	return w->n ? one_of(w->word[0], glyphs_names, N_GLYPHS, &out->amount, err) : 0;
}

static int parse_colours(const struct words *w, const struct language *lang, struct action *out,
			 int *bad, struct err *err)
{
	(void)lang;
	*bad = 1;
	return w->n ? one_of(w->word[0], colours_names, N_COLOURS, &out->amount, err) : 0;
}

static int parse_before(const struct words *w, const struct language *lang, struct action *out,
			int *bad, struct err *err)
{
	(void)lang;
	*bad = 1;
	if (!w->n)
		return 0;
	if (strcmp(w->word[0], "auto"))
		return err_set(err, -EINVAL, "'%s' is not understood: nothing, or auto",
			       w->word[0]);
	out->command.value = 0;
	return 0;
}

static int parse_speed(const struct words *w, const struct language *lang, struct action *out,
		       int *bad, struct err *err)
{
	const char *why;
	double speed;

	(void)lang;
	*bad = 1;
	out->command.value = 0;
	if (!strcmp(w->word[0], "max"))
		return 0;
	if (units_parse_decimal(w->word[0], &speed, &why))
		return err_set(err, -EINVAL, "speed %s %s: a number, or max", w->word[0], why);
	if (!(speed >= 0.001 && speed <= 1e6))
		return err_set(err, -ERANGE, "speed %s is outside 0.001..1000000 (or max)",
			       w->word[0]);
	out->command.value = (int64_t)(speed * 1000 + 0.5);
	return 0;
}

/* ---- texts ---- */

static int parse_rest(const struct words *w, const struct language *lang, struct action *out,
		      int *bad, struct err *err)
{
	(void)lang;
	(void)err;
	*bad = 1;
	text_format(out->text, sizeof(out->text), "%s", w->rest);
	text_format(out->command.text, sizeof(out->command.text), "%s", w->rest);
	return 0;
}

#define ENGINE(type) .kind = ACTION_ENGINE, .command = COMMAND_##type

static const struct line_row general[] = {
	{ "set", "KNOB VALUE", "turn a knob", 2, 2, .word = { WORD_KNOB, WORD_VALUE }, ENGINE(SET),
	  .parse = parse_set },
	{ "fault", "path pN down|up", "or disk dN fail; errors SHARE, delay TIME, ...", 2, 3,
	  .word = { WORD_PATH, WORD_PATH_NAME, WORD_UP_DOWN }, ENGINE(FAULT),
	  .parse = parse_fault },
	{ "drop", "dN", "a disk leaves the volume, its copies move", 1, 1,
	  .word = { WORD_PATH_NAME }, ENGINE(FAULT), .parse = parse_drop },
	{ "add", "dN", "a disk joins the volume and is filled", 1, 1,
	  .word = { WORD_PATH_NAME }, ENGINE(FAULT), .parse = parse_add },
	{ "weight", "pN 1..1000", "what a path is given against the others", 2, 2,
	  .word = { WORD_PATH_NAME }, ENGINE(FAULT), .parse = parse_weight },
	{ "play", "", "run the steps from here on", ENGINE(PLAY) },
	{ "hold", "", "stay in this step, the load goes on", ENGINE(HOLD) },
	{ "step", "NAME|N", "go to a step, held", 1, 1, true, .word = { WORD_STEP }, ENGINE(STEP),
	  .parse = line_parse_step },
	{ "pause", "", "the clock stops, goes on", ENGINE(PAUSE), .value = -1 },
	{ "speed", "N|max", "seconds of engine time in one second", 1, 1, .word = { WORD_SPEED },
	  ENGINE(SPEED), .parse = parse_speed },
	{ "reset", "", "counters and histograms start again", ENGINE(RESET) },
	{ "restart", "", "this step anew; pending knobs take effect", ENGINE(RESTART) },
	{ "undo", "", "take the last change back", ENGINE(UNDO) },
	{ "before", "[auto]", "keep the window now as \"before\"; auto: no more", 0, 1,
	  .word = { WORD_AUTO }, ENGINE(KEEP), .value = 1, .parse = parse_before },
	{ "kernel", "DEVICE KNOB=VALUE", "e.g. sda queue_depth=32; needs --kernel", 2, 2, true,
	  .kind = ACTION_KERNEL, .parse = parse_rest },
	{ "mark", "NAME", "a mark in the strips", 1, 1, true, ENGINE(MARK), .parse = parse_rest },
	{ "load", "[PRESET]", "open another preset; without a name the picker", 0, 1, true,
	  .word = { WORD_PRESET }, .kind = ACTION_LOAD, .parse = parse_rest },
	{ "glyphs", "[utf8|acs|ascii]", "characters of the charts", 0, 1, .word = { WORD_GLYPHS },
	  .kind = ACTION_GLYPHS, .amount = -1, .parse = parse_glyphs },
	{ "colours", "[mono|16|safe]", "colours", 0, 1, .word = { WORD_COLOURS },
	  .kind = ACTION_COLOURS, .amount = -1, .parse = parse_colours },
	{ "view", "NAME", "another view, by name or number", 1, 1, .word = { WORD_VIEW },
	  .kind = ACTION_SHOW, .parse = parse_rest },
	{ "find", "[TEXT]", "find a text in view 6 or in the help", 0, 1, true, .kind = ACTION_FIND, .parse = parse_rest },
	{ "table", "", "the view as plain rows, and back", .kind = ACTION_TABLE },
	{ "help", "[TEXT]", "keys, knobs, commands; the line with a text", 0, 1, true, .kind = ACTION_HELP, .parse = parse_rest },
	{ "shot", "FILE", "write this screen as text; never over a file", 1, 1, true,
	  .kind = ACTION_SHOT, .parse = parse_rest },
	{ "version", "", "of the program, and what the terminal can", .kind = ACTION_VERSION },
	{ "quit", "", "leave", .kind = ACTION_QUIT },
};
enum { N_GENERAL = sizeof(general) / sizeof(general[0]) };

const struct line_row *line_row(size_t i)
{
	if (i < N_GENERAL)
		return &general[i];
	i -= N_GENERAL;
	for (int view = 0; view < N_SCREENS; view++)
		for (const struct line_row *row = view_table[view].line; row && row->name; row++)
			if (i-- == 0)
				return row;
	return NULL;
}

size_t line_rows(void)
{
	size_t n = 0;

	while (line_row(n))
		n++;
	return n;
}

/* ---- words ---- */

int line_spans(const char *line, struct span *span, int most)
{
	const char *blanks = " \t";
	int at = 0, n = 0;

	while (n < most) {
		at += (int)strspn(line + at, blanks);
		if (!line[at])
			break;
		span[n].from = at;
		at += (int)strcspn(line + at, blanks);
		span[n].to = at;
		if (n == 0 && at - span[0].from == 3 && !strncmp(line + span[0].from, "set", 3))
			blanks = " \t="; /* set qd=10 */
		n++;
	}
	return n;
}

const struct line_row *line_find(const char *name)
{
	for (size_t i = 0; i < line_rows(); i++)
		if (!strcmp(line_row(i)->name, name))
			return line_row(i);
	return NULL;
}

static int unknown_command(const char *name, struct err *err)
{
	const char *names[64], *near;
	size_t n = line_rows() < 64 ? line_rows() : 64;

	for (size_t i = 0; i < n; i++)
		names[i] = line_row(i)->name;
	near = text_nearest(name, names, n);
	return err_set(err, -ENOENT, "unknown command '%s'%s%s%s; :help lists them", name,
		       near ? " (nearest: " : "", near ? near : "", near ? ")" : "");
}

static int wrong_words(const struct line_row *row, int n, int *bad, struct err *err)
{
	*bad = n < row->min ? 0 : row->max + 1;
	return err_set(err, -EINVAL, "%s: %s%s%s",
		       n < row->min ? "a word is missing" : "too many words", row->name,
		       row->args[0] ? " " : "", row->args);
}

static void copy_span(char *dst, size_t room, const char *line, struct span s)
{
	text_format(dst, room, "%.*s", s.to - s.from, line + s.from);
}

/* The words behind the command. */
static void read_words(const char *line, const struct span *span, int n, struct words *w)
{
	*w = (struct words){ .n = n - 1 };
	for (int i = 1; i < n && i <= LINE_WORDS; i++)
		copy_span(w->word[i - 1], sizeof(w->word[0]), line, span[i]);
	if (n > 1)
		copy_span(w->rest, sizeof(w->rest), line,
			  (struct span){ span[1].from, span[n - 1].to });
}

static int parse_words(const struct line_row *row, const struct words *w,
		       const struct language *lang, struct action *out, int *bad, struct err *err)
{
	if (w->n < row->min || (w->n > row->max && !row->whole))
		return wrong_words(row, w->n, bad, err);
	*out = (struct action){ .kind = row->kind, .amount = row->amount, .screen = row->screen };
	out->command =
		(struct command){ .type = row->command, .cause = lang->cause, .value = row->value };
	return row->parse ? row->parse(w, lang, out, bad, err) : 0;
}

int line_parse(const char *line, const struct language *lang, struct action *out, int *bad,
	       struct err *err)
{
	struct span span[LINE_SPANS];
	int n = line_spans(line, span, LINE_SPANS), ignored;
	const struct line_row *row;
	char name[32];
	struct words w;

	if (!bad)
		bad = &ignored;
	*bad = 0;
	*out = (struct action){ .kind = ACTION_NONE };
	if (!n)
		return 0;
	copy_span(name, sizeof(name), line, span[0]);
	row = line_find(name);
	if (!row)
		return unknown_command(name, err);
	read_words(line, span, n, &w);
	return parse_words(row, &w, lang, out, bad, err);
}
