/* One experiment as small nested structs: what a preset says, before anything runs. Filled by preset.c, changed by config.c
 * (one row per key), read by the engine. Plain data except where "owned" is said. */
#ifndef IODECK_SPEC_H
#define IODECK_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "model/params.h"

enum {
	SPEC_NAME = 64,       /* bytes of a name with its NUL */
	SPEC_VALUE = 256,     /* bytes of a value in a `set` list */
	SPEC_TEXT = 1024,     /* bytes of a sentence: caption, note, question */
	SPEC_MAX_JOBS = 16,
	SPEC_MAX_LUNS = 1024,
	SPEC_MAX_LCUS = 64,
	SPEC_MAX_PATHS = 16,
	SPEC_MAX_WEIGHT = 1000, /* of a path */
	SPEC_MAX_ALIASES = 1024,
	SPEC_MAX_MEMBERS = 16,
	SPEC_MAX_TARGETS = 64,
	SPEC_MAX_IN_FLIGHT = 65536, /* jobs x iodepth, and a burst */
};

enum job_kind { JOB_CLOSED, JOB_OPEN, JOB_BURST };
enum job_rw { RW_READ, RW_WRITE, RW_RW, RW_RANDREAD, RW_RANDWRITE, RW_RANDRW };
enum job_random { RANDOM_UNIFORM, RANDOM_ZIPF };
enum device_kind { DEVICE_SCSI, DEVICE_DASD };
enum alias_mode { ALIAS_NONE, ALIAS_PAV, ALIAS_HYPERPAV };

/* The LUNs a job works on, ascending; n = 0: all of them. */
struct lun_set {
	uint32_t n;
	uint16_t lun[SPEC_MAX_LUNS];
};

/* [job NAME] */
struct job_spec {
	char name[SPEC_NAME];
	enum job_kind kind;
	enum job_rw rw;
	uint64_t bs_bytes;
	uint32_t iodepth;
	uint32_t numjobs;   /* 0: the job rests */
	uint32_t rwmixread; /* per cent; only for RW_RW and RW_RANDRW */
	struct dist think;
	uint64_t number_ios; /* over all clones; 0: no fixed work */
	uint64_t size_bytes; /* 0: to the end of the LUN */
	uint64_t offset_bytes;
	enum job_random random;
	double zipf_theta;
	uint32_t burst;
	uint64_t arrival_iops; /* over all clones; 0: closed loop */
	struct lun_set luns;
	bool transaction; /* each completed request is one transaction */
};

/* How a path is chosen; `n` is rr_min_io where the policy has one. */
enum path_policy { PATH_FAILOVER, PATH_ROUND_ROBIN, PATH_QUEUE_LENGTH, PATH_SERVICE_TIME, PATH_PAGE_OWNER, N_PATH_POLICIES };
struct path_choice {
	enum path_policy policy;
	uint32_t n;
};

/* How much each path is given, against the others; n = 0: 1 each. */
struct weight_set {
	uint32_t n;
	uint32_t weight[SPEC_MAX_PATHS];
};

/* [host] */
struct host_spec {
	enum device_kind device;
	uint32_t qd;
	uint32_t bases, lcus;
	uint32_t chanq;
	uint32_t aliases; /* sum over the LCUs */
	enum alias_mode alias_mode;
	uint32_t paths;
	struct path_choice path;
	struct weight_set weights;
	uint32_t standby; /* bit i: path i starts as standby */
	int64_t failover_ns, transport_ns;
	uint32_t restart; /* bit k: knob k (enum knob_id) takes effect only at a restart */
	int64_t cpu_sys_io_ns, cpu_user_io_ns;      /* CPU time per request */
	double cpu_sys_waiter, cpu_user_waiter;     /* CPUs per waiting request */
};

enum redundancy { REDUNDANCY_EXTERNAL, REDUNDANCY_NORMAL, REDUNDANCY_HIGH };

