/* What was found for an expectation, in words. */
#ifndef IODECK_VERDICT_H
#define IODECK_VERDICT_H

#include <stddef.h>

#include "expect.h"

/* "1.42", "0.382", "5.21ms", "HALT"; "-" when it is not known. Returns buf. */
char *verdict_text(const struct expect *e, bool known, double value, const char *word, char *buf, size_t room);

#endif
