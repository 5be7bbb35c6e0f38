/* What the first slot of a volume's disk holds: whose it is and which one, so that a wrong, swapped or foreign disk is recognised. */
#ifndef IODECK_LABEL_H
#define IODECK_LABEL_H

#include <stdint.h>

#define LABEL_SIGNATURE "iodeck_volume" /* as the guard names it */

struct disk_label {
	uint64_t volume, disk; /* ids */
	uint32_t index;        /* d1 is 0 */
	uint64_t au_bytes;
};

/* 1: found; 0: there is none; negative errno. `fd` may be open for direct I/O. */
int label_read(int fd, struct disk_label *l);
/* 0 or negative errno; durable then. */
int label_write(int fd, const struct disk_label *l);

#endif
