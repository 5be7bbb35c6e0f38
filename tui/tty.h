/* What the kernel and the environment say about the terminal; no curses. */
#ifndef IODECK_TTY_H
#define IODECK_TTY_H

#include <stdbool.h>
#include <termios.h>

#include "canvas.h"

/* Value of a variable, "" when it is not set. */
const char *tty_env(const char *name);
/* Whether TERM begins with one of the names (ended by NULL). */
bool tty_term_is(const char *const *names);

/* Whether the locale's character set is UTF-8. */
bool tty_unicode(void);
/* The tier nearest to the wish that can be shown here; see term_limit_glyphs. */
enum glyphs tty_limit_glyphs(enum glyphs wish, bool has_acs);
/* Which characters: `wish` or IODECK_GLYPHS if they name a tier, else from TERM and the locale's
 * character set; `has_acs`: the terminal has line drawing of its own. */
enum glyphs tty_glyphs(const char *wish, bool has_acs);
/* False when the kernel does not know the size. */
bool tty_size(int *rows, int *columns);
/* 0: unknown. */
int tty_baud(const struct termios *modes);
/* Bytes written before still wait in a slow line, or it takes no more. (A pseudo-terminal tells only
 * the latter, when some 18 KB wait or after ^S.) */
bool tty_busy(void);
/* poll() reported `revents` for stdin: whether the terminal is gone for good. */
bool tty_gone(short revents);

/* Past curses, straight to the terminal. */
void tty_write(const char *bytes);

#endif
