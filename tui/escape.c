#include "escape.h"

/* "ESC O x" is one letter long, "ESC [ 1 ; 5 C" ends with a letter. */
static bool introduces(struct escape *e, uint32_t ch)
{
	if (ch != 'O' && ch != '[')
		return false;
	e->state = ch == 'O' ? ESCAPE_ONE_MORE : ESCAPE_TO_LETTER;
	return true;
}

bool escape_begin(struct escape *e, int64_t now_ms, bool followed, uint32_t ch)
{
	e->since_ms = now_ms;
	e->state = followed ? ESCAPE_NONE : ESCAPE_BEGUN;
	if (followed)
		introduces(e, ch);
	return !followed;
}

bool escape_swallows(struct escape *e, int64_t now_ms, uint32_t ch)
{
	if (now_ms - e->since_ms > ESCAPE_MS)
		e->state = ESCAPE_NONE;
	if (e->state == ESCAPE_NONE)
		return false;
	if (e->state == ESCAPE_BEGUN) {
		e->state = ESCAPE_NONE;
		return introduces(e, ch);
	}
	if (e->state == ESCAPE_ONE_MORE || (ch >= 0x40 && ch <= 0x7e))
		e->state = ESCAPE_NONE;
	return true;
}
