/* The `:` line: editing, history, completion, and an error that stays until the text changes. */
#ifndef IODECK_CMDLINE_H
#define IODECK_CMDLINE_H

#include <stdbool.h>

#include "commands.h"

enum {
	LINE_MAX = 256,
	LINE_HISTORY = 32,
};

struct cmdline {
	bool open;
	char text[LINE_MAX];
	int length, cursor;		      /* bytes */
	char error[256];		      /* why the line was not obeyed; empty: none */
	int error_from, error_to;	      /* bytes of the word concerned */
	char hint[256];			      /* candidates, or how to go on */
	char history[LINE_HISTORY][LINE_MAX]; /* oldest first */
	int n_history, at;		      /* at == n_history: the line being written */
};

enum cmdline_result {
	CMDLINE_EDITING,
	CMDLINE_CLOSED,
	CMDLINE_ENTERED,
};

/* Open it with a text already there. */
void cmdline_open(struct cmdline *l, const char *text);
/* One key. ENTERED: the line was understood, `out` is what it asks for, and it is closed; an error
 * keeps it open. */
enum cmdline_result cmdline_key(struct cmdline *l, int key, const struct language *lang,
				struct action *out);
/* The console could not carry it out: open again with the error. */
void cmdline_fail(struct cmdline *l, const char *why);

#endif
