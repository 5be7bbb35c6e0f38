#include "canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { TEXT_MAX = 1024 }; /* longest text of one call, in code points */

const char *const glyphs_names[N_GLYPHS] = { "ascii", "acs", "utf8" };

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high
						: value;
}

int canvas_resize(struct canvas *c, int rows, int columns)
{
	rows = clamp(rows, 1, CANVAS_MAX_ROWS);
	columns = clamp(columns, 1, CANVAS_MAX_COLUMNS);
	struct cell *cell = realloc(c->cell, (size_t)rows * (size_t)columns * sizeof(*cell));

	if (!cell)
		return -ENOMEM;
	c->cell = cell;
	c->rows = rows;
	c->columns = columns;
	canvas_clear(c);
	return 0;
}

void canvas_release(struct canvas *c)
{
	free(c->cell);
	*c = (struct canvas){ 0 };
}

void canvas_clear(struct canvas *c)
{
	for (int i = 0; i < c->rows * c->columns; i++)
		c->cell[i] = (struct cell){ ' ', ROLE_TEXT };
}

struct rect canvas_rect(const struct canvas *c)
{
	return (struct rect){ 0, 0, c->rows, c->columns };
}

struct cell *canvas_at(const struct canvas *c, int row, int column)
{
	if (row < 0 || row >= c->rows || column < 0 || column >= c->columns)
		return NULL;
	return &c->cell[row * c->columns + column];
}

void canvas_put(struct canvas *c, int row, int column, enum role role, uint32_t ch)
{
	struct cell *cell = canvas_at(c, row, column);

	if (cell)
		*cell = (struct cell){ ch, (uint8_t)role };
}

void canvas_fill(struct canvas *c, int row, int column, int end, enum role role, uint32_t ch)
{
	for (; column < end; column++)
		canvas_put(c, row, column, role, ch);
}

/* Letters and signs that every terminal shows in one column. Combining marks, wide and unassigned
 * characters are not here. */
static bool one_column(uint32_t ch)
{
	static const struct {
		uint32_t first, last;
	} range[] = {
		{ 0x20, 0x7e },
		{ 0xa1, 0xac },
		{ 0xae, 0x24f },
		{ 0x391, 0x3c9 },
		{ 0x400, 0x482 },
		{ 0x48a, 0x52f },
		{ 0x1e00, 0x1eff },
		{ 0x2010, 0x2027 },
		{ 0x2190, 0x2193 },
		{ 0x2588, 0x2588 },
	};

	for (unsigned i = 0; i < sizeof(range) / sizeof(range[0]); i++)
		if (ch >= range[i].first && ch <= range[i].last)
			return true;
	return false;
}

/* One code point of valid UTF-8 (text_clean has seen it). */
static uint32_t decode(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	unsigned more = s[0] < 0x80 ? 0 : s[0] < 0xe0 ? 1
				  : s[0] < 0xf0	      ? 2
						      : 3;
	uint32_t ch = more ? s[0] & (0x3fu >> more) : s[0];

	for (unsigned i = 1; i <= more; i++)
		ch = ch << 6 | (s[i] & 0x3fu);
	*text += more + 1;
	return ch;
}

/* Most texts are letters, digits and blanks, which need no gate. Returns how many, -1: some other. */
static int plain(const char *text, uint32_t out[TEXT_MAX])
{
	int n = 0;

	for (; text[n] >= ' ' && text[n] < 0x7f && n < TEXT_MAX; n++)
		out[n] = (uint32_t)text[n];
	return text[n] && n < TEXT_MAX ? -1 : n;
}

/* The gate: any bytes -> code points of one column each. Returns how many. */
static int gate(const char *text, bool ascii_only, uint32_t out[TEXT_MAX])
{
	char clean[TEXT_MAX * 4];
	const char *s = clean;
	int n = plain(text, out);

	if (n >= 0)
		return n;
	n = 0;
	text_clean(clean, sizeof(clean), text, ascii_only);
	while (*s && n < TEXT_MAX) {
		uint32_t ch = decode(&s);

		out[n++] = one_column(ch) ? ch : '?';
	}
	return n;
}

