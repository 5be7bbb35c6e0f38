/* What happened since the preset was opened, or since its run was begun anew: the acts of the engine, what came of each, and what the
 * deck itself had to say. Bounded: the oldest go first, and their number is told. One thread (the deck's). */
#ifndef IODECK_EVENT_LOG_H
#define IODECK_EVENT_LOG_H

#include "snapshot.h"

enum entry_kind {
	ENTRY_KNOB,
	ENTRY_SETTLE, /* what a change brought */
	ENTRY_PATH,
	ENTRY_DISK,
	ENTRY_FAULT, /* on purpose: errors, delays */
	ENTRY_STEP,
	ENTRY_OUTSIDE, /* what the system told: a path gone, a device added */
	ENTRY_DEVICE, /* real storage, and what was read back from it */
	ENTRY_MARK,
	ENTRY_NOTE,
	ENTRY_DECK, /* the console itself: presets, files, messages of libraries */
	ENTRY_KERNEL,  /* what the kernel told, or was told */
	ENTRY_REFUSED, /* of no entry: all that did not work, whatever its kind */
	N_ENTRY_KINDS,
};
extern const char *const entry_kind_names[N_ENTRY_KINDS + 1]; /* ends with NULL */

enum { ENTRIES_KEPT = 2000 };

struct entry {
	enum entry_kind kind;
	bool bad;	 /* refused, failed */
	uint64_t act;	 /* its number; 0: none of the engine's */
	uint32_t marker; /* digit in the strips; 0: none */
	enum cause cause;
	int64_t t_ns;	  /* of the run */
	uint64_t request; /* requests completed before it */
	char text[208];
};

struct event_log {
	struct entry *entry; /* owned: a ring of ENTRIES_KEPT, NULL while empty */
	uint64_t begun;	     /* entries ever made; entry i is kept while begun - i <= ENTRIES_KEPT */
	uint64_t lost;	     /* acts that came faster than they could be read */
	uint64_t last_act;
	struct verdict_told {
		uint64_t act;
		double ratio;
		bool settled;
	} told[SNAPSHOT_ACTS]; /* by number: what needs not be told again */
	uint32_t run; /* of the snapshots: another one is another story */
};

/* Empty again; memory stays. */
void event_log_clear(struct event_log *l);
void event_log_release(struct event_log *l);
/* Take the acts that are new, and verdicts that came or changed. */
void event_log_follow(struct event_log *l, const struct snapshot *s);
/* The deck's own. `bad`: something did not work. */
void event_log_add(struct event_log *l, int64_t t_ns, bool bad, const char *text);

/* Oldest entry that is kept, and entry `i` (first..begun - 1); NULL: it is not kept. */
uint64_t event_log_first(const struct event_log *l);
const struct entry *event_log_at(const struct event_log *l, uint64_t i);
/* All entries as text, oldest first, to a new file. 0 or negative with err. */
int event_log_save(const struct event_log *l, const char *path, struct err *err);

#endif
