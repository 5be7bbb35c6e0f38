/* What the kernel says about this machine: one plain snapshot a sample. Read only. Formats: the kernel's Documentation/ABI, Documentation/admin-guide/iostats.rst,
 * drivers/s390/block/dasd_proc.c and dasd.c, drivers/md/md.c. Nothing here may be 0 for "unknown": figures are NaN, numbers PROBE_UNKNOWN, texts empty. */
#ifndef IODECK_PROBES_H
#define IODECK_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#include "dasd_text.h"
#include "diskstats.h"
#include "dm.h"
#include "md_text.h"
#include "sysread.h"
#include "system_text.h"

enum {
	PROBE_MAX_DEVICES = 512,
	PROBE_MAX_DASD = 256, /* CCW devices: bases, aliases, offline ones */
	PROBE_MAX_LCUS = 64,
	PROBE_MAX_ISCSI = 64,
	PROBE_MAX_LINKS = 32,
	PROBE_MAX_PORTS = 64,
	PROBE_MAX_HOSTS = 64,
	PROBE_MAX_HISTOGRAMS = 32, /* sources of DASD histograms */
	PROBE_MAX_PATHS = 256,	   /* of multipath and switch maps */
	PROBE_MAX_REGIONS = 8,	   /* of device-mapper statistics */
	PROBE_NAME = 48,
	PROBE_REASON = 160,
};
#define PROBE_UNKNOWN INT64_MIN

/* One row of the table (probe_table.c) each. */
enum probe_id {
	PROBE_BLOCK,	 /* /proc/diskstats, /sys/block: devices, rates, tree */
	PROBE_QUEUE,	 /* /sys/block/X/queue; can block on a stuck device, hence read by a thread of its own */
	PROBE_SCSI,	 /* SCSI devices and hosts */
	PROBE_FC,	 /* FC remote ports */
	PROBE_DM,	 /* multipath and switch maps, their statistics (libdevmapper); only this machine */
	PROBE_NVME,	 /* NVMe native multipath */
	PROBE_DASD,	 /* CCW devices, LCUs, alias pools */
	PROBE_DASD_STATS, /* DASD statistics of /proc and debugfs */
	PROBE_MD,	 /* md arrays */
	PROBE_ISCSI,	 /* iSCSI sessions */
	PROBE_LINKS,	 /* network interfaces of iSCSI sessions (libnl-route) */
	PROBE_PRESSURE,	 /* /proc/pressure/io */
	PROBE_CPU,	 /* /proc/stat */
	N_PROBES,
};

struct probe_source {
	enum source_state state;
	char reason[PROBE_REASON]; /* empty when OK and nothing is to be said */
};

/* Letters as on the deck: '+' active, '-' standby or off, '!' failed or stalled, '~' being rebuilt or in between, '?' unknown. */
struct probe_state {
	char letter;
	char word[24];
};

struct probe_queue {
	bool known;	  /* was read at all */
	double age_s;	  /* of these values; large while the device's queue is frozen */
	char scheduler[24];
	int64_t nr_requests, read_ahead_kb, max_sectors_kb, wbt_lat_usec, nomerges, rq_affinity, rotational, iostats;
	int64_t logical_block_size, physical_block_size;
	char write_cache[16];
};

struct probe_scsi {
	bool known;
	int64_t queue_depth, device_busy, timeout_s, io_errors;
	char state[24], vendor[12], model[20], hctl[24];
	int host; /* index in probe_snapshot.host, -1: none */
};

/* A whole block device, or a path node. */
struct probe_device {
	char name[PROBE_NAME];	 /* as the kernel prints it: "cciss/c0d0" */
	char kernel[PROBE_NAME]; /* as sysfs spells it: "cciss!c0d0" */
	char kind[12];		 /* "disk" "scsi" "nvme" "path" "dasd" "mpath" "dm" "md" "loop" "zram" */
	char label[PROBE_NAME];	 /* name of a dm map, file of a loop, bus id of a DASD */
	char driver_name[24];
	uint32_t major, minor;
	uint64_t diskseq; /* 0: the kernel does not tell */
	uint64_t size;	  /* bytes */
	struct probe_state state;
	int parent;   /* index of the device built on this one that it is shown below, -1: a root */
	uint8_t depth; /* in the tree */
	uint16_t n_below, n_above; /* slaves, holders */
	bool counted;		   /* there are counters */
	bool hidden;		   /* a path node of NVMe */
	struct disk_counters counters;
	struct disk_rates rates; /* of the last interval; all NaN in the first sample and after the device was made anew */
	int64_t inflight_reads, inflight_writes;
	struct probe_queue queue;
	struct probe_scsi scsi;
	char ana[20]; /* of an NVMe path node */
	char policy[48]; /* of an NVMe head, a multipath or a switch map */
	int dasd, md; /* index in those arrays, -1: none */
};

/* A path of a multipath map, or a target of a switch map. */
struct probe_path {
	char map[PROBE_NAME], device[PROBE_NAME]; /* kernel names; device empty: not a whole disk of this machine */
	char dev[16];				  /* "8:16" */
	uint32_t group;				  /* from 1; 0: not of a multipath map */
	char group_state;			  /* A active, E enabled, D disabled; 0: not told */
	bool failed;
	int64_t fails;	   /* since the table was loaded */
	int64_t in_flight; /* requests (queue-length) or bytes (service-time) */
	char selector[32];
};

/* A region of device-mapper statistics that somebody made (iodeck makes none here). */
struct probe_region {
	char map[PROBE_NAME];
	struct dm_stats stats;
};

