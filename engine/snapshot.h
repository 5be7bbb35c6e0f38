/* What the engine publishes, ten times a second: plain data, everything a screen needs, nothing to compute but drawing. */
#ifndef IODECK_SNAPSHOT_H
#define IODECK_SNAPSHOT_H

#include "command.h"
#include "result.h"

enum {
	SNAPSHOT_SLICES = 1200, /* 100 ms each: the last two minutes */
	SNAPSHOT_ACTS = 64,
	SNAPSHOT_LCUS = 8,
};

/* Latencies of one metric over a window. Times in ns, NaN while n = 0. */
struct lat_view {
	uint64_t n;
	double min_ns, mean_ns, p50_ns, p95_ns, p99_ns, p999_ns, max_ns;
	uint64_t log2[HIST_LOG2_ROWS];
};

/* 100 ms of engine time (the last one may still be open and is then not in the list). */
struct slice {
	uint32_t requests, errors;
	uint64_t bytes;
	float p99_total_ms; /* NaN without requests */
	/* in each log2 row of TOTAL: parts of 255 of the slice's requests, at least 1 where there was one */
	uint8_t total_share[HIST_LOG2_ROWS];
};

enum act_kind { ACT_KNOB, ACT_FAULT, ACT_STEP, ACT_NOTE, ACT_MARK, ACT_OUTSIDE, ACT_DEVICE }; /* device: what real storage tells */

/* One thing that was done or happened, with its effect once known. */
struct act {
	uint64_t number;      /* 1, 2, ... over the run; knob acts also carry a marker */
	uint32_t marker;      /* 1, 2, ...: digit in the strips; 0: none */
	enum act_kind kind;
	enum cause cause;
	int64_t t_ns;         /* engine time */
	uint64_t slice;       /* absolute number of the slice it fell into */
	uint64_t request;     /* requests completed in this run before it */
	struct knob_ref ref;
	int64_t from, to, asked; /* from: value in the baseline window; to: in effect */
	enum knob_state state;
	bool undone;
	uint64_t undoes;      /* number of the act that this one takes back; 0: it is no undo */
	/* result against the baseline window, once settled or after 15 s */
	bool judged;          /* ratio below is valid */
	int64_t judged_ns;    /* engine time when it first was */
	bool settled;         /* else: judged without being settled */
	bool superseded;      /* another change came first */
	double ratio, ratio_low, ratio_high; /* of IOPS; 95 % interval */
	double gap_ms;        /* ACT_OUTSIDE: longest time without a completion from 1 s before to 5 s after; else NaN */
	char text[160];       /* what a log line says: "qd 1>10 in effect", "refused: ..." */
};

/* The workload knobs of one job, in the order of knob_table from KNOB_FIRST_OF_JOB on: values in effect. */
struct job_view {
	char name[SPEC_NAME];
	uint32_t applies; /* bit k: value[k] has an effect */
	int64_t value[N_KNOBS - KNOB_FIRST_OF_JOB];
};

struct lcu_view {
	uint32_t aliases, busy, peak; /* online; with a request in the device (mean of the last second); largest in this step */
	uint32_t waiting;             /* requests in block queues of its volumes */
	uint32_t bases;
};

struct work_view {
	uint64_t number, done;   /* fixed work of all jobs; number 0: none */
	uint32_t rounds;         /* completed so far */
	double last_elapsed_s;   /* of the last completed round; NaN before */
	double last_cpu_sys_s, last_cpu_user_s; /* NaN when the preset gives no costs */
};

enum { SNAPSHOT_EXPECTS = 24, SNAPSHOT_ANSWERS = 4 };

/* An `expect` or `when` line against what was measured. */
struct verdict_view {
	bool known, pass;   /* known: all steps it needs have been played */
	double value, other; /* the figure, and the one it is compared with; NaN: none */
	const char *word;   /* of `state is WORD`; static, else NULL */
};

/* What the step that ended last gave. */
struct step_verdicts {
	uint32_t step; /* 1 + its index; 0: none has ended */
	enum step_end end;
	uint32_t n_expect, n_answer; /* in the order of the preset */
	struct verdict_view expect[SNAPSHOT_EXPECTS], answer[SNAPSHOT_ANSWERS];
};

