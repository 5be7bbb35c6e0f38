/* A grid as a text file. */
#ifndef IODECK_SHOT_H
#define IODECK_SHOT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "canvas.h"

/* Append the rows as UTF-8 lines, without the blanks at their ends. */
void shot_text(const struct canvas *grid, struct strbuf *out);
/* Write a text, or the rows, to a new file; an existing one is refused. 0 or negative with err. */
int shot_write_new(const char *path, const struct strbuf *text, struct err *err);
int shot_write(const struct canvas *grid, const char *path, struct err *err);

#endif
