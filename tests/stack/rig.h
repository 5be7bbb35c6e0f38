/* A volume with nobody beyond the wire: each device request stays out until the test answers it, in any order and with any result. */
#ifndef IODECK_TESTS_RIG_H
#define IODECK_TESTS_RIG_H

#include "backend/backend.h"
#include "stack/stack.h"
#include "stack/volume.h"

enum { RIG_OUT = 4096 };

struct rig {
	struct backend base;
	struct io_pool pool;
	struct timers timers;
	struct stack stack;
	struct volume volume;
	struct io *out[RIG_OUT]; /* in the order they came */
	uint32_t n_out;
	/* with rig_store: what the disks hold, and a buffer for each request */
	uint8_t *disk[VOLUME_MAX_DISKS]; /* owned */
	uint64_t disk_bytes;
	uint8_t *buffer; /* owned: RIG_OUT x buffer_bytes */
	uint32_t buffer_bytes;
	uint64_t fills;  /* buffers filled so far: each holds bytes of its own */
};

/* Ends the program when it cannot be built. Path p1 is no standby. */
void rig_open(struct rig *r, const struct volume_params *p, uint32_t qd, uint32_t paths);
void rig_close(struct rig *r);
/* From now on there is something to store on: a request reaches its disk when it is answered without an error, also one that was lost. */
void rig_store(struct rig *r, uint64_t disk_bytes, uint32_t buffer_bytes);

/* A request of a user. It belongs to the pool; rig_done gives it back. */
struct io *rig_submit(struct rig *r, bool write, uint64_t offset_bytes, uint32_t bytes);
void rig_done(struct rig *r, struct io *user);
/* Answer request `i`; `error` is 0 or a negative errno. The user request that is finished by it, or NULL. */
struct io *rig_answer(struct rig *r, uint32_t i, int error);
/* The next due timer, `ns` from now at the latest; time moves there. The user request that failed then, or NULL. */
struct io *rig_tick(struct rig *r, int64_t ns);

#endif
