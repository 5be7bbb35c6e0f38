#include "deck.h"

#include <stdio.h>

#include "console.h"
#include "terminfo.h"

int deck_main(const struct options *o)
{
	struct err err;

	if (terminfo_check(&err)) {
		fprintf(stderr, "iodeck: %s\n", err.text);
		return EXIT_USAGE;
	}
	return console_run(o);
}
