/* What the keys and commands of view 6 do. */
#include "entries.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "clock_text.h"
#include "console.h"

enum deed {
	DEED_MOVE, /* `value`: entries older */
	DEED_NEWEST,
	DEED_OLDEST,
	DEED_FILTER, /* `value`: 1 + kind, 0 all, -1 the next */
	DEED_AT,     /* `value`: time */
	DEED_OPEN,
	DEED_CLOSE,
	DEED_SAVE,
	N_DEEDS,
};

#define DEED(what_it_does, how_much) .kind = ACTION_VIEW, .amount = DEED_##what_it_does, .value = (how_much)

const struct binding entries_keys[] = {
	{ { KEY_ARROW_DOWN, 'j' }, DEED(MOVE, 1), .footer = "Up Down:choose", .rank = 2, .what = "an older entry" },
	{ { KEY_ARROW_UP, 'k' }, DEED(MOVE, -1), .what = "a newer entry" },
	{ { KEY_PAGE_DOWN }, DEED(MOVE, 10), .what = "ten entries older" },
	{ { KEY_PAGE_UP }, DEED(MOVE, -10), .what = "ten entries newer" },
	{ { KEY_LINE_HOME }, DEED(NEWEST, 0), .footer = "Home:newest", .rank = 5, .what = "the newest entry, and follow what comes" },
	{ { KEY_LINE_END }, DEED(OLDEST, 0), .what = "the oldest entry" },
	{ { KEY_RETURN }, DEED(OPEN, 0), .footer = "Enter:whole entry", .rank = 3, .what = "the whole entry, open and close" },
	{ { '/' }, .kind = ACTION_LINE, .text = "find ", .footer = "/:find", .rank = 2, .what = "find a text; n the next one, N the one before" },
	{ { 'f' }, DEED(FILTER, -1), .footer = "f:kind", .rank = 3, .what = "only one kind of entries: the next kind there is" },
	{ { 'G' }, .kind = ACTION_LINE, .text = "at ", .footer = "G:time", .rank = 4, .what = "to what happened at a time: :at 01:20" },
	{ { 'y' }, .kind = ACTION_LINE, .text = "save ", .footer = "y:save", .rank = 6, .what = "write all entries to a new file" },
	{ { KEY_ESC }, DEED(CLOSE, 0), .what = "close the entry, then the message" },
	{ .what = NULL },
};

static void choose(struct console *c, uint64_t i)
{
	c->view.events.by_hand = true;
	c->view.events.at = i;
}

static int do_move(struct console *c, const struct action *a, struct err *err)
{
	uint64_t i;

	if (!entries_chosen(&c->view, &i))
		return err_set(err, -ENOENT, "there is no entry here");
	entries_walk(&c->view, i, a->command.value, &i);
	choose(c, i);
	return 0;
}

static int do_newest(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	c->view.events.by_hand = false;
	return 0;
}

static int do_oldest(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	choose(c, 0);
	return 0;
}

/* Kinds of which there is nothing are left out. */
static int next_kind(const struct console *c)
{
	struct view trial = { .log = &c->log };
	uint64_t i;

	for (trial.events.filter = c->view.events.filter + 1; trial.events.filter <= N_ENTRY_KINDS; trial.events.filter++)
		if (entries_chosen(&trial, &i))
			return trial.events.filter;
	return 0;
}

static int do_filter(struct console *c, const struct action *a, struct err *err)
{
	(void)err;
	c->view.events.filter = a->command.value < 0 ? next_kind(c) : (int)a->command.value;
	return 0;
}

/* The newest entry at that time or before; before the first one, the oldest. */
static int do_at(struct console *c, const struct action *a, struct err *err)
{
	const struct event_log *l = &c->log;
	uint64_t i = l->begun;

	if (!i)
		return err_set(err, -ENOENT, "nothing happened so far");
	while (i > event_log_first(l) && event_log_at(l, i - 1)->t_ns > a->command.value)
		i--;
	choose(c, i ? i - 1 : 0);
	c->view.screen = c->view.behind = SCREEN_EVENTS;
	return 0;
}