static bool is_digit(uint32_t ch) { return ch >= '0' && ch <= '9'; }

/* What may stand inside one number with its unit or in a name with a digit. */
static bool is_figure(uint32_t ch)
{
	return is_digit(ch) || ch == '.' || ch == ',' || ch == '%' || (ch >= 'A' && ch <= 'Z') ||
	       (ch >= 'a' && ch <= 'z');
}

/* What joins two numbers to one: "01:42", "10/64", "8>16". */
static bool is_joint(const uint32_t *ch, int n, int at)
{
	return at > 0 && at + 1 < n && is_digit(ch[at - 1]) && is_digit(ch[at + 1]) &&
	       ch[at] < 0x80 && strchr(":/>-", (int)ch[at]);
}

static bool is_opening(uint32_t ch) { return ch && ch < 0x80 && strchr("+-[(<>=:~#@/", (int)ch); }

/* Where to cut `ch[0..n)` so that it fits into `room`: before the number (and its sign or bracket)
 * that would be cut in two. */
static int cut(const uint32_t *ch, int n, int room)
{
	int start = room, end = room;
	bool number = false;

	if (n <= room || room <= 0)
		return n <= room ? n : 0;
	while (start > 0 && (is_figure(ch[start - 1]) || is_joint(ch, n, start - 1)))
		start--;
	while (end < n && (is_figure(ch[end]) || is_joint(ch, n, end)))
		end++;
	for (int i = start; i < end; i++)
		number |= is_digit(ch[i]);
	if (!number || end == room)
		return room;
	while (start > 0 && is_opening(ch[start - 1]))
		start--;
	return start;
}

int canvas_text(struct canvas *c, int row, int column, int end, enum role role, const char *text)
{
	uint32_t ch[TEXT_MAX];
	int n = gate(text, c->glyphs != GLYPHS_UTF8, ch);

	n = cut(ch, n, (end < c->columns ? end : c->columns) - column);
	for (int i = 0; i < n; i++)
		canvas_put(c, row, column + i, role, ch[i]);
	return column + n;
}

int canvas_printf(struct canvas *c, int row, int column, int end, enum role role, const char *fmt,
		  ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return canvas_text(c, row, column, end, role, text);
}

void canvas_right(struct canvas *c, int row, int column, int end, enum role role, const char *text)
{
	int width = canvas_width(text);

	if (width <= end - column)
		canvas_text(c, row, end - width, end, role, text);
}

int canvas_width(const char *text)
{
	uint32_t ch[TEXT_MAX];

	return gate(text, false, ch);
}

/* Length of the next line of at most `width` columns: up to the last blank that fits, or a word cut
 * hard. */
static int line_length(const uint32_t *ch, int n, int width)
{
	int length = width;

	if (n <= width)
		return n;
	while (length > 0 && ch[length] != ' ')
		length--;
	return length ? length : cut(ch, n, width);
}

int canvas_wrap(struct canvas *c, struct rect part, enum role role, const char *text, bool draw)
{
	uint32_t ch[TEXT_MAX] = { 0 };
	int n = gate(text, c->glyphs != GLYPHS_UTF8, ch), at = 0, row = 0;

	while (at < n && row < part.rows && part.columns > 0) {
		int length = line_length(ch + at, n - at, part.columns);

		for (int i = 0; draw && i < length; i++)
			canvas_put(c, part.row + row, part.column + i, role, ch[at + i]);
		at += length;
		if (length == 0) /* a number wider than the part: left out whole */
			while (at < n && ch[at] != ' ')
				at++;
		while (at < n && ch[at] == ' ')
			at++;
		row++;
	}
	return row;
}
