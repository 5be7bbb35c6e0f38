#include "hand.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "console.h"
#include "events.h"
#include "kernel.h"
#include "undo.h"

#define DEADLINE_NS (2 * NS_PER_S)
#define WATCH_NS    (1 * NS_PER_S)
#define LEAVE_NS    (5 * NS_PER_S)

#define PERIOD_NS   (10 * NS_PER_S)

enum { EVENTS_A_TURN = 64, TOLD_A_PERIOD = 12, NOTED_A_PERIOD = 2 };

struct hand {
	int fd;
	struct uevent_socket *socket; /* owned; NULL: the kernel's events cannot be had */
	struct events *events;	      /* owned; NULL: as above */
	struct kernel *kernel;	      /* owned; NULL: without --kernel */
	uint64_t asked;		      /* plan that the question is about; 0: none */
	enum cause cause;
	int64_t period_ns;	      /* since when told events are counted */
	uint32_t n_told, n_noted, n_left_out;
};

/* ---- begin ---- */

static void listen_to_events(struct hand *h, struct console *c)
{
	struct events_options o = { .root = "", .clock = clock_monotonic(), .event_fd = h->fd };
	struct err err;

	h->socket = uevent_socket_open(&err);
	if (h->socket) {
		o.source = uevent_socket_source(h->socket);
		h->events = events_open(&o, &err);
	}
	if (!h->events)
		console_say(c, true, "%s", err.text);
}

static int take_kernel(struct hand *h, struct err *err)
{
	struct kernel_options o = { .root = "",
				    .folder = UNDO_FOLDER,
				    .clock = clock_monotonic(),
				    .deadline_ns = DEADLINE_NS,
				    .watch_ns = WATCH_NS,
				    .event_fd = h->fd };

	h->kernel = kernel_open(&o, err);
	return h->kernel ? EXIT_DONE : EXIT_REFUSED;
}

int hand_open(struct console *c, struct hand **out, struct err *err)
{
	bool real = c->o->kernel || c->o->n_targets;
	struct hand *h = real ? calloc(1, sizeof(*h)) : NULL;
	int code = EXIT_DONE;

	*out = h;
	if (!h)
		return EXIT_DONE;
	h->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (c->o->kernel)
		code = take_kernel(h, err);
	if (!code)
		listen_to_events(h, c);
	return code;
}

int hand_fd(const struct hand *h) { return h ? h->fd : -1; }

/* ---- what is told ---- */

/* What counts is compared with the time before it and, as a mark, stands in the strips; the rest is noted. */
enum weight { NOTED = -1, MARKED = 0, COUNTS = 1 };

static void mark(struct console *c, enum weight weight, enum cause cause, const char *text)
{
	struct command command = { .type = COMMAND_OUTSIDE, .cause = cause, .value = weight };

	text_format(command.text, sizeof(command.text), "%s", text);
	if (c->session)
		session_send(c->session, &command);
}

static const enum weight weights[] = {
	[EVENT_PATH_FAILED] = COUNTS, [EVENT_PATH_BACK] = COUNTS, [EVENT_ADDED] = MARKED,
	[EVENT_REMOVED] = MARKED,     [EVENT_CHANGED] = NOTED,	  [EVENT_GAP] = MARKED,
};

/* "sda changed" is told of the devices under this load only: udev and others make a lot of it. */
static bool of_interest(const struct console *c, const struct event *e)
{
	if (weights[e->kind] != NOTED)
		return true;
	for (uint32_t i = 0; i < c->o->n_targets; i++) {
		const char *slash = strrchr(c->o->target[i], '/'), *name = slash ? slash + 1 : c->o->target[i];
		size_t n = strlen(name);

		if (!strncmp(e->text, name, n) && e->text[n] == ' ')
			return true;
	}
	return false;
}

/* A storm must not fill the list of acts: in ten seconds only so many are told, the others counted. Mere changes have a limit of their own. */
static bool in_budget(struct hand *h, struct console *c, enum weight weight)
{
	uint32_t *n = weight == NOTED ? &h->n_noted : &h->n_told, most = weight == NOTED ? NOTED_A_PERIOD : TOLD_A_PERIOD;
	char text[COMMAND_TEXT];

	if (c->now_ns - h->period_ns > PERIOD_NS) {
		text_format(text, sizeof(text), "%u more events of devices", h->n_left_out);
		if (h->n_left_out)
			mark(c, NOTED, CAUSE_KERNEL, text);
		h->period_ns = c->now_ns;
		h->n_told = h->n_noted = h->n_left_out = 0;
	}
	if (*n == most) {
		h->n_left_out++;
		return false;
	}
	++*n;
	return true;
}

