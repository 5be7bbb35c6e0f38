/* The modelled array behind the wire: commands go link -> (entry member forwards) -> owner's controller -> cache -> disk -> link.
 * Virtual time only; no thread, no file, no wall time. One thread uses it. Formulas and parameters: [array] of a preset. */
#ifndef IODECK_MODEL_ARRAY_H
#define IODECK_MODEL_ARRAY_H

#include "base/err.h"
#include "model/params.h"

struct array;

/* One command as the host sends it. */
struct array_command {
	uint64_t offset_bytes;
	uint32_t bytes;
	uint16_t lun;
	uint8_t link;
	uint8_t entry;   /* member the path ends at; ARRAY_DIRECT: whichever owns the page */
	bool write;
	bool relocation; /* background class at the disk */
};
enum { ARRAY_DIRECT = 255 };

/* Counters since the array was made. */
struct array_counters {
	uint64_t commands, forwarded;
	int64_t busy_ns; /* service given by all servers of one member */
};

/* An array at time `now_ns` with `links` links, `luns` LUNs in `lcus` control units, streams seeded from `seed`. `p` is copied. NULL with err. */
struct array *array_new(const struct array_spec *p, uint32_t links, uint32_t luns, uint32_t lcus, uint64_t seed, int64_t now_ns,
			struct err *err);
void array_free(struct array *a);
/* Commands carry ids 0..n-1, each at most once inside. Call before a larger id is used. 0 or -ENOMEM. */
int array_reserve(struct array *a, uint32_t n);
/* Restart all random streams (each step of a preset does). */
void array_seed(struct array *a, uint64_t seed);

/* Send a command now. */
void array_submit(struct array *a, uint32_t id, const struct array_command *c);
/* The member that owns a page. */
uint32_t array_owner(const struct array *a, uint32_t lun, uint64_t offset_bytes);
/* Run until the first completion not later than `until_ns`: its id, or -1 when there was none (now is then `until_ns`). */
int64_t array_run(struct array *a, int64_t until_ns);
int64_t array_now(const struct array *a);
/* Counters of one member. */
struct array_counters array_counters(const struct array *a, uint32_t member);
/* Memory ran out inside: the run must end. */
bool array_failed(const struct array *a);

#endif
