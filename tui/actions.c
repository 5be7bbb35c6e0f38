/* What the deck does for a key or a command: one function an action. */
#include <errno.h>
#include <stdlib.h>

#include "actions.h"
#include "base/text.h"
#include "console.h"
#include "shot.h"
#include "views.h"

#ifndef IODECK_VERSION
#define IODECK_VERSION "unknown"
#endif

/* ---- the deck itself ---- */

static int do_line(struct console *c, const struct action *a, struct err *err)
{
	(void)err;
	cmdline_open(&c->view.line, a->text);
	return 0;
}

static int do_help(struct console *c, const struct action *a, struct err *err)
{
	c->view.screen = SCREEN_HELP;
	c->view.help_page = 0;
	if (!a->text[0])
		return 0;
	text_format(c->view.found, sizeof(c->view.found), "%s", a->text);
	return view_table[SCREEN_HELP].find(c, c->view.found, 0, err);
}

/* ---- views ---- */

static int show(struct console *c, int view)
{
	c->view.screen = c->view.behind = (enum screen_id)view;
	return 0;
}

static int do_show(struct console *c, const struct action *a, struct err *err)
{
	int view = a->text[0] ? view_of_name(a->text) : view_of_number(a->amount);
	char list[96];

	if (view >= 0)
		return show(c, view);
	if (a->text[0])
		return err_set(err, -ENOENT, "there is no view '%s'; there are %s", a->text, view_list(list, sizeof(list)));
	return err_set(err, -ENOENT, "view %c is not built; there are %s", a->amount, view_list(list, sizeof(list)));
}

static int do_beside(struct console *c, const struct action *a, struct err *err)
{
	(void)err;
	return show(c, (int)view_beside(c->view.screen, a->amount));
}

/* In the help while it is shown, else in the view. */
static int do_find(struct console *c, const struct action *a, struct err *err)
{
	const struct view_row *row = &view_table[c->view.screen];

	if (!row->find)
		return err_set(err, -ENOENT, "nothing to be found here: view 6 and the help can be searched");
	if (a->text[0])
		text_format(c->view.found, sizeof(c->view.found), "%s", a->text);
	if (!c->view.found[0])
		return err_set(err, -EINVAL, "nothing to look for: / and a text first");
	return row->find(c, c->view.found, a->text[0] ? 0 : a->amount ? a->amount : 1, err);
}

static int do_table(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	if (!view_table[c->view.screen].table)
		return err_set(err, -ENOENT, "this has no plain rows");
	c->view.table = !c->view.table;
	c->view.table_first = 0;
	return 0;
}

static int do_view(struct console *c, const struct action *a, struct err *err)
{
	const struct view_row *row = &view_table[a->screen];

	return row->act ? row->act(c, a, err) : 0;
}

static int do_load(struct console *c, const struct action *a, struct err *err)
{
	if (!a->text[0]) {
		pick_open(c);
		return 0;
	}
	return console_load(c, a->text, err) ? -ENOENT : 0;
}

/* The next tier that can be shown here. */
static enum glyphs next_glyphs(const struct console *c)
{
	int next = (int)c->grid.glyphs;

	do
		next = (next + N_GLYPHS - 1) % N_GLYPHS;
	while (term_limit_glyphs(c->term, (enum glyphs)next) != (enum glyphs)next);
	return (enum glyphs)next;
}

static int do_glyphs(struct console *c, const struct action *a, struct err *err)
{
	enum glyphs wish = a->amount >= 0 ? (enum glyphs)a->amount : next_glyphs(c);

	if (term_limit_glyphs(c->term, wish) != wish)
		return err_set(err, -ENOTSUP, "glyphs %s: %s", glyphs_names[wish],
			       wish == GLYPHS_UTF8 ? "the locale's characters are not UTF-8"
						   : "this terminal has no lines of its own");
	c->glyphs = wish;
	c->glyphs_chosen = true;
	console_say(c, false, "glyphs %s", glyphs_names[wish]);
	return 0;
}

