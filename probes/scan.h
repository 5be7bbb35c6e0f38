/* The devices and multipath paths there are now, as far as events speak of them. */
#ifndef IODECK_SCAN_H
#define IODECK_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dm.h"

enum { SCAN_MAX_DEVICES = 1024, SCAN_MAX_PATHS = 512 };

struct scan_path {
	char map[64], dev[16]; /* "mp0", "8:16" */
	bool failed;
};
/* Sorted by name. Plain data; about 100 KB: not for the stack. */
struct scan {
	uint32_t n_devices, n_paths;
	char device[SCAN_MAX_DEVICES][32];
	struct scan_path path[SCAN_MAX_PATHS];
};

/* Look at ROOT/sys/block, and, when `root` is "", at the status of every multipath map. Reads nothing that can block on a stuck queue. */
void scan_read(const char *root, struct scan *out);
/* Bring it up to date by what an event told. */
void scan_add(struct scan *s, const char *device);
void scan_remove(struct scan *s, const char *device);
void scan_set_path(struct scan *s, const char *map, const char *dev, bool failed);

/* A difference: device there or gone, path failed or back. */
struct scan_change {
	bool is_path, bad; /* bad: gone, failed */
	const char *name;  /* device, or map; borrowed from the scans */
	const char *dev;   /* path */
};
/* Call `tell` for each difference. Pure. */
void scan_compare(const struct scan *before, const struct scan *now, void (*tell)(void *data, const struct scan_change *c), void *data);

/* The map of a dm device by ROOT/sys/block/KERNEL; false: it is none, or gone. */
bool scan_dm_map(const char *root, const char *kernel, struct dm_map *out);

#endif
