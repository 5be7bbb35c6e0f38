/* Inside of terminal*.c, the files behind the door to curses. */
#ifndef IODECK_TERMINAL_PRIVATE_H
#define IODECK_TERMINAL_PRIVATE_H

#include <termios.h>

#include <curses.h>

#include "escape.h"
#include "terminal.h"

/* Codes of sequences that curses is taught. */
enum {
	CODE_PASTE_BEGIN = KEY_MAX + 1,
	CODE_PASTE_END = KEY_MAX + 2,
};

struct term {
	SCREEN *screen;
	struct termios modes; /* as they were */
	enum glyphs glyphs;
	enum colours colours;
	bool colourful; /* colours on the terminal's own background can be had */
	bool unicode;	/* the locale's characters */
	bool paste, can_hide;
	struct canvas shown; /* what the terminal shows */
	enum role role;	     /* attributes set in curses, N_ROLES: unknown */
	struct escape escape;
	int pushed;   /* code that was read too early, 0: none */
	int ch, more; /* character so far, bytes that are still to come */
};

#endif
