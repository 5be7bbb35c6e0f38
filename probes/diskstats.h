/* Counters of block devices and what they tell of an interval. Fields: Documentation/admin-guide/iostats.rst; formulas: sysstat's iostat. */
#ifndef IODECK_DISKSTATS_H
#define IODECK_DISKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n_fields: 11 until Linux 4.17, 15 with discards, 17 with flushes; more are ignored. Fields that are not there are 0. Sectors are 512 bytes always.
 * The ms are 32 bit in the kernel, the rest are longs. */
struct disk_counters {
	uint32_t n_fields;
	uint64_t reads, reads_merged, sectors_read, writes, writes_merged, sectors_written, in_flight;
	uint64_t discards, discards_merged, sectors_discarded, flushes;
	uint32_t read_ms, write_ms, busy_ms, queue_ms, discard_ms, flush_ms;
};

/* Names and units as iostat -dx has them. NaN: unknown. An await is 0 when nothing completed, as there. */
struct disk_rates {
	double r_s, rkb_s, rrqm_s, rrqm, r_await, rareq_sz;
	double w_s, wkb_s, wrqm_s, wrqm, w_await, wareq_sz;
	double d_s, dkb_s, drqm_s, drqm, d_await, dareq_sz;
	double f_s, f_await, aqu_sz, util;
	bool stalled; /* requests are in flight and none completed in the interval */
};

/* A line of /proc/diskstats. */
struct disk_line {
	uint32_t major, minor;
	char name[48];
	struct disk_counters c;
};

/* The next line off the text at `*at` (`end`: its end). 1: `out` is filled; 0: the end; -EINVAL: the line is cut or of another form (`*at` is then behind
 * it). Lines of partitions of Linux before 2.6.25 (4 fields) are skipped. */
int diskstats_next(const char **at, const char *end, struct disk_line *out);
/* The text of /sys/block/X/stat. 0 or -EINVAL. */
int diskstats_parse_stat(const char *text, size_t length, struct disk_counters *out);
/* "%8u %8u": reads and writes in flight. 0 or -EINVAL. */
int diskstats_parse_inflight(const char *text, size_t length, int64_t *reads, int64_t *writes);

/* What happened from `before` to `now` in `seconds` (> 0). False, and all NaN, when a counter ran backwards further than a wrap explains: the device
 * was made anew. */
bool diskstats_rates(const struct disk_counters *before, const struct disk_counters *now, double seconds, struct disk_rates *out);
void diskstats_no_rates(struct disk_rates *out);

#endif
