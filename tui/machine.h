/* View 5, what this machine has and does: picture, plain rows, keys. Read only. */
#ifndef IODECK_MACHINE_H
#define IODECK_MACHINE_H

#include "probes.h"
#include "views.h"

/* Lines of text about a device, about sources: each with a role. */
enum { MACHINE_LINES = 96, MACHINE_LINE = 200 };
struct machine_lines {
	int n;
	struct {
		enum role role;
		char text[MACHINE_LINE];
	} line[MACHINE_LINES];
};
void machine_add(struct machine_lines *l, enum role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Index of the chosen device, -1: there is none. */
int machine_chosen(const struct view *v);

/* machine_detail.c */
/* The settings of a device that the kernel has now: name and value, the i-th, false beyond. What a hand that turns knobs begins with. */
bool machine_setting(const struct probe_snapshot *s, const struct probe_device *d, int i, const char **name, char *value, size_t room);
/* Everything known of a device besides its row. */
void machine_describe(struct machine_lines *l, const struct probe_snapshot *s, const struct probe_device *d);
/* Each source with its state and reason; those that are fine on one line when `brief`. */
void machine_sources(struct machine_lines *l, const struct probe_snapshot *s, bool brief);
/* DASD histograms of a device (or of all, when it has none of its own) as iodeck's own: TOTAL is build to end, DEVICE is ssch to irq. `now` is the last
 * interval and `before` since they were switched on; false for `*has_before` when only the latter is told, then it is in `now`. False: none. */
bool machine_histograms(const struct probe_snapshot *s, const struct probe_device *d, struct lat_view now[2], struct lat_view before[2],
			bool *has_before, char *title, size_t room);

/* screen_machine.c */
void screen_machine(struct canvas *c, const struct snapshot *s, const struct view *v);
void machine_table(struct table *t, const struct snapshot *s, const struct view *v);

/* machine.c */
extern const struct binding machine_keys[];
int machine_act(struct console *c, const struct action *a, struct err *err);
int machine_find(struct console *c, const char *text, int direction, struct err *err);
/* Take the newest sample; begin to look when the view is shown for the first time. */
void machine_follow(struct console *c);
void machine_leave(struct console *c);

#endif
