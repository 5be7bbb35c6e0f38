/* Real storage: opens files and block devices, says what is on them and who uses them, and refuses what must not be touched
 * (INTERFACE.md "Guard"). Nothing is ever created under /dev. */
#ifndef IODECK_TARGET_H
#define IODECK_TARGET_H

#include <sys/types.h>

#include "backend/backend.h"
#include "base/err.h"
#include "spec.h"

struct state; /* state.h */

enum { TARGET_MAX_NAMES = 64 };

/* What the user allowed: --write, and the names it was said with (a device, a signature). Names are borrowed. */
struct target_permit {
	bool write;
	const char *name[TARGET_MAX_NAMES];
	uint32_t n_names;
};

enum target_kind { TARGET_FILE, TARGET_BLOCK, TARGET_NONE };

/* One path to one target. */
struct target {
	const struct target_def *def; /* borrowed from the spec */
	uint32_t lun;                 /* as in def, or as its label says */
	bool joins;                   /* it takes the place of a disk that is gone: it has no label yet */
	enum target_kind kind;
	int fd;                       /* owned */
	dev_t dev;                    /* of the device, or of the file system the file is on; 0: none */
	char kernel_name[32];         /* "loop0"; of a file: of the device below; empty when there is none */
	uint64_t size_bytes, allocated_bytes;
	uint32_t block_bytes;         /* alignment of offset, length and memory */
	bool direct, writable, in_memory;
	char label[128];              /* "in use by /var", "no device", "buffered"; empty when there is nothing to say */
};

struct target_set {
	struct target *t;             /* owned */
	uint32_t n;
	uint32_t luns, ways;          /* ways: the most paths any of them has */
	uint64_t lun_bytes;           /* used of each: of the smallest */
	uint32_t block_bytes;         /* the largest of all */
	bool sizes_differ, writable;
	struct state *state;          /* owned: of a volume with a state file; NULL: it has none */
	uint64_t missing;             /* disks of that volume that are not here, as bits */
	uint32_t verify_block;        /* bytes of a verified block: all requests of all steps are multiples of it */
	uint64_t verify_bytes;        /* of each LUN, as far as jobs reach */
	char lost[512];               /* what writing destroys; empty: nothing known */
};

/* Open what the spec names and fit the spec to it: bases, paths, regions of jobs. Every step is checked against the targets. 0; -EPERM when
 * the guard refuses (exit status 3), else another errno; err says which target and why. `*set` is given. */
int target_open(struct spec *spec, const struct target_permit *permit, struct target_set **set, struct err *err);
/* The path of the target that is this LUN, or "?". */
const char *target_path(const struct target_set *set, uint32_t lun);
/* NULL is fine. */
void target_close(struct target_set *set);
/* Whether the targets can carry this config: alignment, region, and no writing where reading is all that was allowed. 0, -EINVAL, -EPERM. */
int target_check(const struct target_set *set, const struct config *cfg, struct err *err);
/* One entry per LUN and path, as backends want them: given. LUNs beyond the targets get none (fd -1). NULL: out of memory. */
struct backend_target *target_list(const struct target_set *set, uint32_t luns, uint32_t paths);
/* Whether a job of the config writes. */
bool config_writes(const struct config *cfg);

#endif
