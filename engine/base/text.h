/* The one gate for text that comes from outside (presets, names, kernel) and is drawn, logged or reported. */
#ifndef IODECK_TEXT_H
#define IODECK_TEXT_H

#include <stddef.h>

/* Copy `src` to `dst` (`room` bytes with the NUL). C0, DEL, C1 and bidirectional controls and invalid UTF-8 become '?';
 * never cuts inside a UTF-8 sequence. `ascii_only`: every character above 127 becomes '?' as well.
 * Returns the number of bytes written without the NUL. */
size_t text_clean(char *dst, size_t room, const char *src, int ascii_only);

/* snprintf for names and labels: always terminates, cuts silently, returns bytes written without the NUL. */
size_t text_format(char *dst, size_t room, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Edit distance based suggestion: the entry of `names` (n_names of them) nearest to `word`, case-insensitive, or NULL
 * when none is near enough (distance above half the length of the word, at least 2). */
const char *text_nearest(const char *word, const char *const *names, size_t n_names);

#endif
