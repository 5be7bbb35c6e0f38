/* One preset being run: its spec, its engine, and time from the wall or by hand. One thread (the
 * deck's). */
#ifndef IODECK_SESSION_H
#define IODECK_SESSION_H

#include "command.h"
#include "options.h"
#include "snapshot.h"

struct session;

/* Open the preset named `word`, HELD at its first step or the one behind @. `by_hand`: no thread;
 * time moves only by session_advance. `event_fd` (borrowed) is written when there is a new
 * snapshot. 0, or an exit status with err. `*out` is given. */
int session_open(const struct options *o, const char *word, bool by_hand, int event_fd,
		 struct session **out, struct err *err);
/* NULL is fine. */
void session_close(struct session *n);

/* Borrowed until session_close. */
const struct spec *session_spec(const struct session *n);
/* Newest snapshot; borrowed until the next call. */
const struct snapshot *session_snapshot(struct session *n);
/* False: the engine does not keep up; the command is lost. */
bool session_send(struct session *n, const struct command *c);
/* By hand only: run the engine for `ns` more. 0 or negative with err. */
int session_advance(struct session *n, int64_t ns, struct err *err);

#endif
