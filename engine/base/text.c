/* Cleaning of foreign text, cutting between characters, and the nearest name for a mistyped one. */
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Well-formed UTF-8 (Unicode 15, table 3-7): by the first byte, how many follow and what the second
 * may be. The bounds of the second byte keep out overlong forms, surrogates and what lies above
 * U+10FFFF. */
static const struct lead {
	unsigned char first, last; /* range of the first byte */
	unsigned char n_more;
	unsigned char low, high; /* range of the second byte */
} leads[] = {
	{ .first = 0xc2, .last = 0xdf, .n_more = 1, .low = 0x80, .high = 0xbf },
	{ .first = 0xe0, .last = 0xe0, .n_more = 2, .low = 0xa0, .high = 0xbf },
	{ .first = 0xe1, .last = 0xec, .n_more = 2, .low = 0x80, .high = 0xbf },
	{ .first = 0xed, .last = 0xed, .n_more = 2, .low = 0x80, .high = 0x9f },
	{ .first = 0xee, .last = 0xef, .n_more = 2, .low = 0x80, .high = 0xbf },
	{ .first = 0xf0, .last = 0xf0, .n_more = 3, .low = 0x90, .high = 0xbf },
	{ .first = 0xf1, .last = 0xf3, .n_more = 3, .low = 0x80, .high = 0xbf },
	{ .first = 0xf4, .last = 0xf4, .n_more = 3, .low = 0x80, .high = 0x8f },
};

/* Controls a terminal obeys: C0 and DEL, C1, and the bidirectional ones that reorder what stands
 * beside them. */
static const struct range {
	uint32_t first, last;
} controls[] = {
	{ 0x0000, 0x001f },
	{ 0x007f, 0x009f },
	{ 0x061c, 0x061c },
	{ 0x200e, 0x200f },
	{ 0x202a, 0x202e },
	{ 0x2066, 0x2069 },
};

static const struct lead *find_lead(unsigned char byte)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++)
		if (byte >= leads[i].first && byte <= leads[i].last)
			return &leads[i];
	return NULL;
}

static bool is_control(uint32_t c)
{
	for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++)
		if (c >= controls[i].first && c <= controls[i].last)
			return true;
	return false;
}

/* Bytes of the well-formed character at s (not at the NUL), its code point in *c; 0 if it is none.
 * The NUL is no continuation byte, so a cut sequence at the end is not read past. */
static size_t decode(const char *s, uint32_t *c)
{
	const unsigned char *u = (const unsigned char *)s;
	const struct lead *lead;

	*c = u[0];
	if (u[0] < 0x80)
		return 1;
	lead = find_lead(u[0]);
	if (!lead || u[1] < lead->low || u[1] > lead->high)
		return 0;
	*c = u[0] & (0x3fu >> lead->n_more);
	for (size_t i = 1; i <= lead->n_more; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (u[i] & 0x3fu);
	}
	return 1u + lead->n_more;
}

/* A malformed sequence becomes one '?' for each of its bytes. */
size_t text_clean(char *dst, size_t room, const char *src, int ascii_only)
{
	size_t at = 0;

	if (!room)
		return 0;
	while (*src) {
		uint32_t c;
		size_t taken = decode(src, &c);
		bool keep = taken && !is_control(c) && (c < 0x80 || !ascii_only);
		size_t given = keep ? taken : 1;

		if (given >= room - at)
			break;
		memmove(dst + at, keep ? src : "?", given);
		at += given;
		src += taken ? taken : 1;
	}
	dst[at] = '\0';
	return at;
}

/* Length without the character at the end that lost some of its bytes, if there is one. */
static size_t whole_characters(const char *s, size_t length)
{
	uint32_t c;

	for (size_t back = 1; back <= 4 && back <= length; back++) {
		const char *p = s + length - back;

		if ((*p & 0xc0) == 0x80)
			continue;
		return find_lead((unsigned char)*p) && !decode(p, &c) ? length - back : length;
	}
	return length;
}

size_t text_format(char *dst, size_t room, const char *fmt, ...)
{
	va_list args;
	int n;

	if (!room)
		return 0;
	va_start(args, fmt);
	n = vsnprintf(dst, room, fmt, args);
	va_end(args);

	size_t length = n < 0 ? 0 : (size_t)n;

	if (length >= room)
		length = whole_characters(dst, room - 1);
	dst[length] = '\0';
	return length;
}

/* Not tolower: that one follows the locale, and a Turkish one has its own idea of i. */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

enum { LONGEST_WORD = 63 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Levenshtein 1966 with a single row: row[j] = distance of the part of `a` seen so far to the first
 * j letters of `b`. Longer words are compared by their beginnings. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[LONGEST_WORD + 1];
	unsigned n_b = (unsigned)strnlen(b, LONGEST_WORD);

	for (unsigned j = 0; j <= n_b; j++)
		row[j] = j;
	for (unsigned i = 0; i < LONGEST_WORD && a[i]; i++) {
		unsigned diagonal = row[0];

		row[0] = i + 1;
		for (unsigned j = 1; j <= n_b; j++) {
			unsigned change = diagonal + (lower(a[i]) != lower(b[j - 1]));

			diagonal = row[j];
			row[j] = least(row[j] + 1, row[j - 1] + 1, change);
		}
	}
	return row[n_b];
}

const char *text_nearest(const char *word, const char *const *names, size_t n_names)
{
	size_t half = strnlen(word, LONGEST_WORD) / 2;
	unsigned best = half < 2 ? 2 : (unsigned)half;
	const char *nearest = NULL;

	for (size_t i = 0; i < n_names; i++) {
		unsigned d = distance(word, names[i]);

		if (d < best || (d == best && !nearest)) {
			best = d;
			nearest = names[i];
		}
	}
	return nearest;
}
