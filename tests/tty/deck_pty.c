#include "deck_pty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 12 };

void deck_start(struct pty *p, const struct pty_options *o, const char *const *words)
{
	const char *build = getenv("BUILD");
	char path[4096];
	char *argv[MOST_WORDS + 2] = { path };

	snprintf(path, sizeof(path), "%s/iodeck", build ? build : "build");
	for (int i = 0; i < MOST_WORDS && words[i]; i++)
		argv[i + 1] = (char *)words[i];
	pty_start(p, o, pty_exec, argv);
}

struct pty_options deck_options(const char *term, const char *locale)
{
	return (struct pty_options){ .rows = 24, .columns = 80, .term = term, .locale = locale };
}

bool deck_open(struct pty *p, const struct pty_options *o)
{
	static const char *const words[] = { "quickstart", NULL };

	deck_start(p, o, words);
	return pty_await(p, "HELD 1/") && pty_await(p, "QD >1<");
}

void deck_line(struct pty *p, const char *line)
{
	pty_type(p, ":");
	pty_type(p, line);
	pty_type(p, "\r");
}

/* One row of the file, as wide as the screen; characters above 127 as '?'. */
static bool read_row(FILE *f, char *text, int columns)
{
	int n = 0, ch;

	while ((ch = fgetc(f)) != EOF && ch != '\n')
		if (n < columns && (ch & 0xc0) != 0x80)
			text[n++] = ch < 0x80 ? (char)ch : '?';
	while (n < columns)
		text[n++] = ' ';
	text[n] = '\0';
	return ch != EOF;
}

bool deck_is_shot(struct pty *p, const char *file)
{
	char line[2048], want[1001], have[1001];
	bool same = true;
	FILE *f;

	unlink(file);
	snprintf(line, sizeof(line), "shot %s", file);
	deck_line(p, line);
	if (!pty_await(p, "written: "))
		return false;
	f = fopen(file, "r");
	for (int row = 0; f && row < p->rows - 2; row++) {
		if (!read_row(f, want, p->columns))
			same = false;
		pty_row(p, row, have);
		if (strcmp(want, have)) {
			fprintf(stderr, "row %d is |%s|\n not |%s|\n", row, have, want);
			same = false;
		}
	}
	if (f)
		fclose(f);
	unlink(file);
	return f && same;
}

int64_t deck_cpu_ns(const struct pty *p)
{
	struct timespec t = { 0 };
	clockid_t clock;

	if (clock_getcpuclockid(p->job, &clock) || clock_gettime(clock, &t))
		return -1;
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}
