/* The areas the main screen is made of; screen_deck.c gives each its rows. Inside of screen_deck
 * only. */
#ifndef IODECK_DECK_AREAS_H
#define IODECK_DECK_AREAS_H

#include "fields.h"
#include "screen.h"
#include "table.h"

/* deck_top.c */
void area_title(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
void area_knobs(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
int area_knobs_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
void area_numbers(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct view *v);
/* "HELD 1/9" */
char *deck_state(const struct snapshot *s, char *buf, size_t room);

/* deck_parts.c */
void area_legend(struct canvas *c, struct rect part, const struct snapshot *s,
		 const struct view *v);
void area_parts(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
int area_parts_need(const struct canvas *c, const struct snapshot *s, const struct view *v);

/* deck_disks.c: disks, failure groups, rebalance */
void deck_add_volume(struct fields *f, const struct snapshot *s, enum glyphs glyphs);
/* deck_table.c */
void deck_table(struct table *t, const struct snapshot *s, const struct view *v);

/* deck_parts.c: `filled` of `columns` cells as text */
void deck_bar_text(enum glyphs glyphs, int filled, int columns, char *buf, size_t room);

/* deck_text.c */
void area_caption(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct view *v);
int area_caption_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
void area_events(struct canvas *c, struct rect part, const struct snapshot *s,
		 const struct view *v);
int area_events_need(const struct canvas *c, const struct snapshot *s, const struct view *v);

#endif
