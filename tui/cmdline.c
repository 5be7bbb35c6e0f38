#include "cmdline.h"

#include <string.h>

#include "base/text.h"
#include "keys.h"

void cmdline_open(struct cmdline *l, const char *text)
{
	l->open = true;
	l->length = l->cursor = (int)text_format(l->text, sizeof(l->text), "%s", text);
	l->error[0] = l->hint[0] = '\0';
	l->at = l->n_history;
}

void cmdline_fail(struct cmdline *l, const char *why)
{
	l->open = true;
	text_format(l->error, sizeof(l->error), "%s", why);
	l->error_from = l->error_to = 0;
}

/* ---- editing; all positions stand between characters ---- */

static bool inside_character(const struct cmdline *l, int at)
{
	return at > 0 && at < l->length && (l->text[at] & 0xc0) == 0x80;
}

static void move_left(struct cmdline *l)
{
	if (l->cursor > 0)
		l->cursor--;
	while (inside_character(l, l->cursor))
		l->cursor--;
}

static void move_right(struct cmdline *l)
{
	if (l->cursor < l->length)
		l->cursor++;
	while (inside_character(l, l->cursor))
		l->cursor++;
}

/* Take away the bytes [from, to). */
static void remove_bytes(struct cmdline *l, int from, int to)
{
	memmove(l->text + from, l->text + to, (size_t)(l->length - to) + 1);
	l->length -= to - from;
	l->cursor = from;
}

static void erase_left(struct cmdline *l)
{
	int to = l->cursor;

	move_left(l);
	remove_bytes(l, l->cursor, to);
}

static void erase_right(struct cmdline *l)
{
	int from = l->cursor;

	move_right(l);
	remove_bytes(l, from, l->cursor);
}

static void erase_all(struct cmdline *l) { remove_bytes(l, 0, l->cursor); }

static void go_home(struct cmdline *l) { l->cursor = 0; }

static void go_end(struct cmdline *l) { l->cursor = l->length; }

static int encode(int ch, char out[4])
{
	int more = ch < 0x80 ? 0 : ch < 0x800 ? 1
			   : ch < 0x10000     ? 2
					      : 3;
	static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };

	for (int i = more; i > 0; i--, ch >>= 6)
		out[i] = (char)(0x80 | (ch & 0x3f));
	out[0] = (char)(lead[more] | (unsigned)ch);
	return more + 1;
}

static void insert(struct cmdline *l, int ch)
{
	char bytes[4];
	int n = encode(ch, bytes);

	if (l->length + n >= LINE_MAX)
		return;
	memmove(l->text + l->cursor + n, l->text + l->cursor, (size_t)(l->length - l->cursor) + 1);
	memcpy(l->text + l->cursor, bytes, (size_t)n);
	l->length += n;
	l->cursor += n;
}

/* ---- history ---- */

static void remember(struct cmdline *l)
{
	int n = l->n_history;

	if (!l->text[0] || (n && !strcmp(l->history[n - 1], l->text)))
		return;
	if (n == LINE_HISTORY) {
		memmove(l->history[0], l->history[1], sizeof(l->history) - sizeof(l->history[0]));
		n--;
	}
	memcpy(l->history[n], l->text, sizeof(l->text));
	l->n_history = n + 1;
}

static void recall(struct cmdline *l, int at)
{
	if (at < 0 || at > l->n_history)
		return;
	l->at = at;
	l->length = l->cursor = (int)text_format(l->text, sizeof(l->text), "%s",
						 at < l->n_history ? l->history[at] : "");
}

static void recall_older(struct cmdline *l) { recall(l, l->at - 1); }

static void recall_newer(struct cmdline *l) { recall(l, l->at + 1); }

/* ---- keys ---- */

static const struct {
	int key;
	void (*edit)(struct cmdline *l);
} edits[] = {
	{ KEY_ARROW_LEFT, move_left },
	{ KEY_ARROW_RIGHT, move_right },
	{ KEY_BACK, erase_left },
	{ KEY_DELETE, erase_right },
	{ KEY_LINE_HOME, go_home },
	{ KEY_LINE_END, go_end },
	{ KEY_CTRL_U, erase_all },
	{ KEY_ARROW_UP, recall_older },
	{ KEY_ARROW_DOWN, recall_newer },
};

static void complete(struct cmdline *l, const struct language *lang)
{
	char behind[LINE_MAX];

	text_format(behind, sizeof(behind), "%s", l->text + l->cursor);
	l->text[l->cursor] = '\0';
	line_complete(l->text, sizeof(l->text), lang, l->hint, sizeof(l->hint));
	l->cursor = (int)strlen(l->text);
	l->length = l->cursor + (int)text_format(l->text + l->cursor,
						 sizeof(l->text) - (size_t)l->cursor, "%s", behind);
}

/* Mark the word an error is about; from that word on for the last one of a line. */
static void mark_error(struct cmdline *l, int bad)
{
	struct span span[LINE_SPANS];
	int n = line_spans(l->text, span, LINE_SPANS);

	l->error_from = l->error_to = l->length;
	if (bad < n) {
		l->error_from = span[bad].from;
		l->error_to = span[bad].to;
	}
}

static enum cmdline_result enter(struct cmdline *l, const struct language *lang, struct action *out)
{
	struct err err;
	int bad = 0;

	if (line_parse(l->text, lang, out, &bad, &err)) {
		text_format(l->error, sizeof(l->error), "%s", err.text);
		mark_error(l, bad);
		return CMDLINE_EDITING;
	}
	remember(l);
	l->open = false;
	return CMDLINE_ENTERED;
}

static void edit(struct cmdline *l, int key)
{
	for (unsigned i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
		if (edits[i].key == key) {
			edits[i].edit(l);
			return;
		}
	if (key >= ' ' && key != 0x7f && key < KEY_FIRST_NAMED)
		insert(l, key);
}

enum cmdline_result cmdline_key(struct cmdline *l, int key, const struct language *lang,
				struct action *out)
{
	*out = (struct action){ .kind = ACTION_NONE };
	if (key == KEY_RETURN)
		return enter(l, lang, out);
	l->error[0] = l->hint[0] = '\0';
	if (key == KEY_ESC || (key == KEY_BACK && l->length == 0)) {
		l->open = false;
		return CMDLINE_CLOSED;
	}
	if (key == KEY_TAB)
		complete(l, lang);
	else
		edit(l, key);
	return CMDLINE_EDITING;
}
