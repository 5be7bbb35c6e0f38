/* The kernel's knobs: which there are, what a value of one means as settings, whether it makes sense. Worker threads only. */
#ifndef IODECK_KERNEL_KNOB_H
#define IODECK_KERNEL_KNOB_H

#include <stdbool.h>
#include <stdint.h>

#include "setting.h"

enum { PLAN_MAX_SETTINGS = 256, PLAN_VALUE = 256 };

/* Aliases of an LCU that were online at some time in this run, by bus id, sorted. */
struct alias_list {
	uint32_t n;
	char bus[PLAN_MAX_SETTINGS][16];
};

/* What would be done, shown before it is. */
struct plan {
	char device[64]; /* as the kernel names it: "sda", "dm-0", "md0", or an LCU */
	const struct kernel_knob_row *row;
	char asked[PLAN_VALUE], before[PLAN_VALUE]; /* in the knob's own words */
	char warning[256];			     /* empty: none */
	uint32_t n;
	struct setting *setting; /* owned; in the order of writing */
	struct alias_list *seen; /* borrowed: of the worker of this LCU */
};

struct kernel_knob_row {
	const char *name, *begin; /* begin: how a line with it goes on, "queue_depth=" */
	char key;		  /* letter on the screen of devices, as on the deck; 0: none */
	const char *value, *what; /* for help: "1..can_queue", "..." */
	bool freezes;		  /* the kernel waits for all requests in flight before it takes it */
	/* The settings for `p->asked`. 0 or negative with err. */
	int (*plan)(const char *root, struct plan *p, struct err *err);
	/* The value now, in the knob's words. */
	int (*show)(const char *root, const struct plan *p, char *value, size_t room, struct err *err);
};
extern const struct kernel_knob_row kernel_knob_table[];
extern const uint32_t n_kernel_knobs;
/* NULL with err, which names the nearest. */
const struct kernel_knob_row *kernel_knob_find(const char *name, struct err *err);

/* The device a word means: "sda", "/dev/sda", a map's name. Reads only names. 0 or negative with err. */
int kernel_device(const char *root, const char *word, char *device, size_t room, struct err *err);
/* The LCU of a DASD, or the LCU itself. */
int kernel_lcu(const char *root, const char *word, char *lcu, size_t room, struct err *err);
/* Make a plan: p->setting is given on success (plan_release). */
int plan_make(const char *root, const char *device, const char *knob, const char *value, struct alias_list *seen, struct plan *p, struct err *err);
void plan_release(struct plan *p);
/* One more setting of a plan: its place, value empty; NULL: too many. */
struct setting *plan_add(struct plan *p, enum setting_kind kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Rows defined elsewhere: kernel_knob_dm.c, kernel_knob_dasd.c. */
int plan_selector(const char *root, struct plan *p, struct err *err);
int show_selector(const char *root, const struct plan *p, char *value, size_t room, struct err *err);
int plan_fail(const char *root, struct plan *p, struct err *err);
int plan_reinstate(const char *root, struct plan *p, struct err *err);
int show_path(const char *root, const struct plan *p, char *value, size_t room, struct err *err);
int plan_map(const char *root, struct plan *p, struct err *err);
int show_map(const char *root, const struct plan *p, char *value, size_t room, struct err *err);
int plan_stats(const char *root, struct plan *p, struct err *err);
int plan_aliases(const char *root, struct plan *p, struct err *err);
int show_aliases(const char *root, const struct plan *p, char *value, size_t room, struct err *err);
/* Paths of a multipath map that are not failed; -1: it is none. */
int dm_paths_left(const char *root, const char *device);

#endif
