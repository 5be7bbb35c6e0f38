/* What the deck costs (T8) and how fast it answers: frames drawn through curses, the thread of the
 * screen at ten frames a second, the load's CPU time per request beside `iodeck run`, key to
 * acknowledged value on the screen. Environment: BUILD, PAIRS, PRESSES. */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base_bench.h"
#include "engine.h"
#include "preset.h"
#include "screen.h"
#include "terminal.h"
#include "tty/deck_pty.h"
#include "tty.h"

enum {
	FRAMES = 600,
	ROWS = 50,
	COLUMNS = 200,
};

static int from_env(const char *name, int otherwise)
{
	const char *value = getenv(name);

	return value && atoi(value) > 0 ? atoi(value) : otherwise;
}

static double at(const double *sorted, int n, double share)
{
	int i = (int)(share * n);

	return sorted[i < n ? i : n - 1];
}

static void print_spread(const char *what, double *x, int n, const char *unit)
{
	double sum = 0;

	qsort(x, (size_t)n, sizeof(*x), bench_by_value);
	for (int i = 0; i < n; i++)
		sum += x[i];
	printf("%-44s mean %.3f  median %.3f  p99 %.3f  max %.3f %s\n", what, sum / n,
	       at(x, n, 0.5), at(x, n, 0.99), x[n - 1], unit);
}

static struct pty_options wide(void)
{
	return (struct pty_options){ .rows = ROWS, .columns = COLUMNS, .term = "xterm-256color",
				     .locale = "C.UTF-8" };
}

/* ---- one frame after the other, drawn by a child ---- */

struct drawing {
	const char *preset;
	int report_fd;
};

static double thread_cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static struct engine *open_engine(const char *name)
{
	struct engine_options o = { .hold = true, .clock = clock_monotonic(), .backend = "model" };
	struct spec *spec = NULL;
	struct err err = { "" };
	char path[128];

	snprintf(path, sizeof(path), "presets/%s.ini", name);
	if (preset_load(path, &spec, &err))
		return NULL;
	return engine_new(spec, &o, &err); /* the spec lives as long as this process */
}

/* Time of drawing into the grid and of bringing it to the terminal, us each. */
static void draw_frames(void *data)
{
	const struct drawing *d = data;
	struct engine *e = open_engine(d->preset);
	struct snapshot *s = calloc(1, sizeof(*s));
	struct view *v = calloc(1, sizeof(*v));
	struct err err;
	struct term *t = term_open(NULL, NULL, STDERR_FILENO, -1, &err);
	struct canvas grid = { .glyphs = GLYPHS_UTF8 };
	double us[FRAMES][2];

	if (!e || !t || !s || !v || canvas_resize(&grid, ROWS, COLUMNS))
		_exit(1);
	v->colours = term_colours(t);
	engine_run_until(e, 75 * NS_PER_S, &err);
	for (int i = 0; i < FRAMES; i++) {
		double begin, drawn;

		engine_run_until(e, engine_now(e) + 100 * NS_PER_MS, &err);
		engine_snapshot(e, s);
		begin = thread_cpu_us();
		render(&grid, s, v, NULL);
		drawn = thread_cpu_us();
		term_draw(t, &grid, -1, 0);
		us[i][0] = drawn - begin;
		us[i][1] = thread_cpu_us() - drawn;
		tty_write((char[]){ PTY_MARK, 0 });
	}
	term_close(t);
	_exit(write(d->report_fd, us, sizeof(us)) != (ssize_t)sizeof(us));
}

struct frames {
	int n;
	size_t last;
	double bytes[FRAMES];
};

static void at_mark(struct pty *p, void *data)
{
	struct frames *f = data;

	if (f->n < FRAMES)
		f->bytes[f->n++] = (double)(p->bytes - f->last);
	f->last = p->bytes;
}

static bool bench_frames(const char *preset)
{
	static double us[FRAMES][2], grid[FRAMES], glass[FRAMES], both[FRAMES];
	static struct frames f;
	struct pty_options o = wide();
	struct drawing d = { .preset = preset };
	struct pty p;
	int fd[2];
	bool good;

	f = (struct frames){ 0 };
	if (pipe(fd))
		return false;
	d.report_fd = fd[1];
	pty_start(&p, &o, draw_frames, &d);
	close(fd[1]);
	p.on_mark = at_mark;
	p.data = &f;
	good = pty_await_end(&p, 120000) && p.status == 0 &&
	       read(fd[0], us, sizeof(us)) == (ssize_t)sizeof(us);
	close(fd[0]);
	pty_stop(&p);
	printf("%s, 200x50, utf8, 256 colours, %d frames of 100 ms%s\n", preset, FRAMES,
	       good ? "" : ": failed");
	if (!good)
		return false;
	for (int i = 0; i < FRAMES; i++) {
		grid[i] = us[i][0];
		glass[i] = us[i][1];
		both[i] = us[i][0] + us[i][1];
	}
	print_spread("  drawn into the grid", grid, FRAMES, "us CPU");
	print_spread("  grid to terminal", glass, FRAMES, "us CPU");
	print_spread("  a frame (<= 300)", both, FRAMES, "us CPU");
	print_spread("  a frame (<= 3000), the first one left out", f.bytes + 1, f.n - 1, "bytes");
	return true;
}

/* ---- the program: CPU time of its threads ---- */

/* ns a thread of the program has run; `which` 0: the screen's, 1: the engine's. */
static double thread_ns(const struct pty *p, int which)
{
	char path[64];
	double ns = -1;
	FILE *f;

	for (int tid = p->job, n = 0; tid < p->job + 64; tid++) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", (int)p->job, tid);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (n++ == which && fscanf(f, "%lf", &ns) != 1)
			ns = -1;
		fclose(f);
	}
	return ns;
}

