/* What the modelled array is made of (MODEL of the array: link -> controller -> cache -> disk). Plain data. */
#ifndef IODECK_MODEL_PARAMS_H
#define IODECK_MODEL_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

enum array_owner { OWNER_LCU, OWNER_PAGE };
enum disk_layout { LAYOUT_STRIPED, LAYOUT_JBOD };

/* The [array] section of a preset. Durations carry their distribution; a mean of 0 switches the part off. */
struct array_spec {
	uint32_t members;
	enum array_owner owner;
	uint64_t page_bytes;
	uint32_t servers;
	struct dist ctl, write, wake, forward, nvs; /* write.mean 0: as ctl */
	int64_t kb_ns;                              /* service per KiB */
	double knee, kappa;
	double hit, whit;                           /* probabilities */
	bool destage;
	uint32_t links;      /* 0: as paths */
	int64_t link_latency_ns;
	double link_mbps;    /* 10^6 B/s per direction; 0: no limit */
	uint64_t link_burst_bytes; /* a larger transfer takes turns with others; 0: never */
	enum disk_layout disk_layout;
	uint32_t disk_count; /* per member */
	struct dist disk_position;
	double disk_mibps;   /* 0: no transfer time */
	uint64_t disk_readahead_bytes, disk_gap_bytes;
	uint32_t disk_streams;
	int64_t disk_slice_ns;
};

#endif
