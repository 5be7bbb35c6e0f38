/* Inside of probes/: what a row of the table gets to read with. */
#ifndef IODECK_PROBES_PRIVATE_H
#define IODECK_PROBES_PRIVATE_H

#include "links.h"
#include "probes.h"
#include "queue_reader.h"

enum { PROBE_TEXT = 512 * 1024 }; /* the largest text read, /proc/diskstats of 4000 devices */

struct probe_context {
	const struct sysread *sys;
	struct probe_snapshot *s;	     /* being filled; zeros at first */
	const struct probe_snapshot *before; /* the last sample; its number is 0: there was none */
	struct probe_source *source;	     /* of this row */
	char *text;			     /* PROBE_TEXT bytes to read into */
	struct links *links;
	struct queue_reader *queues; /* NULL: could not be started */
	char bad[96];		     /* first attribute of this row that was of no known form; empty: none */
};

/* Say what became of the source of this row. */
void source_say(struct probe_context *c, enum source_state state, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same for a file that could not be read (`code`: negative errno): absent, unreadable. */
void source_failed(struct probe_context *c, int code, const char *path);

/* One attribute. PROBE_UNKNOWN or "" when it is not there; one that is there and of another form is remembered in `bad`. */
int64_t take_i64(struct probe_context *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int64_t take_hex(struct probe_context *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool take_text(struct probe_context *c, char *out, size_t room, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Seconds, -1: off. */
int64_t take_timeout(struct probe_context *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A speed of md. */
int64_t take_speed(struct probe_context *c, bool *local, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

void state_set(struct probe_state *state, char letter, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Rows. */
void probe_block_read(struct probe_context *c);
void probe_queue_read(struct probe_context *c);
void probe_scsi_read(struct probe_context *c);
void probe_fc_read(struct probe_context *c);
void probe_dm_read(struct probe_context *c);
void probe_nvme_read(struct probe_context *c);
void probe_dasd_read(struct probe_context *c);
void probe_dasd_stats_read(struct probe_context *c);
void probe_md_read(struct probe_context *c);
void probe_iscsi_read(struct probe_context *c);
void probe_links_read(struct probe_context *c);
void probe_pressure_read(struct probe_context *c);
void probe_cpu_read(struct probe_context *c);

/* probe_tree.c: parents, depths, and the devices in the order of the tree. */
void probe_tree(struct probe_context *c);
/* A device more, NULL: no room (counted all the same). */
struct probe_device *probe_add_device(struct probe_snapshot *s, const char *kernel);

#endif
