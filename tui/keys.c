#include "keys.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "views.h"

#define ENGINE(type, argument) .kind = ACTION_ENGINE, .command = COMMAND_##type, .value = (argument)

const struct binding bindings[] = {
	{ { '?', KEY_FUNCTION_1 },
	  .kind = ACTION_HELP,
	  .footer = "?:help",
	  .rank = 0,
	  .what = "this help, open and close" },
	{ { '+', KEY_ARROW_UP, ']' },
	  .kind = ACTION_STEP_KNOB,
	  .amount = 1,
	  .footer = "+/-:step",
	  .rank = 2,
	  .what = "chosen knob one step up",
	  .knobs = true },
	{ { '-', KEY_ARROW_DOWN, '[' },
	  .kind = ACTION_STEP_KNOB,
	  .amount = -1,
	  .what = "chosen knob one step down",
	  .knobs = true },
	{ { KEY_RETURN },
	  .kind = ACTION_TYPE_VALUE,
	  .footer = "Enter:value",
	  .rank = 8,
	  .what = "type a value for the chosen knob",
	  .knobs = true },
	{ { KEY_ARROW_RIGHT, 'l' },
	  .kind = ACTION_MOVE,
	  .amount = 1,
	  .what = "choose the next knob",
	  .knobs = true },
	{ { KEY_ARROW_LEFT, 'h' },
	  .kind = ACTION_MOVE,
	  .amount = -1,
	  .what = "choose the knob before",
	  .knobs = true },
	{ { 'u' },
	  ENGINE(UNDO, 0),
	  .footer = "u:undo",
	  .rank = 4,
	  .what = "take the last change back",
	  .knobs = true },
	{ { '=' },
	  ENGINE(KEEP, 1),
	  .footer = "=:before",
	  .rank = 7,
	  .what = "keep the window now as \"before\" (ghost A)",
	  .knobs = true },
	{ { '1', '2', '3', '4', '5', '6' }, .kind = ACTION_SHOW, .what = "show this view" },
	{ { KEY_TAB }, .kind = ACTION_BESIDE, .amount = 1, .footer = "Tab:view", .rank = 8, .what = "next view" },
	{ { KEY_BACK_TAB }, .kind = ACTION_BESIDE, .amount = -1, .what = "previous view" },
	{ { 'x' },
	  .kind = ACTION_LINE,
	  .text = "fault ",
	  .footer = "x:fault",
	  .rank = 6,
	  .what = "a path goes down or up, a disk fails" },
	{ { ' ' },
	  ENGINE(PAUSE, -1),
	  .footer = "spc:pause",
	  .rank = 5,
	  .what = "the clock stops, goes on" },
	{ { '0' }, .kind = ACTION_PRESET_VALUES, .what = "all knobs as this step has them",
	  .knobs = true },
	{ { 'r' }, ENGINE(RESET, 0), .what = "counters and histograms start again" },
	{ { 'R' },
	  ENGINE(RESTART, 0),
	  .what = "this step from its start, same seed; pending knobs take effect" },
	{ { '/' }, .kind = ACTION_LINE, .text = "find ", .what = "find a text (in events and help)" },
	{ { 'n' }, .kind = ACTION_FIND, .amount = 1, .what = "find the next one" },
	{ { 'N' }, .kind = ACTION_FIND, .amount = -1, .what = "find the one before" },
	{ { 'v' }, .kind = ACTION_TABLE, .what = "plain rows for a screen reader, and back" },
	{ { 'f' }, .kind = ACTION_FREEZE, .what = "freeze the picture only" },
	{ { 'g' },
	  .kind = ACTION_GLYPHS,
	  .amount = -1,
	  .what = "other characters: utf8, ascii, acs" },
	{ { 'C' }, .kind = ACTION_COLOURS, .amount = -1, .what = "other colours: mono, 16, safe" },
	{ { KEY_CTRL_L }, .kind = ACTION_REPAINT, .what = "paint the screen anew" },
	{ { KEY_CTRL_Z }, .kind = ACTION_SUSPEND, .what = "suspend; the clock stops meanwhile" },
	{ { KEY_ESC },
	  .kind = ACTION_CLOSE,
	  .what = "close message; then back to the deck, there close the caption" },
	{ { ':' },
	  .kind = ACTION_LINE,
	  .text = "",
	  .footer = ":command",
	  .rank = 2,
	  .what = "a command, for example :play" },
	{ { 'q', KEY_FUNCTION_10 },
	  .kind = ACTION_QUIT,
	  .footer = "q:quit",
	  .rank = 1,
	  .what = "quit; ^C quits at once" },
	{ .what = NULL },
};
const size_t n_bindings = sizeof(bindings) / sizeof(bindings[0]) - 1;

