/* What curses reads, as keys of keys.h. */
#include "terminal_private.h"

#include <time.h>

#include "keys.h"

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* Codes of curses and control characters alike. */
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

static int escape_key(struct term *t)
{
	wint_t next = 0;
	bool followed = get_wch(&next) == OK;

	return escape_begin(&t->escape, now_ms(), followed, (uint32_t)next) ? KEY_ESC : KEY_NONE;
}

/* A key, or -1 when there is none left. */
static int next_key(struct term *t)
{
	wint_t ch;
	int kind = get_wch(&ch);

	if (kind == ERR)
		return -1;
	if (kind == KEY_CODE_YES)
		return translate(ch, KEY_NONE); /* KEY_RESIZE among others is none */
	if (ch == KEY_ESC)
		return escape_key(t);
	if (escape_swallows(&t->escape, now_ms(), (uint32_t)ch))
		return KEY_NONE;
	return translate(ch, (int)ch);
}

int term_key(struct term *t)
{
	int key;

	do
		key = next_key(t);
	while (key == KEY_NONE);
	return key < 0 ? KEY_NONE : key;
}
