/* A backend that wraps any other: errors, short transfers, delays and stalls on purpose. */
#ifndef IODECK_FAULT_BACKEND_H
#define IODECK_FAULT_BACKEND_H

#include "backend/backend.h"
#include "spec.h"

/* Takes over `inner`, whose requests may be out. `requests`: ids below it come. NULL: out of memory, `inner` stays the caller's. */
struct backend *fault_wrap(struct backend *inner, uint64_t seed, uint32_t requests);
bool fault_is_wrapped(const struct backend *b);
/* From now on; a stall begins now. `b` was made by fault_wrap. */
void fault_set_rules(struct backend *b, const struct fault_rules *r);
const struct fault_rules *fault_get_rules(const struct backend *b);

#endif
