/* Between the files of the deck's actions: those that turn a knob. Called by the thread of the UI; 0, or negative with err, which is shown. */
#ifndef IODECK_ACTIONS_H
#define IODECK_ACTIONS_H

#include "console.h"

typedef int do_fn(struct console *c, const struct action *a, struct err *err);

do_fn action_engine, action_choose, action_move, action_step_knob, action_type_value, action_preset_values;

#endif
