#include "fault.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

int fault_parse(const char *text, struct fault *f, struct err *err)
{
	char what[16], name[16], state[16];
	uint64_t index;
	int used = 0;

	if (sscanf(text, " %15s %15s %15s %n", what, name, state, &used) == 3 && !text[used] && !strcmp(what, "path") && name[0] == 'p' &&
	    units_parse_u64(name + 1, &index, NULL) == 0 && index < UINT32_MAX && (!strcmp(state, "up") || !strcmp(state, "down"))) {
		*f = (struct fault){FAULT_PATH, (uint32_t)index, !strcmp(state, "up")};
		return 0;
	}
	return err_set(err, -EINVAL, "fault '%s' is not understood: path pN down|up", text);
}
