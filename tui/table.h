/* A view as plain rows "name value unit": no drawing, a stable order, for screen readers and braille lines. */
#ifndef IODECK_TABLE_H
#define IODECK_TABLE_H

#include "canvas.h"

/* Rows go to the grid from row 1 on; those before `first` are only counted. */
struct table {
	struct canvas *c; /* NULL: only count */
	int first, n;
};

/* A row. `unit` NULL: none; an empty value is written "-". */
void table_row(struct table *t, const char *name, const char *unit, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
