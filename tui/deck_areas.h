/* The areas the main screen is made of; screen_deck.c gives each its rows. Inside of screen_deck
 * only. */
#ifndef IODECK_DECK_AREAS_H
#define IODECK_DECK_AREAS_H

#include "fields.h"
#include "screen.h"
#include "table.h"

/* Size classes of UI.md 3.2, apart for width and height: nothing is too small. */
enum size_class { SIZE_XS, SIZE_S, SIZE_M, SIZE_L, SIZE_XL };
enum size_class deck_width_class(const struct canvas *c);
enum size_class deck_height_class(const struct canvas *c);

/* deck_charts.c */
void area_iops(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
void area_p99(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
void area_mbps(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
void area_heat(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
void area_axis(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
void area_hist(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
/* Third strip and heat map: on tall screens. */
int area_tall_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
/* None where the figures have a column of their own. */
int area_numbers_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
/* The list of the parts: none where they are drawn in a panel. */
int area_panel_parts_need(const struct canvas *c, const struct snapshot *s, const struct view *v);

/* deck_knobs.c */
void area_knobs(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
int area_knobs_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
/* Knobs of further jobs, where they stand elsewhere than the first job's; wide screens only. */
void area_jobs(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
int area_jobs_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
/* A knob (enum knob_id) of a further job has an effect there and stands elsewhere than the first job's. */
bool deck_job_differs(const struct snapshot *s, uint32_t job, int id);
/* "16", "32?" while it is asked for, "-" without an effect. */
void deck_knob_value(const struct knob_view *k, const struct asked *asked, char *buf, size_t room);
/* What is to be said behind the value. */
enum knob_tail {
	KNOB_TAIL_NONE,
	KNOB_TAIL_BEFORE,  /* where it stood in the baseline window */
	KNOB_TAIL_PENDING, /* takes effect at a restart */
	KNOB_TAIL_REFUSED,
	KNOB_TAIL_CLAMPED,
};
enum knob_tail deck_knob_tail(const struct snapshot *s, const struct knob_view *k);

/* deck_boxes.c: the knobs in a frame of BOX_ROWS rows, when they fit */
enum { BOX_ROWS = 4 };
bool deck_boxes_fit(const struct canvas *c, const struct snapshot *s, const struct view *v);
void deck_boxes(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);

/* deck_stats.c: the column of figures beside the strips; 0 columns: none at this size */
int deck_stats_columns(const struct canvas *c);
void deck_stats(struct canvas *c, struct rect part, const struct snapshot *s);

/* deck_topology.c: paths, members, disks, pools, rebalance and fixed work as a panel */
void deck_topology(struct canvas *c, struct rect part, const struct snapshot *s);

/* deck_top.c */
void area_title(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
void area_numbers(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct view *v);
/* "HELD 1/9" */
char *deck_state(const struct snapshot *s, char *buf, size_t room);

/* deck_words.c: the whole screen below 40x10 */
void deck_words(struct canvas *c, const struct snapshot *s, const struct view *v);

/* deck_parts.c */
void area_legend(struct canvas *c, struct rect part, const struct snapshot *s,
		 const struct view *v);
void area_parts(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v);
int area_parts_need(const struct canvas *c, const struct snapshot *s, const struct view *v);

/* "QD 1>10", "dbwr JOBS 1>2", or the words of a fault. */
void deck_mark_what(const struct snapshot *s, const struct act *a, char *buf, size_t room);
/* "settling 2/3 s" */
char *deck_settling(const struct snapshot *s, char *buf, size_t room);

/* deck_disks.c: disks, failure groups, rebalance */
void deck_add_volume(struct fields *f, const struct snapshot *s, enum glyphs glyphs, int columns);
void deck_add_rebalance(struct fields *f, const struct snapshot *s, enum glyphs glyphs, int columns);
/* Its disks in a panel: rows wanted, and drawn into what there is, counted when they are too many. */
int deck_disks_want(const struct snapshot *s, int columns);
void deck_disks_draw(struct canvas *c, struct rect part, const struct snapshot *s);
/* deck_parts.c: how busy the members are; fixed work */
void deck_add_members(struct fields *f, const struct snapshot *s);
/* Share of the commands that come to a member which does not own the page. */
void deck_add_forwarded(struct fields *f, const struct snapshot *s);
void deck_add_work(struct fields *f, const struct snapshot *s);

/* deck_honest.c: of real devices only */
void deck_add_honest(struct fields *f, const struct snapshot *s);
void table_honest(struct table *t, const struct snapshot *s);

/* deck_table.c */
void deck_table(struct table *t, const struct snapshot *s, const struct view *v);

/* deck_parts.c: `filled` of `columns` cells as text */
void deck_bar_text(enum glyphs glyphs, int filled, int columns, char *buf, size_t room);

/* deck_text.c */
void area_message(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct view *v);
int area_message_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
void area_caption(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct view *v);
int area_caption_need(const struct canvas *c, const struct snapshot *s, const struct view *v);
void area_events(struct canvas *c, struct rect part, const struct snapshot *s,
		 const struct view *v);
int area_events_need(const struct canvas *c, const struct snapshot *s, const struct view *v);

#endif
