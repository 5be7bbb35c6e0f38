/* The picker's keys; what it looks like is in screen_picker.c. */
#include <string.h>

#include "base/text.h"
#include "console.h"
#include "keys.h"
#include "view_keys.h"

/* Read the chosen preset, so that its description can be shown. */
static void describe(struct console *c)
{
	struct picker *p = &c->view.picker;
	const struct preset_entry *e = picker_at(p, p->chosen);
	struct err err;

	spec_free(c->picked);
	c->picked = NULL;
	p->error[0] = '\0';
	if (e && preset_load(e->path, &c->picked, &err))
		text_format(p->error, sizeof(p->error), "%s", err.text);
	p->spec = c->picked;
}

static void choose(struct console *c, int64_t at)
{
	struct picker *p = &c->view.picker;
	int64_t last = (int64_t)picker_count(p) - 1;

	p->chosen = (uint32_t)(at < 0 || last < 0 ? 0 : at > last ? last
								  : at);
	describe(c);
}

void pick_open(struct console *c)
{
	struct picker *p = &c->view.picker;
	uint32_t first = 0;

	*p = (struct picker){ .preset = c->preset, .n_presets = c->n_presets };
	for (uint32_t i = 0; i < c->n_presets; i++)
		if (!strcmp(c->preset[i].name, "quickstart"))
			first = i;
	c->view.screen = SCREEN_PICKER;
	choose(c, first);
}

void pick_close(struct console *c)
{
	spec_free(c->picked);
	c->picked = NULL;
	c->view.picker.spec = NULL;
	c->view.screen = c->view.behind;
}

static void open_chosen(struct console *c)
{
	struct picker *p = &c->view.picker;
	const struct preset_entry *e = picker_at(p, p->chosen);
	struct err err;

	if (e && console_load(c, e->path, &err))
		console_say(c, true, "%s", err.text);
	else if (e)
		pick_close(c);
}

/* The same in view 4, where its steps are a lesson. */
static void open_as_lesson(struct console *c)
{
	open_chosen(c);
	if (c->view.screen == SCREEN_DECK)
		c->view.screen = c->view.behind = SCREEN_STEPS;
}

/* Without a preset behind it there is nothing to go back to. */
static void leave(struct console *c)
{
	if (c->session)
		pick_close(c);
	else
		c->quit = true;
}

static void type(struct console *c, int key)
{
	struct picker *p = &c->view.picker;
	size_t n = strlen(p->filter);

	if (key == KEY_CTRL_U)
		n = 0;
	else if (key == KEY_BACK && n)
		n--;
	else if (key > ' ' && key < 0x7f && n + 1 < sizeof(p->filter))
		p->filter[n++] = (char)key;
	p->filter[n] = '\0';
	choose(c, 0);
}

static void move_by(struct console *c, int64_t rows)
{
	choose(c, (int64_t)c->view.picker.chosen + rows);
}

void pick_key(struct console *c, int key)
{
	static const struct {
		int key, rows;
	} moves[] = {
		{ KEY_ARROW_UP, -1 },
		{ KEY_ARROW_DOWN, 1 },
		{ KEY_PAGE_UP, -10 },
		{ KEY_PAGE_DOWN, 10 },
		{ KEY_LINE_HOME, -9999 },
		{ KEY_LINE_END, 9999 },
	};

	c->view.message[0] = '\0';
	for (unsigned i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		if (moves[i].key == key) {
			move_by(c, moves[i].rows);
			return;
		}
	if (key == KEY_RETURN)
		open_chosen(c);
	else if (key == KEY_TAB)
		open_as_lesson(c);
	else if (key == KEY_ESC || key == KEY_FUNCTION_10)
		leave(c);
	else
		type(c, key);
}
