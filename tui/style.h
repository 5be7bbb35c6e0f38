/* How a role looks: attribute bits and colours per scheme. No terminal library here; terminal.c and the
 * picture tool read it. */
#ifndef IODECK_STYLE_H
#define IODECK_STYLE_H

#include "canvas.h"

enum colours {
	COLOURS_MONO,
	COLOURS_16,
	COLOURS_SAFE,
	N_COLOURS,
};
extern const char *const colours_names[N_COLOURS];

enum {
	STYLE_BOLD = 1,
	STYLE_DIM = 2,
	STYLE_REVERSE = 4,
};

/* `colour`: index of the terminal's palette, -1: its default. */
struct style {
	uint8_t attrs;
	int16_t colour;
};
extern const struct style style_table[N_COLOURS][N_ROLES];

#endif
