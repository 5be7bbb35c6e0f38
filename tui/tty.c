#include "tty.h"

#include <langinfo.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *tty_env(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

bool tty_term_is(const char *const *names)
{
	const char *term = tty_env("TERM");

	for (; *names; names++)
		if (!strncmp(term, *names, strlen(*names)))
			return true;
	return false;
}

bool tty_unicode(void) { return !strcmp(nl_langinfo(CODESET), "UTF-8"); }

enum glyphs tty_limit_glyphs(enum glyphs wish, bool has_acs)
{
	if (wish == GLYPHS_UTF8 && !tty_unicode())
		wish = GLYPHS_ACS;
	return wish == GLYPHS_ACS && !has_acs ? GLYPHS_ASCII : wish;
}

/* Braille is missing in the fonts of hardware terminals and consoles, whatever the locale says. */
enum glyphs tty_glyphs(const char *wish, bool has_acs)
{
	static const char *const no_braille[] = { "ansi", "pcansi", "vt",   "linux",
						  "cons", "sun",    "wsvt", NULL };
	const char *name = wish ? wish : tty_env("IODECK_GLYPHS");
	enum glyphs most = tty_term_is(no_braille) ? GLYPHS_ACS : GLYPHS_UTF8;

	for (int i = 0; i < N_GLYPHS; i++)
		if (!strcmp(name, glyphs_names[i]))
			most = (enum glyphs)i;
	return tty_limit_glyphs(most, has_acs);
}

bool tty_size(int *rows, int *columns)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return false;
	*rows = size.ws_row;
	*columns = size.ws_col;
	return true;
}

int tty_baud(const struct termios *modes)
{
	static const struct {
		speed_t speed;
		int baud;
	} speeds[] = {
		{ B1200, 1200 },
		{ B2400, 2400 },
		{ B4800, 4800 },
		{ B9600, 9600 },
		{ B19200, 19200 },
		{ B38400, 38400 },
		{ B115200, 115200 },
	};

	for (unsigned i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
		if (speeds[i].speed == cfgetospeed(modes))
			return speeds[i].baud;
	return 0;
}

bool tty_busy(void)
{
	struct pollfd room = { STDOUT_FILENO, POLLOUT, 0 };
	int waiting = 0;

	if (!ioctl(STDOUT_FILENO, TIOCOUTQ, &waiting) && waiting > 0)
		return true;
	return poll(&room, 1, 0) == 0;
}

bool tty_gone(short revents)
{
	int waiting = 0;

	if (revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return (revents & POLLIN) && (ioctl(STDIN_FILENO, FIONREAD, &waiting) || waiting == 0);
}

void tty_write(const char *bytes)
{
	fflush(stdout);
	ssize_t ignored = write(STDOUT_FILENO, bytes, strlen(bytes));

	(void)ignored; /* a terminal that is gone is noticed elsewhere */
}