/* [volume] */
struct volume_spec {
	enum redundancy redundancy; /* 1, 2 or 3 copies */
	uint32_t disks;             /* 0: no volume */
	uint32_t failgroups;        /* disk i in group i mod N; 0: one each */
	uint64_t au_bytes;
	uint64_t group_bytes;       /* size laid out; 0: as far as the jobs reach */
	uint32_t power;             /* relocations in flight */
	bool auto_rebalance;        /* a lost disk is dropped by itself */
	char state[SPEC_VALUE];     /* path of the state file; empty: nothing outlives the run */
	bool verify;                /* written blocks are stamped, reads are compared; also without a volume */
	bool em_bug;                /* the power asked for is ignored: always 1 (document 002) */
};

/* Everything `set` can reach. */
struct config {
	struct job_spec job[SPEC_MAX_JOBS];
	uint32_t n_jobs;
	struct host_spec host;
	struct volume_spec volume;
	struct array_spec array; /* [array] */
};

enum run_until { RUN_TIME, RUN_SETTLED, RUN_DONE };

/* One `KEY=VALUE` of a `set` list; already accepted by config_set once. */
struct assign {
	char key[SPEC_NAME * 2];
	char value[SPEC_VALUE];
};

/* One `fault` of a step: a deck command without the colon, at a time after the end of the warm-up. */
struct fault_spec {
	char text[SPEC_NAME * 2];
	int64_t at_ns;
};

struct expect; /* expect.h */

/* [step NAME] */
struct step {
	char name[SPEC_NAME];
	enum run_until until;
	int64_t run_ns; /* for RUN_TIME */
	bool fresh;
	struct assign *set; /* owned */
	uint32_t n_set;
	struct fault_spec *fault; /* owned */
	uint32_t n_fault;
	struct expect *expect; /* owned */
	uint32_t n_expect;
	char *caption, *ask, *hint, *note; /* owned, NULL when absent */
	char *answer[4];                   /* owned, without the `*` */
	uint32_t n_answer, right;          /* right: index of the marked answer */
	struct expect *when;               /* owned: when.N, what must come out for answer N to be true; all answers have one or none */
	uint32_t n_when;
};

/* [fault]: what goes wrong on purpose, whatever the backend. All 0: nothing. */
struct fault_rules {
	double errors, shorts;            /* share of the requests that fail with EIO, that move only half */
	uint64_t range_begin, range_end;  /* only requests that touch these bytes of their LUN; end 0: all */
	int64_t delay_ns;                 /* added to each request */
	int64_t stall_ns;                 /* nothing comes back for so long from the start, or from the command on */
};
/* One rule as a person writes it: "errors" "0.01", "range" "0..1m", "delay" "5ms". 0, -ENOENT (no such rule), -EINVAL. */
int fault_rule_put(struct fault_rules *r, const char *key, const char *value, struct err *err);

/* Which paths (bits) end at the owner of each page of a LUN, from its first page on; the list begins again behind its end. */
struct page_owners {
	uint64_t page_bytes;
	uint16_t *paths; /* owned */
	uint32_t n;      /* 0: nobody tells */
};

/* One path to real storage: [target] NAME = PATH, NAME.2 = PATH, or --target PATH. */
struct target_def {
	char name[SPEC_NAME]; /* without the .2 */
	char *path;           /* owned */
	uint32_t lun, way;    /* which target, which of its paths: 0, 1, ... */
};

/* A preset. */
struct spec {
	char name[SPEC_NAME];      /* file name without folder and .ini */
	char *path;                /* owned */
	char *question;            /* owned: the first line without the comment sign */
	char *title, *source;      /* owned, NULL when absent */
	char **note;               /* owned: notes.N in order */
	uint32_t n_note;
	uint64_t seed;
	int64_t warmup_ns, default_run_ns;
	struct config config; /* the preset's own values */
	struct step *step;    /* owned, file order, at least one */
	uint32_t n_steps;
	/* --set: hold for every step, win over a step's own set of that key. Owned. */
	struct assign *override;
	uint32_t n_override;
	/* [target], or --target in its place */
	struct fault_rules fault;  /* [fault] */
	bool has_fault;
	bool wants_target;         /* there is a [target] section: without a target it cannot run */
	bool buffered;             /* direct = no */
	uint64_t target_bytes;     /* size: used of each, and what a new file gets; 0: all there is */
	struct target_def *target; /* owned */
	uint32_t n_targets;
	struct page_owners owners; /* page_size, owners */
};

