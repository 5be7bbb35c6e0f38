/* Pieces that error texts are made of: foreign text made harmless, and what was meant instead. */
#ifndef IODECK_SAY_H
#define IODECK_SAY_H

#include <stddef.h>

#include "base/err.h"

enum { SAY_ROOM = 96 };

/* Foreign text as it may be shown: through text_clean, cut with "..." where it is long. Returns
 * buf. */
char *say(char buf[SAY_ROOM], const char *text);

/* "unknown WHAT 'WORD' (nearest: NAME)", or the list of names when none is near. Returns -ENOENT.
 */
int say_unknown(struct err *err, const char *what, const char *word, const char *const *names,
		size_t n_names);

#endif
