/* The table of screens. Those with a number are the views that keys 1..6, Tab and :view show; help and picker
 * lie over them. A view is added by its row in views.c, its name in enum screen_id (view.h), and its
 * files; nothing else changes: switching, footer, help and completion come from the row. */
#ifndef IODECK_VIEWS_H
#define IODECK_VIEWS_H

#include "keys.h"
#include "screen.h"
#include "table.h"

struct console;

/* What `act` gives back when a key means nothing here at the moment: the global row is used. */
enum { VIEW_PASS = 1 };

struct view_row {
	const char *name, *what; /* NULL: not in this build */
	char number;		 /* its key, 0: none */
	bool knobs;		 /* the knobs are shown: the keys that turn them work */
	void (*draw)(struct canvas *c, const struct snapshot *s, const struct view *v);
	/* the same as plain rows for a screen reader; NULL: it has no such form */
	void (*table)(struct table *t, const struct snapshot *s, const struct view *v);
	/* keys of this view, which shadow the global ones; ends with a row without `what`; NULL: none */
	const struct binding *binding;
	/* its commands of the : line, known everywhere; ends with a row without `name`; NULL: none */
	const struct line_row *line;
	/* carries out an ACTION_VIEW of this view: 0, VIEW_PASS, or negative with err */
	int (*act)(struct console *c, const struct action *a, struct err *err);
	/* finds a text: direction 0 from here on, +1 the next, -1 the one before; NULL: nothing to be found here */
	int (*find)(struct console *c, const char *text, int direction, struct err *err);
	/* takes every key by itself; NULL: the tables of keys do */
	void (*key)(struct console *c, int key);
};
extern const struct view_row view_table[N_SCREENS];

/* The view of a number ('4') or a name, -1: there is none. */
int view_of_number(int number);
int view_of_name(const char *name);
/* The next (+1) or previous (-1) view that has a number. */
enum screen_id view_beside(enum screen_id screen, int direction);
/* "1 deck, 4 steps": for messages. Returns buf. */
char *view_list(char *buf, size_t room);

#endif
