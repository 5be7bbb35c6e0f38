#include "deck.h"

#include <stdio.h>

#include "confirm.h"
#include "console.h"
#include "terminfo.h"

int deck_main(const struct options *o)
{
	struct options asked = *o;
	struct confirm typed;
	struct err err;

	if (terminfo_check(&err)) {
		fprintf(stderr, "iodeck: %s\n", err.text);
		return EXIT_USAGE;
	}
	int code = confirm_writing(&asked, &typed);

	return code ? code : console_run(&asked);
}
