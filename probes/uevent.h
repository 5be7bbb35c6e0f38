/* One event of the kernel as it stands in a datagram of NETLINK_KOBJECT_UEVENT, and what it means to an operator. */
#ifndef IODECK_UEVENT_H
#define IODECK_UEVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an event tells. The first two come from dm-multipath (drivers/md/dm-uevent.c). */
enum uevent_kind {
	UEVENT_PATH_FAILED,
	UEVENT_PATH_BACK,
	UEVENT_ADDED,
	UEVENT_REMOVED,
	UEVENT_CHANGED,
	UEVENT_OTHER, /* of no interest here: modules, queues, partitions */
};

/* Fields as the kernel wrote them, cut at the room; empty: not there. */
struct uevent {
	char action[16], subsystem[32], devtype[16];
	char devpath[512];
	char devname[64];                 /* "sda"; of a ccw device the last part of the path */
	char dm_name[128], dm_action[32]; /* map, "PATH_FAILED" */
	char dm_path[16];                 /* "8:16" */
	int dm_valid_paths;               /* left; -1: not told */
	uint64_t seqnum;
	bool synthetic;                   /* asked for by a write to an uevent file */
};

/* Read one datagram: "ACTION@DEVPATH", then KEY=VALUE, each ended by a NUL. Pure. 0, or -EINVAL when it is cut or of another form (SEQNUM, which
 * the kernel adds last, must be there). */
int uevent_parse(const char *bytes, size_t n, struct uevent *out);
enum uevent_kind uevent_kind(const struct uevent *u);
/* One sentence for the event list: "mp0: path 8:16 failed, 1 left". Returns buf. */
char *uevent_text(const struct uevent *u, char *buf, size_t room);

#endif