static int do_open(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	c->view.events.open = !c->view.events.open;
	return 0;
}

static int do_close(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	if (!c->view.events.open)
		return VIEW_PASS;
	c->view.events.open = false;
	return 0;
}

static int do_save(struct console *c, const struct action *a, struct err *err)
{
	int ret = event_log_save(&c->log, a->text, err);

	if (!ret)
		console_say(c, false, "written: %s", a->text);
	return ret;
}

int entries_act(struct console *c, const struct action *a, struct err *err)
{
	static int (*const deeds[N_DEEDS])(struct console *c, const struct action *a, struct err *err) = {
		[DEED_MOVE] = do_move, [DEED_NEWEST] = do_newest, [DEED_OLDEST] = do_oldest, [DEED_FILTER] = do_filter,
		[DEED_AT] = do_at,     [DEED_OPEN] = do_open,	  [DEED_CLOSE] = do_close,   [DEED_SAVE] = do_save,
	};

	return deeds[a->amount](c, a, err);
}

/* `direction` +1: older; the chosen one itself counts only for a new text (0). */
int entries_find(struct console *c, const char *text, int direction, struct err *err)
{
	struct view *v = &c->view;
	uint64_t from, i, next;

	if (!entries_chosen(v, &from))
		return err_set(err, -ENOENT, "nothing happened so far");
	for (i = from;; i = next) {
		const struct entry *e = event_log_at(&c->log, i);

		if ((direction == 0 || i != from) && entries_found(v, e))
			return choose(c, i), 0;
		if (!entries_walk(v, i, direction < 0 ? -1 : 1, &next) || next == i)
			return err_set(err, -ENOENT, "no %s entry has '%s'", direction < 0 ? "newer" : "older", text);
	}
}

/* ---- commands ---- */

static int parse_kind(const struct words *w, const struct language *lang, struct action *out, int *bad, struct err *err)
{
	(void)lang;
	*bad = 1;
	out->command.value = 0;
	if (!strcmp(w->word[0], "all"))
		return 0;
	for (int i = 0; i < N_ENTRY_KINDS; i++)
		if (!strcmp(w->word[0], entry_kind_names[i]))
			out->command.value = i + 1;
	return out->command.value ? 0 : err_set(err, -EINVAL, "'%s' is no kind of entry: Tab shows them", w->word[0]);
}

static int parse_at(const struct words *w, const struct language *lang, struct action *out, int *bad, struct err *err)
{
	(void)lang;
	*bad = 1;
	return clock_parse(w->word[0], &out->command.value) ? 0 : err_set(err, -EINVAL, "'%s' is no time such as 01:20 or 80s", w->word[0]);
}

static int parse_file(const struct words *w, const struct language *lang, struct action *out, int *bad, struct err *err)
{
	(void)lang;
	(void)err;
	*bad = 1;
	text_format(out->text, sizeof(out->text), "%s", w->rest);
	return 0;
}

#define EVENTS(what_it_does) .kind = ACTION_VIEW, .screen = SCREEN_EVENTS, .amount = DEED_##what_it_does

static const char *const kinds[] = { "all", "knob", "settle", "path", "disk", "fault", "step", "outside", "device", "mark", "note", "deck", "kernel", "refused", NULL };

const struct line_row entries_lines[] = {
	{ "kind", "KIND|all", "view 6 shows only such entries", 1, 1, .word = { WORD_CHOICE }, .choices = kinds, EVENTS(FILTER), .parse = parse_kind },
	{ "at", "TIME", "view 6 at a time of the run: 01:20, 80s", 1, 1, EVENTS(AT), .parse = parse_at },
	{ "save", "FILE", "write the entries of view 6; never over a file", 1, 1, true, EVENTS(SAVE), .parse = parse_file },
	{ .name = NULL },
};
