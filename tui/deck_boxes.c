/* The knobs of a large screen: one frame with a cell for each, its value, what else is to be said of
 * it, its range; behind them what an undo takes back. Cells keep their place while values change. */
#include "base/text.h"
#include "chart.h"
#include "deck_areas.h"
#include "figures.h"

enum {
	UNDO = N_KNOBS, /* the last cell */
	N_CELLS,
	PATH_COLUMNS = 18, /* ">round-robin:1000<" */
	UNDO_COLUMNS = 16,
};

struct boxes {
	struct canvas *c;
	const struct snapshot *s;
	const struct view *v;
	struct rect part;
	int column[N_CELLS + 1]; /* first column inside of cell i */
};

static int inside(const struct boxes *b, int cell)
{
	return b->column[cell + 1] - b->column[cell] - 1;
}

/* ---- widths ---- */

/* What is left goes to all cells alike, the rest to the undo. */
static bool set_widths(struct boxes *b)
{
	int fixed = PATH_COLUMNS + UNDO_COLUMNS + N_CELLS + 1;
	int each = (b->part.columns - fixed) / (N_KNOBS - 1), more = each > 12 ? each - 12 : 0;
	int column = b->part.column + 1;

	if (each < 8)
		return false;
	each -= more;
	for (int i = 0; i < N_CELLS; i++) {
		b->column[i] = column;
		column += (i == KNOB_PATH ? PATH_COLUMNS : each) + more / 2 + 1;
	}
	b->column[N_CELLS] = b->part.column + b->part.columns;
	return true;
}

/* A value that no cell has room for: the deck then shows the knobs as text. */
static bool values_fit(const struct boxes *b)
{
	for (int id = 0; id < N_KNOBS; id++) {
		char value[72];

		deck_knob_value(&b->s->knob[id], &b->v->asked[id], value, sizeof(value));
		if (canvas_width(value) + 2 > inside(b, id))
			return false;
	}
	return true;
}

static bool lay_out(struct boxes *b)
{
	return deck_width_class(b->c) >= SIZE_L && deck_height_class(b->c) >= SIZE_L &&
	       set_widths(b) && values_fit(b);
}

bool deck_boxes_fit(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct boxes b = { (struct canvas *)c, s, v, { 0, 0, BOX_ROWS, c->columns }, { 0 } };

	return lay_out(&b);
}

/* ---- the frame ---- */

static void frame_row(const struct boxes *b, int row, unsigned left, unsigned cross, unsigned right)
{
	const uint32_t *joint = glyph_sets[b->c->glyphs].joint;
	int first = b->part.column, last = b->part.column + b->part.columns - 1;

	canvas_fill(b->c, row, first, last, ROLE_AXIS, joint[0xc]);
	for (int i = 1; i < N_CELLS; i++)
		canvas_put(b->c, row, b->column[i] - 1, ROLE_AXIS, joint[cross]);
	canvas_put(b->c, row, first, ROLE_AXIS, joint[left]);
	canvas_put(b->c, row, last, ROLE_AXIS, joint[right]);
}

static void frame_sides(const struct boxes *b, int row)
{
	uint32_t bar = glyph_sets[b->c->glyphs].vertical;

	for (int i = 0; i <= N_CELLS; i++)
		canvas_put(b->c, row, b->column[i] - 1, ROLE_AXIS, bar);
}

/* ---- a knob ---- */

/* "1-1024"; nothing for a path policy or when it is too long. */
static void put_range(const struct boxes *b, int id, int row)
{
	const struct knob_row *knob = &knob_table[id];
	struct knob_ref ref = b->s->knob[id].ref;
	char low[48], high[48], range[100];

	if (id == KNOB_PATH)
		return;
	text_format(range, sizeof(range), "%s-%s", knob_format(ref, knob->min, low, sizeof(low)),
		    knob_format(ref, knob->max, high, sizeof(high)));
	if (canvas_width(range) <= inside(b, id))
		canvas_text(b->c, row, b->column[id] + (canvas_width(range) < inside(b, id)),
			    b->column[id] + inside(b, id), ROLE_AXIS, range);
}

enum { FORMS = 3 };

