/* What each block must hold, and who is at it: requests of users are let through so that no two that matter to each other overlap in time,
 * and what was read is compared with what was acknowledged. Nothing here knows of devices. One thread. */
#ifndef IODECK_STACK_VERIFY_H
#define IODECK_STACK_VERIFY_H

#include <stdbool.h>

#include "base/err.h"
#include "stack/io.h"
#include "stack/verify_block.h"

#define VERIFY_MOST_BYTES (UINT64_C(1) << 30) /* of memory for the marks */
enum { VERIFY_WRITER = 2047 }; /* all bits of `users` */
#define VERIFY_ADDRESS_BITS 48 /* of a LUN; above it stands its number */

/* One block. */
struct verify_mark {
	uint32_t generation; /* acknowledged last in this session; 0: not written in it */
	uint32_t users : 11; /* reads under way, or VERIFY_WRITER */
	uint32_t waiting : 20;
	uint32_t unsure : 1; /* its last write failed: it may hold the one before, that one, or some of both */
};

/* Something else was found than what must be there. */
struct verify_mismatch {
	uint32_t disk;             /* LUN of the stack that was read */
	uint64_t device_bytes;     /* offset there */
	struct verify_stamp expected, found;
	enum verify_found what;
	bool differs;              /* right by itself, but not as the other copy */
};
enum { VERIFY_TOLD = 4 };

struct verify_params {
	uint64_t volume;      /* as in a stamp */
	uint32_t session;     /* counts the starts of one volume, from 1 */
	uint32_t block_bytes; /* each request is a multiple of this, and begins at one */
	uint32_t luns;
	uint64_t lun_bytes;   /* of each, at most 2^48 */
	struct verify_mark *mark; /* NULL: our own; else the caller's, luns * lun_bytes / block_bytes of them, all zero */
};

struct verify {
	struct verify_params p;
	struct verify_mark *mark; /* owned, unless p.mark */
	uint64_t n_marks, blocks; /* blocks: of a LUN */
	struct io_queue waiting;  /* requests of users that must not overlap with others, first come first served */
	bool look;                /* somebody left a block that others wait for */
	uint64_t n_checked, n_mismatches, n_waited;
	struct verify_mismatch first[VERIFY_TOLD];
};

/* 0; -ENOMEM, or -E2BIG when the marks would need more than VERIFY_MOST_BYTES; err says why. */
int verify_init(struct verify *v, const struct verify_params *p, struct err *err);
void verify_release(struct verify *v);

/* A user's request wants to go (lun, offset_bytes, bytes, write). False: it waits here until verify_next gives it. */
bool verify_enter(struct verify *v, struct io *io);
/* It is back: `good` whether all of a write is surely there. Its blocks stay taken until verify_leave. */
void verify_done(struct verify *v, const struct io *io, bool good);
void verify_leave(struct verify *v, const struct io *io);
/* The requests that may go now, in the order they came; they have entered. */
void verify_next(struct verify *v, struct io_queue *go);

/* The bytes of a write that has entered. */
void verify_fill(const struct verify *v, const struct io *io, uint8_t *data);
/* What was read from `lun` (of the user), compared block by block: how many are wrong. `disk`, `device_bytes`: where it was read. */
uint32_t verify_check(struct verify *v, const uint8_t *data, uint32_t lun, uint64_t offset_bytes, uint32_t bytes, uint32_t disk,
		      uint64_t device_bytes);
/* Copies of one block differ. */
void verify_differs(struct verify *v, uint32_t lun, uint64_t offset_bytes, uint32_t disk, uint64_t device_bytes);
/* Whether anything in there was written in this session. */
bool verify_written(const struct verify *v, uint32_t lun, uint64_t offset_bytes, uint64_t bytes);

static inline struct verify_mark *verify_mark_at(const struct verify *v, uint32_t lun, uint64_t offset_bytes)
{
	return &v->mark[lun * v->blocks + offset_bytes / v->p.block_bytes];
}
static inline uint64_t verify_address(uint32_t lun, uint64_t offset_bytes)
{
	return (uint64_t)lun << VERIFY_ADDRESS_BITS | offset_bytes;
}

#endif
