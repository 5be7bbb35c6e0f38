/* What one step measured: filled by the engine at the end of the step, read by expect, the reports and the deck. */
#ifndef IODECK_RESULT_H
#define IODECK_RESULT_H

#include "base/hist.h"
#include "spec.h"

/* The four clocks of a request (MODEL.md 2.1). */
enum metric { METRIC_TOTAL, METRIC_DEVICE, METRIC_WAIT, METRIC_RESPONSE, N_METRICS };
extern const char *const metric_names[N_METRICS]; /* "total" "device" "wait" "response" */

enum step_end { END_RUNNING, END_RUNTIME, END_SETTLED, END_DONE, END_HUNG, END_SIGNAL, END_ERROR, END_DEVICE, N_STEP_ENDS };
extern const char *const step_end_names[N_STEP_ENDS];

/* A path's state as letters on the deck: + - ! */
enum path_state { PATH_ACTIVE, PATH_STANDBY, PATH_FAILED, N_PATH_STATES };
extern const char *const path_state_names[N_PATH_STATES];

struct path_view {
	char name[16];
	enum path_state state;
	uint64_t requests; /* decided onto this path in this step */
	double share;      /* of all such decisions; of a step, or (snapshot) over the last second; NaN without any */
	uint32_t in_flight, weight;
};

enum knob_state {
	KNOB_IN_EFFECT, /* asked = in effect */
	KNOB_CLAMPED,   /* in effect differs: the range or the system allows no more */
	KNOB_REFUSED,   /* nothing changed */
	KNOB_PENDING,   /* takes effect at a restart */
};

struct knob_view {
	struct knob_ref ref;
	int64_t asked, in_effect;
	int64_t before;          /* in effect in the baseline window */
	enum knob_state state;
	bool applies;            /* false: shown as `-` */
	char reason[96];         /* why it does not apply, is clamped, refused or pending */
};

struct disk_view {
	char name[16];
	const char *state; /* a word of disk_state_names; static */
	char letter;       /* + online, ~ dropping, ! failed or hung */
	bool member;       /* not absent or dropped */
	uint32_t failgroup;
	uint32_t copies;   /* AU on it */
	uint32_t in_flight;
	double busy;       /* share of the time with something in flight: in a step, or (snapshot) over the last second */
};

/* As V$ASM_OPERATION tells it. */
struct rebalance_view {
	bool has_volume;
	const char *state; /* NONE RUN WAIT HALT DONE; static */
	uint32_t power_asked, power_actual;
	uint32_t sofar_au, est_work_au;
	double est_rate_au_per_min; /* 0: nothing moves */
	double est_minutes;         /* NaN: stalled, or nothing to do */
	bool stalled;               /* work is left and nothing moves */
	uint64_t relocations;
	uint64_t failed_reads;
	char reason[128];           /* why it waits; empty */
};

enum { RESULT_MAX_DISKS = 64, RESULT_MAX_ERRORS = 8, RESULT_MAX_NOTES = 24, RESULT_NOTE = 256 };

/* Failed requests of one errno (positive). */
struct error_count {
	int code;
	uint64_t n;
};

struct step_result {
	char name[SPEC_NAME];
	uint32_t step; /* index in the spec */
	int64_t start_ns, length_ns; /* engine time; length without the warm-up */
	enum step_end end;
	struct knob_view knob[N_KNOBS + SPEC_MAX_JOBS * (N_KNOBS - KNOB_FIRST_OF_JOB)];
	uint32_t n_knobs; /* host knobs, the first job's, then those of further jobs */
	uint64_t requests, bytes, errors, short_transfers, redecided, transactions;
	uint64_t outstanding;
	bool has_transactions; /* some job counts transactions */
	double elapsed_s;      /* start to last completion where there is fixed work, else the length */
	bool has_cpu;          /* the preset gives CPU costs */
	double cpu_sys_s, cpu_user_s;
	double forwarded_share; /* NaN: one member, or nothing forwarded can be told */
	double gap_ms;          /* longest time without a completion while requests were out; NaN: nothing was asked */
	double aliases_mean, aliases_peak, aliases_share; /* NaN without aliases */
	struct path_view path[SPEC_MAX_PATHS];
	uint32_t n_paths;
	uint32_t n_disks;
	struct disk_view disk[RESULT_MAX_DISKS];
	struct rebalance_view rebalance;
	struct error_count error[RESULT_MAX_ERRORS]; /* n = 0: no more */
	char note[RESULT_MAX_NOTES][RESULT_NOTE];    /* what to know about these figures, whole sentences */
	uint32_t n_notes;
	struct hist hist[N_METRICS];
};

/* Per second; NaN when the length is 0. */
double result_iops(const struct step_result *r);
double result_bytes_per_s(const struct step_result *r);
double result_transactions_per_s(const struct step_result *r); /* NaN when no job counts them */

#endif
