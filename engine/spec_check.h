/* Assignments of a spec: read, applied, checked. Private to spec.c and the preset reader. */
#ifndef IODECK_SPEC_CHECK_H
#define IODECK_SPEC_CHECK_H

#include "spec.h"

/* "KEY=VALUE" with blanks allowed around both. 0 or -EINVAL. */
int assign_parse(struct assign *a, const char *text, struct err *err);

/* Whether a step can be run as it is set: every assignment of its own is known, allowed in this
 * step, in range, named once and has an effect, and the whole config holds together. `*cfg` is the
 * step's config then. 0 or -EINVAL, err as "KEY=VALUE: REASON" or the reason of config_check. */
int spec_check_step(const struct spec *spec, uint32_t step, struct config *cfg, struct err *err);

#endif
