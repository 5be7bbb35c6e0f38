/* What can be asked of a running engine. One struct for keys, the command line, scripts and steps. */
#ifndef IODECK_COMMAND_H
#define IODECK_COMMAND_H

#include "spec.h"

enum command_type {
	COMMAND_SET,      /* ref, value: turn a knob */
	COMMAND_FAULT,    /* text: "path p0 down" */
	COMMAND_PLAY,     /* play the steps from the held one on */
	COMMAND_HOLD,     /* stop playing; the load goes on */
	COMMAND_STEP,     /* value: go to this step (index), held */
	COMMAND_PAUSE,    /* value 1: the clock stops, 0: goes on, -1: the other */
	COMMAND_SPEED,    /* value: 1000 x virtual seconds per second; 0: as fast as possible */
	COMMAND_RESET,    /* counters and histograms start again */
	COMMAND_RESTART,  /* the held step from its start, fresh, same seed; pending knobs take effect */
	COMMAND_KEEP,     /* value 1: keep the window now as "before"; 0: choose it automatically again */
	COMMAND_UNDO,     /* the last knob change is taken back */
	COMMAND_GOTO_STEP, /* value 0..n_steps: the straight run up to the beginning of this step (n_steps: to its very end) */
	COMMAND_GOTO_TIME, /* value: the straight run at this engine time */
	COMMAND_MARK,     /* text: a named mark in the strips and the event list */
	COMMAND_OUTSIDE,  /* text: something changed outside the engine; value 1: judged like a knob, 0: a mark only, -1: not even that */
	COMMAND_NOTE,     /* text: a line in the event list, nothing else */
	N_COMMANDS,
};

/* Who asked; kept with the act. OUTSIDE: a signal, a library. */
enum cause { CAUSE_KEY, CAUSE_COMMAND, CAUSE_STEP, CAUSE_SCRIPT, CAUSE_KERNEL, CAUSE_OUTSIDE, N_CAUSES };
extern const char *const cause_names[N_CAUSES];

enum { COMMAND_TEXT = 160 };

struct command {
	enum command_type type;
	enum cause cause;
	bool go_on; /* GOTO: play on from there, to the end of that step; else the clock stands there */
	bool merge; /* SET: a repeated step of the same knob within 300 ms belongs to the change before */
	struct knob_ref ref;
	int64_t value;
	char text[COMMAND_TEXT];
};

#endif
