/* The host side of the storage: paths, start devices (SCSI queue depth; DASD base and aliases), the same lines whatever answers
 * beyond the wire. Called by the worker's thread only. */
#ifndef IODECK_STACK_H
#define IODECK_STACK_H

#include "base/err.h"
#include "base/timers.h"
#include "stack/io.h"

struct backend;
struct page_owners; /* spec.h */
struct stack;
struct lun;

enum { STACK_MAX_PATHS = 16 };

/* Something that starts requests: a path device of a LUN (SCSI), a base or an alias (DASD). Bound requests wait in `q`. */
struct slot {
	struct io_queue q;
	uint32_t in_flight, limit;
	uint64_t bytes; /* of all that are bound: waiting or in the device */
};

/* A logical control unit: the pool of aliases of its volumes. */
struct lcu {
	struct slot *alias;  /* owned, n_built of them */
	uint32_t n_built;
	uint32_t n_alias;    /* online; those behind finish what they have */
	uint32_t next;       /* round robin */
	uint32_t busy, peak; /* aliases with a request in the device */
	int64_t busy_ns;     /* time of completed requests on its aliases */
	uint32_t n_luns;
};

#define LUN_NO_TURN UINT64_MAX

struct lun {
	struct io_queue block;  /* DASD: the elevator, before the device layer */
	struct slot *slot;      /* owned: one per path, or the base */
	struct lcu *lcu;        /* NULL: no aliases */
	uint32_t index, in_lcu; /* in_lcu: 0, 1, ... among the LUNs of its LCU */
	uint32_t next;          /* PAV: round robin over its own aliases */
	uint32_t path;          /* taken last */
	uint64_t turn;          /* requests it took in a row; LUN_NO_TURN before the first */
};

enum stack_path_state { STACK_PATH_ACTIVE, STACK_PATH_STANDBY, STACK_PATH_FAILED };

struct path {
	enum stack_path_state state;
	bool standby;      /* configured so */
	uint32_t weight;
	uint32_t in_flight;
	uint64_t requests; /* decisions for it */
};

/* A way to choose a path: one file and one row each. All that is counted for a choice is counted per LUN, as dm-multipath does per map. */
struct path_policy_ops {
	const char *name;
	uint32_t n;       /* default of the number behind the name ("round-robin:1000"); 0: it has none */
	bool needs_owner; /* works only where the backend tells who owns a page */
	bool failback;    /* a preferred path that comes back is used again at once */
	/* One of the active paths, or -1 when there is none. `io` is what asks: lun, offset, bytes, write are set. */
	int (*choose)(struct stack *s, struct lun *l, const struct io *io);
};
extern const struct path_policy_ops *const path_policies[]; /* in the order of enum path_policy */

enum stack_aliases { STACK_ALIASES_NONE, STACK_ALIASES_PAV, STACK_ALIASES_HYPERPAV };

struct stack_params {
	bool dasd;
	uint32_t n_luns, n_lcus, n_paths, n_links;
	uint32_t qd, chanq, aliases;
	enum stack_aliases alias_mode;
	uint32_t policy, policy_n; /* n: rr_min_io, where the policy has one */
	uint32_t standby; /* bits */
	uint32_t weight[STACK_MAX_PATHS]; /* 0: 1 */
	int64_t failover_ns, transport_ns;
	const struct page_owners *owners; /* who owns a page; NULL: the backend tells, if anybody. Borrowed while the stack is there */
};

struct stack {
	struct stack_params p;
	struct backend *backend; /* borrowed */
	struct io_pool *pool;    /* borrowed */
	struct timers *timers;   /* borrowed */
	struct lun *lun;         /* owned */
	struct lcu *lcu;         /* owned */
	struct path path[STACK_MAX_PATHS];
	int activating;          /* standby path on its way to active, or -1 */
	int64_t active_at_ns;    /* when it will be */
	struct io_queue held;    /* no path can take them now */
	struct io_queue limbo;   /* lost with a path; t_start = when the error comes back */
	uint32_t in_flight;      /* in the device, lost ones not counted */
	uint64_t redecided;
	uint64_t alias_requests; /* completed on an alias, and their time in the device */
	int64_t alias_ns;
};

/* `s` is the caller's; backend, pool and timers stay the caller's and outlive it. 0 or -ENOMEM. */
int stack_init(struct stack *s, const struct stack_params *p, struct backend *b, struct io_pool *pool, struct timers *t);
void stack_release(struct stack *s);

/* A request of a job: lun, offset, bytes, write, t_submit are set. */
void stack_submit(struct stack *s, struct io *io);
/* The backend gave `io` back now. True: it is the job's again (result, t_enter, t_start are valid); false: it was lost before, and is
 * back in the pool. */
bool stack_complete(struct stack *s, struct io *io);
void stack_timer(struct stack *s, struct event e);

/* No policy has a choice: there is one path, and it is active. */
static inline bool stack_one_way(const struct stack *s)
{
	return !s->p.dasd && s->p.n_paths == 1 && s->path[0].state == STACK_PATH_ACTIVE;
}
/* One way only: `n` requests that the backend has just given back start again where they are, without stack_complete before. Only times and
 * offset may be others. */
void stack_again(struct stack *s, struct io *const *io, int n);

/* Knobs, effective as MODEL.md 2.4 says: nothing is recalled, what is in flight drains. */
void stack_set_qd(struct stack *s, uint32_t qd);
int stack_set_aliases(struct stack *s, uint32_t aliases); /* 0 or -ENOMEM */
void stack_set_policy(struct stack *s, uint32_t policy, uint32_t n);
void stack_set_weight(struct stack *s, uint32_t path, uint32_t weight);
/* A path dies or comes back. 0, -ENOENT (no such path), -EALREADY, -ENOMEM. */
int stack_path_down(struct stack *s, uint32_t path);
int stack_path_up(struct stack *s, uint32_t path);

/* Requests waiting before the device: block queues, device queues, held and lost ones. */
uint32_t stack_waiting(const struct stack *s);
/* Peaks start again from what is busy now. */
void stack_reset_peaks(struct stack *s);
/* Aliases of LCU i when `aliases` are split evenly, the rest to the first. */
uint32_t stack_alias_share(uint32_t aliases, uint32_t n_lcus, uint32_t lcu);

/* ---- between the files of stack/ ---- */
int64_t stack_now(const struct stack *s);
void lun_submit(struct stack *s, struct lun *l, struct io *io); /* DASD */
void lun_bind(struct stack *s, struct slot *d, struct io *io);  /* start it or let it wait */
void slot_start_waiting(struct stack *s, struct slot *d);
void lun_fetch(struct stack *s, struct lun *l);
void path_decide(struct stack *s, struct io *io);               /* SCSI */
void path_release_held(struct stack *s);
/* The next active path behind `last`, round and round, of those whose bit is in `among`; -1 when there is none. */
int path_next_active(const struct stack *s, uint32_t last, uint32_t among);
#define PATH_ANY UINT32_MAX
/* The active path with the least load (`weighed`: load by weight), of equals the next one behind the LUN's last; -1 when there is none.
 * `load` is asked what a path device would have to do if it took `io` too. */
int path_least(const struct stack *s, const struct lun *l, const struct io *io, uint64_t (*load)(const struct slot *d, const struct io *io),
	       bool weighed);

#endif
