/* The command line as tables: what parses it and what explains it are the same rows. */
#ifndef IODECK_CLI_H
#define IODECK_CLI_H

#include "base/err.h"
#include "base/strbuf.h"
#include "options.h"

/* Which commands an option has a meaning for; one bit each. */
enum { ON_DECK = 1, ON_RUN = 2, ON_CHECK = 4, ON_PRESETS = 8, ON_UNDO = 16, ON_PROBE = 32, ON_ALL = 63 };

/* What stands on the command line besides the options of a command. */
struct ask {
	bool help, version;
};

/* Read `argv[0..argc)`, the words behind the command's name, into `o` and `ask`. `command` is one ON_ bit and `name` what it is called in
 * messages. 0 or -EINVAL with err. */
int options_parse(int argc, char **argv, unsigned command, const char *name, struct options *o, struct ask *ask,
		  struct err *err);

/* The options of one command, a line each, for its help. */
void options_help(unsigned command, struct strbuf *out);

#endif
