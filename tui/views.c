#include "views.h"

#include <string.h>

#include "base/text.h"
#include "deck_areas.h"
#include "entries.h"
#include "machine.h"
#include "steps.h"
#include "view_keys.h"

const struct view_row view_table[N_SCREENS] = {
	[SCREEN_DECK] = { "deck",
			  "knobs, charts, histograms, parts",
			  .number = '1',
			  .knobs = true,
			  .draw = screen_deck,
			  .table = deck_table },
	[SCREEN_STEPS] = { "steps",
			   "the preset as a lesson: predict, run, see",
			   .number = '4',
			   .draw = screen_steps,
			   .table = steps_table,
			   .binding = steps_keys,
			   .line = steps_lines,
			   .act = steps_act },
	[SCREEN_MACHINE] = { "machine",
			     "this machine's devices: rates, queues, histograms",
			     .number = '5',
			     .draw = screen_machine,
			     .table = machine_table,
			     .binding = machine_keys,
			     .act = machine_act,
			     .find = machine_find },
	[SCREEN_EVENTS] = { "events",
			    "what happened: find, filter, go to a time",
			    .number = '6',
			    .draw = screen_entries,
			    .table = entries_table,
			    .binding = entries_keys,
			    .line = entries_lines,
			    .act = entries_act,
			    .find = entries_find },
	[SCREEN_HELP] = { .draw = screen_help, .key = help_key, .find = help_find },
	[SCREEN_PICKER] = { .draw = screen_picker, .key = pick_key },
};

int view_of_number(int number)
{
	for (int i = 0; i < N_SCREENS; i++)
		if (number && view_table[i].number == number)
			return i;
	return -1;
}

int view_of_name(const char *name)
{
	if (name[0] && !name[1])
		return view_of_number(name[0]);
	for (int i = 0; i < N_SCREENS; i++)
		if (view_table[i].number && !strcmp(view_table[i].name, name))
			return i;
	return -1;
}

/* In the order of their numbers. */
enum screen_id view_beside(enum screen_id screen, int direction)
{
	int number = view_table[screen].number ? view_table[screen].number : '1', view;

	do {
		number += direction;
		number = number > '9' ? '1' : number < '1' ? '9'
							   : number;
		view = view_of_number(number);
	} while (view < 0);
	return (enum screen_id)view;
}

char *view_list(char *buf, size_t room)
{
	size_t n = 0;

	buf[0] = '\0';
	for (int number = '1'; number <= '9'; number++) {
		int view = view_of_number(number);

		if (view >= 0)
			n += text_format(buf + n, room - n, "%s%c %s", n ? ", " : "", number,
					 view_table[view].name);
	}
	return buf;
}
