/* `iodeck probe`: look, wait, look again, tell what happened in between. */
#include "probe_main.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "output.h"
#include "probe_listen.h"
#include "probe_report.h"

enum { COLUMNS = 79, COLUMNS_MAX = 400 };

static volatile sig_atomic_t ended_by;

static void on_end(int number)
{
	/* the second one leaves at once, whatever the kernel keeps it waiting for */
	if (ended_by)
		_exit(128 + number);
	ended_by = number;
}

static void catch_signals(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_end };

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaction(ending[i], &act, NULL);
	signal(SIGPIPE, SIG_IGN);
}

struct probing {
	const struct options *o;
	struct output json, csv;
	FILE *table; /* borrowed; stderr when stdout carries data */
	bool failed;
};

static int open_outputs(struct probing *p, struct err *err)
{
	const struct options *o = p->o;
	bool data = (o->json && !strcmp(o->json, "-")) || (o->csv && !strcmp(o->csv, "-"));

	p->table = data ? stderr : stdout;
	if (o->json && o->csv && !strcmp(o->json, "-") && !strcmp(o->csv, "-"))
		return err_set(err, -EINVAL, "--json - and --csv - cannot both be stdout");
	if (o->json && output_open(&p->json, o->json, o->force, err))
		return -EIO;
	if (o->csv && output_open(&p->csv, o->csv, o->force, err))
		return -EIO;
	if (o->json && o->csv && output_same(&p->json, &p->csv))
		return err_set(err, -EINVAL, "--json and --csv name the same file");
	return 0;
}

static int columns(void)
{
	struct winsize w;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col > COLUMNS)
		return w.ws_col < COLUMNS_MAX ? w.ws_col : COLUMNS_MAX;
	return COLUMNS;
}

static void tell_loss(struct probing *p, const char *what, int code)
{
	if (!p->failed)
		fprintf(stderr, "iodeck: %s is lost from here on: %s\n", what, strerror(code));
	p->failed = true;
}

static void tell_json(struct probing *p, const struct probe_snapshot *s, const struct probe_events *e)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	int code = f ? probe_report_json(s, e, f) : -ENOMEM;

	if (f && fclose(f))
		code = -ENOMEM;
	if (code)
		tell_loss(p, "JSON", -code);
	else if (!output_write(&p->json, text, n))
		tell_loss(p, "JSON", p->json.failure);
	free(text);
}

static void tell_csv(struct probing *p, const struct probe_snapshot *s, const struct probe_events *e, bool first)
{
	struct strbuf out = { 0 };

	if (first)
		probe_report_csv_head(&out);
	probe_report_csv(s, e, &out);
	if (out.failed)
		tell_loss(p, "CSV", ENOMEM);
	else if (!output_write(&p->csv, out.text, out.length))
		tell_loss(p, "CSV", p->csv.failure);
	strbuf_release(&out);
}

static void tell(struct probing *p, const struct probe_snapshot *s, const struct probe_events *e, bool first)
{
	if (p->json.open)
		tell_json(p, s, e);
	if (p->csv.open)
		tell_csv(p, s, e, first);
	if (p->o->line)
		probe_report_lines(s, e, p->table);
	else
		probe_report_table(s, e, columns(), p->table);
	if (fflush(p->table) || ferror(p->table))
		tell_loss(p, "the table", errno);
}

/* Other signals are none of its business: it goes on waiting. */
static void wait_until(struct probe_listener *l, int64_t ns)
{
	struct clock clock = clock_monotonic();

	while (!ended_by && clock_now(&clock) < ns)
		probe_listen_wait(l, ns);
}

static int64_t since_1970_ns(const struct clock *monotonic)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec - clock_now(monotonic);
}

/* The first look is only what the next is compared with: what it finds grew since the machine was started and is nobody's now. */
static void sample(struct probing *p, struct probes *probes, struct probe_listener *l)
{
	const struct options *o = p->o;
	int64_t interval = o->has_interval ? o->interval_ns : NS_PER_S;
	uint64_t count = o->count ? o->count : o->has_interval && interval ? UINT64_MAX : 1;
	struct clock clock = clock_monotonic();
	int64_t next = clock_now(&clock);
	const struct probe_snapshot *s;

	if (interval)
		probes_sample(probes, next, (int64_t)time(NULL));
	for (uint64_t i = 0; i < count && !p->failed; i++) {
		next += interval;
		wait_until(l, next);
		if (ended_by)
			break;
		s = probes_sample(probes, clock_now(&clock), (int64_t)time(NULL));
		tell(p, s, probe_listen_take(l, since_1970_ns(&clock)), i == 0);
	}
}

static int commit(struct probing *p)
{
	struct err err;

	if (p->json.open && output_commit(&p->json, &err)) {
		fprintf(stderr, "iodeck: %s\n", err.text);
		p->failed = true;
	}
	if (p->csv.open && output_commit(&p->csv, &err)) {
		fprintf(stderr, "iodeck: %s\n", err.text);
		p->failed = true;
	}
	return ended_by ? 128 + ended_by : p->failed ? EXIT_FAILED : EXIT_DONE;
}

/* As the probes see it. */
static bool is_machine(const struct options *o) { return !o->sysroot || !o->sysroot[0] || !strcmp(o->sysroot, "/"); }

int probe_main(const struct options *o)
{
	struct probing p = { .o = o };
	struct probe_listener *listener = NULL;
	struct probes *probes = NULL;
	struct err err;

	if (!open_outputs(&p, &err))
		probes = probes_open(o->sysroot ? o->sysroot : "", &err);
	if (probes && !(listener = probe_listen_open(is_machine(o), NULL)))
		err_set(&err, -ENOMEM, "out of memory");
	if (!listener) {
		probes_close(probes);
		output_abandon(&p.json);
		output_abandon(&p.csv);
		fprintf(stderr, "iodeck: %s\n", err.text);
		return EXIT_USAGE;
	}
	catch_signals();
	sample(&p, probes, listener);
	probe_listen_close(listener);
	probes_close(probes);
	return commit(&p);
}
