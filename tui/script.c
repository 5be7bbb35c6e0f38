#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "console.h"
#include "keys.h"

enum { SCRIPT_LINE = 512 };
#define WAIT_WALL_NS   (60 * NS_PER_S)
#define WAIT_ENGINE_NS (600 * NS_PER_S)
#define WAIT_STEP_NS   (100 * NS_PER_MS)

struct script {
	char *path;		   /* owned */
	char (*line)[SCRIPT_LINE]; /* owned */
	int n, at;
	bool by_hand;
	bool waiting;
	char wanted[SCRIPT_LINE];    /* text on the screen; empty: settled */
	int64_t waited_ns, since_ns; /* engine time by hand; wall time else */
};

/* ---- reading ---- */

static char *trim(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t\r\n", text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* The words behind a command, NULL when the line is another one. */
static const char *behind(const char *line, const char *command)
{
	size_t n = strlen(command);

	if (*line == ':')
		line++;
	if (strncmp(line, command, n) || (line[n] && line[n] != ' '))
		return NULL;
	return line + n + strspn(line + n, " ");
}

/* ":step 250ms" moves time, ":step 3" goes to a step. */
static bool step_time(const char *line, int64_t *ns)
{
	const char *text = behind(line, "step");

	return text && !units_parse_time(text, ns, NULL) && *ns > 0;
}

static int add_line(struct script *s, char *text)
{
	void *more = realloc(s->line, (size_t)(s->n + 1) * sizeof(*s->line));
	int64_t ns;

	if (!more)
		return -ENOMEM;
	s->line = more;
	text_format(s->line[s->n], SCRIPT_LINE, "%s", trim(text));
	s->by_hand |= step_time(s->line[s->n], &ns);
	s->n++;
	return 0;
}

static int read_lines(struct script *s, FILE *f, struct err *err)
{
	char text[SCRIPT_LINE];

	while (fgets(text, sizeof(text), f)) {
		if (!strchr(text, '\n') && !feof(f))
			return err_set(err, -EINVAL, "%s:%d: longer than %d bytes", s->path,
				       s->n + 1, SCRIPT_LINE - 2);
		if (add_line(s, text))
			return err_set(err, -ENOMEM, "out of memory");
	}
	return ferror(f) ? err_set(err, -EIO, "cannot read '%s'", s->path) : 0;
}

int script_open(const char *path, struct script **out, struct err *err)
{
	struct script *s = calloc(1, sizeof(*s));
	FILE *f = fopen(path, "r");
	int ret;

	*out = NULL;
	if (!s || !f)
		ret = err_set(err, f ? -ENOMEM : -errno, "cannot read '%s': %s", path,
			      f ? "out of memory" : strerror(errno));
	else
		ret = (s->path = strdup(path)) ? read_lines(s, f, err) : -ENOMEM;
	if (f)
		fclose(f);
	if (ret)
		script_free(s);
	else
		*out = s;
	return ret;
}

void script_free(struct script *s)
{
	if (!s)
		return;
	free(s->path);
	free(s->line);
	free(s);
}

bool script_by_hand(const struct script *s) { return s->by_hand; }

bool script_active(const struct script *s) { return s->waiting || s->at < s->n; }

/* ---- waiting ---- */

/* A row of the grid as text; what is not ASCII becomes '?'. */
static bool row_has(const struct canvas *grid, int row, const char *text)
{
	char line[CANVAS_MAX_COLUMNS + 1];

	for (int i = 0; i < grid->columns; i++) {
		uint32_t ch = canvas_at(grid, row, i)->ch;

		line[i] = ch < 0x80 ? (char)ch : '?';
	}
	line[grid->columns] = '\0';
	return strstr(line, text) != NULL;
}

static bool fulfilled(struct console *c, const char *text)
{
	const struct snapshot *s = c->snapshot;

	if (!*text)
		return s && s->settle.settled;
	for (int row = 0; row < c->grid.rows; row++)
		if (row_has(&c->grid, row, text))
			return true;
	return false;
}

static int wait_longer(struct script *s, struct console *c, struct err *err)
{
	if (fulfilled(c, s->wanted)) {
		s->waiting = false;
		return 0;
	}
	if (s->by_hand ? s->waited_ns >= WAIT_ENGINE_NS : c->now_ns - s->since_ns >= WAIT_WALL_NS)
		return err_set(err, -ETIMEDOUT, "waited in vain for %s",
			       *s->wanted ? s->wanted : "settled");
	if (!s->by_hand || !c->session)
		return 0;
	s->waited_ns += WAIT_STEP_NS;
	return session_advance(c->session, WAIT_STEP_NS, err);
}

/* ---- lines ---- */

static void begin_wait(struct script *s, struct console *c, const char *text)
{
	s->waiting = true;
	s->waited_ns = 0;
	s->since_ns = c->now_ns;
	text_format(s->wanted, sizeof(s->wanted), "%s", strcmp(text, "settled") ? text : "");
}

static int press(struct console *c, const char *names, struct err *err)
{
	char name[32];
	int used;

	for (; sscanf(names, " %31s%n", name, &used) == 1; names += used) {
		int key = key_of_name(name);

		if (key == KEY_NONE)
			return err_set(err, -EINVAL, "unknown key '%s'", name);
		console_key(c, key);
	}
	return 0;
}

static int advance(struct console *c, int64_t ns, struct err *err)
{
	return c->session ? session_advance(c->session, ns, err)
			  : err_set(err, -ENOENT, "no preset is open");
}

static int obey(struct console *c, const char *line, struct err *err)
{
	struct language lang = console_language(c, CAUSE_SCRIPT);
	struct action action;
	int ret = line_parse(line + (*line == ':'), &lang, &action, NULL, err);

	return ret ? ret : console_do(c, &action, err);
}

static int run_line(struct script *s, struct console *c, const char *line, struct err *err)
{
	int64_t ns;

	if (!*line || *line == '#')
		return 0;
	if (step_time(line, &ns))
		return advance(c, ns, err);
	if (behind(line, "key"))
		return press(c, behind(line, "key"), err);
	if (!behind(line, "wait"))
		return obey(c, line, err);
	begin_wait(s, c, behind(line, "wait"));
	return 0;
}

int script_turn(struct script *s, struct console *c, struct err *err)
{
	struct err why;
	int ret;

	if (s->waiting)
		ret = wait_longer(s, c, &why);
	else
		ret = run_line(s, c, s->line[s->at++], &why);
	return ret < 0 ? err_set(err, ret, "%s:%d: %s", s->path, s->at, why.text) : 0;
}
