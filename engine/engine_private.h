/* Inside the engine: shared by engine.c (time), engine_step.c (steps), engine_command.c (commands), engine_knob.c (knobs),
 * engine_acts.c (what a change did) and engine_snapshot.c. Nobody else includes this. */
#ifndef IODECK_ENGINE_PRIVATE_H
#define IODECK_ENGINE_PRIVATE_H

#include "crew.h"
#include "engine.h"
#include "stack/journal.h"
#include "expect.h"
#include "steady.h"
#include "target.h"

#define SLICE_NS (100 * NS_PER_MS)

enum {
	RECENT_SLICES = 10, /* rates shown are those of the last second */
	UNDO_DEPTH = 64,
};

/* Cumulative figures at the end of a slice; differences give the rates of the last second. */
struct tally {
	int64_t t_ns;
	uint64_t requests, bytes, transactions, commands, forwarded;
	int64_t member_busy_ns[SPEC_MAX_MEMBERS];
	uint64_t path_requests[SPEC_MAX_PATHS];
	int64_t disk_busy_ns[VOLUME_MAX_DISKS];
	int64_t lcu_busy_ns[SPEC_MAX_LCUS];
};

/* What changes are compared with. */
struct baseline {
	bool valid, kept;
	int64_t t_ns;
	struct estimate iops;
	struct lat_view window[N_METRICS];
	struct config config; /* in effect then */
};

/* A knob whose asked and effective values are not simply equal. */
struct knob_note {
	enum knob_state state;
	int64_t refused; /* the value, while the state is KNOB_REFUSED */
	char reason[96];
};

struct undo {
	struct knob_ref ref;
	int64_t value;
	uint64_t act; /* number of the act it takes back */
};

/* For engine_honest.c: figures when the step's measurement began, and what was told already. */
struct honest {
	uint64_t sectors;
	int64_t cpu_ns, wall_offset_ns, late_ns;
	int64_t over_ns; /* when it was seen that the step's time is over; 0: not yet */
	uint32_t n_lost_told;
	bool told_targets, told_labels, told_silence;
	struct silence_view silence; /* at the end of the last slice */
	int64_t told_late_ns, seen_offset_ns;
	struct honest_second {
		int64_t t_ns, cpu_ns;
		uint64_t sectors, bytes;
		double in_flight_s; /* sum of the latencies */
		uint32_t slices;
	} second; /* since it began */
	struct honest_view view; /* of the last whole one */
};

#define HONEST_LATE_NS (100 * NS_PER_MS)    /* an interval that ends later than this is told */
#define HONEST_STEPPED_NS (500 * NS_PER_MS) /* of the wall clock against the monotonic one */
enum { HONEST_SECTOR = 512, HONEST_FEW_BYTES = 1 << 20 };

/* Where a GOTO leads: engine time of the straight run, or the end of the step before number `value` (0: the very start). */
struct goal {
	enum { GOAL_NONE, GOAL_TIME, GOAL_STEP } kind;
	int64_t value;
	bool go_on; /* there, play on to the end of the step; else stand still */
};

