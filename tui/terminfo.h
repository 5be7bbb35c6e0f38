/* What the terminal database says about TERM. Apart from terminal.c because term.h defines macros
 * such as `columns`. */
#ifndef IODECK_TERMINFO_H
#define IODECK_TERMINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Whether stdin and stdout are a terminal that can place its cursor. 0, or negative with err, which
 * names the remedy. */
int terminfo_check(struct err *err);
/* Whether it has a capability ("acsc"). While curses has the terminal. */
bool terminfo_has(const char *name);
/* Whether it draws lines by an own set of plain characters. (Some do by a PC's bytes above 127.) */
bool terminfo_has_lines(void);
/* What puts the terminal back: attributes, character set, screen, cursor, keypad; without delays.
 * Returns the bytes. */
size_t terminfo_restore(char *buf, size_t room);

#endif
