/* The final check: when the load is over, everything that was written is read again, copy by copy, and compared. */
#ifndef IODECK_WORKER_SWEEP_H
#define IODECK_WORKER_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

struct worker;
struct io;

enum { SWEEP_TASKS = 16, SWEEP_BYTES = 256 * 1024 };

/* A piece of the volume or of a LUN; its copies are read one after the other. */
struct sweep_task {
	struct io *io;        /* NULL: it rests */
	uint32_t lun;         /* of the user */
	uint64_t offset_bytes;
	uint32_t bytes, copy;
	bool has_sum;
	bool told;            /* a copy was read, or that it cannot be read was counted */
	uint64_t *sum;        /* owned: of each block in the first copy that was read; 0: nothing of ours */
};

struct sweep {
	bool wanted, started, done;
	struct sweep_task task[SWEEP_TASKS];
	uint32_t n_busy;
	uint32_t lun;         /* where the next piece begins */
	uint64_t next_bytes;
	uint64_t n_blocks, n_copies, n_unread; /* compared; copies looked at; pieces of which a copy on a living disk, or all, could not be read */
};

/* The jobs rest from now on; when the last request is back and nothing moves any more, the reading begins. 0 or -ENOMEM. */
int worker_sweep_begin(struct worker *w);
/* From the loop: begin, and go on. */
void worker_sweep_turn(struct worker *w);
void worker_sweep_back(struct worker *w, struct io *io);
void worker_sweep_release(struct worker *w);

#endif
