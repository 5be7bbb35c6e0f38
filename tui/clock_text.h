/* A time of the run as people write it. */
#ifndef IODECK_CLOCK_TEXT_H
#define IODECK_CLOCK_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* "01:20", "1:02:03", "01:20.5", "80s", "1500ms" -> ns. False: it is no time. A bare number is none. */
bool clock_parse(const char *text, int64_t *ns);

#endif