static void take_events(struct hand *h, struct console *c)
{
	struct event e;

	for (int i = 0; i < EVENTS_A_TURN && h->events && events_take(h->events, &e); i++) {
		char text[COMMAND_TEXT];

		if (!of_interest(c, &e) || (weights[e.kind] != COUNTS && e.kind != EVENT_GAP && !in_budget(h, c, weights[e.kind])))
			continue;
		text_format(text, sizeof(text), e.times > 1 ? "%s (%u times)" : "%s", e.text, e.times);
		mark(c, weights[e.kind], CAUSE_KERNEL, text);
	}
}

static void ask_operator(struct hand *h, struct console *c, const struct kernel_answer *a)
{
	if (a->nothing_to_do) {
		kernel_go(h->kernel, a->id, false);
		console_say(c, false, "%s", a->text);
		return;
	}
	h->asked = a->id;
	text_format(c->view.question, sizeof(c->view.question), "%s", a->text);
	c->dirty = true;
}

static void take_answer(struct hand *h, struct console *c, const struct kernel_answer *a)
{
	if (a->kind == KERNEL_PLAN) {
		ask_operator(h, c, a);
		return;
	}
	if (a->kind == KERNEL_DONE || a->kind == KERNEL_REVERTED)
		mark(c, COUNTS, a->kind == KERNEL_DONE ? h->cause : CAUSE_KERNEL, a->text);
	console_say(c, a->kind != KERNEL_DONE && a->kind != KERNEL_RESTORED, "%s", a->text);
	if (a->kind == KERNEL_DONE || a->kind == KERNEL_REVERTED)
		c->view.message_acts++; /* the engine's own line about it follows and says less */
}

void hand_turn(struct hand *h, struct console *c)
{
	struct kernel_answer a;
	uint64_t count;

	if (!h)
		return;
	if (read(h->fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return;
	take_events(h, c);
	while (h->kernel && kernel_take(h->kernel, &a))
		take_answer(h, c, &a);
}

/* ---- what is asked ---- */

int hand_ask(struct hand *h, struct console *c, const char *text, enum cause cause, struct err *err)
{
	const char *equals = strchr(text, '='), *blank = strchr(text, ' ');
	struct kernel_request r;

	if (!h || !h->kernel)
		return err_set(err, -EPERM, "the kernel's settings are left alone: start with --kernel to turn them");
	if (!equals || !blank || blank > equals || equals - blank >= (int)sizeof(r.knob))
		return err_set(err, -EINVAL, "kernel %s: DEVICE KNOB=VALUE, e.g. sda queue_depth=32", text);
	text_format(r.device, sizeof(r.device), "%.*s", (int)(blank - text), text);
	text_format(r.knob, sizeof(r.knob), "%.*s", (int)(equals - blank - 1), blank + 1);
	text_format(r.value, sizeof(r.value), "%s", equals + 1);
	if (!kernel_ask(h->kernel, &r, err))
		return -EBUSY;
	h->cause = cause;
	console_say(c, false, "%s %s: looking what it is now", r.device, r.knob);
	return 0;
}

void hand_key(struct hand *h, struct console *c, int key)
{
	bool yes = key == 'y' || key == 'Y';

	if (!kernel_go(h->kernel, h->asked, yes))
		console_say(c, true, "that plan is gone: ask again");
	else
		console_say(c, false, yes ? "asked of the kernel" : "not done");
	h->asked = 0;
	c->view.question[0] = '\0';
}

/* ---- the end ---- */

static void add_words(struct console *c, const char *text)
{
	size_t n = strlen(c->last_words);

	text_format(c->last_words + n, sizeof(c->last_words) - n, "%s%s", n ? "\n" : "", text);
}

/* Until all workers are idle, or the limit. */
static void put_back(struct hand *h, struct console *c)
{
	struct clock clock = clock_monotonic();
	int64_t until_ns = clock_now(&clock) + LEAVE_NS;
	struct kernel_answer a;

	kernel_restore(h->kernel);
	while (kernel_busy(h->kernel) && clock_now(&clock) < until_ns) {
		struct pollfd fd = { h->fd, POLLIN, 0 };
		uint64_t count;

		if (poll(&fd, 1, 50) > 0 && read(h->fd, &count, sizeof(count)) < 0)
			break;
	}
	while (kernel_take(h->kernel, &a))
		if (a.kind == KERNEL_RESTORED)
			add_words(c, a.text);
}

void hand_close(struct hand *h, struct console *c)
{
	uint32_t left;
	char text[128];

	if (!h)
		return;
	events_close(h->events);
	uevent_socket_close(h->socket);
	if (h->kernel) {
		put_back(h, c);
		left = kernel_close(h->kernel);
		text_format(text, sizeof(text), "%u of the kernel's settings are NOT as they were: 'iodeck undo' puts them back", left);
		if (left)
			add_words(c, text);
		if (left && !c->status)
			c->status = EXIT_FAILED;
	}
	if (h->fd >= 0)
		close(h->fd); /* kernel_close: a stuck worker does not write to it any more */
	free(h);
}
