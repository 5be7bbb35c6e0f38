/* All screens, and what lies over them: the `:` line in the bottom rows. */
#include "screen.h"

#include "base/text.h"
#include "fields.h"
#include "views.h"

/* ---- footer ---- */

static void knob_letters(struct fields *f, const struct snapshot *s)
{
	char letters[N_KNOBS + 1] = "";
	size_t n = 0;

	for (int i = 0; i < N_KNOBS; i++)
		if (!s || s->knob[i].applies)
			letters[n++] = knob_table[i].key;
	letters[n] = '\0';
	fields_label(f, 2, ROLE_TEXT, "%s:knob", letters);
}

/* A global row that the view has not taken for itself. */
static bool has_effect(const struct view_row *row, const struct binding *b)
{
	if (b->knobs && !row->knobs)
		return false;
	return !key_find(row->binding, b->key[0]);
}

/* Help first, then the view's own keys. */
void screen_footer(struct canvas *c, struct rect part, const struct snapshot *s,
		   const struct view *v)
{
	const struct view_row *row = &view_table[v->screen];
	struct fields f = { .gap = 2 };

	for (size_t i = 0; i < n_bindings; i++) {
		const struct binding *b = &bindings[i];

		if (b->footer && has_effect(row, b))
			fields_label(&f, b->rank, ROLE_TEXT, "%s", b->footer);
		if (i == 0 && row->knobs)
			knob_letters(&f, s);
		for (const struct binding *own = i ? NULL : row->binding; own && own->what; own++)
			if (own->footer)
				fields_label(&f, own->rank, ROLE_TEXT, "%s", own->footer);
	}
	fields_row(c, part.row, part.column, part.column + part.columns, &f);
}

/* ---- the `:` line ---- */

/* First byte shown, so that the cursor is on the screen. */
static int scroll(const struct cmdline *l, int columns)
{
	int from = l->cursor - (columns - 2);

	if (from < 0)
		from = 0;
	while (from > 0 && (l->text[from] & 0xc0) == 0x80)
		from++;
	return from;
}

/* Its text is what the operator typed and is shown as it is, cut anywhere. */
static void draw_line(struct canvas *c, int row, const struct cmdline *l, struct cursor *cursor)
{
	int from = scroll(l, c->columns), column = 1;

	canvas_fill(c, row, 0, c->columns, ROLE_TEXT, ' ');
	canvas_put(c, row, 0, ROLE_TEXT, ':');
	cursor->row = row;
	cursor->column = 1;
	for (int i = from; i < l->length; column++) {
		char one[5] = "";
		int n = 0;
		bool bad = l->error[0] && i >= l->error_from && i < l->error_to;

		do
			one[n++] = l->text[i++];
		while (n < 4 && i < l->length && (l->text[i] & 0xc0) == 0x80);
		canvas_text(c, row, column, column + 1, bad ? ROLE_CHANGED : ROLE_TEXT, one);
		if (i <= l->cursor)
			cursor->column = column + 1;
	}
}

static void draw_line_and_hint(struct canvas *c, const struct view *v, struct cursor *cursor)
{
	const struct cmdline *l = &v->line;
	int last = c->rows - 1, row = last > 0 ? last - 1 : 0;

	if (last > 0)
		canvas_fill(c, last, 0, c->columns, ROLE_TEXT, ' ');
	if (last > 0 && l->error[0])
		canvas_printf(c, last, 0, c->columns, ROLE_WARN, "! %s", l->error);
	else if (last > 0)
		canvas_text(c, last, 0, c->columns, ROLE_AXIS,
			    l->hint[0] ? l->hint
				       : "Tab:complete  Up:history  Enter:do it  Esc:leave");
	draw_line(c, row, l, cursor);
}

/* Its end must be read as well, so it takes the rows it needs; what to press stands below. */
static void draw_question(struct canvas *c, const char *text)
{
	int rows = c->rows > 4 ? 4 : c->rows - 1;
	struct rect part = { 0, 0, rows, c->columns };
	int need = rows > 0 ? canvas_wrap(c, part, ROLE_CHANGED, text, false) : 0;

	part.rows = need;
	part.row = c->rows - 1 - need;
	for (int row = part.row; row < c->rows; row++)
		canvas_fill(c, row, 0, c->columns, ROLE_TEXT, ' ');
	if (need)
		canvas_wrap(c, part, ROLE_CHANGED, text, true);
	canvas_text(c, c->rows - 1, 0, c->columns, ROLE_TITLE, " y: do it   any other key: leave it as it is ");
}

void render(struct canvas *c, const struct snapshot *s, const struct view *v, struct cursor *cursor)
{
	struct cursor none;

	if (!cursor)
		cursor = &none;
	*cursor = (struct cursor){ -1, 0 };
	canvas_clear(c);
	(v->table && view_table[v->screen].table ? screen_table : view_table[v->screen].draw)(c, s, v);
	if (v->question[0])
		draw_question(c, v->question);
	else if (v->line.open)
		draw_line_and_hint(c, v, cursor);
}
