/* `iodeck probe`. */
#ifndef IODECK_PROBE_MAIN_H
#define IODECK_PROBE_MAIN_H

#include "options.h"

/* Exit status of the program. */
int probe_main(const struct options *o);

#endif
