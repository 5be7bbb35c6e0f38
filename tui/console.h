/* The deck as it runs: terminal, session, view, script, and the loop around them. Inside of
 * console.c, actions.c and script.c. */
#ifndef IODECK_CONSOLE_H
#define IODECK_CONSOLE_H

#include "catch.h"
#include "hand.h"
#include "options.h"
#include "pace.h"
#include "screen.h"
#include "script.h"
#include "session.h"
#include "terminal.h"

struct console {
	const struct options *o;	 /* borrowed */
	struct term *term;		 /* owned */
	struct session *session;	 /* owned; NULL: none is open */
	const struct snapshot *snapshot; /* the session's; the same until console_refresh */
	struct script *script;		 /* owned; NULL: none */
	struct preset_entry *preset;	 /* owned */
	uint32_t n_presets;
	struct spec *picked; /* owned: what the picker describes */
	struct view view;
	struct event_log log;
	struct canvas grid;	 /* as last drawn */
	struct pace pace;
	enum glyphs glyphs;  /* tier where the line is fast enough */
	bool glyphs_chosen;  /* by the operator: on a slow line too */
	struct snapshot *frozen; /* owned: the picture that stands still */
	struct catch catch;
	struct hand *hand;	 /* owned; NULL: nothing real is in play */
	struct probe_watch *watch; /* owned; NULL: view 5 was never shown */
	int event_fd, signal_fd;
	bool quit, pasting, dirty;
	int status;			   /* exit status */
	char last_words[4096];	   /* for stderr when the terminal is back */
	int64_t now_ns;		   /* wall, at the last event */
	int64_t paste_ns, step_ns; /* last key pasted, last step of a knob */
	int step_knob;
};

/* console.c */
int console_run(const struct options *o);
void console_draw(struct console *c);
/* The tier that is shown now. */
enum glyphs console_glyphs(const struct console *c);

/* console_keys.c */
void console_key(struct console *c, int key);
/* All keys that are there already. */
void console_read_keys(struct console *c);
/* Do it; what does not work is said on the message row. */
void console_carry_out(struct console *c, const struct action *a);

/* desk.c */
/* Take the newest snapshot, bring the asked values up to date. Returns c->snapshot. */
const struct snapshot *console_refresh(struct console *c);
/* A sentence for the message row; `bad`: something did not work. */
void console_say(struct console *c, bool bad, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
struct language console_language(struct console *c, enum cause cause);
/* A line for the event list, and so on the message row; only there while no preset is open. */
void console_note(struct console *c, enum cause cause, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Stop the load; wait a moment until the engine says that it stands. False: it did not run. */
bool console_pause(struct console *c);
void console_go_on(struct console *c);
/* Open another preset in place of the present one. 0 or an exit status with err. */
int console_load(struct console *c, const char *word, struct err *err);

/* actions.c: carry one out. 0, or negative with err. */
int console_do(struct console *c, const struct action *a, struct err *err);

/* pick.c: the picker's keys. */
void pick_open(struct console *c);
void pick_close(struct console *c);

#endif
