/* From the grid to the glass: only cells that differ from the last grid are handed to curses. */
#include "terminal_private.h"

#include <string.h>

#include "stuck.h"

void term_repaint(struct term *t)
{
	canvas_release(&t->shown);
	clearok(curscr, TRUE);
}

/* Lines by the terminal's own set, where it has no Unicode. NULL: an ordinary character. */
static const cchar_t *line_character(uint32_t ch)
{
	const struct {
		uint32_t ch;
		const cchar_t *line;
	} lines[] = {
		{ 0x2500, WACS_HLINE },
		{ 0x2502, WACS_VLINE },
		{ 0x250c, WACS_ULCORNER },
		{ 0x2510, WACS_URCORNER },
		{ 0x2514, WACS_LLCORNER },
		{ 0x2518, WACS_LRCORNER },
		{ 0x251c, WACS_LTEE },
		{ 0x2524, WACS_RTEE },
		{ 0x252c, WACS_TTEE },
		{ 0x2534, WACS_BTEE },
		{ 0x253c, WACS_PLUS },
		{ 0x2592, WACS_CKBOARD },
		{ 0x23ba, WACS_S1 },
		{ 0x23bb, WACS_S3 },
		{ 0x23bc, WACS_S7 },
		{ 0x23bd, WACS_S9 },
	};

	for (unsigned i = 0; ch > 127 && i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].ch == ch)
			return lines[i].line;
	return NULL;
}

static void use_role(struct term *t, enum role role)
{
	const struct style *s = &style_table[t->colours][role];
	attr_t attrs = (s->attrs & STYLE_BOLD ? A_BOLD : 0) | (s->attrs & STYLE_DIM ? A_DIM : 0) |
		       (s->attrs & STYLE_REVERSE ? A_REVERSE : 0);

	if (t->role != role)
		attr_set(attrs, s->colour >= 0 ? (short)(role + 1) : 0, NULL);
	t->role = role;
}

/* The last gate: a locale without Unicode gets no character above 127, whatever a screen drew. */
static void put_cell(struct term *t, const struct canvas *grid, int row, int column)
{
	const struct cell *cell = canvas_at(grid, row, column);
	const cchar_t *line = grid->glyphs == GLYPHS_ACS ? line_character(cell->ch) : NULL;
	wchar_t text[2] = { (wchar_t)(t->unicode || cell->ch < 0x80 ? cell->ch : '?'), 0 };
	cchar_t plain;

	use_role(t, (enum role)cell->role);
	setcchar(&plain, text, 0, 0, NULL);
	mvadd_wch(row, column, line ? line : &plain);
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->role == b->role;
}

/* Rows that are the same byte for byte are passed over as a whole. */
static bool same_row(const struct canvas *a, const struct canvas *b, int row)
{
	size_t from = (size_t)row * (size_t)a->columns;

	return !memcmp(&a->cell[from], &b->cell[from], (size_t)a->columns * sizeof(*a->cell));
}

static void put_row(struct term *t, const struct canvas *grid, int row, int columns, bool all)
{
	const struct cell *now = &grid->cell[row * grid->columns];
	const struct cell *then = all ? NULL : &t->shown.cell[row * grid->columns];

	for (int i = 0; i < columns; i++)
		if (all || !same(&now[i], &then[i]))
			put_cell(t, grid, row, i);
}

/* Everything but the lower right cell, which would scroll some terminals. */
static void put_changes(struct term *t, const struct canvas *grid, bool all)
{
	for (int row = 0; row < grid->rows; row++)
		if (all || !same_row(grid, &t->shown, row))
			put_row(t, grid, row, grid->columns - (row == grid->rows - 1), all);
}

static void place_cursor(const struct term *t, const struct canvas *grid, int row, int column)
{
	if (t->can_hide)
		curs_set(row >= 0);
	if (row >= 0)
		move(row, column < grid->columns ? column : grid->columns - 1);
	else
		move(grid->rows > 1 ? grid->rows - 2 : 0, 0);
}

void term_draw(struct term *t, const struct canvas *grid, int row, int column)
{
	bool all = t->shown.rows != grid->rows || t->shown.columns != grid->columns ||
		   t->shown.glyphs != grid->glyphs;

	t->role = N_ROLES;
	if (all)
		erase();
	put_changes(t, grid, all);
	place_cursor(t, grid, row, column);
	stuck_begin();
	refresh();
	if (stuck_end()) {
		term_repaint(t);
		return;
	}
	if (all && canvas_resize(&t->shown, grid->rows, grid->columns))
		return; /* no memory: everything is sent again next time */
	t->shown.glyphs = grid->glyphs;
	memcpy(t->shown.cell, grid->cell,
	       (size_t)grid->rows * (size_t)grid->columns * sizeof(*grid->cell));
}
