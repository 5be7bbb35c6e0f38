/* What a key, a line or a script asks of the deck. Keys and commands only make actions; the console
 * carries them out. */
#ifndef IODECK_ACTION_H
#define IODECK_ACTION_H

#include "command.h"

enum action_kind {
	ACTION_NONE,
	ACTION_ENGINE,	      /* command: to the engine */
	ACTION_CHOOSE,	      /* amount: this knob */
	ACTION_MOVE,	      /* amount: knobs to the right */
	ACTION_STEP_KNOB,     /* amount: +1 or -1 step of the chosen knob */
	ACTION_TYPE_VALUE,    /* open the line with ":set KNOB " of the chosen knob */
	ACTION_LINE,	      /* open the line with `text` */
	ACTION_PRESET_VALUES, /* all knobs as the preset has them in this step */
	ACTION_HELP,
	ACTION_SHOW,	/* amount: number of a view as a character; 0: text is its name */
	ACTION_BESIDE,	/* amount: +1 next view, -1 previous */
	ACTION_FIND,	/* text; empty: what was looked for last. amount: +1 next, -1 the one before, 0 from here on */
	ACTION_TABLE,	/* the view as plain rows, or as a picture again */
	ACTION_VIEW,	/* amount: a deed of the view `screen` */
	ACTION_LOAD,	/* text: preset; empty: the picker */
	ACTION_GLYPHS,	/* amount: enum glyphs, -1: the next */
	ACTION_COLOURS, /* amount: enum colours, -1: the next */
	ACTION_FREEZE,	/* the picture stands still or goes on */
	ACTION_REPAINT,
	ACTION_SUSPEND,
	ACTION_SHOT, /* text: file */
	ACTION_VERSION,
	ACTION_KERNEL, /* text: "sda queue_depth=32" */
	ACTION_CLOSE, /* message, help, picker */
	ACTION_QUIT,
	N_ACTIONS,
};

enum { ACTION_TEXT = 512 };

struct action {
	enum action_kind kind;
	int amount;
	int key;    /* the key it came from; 0: none */
	int screen; /* enum screen_id, of ACTION_VIEW */
	struct command command;
	char text[ACTION_TEXT];
};

#endif
