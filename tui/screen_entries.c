/* View 6: what happened, newest first; the chosen entry as a whole below. */
#include <string.h>

#include "base/text.h"
#include "chart.h"
#include "entries.h"
#include "fields.h"
#include "figures.h"

enum {
	KIND_COLUMNS = 60, /* from here on kind and number have their columns */
	DETAIL_ROWS = 5,
};

/* ---- head ---- */

static uint64_t count_shown(const struct view *v)
{
	uint64_t n = 0;

	for (uint64_t i = event_log_first(v->log); i < v->log->begun; i++)
		n += entries_passes(v, event_log_at(v->log, i));
	return n;
}

static uint64_t count_found(const struct view *v)
{
	uint64_t n = 0;

	for (uint64_t i = event_log_first(v->log); i < v->log->begun; i++)
		n += entries_passes(v, event_log_at(v->log, i)) && entries_found(v, event_log_at(v->log, i));
	return n;
}

static void draw_title(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct fields f = { .gap = 2 };
	char clock[FIGURE_ROOM];

	fields_label(&f, 1, ROLE_TITLE, c->columns < 40 ? "6:EVENTS" : "IODECK 6:EVENTS");
	if (s)
		fields_label(&f, 7, ROLE_TITLE, "%s", s->preset);
	fields_label(&f, 2, ROLE_TITLE, "%llu entries", (unsigned long long)count_shown(v));
	fields_label(&f, 3, ROLE_TITLE, "filter %s", v->events.filter ? entry_kind_names[v->events.filter - 1] : "all");
	if (v->found[0])
		fields_label(&f, 4, ROLE_TITLE, "%llu with '%.20s'", (unsigned long long)count_found(v), v->found);
	if (event_log_first(v->log))
		fields_label(&f, 2, ROLE_TITLE, "%llu dropped", (unsigned long long)event_log_first(v->log));
	if (v->log->lost)
		fields_label(&f, 2, ROLE_TITLE, "%llu lost", (unsigned long long)v->log->lost);
	if (s)
		fields_label(&f, 6, ROLE_TITLE, "%s", figure_clock(clock, sizeof(clock), s->t_ns, 0));
	canvas_fill(c, 0, 0, c->columns, ROLE_TITLE, ' ');
	fields_row(c, 0, c->columns > 2, c->columns, &f);
}

/* ---- rows ---- */

static char mark_of(const struct view *v, const struct entry *e, bool chosen)
{
	return chosen ? '>' : entries_found(v, e) ? '*'
						 : ' ';
}

static void draw_entry(struct canvas *c, int row, const struct view *v, const struct entry *e, bool chosen)
{
	enum role role = chosen ? ROLE_CHANGED : e->bad ? ROLE_WARN
							: ROLE_TEXT;
	char clock[FIGURE_ROOM], number[24] = "";
	int column;

	figure_clock(clock, sizeof(clock), e->t_ns, 1);
	if (e->act)
		text_format(number, sizeof(number), "#%llu", (unsigned long long)e->act);
	if (c->columns < KIND_COLUMNS)
		column = canvas_printf(c, row, 0, c->columns, role, "%c%s ", mark_of(v, e, chosen), clock);
	else
		column = canvas_printf(c, row, 0, c->columns, role, "%c%-9s %-7s %5s  ", mark_of(v, e, chosen), clock, entry_kind_names[e->kind], number);
	canvas_printf(c, row, column, c->columns, role, "%s%s", e->bad ? "! " : "", e->text);
}

/* The chosen one keeps its row while the list moves as little as it can. */
static void draw_rows(struct canvas *c, struct rect part, const struct view *v)
{
	uint64_t chosen, top, i;
	int above = part.rows / 2;

	if (!entries_chosen(v, &chosen)) {
		canvas_text(c, part.row, 0, c->columns, ROLE_TEXT, v->events.filter ? "nothing of this kind so far; f: other kinds" : "nothing happened so far");
		return;
	}
	entries_walk(v, chosen, -above, &top);
	for (int row = 0; row < part.rows; row++, top = i) {
		draw_entry(c, part.row + row, v, event_log_at(v->log, top), top == chosen);
		if (!entries_walk(v, top, 1, &i) || i == top)
			break;
	}
}

/* ---- the whole entry ---- */

static void draw_detail(struct canvas *c, struct rect part, const struct entry *e)
{
	char text[512], clock[FIGURE_ROOM], mark[32] = "";
	struct rect inside = { part.row + 1, 1, part.rows - 1, c->columns - 2 };
	int used;

	canvas_fill(c, part.row, 0, c->columns, ROLE_AXIS, glyph_sets[c->glyphs].horizontal);
	used = canvas_wrap(c, inside, e->bad ? ROLE_WARN : ROLE_TEXT, e->text, true);
	inside.row += used;
	inside.rows -= used;
	figure_clock(clock, sizeof(clock), e->t_ns, 1);
	if (e->marker)
		text_format(mark, sizeof(mark), "  mark %u in the charts", e->marker);
	if (e->act)
		text_format(text, sizeof(text), "%s  kind %s  entry #%llu%s  by %s  after %llu requests%s", clock, entry_kind_names[e->kind],
			    (unsigned long long)e->act, e->bad ? "  refused" : "", cause_names[e->cause], (unsigned long long)e->request, mark);
	else
		text_format(text, sizeof(text), "%s  kind %s  of the console itself", clock, entry_kind_names[e->kind]);
	if (inside.rows > 0)
		canvas_wrap(c, inside, ROLE_AXIS, text, true);
}

/* ---- the screen ---- */

void screen_entries(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	int head = c->rows > 2, foot = c->rows > 5 ? 2 : 0;
	int detail = v->events.open && c->rows >= 8 ? (c->rows < 16 ? c->rows / 2 : DETAIL_ROWS + 1) : 0;
	struct rect list = { head, 0, c->rows - head - foot - detail, c->columns };
	uint64_t chosen;

	if (!v->log)
		return;
	if (head)
		draw_title(c, s, v);
	draw_rows(c, list, v);
	if (detail && entries_chosen(v, &chosen))
		draw_detail(c, (struct rect){ c->rows - foot - detail, 0, detail, c->columns }, event_log_at(v->log, chosen));
	if (!foot)
		return;
	screen_message(c, (struct rect){ c->rows - 2, 0, 1, c->columns }, s, v);
	screen_footer(c, (struct rect){ c->rows - 1, 0, 1, c->columns }, s, v);
}

/* "01:41.8" as the name, the rest as the value: newest first. */
void entries_table(struct table *t, const struct snapshot *s, const struct view *v)
{
	(void)s;
	if (!v->log)
		return;
	table_row(t, "dropped", NULL, "%llu", (unsigned long long)event_log_first(v->log));
	table_row(t, "lost", NULL, "%llu", (unsigned long long)v->log->lost);
	for (uint64_t i = v->log->begun; i > event_log_first(v->log); i--) {
		const struct entry *e = event_log_at(v->log, i - 1);
		char clock[FIGURE_ROOM];

		if (entries_passes(v, e))
			table_row(t, figure_clock(clock, sizeof(clock), e->t_ns, 1), NULL, "%s %s%s", entry_kind_names[e->kind],
				  e->bad ? "refused: " : "", e->text);
	}
}
