/* Device mapper: the texts of tables and status, and the door to the kernel (libdevmapper). Formats: drivers/md/dm-mpath.c, dm-switch.c,
 * dm-stats.c of the kernel. */
#ifndef IODECK_DM_H
#define IODECK_DM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

enum {
	DM_MAX_PATHS = 64,
	DM_MAX_GROUPS = 16,
	DM_MAX_BUCKETS = 64,
};

/* ---- texts (dm_parse.c): pure. 0, or -EINVAL when the text is cut or of another form ---- */

/* One line of a table or status: "START LENGTH TYPE PARAMETERS". `params` points into the line. */
struct dm_line {
	uint64_t start, length; /* sectors of 512 bytes */
	char type[32];
	const char *params;
};
int dm_parse_line(const char *line, struct dm_line *out);

struct dm_path {
	char dev[16]; /* "8:16" */
	uint32_t group;
	bool failed;	  /* status */
	uint32_t fails;	  /* status: times it failed since the table was loaded */
	int64_t in_flight; /* status: requests (queue-length) or bytes (service-time); -1: not told */
	uint64_t repeat;  /* table: requests in a row; 0: not told */
};
struct dm_group {
	char state;	   /* status: A active, E enabled, D disabled */
	char selector[32]; /* table */
	uint32_t n_paths;
};
struct dm_multipath {
	bool queue_if_no_path;		    /* table */
	uint32_t n_groups, next_group, n_paths; /* next_group from 1 */
	struct dm_group group[DM_MAX_GROUPS];
	struct dm_path path[DM_MAX_PATHS];
};
int dm_parse_multipath_table(const char *params, struct dm_multipath *out);
int dm_parse_multipath_status(const char *params, struct dm_multipath *out);
/* Of a status: paths that are not failed. */
uint32_t dm_active_paths(const struct dm_multipath *m);
/* The parameters of a multipath table with another selector in every group; `repeat` requests in a row. Appended to `out`. */
int dm_with_selector(const char *params, const char *selector, uint64_t repeat, struct strbuf *out);

struct dm_switch {
	uint32_t n_paths;
	uint64_t region_sectors;
	uint64_t n_regions; /* by the length of the line */
};
int dm_parse_switch_table(const struct dm_line *line, struct dm_switch *out);
/* The message that lays the pattern path[0..n) over all regions. Appended to `out`. */
void dm_switch_message(const struct dm_switch *s, const uint32_t *path, uint32_t n, struct strbuf *out);

/* One region of dm statistics with a histogram (@stats_list, @stats_print). */
struct dm_stats {
	uint64_t id;
	bool precise; /* times are ns, else ms */
	uint32_t n_bounds;
	uint64_t bound[DM_MAX_BUCKETS]; /* as told: ns or ms */
	uint64_t reads, writes, read_time, write_time; /* times: of all of them together */
	uint32_t n_buckets;		 /* n_bounds + 1, or 0 without a histogram */
	uint64_t bucket[DM_MAX_BUCKETS]; /* [0] below bound[0], ... */
};
/* A line of @stats_list: id and bounds. */
int dm_parse_stats_list(const char *line, struct dm_stats *out);
/* A line of @stats_print: counters and buckets; bounds must be there already. */
int dm_parse_stats_print(const char *line, struct dm_stats *out);

/* ---- the kernel (dm.c). Only for maps that exist: nothing is loaded or created under /dev. Any thread; may take as long as the kernel does ---- */

/* How a map is named: all from /sys/block/dm-N/. */
struct dm_map {
	char kernel[16];    /* "dm-0" */
	char name[128];
	unsigned major, minor;
};
/* Table (`status` false) or status of a map, a line for each target. Appended to `out`. 0 or negative with err. */
int dm_read(const struct dm_map *map, bool status, struct strbuf *out, struct err *err);
/* Send a message to the target at sector 0. `reply` (may be NULL) gets what the kernel answers. */
int dm_message(const struct dm_map *map, const char *message, struct strbuf *reply, struct err *err);
/* Load another table and put it in use without waiting for requests in flight. A map is never left suspended. */
int dm_reload(const struct dm_map *map, const char *table, struct err *err);

#endif
