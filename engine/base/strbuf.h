/* A growing text buffer. */
#ifndef IODECK_STRBUF_H
#define IODECK_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* `text` is owned, always NUL-terminated after the first append; `failed` is set when memory ran out, from then on
 * appends are ignored. All-zero is a valid empty buffer. */
struct strbuf {
	char *text;
	size_t length, room;
	bool failed;
};

void strbuf_add(struct strbuf *b, const char *bytes, size_t n);
void strbuf_puts(struct strbuf *b, const char *s);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Empty it, keep the memory. */
void strbuf_clear(struct strbuf *b);
void strbuf_release(struct strbuf *b);

#endif