struct engine {
	const struct spec *spec; /* borrowed */
	struct engine_options o;
	const struct backend_ops *ops;
	struct worker w;  /* the first of the crew; volume, verify and the model have no other */
	struct crew crew;
	struct backend_target *target; /* owned: of the worker that runs; NULL without targets */
	struct stats *stats; /* owned */
	/* knobs */
	struct config asked, effect;
	struct knob_note note[N_KNOBS][SPEC_MAX_JOBS];
	struct undo undo[UNDO_DEPTH];
	uint32_t n_undo;
	uint64_t told_fault; /* the act of which was said that it cannot be undone */
	char refused[160];   /* a fault of the step that was refused, and why; empty: none */
	/* timeline */
	uint32_t step;
	bool playing, ended, paused, warming;
	double speed;
	int64_t paused_at_ns;            /* of the handed-in clock */
	int64_t warm_end_ns, step_start_ns, step_end_ns; /* step_end: INT64_MAX when not timed */
	uint32_t next_fault;
	uint32_t n_played;               /* steps ended while playing */
	/* slices and intervals */
	int64_t slice_start_ns, slice_end_ns, interval_start_ns, interval_end_ns;
	uint64_t n_slices;               /* ended so far */
	struct slice slice[SNAPSHOT_SLICES]; /* ring by absolute number */
	struct tally tally[RECENT_SLICES + 1]; /* ring by absolute number */
	uint64_t segment;                /* first whole slice after the last act */
	uint64_t segment_acts;           /* acts when it began: later ones belong to it */
	uint64_t settled_at;             /* slice at which it settled; 0: not yet */
	uint32_t epoch;
	/* the counters beyond the worker when the step's measurement began */
	struct backend_counters counters_then;
	uint64_t path_then[SPEC_MAX_PATHS];
	uint64_t redecided_then, alias_requests_then;
	int64_t alias_ns_then;
	int64_t disk_busy_then[VOLUME_MAX_DISKS];
	uint64_t relocations_then, failed_reads_then;
	/* fixed work */
	int64_t round_start_ns;
	struct work_view work;
	double round_response_s, round_device_s; /* sums when the round began */
	uint64_t round_requests;
	/* acts */
	int64_t recent_gap_ns[RECENT_SLICES]; /* longest gaps of the last slices, by number */
	struct act act[SNAPSHOT_ACTS];   /* ring by number - 1 */
	uint64_t n_acts;
	uint32_t n_markers;
	struct baseline before;
	uint64_t n_snapshots;
	struct step_result *result;      /* owned, scratch for the step that ends */
	struct journal journal;          /* of a volume with a state file */
	bool has_journal;
	bool labelled;                   /* disks of a volume without one carry their labels */
	bool checking;                   /* the step is over, its result waits for the final check */
	int64_t check_from_ns;
	uint64_t mismatches_told, mismatches_then;
	struct honest honest;
	/* the run as a story: engine_goto.c */
	struct goal goal;
	bool straight; /* played in order from the start, nothing turned by hand */
	bool stepwise; /* the clock stands at the end of each step */
	bool at_end;   /* it does: the step has its result, the next has not begun */
	uint32_t run;  /* how often it was begun */
	uint32_t n_goto; /* GOTO commands obeyed or refused */
	struct step_result **done; /* owned, n_steps of them; NULL: not played yet. Only with `hold` */
	struct step_verdicts verdicts;
};

/* engine_goto.c */
int engine_goto(struct engine *e, const struct command *c, struct err *err); /* COMMAND_GOTO_STEP, _TIME */
int64_t engine_goal_limit(const struct engine *e, int64_t t_ns); /* not beyond a time that is the goal */
bool engine_goal_reached(struct engine *e);
bool engine_stands(struct engine *e);       /* a step has ended: does the clock stand there? */
void engine_leave_story(struct engine *e);  /* something was done by hand */
void engine_keep_result(struct engine *e);
void engine_fill_story(const struct engine *e, struct snapshot *s);
/* engine.c: from time 0, which the worker must be at */
int engine_begin_run(struct engine *e, uint32_t step, struct err *err);
/* engine_command.c */
void engine_set_paused(struct engine *e, bool paused);

/* engine_step.c */
int engine_start_step(struct engine *e, uint32_t step, bool fresh, struct err *err);
int engine_next_step(struct engine *e, struct err *err); /* the running one has ended while playing */
void engine_begin_measure(struct engine *e);             /* end of the warm-up, reset */
void engine_measure_step(struct engine *e, enum step_end why); /* fill the result */
void engine_give_result(struct engine *e);                     /* to the sink */
void engine_close_step(struct engine *e, enum step_end why);   /* both */
int engine_due_faults(struct engine *e, struct err *err);
int64_t engine_next_fault_ns(const struct engine *e);
void engine_work_done(struct engine *e);