struct probe_host {
	char name[16], driver[24], state[16];
	int64_t can_queue, cmd_per_lun, host_busy;
};

struct probe_port {
	char name[32], port_name[24], state[20], roles[32];
	int64_t dev_loss_tmo, fast_io_fail_tmo; /* s; -1: off */
};

/* A CCW device: base, alias, or off. */
struct probe_dasd {
	char busid[16], status[16], discipline[8];
	struct dasd_uid uid;
	bool online, alias, has_uid;
	int lcu;		 /* index, -1: none (off) */
	char block[PROBE_NAME];	 /* "dasda" of a base */
	char state_text[24];	 /* by /proc/dasd/devices: "active", "unformatted" */
	bool read_only;
	int64_t block_size, blocks;
};

enum dasd_mode { DASD_MODE_NONE, DASD_MODE_PAV, DASD_MODE_HYPERPAV, N_DASD_MODES };
extern const char *const dasd_mode_names[N_DASD_MODES];
struct probe_lcu {
	char uid[48]; /* "IBM.75000000092461.e900" */
	uint32_t bases, aliases; /* aliases: those online = the pool */
	enum dasd_mode mode;
};

/* Statistics of one object: of all ("global", from debugfs or else /proc), a block device, a base or an alias. */
struct probe_dasd_stats {
	char name[PROBE_NAME];
	struct probe_source source;
	char from[64]; /* file */
	struct dasd_statistics now;    /* since they were switched on */
	bool has_delta;
	struct dasd_statistics delta;  /* of the interval */
	double alias_share;	       /* of the interval, else since switched on: started on an alias / all; NaN */
};

struct probe_md {
	struct md_array array;
	char sync_action[16], array_state[20];
	int64_t speed_kib, speed_min_kib, speed_max_kib, degraded, mismatches;
	bool min_local, max_local;
};

struct probe_iscsi {
	char name[24], target[96], state[20], address[48], connection_state[16], netdev[24];
	int64_t port, recovery_tmo, host; /* host: number of the SCSI host; recovery_tmo: s */
	bool recovery_off;
};

struct probe_link {
	char name[24], oper[16];
	bool carrier;
	int64_t mtu;
	uint64_t rx_bytes, tx_bytes, rx_errors, tx_errors, rx_dropped, tx_dropped;
	double rx_bytes_s, tx_bytes_s; /* NaN in the first sample */
};

/* About 1.5 MB: not for the stack. Plain data. */
struct probe_snapshot {
	uint64_t number;    /* of the sample, from 1; 0: none yet */
	int64_t at_ns;	    /* monotonic */
	int64_t wall_s;	    /* seconds since 1970 */
	double interval_s;  /* since the sample before; NaN in the first: there are no rates then */
	double cost_s;	    /* reading took so long */
	struct probe_source source[N_PROBES];
	uint32_t n_devices, n_devices_all; /* all: with those there was no room for */
	struct probe_device device[PROBE_MAX_DEVICES]; /* in the order of the tree */
	uint32_t n_hosts, n_ports, n_dasd, n_dasd_all, n_lcus, n_stats, n_md, n_iscsi, n_links, n_paths, n_regions;
	struct probe_host host[PROBE_MAX_HOSTS];
	struct probe_port port[PROBE_MAX_PORTS];
	struct probe_dasd dasd[PROBE_MAX_DASD];
	struct probe_lcu lcu[PROBE_MAX_LCUS];
	struct probe_dasd_stats stats[PROBE_MAX_HISTOGRAMS];
	struct probe_md md[MD_MAX_ARRAYS];
	struct probe_iscsi iscsi[PROBE_MAX_ISCSI];
	struct probe_link link[PROBE_MAX_LINKS];
	struct probe_path path[PROBE_MAX_PATHS];
	struct probe_region region[PROBE_MAX_REGIONS];
	struct pressure_text pressure;
	struct cpu_text cpu;
	double cpu_busy, cpu_iowait; /* shares of the interval, NaN in the first sample */
};

/* ---- sampling: one thread, which may wait for the kernel ---- */

struct probes;
/* `root`: "" is this machine. NULL with err. */
struct probes *probes_open(const char *root, struct err *err);
void probes_close(struct probes *p);
/* Take a sample. `at_ns` is a monotonic time, `wall_s` the date, for the rates and for whoever shows it. The snapshot is borrowed until the next sample. */
const struct probe_snapshot *probes_sample(struct probes *p, int64_t at_ns, int64_t wall_s);

/* Index of a device by the name sysfs has for it, -1: none. */
int probe_find(const struct probe_snapshot *s, const char *kernel);
/* Statistics by name, NULL: none. */
const struct probe_dasd_stats *probe_find_stats(const struct probe_snapshot *s, const char *name);

/* ---- the same in a thread of its own, for a screen that never waits ---- */

struct probe_watch;
/* A sample every `interval_ns`. NULL with err. */
struct probe_watch *probe_watch_start(const char *root, int64_t interval_ns, struct err *err);
/* The newest, NULL before the first; borrowed until the next call. The starter's thread only. */
const struct probe_snapshot *probe_watch_latest(struct probe_watch *w, bool *fresh);
/* Waits for no file: a thread that hangs in the kernel keeps its memory. */
void probe_watch_stop(struct probe_watch *w);

/* ---- the table ---- */

struct probe_context;
/* A row: a source, how it is read into the snapshot. Its state is OK unless `read` says otherwise. */
struct probe_row {
	const char *name; /* "dasd" */
	const char *what; /* where it is read, for people */
	void (*read)(struct probe_context *c);
};
extern const struct probe_row probe_table[N_PROBES];

#endif
