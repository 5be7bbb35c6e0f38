/* `expect` lines of a preset: parsed once, judged against the results of all steps. Grammar: INTERFACE.md "Presets". */
#ifndef IODECK_EXPECT_H
#define IODECK_EXPECT_H

#include "result.h"

/* What is measured: a METRIC with its `at` and `vs`. */
enum expect_what {
	EXPECT_FIGURE,    /* a plain figure: iops, elapsed, total.p99, ... (row of a table) */
	EXPECT_SHARE,     /* share total|device A..B */
	EXPECT_LARGEST,   /* largest total|device: a log2 row */
	EXPECT_SHAPE,     /* total|device same shape as 'STEP' within X */
	EXPECT_STATE,  /* state is WORD: of the rebalance */
};
struct expect_term {
	enum expect_what what;
	uint32_t figure;           /* row of the figure table */
	enum metric metric;        /* for share, largest, shape */
	uint32_t row_first, row_last; /* log2 rows of A..B */
	int32_t at;                /* step index, -1: the step the line stands in */
	bool has_vs, vs_max;
	int32_t vs;                /* step index when has_vs and not vs_max */
};
enum expect_op { OP_BETWEEN, OP_AT_LEAST, OP_AT_MOST, OP_ABOVE, OP_BELOW, OP_IS, OP_IN, OP_SHAPE };
struct expect {
	char text[SPEC_TEXT]; /* as written */
	unsigned line;
	struct expect_term term;
	enum expect_op op;
	double low, high;          /* bounds; `within` of a shape in high */
	struct expect_term right;  /* for above/below */
	int32_t shape_step;
	uint32_t row_first, row_last; /* for `in A..B` */
	char word[SPEC_NAME];      /* for `is` */
};

/* Parse one line that stands in step `step` of `spec` (its step names are already known). 0 or -EINVAL, err without FILE:LINE. */
int expect_parse(const struct spec *spec, uint32_t step, const char *text, struct expect *out, struct err *err);

struct verdict {
	double value; /* the figure judged; NaN: could not be told (a step did not run, no requests) and then pass is false */
	bool pass;
	double other; /* what `above` and `below` compare with; NaN where it is a plain number or nothing */
	const char *word; /* the state judged by `is`, static; else NULL, also where it could not be told */
};
/* `results[i]` is step i's result or NULL when it was not run (borrowed). */
struct verdict expect_judge(const struct expect *e, uint32_t step, const struct step_result *const *results, uint32_t n_steps);
/* Whether every step this line needs has a result. */
bool expect_can_judge(const struct expect *e, uint32_t step, const struct step_result *const *results, uint32_t n_steps);

#endif