struct settle_view {
	bool settled;
	double waited_s, needed_s; /* 2 of 3 s */
	double cv, needed_cv;      /* of IOPS: NaN while there are too few slices, or no IOPS; settled below needed_cv */
};

/* Requests in the devices, when the oldest of them has been there for long (real time only); n = 0: all is well. */
struct silence_view {
	uint32_t n;
	int64_t oldest_ns;
};

/* What the figures of real devices rest on, over the last second. */
struct honest_view {
	bool known;         /* false: not real, or no whole second yet */
	double depth;       /* requests in flight on average (Little: the sum of their latencies in that time) */
	uint32_t asked;     /* that closed jobs keep in flight; 0: nobody can say */
	double cpu_share;   /* of one processor, iodeck's own */
	double below_share; /* bytes that the device below moved, of those of the requests; NaN: too few, or there is no device */
};

struct snapshot {
	uint64_t number;
	uint32_t epoch; /* raised when the window starts again: step, reset, act */
	/* identity */
	char preset[SPEC_NAME], step_name[SPEC_NAME];
	char question[256], caption[512], hint[256], note[256];
	char backend[16];
	bool simulated;
	uint64_t seed;
	uint32_t step, n_steps;
	bool playing, paused, ended;
	bool warming;            /* inside the warm-up */
	uint32_t run;            /* how often the run was begun: raised when a GOTO plays it anew */
	uint32_t n_goto;         /* GOTO commands obeyed or refused so far */
	bool straight;           /* played in order from the start, nothing turned by hand */
	bool at_end;             /* the clock stands at the end of this step; its verdicts are below */
	bool seeking;            /* on the way to where a GOTO leads */
	uint64_t done_steps;     /* bit i: step i was played to its end in this run (the first 64) */
	struct step_verdicts verdicts;
	double speed;            /* virtual seconds per second; 0: as fast as possible */
	double lag_s;            /* virtual time behind the asked pace */
	int64_t t_ns;            /* engine time */
	int64_t step_t_ns;       /* time measured in this step */
	int64_t step_length_ns;  /* of a timed step; 0: until done or settled, or held */
	/* knobs: N_KNOBS entries in the order of knob_table (workload knobs: the first job's) */
	struct knob_view knob[N_KNOBS];
	struct job_view job[SPEC_MAX_JOBS]; /* n_jobs of them */
	uint64_t undo_act; /* number of the act that an undo takes back now; 0: nothing to undo */
	/* rates over the last second of engine time */
	double iops, bytes_per_s, transactions_per_s; /* NaN when unknown */
	/* change of the window's IOPS against the baseline; NaN without baseline */
	double change_ratio, change_low, change_high;
	uint64_t requests, errors, short_transfers, redecided; /* in this step */
	struct error_count error[RESULT_MAX_ERRORS];           /* of the errors; n = 0: no more */
	uint32_t in_flight, waiting; /* in the device; before it (block queue + device queue) */
	struct silence_view silence;
	struct honest_view honest;
	struct settle_view settle;
	/* windows */
	double window_iops;
	struct lat_view window[N_METRICS];
	bool has_before, before_kept;  /* kept by hand ("A") or chosen automatically */
	int64_t before_t_ns;           /* end of that window, engine time */
	double before_iops;
	struct lat_view before[N_METRICS];
	/* strips */
	uint64_t first_slice; /* absolute number of slice[0] */
	uint32_t n_slices;
	struct slice slice[SNAPSHOT_SLICES];
	/* acts, oldest first */
	uint32_t n_jobs, n_acts;
	struct act act[SNAPSHOT_ACTS];
	/* parts */
	uint32_t n_lcus, n_all_lcus;
	bool has_aliases;
	struct lcu_view lcu[SNAPSHOT_LCUS]; /* the last entry sums the rest when there are more */
	uint32_t n_paths;
	struct path_view path[SPEC_MAX_PATHS];
	uint32_t n_disks; /* 0: no volume */
	struct disk_view disk[RESULT_MAX_DISKS];
	struct rebalance_view rebalance;
	uint32_t n_members;
	float member_busy[SPEC_MAX_MEMBERS]; /* 0..1 over the last second; model only */
	double forwarded_share; /* of the commands of the last second that came to a member which does not own the page; NaN: nobody tells */
	struct work_view work;
};

#endif
