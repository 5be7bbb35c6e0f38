/* What a block holds when data is verified: whose it is, where it belongs, how new it is, and a check sum over all of it. The same bytes on
 * every machine. */
#ifndef IODECK_VERIFY_BLOCK_H
#define IODECK_VERIFY_BLOCK_H

#include <stdint.h>

enum { VERIFY_SMALLEST = 512, VERIFY_LARGEST = 4096 }; /* bytes of a block */

/* `volume`: of one volume, or of one run without a state file; never 0. `address`: bytes from the start of the volume, or LUN << 48 | offset.
 * `generation`: session << 32 | how often the block was written in it. */
struct verify_stamp {
	uint64_t volume, address, generation;
};

enum verify_found {
	VERIFY_NONE,   /* no stamp of this volume */
	VERIFY_BROKEN, /* its stamp, but the check sum does not fit */
	VERIFY_WHOLE,
};

/* Fill all of a block. `bytes` is a multiple of 8, at least VERIFY_SMALLEST. */
void verify_write_block(void *block, uint32_t bytes, const struct verify_stamp *s);
/* What is there; *found only for BROKEN (as far as it can be believed) and WHOLE. */
enum verify_found verify_read_block(const void *block, uint32_t bytes, uint64_t volume, struct verify_stamp *found);

#endif
