/* What lies beyond the wire, behind one table: something that takes requests and answers them. */
#ifndef IODECK_BACKEND_H
#define IODECK_BACKEND_H

#include "base/clock.h"
#include "base/err.h"
#include "stack/io.h"

struct backend;
struct array_spec; /* model/params.h */

struct aio_calls;   /* backend/aio.h */

/* One way to real storage, opened and checked by the caller, who keeps it open until the backend is closed. */
struct backend_target {
	int fd;
	uint32_t block_bytes; /* offset, length and memory are multiples of this */
	bool device;          /* its size stays: a read of nothing means that it is gone */
};

/* What a backend is opened with; borrowed for the call. */
struct backend_args {
	const struct array_spec *array;
	uint32_t links, luns, lcus;
	bool direct; /* no path devices: the host reaches each member by itself (DASD) */
	uint64_t seed;
	int64_t now_ns;     /* engine time to begin with */
	struct clock clock; /* for backends in real time */
	int64_t clock_ns;   /* what the clock says at now_ns; 0: what it says when the backend is open */
	const struct backend_target *target; /* luns x paths, a LUN's paths side by side; NULL: there is no real storage */
	uint32_t paths;
	uint32_t depth; /* most requests that will ever be in the device at once */
	const struct aio_calls *aio; /* NULL: libaio's; tests hand in their own */
};

/* Figures of the parts beyond the wire, as far as the backend can tell; counted since it was opened. */
struct backend_counters {
	uint32_t n_members; /* 0: cannot be told */
	uint32_t servers;
	uint64_t commands, forwarded;
	int64_t member_busy_ns[16]; /* service of all servers of a member */
};

/* A row. Only open, close, submit and reap must be there. One thread (the worker's) calls them all. */
struct backend_ops {
	const char *name;
	bool virtual_time; /* time jumps from event to event; else it is the clock's */
	/* NULL with err. */
	struct backend *(*open)(const struct backend_args *a, struct err *err);
	void (*close)(struct backend *b);
	/* Requests with ids below `n` may come, of up to `bytes` each. 0 or negative errno. */
	int (*reserve)(struct backend *b, uint32_t n, uint32_t bytes);
	/* Restart random streams. */
	void (*seed)(struct backend *b, uint64_t seed);
	/* Take one request; it is the backend's until reap gives it back. Never completes inside the call. */
	void (*submit)(struct backend *b, struct io *io);
	/* Take `n` requests that the last reap gave back; only their times and offsets are others now. NULL: one by one, by submit. */
	void (*again)(struct backend *b, struct io *const *io, int n);
	/* Give back up to `max` finished requests, waiting at most until `until_ns`; moves b->now_ns. Virtual time: to the first completion,
	 * all given back at that very time. Returns how many, 0 when `until_ns` was reached, negative errno when the backend is broken. */
	int (*reap)(struct backend *b, int64_t until_ns, struct io **done, int max);
	void (*counters)(const struct backend *b, struct backend_counters *c);
	/* A bit for each path that ends at the member which owns the page `io` goes to (lun, offset); NULL: nobody tells. */
	uint32_t (*owner_paths)(const struct backend *b, const struct io *io);
	/* Where a request's bytes are: of a read that is back, of a write that was filled (its `data`, `data_at`); NULL: nothing is stored. */
	void *(*data)(const struct backend *b, const struct io *io);
	/* Give a write a buffer, with bytes that nobody has seen before; it carries them then. Others get theirs at submit. */
	void (*fill)(struct backend *b, const struct io *io);
	/* Real time only: the clock stood still for `ns` (a pause). */
	void (*shift)(struct backend *b, int64_t ns);
};

/* First member of every backend. */
struct backend {
	const struct backend_ops *ops;
	int64_t now_ns; /* engine time */
	uint32_t outstanding;
};

extern const struct backend_ops backend_model, backend_null, backend_aio;
/* Row by name, NULL when there is none; all names for messages, NULL-terminated. */
const struct backend_ops *backend_find(const char *name);
extern const char *const backend_names[];

/* The calls, with the contract checked where it is cheap: outstanding never negative, now never back. */
void backend_submit(struct backend *b, struct io *io);
void backend_again(struct backend *b, struct io *const *io, int n);
int backend_reap(struct backend *b, int64_t until_ns, struct io **done, int max);
/* The rows that need not be there, as if they were: nothing is told, nothing is to be done. */
struct backend_counters backend_counters(const struct backend *b);
void backend_seed(struct backend *b, uint64_t seed);
int backend_reserve(struct backend *b, uint32_t n, uint32_t bytes);

#endif
