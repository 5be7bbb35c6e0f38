/* Numbers as people write them: strict readers (whole text, base 10, no locale, 64 bit) and writers. */
#ifndef IODECK_UNITS_H
#define IODECK_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Readers return 0 or -EINVAL (not of the form) or -ERANGE (does not fit in 64 bit). The whole text must match; blanks
 * around it are not accepted. `*why` (may be NULL) is set to a static sentence part on error, e.g. "has no unit (ns us ms s
 * m h d)". */

/* Digits only. "010" is ten. */
int units_parse_u64(const char *text, uint64_t *value, const char **why);
/* Digits with an optional fraction ("0.015", "203.3"): no sign, no exponent. */
int units_parse_decimal(const char *text, double *value, const char **why);
/* Bytes. "4k 4K 4Ki 4KiB" = 4096, "4kB 4KB" = 4000; likewise m g t; a bare number (or "4096B") is bytes. */
int units_parse_size(const char *text, uint64_t *bytes, const char **why);
/* Nanoseconds. A number (fraction allowed if the result is whole ns) with ns us ms s m h d; only "0" may stand bare. */
int units_parse_time(const char *text, int64_t *ns, const char **why);
/* 1/0 yes/no true/false on/off, any case. */
int units_parse_bool(const char *text, bool *value, const char **why);

/* Writers into the caller's buffer; return it. Exact: the shortest form the readers turn into the same value.
 * "8KiB" "1500us" "20s". */
char *units_format_size(char *buf, size_t room, uint64_t bytes);
char *units_format_time(char *buf, size_t room, int64_t ns);

/* For people: 3 significant digits, decimal k M G, at most 5 characters ("32.8k", "950", "1.51k"). Negative or not finite: "-". */
char *units_format_count(char *buf, size_t room, double value);
/* Milliseconds with 3 significant digits below 100 ("0.61", "5.90", "18.2", "1204"); negative or not finite: "-". `ns` is double
 * so that a mean can be passed. */
char *units_format_ms(char *buf, size_t room, double ns);

#endif
