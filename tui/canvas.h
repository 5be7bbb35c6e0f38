/* A grid of cells and clipped printing into it. Screens draw here; only terminal.c carries the grid to
 * a terminal. Nothing is ever written outside the grid, and a number that does not fit is dropped
 * whole. */
#ifndef IODECK_CANVAS_H
#define IODECK_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

/* What a cell means; style.c says how that looks. The names stand in this order in the goldens'
 * role plane. */
enum role {
	ROLE_TEXT,
	ROLE_AXIS,   /* frames, units, hints */
	ROLE_NOW,    /* bars and strips of the present, TOTAL */
	ROLE_DEVICE, /* the same for DEVICE */
	ROLE_BEFORE, /* ghost of the baseline window */
	ROLE_OK,
	ROLE_WARN,
	ROLE_FAILED,
	ROLE_CHANGED, /* chosen knob, marker digits */
	ROLE_TITLE,   /* title line, section titles */
	N_ROLES,
};

/* Which characters a terminal can show. */
enum glyphs {
	GLYPHS_ASCII,
	GLYPHS_ACS,
	GLYPHS_UTF8,
	N_GLYPHS,
};
extern const char *const glyphs_names[N_GLYPHS];

struct cell {
	uint32_t ch; /* code point; one column wide */
	uint8_t role;
};

/* A part of the grid, in cells. */
struct rect {
	int row, column, rows, columns;
};

struct canvas {
	int rows, columns;
	enum glyphs glyphs;
	struct cell *cell; /* owned: rows x columns */
};

enum {
	CANVAS_MAX_ROWS = 500,
	CANVAS_MAX_COLUMNS = 1000,
};

/* Make it rows x columns blanks (each clamped to 1..maximum). A canvas of zeros may be resized. 0
 * or -ENOMEM (then unchanged). */
int canvas_resize(struct canvas *c, int rows, int columns);
void canvas_release(struct canvas *c);
void canvas_clear(struct canvas *c);
struct rect canvas_rect(const struct canvas *c);

/* NULL outside the grid. */
struct cell *canvas_at(const struct canvas *c, int row, int column);
void canvas_put(struct canvas *c, int row, int column, enum role role, uint32_t ch);
void canvas_fill(struct canvas *c, int row, int column, int end, enum role role, uint32_t ch);

/* Print into columns [column, end) of a row. Any text may be given: it passes text_clean,
 * characters that are not one column wide (or above 127 outside the utf8 tier) become '?'. Cut text
 * loses the whole number it was cut in. Returns the column behind. */
int canvas_text(struct canvas *c, int row, int column, int end, enum role role, const char *text);
int canvas_printf(struct canvas *c, int row, int column, int end, enum role role, const char *fmt,
		  ...) __attribute__((format(printf, 6, 7)));
/* The same, ending at column `end`; nothing when it does not fit whole. */
void canvas_right(struct canvas *c, int row, int column, int end, enum role role, const char *text);

/* Columns a text takes. */
int canvas_width(const char *text);
/* Fill a part with words, broken at blanks; what does not fit is left out. `draw` false: only
 * count. Returns the rows used. */
int canvas_wrap(struct canvas *c, struct rect part, enum role role, const char *text, bool draw);

#endif
