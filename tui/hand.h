/* The deck's hand on the machine: what the kernel tells (events), and, with --kernel, its knobs. The UI thread only asks and takes answers; nothing
 * here waits. */
#ifndef IODECK_HAND_H
#define IODECK_HAND_H

#include "base/err.h"
#include "command.h"

struct console;
struct hand;

/* Start what there is to start: the listener when real devices are in play, the knobs when --kernel was given. `*out` is given (may stay NULL). 0 or an exit
 * status with err. */
int hand_open(struct console *c, struct hand **out, struct err *err);
/* Descriptor that is readable when something is there, or -1. */
int hand_fd(const struct hand *h);
/* Take events and answers: messages, marks, questions. */
void hand_turn(struct hand *h, struct console *c);
/* ":kernel DEVICE KNOB=VALUE": ask for the plan. 0 or negative with err. */
int hand_ask(struct hand *h, struct console *c, const char *text, enum cause cause, struct err *err);
/* A key while a question stands: y does it, any other key does not. */
void hand_key(struct hand *h, struct console *c, int key);
/* The deck is left: put everything back, waiting a limited time; what happened is added to the last words. NULL is fine. */
void hand_close(struct hand *h, struct console *c);

#endif