static int do_colours(struct console *c, const struct action *a, struct err *err)
{
	int wish = a->amount >= 0 ? a->amount : ((int)c->view.colours + 1) % N_COLOURS;

	(void)err;
	c->view.colours = term_set_colours(c->term, (enum colours)wish);
	console_say(c, false, "colours %s", colours_names[c->view.colours]);
	return 0;
}

static int do_freeze(struct console *c, const struct action *a, struct err *err)
{
	const struct snapshot *s = c->snapshot;

	(void)a;
	if (!c->frozen)
		c->frozen = malloc(sizeof(*c->frozen));
	if (!s || !c->frozen)
		return err_set(err, -ENOENT, "nothing to freeze");
	c->view.frozen = !c->view.frozen;
	*c->frozen = *s;
	return 0;
}

static int do_repaint(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	term_repaint(c->term);
	return 0;
}

/* The load stands still meanwhile, on real devices too. */
static int do_suspend(struct console *c, const struct action *a, struct err *err)
{
	bool ran = console_pause(c), stopped = term_suspend(c->term);

	(void)a;
	(void)err;
	if (stopped)
		console_note(c, CAUSE_KEY, "^Z: load and clock stood still");
	else
		console_say(c, true, "not suspended: no shell could wake this program again");
	if (ran)
		console_go_on(c);
	return 0;
}

static int do_kernel(struct console *c, const struct action *a, struct err *err) { return hand_ask(c->hand, c, a->text, a->command.cause, err); }

static int do_shot(struct console *c, const struct action *a, struct err *err)
{
	int ret;

	console_draw(c);
	ret = shot_write(&c->grid, a->text, err);
	if (!ret)
		console_say(c, false, "written: %s", a->text);
	return ret;
}

static int do_version(struct console *c, const struct action *a, struct err *err)
{
	char what[256];

	(void)a;
	(void)err;
	term_describe(c->term, console_glyphs(c), pace_slow(&c->pace), what, sizeof(what));
	console_say(c, false, "iodeck %s  %s", IODECK_VERSION, what);
	return 0;
}

/* The message first; then another view gives way to the deck, and the deck closes the caption of this step, which a second Esc brings
 * back. */
static int do_close(struct console *c, const struct action *a, struct err *err)
{
	const struct snapshot *s = c->snapshot;
	uint32_t step = s ? s->step + 1 : 0;

	(void)a;
	(void)err;
	if (c->view.message[0])
		c->view.message[0] = '\0';
	else if (c->view.screen != SCREEN_DECK)
		c->view.screen = c->view.behind = SCREEN_DECK;
	else
		c->view.read_step = c->view.read_step == step ? 0 : step;
	return 0;
}

static int do_quit(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	c->quit = true;
	return 0;
}

static do_fn *const doers[N_ACTIONS] = {
	[ACTION_ENGINE] = action_engine,
	[ACTION_CHOOSE] = action_choose,
	[ACTION_MOVE] = action_move,
	[ACTION_STEP_KNOB] = action_step_knob,
	[ACTION_TYPE_VALUE] = action_type_value,
	[ACTION_LINE] = do_line,
	[ACTION_PRESET_VALUES] = action_preset_values,
	[ACTION_HELP] = do_help,
	[ACTION_SHOW] = do_show,
	[ACTION_BESIDE] = do_beside,
	[ACTION_FIND] = do_find,
	[ACTION_TABLE] = do_table,
	[ACTION_VIEW] = do_view,
	[ACTION_LOAD] = do_load,
	[ACTION_GLYPHS] = do_glyphs,
	[ACTION_COLOURS] = do_colours,
	[ACTION_FREEZE] = do_freeze,
	[ACTION_REPAINT] = do_repaint,
	[ACTION_SUSPEND] = do_suspend,
	[ACTION_SHOT] = do_shot,
	[ACTION_KERNEL] = do_kernel,
	[ACTION_VERSION] = do_version,
	[ACTION_CLOSE] = do_close,
	[ACTION_QUIT] = do_quit,
};

int console_do(struct console *c, const struct action *a, struct err *err)
{
	c->dirty = true;
	return doers[a->kind] ? doers[a->kind](c, a, err) : 0;
}
