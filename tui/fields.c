#include "fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct field *fields_add(struct fields *f, int rank)
{
	struct field *field = &f->field[f->n < FIELDS_MAX ? f->n++ : FIELDS_MAX - 1];

	*field = (struct field){ .rank = rank };
	return field;
}

void fields_label(struct fields *f, int rank, enum role role, const char *fmt, ...)
{
	struct field *field = fields_add(f, rank);
	va_list args;

	field->role = role;
	va_start(args, fmt);
	vsnprintf(field->label, sizeof(field->label), fmt, args);
	va_end(args);
}

int field_width(const struct field *f)
{
	return canvas_width(f->label) + canvas_width(f->value) + canvas_width(f->tail);
}

static int draw_field(struct canvas *c, int row, int column, int end, const struct field *f)
{
	column = canvas_text(c, row, column, end, f->role, f->label);
	column = canvas_text(c, row, column, end, f->value_role, f->value);
	return canvas_text(c, row, column, end, f->role, f->tail);
}

/* Rows needed when the fields flow into rows of `columns`; more than any screen has when one of
 * them is wider than a row. */
static int flow(struct canvas *c, struct rect part, const struct fields *f, int gap, bool draw)
{
	int row = 0, column = 0;

	for (int i = 0; i < f->n; i++) {
		int width = field_width(&f->field[i]);
		bool full = column > 0 && column + gap + width > part.columns;

		if (width > part.columns)
			return CANVAS_MAX_ROWS;
		if (full || (column > 0 && f->field[i].new_row)) {
			row++;
			column = 0;
		}
		column += column ? gap : 0;
		if (draw)
			draw_field(c, part.row + row, part.column + column,
				   part.column + part.columns, &f->field[i]);
		column += width;
	}
	return f->n ? row + 1 : 0;
}

/* Take away the last of the fields with the highest rank. */
static void drop_least(struct fields *f)
{
	int least = 0;

	for (int i = 1; i < f->n; i++)
		if (f->field[i].rank >= f->field[least].rank)
			least = i;
	f->n--;
	memmove(&f->field[least], &f->field[least + 1],
		(size_t)(f->n - least) * sizeof(f->field[0]));
}

static void ignore_breaks(struct fields *f)
{
	for (int i = 0; i < f->n; i++)
		f->field[i].new_row = false;
}

static bool has_spare(const struct fields *f)
{
	for (int i = 0; i < f->n; i++)
		if (f->field[i].rank >= FIELDS_SPARE)
			return true;
	return false;
}

/* Give up breaks, spare fields, wide gaps, then fields, until `f` fits into the part. */
static void fit(struct canvas *c, struct rect part, struct fields *f)
{
	if (flow(c, part, f, f->gap, false) > part.rows)
		ignore_breaks(f);
	while (has_spare(f) && flow(c, part, f, f->gap, false) > part.rows)
		drop_least(f);
	if (f->gap > 1 && flow(c, part, f, f->gap, false) > part.rows)
		f->gap = 1;
	while (f->n && flow(c, part, f, f->gap, false) > part.rows)
		drop_least(f);
}

int fields_flow(struct canvas *c, struct rect part, const struct fields *fields, bool draw)
{
	struct fields f = *fields;

	if (part.rows <= 0 || part.columns <= 0)
		return 0;
	fit(c, part, &f);
	return flow(c, part, &f, f.gap, draw);
}

int fields_row(struct canvas *c, int row, int column, int end, const struct fields *fields)
{
	struct fields f = *fields;
	struct rect part = { row, column, 1, end - column };

	if (part.columns <= 0)
		return column;
	fit(c, part, &f);
	flow(c, part, &f, f.gap, true);
	for (int i = 0; i < f.n; i++)
		column += field_width(&f.field[i]) + (i ? f.gap : 0);
	return column;
}

int fields_need(const struct fields *fields, int columns, int most)
{
	struct fields f = *fields;
	struct rect part = { 0, 0, 0, columns };
	int rows = 1;

	ignore_breaks(&f);
	while (rows < most && flow(NULL, part, &f, 1, false) > rows)
		rows++;
	return f.n ? rows : 0;
}
