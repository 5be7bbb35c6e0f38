/* The table behind the sections of a preset that `set` can reach: one row per section and key.
 * Private to knob*.c, config*.c, describe.c, the preset reader and their tests. */
#ifndef IODECK_CONFIG_ROW_H
#define IODECK_CONFIG_ROW_H

#include "say.h"
#include "spec.h"

/* Ranges that a knob and its key share. */
#define LIMIT_QD      1024
#define LIMIT_IODEPTH 1024
#define LIMIT_POWER 1024
#define LIMIT_JOBS    4096
#define LIMIT_BS_MIN  512
#define LIMIT_BS      (INT64_C(4) << 20)
#define LIMIT_TIME_NS INT64_C(3600000000000) /* 1 h: no part of a request takes longer */
#define LIMIT_RATE    10000000

struct config_row;

/* How one kind of value is read and written. `field` is where the row's `at` points. */
struct value_form {
	const char *name; /* "a time such as 6ms" */
	int (*parse)(const struct config_row *row, const char *text, void *field, struct err *err);
	void (*format)(const struct config_row *row, const void *field, char *buf, size_t room);
	/* A bound of the range as text; NULL: the form has no range. */
	void (*format_bound)(int64_t bound, char *buf, size_t room);
};

struct config_row {
	const char *key;
	const struct value_form *form;
	size_t at;		  /* offset in job_spec, host_spec or array_spec */
	int64_t min, max;	  /* inclusive, in the field's unit */
	const char *const *words; /* of a word: ends with NULL, the index is the value */
	const char *fallback;	  /* the default as a person would write it */
	const char *what;
};

enum config_part { PART_JOB,
		   PART_HOST,
		   PART_VOLUME,
		   PART_ARRAY,
		   N_PARTS };
struct config_section {
	const char *name;
	const struct config_row *row;
	size_t n_rows;
};
extern const struct config_section config_sections[N_PARTS];

/* A key found: its row and the job it belongs to (0 for host and array). */
struct config_place {
	enum config_part part;
	uint32_t job;
	const struct config_row *row;
	bool is_knob; /* named as a knob: set with the knob's side effects */
	struct knob_ref knob;
};

/* Set every field of a part to its default. */
void config_defaults(struct config *cfg, enum config_part part, uint32_t job);
/* Append a job with defaults. Its index, -EEXIST for a name already taken or reserved, -E2BIG. */
int config_add_job(struct config *cfg, const char *name, struct err *err);
/* Index of the job whose name is the first `length` bytes, or -ENOENT. */
int config_find_job(const struct config *cfg, const char *name, size_t length, struct err *err);
/* A row of one part by its key, or -ENOENT. */
int config_find_row(enum config_part part, const char *key, const struct config_row **row,
		    struct err *err);
/* A key of `set` or `--set`. 0 or -ENOENT. */
int config_find(const struct config *cfg, const char *key, struct config_place *place,
		struct err *err);
/* Set what was found. 0, -EINVAL, -ERANGE; err says why, without the key. */
int config_put(struct config *cfg, const struct config_place *place, const char *value,
	       struct err *err);
/* The value of a place as text that config_put reads back. Returns buf. */
char *config_format(const struct config *cfg, const struct config_place *place, char *buf,
		    size_t room);
/* Whether two places are the same field ("qd" and "host.qd"). */
bool config_same(const struct config_place *a, const struct config_place *b);

/* What config_check checks of one part: 0 or -EINVAL. */
int config_check_part(const struct config *cfg, enum config_part part, uint32_t job,
		      struct err *err);
/* jobs x iodepth (or burst) within SPEC_MAX_IN_FLIGHT: 0 or -ERANGE. */
int job_check_in_flight(const struct job_spec *job, struct err *err);

/* A rate makes the job open, 0 makes it closed; a burst job stays one. knob_value.c */
void job_put_rate(struct job_spec *job, uint64_t rate);
/* Whether a value is in the range of its knob, whatever the config: 0 or -ERANGE. knob_value.c */
int knob_check_range(struct knob_ref ref, int64_t value, struct err *err);
/* The next path policy, with its default n. knob_value.c */
int64_t path_step(int64_t value, int direction);

/* Pieces of a comma separated list: copies the next one, without blanks around it, to buf and moves
 * *list behind it. False at the end. -- A piece longer than the room is cut, which no name or
 * number in use reaches. */
bool list_next(const char **list, char *buf, size_t room);

#endif
