/* The deck: the full-screen console. */
#ifndef IODECK_DECK_H
#define IODECK_DECK_H

#include "options.h"

/* Open the deck on o->word[0], or the preset picker without it. Returns the exit status of the program; messages for after the end go to
 * stderr once the terminal is as it was. */
int deck_main(const struct options *o);

#endif
