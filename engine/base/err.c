/* Write the text of an error. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

/* Through a second buffer, because an outer error often quotes the inner one: err_set(e, ret, "%s:
 * %s", name, e->text). */
int err_set(struct err *e, int code, const char *fmt, ...)
{
	struct err fresh;
	va_list args;

	if (!e)
		return code;
	va_start(args, fmt);
	if (vsnprintf(fresh.text, sizeof(fresh.text), fmt, args) < 0)
		strcpy(fresh.text, "error (its text could not be formatted)");
	va_end(args);
	strcpy(e->text, fresh.text);
	return code;
}
