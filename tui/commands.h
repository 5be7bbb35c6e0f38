/* The language of the `:` line and of scripts: one table of commands. */
#ifndef IODECK_COMMANDS_H
#define IODECK_COMMANDS_H

#include "action.h"
#include "base/err.h"
#include "preset.h"
#include "snapshot.h"

/* What words can mean right now. All borrowed; any may be NULL. */
struct language {
	const struct spec *spec;
	const struct snapshot *snapshot;
	const struct preset_entry *preset;
	uint32_t n_presets;
	enum cause cause;
};

/* Kinds of words, for completion. */
enum word {
	WORD_NONE,
	WORD_COMMAND,
	WORD_KNOB,
	WORD_VALUE,
	WORD_STEP,
	WORD_PRESET,
	WORD_PATH, /* "path" */
	WORD_PATH_NAME,
	WORD_UP_DOWN,
	WORD_AUTO,
	WORD_GLYPHS,
	WORD_COLOURS,
	WORD_SPEED,
	WORD_VIEW,
	WORD_CHOICE, /* of line_row.choices */
	N_WORDS,
};
enum {
	LINE_WORDS = 3,
	LINE_WORD = 256,
};

/* The arguments of a line, split at blanks; `rest` is all of them as typed. */
struct words {
	int n;
	char word[LINE_WORDS][LINE_WORD];
	char rest[LINE_WORD];
};

/* A row of the table. The words behind the name: at least `min`, at most `max`; `whole`: the rest
 * of the line is one word. */
struct line_row {
	const char *name, *args, *what;
	int min, max;
	bool whole;
	enum word word[LINE_WORDS];
	/* what it asks for; `parse` (may be NULL) adds what the words mean: 0, or negative with
	 * err, `*bad` the word concerned */
	enum action_kind kind;
	int amount;
	enum command_type command;
	int64_t value;
	int screen;		    /* of ACTION_VIEW */
	const char *const *choices; /* of WORD_CHOICE, ending with NULL */
	int (*parse)(const struct words *w, const struct language *lang, struct action *out,
		     int *bad, struct err *err);
};
/* All commands: the general ones, then those of each view. */
size_t line_rows(void);
const struct line_row *line_row(size_t i);

/* One line without its colon; empty is ACTION_NONE. 0, or negative with err; then `*bad` (may be
 * NULL) is the number of the word concerned, 0 being the command. */
int line_parse(const char *line, const struct language *lang, struct action *out, int *bad,
	       struct err *err);
/* A `parse` for rows whose rest is a step, by name or number: its index is the command's value. */
int line_parse_step(const struct words *w, const struct language *lang, struct action *out, int *bad,
		    struct err *err);
const struct line_row *line_find(const char *name);
/* Where the words of a line are (bytes), the command first. Returns how many, at most `most`. */
struct span {
	int from, to;
};
enum { LINE_SPANS = 32 };
int line_spans(const char *line, struct span *span, int most);

/* Complete the last word of `line` (`room` bytes) as far as it is certain. `hint` gets the
 * candidates when there are several, or what is wanted. Returns whether the line changed.
 * complete.c */
bool line_complete(char *line, size_t room, const struct language *lang, char *hint,
		   size_t hint_room);

#endif
