/* What lies on the operator's desk: the open preset, what was asked of it and not yet answered, the
 * last thing said. */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "console.h"
#include "machine.h"

#define NO_ANSWER_NS (2 * NS_PER_S)

enum {
	PAUSE_LOOKS = 10, /* the engine answers within some 10 ms, unless it hangs in a device */
	PAUSE_LOOK_MS = 50,
};

void console_say(struct console *c, bool bad, const char *fmt, ...)
{
	const struct snapshot *s = c->snapshot;
	va_list args;

	va_start(args, fmt);
	vsnprintf(c->view.message, sizeof(c->view.message), fmt, args);
	va_end(args);
	c->view.message_bad = bad;
	c->view.message_acts = s && s->n_acts ? s->act[s->n_acts - 1].number : 0;
	c->dirty = true;
}

void console_note(struct console *c, enum cause cause, const char *fmt, ...)
{
	struct command note = { .type = COMMAND_NOTE, .cause = cause };
	va_list args;

	va_start(args, fmt);
	vsnprintf(note.text, sizeof(note.text), fmt, args);
	va_end(args);
	if (!c->session || !session_send(c->session, &note))
		console_say(c, true, "%s", note.text);
}

/* ---- the load stands still ---- */

static bool stands(struct console *c)
{
	const struct snapshot *s = console_refresh(c);

	return !s || s->paused;
}

bool console_pause(struct console *c)
{
	struct command pause = { .type = COMMAND_PAUSE, .cause = CAUSE_KEY, .value = 1 };
	struct pollfd fd = { c->event_fd, POLLIN, 0 };
	uint64_t count;

	if (stands(c))
		return false;
	session_send(c->session, &pause);
	for (int i = 0; i < PAUSE_LOOKS && !stands(c); i++)
		if (poll(&fd, 1, PAUSE_LOOK_MS) > 0 && read(c->event_fd, &count, sizeof(count)) < 0)
			break;
	return true;
}

void console_go_on(struct console *c)
{
	struct command go_on = { .type = COMMAND_PAUSE, .cause = CAUSE_KEY, .value = 0 };

	if (c->session)
		session_send(c->session, &go_on);
}

struct language console_language(struct console *c, enum cause cause)
{
	return (struct language){ .spec = c->session ? session_spec(c->session) : NULL,
				  .snapshot = c->snapshot,
				  .preset = c->preset,
				  .n_presets = c->n_presets,
				  .cause = cause };
}

/* ---- what is asked and what is in effect ---- */

static bool answered(const struct snapshot *s, const struct asked *asked, int id)
{
	const struct knob_view *k = &s->knob[id];

	if (k->asked == asked->value || k->in_effect == asked->value)
		return true;
	for (uint32_t i = s->n_acts; i-- > 0 && s->act[i].number > asked->acts_seen;)
		if (s->act[i].kind == ACT_KNOB && s->act[i].ref.id == id && !s->act[i].ref.job)
			return true;
	return false;
}

static void update_asked(struct console *c, const struct snapshot *s)
{
	for (int id = 0; id < N_KNOBS; id++) {
		struct asked *asked = &c->view.asked[id];

		if (!asked->waiting)
			continue;
		if (answered(s, asked, id) || c->now_ns - asked->since_ns > NO_ANSWER_NS) {
			asked->waiting = false;
			c->dirty = true; /* what is in effect is shown at once */
		}
	}
}

const struct snapshot *console_refresh(struct console *c)
{
	c->snapshot = c->session ? session_snapshot(c->session) : NULL;
	if (c->snapshot) {
		update_asked(c, c->snapshot);
		lesson_follow(&c->view.lesson, c->snapshot);
		event_log_follow(&c->log, c->snapshot);
	}
	machine_follow(c);
	return c->snapshot;
}

/* ---- presets ---- */

/* The first knob that has an effect is the one to turn. */
static void choose_first_knob(struct console *c)
{
	const struct snapshot *s = console_refresh(c);

	c->view.knob = 0;
	while (c->view.knob < N_KNOBS - 1 && !s->knob[c->view.knob].applies)
		c->view.knob++;
}

static void begin_log(struct console *c)
{
	const struct spec *spec = session_spec(c->session);
	char text[SPEC_NAME + 64];

	event_log_clear(&c->log);
	c->log.run = 0;
	c->view.log = &c->log;
	c->view.events = (struct event_list){ 0 };
	text_format(text, sizeof(text), "preset %s opened, seed %llu", spec->name, (unsigned long long)spec->seed);
	event_log_add(&c->log, 0, false, text);
}

int console_load(struct console *c, const char *word, struct err *err)
{
	struct session *new;
	bool by_hand = c->script && script_by_hand(c->script);
	int code = session_open(c->o, word, by_hand, c->event_fd, &new, err);

	if (code)
		return code;
	session_close(c->session);
	c->session = new;
	memset(c->view.asked, 0, sizeof(c->view.asked));
	lesson_begin(&c->view.lesson, session_spec(new));
	begin_log(c);
	c->view.message[0] = '\0';
	c->view.message_acts = 0;
	c->view.frozen = false;
	c->view.read_step = 0;
	c->view.screen = c->view.behind = SCREEN_DECK;
	choose_first_knob(c);
	return 0;
}
