/* The figures an expectation can name. Private to expect*.c. */
#ifndef IODECK_EXPECT_FIGURE_H
#define IODECK_EXPECT_FIGURE_H

#include "expect.h"

/* What a number written beside the figure means, and in which unit it is judged. */
enum figure_unit {
	UNIT_PLAIN,   /* a count, a rate, a share, a ratio, ms of `gap` */
	UNIT_SECONDS, /* written with a unit; seconds */
	UNIT_CPU,     /* written with a unit or as plain seconds */
	UNIT_MICROS,  /* written with a unit; microseconds, as in the JSON */
};

/* Number of figures; their names in the order of their rows. */
uint32_t figure_count(void);
const char *figure_name(uint32_t figure);
enum figure_unit figure_unit(uint32_t figure);
/* NaN where the step cannot tell. */
double figure_get(uint32_t figure, const struct step_result *r);

#endif
