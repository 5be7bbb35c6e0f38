/* The kinds of values a key may have. Private to config*.c. */
#ifndef IODECK_CONFIG_FORM_H
#define IODECK_CONFIG_FORM_H

#include "config_row.h"

extern const struct value_form form_count;   /* uint32_t */
extern const struct value_form form_count64; /* uint64_t */
extern const struct value_form form_size;    /* uint64_t, bytes */
extern const struct value_form form_time;    /* int64_t, ns */
extern const struct value_form form_decimal; /* double */
extern const struct value_form form_yesno;   /* bool */
extern const struct value_form form_word;    /* an enum: index of row->words */
extern const struct value_form form_file;    /* char [SPEC_VALUE]: a path */

/* config_form_dist.c */
extern const struct value_form form_path;	/* struct path_choice */
extern const struct value_form form_think_dist; /* struct dist: its shape */
extern const struct value_form form_random;	/* struct job_spec: random, zipf_theta */
extern const struct value_form form_rate;	/* struct job_spec: arrival_iops, kind */

/* config_form_list.c */
extern const struct value_form form_luns;    /* struct lun_set */
extern const struct value_form form_weights; /* struct weight_set */
extern const struct value_form form_standby; /* uint32_t: a bit per path */
extern const struct value_form form_knobs;   /* uint32_t: a bit per knob */

/* 0, or -ERANGE with the row's range in err. */
int check_bounds(const struct config_row *row, int64_t value, struct err *err);
/* Bounds as plain numbers. */
void format_number(int64_t bound, char *buf, size_t room);

#endif