/* Any key, so that frames come ten times a second. */
static void keep_awake(struct pty *p, int64_t *key_ns)
{
	if (pty_now_ns() - *key_ns < 900 * NS_PER_MS)
		return;
	*key_ns = pty_now_ns();
	pty_type(p, "\007"); /* bound to nothing */
}

static bool bench_thread(const char *preset)
{
	const char *const words[] = { preset, "--glyphs", "utf8", NULL };
	struct pty_options o = wide();
	int64_t begin, key = 0;
	double cpu, wall;
	struct pty p;

	deck_start(&p, &o, words);
	if (!pty_await(&p, "HELD 1/"))
		return false;
	begin = pty_now_ns();
	while (pty_now_ns() - begin < 2 * NS_PER_S) {
		keep_awake(&p, &key);
		pty_pump(&p, 100);
	}
	begin = pty_now_ns();
	cpu = thread_ns(&p, 0);
	while (pty_now_ns() - begin < 10 * NS_PER_S) {
		keep_awake(&p, &key);
		pty_pump(&p, 100);
	}
	cpu = thread_ns(&p, 0) - cpu;
	wall = (double)(pty_now_ns() - begin);
	printf("%s: thread of the screen at 10 frames/s and a key each 0.9 s: %.2f %% of a core (<= 0.3)\n",
	       preset, cpu / wall * 100);
	pty_stop(&p);
	return true;
}

/* ---- the load beside `iodeck run` ---- */

static const char load[] = "tests/bench/deck.ini";
static const double load_requests = 200e6; /* as deck.ini says */

static double deck_load_ns(void)
{
	const char *const words[] = { load, "--backend", "null", NULL };
	struct pty_options o = wide();
	double begin, end = -1;
	int64_t key = 0;
	struct pty p;

	deck_start(&p, &o, words);
	if (pty_await(&p, "HELD 1/")) {
		int64_t give_up = pty_now_ns() + 60 * NS_PER_S;

		begin = thread_ns(&p, 1);
		deck_line(&p, "play");
		while (!pty_has(&p, "PLAY 3/3") && pty_now_ns() < give_up) {
			keep_awake(&p, &key);
			pty_pump(&p, 100);
		}
		if (pty_has(&p, "PLAY 3/3"))
			end = (thread_ns(&p, 1) - begin) / load_requests;
	}
	pty_stop(&p);
	return end;
}

static double run_load_ns(void)
{
	const char *build = getenv("BUILD");
	struct rusage u;
	char path[4096];
	pid_t pid;
	int status;

	snprintf(path, sizeof(path), "%s/iodeck", build ? build : "build");
	pid = fork();
	if (pid == 0) {
		if (freopen("/dev/null", "w", stdout))
			execl(path, path, "run", load, "--backend", "null", (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &u) != pid || status)
		return -1;
	return ((double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e9 +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e3) /
	       load_requests;
}

static bool bench_load(int pairs)
{
	double deck[64], run[64], ratio[64];

	for (int i = 0; i < pairs && i < 64; i++) {
		deck[i] = deck_load_ns();
		run[i] = run_load_ns();
		ratio[i] = deck[i] / run[i];
		if (deck[i] < 0 || run[i] < 0)
			return false;
	}
	print_spread("null backend under the deck", deck, pairs, "ns CPU a request");
	print_spread("the same by iodeck run", run, pairs, "ns CPU a request");
	print_spread("ratio of interleaved pairs (<= 1.02)", ratio, pairs, "");
	return true;
}

/* ---- key to acknowledged value ---- */

static bool bench_keys(const char *const *words, const char *what, int presses)
{
	double *ms = calloc((size_t)presses, sizeof(*ms));
	struct pty_options o = { .rows = 24, .columns = 80, .term = "xterm-256color",
				 .locale = "C.UTF-8" };
	bool good;
	struct pty p;

	deck_start(&p, &o, words);
	good = ms && pty_await(&p, "HELD 1/");
	pty_type(&p, "d");
	good = good && pty_await(&p, "QD: ");
	for (int i = 0; good && i < presses; i++) {
		int64_t begin, gap = pty_now_ns() + (i * 7919 % 41) * NS_PER_MS;

		while (pty_now_ns() < gap)
			pty_pump(&p, 5);
		begin = pty_now_ns();
		pty_type(&p, i % 2 ? "-" : "+");
		good = pty_await(&p, i % 2 ? "QD >1<" : "QD >2<");
		ms[i] = (double)(pty_now_ns() - begin) / 1e6;
	}
	if (good)
		print_spread(what, ms, presses, "ms");
	pty_stop(&p);
	free(ms);
	return good;
}

int main(void)
{
	static const char *const steady[] = { "ds5100", NULL };
	static const char *const hard[] = { "ds5100", "--speed", "max", NULL };
	int presses = from_env("PRESSES", 1000);
	bool good;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("T8: the deck\n");
	good = bench_frames("hyperpav") & bench_frames("equallogic");
	good &= bench_thread("hyperpav");
	good &= bench_load(from_env("PAIRS", 9));
	printf("key to acknowledged value on the screen, %d presses (p99 <= 100 ms)\n", presses);
	good &= bench_keys(steady, "  ds5100 at the pace of the clock", presses);
	good &= bench_keys(hard, "  ds5100 at --speed max", presses);
	if (!good)
		printf("bench_deck: failed\n");
	return !good;
}
