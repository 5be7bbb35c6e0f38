#include "deck.h"

#include <stdio.h>

#include "base/text.h"
#include "confirm.h"
#include "console.h"
#include "front.h"
#include "terminfo.h"

int deck_main(const struct options *o)
{
	struct options asked = *o;
	struct confirm typed;
	struct err err;
	char clean[sizeof(err.text)];

	if (terminfo_check(&err)) {
		text_clean(clean, sizeof(clean), err.text, 0); /* TERM may hold anything */
		fprintf(stderr, "iodeck: %s\n", clean);
		return EXIT_USAGE;
	}
	int code = confirm_writing(&asked, &typed);

	if (code)
		return code;
	return asked.kernel ? front_run(console_run, &asked) : console_run(&asked);
}