static const struct {
	int key;
	const char *name;
} names[] = {
	{ KEY_ARROW_UP, "Up" },
	{ KEY_ARROW_DOWN, "Down" },
	{ KEY_ARROW_LEFT, "Left" },
	{ KEY_ARROW_RIGHT, "Right" },
	{ KEY_RETURN, "Enter" },
	{ KEY_TAB, "Tab" },
	{ KEY_BACK_TAB, "S-Tab" },
	{ KEY_BACK, "Backspace" },
	{ KEY_DELETE, "Delete" },
	{ KEY_LINE_HOME, "Home" },
	{ KEY_LINE_END, "End" },
	{ KEY_PAGE_UP, "PgUp" },
	{ KEY_PAGE_DOWN, "PgDn" },
	{ KEY_FUNCTION_1, "F1" },
	{ KEY_FUNCTION_10, "F10" },
	{ KEY_ESC, "Esc" },
	{ ' ', "space" },
	{ KEY_CTRL_L, "^L" },
	{ KEY_CTRL_U, "^U" },
	{ KEY_CTRL_Z, "^Z" },
};
enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

char *key_text(int key, char *buf, size_t room)
{
	for (unsigned i = 0; i < N_NAMES; i++)
		if (names[i].key == key) {
			text_format(buf, room, "%s", names[i].name);
			return buf;
		}
	text_format(buf, room, "%c", key > ' ' && key < 127 ? key : '?');
	return buf;
}

int key_of_name(const char *name)
{
	for (unsigned i = 0; i < N_NAMES; i++)
		if (!strcmp(names[i].name, name))
			return names[i].key;
	return name[0] > ' ' && name[0] < 127 && !name[1] ? name[0] : KEY_NONE;
}

const struct binding *key_find(const struct binding *rows, int key)
{
	for (; rows && rows->what; rows++)
		for (int k = 0; k < BINDING_KEYS; k++)
			if (key && rows->key[k] == key)
				return rows;
	return NULL;
}

static void knob_letter(int key, struct action *out)
{
	for (int i = 0; i < N_KNOBS; i++)
		if (knob_table[i].key == key) {
			out->kind = ACTION_CHOOSE;
			out->amount = i;
		}
}

/* Which of its keys it was tells an action what is meant by it, where the row says nothing else. */
static void obey_row(const struct binding *b, int screen, int key, struct action *out)
{
	out->kind = b->kind;
	out->amount = b->kind == ACTION_SHOW ? key : b->amount;
	out->screen = screen;
	out->key = key;
	out->command =
		(struct command){ .type = b->command, .cause = CAUSE_KEY, .value = b->value };
	text_format(out->text, sizeof(out->text), "%s", b->text ? b->text : "");
}

void key_action_global(int screen, int key, struct action *out)
{
	const struct binding *b = key_find(bindings, key);
	bool knobs = view_table[screen].knobs;

	*out = (struct action){ .kind = ACTION_NONE };
	if (b && (knobs || !b->knobs))
		obey_row(b, screen, key, out);
	else if (!b && knobs)
		knob_letter(key, out);
}

void key_action(int screen, int key, struct action *out)
{
	const struct view_row *row = &view_table[screen];
	const struct binding *b = key_find(row->binding, key);

	*out = (struct action){ .kind = ACTION_NONE };
	if (b)
		obey_row(b, screen, key, out);
	else
		key_action_global(screen, key, out);
}
