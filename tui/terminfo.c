#include "terminfo.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "tty.h"

#include <term.h> /* last: it defines macros with common names */

/* A capability of the terminal, NULL when it has none. */
static const char *capability(const char *name)
{
	const char *s = tigetstr((char *)name);

	return (intptr_t)s == -1 ? NULL : s;
}

static bool can_place_cursor(void)
{
	bool can = capability("cup") != NULL;

	del_curterm(cur_term); /* curses will read it again for itself */
	return can;
}

int terminfo_check(struct err *err)
{
	const char *name = tty_env("TERM");
	int found = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, -ENOTTY,
			       "the deck needs a terminal on stdin and stdout; without one: "
			       "iodeck run PRESET");
	if (!*name || setupterm(NULL, STDOUT_FILENO, &found))
		return err_set(err, -ENOTTY,
			       "TERM=%s is not known here; set TERM to what your terminal is "
			       "(vt100 works on most), or: iodeck run PRESET",
			       name);
	if (!can_place_cursor())
		return err_set(err, -ENOTTY,
			       "TERM=%s cannot place the cursor; without that: iodeck run PRESET",
			       name);
	return 0;
}

bool terminfo_has(const char *name)
{
	const char *s = capability(name);

	return s && *s;
}

bool terminfo_has_lines(void)
{
	const char *s = capability("acsc");
	bool plain = s && *s;

	for (; plain && *s; s++)
		plain = (unsigned char)*s < 0x80;
	return plain;
}

/* Without its delays `$<..>`. */
static size_t add_capability(char *buf, size_t room, const char *name)
{
	const char *s = capability(name);
	size_t n = 0;

	while (s && *s && n < room) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;

		if (end)
			s = end + 1;
		else
			buf[n++] = *s++;
	}
	return n;
}

size_t terminfo_restore(char *buf, size_t room)
{
	static const char *const back[] = { "sgr0", "rmacs", "rmcup", "cnorm", "rmkx" };
	size_t n = 0;

	for (unsigned i = 0; i < sizeof(back) / sizeof(back[0]); i++)
		n += add_capability(buf + n, room - n, back[i]);
	return n;
}
