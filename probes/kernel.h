/* The hand that turns the kernel's knobs: one worker thread for each device, so that a write that does not come back blocks nothing else. Asked by the
 * UI thread, which never waits. */
#ifndef IODECK_KERNEL_H
#define IODECK_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"

enum { KERNEL_TEXT = 768, KERNEL_WORD = 256 };

struct kernel_options {
	const char *root;   /* "" is this machine. Another root is for tests; borrowed */
	const char *folder; /* of the undo journal; borrowed */
	struct clock clock;
	int64_t deadline_ns; /* a request that takes longer is said to be stuck */
	int64_t watch_ns;    /* how often changed settings are looked at again */
	int event_fd;	     /* eventfd written when there is an answer, or -1; borrowed */
};

struct kernel_request {
	char device[KERNEL_WORD], knob[32], value[KERNEL_WORD];
};

enum kernel_answer_kind {
	KERNEL_PLAN,	 /* what would be done; kernel_go does it */
	KERNEL_DONE,	 /* in effect, perhaps not as asked */
	KERNEL_REFUSED,	 /* by iodeck or by the kernel */
	KERNEL_STUCK,	 /* no answer within the deadline; another follows if it comes back */
	KERNEL_REVERTED, /* a setting is not any more what iodeck made it */
	KERNEL_RESTORED, /* put back; `n_left` tells what is left */
};
struct kernel_answer {
	enum kernel_answer_kind kind;
	uint64_t id;	     /* of kernel_ask; 0: nobody asked */
	bool nothing_to_do;  /* of a plan: it is so already */
	char device[64], knob[32];
	char asked[KERNEL_WORD], before[KERNEL_WORD], effect[KERNEL_WORD];
	char text[KERNEL_TEXT]; /* the sentence for the operator */
	uint32_t n_left;
};

/* "queue_depth=" for the letter that means it on the screen of devices; "" for none. */
const char *kernel_knob_begin(char letter);

struct kernel;
/* Take the undo journal. NULL with err: another iodeck has it, an earlier run left something in it. */
struct kernel *kernel_open(const struct kernel_options *o, struct err *err);
/* Ask for a plan. Its id, or 0 with err: that device still works at the last request. Never waits. */
uint64_t kernel_ask(struct kernel *k, const struct kernel_request *r, struct err *err);
/* Carry out the plan with that id, or drop it. False: there is no such plan any more. Never waits. */
bool kernel_go(struct kernel *k, uint64_t id, bool carry_out);
/* Take an answer; false when there is none. Never waits. */
bool kernel_take(struct kernel *k, struct kernel_answer *out);
/* How many settings are not as they were. */
uint32_t kernel_changed(struct kernel *k);
/* Put everything back, each device by its own worker; answers follow. The last that was changed comes first. Never waits. */
void kernel_restore(struct kernel *k);
/* Whether a worker is at something. */
bool kernel_busy(struct kernel *k);
/* End the workers that are idle and free everything; a worker that is stuck keeps its memory. Waits for none. Returns how many settings are left changed (the
 * journal then stays for `iodeck undo`). */
uint32_t kernel_close(struct kernel *k);

#endif
