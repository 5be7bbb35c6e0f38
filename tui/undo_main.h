/* `iodeck undo`. */
#ifndef IODECK_UNDO_MAIN_H
#define IODECK_UNDO_MAIN_H

#include "options.h"

/* Put back what the journal holds, newest first; a line for each on stdout. Returns the exit status: 1 when something is left. */
int undo_main(const struct options *o);

#endif
