/* What to do with characters behind an ESC that curses did not take for a key. Alt with a key, or a
 * sequence that a slow line tore apart: its letters must never act as commands. */
#ifndef IODECK_ESCAPE_H
#define IODECK_ESCAPE_H

#include <stdbool.h>
#include <stdint.h>

enum { ESCAPE_MS = 300 }; /* so long the parts of a torn sequence belong together */

struct escape {
	int64_t since_ms; /* time of the ESC */
	enum { ESCAPE_NONE,
	       ESCAPE_BEGUN,
	       ESCAPE_ONE_MORE,
	       ESCAPE_TO_LETTER } state;
};

/* An ESC came at `now_ms`; `followed`: the next character was there at once (then it is `ch` and is
 * swallowed). Returns whether this is the key Esc. */
bool escape_begin(struct escape *e, int64_t now_ms, bool followed, uint32_t ch);
/* Any other character. Returns whether it is swallowed. */
bool escape_swallows(struct escape *e, int64_t now_ms, uint32_t ch);

#endif