/* engine.c */
void engine_end_slice(struct engine *e);
void engine_end_interval(struct engine *e); /* what there is of it, if anything, goes to the sink */
void engine_restart_slices(struct engine *e);

/* engine_volume.c */
void engine_remember_disks(struct engine *e);
int64_t engine_disk_busy_ns(const struct engine *e, uint32_t disk);
void engine_fill_rebalance(const struct engine *e, struct rebalance_view *r);
void engine_fill_disks(const struct engine *e, const int64_t *busy_then, int64_t length_ns, struct disk_view *d, uint32_t *n);
void engine_limit_power(struct engine *e); /* the EM bug: in effect is always 1 */
bool engine_rebalance_over(const struct engine *e, enum step_end *why);

/* engine_verify.c: the final check begins (true), is over, ends; what is told of data that is verified. */
bool engine_verify_params(const struct engine *e, const struct config *cfg, struct verify_params *p); /* false: nothing is verified */
bool engine_check_begin(struct engine *e, enum step_end why);
bool engine_check_over(struct engine *e);
void engine_check_end(struct engine *e);
void engine_verify_slice(struct engine *e);
void engine_verify_end(struct engine *e, struct step_result *r, enum step_end why);
void engine_name_mismatch(const struct engine *e, const struct verify_mismatch *m, char *text, size_t room);
uint64_t engine_random_id(void); /* never 0 */

/* engine_state.c: labels and the state file, before a worker is opened and before it is closed. 0 or negative with err. */
int engine_state_begin(struct engine *e, const struct config *cfg, struct worker_site *site, struct err *err);
void engine_state_end(struct engine *e);
const char *engine_state_failure(const struct engine *e); /* why the run cannot go on; empty */
void engine_state_note(const struct engine *e, struct step_result *r);

/* engine_honest.c */
void engine_note(struct step_result *r, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* for the results */
int64_t honest_cpu_ns(void);         /* of this process */
int64_t honest_wall_offset_ns(void); /* wall clock against the monotonic one */
uint64_t honest_sectors(const struct target_set *set); /* moved by the devices below, since they are there */
uint32_t honest_asked_depth(const struct config *cfg); /* of closed jobs without think time; 0: nobody can say */
bool honest_sparse(const struct target *t);
void engine_honest_begin(struct engine *e);
void engine_honest_end(struct engine *e, struct step_result *r);
bool engine_honest_over(struct engine *e, enum step_end *why);

/* engine_watch.c */
void engine_tell(struct engine *e, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* for the list of events */
void engine_honest_slice(struct engine *e);

/* engine_knob.c: a change is asked; at a restart what was asked comes into effect. 0 or negative with err. */
int engine_put_in_effect(struct engine *e, struct knob_ref ref, int64_t value, struct err *err);
int engine_apply(struct engine *e, struct knob_ref ref, int64_t value, enum cause cause, bool merge, struct err *err);
void engine_note_knob(struct engine *e, struct knob_ref ref, enum knob_state state, const char *reason);
void engine_fill_knob(const struct engine *e, struct knob_ref ref, struct knob_view *v);

/* engine_snapshot.c: `then` are the paths' counters where the shares begin. */
void engine_fill_paths(const struct engine *e, const uint64_t *then, struct path_view *v, uint32_t *n);

/* engine_acts.c */
struct act *engine_add_act(struct engine *e, enum act_kind kind, enum cause cause, bool marked);
struct act *engine_last_marked(struct engine *e);
/* engine_outside.c: the command, and what every whole slice adds to it. */
int engine_outside(struct engine *e, const struct command *c, struct err *err);
void engine_outside_slice(struct engine *e);
void engine_begin_segment(struct engine *e); /* something changed: baseline, new window */
void engine_restart_window(struct engine *e); /* new window, same baseline */
uint64_t engine_segment_slices(const struct engine *e);
void engine_judge(struct engine *e);         /* after each slice */
void engine_keep_baseline(struct engine *e, bool keep);
struct estimate engine_window_mean(const struct engine *e);
double engine_segment_cv(const struct engine *e, uint32_t *n);

#endif
