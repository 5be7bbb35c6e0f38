#include "table.h"

#include <stdarg.h>
#include <stdio.h>

void table_row(struct table *t, const char *name, const char *unit, const char *fmt, ...)
{
	int row = 1 + t->n++ - t->first;
	char value[512];
	va_list args;

	if (!t->c || row < 1 || row >= t->c->rows - 2)
		return;
	va_start(args, fmt);
	vsnprintf(value, sizeof(value), fmt, args);
	va_end(args);
	canvas_printf(t->c, row, 0, t->c->columns, ROLE_TEXT, "%s %s%s%s", name,
		      value[0] ? value : "-", unit ? " " : "", unit ? unit : "");
}
