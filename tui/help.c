/* The help's keys, and finding in it; what it looks like is in screen_help.c. */
#include <errno.h>

#include "console.h"
#include "keys.h"
#include "view_keys.h"

static void turn_page(struct console *c, int direction)
{
	int pages = screen_help_pages(&c->grid, &c->view);

	c->view.help_page = (c->view.help_page + direction + pages) % pages;
}

/* Lines with the text, going round: from this page's first line on, behind the last one found, or before it. */
int help_find(struct console *c, const char *text, int direction, struct err *err)
{
	struct view *v = &c->view;
	int from = direction ? v->help_line + direction : v->help_page * screen_help_lines(&c->grid);
	int line = screen_help_find(&c->grid, c->snapshot, v, from, direction < 0 ? -1 : 1);

	if (line < 0)
		return err_set(err, -ENOENT, "the help has no '%s'", text);
	v->help_line = line;
	v->help_page = line / screen_help_lines(&c->grid);
	return 0;
}

static void find_next(struct console *c, int direction)
{
	struct action a = { .kind = ACTION_FIND, .amount = direction };
	struct err err = { "" };

	if (console_do(c, &a, &err) < 0)
		console_say(c, true, "%s", err.text);
}

void help_key(struct console *c, int key)
{
	c->view.message[0] = '\0';
	if (key == ' ' || key == KEY_PAGE_DOWN || key == KEY_ARROW_DOWN)
		turn_page(c, 1);
	else if (key == KEY_PAGE_UP || key == KEY_ARROW_UP)
		turn_page(c, -1);
	else if (key == '/')
		cmdline_open(&c->view.line, "find ");
	else if (key == 'n' || key == 'N')
		find_next(c, key == 'n' ? 1 : -1);
	else if (key == '?' || key == KEY_ESC || key == 'q' || key == KEY_FUNCTION_1)
		c->view.screen = c->session ? c->view.behind : SCREEN_PICKER;
}
