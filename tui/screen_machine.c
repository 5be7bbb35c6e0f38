/* View 5: the devices as a tree with their rates, the chosen one and the sources below. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "chart.h"
#include "fields.h"
#include "histplot.h"
#include "machine.h"
#include "probe_cells.h"

enum {
	ROWS_OUTSIDE = 4, /* title, headings, message, footer */
	LIST_LEAST = 3,
	HIST_LEAST = 7,	  /* rows of a histogram worth drawing */
	HIST_COLUMNS = 56,
};

int machine_chosen(const struct view *v)
{
	int i;

	if (!v->machine.now || !v->machine.now->n_devices)
		return -1;
	i = probe_find(v->machine.now, v->machine.device);
	return i < 0 ? 0 : i;
}

static void draw_title(struct canvas *c, const struct view *v)
{
	const struct probe_snapshot *p = v->machine.now;
	struct fields f = { .gap = 2 };
	char when[40];

	fields_label(&f, 1, ROLE_TITLE, c->columns < 40 ? "5:MACHINE" : "IODECK 5:MACHINE");
	fields_label(&f, 2, ROLE_TITLE, "read only");
	if (p) {
		fields_label(&f, 3, ROLE_TITLE, "%u devices", p->n_devices);
		if (p->n_devices_all > p->n_devices)
			fields_label(&f, 2, ROLE_TITLE, "%u more left out", p->n_devices_all - p->n_devices);
		if (isfinite(p->interval_s))
			fields_label(&f, 4, ROLE_TITLE, "rates of %.1f s", p->interval_s);
		if (isfinite(p->cpu_busy))
			fields_label(&f, 6, ROLE_TITLE, "CPU %.0f%%", p->cpu_busy * 100);
		if (p->pressure.known)
			fields_label(&f, 7, ROLE_TITLE, "I/O pressure %.0f%%", p->pressure.some10);
		fields_label(&f, 5, ROLE_TITLE, "%s UTC", probe_time(when, sizeof(when), p->wall_s, false));
	}
	if (v->machine.root[0])
		fields_label(&f, 2, ROLE_TITLE, "root %.40s", v->machine.root);
	canvas_fill(c, 0, 0, c->columns, ROLE_TITLE, ' ');
	fields_row(c, 0, c->columns > 2, c->columns, &f);
}

/* ---- the list ---- */

static enum role role_of(char letter)
{
	return letter == '!' ? ROLE_FAILED : letter == '~' || letter == '?' ? ROLE_WARN : letter == '-' ? ROLE_AXIS : ROLE_TEXT;
}

static void draw_row(struct canvas *c, int row, const struct probe_snapshot *p, int device, bool chosen, const int *column, int n)
{
	const struct probe_device *d = device < 0 ? NULL : &p->device[device];
	enum role role = !d ? ROLE_AXIS : chosen ? ROLE_CHANGED : role_of(d->state.letter);
	int at = 1;

	if (chosen)
		canvas_fill(c, row, 0, c->columns, role, ' ');
	canvas_text(c, row, 0, c->columns, role, chosen ? ">" : " ");
	for (int i = 0; i < n; i++) {
		const struct probe_column *k = &probe_columns[column[i]];
		char text[128];
		int end = at + k->width;

		if (d)
			k->text(p, d, text, sizeof(text));
		else
			text_format(text, sizeof(text), "%s", k->heading);
		if (k->right)
			canvas_right(c, row, at, end < c->columns ? end : c->columns, role, text);
		else
			canvas_text(c, row, at, end < c->columns ? end : c->columns, role, text);
		at = end + 1;
	}
}

/* The chosen one stays in sight; where there is more, the number of rows not seen stands at the edge. */
static void draw_list(struct canvas *c, struct rect part, const struct view *v, int chosen)
{
	const struct probe_snapshot *p = v->machine.now;
	int column[N_PROBE_COLUMNS], n = probe_columns_fit(c->columns - 1, column), first = chosen - part.rows / 2;

	if (first > (int)p->n_devices - part.rows)
		first = (int)p->n_devices - part.rows;
	if (first < 0)
		first = 0;
	draw_row(c, part.row - 1, p, -1, false, column, n);
	for (int i = 0; i < part.rows && first + i < (int)p->n_devices; i++)
		draw_row(c, part.row + i, p, first + i, first + i == chosen, column, n);
}

/* ---- below it ---- */

static int draw_lines(struct canvas *c, struct rect part, const struct machine_lines *l)
{
	int n = l->n < part.rows ? l->n : part.rows;

	for (int i = 0; i < n; i++)
		canvas_text(c, part.row + i, part.column, part.column + part.columns, l->line[i].role, l->line[i].text);
	return n;
}

