/* The door to curses: the one file that knows a terminal. One at a time, one thread. */
#ifndef IODECK_TERMINAL_H
#define IODECK_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "canvas.h"
#include "style.h"

struct term;

/* Take the terminal, after terminfo_check: signals that matter must be blocked by now (console.c
 * reads them from a signalfd). `glyphs`, `colours`: names or NULL to decide from TERM, locale,
 * IODECK_GLYPHS and NO_COLOR. `err_fd`: where a crash says its line, `caught_fd`: see guard.h. NULL
 * with err. term_close puts everything back. */
struct term *term_open(const char *glyphs, const char *colours, int err_fd, int caught_fd,
		       struct err *err);
void term_close(struct term *t);

enum glyphs term_glyphs(const struct term *t);
/* The tier nearest to the wish that locale and terminal can show: utf8 only where the locale's
 * characters are UTF-8, acs only where the terminal has line drawing. */
enum glyphs term_limit_glyphs(const struct term *t, enum glyphs wish);
enum colours term_colours(const struct term *t);
/* The next scheme the terminal can show, or this one; the scheme that is now on is returned. */
enum colours term_set_colours(struct term *t, enum colours wish);
/* Rows and columns now; asks the kernel. */
void term_size(struct term *t, int *rows, int *columns);
/* What was decided and from what, one line. */
void term_describe(const struct term *t, enum glyphs glyphs, bool slow, char *buf, size_t room);

/* Next key (keys.h) that is already there, KEY_NONE when there is none. */
int term_key(struct term *t);

/* Show the grid; only cells that differ from the last grid are sent. `row` -1: no cursor. */
void term_draw(struct term *t, const struct canvas *grid, int row, int column);
/* The next term_draw sends everything. */
void term_repaint(struct term *t);
/* 19200 baud or less. */
bool term_slow(const struct term *t);
/* Give the terminal back, stop this process, take the terminal again when it goes on. False: there
 * was nobody who could wake it again (no shell with job control), so it did not stop. */
bool term_suspend(struct term *t);
/* The process was stopped and continued by somebody else: take the terminal again. */
void term_resume(struct term *t);

#endif
