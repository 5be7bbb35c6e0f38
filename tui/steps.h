/* View 4, the steps of a preset as a lesson: picture, plain rows, keys, commands. */
#ifndef IODECK_STEPS_H
#define IODECK_STEPS_H

#include "views.h"

/* screen_steps.c */
void screen_steps(struct canvas *c, const struct snapshot *s, const struct view *v);
/* "right", "not right", "skipped", "answered", "" */
const char *steps_answer_word(const struct lesson *l, uint32_t step);
/* steps_table.c */
void steps_table(struct table *t, const struct snapshot *s, const struct view *v);

/* steps.c */
extern const struct binding steps_keys[];
extern const struct line_row steps_lines[];
int steps_act(struct console *c, const struct action *a, struct err *err);

#endif
