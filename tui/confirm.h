/* Writing to a device is confirmed by typing its name, before the screen is taken. */
#ifndef IODECK_CONFIRM_H
#define IODECK_CONFIRM_H

#include "options.h"

enum { CONFIRM_NAMES = 8, CONFIRM_ROOM = 256 };

/* What was typed; the permit of the options points into it. */
struct confirm {
	char name[CONFIRM_NAMES][CONFIRM_ROOM];
};

/* Ask on the terminal for every name that the guard wants and --write= did not give; what would be lost is said first. `o` is changed. 0 when
 * there is nothing to ask or all was typed, else an exit code, already said. */
int confirm_writing(struct options *o, struct confirm *c);

#endif
