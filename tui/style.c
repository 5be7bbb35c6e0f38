#include "style.h"

const char *const colours_names[N_COLOURS] = { "mono", "16", "safe" };

/* Text is never coloured and the background always the terminal's own. No red beside green; every
 * state has its own letter as well. The set of `safe` keeps a distance of 19 (CIE Lab) for the
 * colour-blind and reads on black and on white. */
const struct style style_table[N_COLOURS][N_ROLES] = {
	[COLOURS_MONO] = {
		[ROLE_TEXT] = { 0, -1 },
		[ROLE_AXIS] = { STYLE_DIM, -1 },
		[ROLE_NOW] = { 0, -1 },
		[ROLE_DEVICE] = { 0, -1 },
		[ROLE_BEFORE] = { STYLE_DIM, -1 },
		[ROLE_OK] = { 0, -1 },
		[ROLE_WARN] = { STYLE_BOLD, -1 },
		[ROLE_FAILED] = { STYLE_BOLD | STYLE_REVERSE, -1 },
		[ROLE_CHANGED] = { STYLE_BOLD | STYLE_REVERSE, -1 },
		[ROLE_TITLE] = { STYLE_REVERSE, -1 },
	},
	[COLOURS_16] = {
		[ROLE_TEXT] = { 0, -1 },
		[ROLE_AXIS] = { STYLE_DIM, -1 },
		[ROLE_NOW] = { 0, 6 },
		[ROLE_DEVICE] = { 0, 3 },
		[ROLE_BEFORE] = { STYLE_DIM, 7 },
		[ROLE_OK] = { 0, 6 },
		[ROLE_WARN] = { STYLE_BOLD, 3 },
		[ROLE_FAILED] = { STYLE_REVERSE, 5 },
		[ROLE_CHANGED] = { STYLE_BOLD | STYLE_REVERSE, -1 },
		[ROLE_TITLE] = { STYLE_REVERSE, -1 },
	},
	[COLOURS_SAFE] = {
		[ROLE_TEXT] = { 0, -1 },
		[ROLE_AXIS] = { 0, 244 },
		[ROLE_NOW] = { 0, 32 },
		[ROLE_DEVICE] = { 0, 172 },
		[ROLE_BEFORE] = { 0, 244 },
		[ROLE_OK] = { 0, 32 },
		[ROLE_WARN] = { STYLE_BOLD, 172 },
		[ROLE_FAILED] = { STYLE_REVERSE, 161 },
		[ROLE_CHANGED] = { STYLE_BOLD | STYLE_REVERSE, -1 },
		[ROLE_TITLE] = { STYLE_REVERSE, -1 },
	},
};
