/* The pieces of an expectation, one after the other. Private to expect*.c. */
#ifndef IODECK_EXPECT_SCAN_H
#define IODECK_EXPECT_SCAN_H

#include "expect_figure.h"

/* The line under way: `word` is the next piece, not taken yet. */
struct scan {
	const struct spec *spec;
	const char *rest;
	char word[SPEC_NAME * 2];
	bool quoted; /* the word stood in single quotes */
	struct err *err;
};

/* All return 0 or -EINVAL with the reason in s->err; those that take a piece move to the next one.
 */

int scan_next(struct scan *s);
bool scan_is(const struct scan *s, const char *word);
/* Take exactly this word. */
int scan_word(struct scan *s, const char *word);
/* Take 'STEP'. */
int scan_step(struct scan *s, int32_t *step);
/* Take a number as it is written beside a figure of that unit. */
int scan_number(struct scan *s, enum figure_unit unit, double *value);
/* Take A..B as rows of the log2 histogram, both included. */
int scan_buckets(struct scan *s, uint32_t *first, uint32_t *last);
/* The next piece as errors name it. */
const char *scan_shown(const struct scan *s);

#endif
