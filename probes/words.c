#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool blank(char c) { return c == ' ' || c == '\t'; }

struct words words_of(const char *text, size_t length) { return (struct words){ text, text + length }; }

bool words_empty(const struct words *w) { return w->at == w->end; }

bool words_until(struct words *w, char stop, struct words *word)
{
	const char *at = w->at == w->end ? NULL : memchr(w->at, stop, (size_t)(w->end - w->at));

	if (!at)
		return false;
	*word = (struct words){ w->at, at };
	w->at = at + 1;
	return true;
}

bool words_line(struct words *w, struct words *line) { return words_until(w, '\n', line); }

static void skip_blanks(struct words *w)
{
	while (w->at < w->end && blank(*w->at))
		w->at++;
}

bool words_next(struct words *w, struct words *word)
{
	skip_blanks(w);
	word->at = w->at;
	while (w->at < w->end && !blank(*w->at))
		w->at++;
	word->end = w->at;
	return word->at < word->end;
}

bool words_starts(const struct words *w, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(w->end - w->at) >= n && !memcmp(w->at, text, n);
}

bool words_skip(struct words *w, const char *text)
{
	skip_blanks(w);
	if (!words_starts(w, text))
		return false;
	w->at += strlen(text);
	return true;
}

bool words_is(const struct words *word, const char *text)
{
	return (size_t)(word->end - word->at) == strlen(text) && words_starts(word, text);
}

bool words_to_u64(const struct words *word, uint64_t *value)
{
	uint64_t n = 0;

	if (word->at == word->end)
		return false;
	for (const char *p = word->at; p < word->end; p++) {
		if (*p < '0' || *p > '9' || __builtin_mul_overflow(n, 10u, &n) || __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return false;
	}
	*value = n;
	return true;
}

bool words_to_i64(const struct words *word, int64_t *value)
{
	bool minus = words_starts(word, "-");
	struct words digits = { word->at + minus, word->end };
	uint64_t n;

	if (!words_to_u64(&digits, &n) || n > INT64_MAX)
		return false;
	*value = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool words_to_hex(const struct words *word, uint64_t *value)
{
	uint64_t n = 0;

	if (!words_starts(word, "0x") || word->end - word->at < 3 || word->end - word->at > 18)
		return false;
	for (const char *p = word->at + 2; p < word->end; p++) {
		int digit = hex_digit(*p);

		if (digit < 0)
			return false;
		n = n << 4 | (uint64_t)digit;
	}
	*value = n;
	return true;
}

bool words_to_real(const struct words *word, double *value)
{
	struct words rest = *word, whole;
	uint64_t n, fraction = 0;
	double scale = 1;

	if (!words_until(&rest, '.', &whole))
		return words_to_u64(word, &n) && (*value = (double)n, true);
	if (!words_to_u64(&whole, &n) || rest.end - rest.at > 9 || !words_to_u64(&rest, &fraction))
		return false;
	for (const char *p = rest.at; p < rest.end; p++)
		scale *= 10;
	*value = (double)n + (double)fraction / scale;
	return true;
}

bool words_u64(struct words *w, uint64_t *value)
{
	struct words word;

	return words_next(w, &word) && words_to_u64(&word, value);
}

void words_copy(const struct words *word, char *buf, size_t room)
{
	char raw[512];
	size_t n = (size_t)(word->end - word->at);

	if (n >= sizeof(raw))
		n = sizeof(raw) - 1;
	if (n)
		memcpy(raw, word->at, n);
	raw[n] = '\0';
	for (size_t i = 0; i < n; i++) /* a NUL would end it early; cleaning makes it a '?' */
		raw[i] = raw[i] ? raw[i] : '\1';
	text_clean(buf, room, raw, 0);
}

struct words words_trim(struct words w)
{
	skip_blanks(&w);
	while (w.at < w.end && blank(w.end[-1]))
		w.end--;
	return w;
}
