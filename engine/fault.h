/* Faults as people write them: "path p0 down", "weight p1 3", "disk d2 fail", "drop d5", "add d5", "errors 0.01". One reader for presets, commands and keys. */
#ifndef IODECK_FAULT_H
#define IODECK_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum fault_kind { FAULT_PATH_DOWN, FAULT_PATH_UP, FAULT_PATH_WEIGHT, FAULT_DISK_FAIL, FAULT_DISK_DROP, FAULT_DISK_ADD, FAULT_RULE };

struct fault {
	enum fault_kind kind;
	uint32_t index;  /* p0 is 0, d1 is 0 */
	uint32_t weight; /* FAULT_PATH_WEIGHT */
	char rule[16], value[48]; /* FAULT_RULE: for fault_rule_put */
};

static inline bool fault_names_path(const struct fault *f)
{
	return f->kind <= FAULT_PATH_WEIGHT;
}

/* 0 or -EINVAL with the allowed forms in err. */
int fault_parse(const char *text, struct fault *f, struct err *err);

#endif
