/* Any view as plain rows: one line a figure, the name first, nothing drawn, the same order always. */
#include "fields.h"
#include "views.h"

int screen_table_rows(const struct canvas *c) { return c->rows > 3 ? c->rows - 3 : 1; }

int screen_table_count(const struct snapshot *s, const struct view *v)
{
	struct table count = { 0 };

	view_table[v->screen].table(&count, s, v);
	return count.n;
}

void screen_table(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	const struct view_row *row = &view_table[v->screen];
	int n = screen_table_count(s, v), rows = screen_table_rows(c);
	int first = v->table_first < n ? v->table_first : n - 1;
	struct table t = { .c = c, .first = first < 0 ? 0 : first };
	int last = t.first + rows < n ? t.first + rows : n;

	row->table(&t, s, v);
	canvas_fill(c, 0, 0, c->columns, ROLE_TITLE, ' ');
	canvas_printf(c, 0, c->columns > 2, c->columns, ROLE_TITLE, "TABLE of %s, rows %d to %d of %d", row->name, n ? t.first + 1 : 0, last, n);
	if (c->rows < 4)
		return;
	screen_message(c, (struct rect){ c->rows - 2, 0, 1, c->columns }, s, v);
	canvas_text(c, c->rows - 1, 0, c->columns, ROLE_TEXT, "v:picture  PgDn PgUp:more  keys and commands as in the picture");
}
