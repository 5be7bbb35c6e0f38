/* What a run found, for people and for programs. Nothing here measures; the figures come from the engine's step results. */
#ifndef IODECK_REPORT_H
#define IODECK_REPORT_H

#include <stdio.h>

#include "engine.h"
#include "expect.h"
#include "base/strbuf.h"

/* One expectation with its verdict; `can` is false when a step it needs has no result. */
struct judged {
	uint32_t step;
	const struct expect *expect; /* borrowed from the spec */
	bool can;
	struct verdict verdict;
};

/* A run, filled as its steps end. */
struct report {
	const struct spec *spec;      /* borrowed */
	const char *backend;          /* borrowed */
	uint32_t workers;
	bool simulated;
	bool changed;                 /* by --set or --runtime: not the experiment the expectations were written for */
	const uint8_t *selected;      /* n_steps flags, or NULL: all; borrowed */
	struct step_result **result;  /* owned: n_steps entries, NULL when the step did not run */
	struct judged *judged;        /* owned: after report_judge */
	uint32_t n_judged;
	char **note;                  /* owned: after report_judge; the preset's and the run's */
	uint32_t n_note;
};

/* 0 or -ENOMEM. */
int report_init(struct report *p, const struct spec *spec, const uint8_t *selected);
void report_release(struct report *p);
/* Keep a copy of one step's result. 0 or -ENOMEM. */
int report_add(struct report *p, const struct step_result *r);
/* Judge the expectations of all selected steps and collect the notes. A step that a signal cut short judges nothing. 0 or -ENOMEM. */
int report_judge(struct report *p);
bool report_missed(const struct report *p);

/* ---- figures: one row each, for the text and for JSON ---- */

enum figure_form { FORM_PLAIN, FORM_MEGA, FORM_MS, FORM_SECONDS };

struct figure {
	const char *group, *key;  /* place in JSON: group NULL: the step itself; key NULL: only in the text */
	const char *heading;      /* column of the text, NULL: only in JSON */
	enum figure_form form;
	double (*value)(const struct step_result *r);
	bool (*wanted)(const struct config *cfg); /* whether the column stands in the text; NULL: always */
	double quantile; /* of a percentile; 0: it is none */
};
enum { N_FIGURES = 14 };
extern const struct figure figure_table[N_FIGURES];

/* Of one histogram: min mean p50 p95 p99 p999 max. */
struct latency {
	const char *key;
	double quantile;                    /* of a percentile; 0: `ns` tells */
	double (*ns)(const struct hist *h); /* NaN while it is empty */
};
enum { N_LATENCIES = 7 };
extern const struct latency latency_table[N_LATENCIES];
/* In us; NaN when the histogram is empty, or has too few values for the percentile (hist_needs). */
double latency_us(const struct latency *l, const struct hist *h);

/* "qd", or "users.jobs" for the knobs of further jobs. Returns buf. */
char *report_knob_name(const struct spec *spec, struct knob_ref ref, char *buf, size_t room);
/* What was found, as a person reads it. Returns buf. */
char *report_value(const struct judged *j, char *buf, size_t room);

/* ---- the three forms ---- */

/* The table: head, a row per step as it ends, verdicts and notes. Fits 80 columns. */
void report_text_begin(const struct report *p, FILE *f);
void report_text_step(const struct report *p, const struct step_result *r, FILE *f);
void report_text_end(const struct report *p, FILE *f);
/* The state of a running engine, a few lines. */
void report_text_state(const struct snapshot *s, FILE *f);

/* The document "iodeck/1" (INTERFACE "JSON of run"). 0 or negative errno. */
int report_json(const struct report *p, FILE *f);

/* One record each, appended to `out`. */
void report_csv_head(struct strbuf *out);
void report_csv_row(const struct interval *i, struct strbuf *out);

#endif
