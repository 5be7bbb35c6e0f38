/* Small texts laid side by side; when they do not all fit, the least important go first, each as a
 * whole. */
#ifndef IODECK_FIELDS_H
#define IODECK_FIELDS_H

#include "canvas.h"

enum {
	FIELDS_MAX = 48,
	FIELD_TEXT = 96,
};
enum { FIELDS_SPARE = 9 }; /* rank of what goes before the gaps are narrowed */

/* Three pieces without gaps: label and tail in plain text, the value in a role of its own. `rank` 0
 * stays longest. */
struct field {
	char label[FIELD_TEXT], value[FIELD_TEXT], tail[FIELD_TEXT];
	enum role value_role, role;
	int rank;
	bool new_row; /* begins a row when there is more than one */
};

struct fields {
	struct field field[FIELDS_MAX];
	int n, gap;
};

/* A further empty field of this rank; NULL never: beyond FIELDS_MAX the last one is used again. */
struct field *fields_add(struct fields *f, int rank);
/* The same with a label only. */
void fields_label(struct fields *f, int rank, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int field_width(const struct field *f);

/* Draw into one row; returns the column behind the last. */
int fields_row(struct canvas *c, int row, int column, int end, const struct fields *f);
/* Draw into a part of several rows, broken between fields and at `new_row`; when they need more
 * rows than there are, the least important go. `draw` false: only count. Returns the rows needed
 * (at most part.rows). */
int fields_flow(struct canvas *c, struct rect part, const struct fields *f, bool draw);

/* The fewest rows, at most `most`, that hold all of them, with narrow gaps and without breaks if
 * need be. */
int fields_need(const struct fields *f, int columns, int most);

#endif
