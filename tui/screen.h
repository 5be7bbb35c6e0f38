/* Screens: pure functions from a snapshot and a view to a grid. One file each; the table is in
 * screen.c. */
#ifndef IODECK_SCREEN_H
#define IODECK_SCREEN_H

#include "canvas.h"
#include "snapshot.h"
#include "view.h"

/* Draw everything. `s` may be NULL while no preset is open. The grid's size and tier are what the
 * terminal has. The cursor's place (the `:` line) goes to `*cursor` (may be NULL), row -1: none. */
struct cursor {
	int row, column;
};
void render(struct canvas *c, const struct snapshot *s, const struct view *v,
	    struct cursor *cursor);

/* Rows of the table. */
void screen_deck(struct canvas *c, const struct snapshot *s, const struct view *v);
void screen_help(struct canvas *c, const struct snapshot *s, const struct view *v);
void screen_picker(struct canvas *c, const struct snapshot *s, const struct view *v);
/* Lines of a page, and the line with view.found at or behind `from` (before it for direction -1), going round; -1: there is none. */
int screen_help_lines(const struct canvas *c);
int screen_help_find(const struct canvas *c, const struct snapshot *s, const struct view *v, int from, int direction);
/* Pages of the help at this size. */
int screen_help_pages(const struct canvas *c, const struct view *v);

/* A view as plain rows: the picture, how many rows it has at this size, how many there are in all. */
void screen_table(struct canvas *c, const struct snapshot *s, const struct view *v);
int screen_table_rows(const struct canvas *c);
int screen_table_count(const struct snapshot *s, const struct view *v);

/* The bottom two rows, shared by the screens. */
void screen_message(struct canvas *c, struct rect part, const struct snapshot *s,
		    const struct view *v);
void screen_footer(struct canvas *c, struct rect part, const struct snapshot *s,
		   const struct view *v);

#endif
