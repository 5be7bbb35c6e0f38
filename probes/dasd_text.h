/* The texts of the DASD driver (s390x). Pure functions. Formats: drivers/s390/block/dasd_proc.c, dasd.c, dasd_devmap.c of Linux 6.1 and before. */
#ifndef IODECK_DASD_TEXT_H
#define IODECK_DASD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sysread.h"

enum { DASD_ROWS = 32 };

/* Histograms; row i as in hist.h: 0..3, then [2^(i+1), 2^(i+2)), row 31 the rest. QUEUE is linear: row i is i requests, 31 is 31 or more. */
enum dasd_histogram {
	DASD_SIZES,	     /* sectors of 512 bytes */
	DASD_TOTAL,	     /* us, build to end */
	DASD_TOTAL_SECTOR,   /* us a sector */
	DASD_TO_SSCH,	     /* us, build to ssch: waiting in the host */
	DASD_TO_IRQ,	     /* us, ssch to irq: the device */
	DASD_TO_IRQ_SECTOR,
	DASD_TO_END,	     /* us, irq to end */
	DASD_QUEUE,	     /* requests there when one was queued */
	DASD_READ_SIZES,
	DASD_READ_TOTAL,
	DASD_READ_TO_SSCH,
	DASD_READ_TO_IRQ,
	DASD_READ_TO_END,
	DASD_READ_QUEUE,
	N_DASD_HISTOGRAMS,
};
extern const char *const dasd_histogram_names[N_DASD_HISTOGRAMS]; /* as debugfs names them */

/* Counters, as debugfs names them. */
enum dasd_counter {
	DASD_REQUESTS, DASD_SECTORS, DASD_PAV, DASD_HPF,
	DASD_AVG_TOTAL, DASD_AVG_TO_SSCH, DASD_AVG_TO_IRQ, DASD_AVG_TO_END, /* us since switched on; not in older kernels */
	DASD_READ_REQUESTS, DASD_READ_SECTORS, DASD_READ_PAV, DASD_READ_HPF,
	N_DASD_COUNTERS,
};
extern const char *const dasd_counter_names[N_DASD_COUNTERS];

struct dasd_statistics {
	double start_time; /* seconds since 1970 when switched on or reset; NaN: not told */
	uint32_t scale;	   /* rows were divided by it (/proc); they are multiplied again here, so above 1 they are approximate */
	uint32_t counters, histograms; /* bit sets: which were there, whole */
	uint64_t counter[N_DASD_COUNTERS]; /* 32 bit in the kernel */
	uint64_t row[N_DASD_HISTOGRAMS][DASD_ROWS];
};

/* /proc/dasd/statistics and debugfs DASD/statistics. SOURCE_OK, SOURCE_DISABLED (off, or not built in), SOURCE_MALFORMED with *why a static sentence part.
 * A text that ends between two histograms is OK with what it has; `histograms` tells. */
enum source_state dasd_parse_proc(const char *text, size_t length, struct dasd_statistics *out, const char **why);
enum source_state dasd_parse_debugfs(const char *text, size_t length, struct dasd_statistics *out, const char **why);
/* now - before. False when they were reset in between, or the scale changed: no interval can be told. */
bool dasd_statistics_delta(const struct dasd_statistics *before, const struct dasd_statistics *now, struct dasd_statistics *out);

/* One line of /proc/dasd/devices. */
struct dasd_device_line {
	char busid[16], discipline[8], name[32], state[24];
	bool has_block; /* major, minor and name are told */
	uint32_t major, minor;
	bool read_only;
	int64_t block_size, blocks, megabytes; /* -1: not told */
};
/* As diskstats_next. */
int dasd_devices_next(const char **at, const char *end, struct dasd_device_line *out);

/* "IBM.75000000092461.e900.xx", z/VM adds ".VDUIT". */
struct dasd_uid {
	char lcu[48];	/* the first three parts */
	char ua[4];	/* unit address; "xx": a HyperPAV alias */
	char vduit[36]; /* of a minidisk; empty: none */
};
/* The attribute with its newline. 0, -ENODATA when it is empty (offline), -EINVAL. */
int dasd_parse_uid(const char *text, size_t length, struct dasd_uid *out);

#endif
