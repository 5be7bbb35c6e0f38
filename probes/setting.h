/* One setting of the kernel: read it, write it. What knobs are made of and what the undo journal keeps. Worker threads only: any of these may
 * wait for a stuck device. */
#ifndef IODECK_SETTING_H
#define IODECK_SETTING_H

#include "base/err.h"

/* How a setting is read and written; by their names they stand in the journal. */
enum setting_kind {
	SETTING_PLAIN,	   /* an attribute: what is written is what is read */
	SETTING_CHOICE,	   /* "[none] mq-deadline": the word in brackets */
	SETTING_MD_SPEED,  /* "4000 (local)", "1000 (system)": the number, or the word system */
	SETTING_MD_FROZEN, /* sync_action: frozen, or idle for all that is not frozen */
	SETTING_DM_TABLE,  /* the table of a map, `object` is "dm-0" */
	SETTING_DM_PATH,   /* a path of a multipath map, "dm-0 8:16": A or F */
	SETTING_DM_MAP,	   /* regions of a dm-switch, "dm-0": "0,1,2" over and over; the kernel does not tell it */
	SETTING_DM_STATS,  /* a histogram of latencies that the device mapper keeps for a map, "dm-0": on or off; only regions of ours */
	N_SETTING_KINDS,
};
extern const char *const setting_kind_names[N_SETTING_KINDS];

enum { SETTING_OBJECT = 256, SETTING_VALUE = 2048 };

struct setting {
	enum setting_kind kind;
	char object[SETTING_OBJECT]; /* path below the root ("/sys/block/sda/device/queue_depth"), or as above */
	char identity[160];	     /* what must still be so: name and dev of a map, dev of a disk; empty: nothing to check */
	char value[SETTING_VALUE];   /* to be written; in the form in which it is read */
};

/* The value in effect, in the setting's form. SETTING_DM_MAP: empty, nobody knows. 0 or negative with err. */
int setting_read(const char *root, const struct setting *s, char *value, size_t room, struct err *err);
/* Make s->value so. 0, or negative with err: what, where, why. */
int setting_write(const char *root, const struct setting *s, struct err *err);
/* What the object is now, as it is kept in `identity`. */
void setting_identify(const char *root, const struct setting *s, char *identity, size_t room);
/* "write 32 to /sys/block/sda/device/queue_depth", "load another table into dm-0". Returns buf. */
char *setting_describe(const struct setting *s, char *buf, size_t room);

#endif
