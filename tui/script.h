/* Lines of deck commands from a file: the `:` language, keys by name, waiting, and time by hand. */
#ifndef IODECK_SCRIPT_H
#define IODECK_SCRIPT_H

#include <stdbool.h>

#include "base/err.h"

struct console;
struct script;

/* Read a whole file. `*out` is given (script_free). 0 or negative with err. */
int script_open(const char *path, struct script **out, struct err *err);
void script_free(struct script *s);
/* Whether a `:step TIME` stands in it: then time moves only by hand. */
bool script_by_hand(const struct script *s);
/* Whether there are lines left. */
bool script_active(const struct script *s);
/* One line, or another look at what it waits for. 0, or negative with err ("FILE:LINE: ..."). After
 * each call the caller draws. */
int script_turn(struct script *s, struct console *c, struct err *err);

#endif
