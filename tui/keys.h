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
	KEY_BACK_TAB,
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

enum { BINDING_KEYS = 6 };

/* A row: up to six keys for one thing. `footer` is what the footer says, NULL: not there; the
 * lower the `rank`, the longer it stays when the footer is narrow. */
struct binding {
	int key[BINDING_KEYS];
	enum action_kind kind;
	int amount;
	enum command_type command;
	int64_t value;
	const char *text; /* of ACTION_LINE */
	const char *footer;
	int rank;
	const char *what; /* for help */
	bool knobs;	  /* only where the knobs are shown */
};
extern const struct binding bindings[];
extern const size_t n_bindings;

/* Name of a key as help and scripts write it: "+", "Up", "^L", "space". Returns buf. */
char *key_text(int key, char *buf, size_t room);
/* The key of a name, KEY_NONE when there is none. */
int key_of_name(const char *name);
/* The row of a key among rows that end with one without `what`; NULL: none, or no rows. */
const struct binding *key_find(const struct binding *rows, int key);
/* What a key asks for while `screen` is shown: its own rows, then the global ones, then the letters of the
 * knobs (knob_table); kind ACTION_NONE: nothing. */
void key_action(int screen, int key, struct action *out);
/* The same without the view's own rows. */
void key_action_global(int screen, int key, struct action *out);

#endif
