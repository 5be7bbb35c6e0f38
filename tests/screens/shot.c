/* A picture of a program's screen: runs it on a pseudo-terminal, lets libvterm read its bytes,
 * writes what is then to be seen as SVG. Lines, blocks, braille and scan lines are drawn as shapes,
 * so no font question arises.
 *
 *   shot [-s 80x24] [-t TERM] [-u TEXT] [-q MILLISECONDS] [-l] [-w FILE.txt] -o FILE.svg -- PROGRAM ARG...
 *
 * The picture is taken when the screen has shown -u TEXT and the program has been quiet for -q ms
 * (700), or when it has ended; -l: dark text on a light ground; -w: the screen's text as well. */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

enum {
	CELL_W = 9,
	CELL_H = 18,
	MARGIN = 6,
	GIVE_UP_S = 60,
};

struct shot {
	int rows, columns, quiet_ms;
	const char *term, *out, *text, *until;
	bool light;
	VTerm *vt;
	VTermScreen *screen;
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "shot: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- running the program ---- */

static pid_t start(const struct shot *s, char **argv, int *fd)
{
	struct winsize size = { .ws_row = (unsigned short)s->rows,
				.ws_col = (unsigned short)s->columns };
	pid_t pid = forkpty(fd, NULL, NULL, &size);

	if (pid < 0)
		fail("forkpty");
	if (pid)
		return pid;
	setenv("TERM", s->term, 1);
	execvp(argv[0], argv);
	fail(argv[0]);
}

static void answer(const char *bytes, size_t n, void *data)
{
	ssize_t ignored = write(*(int *)data, bytes, n);

	(void)ignored;
}

/* Characters of one row as UTF-8, without the blanks at its end. */
static void row_text(const struct shot *s, int row, char *out, size_t room)
{
	VTermRect rect = { row, row + 1, 0, s->columns };
	size_t n = vterm_screen_get_text(s->screen, out, room - 1, rect);

	n = n < room - 1 ? n : room - 1;
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

static bool shows(const struct shot *s, const char *text)
{
	char line[8192];

	for (int row = 0; text && row < s->rows; row++) {
		row_text(s, row, line, sizeof(line));
		if (strstr(line, text))
			return true;
	}
	return !text;
}

static void write_text(const struct shot *s)
{
	FILE *f = fopen(s->text, "w");
	char line[8192];

	if (!f)
		fail(s->text);
	for (int row = 0; row < s->rows; row++) {
		row_text(s, row, line, sizeof(line));
		fprintf(f, "%s\n", line);
	}
	if (fclose(f))
		fail(s->text);
}

/* True when the picture may be taken. */
static bool feed(struct shot *s, int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };
	char bytes[4096];

	for (time_t end = time(NULL) + GIVE_UP_S; time(NULL) < end;) {
		ssize_t n;

		if (poll(&p, 1, s->quiet_ms) == 0) {
			if (shows(s, s->until))
				return true;
			continue;
		}
		n = read(fd, bytes, sizeof(bytes));
		if (n <= 0)
			return shows(s, s->until);
		vterm_input_write(s->vt, bytes, (size_t)n);
	}
	return false;
}

/* ---- drawing ---- */

static void rgb(const struct shot *s, VTermColor c, bool background, char out[8])
{
	bool is_default =
		background ? VTERM_COLOR_IS_DEFAULT_BG(&c) : VTERM_COLOR_IS_DEFAULT_FG(&c);

	if (is_default) {
		strcpy(out, background == s->light ? "#f4f4f0" : "#1b1d1e");
		if (!background)
			strcpy(out, s->light ? "#1b1d1e" : "#d8d8d2");
		else
			strcpy(out, s->light ? "#f4f4f0" : "#1b1d1e");
		return;
	}
	vterm_screen_convert_color_to_rgb(s->screen, &c);
	snprintf(out, 8, "#%02x%02x%02x", c.rgb.red, c.rgb.green, c.rgb.blue);
}

static void box(FILE *f, double x, double y, double w, double h, const char *colour, double opacity)
{
	fprintf(f, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='%s'", x, y, w, h,
		colour);
	if (opacity < 1)
		fprintf(f, " fill-opacity='%.2f'", opacity);
	fputs("/>\n", f);
}

static void braille(FILE *f, double x, double y, uint32_t dots, const char *colour)
{
	static const int column[] = { 0, 0, 0, 1, 1, 1, 0, 1 }, row[] = { 0, 1, 2, 0, 1, 2, 3, 3 };

	for (int i = 0; i < 8; i++)
		if (dots >> i & 1)
			fprintf(f, "<circle cx='%.2f' cy='%.2f' r='1.5' fill='%s'/>\n",
				x + CELL_W * (0.27 + 0.46 * column[i]),
				y + CELL_H * (0.14 + 0.24 * row[i]), colour);
}

/* Lines that meet in the middle of a cell: bit 0 up, 1 down, 2 left, 3 right; 0: not such a character. */
static unsigned joint(uint32_t ch)
{
	static const uint32_t joints[16] = { [5] = 0x2518, [6] = 0x2510, [7] = 0x2524, [9] = 0x2514, [10] = 0x250c, [11] = 0x251c, [13] = 0x2534, [14] = 0x252c, [15] = 0x253c };

	for (unsigned i = 1; i < 16; i++)
		if (joints[i] == ch)
			return i;
	return 0;
}

static void draw_joint(FILE *f, double x, double y, unsigned arms, const char *colour)
{
	double top = arms & 1 ? 0 : .47, bottom = arms & 2 ? 1 : .53;
	double left = arms & 4 ? 0 : .44, right = arms & 8 ? 1 : .56;

	box(f, x + .44 * CELL_W, y + top * CELL_H, .12 * CELL_W, (bottom - top) * CELL_H, colour, 1);
	box(f, x + left * CELL_W, y + .47 * CELL_H, (right - left) * CELL_W, .06 * CELL_H, colour, 1);
}

/* True when the character is a shape of its own. */
static bool shape(FILE *f, double x, double y, uint32_t ch, const char *colour)
{
	static const struct {
		uint32_t ch;
		double x, y, w, h, opacity;
	} boxes[] = {
		{ 0x2500, 0, .47, 1, .06, 1 },
		{ 0x2502, .44, 0, .12, 1, 1 },
		{ 0x2588, 0, 0.06, 1, .88, 1 },
		{ 0x2591, 0, 0.06, 1, .88, .28 },
		{ 0x2592, 0, 0.06, 1, .88, .5 },
		{ 0x2593, 0, 0.06, 1, .88, .75 },
		{ 0x23ba, 0, .06, 1, .06, 1 },
		{ 0x23bb, 0, .27, 1, .06, 1 },
		{ 0x23bc, 0, .68, 1, .06, 1 },
		{ 0x23bd, 0, .89, 1, .06, 1 },
	};

	if (ch >= 0x2800 && ch <= 0x28ff) {
		braille(f, x, y, ch - 0x2800, colour);
		return true;
	}
	if (joint(ch)) {
		draw_joint(f, x, y, joint(ch), colour);
		return true;
	}
	for (unsigned i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++)
		if (boxes[i].ch == ch) {
			box(f, x + boxes[i].x * CELL_W, y + boxes[i].y * CELL_H,
			    boxes[i].w * CELL_W, boxes[i].h * CELL_H, colour, boxes[i].opacity);
			return true;
		}
	return false;
}

static void letter(FILE *f, double x, double y, uint32_t ch, const char *colour,
		   const VTermScreenCell *cell)
{
	fprintf(f, "<text x='%.2f' y='%.2f' fill='%s'%s>&#%u;</text>\n", x, y + CELL_H * 0.76,
		colour, cell->attrs.bold ? " font-weight='bold'" : "", ch);
}

static void draw_cell(const struct shot *s, FILE *f, int row, int column)
{
	VTermPos pos = { row, column };
	VTermScreenCell cell;
	char fg[8], bg[8];
	double x = MARGIN + column * CELL_W, y = MARGIN + row * CELL_H;

	vterm_screen_get_cell(s->screen, pos, &cell);
	rgb(s, cell.fg, false, fg);
	rgb(s, cell.bg, true, bg);
	if (cell.attrs.reverse) {
		char swap[8];

		memcpy(swap, fg, 8);
		memcpy(fg, bg, 8);
		memcpy(bg, swap, 8);
	}
	if (cell.attrs.reverse)
		box(f, x, y, CELL_W + 0.1, CELL_H, bg, 1);
	if (cell.chars[0] > ' ' && !shape(f, x, y, cell.chars[0], fg))
		letter(f, x, y, cell.chars[0], fg, &cell);
}

static void write_svg(const struct shot *s)
{
	FILE *f = fopen(s->out, "w");
	int w = s->columns * CELL_W + 2 * MARGIN, h = s->rows * CELL_H + 2 * MARGIN;

	if (!f)
		fail(s->out);
	fprintf(f,
		"<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
		"font-family='DejaVu Sans Mono' font-size='14.5'>\n",
		w, h);
	box(f, 0, 0, w, h, s->light ? "#f4f4f0" : "#1b1d1e", 1);
	for (int row = 0; row < s->rows; row++)
		for (int column = 0; column < s->columns; column++)
			draw_cell(s, f, row, column);
	fputs("</svg>\n", f);
	if (fclose(f))
		fail(s->out);
}

/* ---- begin ---- */

static void read_options(struct shot *s, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "+s:t:u:q:w:o:l")) != -1) {
		if (option == 's' && sscanf(optarg, "%dx%d", &s->columns, &s->rows) == 2)
			continue;
		else if (option == 't')
			s->term = optarg;
		else if (option == 'u')
			s->until = optarg;
		else if (option == 'w')
			s->text = optarg;
		else if (option == 'q')
			s->quiet_ms = atoi(optarg);
		else if (option == 'o')
			s->out = optarg;
		else if (option == 'l')
			s->light = true;
		else
			exit(2);
	}
	if (!s->out || optind >= argc || s->rows < 1 || s->columns < 1 || s->quiet_ms < 1) {
		fprintf(stderr, "usage: shot [-s 80x24] [-t TERM] [-u TEXT] [-q MS] [-l] [-w FILE.txt] -o FILE.svg -- "
				"PROGRAM ...\n");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct shot s = { .rows = 24, .columns = 80, .quiet_ms = 700, .term = "xterm-256color" };
	bool shown;
	int fd;
	pid_t pid;

	read_options(&s, argc, argv);
	s.vt = vterm_new(s.rows, s.columns);
	vterm_set_utf8(s.vt, 1);
	s.screen = vterm_obtain_screen(s.vt);
	vterm_screen_enable_altscreen(s.screen, 1);
	vterm_screen_reset(s.screen, 1);
	pid = start(&s, argv + optind, &fd);
	vterm_output_set_callback(s.vt, answer, &fd);
	shown = feed(&s, fd);
	write_svg(&s);
	if (s.text)
		write_text(&s);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	vterm_free(s.vt);
	if (!shown)
		fprintf(stderr, "shot: '%s' was not on the screen after %d s, see %s\n", s.until, GIVE_UP_S, s.out);
	return shown ? 0 : 1;
}
