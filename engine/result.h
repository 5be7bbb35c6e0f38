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
	uint32_t in_flight;
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
	double gap_ms;          /* longest time between two completions; NaN with fewer than two */
	double aliases_mean, aliases_peak, aliases_share; /* NaN without aliases */
	struct path_view path[SPEC_MAX_PATHS];
	uint32_t n_paths;
	struct hist hist[N_METRICS];
};

/* Per second; NaN when the length is 0. */
double result_iops(const struct step_result *r);
double result_bytes_per_s(const struct step_result *r);
double result_transactions_per_s(const struct step_result *r); /* NaN when no job counts them */

#endif
