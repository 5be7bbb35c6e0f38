/* Every key of [job NAME], [host], [volume] and [array]: INTERFACE.md "Presets". */
#include "base/clock.h"
#include "config_form.h"

static const char *const kinds[] = { "closed", "open", "burst", NULL };
static const char *const patterns[] = { "read", "write", "rw", "randread", "randwrite", "randrw",
					NULL };
static const char *const devices[] = { "scsi", "dasd", NULL };
static const char *const alias_modes[] = { "none", "pav", "hyperpav", NULL };
static const char *const owners[] = { "lcu", "page", NULL };
static const char *const layouts[] = { "striped", "jbod", NULL };

enum { MAX_SHAPE = 64 }; /* rng_draw */
#define MAX_IOS	      INT64_C(1000000000000000)
#define MAX_BYTES     (INT64_C(1) << 60)
#define GIB	      (INT64_C(1) << 30)
#define TIB	      (INT64_C(1) << 40)
#define MAX_CPU_NS    NS_PER_S

#define JOB(member)   .at = offsetof(struct job_spec, member)
#define HOST(member)  .at = offsetof(struct host_spec, member)
#define VOLUME(member) .at = offsetof(struct volume_spec, member)
#define ARRAY(member) .at = offsetof(struct array_spec, member)

/* fio's words first, with fio's defaults; then ours. */
static const struct config_row job_rows[] = {
	{ "rw", &form_word, JOB(rw), 0, 0, patterns, "read", "what is done, in which order" },
	{ "bs", &form_size, JOB(bs_bytes), LIMIT_BS_MIN, LIMIT_BS, NULL, "4k",
	  "bytes of one request" },
	{ "iodepth", &form_count, JOB(iodepth), 1, LIMIT_IODEPTH, NULL, "1",
	  "requests each clone keeps in flight" },
	{ "numjobs", &form_count, JOB(numjobs), 0, LIMIT_JOBS, NULL, "1",
	  "clones of the job; 0: it rests" },
	{ "rwmixread", &form_count, JOB(rwmixread), 0, 100, NULL, "50",
	  "per cent of reads, where rw is rw or randrw" },
	{ "thinktime", &form_time, JOB(think.mean_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "mean time from a completion to the next request" },
	{ "number_ios", &form_count64, JOB(number_ios), 0, MAX_IOS, NULL, "0",
	  "fixed work: requests over all clones; 0: no end" },
	{ "size", &form_size, JOB(size_bytes), 0, MAX_BYTES, NULL, "0",
	  "bytes of the region used; 0: to the end of the LUN" },
	{ "offset", &form_size, JOB(offset_bytes), 0, MAX_BYTES, NULL, "0",
	  "where the region begins" },
	{ "random_distribution", &form_random, 0, 0, 0, NULL, "random",
	  "which blocks, and which LUNs, are used how often" },
	{ "kind", &form_word, JOB(kind), 0, 0, kinds, "closed",
	  "closed: each request waits for the last; open: arrivals at a rate; burst: many at once" },
	{ "burst", &form_count, JOB(burst), 1, SPEC_MAX_IN_FLIGHT, NULL, "1",
	  "requests of one burst" },
	{ "arrival_iops", &form_rate, 0, 0, LIMIT_RATE, NULL, "0",
	  "arrivals per second over all clones; above 0 the job is open" },
	{ "think_dist", &form_think_dist, JOB(think), 0, 0, NULL, "const",
	  "how the think time varies" },
	{ "lun", &form_luns, JOB(luns), 0, 0, NULL, "all", "the LUNs the job works on" },
	{ "transaction", &form_yesno, JOB(transaction), 0, 0, NULL, "no",
	  "each completed request counts as one transaction" },
};

static const struct config_row host_rows[] = {
	{ "device", &form_word, HOST(device), 0, 0, devices, "scsi", "how volumes take requests" },
	{ "qd", &form_count, HOST(qd), 1, LIMIT_QD, NULL, "1024",
	  "commands a path device takes at once (SCSI)" },
	{ "bases", &form_count, HOST(bases), 1, SPEC_MAX_LUNS, NULL, "1", "LUNs, or DASD bases" },
	{ "lcus", &form_count, HOST(lcus), 1, SPEC_MAX_LCUS, NULL, "1",
	  "logical control units; LUN i lies in LCU i mod lcus" },
	{ "chanq", &form_count, HOST(chanq), 1, 1000000, NULL, "4",
	  "requests on each base or alias, started or not (DASD)" },
	{ "aliases", &form_count, HOST(aliases), 0, SPEC_MAX_ALIASES, NULL, "0",
	  "aliases, sum over the LCUs; split evenly, the rest to the first (DASD)" },
	{ "alias_mode", &form_word, HOST(alias_mode), 0, 0, alias_modes, "none",
	  "pav: bound to a base; hyperpav: a pool per LCU (DASD)" },
	{ "paths", &form_count, HOST(paths), 1, SPEC_MAX_PATHS, NULL, "1", "paths p0, p1, ..." },
	{ "path", &form_path, HOST(path), 0, 0, NULL, "failover", "how a path is chosen" },
	{ "weights", &form_weights, HOST(weights), 1, SPEC_MAX_WEIGHT, NULL, "equal",
	  "what a path is given against the others: round-robin and service-time" },
	{ "standby", &form_standby, HOST(standby), 0, 0, NULL, "none",
	  "paths used only when no other is left" },
	{ "failover_time", &form_time, HOST(failover_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "how long requests are held while a standby path takes over" },
	{ "transport_time", &form_time, HOST(transport_ns), 0, LIMIT_TIME_NS, NULL, "1ms",
	  "how long requests on a dead path take to come back with an error" },
	{ "restart", &form_knobs, HOST(restart), 0, 0, NULL, "none",
	  "knobs that take effect only at a restart" },
	{ "cpu_sys_io", &form_time, HOST(cpu_sys_io_ns), 0, MAX_CPU_NS, NULL, "0",
	  "system CPU time per request" },
	{ "cpu_user_io", &form_time, HOST(cpu_user_io_ns), 0, MAX_CPU_NS, NULL, "0",
	  "user CPU time per request" },
	{ "cpu_sys_waiter", &form_decimal, HOST(cpu_sys_waiter), 0, 1024, NULL, "0",
	  "system CPUs busy per waiting request" },
	{ "cpu_user_waiter", &form_decimal, HOST(cpu_user_waiter), 0, 1024, NULL, "0",
	  "user CPUs busy per waiting request" },
};

static const char *const redundancies[] = { "external", "normal", "high", NULL };

static const struct config_row volume_rows[] = {
	{ "redundancy", &form_word, VOLUME(redundancy), 0, 0, redundancies, "external",
	  "copies of each extent: external 1, normal 2, high 3" },
	{ "disks", &form_count, VOLUME(disks), 0, 48, NULL, "0",
	  "disks d1, d2, ... of the volume, one LUN each; 0: no volume" },
	{ "failgroups", &form_count, VOLUME(failgroups), 0, 48, NULL, "0",
	  "failure groups: disk i in group i mod N; 0: one for each disk" },
	{ "au", &form_size, VOLUME(au_bytes), 65536, 64 << 20, NULL, "1m",
	  "bytes of an allocation unit" },
	{ "group", &form_size, VOLUME(group_bytes), 0, TIB, NULL, "0",
	  "bytes laid out; 0: as far as the jobs reach" },
	{ "power", &form_count, VOLUME(power), 0, LIMIT_POWER, NULL, "1",
	  "relocations of a rebalance in flight; 0 stops it" },
	{ "auto_rebalance", &form_yesno, VOLUME(auto_rebalance), 0, 0, NULL, "no",
	  "a lost disk is dropped and its copies are restored by itself" },
	{ "em_bug", &form_yesno, VOLUME(em_bug), 0, 0, NULL, "no",
	  "the power asked for is ignored, it is always 1" },
	{ "state", &form_file, VOLUME(state), 0, 0, NULL, "none",
	  "file that keeps map and disks of a volume on real storage, so that a later run goes on with it" },
	{ "verify", &form_yesno, VOLUME(verify), 0, 0, NULL, "no",
	  "stamp each block written to real storage, compare each block read, read all again at the end; also without a volume" },
};

/* A shape: 0 constant, 1 exponential, k Erlang-k. */
static const struct config_row array_rows[] = {
	{ "members", &form_count, ARRAY(members), 1, SPEC_MAX_MEMBERS, NULL, "1",
	  "controllers; path i enters member i mod members" },
	{ "owner", &form_word, ARRAY(owner), 0, 0, owners, "page",
	  "what belongs to a member: whole LCUs, or pages" },
	{ "page", &form_size, ARRAY(page_bytes), 4096, TIB, NULL, "15m", "bytes of a page" },
	{ "servers", &form_count, ARRAY(servers), 1, 1024, NULL, "1",
	  "requests a member works on at once" },
	{ "ctl", &form_time, ARRAY(ctl.mean_ns), 0, LIMIT_TIME_NS, NULL, "100us",
	  "mean service time of a request" },
	{ "ctl_shape", &form_count, ARRAY(ctl.shape), 0, MAX_SHAPE, NULL, "0", "its shape" },
	{ "write", &form_time, ARRAY(write.mean_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "mean service time of a write; 0: as ctl" },
	{ "write_shape", &form_count, ARRAY(write.shape), 0, MAX_SHAPE, NULL, "0", "its shape" },
	{ "kb", &form_time, ARRAY(kb_ns), 0, NS_PER_S, NULL, "0", "service time per KiB" },
	{ "knee", &form_decimal, ARRAY(knee), 0, 1000000, NULL, "0",
	  "commands inside a member above which service slows down" },
	{ "kappa", &form_decimal, ARRAY(kappa), 0, 1000, NULL, "0",
	  "slowing per command above the knee, as a share" },
	{ "wake", &form_time, ARRAY(wake.mean_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "extra time when a command finds the member idle" },
	{ "wake_shape", &form_count, ARRAY(wake.shape), 0, MAX_SHAPE, NULL, "0", "its shape" },
	{ "forward", &form_time, ARRAY(forward.mean_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "service at a member that is not the owner, before it passes the request on" },
	{ "forward_shape", &form_count, ARRAY(forward.shape), 0, MAX_SHAPE, NULL, "0",
	  "its shape" },
	{ "nvs", &form_time, ARRAY(nvs.mean_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "time until a write that hits is acknowledged" },
	{ "nvs_shape", &form_count, ARRAY(nvs.shape), 0, MAX_SHAPE, NULL, "0", "its shape" },
	{ "hit", &form_decimal, ARRAY(hit), 0, 1, NULL, "1", "share of reads found in the cache" },
	{ "whit", &form_decimal, ARRAY(whit), 0, 1, NULL, "1", "share of writes the cache takes" },
	{ "destage", &form_yesno, ARRAY(destage), 0, 0, NULL, "no",
	  "a write the cache took costs a disk operation later" },
	{ "links", &form_count, ARRAY(links), 0, SPEC_MAX_PATHS, NULL, "0",
	  "links; path i uses link i mod links; 0: as many as paths" },
	{ "link_latency", &form_time, ARRAY(link_latency_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "time of one way" },
	{ "link_mbps", &form_decimal, ARRAY(link_mbps), 0, 1000000, NULL, "0",
	  "10^6 bytes per second each way; 0: no limit" },
	{ "link_burst", &form_size, ARRAY(link_burst_bytes), 0, GIB, NULL, "256k",
	  "a larger transfer gives the link up after so many bytes; 0: never" },
	{ "disk_layout", &form_word, ARRAY(disk_layout), 0, 0, layouts, "striped",
	  "striped: over the member's disks; jbod: LUN i is disk i" },
	{ "disk_count", &form_count, ARRAY(disk_count), 1, 1024, NULL, "1", "disks per member" },
	{ "disk_position", &form_time, ARRAY(disk_position.mean_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "mean time to position the head" },
	{ "disk_position_shape", &form_count, ARRAY(disk_position.shape), 0, MAX_SHAPE, NULL, "0",
	  "its shape" },
	{ "disk_mibps", &form_decimal, ARRAY(disk_mibps), 0, 1000000, NULL, "0",
	  "MiB per second under the head; 0: no transfer time" },
	{ "disk_readahead", &form_size, ARRAY(disk_readahead_bytes), 0, GIB, NULL, "0",
	  "bytes read ahead of a sequential stream" },
	{ "disk_gap", &form_size, ARRAY(disk_gap_bytes), 0, GIB, NULL, "0",
	  "hole that does not end a sequential stream" },
	{ "disk_streams", &form_count, ARRAY(disk_streams), 1, 64, NULL, "8",
	  "sequential streams a disk follows" },
	{ "disk_slice", &form_time, ARRAY(disk_slice_ns), 0, LIMIT_TIME_NS, NULL, "0",
	  "time the disk gives one class of work; 0: first come, first served" },
};

const struct config_section config_sections[N_PARTS] = {
	[PART_JOB] = { "job", job_rows, sizeof(job_rows) / sizeof(job_rows[0]) },
	[PART_HOST] = { "host", host_rows, sizeof(host_rows) / sizeof(host_rows[0]) },
	[PART_VOLUME] = { "volume", volume_rows, sizeof(volume_rows) / sizeof(volume_rows[0]) },
	[PART_ARRAY] = { "array", array_rows, sizeof(array_rows) / sizeof(array_rows[0]) },
};
