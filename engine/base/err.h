/* An error with its text, written once where most is known. */
#ifndef IODECK_ERR_H
#define IODECK_ERR_H

#include <stdarg.h>
#include <stddef.h>

/* Text of the last error: what, which object, why, what to do. No newline at the end. Caller's memory. */
struct err {
	char text[768];
};

/* Format the text (cut at the end of the buffer) and return `code`, a negative errno, so that
 * `return err_set(err, -EINVAL, ...)` reads as one line. `e` may be NULL. Any thread. */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* "EIO" for 5 (either sign); "E200" when it has no name here. Returns a constant or buf. */
const char *errno_name(int code, char *buf, size_t room);

#endif
