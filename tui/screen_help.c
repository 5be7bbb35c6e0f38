/* The help: every line of it comes from the tables of knobs, keys and commands. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "views.h"

/* A long sheet of which one page is drawn. */
struct sheet {
	struct canvas *c;
	int line;	 /* number of the next one */
	int first, last; /* lines of the page; the first goes to row 1 */
	/* finding: the wanted text (NULL: none), and in which lines it is */
	const char *found;
	int marked;	  /* the one found last, -1: none */
	int *hits, n_hits; /* NULL: not collected */
};

enum { HITS = 512 };

static void put_line(struct sheet *h, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void put_line(struct sheet *h, enum role role, const char *fmt, ...)
{
	int row = 1 + h->line - h->first;
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	bool hit = h->found && h->found[0] && strcasestr(text, h->found);
	if (hit && h->hits && h->n_hits < HITS)
		h->hits[h->n_hits++] = h->line;
	if (h->line >= h->first && h->line < h->last)
		canvas_text(h->c, row, 0, h->c->columns, hit && h->line == h->marked ? ROLE_CHANGED : role, text);
	h->line++;
}

static void put_knob(struct sheet *h, const struct snapshot *s, int id)
{
	const struct knob_row *row = &knob_table[id];
	struct knob_ref ref = { .id = (uint8_t)id };
	char low[64], high[64], range[144] = "";

	if (row->step != KNOB_STEP_NEXT) /* of choices there is no range */
		text_format(range, sizeof(range), "%s..%s",
			    knob_format(ref, row->min, low, sizeof(low)),
			    knob_format(ref, row->max, high, sizeof(high)));
	if (s && !s->knob[id].applies)
		put_line(h, ROLE_AXIS, "  %c  %-8s - no effect here: %s", row->key, row->name,
			 s->knob[id].reason);
	else
		put_line(h, ROLE_TEXT, "  %c  %-8s %-14s %.*s", row->key, row->name, range,
			 (int)strcspn(row->what, ";"), row->what);
}

static void put_knobs(struct sheet *h, const struct snapshot *s)
{
	put_line(h, ROLE_TITLE, " KNOBS  a letter chooses, + and - turn, :set KNOB VALUE sets ");
	for (int id = 0; id < N_KNOBS; id++)
		put_knob(h, s, id);
}

static void put_binding(struct sheet *h, const struct binding *b)
{
	char keys[64] = "", name[16];
	size_t n = 0;

	for (int i = 0; i < BINDING_KEYS && b->key[i]; i++) {
		if (b->kind == ACTION_SHOW && view_of_number(b->key[i]) < 0)
			continue; /* not in this build */
		n += text_format(keys + n, sizeof(keys) - n, "%s%s", n ? " " : "",
				 key_text(b->key[i], name, sizeof(name)));
	}
	put_line(h, ROLE_TEXT, "  %-14s %s", keys, b->what);
}

static void put_keys(struct sheet *h)
{
	put_line(h, ROLE_TEXT, "%s", "");
	put_line(h, ROLE_TITLE, " KEYS ");
	for (size_t i = 0; i < n_bindings; i++)
		put_binding(h, &bindings[i]);
}

/* Those of the view the help lies over. */
static void put_view_keys(struct sheet *h, const struct view_row *row)
{
	if (!row->binding)
		return;
	put_line(h, ROLE_TITLE, " KEYS OF VIEW %c, %s ", row->number, row->name);
	for (const struct binding *b = row->binding; b->what; b++)
		put_binding(h, b);
	put_line(h, ROLE_TEXT, "%s", "");
}

static void put_views(struct sheet *h)
{
	put_line(h, ROLE_TEXT, "%s", "");
	put_line(h, ROLE_TITLE, " VIEWS ");
	for (int number = '1'; number <= '9'; number++) {
		int view = view_of_number(number);

		if (view >= 0)
			put_line(h, ROLE_TEXT, "  %c  %-11s %s", number, view_table[view].name,
				 view_table[view].what);
	}
}

static void put_commands(struct sheet *h)
{
	put_line(h, ROLE_TEXT, "%s", "");
	put_line(h, ROLE_TITLE, " COMMANDS  Tab completes, Up recalls ");
	for (size_t i = 0; i < line_rows(); i++) {
		char form[64];

		text_format(form, sizeof(form), ":%s %s", line_row(i)->name, line_row(i)->args);
		put_line(h, ROLE_TEXT, "  %-26s %s", form, line_row(i)->what);
	}
}

static void put_signs(struct sheet *h)
{
	static const char *const signs[] = {
		"  >10<          chosen knob      10?      asked, not yet in effect",
		"  (8)           value before     10 (at restart)  pending, :restart",
		"  (32 refused)  not taken, see the message     (asked 9)  another is in effect",
		"  1 2 3         marks of changes, in every chart; their results in the row below",
		"  wrong member  share that comes to a member which does not own the page",
		"  + - !DOWN     path active, standby, failed; its share, in flight, weight",
		"  # :  ]        now, before, edge of before inside the bar",
		"  auto@ A@      before: last settled window, or kept by =",
		"  +43% [39,47]  change of IOPS against before, 95 % interval",
		"  ~0            no difference shown      x16.4  times before",
		"  p99?5.28      too few requests to be sure of that percentile",
		"  !9 EIO !4 short  failed and short requests      !8 out 93 s  no answer so long",
		"  REAL depth 7.9 of 8  reached and asked; device below 3% cache?: of the bytes",
		"  TOTAL         enter to end of the device layer, ms",
		"  DEVICE        start to interrupt, ms      MB/s  10^6 bytes",
		"  settled       IOPS even over 3 s      (fitted)  not predicted",
		"  varies 7%     IOPS not even yet: half-second means spread more than 3 %",
	};

	put_line(h, ROLE_TEXT, "%s", "");
	put_line(h, ROLE_TITLE, " SIGNS ");
	for (unsigned i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		put_line(h, ROLE_TEXT, "%s", signs[i]);
}

static void put_all(struct sheet *h, const struct snapshot *s, enum screen_id behind)
{
	put_view_keys(h, &view_table[behind]);
	put_knobs(h, s);
	put_keys(h);
	put_views(h);
	put_commands(h);
	put_signs(h);
}

int screen_help_lines(const struct canvas *c) { return c->rows > 3 ? c->rows - 2 : 1; }

int screen_help_pages(const struct canvas *c, const struct view *v)
{
	struct sheet count = { 0 };

	put_all(&count, NULL, v->behind);
	return (count.line + screen_help_lines(c) - 1) / screen_help_lines(c);
}

int screen_help_find(const struct canvas *c, const struct snapshot *s, const struct view *v, int from, int direction)
{
	int hits[HITS];
	struct sheet h = { .found = v->found, .hits = hits, .marked = -1 };

	(void)c;
	put_all(&h, s, v->behind);
	for (int i = 0; i < h.n_hits && direction > 0; i++)
		if (hits[i] >= from)
			return hits[i];
	for (int i = h.n_hits; i > 0 && direction < 0; i--)
		if (hits[i - 1] <= from)
			return hits[i - 1];
	return !h.n_hits ? -1 : hits[direction > 0 ? 0 : h.n_hits - 1]; /* round the end */
}

void screen_help(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	int pages = screen_help_pages(c, v), page = v->help_page < pages ? v->help_page : pages - 1;
	struct sheet h = { .c = c, .first = page * screen_help_lines(c), .found = v->found, .marked = v->help_line };

	h.last = h.first + screen_help_lines(c);
	canvas_fill(c, 0, 0, c->columns, ROLE_TITLE, ' ');
	canvas_printf(c, 0, 1, c->columns, ROLE_TITLE, "IODECK  HELP for view %s  page %d of %d", view_table[v->behind].name,
		      page + 1, pages);
	put_all(&h, s, v->behind);
	if (c->rows > 3 && v->message[0])
		canvas_printf(c, c->rows - 1, 0, c->columns, v->message_bad ? ROLE_WARN : ROLE_TEXT, "%s%s", v->message_bad ? "! " : "", v->message);
	else if (c->rows > 3)
		canvas_text(c, c->rows - 1, 0, c->columns, ROLE_TEXT,
			    "space PgDn:next page  PgUp:page before  / n N:find  ? Esc q:back");
}
