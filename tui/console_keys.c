/* Keys of the deck: to the open line, to a question, to the view, to everybody. */
#include "base/clock.h"
#include "console.h"
#include "view_keys.h"
#include "views.h"

#define PASTE_QUIET_NS (1 * NS_PER_S) /* then a paste has ended, whatever was lost of it */

enum { KEYS_A_TURN = 256 };

void console_carry_out(struct console *c, const struct action *a)
{
	struct err err = { "" };

	if (console_do(c, a, &err) < 0)
		console_say(c, true, "%s", err.text);
}

static void line_key(struct console *c, int key)
{
	struct language lang = console_language(c, CAUSE_COMMAND);
	struct err err = { "" };
	struct action a;

	if (cmdline_key(&c->view.line, key, &lang, &a) == CMDLINE_ENTERED &&
	    console_do(c, &a, &err) < 0)
		cmdline_fail(&c->view.line, err.text);
}

/* Paging the plain rows; false: another key. */
static bool table_key(struct console *c, int key)
{
	int rows = screen_table_rows(&c->grid), n = screen_table_count(c->snapshot, &c->view), first = c->view.table_first;
	int last = n > rows ? n - rows : 0;

	if (key == KEY_PAGE_DOWN)
		first += rows;
	else if (key == KEY_PAGE_UP)
		first -= rows;
	else
		return false;
	c->view.table_first = first < 0 ? 0 : first > last ? last
							   : first;
	return true;
}

/* A key of a view may mean nothing there at the moment: then it is everybody's. */
static void view_key(struct console *c, int key)
{
	struct err err = { "" };
	struct action a;
	int ret;

	if (c->view.table && view_table[c->view.screen].table && table_key(c, key))
		return;
	key_action(c->view.screen, key, &a);
	ret = console_do(c, &a, &err);
	if (ret == VIEW_PASS) {
		key_action_global(c->view.screen, key, &a);
		ret = console_do(c, &a, &err);
	}
	if (ret < 0)
		console_say(c, true, "%s", err.text);
}

/* What is pasted is text for an open line, never commands by its letters. */
static bool paste_key(struct console *c, int key)
{
	if (c->now_ns - c->paste_ns > PASTE_QUIET_NS)
		c->pasting = false;
	if (key == KEY_PASTE_BEGIN && !c->view.line.open)
		console_say(c, true, "pasted text was dropped: open a line with : first");
	if (key == KEY_PASTE_BEGIN || key == KEY_PASTE_END)
		c->pasting = key == KEY_PASTE_BEGIN;
	else if (!c->pasting)
		return false;
	c->paste_ns = c->now_ns;
	if (c->view.line.open && key >= ' ' && key < KEY_FIRST_NAMED)
		line_key(c, key);
	return true;
}

void console_key(struct console *c, int key)
{
	c->dirty = true;
	pace_key(&c->pace, c->now_ns);
	if (paste_key(c, key))
		return;
	if (c->view.question[0])
		hand_key(c->hand, c, key);
	else if (c->view.line.open)
		line_key(c, key);
	else
		(view_table[c->view.screen].key ? view_table[c->view.screen].key : view_key)(c, key);
}

void console_read_keys(struct console *c)
{
	for (int i = 0; i < KEYS_A_TURN && !c->quit; i++) {
		int key = term_key(c->term);

		if (key == KEY_NONE)
			break;
		console_key(c, key);
	}
}
