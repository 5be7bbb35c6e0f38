/* Strips: a figure over the last minute, newest at the right, with glyphs finer than a row. */
#ifndef IODECK_CHART_H
#define IODECK_CHART_H

#include "canvas.h"
#include "snapshot.h"

/* Characters of a tier for frames, strips and bars. */
struct glyph_set {
	uint32_t vertical, horizontal, bar, ghost, edge;
	int steps;	  /* of a strip in one row */
	uint32_t step[5]; /* line glyphs, lowest first; unused with braille */
	int columns;	  /* values side by side in one cell */
	uint32_t heat[5]; /* ink of a share: a trace, 2 %, 8 %, 20 %, 50 % and more */
	/* how lines meet: bit 0 up, 1 down, 2 left, 3 right */
	uint32_t joint[16];
};
extern const struct glyph_set glyph_sets[N_GLYPHS];

enum {
	CHART_GUTTER = 8,
	STRIP_MAX = 2 * CANVAS_MAX_COLUMNS,
};

/* How engine time maps to columns. Columns stand on absolute slice numbers, so that a picture only
 * ever shifts. */
struct time_axis {
	int columns;	 /* cells */
	int per_cell;	 /* values in one cell */
	uint64_t slices; /* in one value */
	uint64_t newest; /* absolute number of the cell at the right */
};
struct time_axis chart_time_axis(const struct snapshot *s, enum glyphs glyphs, int columns);
/* Column of a slice, 0 at the left; -1 when it has gone. */
int chart_column(const struct time_axis *t, uint64_t slice);
double chart_span_s(const struct time_axis *t);

/* What a strip shows: requests per second and decimal MB/s (mean of a column, so that a gap shows)
 * or p99 in ms (peak of a column). */
enum strip_what {
	STRIP_IOPS,
	STRIP_P99,
	STRIP_MBPS,
	N_STRIPS,
};

/* A round number >= value, at most 3 characters long in print; 1 for nothing. */
double chart_axis_max(double value);
/* Gutter with name, maximum and 0, then the strip, over it the numbers of the marks at their
 * columns. Returns the axis maximum. */
double chart_strip(struct canvas *c, struct rect part, const struct snapshot *s,
		   const struct time_axis *t, enum strip_what what);
/* Numbers of the marks in a chart, at the columns of what they stand for: in its highest row that is
 * empty there, else in the first. Where two would overlap the newer one stays. `part` begins at the
 * first column of the time axis. */
void chart_marks(struct canvas *c, struct rect part, const struct snapshot *s,
		 const struct time_axis *t);
/* The line below: span, marker numbers at their columns, "now". */
void chart_markers(struct canvas *c, struct rect part, const struct snapshot *s,
		   const struct time_axis *t);

#endif
