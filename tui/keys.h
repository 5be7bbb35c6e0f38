/* The one table of key bindings: keys, footer and help come from its rows. */
#ifndef IODECK_KEYS_H
#define IODECK_KEYS_H

#include <stddef.h>

#include "action.h"

/* Keys are code points, or one of these. */
enum key {
	KEY_NONE = 0,
	KEY_CTRL_L = 0x0c,
	KEY_CTRL_U = 0x15,
	KEY_CTRL_Z = 0x1a,
	KEY_ESC = 0x1b,
	KEY_FIRST_NAMED = 0x110000,
	KEY_ARROW_UP = KEY_FIRST_NAMED,
	KEY_ARROW_DOWN,
	KEY_ARROW_LEFT,
	KEY_ARROW_RIGHT,
	KEY_RETURN,
	KEY_TAB,
	KEY_BACK, /* backspace */
	KEY_DELETE,
	KEY_LINE_HOME,
	KEY_LINE_END,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_FUNCTION_1,
	KEY_FUNCTION_10,
	KEY_PASTE_BEGIN, /* what follows comes from the clipboard */
	KEY_PASTE_END,
};

/* A row: up to four keys for one thing. `footer` is what the footer says, NULL: not there; the
 * lower the `rank`, the longer it stays when the footer is narrow. */
struct binding {
	int key[4];
	enum action_kind kind;
	int amount;
	enum command_type command;
	int64_t value;
	const char *text; /* of ACTION_LINE */
	const char *footer;
	int rank;
	const char *what; /* for help */
};
extern const struct binding bindings[];
extern const size_t n_bindings;

/* Name of a key as help and scripts write it: "+", "Up", "^L", "space". Returns buf. */
char *key_text(int key, char *buf, size_t room);
/* The key of a name, KEY_NONE when there is none. */
int key_of_name(const char *name);
/* What a key asks for on the deck; kind ACTION_NONE: nothing. Knob letters come from knob_table. */
void key_action(int key, struct action *out);

#endif
