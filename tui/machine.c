/* What the keys of view 5 do, and the thread that looks. */
#include "machine.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "console.h"
#include "kernel.h"

#define LOOK_NS NS_PER_S /* between two samples */

enum deed {
	DEED_MOVE, /* `value`: devices down */
	DEED_OPEN,
	DEED_CLOSE,
	DEED_KERNEL,
	N_DEEDS,
};

#define DEED(what_it_does, how_much) .kind = ACTION_VIEW, .amount = DEED_##what_it_does, .value = (how_much)

const struct binding machine_keys[] = {
	{ { KEY_ARROW_DOWN, 'j' }, DEED(MOVE, 1), .footer = "Up Down:device", .rank = 2, .what = "the next device" },
	{ { KEY_ARROW_UP, 'k' }, DEED(MOVE, -1), .what = "the device above" },
	{ { KEY_PAGE_DOWN }, DEED(MOVE, 10), .what = "ten devices on" },
	{ { KEY_PAGE_UP }, DEED(MOVE, -10), .what = "ten devices back" },
	{ { KEY_LINE_HOME }, DEED(MOVE, -PROBE_MAX_DEVICES), .what = "the first device" },
	{ { KEY_LINE_END }, DEED(MOVE, PROBE_MAX_DEVICES), .what = "the last device" },
	{ { KEY_RETURN }, DEED(OPEN, 0), .footer = "Enter:details", .rank = 3, .what = "the chosen device alone, and back" },
	{ { 'K' }, DEED(KERNEL, 0), .footer = "K:kernel", .rank = 6, .what = "begin :kernel for the chosen device (needs --kernel)" },
	{ { 'd' }, DEED(KERNEL, 'd'), .what = "its queue depth, by :kernel" },
	{ { 'p' }, DEED(KERNEL, 'p'), .what = "its path selector, by :kernel" },
	{ { 'b' }, DEED(KERNEL, 'b'), .what = "the power of its resync, by :kernel" },
	{ { 'a' }, DEED(KERNEL, 'a'), .what = "the aliases of its LCU, by :kernel" },
	{ { KEY_ESC }, DEED(CLOSE, 0), .what = "back to all devices, then close the message" },
	{ .what = NULL },
};

static int none(struct err *err) { return err_set(err, -ENOENT, "there is no device to choose"); }

static void choose(struct console *c, int i)
{
	text_format(c->view.machine.device, sizeof(c->view.machine.device), "%s", c->view.machine.now->device[i].kernel);
}

static int do_move(struct console *c, const struct action *a, struct err *err)
{
	int64_t i = machine_chosen(&c->view), last;

	if (i < 0)
		return none(err);
	last = c->view.machine.now->n_devices - 1;
	i += a->command.value;
	choose(c, (int)(i < 0 ? 0 : i > last ? last : i));
	return 0;
}

static int do_open(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	c->view.machine.open = !c->view.machine.open;
	return 0;
}

static int do_close(struct console *c, const struct action *a, struct err *err)
{
	(void)a;
	(void)err;
	if (!c->view.machine.open)
		return VIEW_PASS;
	c->view.machine.open = false;
	return 0;
}

static int do_kernel(struct console *c, const struct action *a, struct err *err)
{
	struct action line = { .kind = ACTION_LINE };
	int i = machine_chosen(&c->view);

	if (i < 0)
		return none(err);
	text_format(line.text, sizeof(line.text), "kernel %s %s", c->view.machine.now->device[i].kernel, kernel_knob_begin((char)a->command.value));
	return console_do(c, &line, err);
}

int machine_act(struct console *c, const struct action *a, struct err *err)
{
	static int (*const deeds[N_DEEDS])(struct console *c, const struct action *a, struct err *err) = {
		[DEED_MOVE] = do_move,
		[DEED_OPEN] = do_open,
		[DEED_CLOSE] = do_close,
		[DEED_KERNEL] = do_kernel,
	};

	return deeds[a->amount](c, a, err);
}

/* By name, label, kind or state; from the chosen one on, around the end. */
int machine_find(struct console *c, const char *text, int direction, struct err *err)
{
	const struct probe_snapshot *p = c->view.machine.now;
	int from = machine_chosen(&c->view), n;

	if (from < 0)
		return none(err);
	n = (int)p->n_devices;
	for (int k = direction ? 1 : 0; k <= n; k++) {
		const struct probe_device *d = &p->device[((direction < 0 ? from - k : from + k) % n + n) % n];

		if (strcasestr(d->name, text) || strcasestr(d->label, text) || strcasestr(d->kind, text) || strcasestr(d->state.word, text))
			return choose(c, (int)(d - p->device)), 0;
	}
	return err_set(err, -ENOENT, "no device has '%s' in its name, kind or state", text);
}

/* ---- looking ---- */

static bool shown(const struct view *v) { return v->screen == SCREEN_MACHINE || v->behind == SCREEN_MACHINE; }

void machine_follow(struct console *c)
{
	struct err err = { "" };
	bool fresh = false;

	if (!c->watch && shown(&c->view) && !c->view.machine.error[0]) {
		text_format(c->view.machine.root, sizeof(c->view.machine.root), "%s", c->o->sysroot ? c->o->sysroot : "");
		c->watch = probe_watch_start(c->view.machine.root, LOOK_NS, &err);
		if (!c->watch)
			text_format(c->view.machine.error, sizeof(c->view.machine.error), "%s", err.text);
	}
	if (!c->watch || c->view.frozen)
		return;
	c->view.machine.now = probe_watch_latest(c->watch, &fresh);
	if (fresh && shown(&c->view))
		c->dirty = true;
}

void machine_leave(struct console *c)
{
	probe_watch_stop(c->watch);
	c->watch = NULL;
	c->view.machine.now = NULL;
}
