/* A volume as ASM lays it out: extents of one allocation unit (AU), each with one to three copies on disks of different failure
 * groups; reads from the first copy that survives, writes to all. Rebalance moves copies while the load runs. One disk is one LUN of the
 * stack below. Called by the worker's thread only. */
#ifndef IODECK_STACK_VOLUME_H
#define IODECK_STACK_VOLUME_H

#include "base/err.h"
#include "stack/io.h"

struct stack;
struct journal;       /* journal.h */
struct journal_entry;
struct journal_image;

enum { VOLUME_RESYNCS = 8 }; /* AU made equal at once */
enum { VOLUME_MAX_DISKS = 64, VOLUME_MAX_COPIES = 3, VOLUME_SPARES = 8 };

enum disk_state {
	DISK_ABSENT,   /* not in the group */
	DISK_ONLINE,
	DISK_DROPPING, /* its copies are being moved away */
	DISK_FAILED,   /* lost; its copies are restored elsewhere if it leaves and that is possible */
	DISK_HUNG,     /* to be dropped, but there is no legal place for its copies */
	DISK_DROPPED,  /* gone, nothing left on it */
	N_DISK_STATES,
};
extern const char *const disk_state_names[N_DISK_STATES];

/* The words of V$ASM_OPERATION. */
enum rebalance_state { REBALANCE_NONE, REBALANCE_RUN, REBALANCE_WAIT, REBALANCE_HALT, REBALANCE_DONE, N_REBALANCE_STATES };
extern const char *const rebalance_state_names[N_REBALANCE_STATES];

struct volume_params {
	uint32_t copies, disks, failgroups; /* failgroups: disk i in group i mod N; 0: one each */
	uint64_t au_bytes, size_bytes;
	uint32_t power; /* relocations in flight */
	bool auto_rebalance;
	/* real disks; 0: whatever is asked */
	uint32_t known;      /* disks there are, with the spare ones */
	uint32_t slots;      /* AU each of them holds */
	uint32_t first_slot; /* the slots before it are not the volume's */
};

struct place {
	uint16_t disk;
	uint32_t slot; /* in AU */
};

struct extent {
	struct place copy[VOLUME_MAX_COPIES];
	uint32_t writers; /* writes under way: a move waits for their end */
	bool moving;      /* writes wait */
	uint8_t intent;   /* enum extent_intent; with a journal only */
	uint8_t age;      /* marks ago that it was written last */
	bool touched;     /* it was written once, in whatever session */
	bool unsure;      /* its copies may differ: a crash interrupted writes. Requests wait until they were made equal */
	bool stuck;       /* a copy could not be moved for an I/O error: not tried again before the next change of the group */
};

/* Whether the journal says that an AU may be written. */
enum extent_intent { INTENT_CLEAN, INTENT_ASKED, INTENT_DIRTY };

struct volume_disk {
	enum disk_state state;
	bool lost;             /* failed: cannot be read or written any more */
	bool leaving;          /* its copies are to go: asked for, or by itself when it is lost */
	uint8_t stays;         /* bits: why copies on it cannot go (rebalance_plan.c) */
	bool joining;          /* added, and the rebalance that fills it is not done */
	uint32_t group;
	uint32_t n_copies;     /* AU on it */
	int32_t under_way;     /* what the moves under way will add to that, or take from it */
	uint32_t next_slot;
	uint32_t *free_slot;   /* owned stack of slots given back */
	uint32_t n_free, free_room;
	uint32_t in_flight;
	int64_t busy_since_ns, busy_ns;
	uint32_t noted;        /* flags the journal has been given */
	uint64_t id;           /* as on its label */
	int error;             /* why it was lost by itself (negative errno); 0: it was not */
};

/* One copy that goes to another disk. */
struct move {
	uint32_t extent;
	uint16_t target;
	uint8_t copy;
};
struct rebalance {
	enum rebalance_state state;
	struct move *plan; /* owned: still to do, from `next` on */
	uint32_t n_plan, plan_room, next;
	uint32_t in_flight;
	struct io_queue draining; /* of those in flight, what waits for the writers of its extent */
	struct io_queue committing; /* of those in flight, what is written, but its new place is not durable */
	uint32_t sofar, est_work; /* AU */
	int64_t started_ns, ended_ns, hung_ns;
	char reason[128];         /* why it waits */
	/* recent speed: done at the last marks, a second apart */
	uint32_t mark[16];
	int64_t next_mark_ns;
	uint32_t n_marks;
};

