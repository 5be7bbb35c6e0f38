/* Walking over a text with a length: lines, words, numbers. What is cut off in the middle is never taken for whole: a line counts only with its newline. */
#ifndef IODECK_WORDS_H
#define IODECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text, borrowed. */
struct words {
	const char *at, *end;
};

struct words words_of(const char *text, size_t length);
/* Take the next whole line (without its newline) off `w`. False at the end, or when what is left has no newline (then w is not empty). */
bool words_line(struct words *w, struct words *line);
bool words_empty(const struct words *w);
/* Skip blanks and tabs; take a word up to the next of them. False: there is none. */
bool words_next(struct words *w, struct words *word);
/* Take a word up to `stop` and the stop itself. False and nothing taken when it does not come. */
bool words_until(struct words *w, char stop, struct words *word);
/* Take `text` off the front, behind blanks. */
bool words_skip(struct words *w, const char *text);
bool words_is(const struct words *word, const char *text);
bool words_starts(const struct words *w, const char *text);
/* A word that is nothing but a number: decimal (a '-' only for i64), or 0x and hex digits. False: not so, or too large. */
bool words_to_u64(const struct words *word, uint64_t *value);
bool words_to_i64(const struct words *word, int64_t *value);
bool words_to_hex(const struct words *word, uint64_t *value);
/* A decimal with an optional fraction. */
bool words_to_real(const struct words *word, double *value);
/* Take a word that is a number. */
bool words_u64(struct words *w, uint64_t *value);
/* Cleaned copy, cut to `room`. */
void words_copy(const struct words *word, char *buf, size_t room);
/* Without blanks at both ends. */
struct words words_trim(struct words w);

#endif