static int draw_histograms(struct canvas *c, struct rect part, const struct probe_snapshot *p, const struct probe_device *d)
{
	struct lat_view now[2], before[2];
	bool has_before;
	char title[128];
	struct bins bins;
	int half = part.columns / 2;

	if (part.rows < HIST_LEAST || part.columns < HIST_COLUMNS || !machine_histograms(p, d, now, before, &has_before, title, sizeof(title)))
		return 0;
	const struct lat_view *const all[] = { &now[0], &now[1], &before[0], &before[1] };

	canvas_text(c, part.row, part.column, part.column + part.columns, ROLE_TITLE, title);
	bins_choose_for(&bins, all, has_before ? 4 : 2, part.rows - 2 > 14 ? 14 : part.rows - 2);
	for (int i = 0; i < 2; i++) {
		struct rect side = { part.row + 1, part.column + i * half, part.rows - 1, half - 1 };
		struct histplot h = { i ? "DEVICE ms ssch..irq" : "TOTAL ms build..end", i ? ROLE_DEVICE : ROLE_NOW, &now[i], has_before ? &before[i] : NULL };

		histplot_draw(c, side, &h, &bins);
	}
	return 2 + bins.n;
}

static void draw_below(struct canvas *c, struct rect part, const struct view *v, int chosen)
{
	const struct probe_snapshot *p = v->machine.now;
	struct machine_lines l = { 0 };
	int used;

	canvas_fill(c, part.row, 0, c->columns, ROLE_AXIS, glyph_sets[c->glyphs].horizontal);
	part.row++;
	part.rows--;
	if (chosen >= 0) {
		machine_describe(&l, p, &p->device[chosen]);
		used = draw_lines(c, part, &l);
		part.row += used;
		part.rows -= used;
		used = draw_histograms(c, part, p, &p->device[chosen]);
		part.row += used;
		part.rows -= used;
	}
	l.n = 0;
	machine_add(&l, ROLE_TITLE, "SOURCES");
	machine_sources(&l, p, true);
	if (part.rows > 1)
		draw_lines(c, part, &l);
}

static void draw_nothing(struct canvas *c, struct rect part, const struct view *v)
{
	canvas_wrap(c, part, v->machine.error[0] ? ROLE_WARN : ROLE_TEXT, v->machine.error[0] ? v->machine.error : "looking at this machine ...", true);
}

/* A small screen shows the list, or after Enter the chosen device alone. */
void screen_machine(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	int inside = c->rows - ROWS_OUTSIDE, chosen = machine_chosen(v), list, below;
	struct rect part = { 2, 0, inside, c->columns };

	draw_title(c, v);
	if (!v->machine.now) {
		if (inside > 0)
			draw_nothing(c, part, v);
	} else if (inside > 0) {
		list = (int)v->machine.now->n_devices;
		if (list > inside * 2 / 5)
			list = inside * 2 / 5 > LIST_LEAST ? inside * 2 / 5 : LIST_LEAST;
		if (v->machine.open)
			list = 1;
		else if (inside < LIST_LEAST + 3)
			list = inside;
		list = list > inside ? inside : list;
		below = inside - list;
		part.rows = list;
		if (chosen >= 0)
			draw_list(c, part, v, chosen);
		part.row += list;
		part.rows = below;
		if (below > 1)
			draw_below(c, part, v, chosen);
	}
	if (c->rows > 2)
		screen_message(c, (struct rect){ c->rows - 2, 0, 1, c->columns }, s, v);
	if (c->rows > 1)
		screen_footer(c, (struct rect){ c->rows - 1, 0, 1, c->columns }, s, v);
}

/* ---- plain rows ---- */

static void table_device(struct table *t, const struct probe_snapshot *p, const struct probe_device *d, bool chosen)
{
	char text[128], name[160];

	for (int i = 2; i < N_PROBE_COLUMNS; i++) {
		probe_columns[i].text(p, d, text, sizeof(text));
		if (!text[0] || !strcmp(text, "-"))
			continue;
		text_format(name, sizeof(name), "%s%s %s", d->name, chosen ? " (chosen)" : "", probe_columns[i].heading);
		table_row(t, name, NULL, "%s", text);
	}
}

void machine_table(struct table *t, const struct snapshot *s, const struct view *v)
{
	const struct probe_snapshot *p = v->machine.now;
	struct machine_lines l = { 0 };
	int chosen = machine_chosen(v);

	(void)s;
	if (!p) {
		table_row(t, "machine", NULL, "%s", v->machine.error[0] ? v->machine.error : "looking");
		for (int i = 0; i < N_PROBES; i++)
			table_row(t, probe_table[i].name, NULL, "not yet looked at: %s", probe_table[i].what);
		return;
	}
	for (uint32_t i = 0; i < p->n_devices; i++)
		table_device(t, p, &p->device[i], (int)i == chosen);
	if (chosen >= 0)
		machine_describe(&l, p, &p->device[chosen]);
	machine_sources(&l, p, false);
	for (int i = 0; i < l.n; i++)
		table_row(t, l.line[i].text + strspn(l.line[i].text, " "), NULL, " ");
}