/* Three ways to say the same, the longest first: what stands before and behind the value. */
static const struct {
	const char *before[FORMS], *behind[FORMS];
	enum role role;
} tails[] = {
	[KNOB_TAIL_BEFORE] = { { "was ", "(", NULL }, { "", ")", NULL }, ROLE_TEXT },
	[KNOB_TAIL_PENDING] = { { "", "restart>", "~" }, { " at restart", "", "" }, ROLE_WARN },
	[KNOB_TAIL_REFUSED] = { { "", "not ", "!" }, { " refused", "!", "" }, ROLE_WARN },
	[KNOB_TAIL_CLAMPED] = { { "asked ", "ask ", "?" }, { "", "", "" }, ROLE_WARN },
};

static void put_tail(const struct boxes *b, int id, int row)
{
	const struct knob_view *k = &b->s->knob[id];
	enum knob_tail tail = deck_knob_tail(b->s, k);
	int column = b->column[id], room = inside(b, id);
	char value[64], text[96];

	if (tail == KNOB_TAIL_NONE)
		return;
	knob_format(k->ref, tail == KNOB_TAIL_BEFORE ? k->before : k->asked, value, sizeof(value));
	for (int i = 0; i < FORMS && tails[tail].before[i]; i++) {
		text_format(text, sizeof(text), "%s%s%s", tails[tail].before[i], value,
			    tails[tail].behind[i]);
		if (canvas_width(text) <= room) {
			canvas_text(b->c, row, column, column + room, tails[tail].role, text);
			return;
		}
	}
}

static void put_knob(const struct boxes *b, int id)
{
	const struct knob_view *k = &b->s->knob[id];
	const struct asked *asked = &b->v->asked[id];
	int row = b->part.row, column = b->column[id], end = column + inside(b, id);
	bool chosen = b->v->knob == id;
	char value[72];

	canvas_printf(b->c, row, column, end, ROLE_TEXT, "%c:%s", knob_table[id].key,
		      knob_table[id].label);
	deck_knob_value(k, asked, value, sizeof(value));
	canvas_printf(b->c, row + 1, column, end,
		      chosen || asked->waiting ? ROLE_CHANGED : ROLE_TEXT, chosen ? ">%s<" : " %s",
		      value);
	put_tail(b, id, row + 2);
	if (k->applies)
		put_range(b, id, row + 3);
}

/* ---- undo ---- */

static const struct act *undo_act(const struct snapshot *s)
{
	for (uint32_t i = 0; i < s->n_acts; i++)
		if (s->undo_act && s->act[i].number == s->undo_act)
			return &s->act[i];
	return NULL;
}

static void put_undo(const struct boxes *b)
{
	const struct act *a = undo_act(b->s);
	int row = b->part.row, column = b->column[UNDO], end = column + inside(b, UNDO);
	char what[96] = "", state[FIGURE_ROOM], mark[12];

	canvas_text(b->c, row, column, end, ROLE_TEXT, "u:UNDO");
	if (a) {
		text_format(mark, sizeof(mark), "%u", a->marker);
		column = canvas_text(b->c, row + 1, column, end, ROLE_CHANGED, mark);
		deck_mark_what(b->s, a, what, sizeof(what));
		if (column + 1 + canvas_width(what) > end)
			text_format(what, sizeof(what), "%s", knob_table[a->ref.id].label);
		canvas_printf(b->c, row + 1, column, end, ROLE_TEXT, " %s", what);
	} else {
		canvas_text(b->c, row + 1, column, end, ROLE_TEXT, "nothing");
	}
	canvas_text(b->c, row + 2, b->column[UNDO], end, ROLE_TEXT,
		    deck_settling(b->s, state, sizeof(state)));
}

void deck_boxes(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	struct boxes b = { c, s, v, part, { 0 } };

	if (!lay_out(&b))
		return;
	frame_row(&b, part.row, 0xa, 0xe, 0x6);
	frame_sides(&b, part.row + 1);
	frame_sides(&b, part.row + 2);
	frame_row(&b, part.row + 3, 0x9, 0xd, 0x5);
	for (int id = 0; id < N_KNOBS; id++)
		put_knob(&b, id);
	put_undo(&b);
}