/* ---- knobs: the words of INTERFACE.md "Knobs"; one row each in knob.c ---- */

enum knob_id {
	KNOB_QD, KNOB_ALIASES, KNOB_PATH, KNOB_POWER,
	KNOB_IODEPTH, KNOB_JOBS, KNOB_BS, KNOB_MIX, KNOB_THINK, KNOB_RATE,
	N_KNOBS,
	KNOB_FIRST_OF_JOB = KNOB_IODEPTH,
};

/* One knob of one job (job is 0 for host knobs). Values of all knobs are int64: counts, bytes, per cent, ns; a path choice is
 * policy << 32 | n. */
struct knob_ref {
	uint8_t id;  /* enum knob_id */
	uint8_t job;
};

enum knob_step { KNOB_STEP_DOUBLE, KNOB_STEP_ADD, KNOB_STEP_NEXT };

/* A row of the knob table. `name` as in presets, `label` as on the deck, `key` its letter, `what` one line of help. */
struct knob_row {
	const char *name, *label, *config_key, *what;
	char key;
	enum knob_step step;
	int64_t amount;   /* for KNOB_STEP_ADD */
	int64_t min, max;
};
extern const struct knob_row knob_table[N_KNOBS];

/* "qd", "users.jobs" -> ref. -ENOENT with the nearest name in err. `cfg` (borrowed for the call) supplies job names. */
int knob_find(const struct config *cfg, const char *name, struct knob_ref *ref, struct err *err);
/* Whether this knob has an effect with this config; else a static reason ("DASD: one request per base or alias"). */
bool knob_applies(const struct config *cfg, struct knob_ref ref, const char **reason);
int64_t knob_get(const struct config *cfg, struct knob_ref ref);
/* Store a value already in range (knob_check). */
void knob_put(struct config *cfg, struct knob_ref ref, int64_t value);
/* Text -> value; -EINVAL or -ERANGE with the allowed form or range in err. */
int knob_parse(struct knob_ref ref, const char *text, int64_t *value, struct err *err);
/* Range, and what the config allows (jobs x iodepth <= 65536). 0, -ERANGE, -EINVAL. */
int knob_check(const struct config *cfg, struct knob_ref ref, int64_t value, struct err *err);
/* Value -> text that knob_parse reads back ("8KiB", "6ms", "failover"). Returns buf. */
char *knob_format(struct knob_ref ref, int64_t value, char *buf, size_t room);
/* One step up (+1) or down (-1) from `value`, clamped to the range. */
int64_t knob_step_value(struct knob_ref ref, int64_t value, int direction);

/* ---- config keys: one row per section and key in config.c, the parser, `check --keys` and `--set` come from the same rows ---- */

void config_init(struct config *cfg); /* all defaults, no job */
/* Set one key: a knob name, `host.KEY`, `array.KEY`, `JOB.KEY`. -ENOENT (nearest named), -EINVAL, -ERANGE: err says why. */
int config_set(struct config *cfg, const char *key, const char *value, struct err *err);
/* Checks across keys after a load or a set: standby names, jobs x iodepth, lun ranges, lcus <= bases. 0 or -EINVAL. */
int config_check(const struct config *cfg, struct err *err);
/* Value of a step: base, then the step's set, then the overrides. 0, or as config_set (cannot fail for a loaded spec). */
int spec_step_config(const struct spec *spec, uint32_t step, struct config *out, struct err *err);
/* Index of the step, or -ENOENT with the nearest name. */
int spec_find_step(const struct spec *spec, const char *name, struct err *err);
/* One more target: the next path of `name` when that is known, else a new one. Index, -E2BIG or -ENOMEM with err. */
int spec_add_target(struct spec *spec, const char *name, const char *path, struct err *err);
void spec_clear_targets(struct spec *spec);

#endif
