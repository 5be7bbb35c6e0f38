/* The real deck on a pseudo-terminal. */
#ifndef IODECK_TEST_DECK_PTY_H
#define IODECK_TEST_DECK_PTY_H

#include "pty.h"

/* `words`: what follows `iodeck`, at most 12, ended by NULL. BUILD says where it is. */
void deck_start(struct pty *p, const struct pty_options *o, const char *const *words);
/* `quickstart` held at its first step, on the screen. False: it did not come. */
bool deck_open(struct pty *p, const struct pty_options *o);
/* 80x24 of this TERM and locale. */
struct pty_options deck_options(const char *term, const char *locale);
/* Type a `:` line and Enter. */
void deck_line(struct pty *p, const char *line);
/* Whether the screen is the one that `:shot` writes, but for the bottom two rows; the picture must
 * stand still. `file` is written for that and removed. */
bool deck_is_shot(struct pty *p, const char *file);
/* CPU time of the program so far, in ns. */
int64_t deck_cpu_ns(const struct pty *p);

#endif