struct volume {
	struct volume_params p;
	struct stack *stack;   /* borrowed */
	struct io_pool *pool;  /* borrowed */
	struct extent *extent; /* owned */
	uint32_t n_extents;
	struct volume_disk disk[VOLUME_MAX_DISKS];
	uint32_t n_disks;      /* known, present or not */
	struct rebalance rebalance;
	struct io_queue waiting; /* writes to an extent that moves */
	struct io_queue failing; /* user requests that no disk could take; each has a TIMER_FAILED */
	/* with a journal (volume_durable.c, resync.c) */
	struct journal *journal;  /* borrowed; NULL: nothing outlives the process */
	struct io_queue intents;  /* writes whose AU are not yet marked */
	struct io_queue unacked;  /* users' writes that are done, but that a copy missed them is not durable */
	struct io_queue acked;    /* and now it is */
	uint32_t n_disk_notes;    /* entries about disks that are not durable */
	bool polls;               /* a TIMER_JOURNAL is set */
	uint32_t n_unsure, next_unsure, resyncs; /* AU to be made equal; where to look; how many at work */
	uint64_t n_resynced, n_unreadable;
	uint64_t failed_reads, relocations;
	bool failed;             /* memory ran out */
};

/* Disks are LUNs 0..; the stack has at least p->disks + VOLUME_SPARES of them. 0, -ENOMEM, or -EINVAL with err (no legal layout, no
 * room). */
int volume_init(struct volume *v, const struct volume_params *p, struct stack *s, struct io_pool *pool, struct err *err);
void volume_release(struct volume *v);

/* Requests of the pool that one user request of `bytes` may need besides itself. */
uint32_t volume_fan(const struct volume_params *p, uint64_t bytes);

/* A user request (offset in the volume). */
void volume_submit(struct volume *v, struct io *io);
/* A device request came back: the user request that is finished by it, or NULL. Times of the last part are copied into it. */
struct io *volume_complete(struct volume *v, struct io *part);
/* A TIMER_FAILED is due: the user request that failed. */
struct io *volume_take_failed(struct volume *v);

/* A disk is lost, is to be dropped, joins (again). 0; -ENOENT, -EALREADY, -EINVAL, -ENOMEM with err. */
int volume_fail(struct volume *v, uint32_t disk, struct err *err);
int volume_drop(struct volume *v, uint32_t disk, struct err *err);
int volume_add(struct volume *v, uint32_t disk, struct err *err);
void volume_set_power(struct volume *v, uint32_t power);

/* AU per minute over the last seconds; 0 when nothing moved. */
double volume_rate(const struct volume *v);
bool volume_hung(const struct volume *v);

/* From now on all that must outlive the process goes to `j`. The map, the disks and what was being written are as in `m` (borrowed for the
 * call); disks whose bit is in `missing` are not there. 0, -ENOMEM. */
int volume_restore(struct volume *v, struct journal *j, const struct journal_image *m, uint64_t missing, struct err *err);
/* A TIMER_JOURNAL or TIMER_CLEAN is due; afterwards volume_take_acked gives users' requests, NULL at the end. */
void volume_turn_journal(struct volume *v);
void volume_clean(struct volume *v);
struct io *volume_take_acked(struct volume *v);
/* The end: nothing is out any more, so all AU are clean. */
void volume_park(struct volume *v);

/* ---- between volume*.c and rebalance*.c ---- */
bool volume_may_write(struct volume *v, const struct io *user); /* its AU are marked; else they will be, and it must wait */
void volume_note_disks(struct volume *v);                       /* tell the journal what changed */
void volume_commit_place(struct volume *v, struct io *io);      /* a copy is whole on its new place: rebalance_placed when that is durable */
void volume_send_again(struct volume *v, struct io_queue *q);
void volume_poll_journal(struct volume *v);
void resync_step(struct volume *v);
void resync_complete(struct volume *v, struct io *io);
void rebalance_placed(struct volume *v, struct io *io);
void volume_lose_disk(struct volume *v, uint32_t disk, int error); /* by itself, for this negative errno */
int64_t volume_now(const struct volume *v);
bool volume_legal(const struct volume *v, const struct extent *x, uint32_t copy, uint32_t disk);
#define VOLUME_NO_SLOT UINT32_MAX
uint32_t volume_take_slot(struct volume *v, uint32_t disk); /* or VOLUME_NO_SLOT: none is free just now */
void volume_give_slot(struct volume *v, struct place p);
/* The next disk from `turn` on that may take the copy, or -1; turn moves behind it. */
int volume_next_target(const struct volume *v, const struct extent *x, uint32_t copy, uint32_t *turn);
int volume_room_for_free_slots(struct volume_disk *d, uint32_t n);
/* First copy that can be read and whose disk's bit is not in `tried`, or -1. */
int volume_first_copy(const struct volume *v, const struct extent *x, uint64_t tried);
void volume_send_part(struct volume *v, struct io *part, uint32_t disk, uint64_t offset_bytes);
void volume_resume_waiting(struct volume *v);
/* rebalance_plan.c: what to move, made anew from the map as it is; what is in flight stays so. */
int rebalance_plan(struct volume *v, struct err *err);
bool rebalance_left_behind(const struct volume *v);  /* a disk that leaves still has copies */
void rebalance_name_reason(struct volume *v);
/* rebalance.c: moving it. */
void rebalance_begin(struct volume *v);              /* there is a new plan */
void rebalance_written(struct volume *v, uint32_t extent); /* its last writer is done */
void rebalance_complete(struct volume *v, struct io *io);

#endif
