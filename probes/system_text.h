/* Attributes of one line, pressure and processor time. Pure functions. */
#ifndef IODECK_SYSTEM_TEXT_H
#define IODECK_SYSTEM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- attributes: the text with its newline. 0, or -EINVAL: cut, or of another form ---- */

int attr_parse_i64(const char *text, size_t length, int64_t *value);
int attr_parse_hex(const char *text, size_t length, uint64_t *value);
/* Without blanks around it. Empty is allowed. */
int attr_parse_text(const char *text, size_t length, char *out, size_t room);
/* "[mq-deadline] kyber none ": the word in brackets; a single word without any is the choice. */
int attr_parse_choice(const char *text, size_t length, char *out, size_t room);
/* "off" is -1. */
int attr_parse_timeout(const char *text, size_t length, int64_t *seconds);
/* "253:1". */
int attr_parse_dev(const char *text, size_t length, uint32_t *major, uint32_t *minor);

/* /proc/pressure/io: share of time in which some, or all, tasks waited. `full` is NaN where the kernel does not tell it. */
struct pressure_text {
	bool known;
	double some10, some60, some300, full10, full60, full300; /* percent */
	uint64_t some_us, full_us;
};
int pressure_parse(const char *text, size_t length, struct pressure_text *out);

/* First line of /proc/stat, ticks. */
struct cpu_text {
	bool known;
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};
int cpu_parse(const char *text, size_t length, struct cpu_text *out);
/* Shares of the time between the two, 0..1; false when no time passed or it ran backwards. */
bool cpu_shares(const struct cpu_text *before, const struct cpu_text *now, double *busy, double *iowait);

#endif
