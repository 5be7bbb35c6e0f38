/* What curses reads, as keys of keys.h. */
#include "terminal_private.h"

#include <time.h>
#include <wchar.h>

#include "keys.h"

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* Codes of curses, and control characters. */
static const struct {
	wint_t code;
	int key;
} translations[] = {
	{ KEY_UP, KEY_ARROW_UP },
	{ KEY_DOWN, KEY_ARROW_DOWN },
	{ KEY_LEFT, KEY_ARROW_LEFT },
	{ KEY_RIGHT, KEY_ARROW_RIGHT },
	{ KEY_ENTER, KEY_RETURN },
	{ '\r', KEY_RETURN },
	{ '\n', KEY_RETURN },
	{ '\t', KEY_TAB },
	{ KEY_BTAB, KEY_BACK_TAB },
	{ KEY_BACKSPACE, KEY_BACK },
	{ '\b', KEY_BACK },
	{ 0x7f, KEY_BACK },
	{ KEY_DC, KEY_DELETE },
	{ KEY_HOME, KEY_LINE_HOME },
	{ KEY_END, KEY_LINE_END },
	{ KEY_PPAGE, KEY_PAGE_UP },
	{ KEY_NPAGE, KEY_PAGE_DOWN },
	{ KEY_F(1), KEY_FUNCTION_1 },
	{ KEY_F(10), KEY_FUNCTION_10 },
	{ CODE_PASTE_BEGIN, KEY_PASTE_BEGIN },
	{ CODE_PASTE_END, KEY_PASTE_END },
};

static int translate(wint_t code, int otherwise)
{
	for (unsigned i = 0; i < sizeof(translations) / sizeof(translations[0]); i++)
		if (translations[i].code == code)
			return translations[i].key;
	return otherwise;
}

/* Bytes to code points. get_wch would keep up to sixteen keys behind a byte that is no character. */
static int decode(struct term *t, int byte)
{
	wint_t one;

	if (byte < 0x80) {
		t->more = 0;
		return translate((wint_t)byte, byte);
	}
	if (!t->unicode) {
		one = btowc(byte);
		return one == WEOF ? KEY_NONE : (int)one;
	}
	if ((byte & 0xc0) == 0x80) {
		t->ch = t->ch << 6 | (byte & 0x3f);
		return t->more && --t->more == 0 ? t->ch : KEY_NONE;
	}
	t->more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
	t->ch = byte & (0x3f >> t->more);
	return KEY_NONE;
}

/* A byte, or a code of curses (above 255), or ERR. */
static int next_code(struct term *t)
{
	int code = t->pushed ? t->pushed : wgetch(stdscr);

	t->pushed = 0;
	return code;
}

static int escape_key(struct term *t)
{
	int next = next_code(t);
	bool followed = next != ERR && next < 256 && next != KEY_ESC;

	if (!followed && next != ERR)
		t->pushed = next;
	return escape_begin(&t->escape, now_ms(), followed, (uint32_t)next) ? KEY_ESC : KEY_NONE;
}

/* A key, or -1 when there is none left. */
static int next_key(struct term *t)
{
	int code = next_code(t);

	if (code == ERR)
		return -1;
	if (code > 255)
		return translate((wint_t)code, KEY_NONE); /* KEY_RESIZE among others is none */
	if (code == KEY_ESC)
		return escape_key(t);
	if (escape_swallows(&t->escape, now_ms(), (uint32_t)code))
		return KEY_NONE;
	return decode(t, code);
}

int term_key(struct term *t)
{
	int key;

	do
		key = next_key(t);
	while (key == KEY_NONE);
	return key < 0 ? KEY_NONE : key;
}
