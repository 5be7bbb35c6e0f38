/* View 6, the event log: picture, plain rows, keys, commands. */
#ifndef IODECK_ENTRIES_H
#define IODECK_ENTRIES_H

#include "views.h"

/* entries_list.c: entries that pass the filter, as the view walks through them. */
bool entries_passes(const struct view *v, const struct entry *e);
bool entries_found(const struct view *v, const struct entry *e);
/* `steps` entries older (negative: newer) than entry `i`, as far as there are; `i` itself if it passes and steps is 0. False: none at all. */
bool entries_walk(const struct view *v, uint64_t i, int64_t steps, uint64_t *out);
/* The entry that is chosen now: the newest, unless one was chosen by hand. False: there is none. */
bool entries_chosen(const struct view *v, uint64_t *i);

/* screen_entries.c */
void screen_entries(struct canvas *c, const struct snapshot *s, const struct view *v);
void entries_table(struct table *t, const struct snapshot *s, const struct view *v);

/* entries.c */
extern const struct binding entries_keys[];
extern const struct line_row entries_lines[];
int entries_act(struct console *c, const struct action *a, struct err *err);
int entries_find(struct console *c, const char *text, int direction, struct err *err);

#endif
