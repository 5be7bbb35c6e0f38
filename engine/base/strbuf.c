/* A growing text buffer. Memory that runs out is remembered, so that a caller checks once at the
 * end. */
#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

/* Doubling keeps the cost of many small appends linear. */
static size_t next_room(size_t room, size_t need)
{
	size_t grown = room > SIZE_MAX / 2 ? SIZE_MAX : room * 2;

	if (grown < FIRST_ROOM)
		grown = FIRST_ROOM;
	return grown < need ? need : grown;
}

/* Room for n more bytes and the NUL. */
static bool reserve(struct strbuf *b, size_t n)
{
	if (b->failed)
		return false;
	if (n < b->room - b->length)
		return true;
	if (n >= SIZE_MAX - b->length) {
		b->failed = true;
		return false;
	}

	size_t room = next_room(b->room, b->length + n + 1);
	char *text = realloc(b->text, room);

	if (!text) {
		b->failed = true;
		return false;
	}
	b->text = text;
	b->room = room;
	return true;
}

void strbuf_add(struct strbuf *b, const char *bytes, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n)
		memcpy(b->text + b->length, bytes, n);
	b->length += n;
	b->text[b->length] = '\0';
}

void strbuf_puts(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

static int print(struct strbuf *b, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

static int print(struct strbuf *b, const char *fmt, va_list args)
{
	return vsnprintf(b->text + b->length, b->room - b->length, fmt, args);
}

/* The first try tells the length; if it did not fit, the second does. */
void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list args, again;
	int n;

	if (!reserve(b, 0))
		return;
	va_start(args, fmt);
	va_copy(again, args);
	n = print(b, fmt, args);
	if (n >= 0 && (size_t)n >= b->room - b->length && reserve(b, (size_t)n))
		n = print(b, fmt, again);
	va_end(again);
	va_end(args);
	b->failed |= n < 0;
	b->length += b->failed ? 0 : (size_t)n;
	b->text[b->length] = '\0';
}

void strbuf_clear(struct strbuf *b)
{
	b->length = 0;
	if (b->text)
		b->text[0] = '\0';
}

void strbuf_release(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf){ 0 };
}
