/* The table of a run, for a person at 80 columns. */
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report.h"

enum {
	WIDTH = 80,
	COLUMN = 8,    /* of a figure, with the blank before it */
	NAME_MIN = 8,  /* of the step's name */
	NAME_MAX_WIDTH = 24,
	LINE_ROOM = 4096,
};

/* All text from outside passes here; without a UTF-8 locale only ASCII is printed. */
static char *clean(const char *text, char *buf, size_t room)
{
	text_clean(buf, room, text, strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
	return buf;
}

/* Columns of one character: bytes that do not go on a UTF-8 sequence. */
static int columns_of(const char *s, size_t n)
{
	int columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)s[i] & 0xc0) != 0x80;
	return columns;
}

/* Print `text` broken at blanks to WIDTH, with `at` columns of the first line used up and later lines indented by `indent`. */
static void print_wrapped(FILE *f, const char *text, int at, int indent)
{
	char line[LINE_ROOM];
	const char *word = clean(text, line, sizeof(line));
	bool first = true;

	while (*word) {
		size_t n = strcspn(word, " ");
		int columns = columns_of(word, n);

		if (!first && at + 1 + columns > WIDTH) {
			fprintf(f, "\n%*s", indent, "");
			at = indent;
			first = true;
		}
		fprintf(f, "%s%.*s", first ? "" : " ", (int)n, word);
		at += columns + !first;
		first = false;
		word += n;
		word += strspn(word, " ");
	}
	fputc('\n', f);
}

/* ---- columns ---- */

static bool shown(const struct report *p, const struct figure *f)
{
	return f->heading && (!f->wanted || f->wanted(&p->spec->config));
}

/* Room for the names: what the longest needs, and what the columns leave. */
static int name_width(const struct report *p)
{
	int left = WIDTH, need = NAME_MIN;

	for (int i = 0; i < N_FIGURES; i++)
		left -= shown(p, &figure_table[i]) ? COLUMN : 0;
	for (uint32_t i = 0; i < p->spec->n_steps; i++) {
		const char *name = p->spec->step[i].name;
		int columns = columns_of(name, strlen(name));

		if (columns > need)
			need = columns;
	}
	if (need > NAME_MAX_WIDTH)
		need = NAME_MAX_WIDTH;
	return need < left ? need : left;
}

static char *format_figure(const struct figure *f, double value, char *buf, size_t room)
{
	double scaled = f->form == FORM_MEGA ? value / 1e6 : value;

	if (f->form == FORM_MS)
		return units_format_ms(buf, room, value);
	if (!isfinite(value) || value < 0)
		text_format(buf, room, "-");
	else if (scaled >= 999999.5)
		units_format_count(buf, room, scaled);
	else
		text_format(buf, room, "%.*f", f->form == FORM_PLAIN || scaled >= 99999.5 ? 0 : scaled < 1000 ? 2 : 1,
			    scaled);
	return buf;
}

static bool is_unsure(const struct figure *f, const struct step_result *r)
{
	return f->quantile > 0 && r->requests && !hist_enough(r->hist[METRIC_TOTAL].n, f->quantile);
}

/* A percentile of too few requests is marked. */
static char *format_result(const struct figure *f, const struct step_result *r, char *buf, size_t room)
{
	size_t n = strlen(format_figure(f, f->value(r), buf, room));

	if (is_unsure(f, r))
		text_format(buf + n, room - n, "?");
	return buf;
}

void report_text_begin(const struct report *p, FILE *f)
{
	const struct spec *spec = p->spec;
	char name[SPEC_TEXT], workers[32] = "";

	if (p->workers > 1)
		text_format(workers, sizeof(workers), ", %u workers", p->workers);
	fprintf(f, "%s  (%s%s, seed %llu)\n", clean(spec->title ? spec->title : spec->name, name, sizeof(name)),
		p->simulated ? "simulated" : p->backend, workers, (unsigned long long)spec->seed);
	if (spec->question)
		print_wrapped(f, spec->question, 0, 0);
	fprintf(f, "\n%-*s", name_width(p), "step");
	for (int i = 0; i < N_FIGURES; i++) {
		if (shown(p, &figure_table[i]))
			fprintf(f, "%*s", COLUMN, figure_table[i].heading);
	}
	fputc('\n', f);
	fflush(f);
}

/* ---- what was set in a step ---- */

/* Whether the knob stands elsewhere than the preset's own value in some step that is played. */
static bool knob_varies(const struct report *p, struct knob_ref ref)
{
	struct config *cfg = malloc(sizeof(*cfg));
	int64_t own = knob_get(&p->spec->config, ref);
	bool varies = false;

	for (uint32_t i = 0; cfg && i < p->spec->n_steps && !varies; i++) {
		if ((!p->selected || p->selected[i]) && !spec_step_config(p->spec, i, cfg, NULL))
			varies = knob_get(cfg, ref) != own;
	}
	free(cfg);
	return varies;
}

static void add_knob(struct strbuf *line, const struct spec *spec, const struct knob_view *k)
{
	char name[SPEC_NAME * 2], text[SPEC_NAME];

	strbuf_printf(line, "%s%s=%s", line->length ? ", " : "",
		      report_knob_name(spec, k->ref, name, sizeof(name)),
		      knob_format(k->ref, k->in_effect, text, sizeof(text)));
	if (k->asked != k->in_effect)
		strbuf_printf(line, " (asked %s)", knob_format(k->ref, k->asked, text, sizeof(text)));
}

/* A `set` of something that is no knob. */
static void add_other(struct strbuf *line, const struct spec *spec, const struct assign *set)
{
	struct knob_ref ref;

	if (knob_find(&spec->config, set->key, &ref, NULL))
		strbuf_printf(line, "%s%s=%s", line->length ? ", " : "", set->key, set->value);
}

static void print_settings(const struct report *p, const struct step_result *r, FILE *f)
{
	const struct step *step = &p->spec->step[r->step];
	struct strbuf line = { 0 };

	for (uint32_t i = 0; i < r->n_knobs; i++) {
		const struct knob_view *k = &r->knob[i];

		if (k->applies && (k->asked != k->in_effect || knob_varies(p, k->ref)))
			add_knob(&line, p->spec, k);
	}
	for (uint32_t i = 0; i < step->n_set; i++)
		add_other(&line, p->spec, &step->set[i]);
	for (uint32_t i = 0; i < p->spec->n_override; i++)
		add_other(&line, p->spec, &p->spec->override[i]);
	if (line.length) {
		fputs("    ", f);
		print_wrapped(f, line.text, 4, 4);
	}
	strbuf_release(&line);
}

/* What befell the step by plan: "drop d5 at 0 s". */
static void print_faults(const struct step *step, FILE *f)
{
	for (uint32_t i = 0; i < step->n_fault; i++)
		fprintf(f, "%s%s at %.6g s", i ? ", " : "    ", step->fault[i].text, (double)step->fault[i].at_ns / 1e9);
	if (step->n_fault)
		fputc('\n', f);
}

/* As V$ASM_OPERATION tells it. */
static void add_rebalance(struct strbuf *line, const struct rebalance_view *r)
{
	if (r->est_work_au)
		strbuf_printf(line, "rebalance %s: %u of %u AU, power %u", r->state, r->sofar_au, r->est_work_au, r->power_actual);
	else
		strbuf_printf(line, "rebalance %s: no move is possible, power %u", r->state, r->power_actual);
	if (r->power_asked != r->power_actual)
		strbuf_printf(line, " (asked %u)", r->power_asked);
	if (isfinite(r->est_minutes))
		strbuf_printf(line, ", %.0f AU/min, %.1f min left", r->est_rate_au_per_min, r->est_minutes);
	else if (r->stalled)
		strbuf_printf(line, ", stalled");
}

/* The rebalance, and the disks that are not as they should be. */
static void print_volume(const struct rebalance_view *r, const struct disk_view *disk, uint32_t n_disks, FILE *f)
{
	struct strbuf line = { 0 };

	if (r->has_volume && strcmp(r->state, "NONE"))
		add_rebalance(&line, r);
	for (uint32_t i = 0; i < n_disks; i++)
		if (strcmp(disk[i].state, "online"))
			strbuf_printf(&line, "%s%s %s", line.length ? "; " : "", disk[i].name, disk[i].state);
	if (r->reason[0])
		strbuf_printf(&line, "; %s", r->reason);
	if (line.length) {
		fputs("    ", f);
		print_wrapped(f, line.text, 4, 4);
	}
	strbuf_release(&line);
}

/* Only what is out of the ordinary. */
static void print_trouble(const struct step_result *r, FILE *f)
{
	static const char *const why[N_STEP_ENDS] = {
		[END_HUNG] = "hung",
		[END_SIGNAL] = "cut short by a signal",
		[END_ERROR] = "ended by an error",
		[END_DEVICE] = "the device went away",
	};

	if (why[r->end])
		fprintf(f, "    %s after %.3f s; %llu requests outstanding\n", why[r->end], (double)r->length_ns / 1e9,
			(unsigned long long)r->outstanding);
	if (r->errors || r->short_transfers)
		fprintf(f, "    %llu failed, %llu short\n", (unsigned long long)r->errors,
			(unsigned long long)r->short_transfers);
}

void report_text_step(const struct report *p, const struct step_result *r, FILE *f)
{
	char name[SPEC_NAME], text[32];
	int width = name_width(p);

	clean(r->name, name, sizeof(name));
	int columns = columns_of(name, strlen(name));

	/* A name too long for its column has a line of its own. */
	if (columns > width)
		fprintf(f, "%s\n%*s", name, width, "");
	else
		fprintf(f, "%s%*s", name, width - columns, "");
	for (int i = 0; i < N_FIGURES; i++) {
		const struct figure *figure = &figure_table[i];

		if (shown(p, figure))
			fprintf(f, "%*s", COLUMN, format_result(figure, r, text, sizeof(text)));
	}
	fputc('\n', f);
	print_settings(p, r, f);
	print_faults(&p->spec->step[r->step], f);
	print_volume(&r->rebalance, r->disk, r->n_disks, f);
	print_trouble(r, f);
	fflush(f);
}

/* ---- the end ---- */

static void print_verdicts(const struct report *p, FILE *f)
{
	if (p->n_judged)
		fputs("\n              found  expected\n", f);
	if (p->n_judged && p->changed)
		fputs("  (--set or --runtime changed what these lines were written for)\n", f);
	for (uint32_t i = 0; i < p->n_judged; i++) {
		const struct judged *j = &p->judged[i];
		const char *verdict = !j->can ? "-" : j->verdict.pass ? "pass" : "MISSED";
		char value[64], line[SPEC_NAME + SPEC_TEXT];

		text_format(line, sizeof(line), "%s: %s", p->spec->step[j->step].name, j->expect->text);
		int at = fprintf(f, "  %-6s %9s  ", verdict, report_value(j, value, sizeof(value)));

		print_wrapped(f, line, at, 21);
	}
}

static bool any_unsure(const struct report *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->spec->n_steps; i++)
		for (int k = 0; p->result[i] && k < N_FIGURES; k++)
			any |= shown(p, &figure_table[k]) && is_unsure(&figure_table[k], p->result[i]);
	return any;
}

void report_text_end(const struct report *p, FILE *f)
{
	fputs("\np50, p99: total time of a request in the device layer; dev: its mean time in\n"
	      "the device; MB/s: 10^6 bytes per second.\n",
	      f);
	if (any_unsure(p))
		fputs("?: too few requests to be sure of that percentile, see the notes.\n", f);
	print_verdicts(p, f);
	for (uint32_t i = 0; i < p->n_note; i++) {
		fputs(i ? "  - " : "\nnotes\n  - ", f);
		print_wrapped(f, p->note[i], 4, 4);
	}
}

void report_text_state(const struct snapshot *s, FILE *f)
{
	char step[SPEC_NAME], p50[16], p99[16];
	bool unsure = s->window[METRIC_TOTAL].n && !hist_enough(s->window[METRIC_TOTAL].n, 0.99);

	fprintf(f, "step '%s' (%u of %u)%s at %.1f s: %llu requests, %llu errors, %u in the device, %u waiting\n",
		clean(s->step_name, step, sizeof(step)), s->step + 1, s->n_steps, s->warming ? ", warming up," : "",
		(double)s->step_t_ns / 1e9, (unsigned long long)s->requests, (unsigned long long)s->errors,
		s->in_flight, s->waiting);
	fprintf(f, "  last second: %.0f IOPS, %.2f MB/s; total p50 %s ms, p99 %s%s ms\n", isfinite(s->iops) ? s->iops : 0.0,
		isfinite(s->bytes_per_s) ? s->bytes_per_s / 1e6 : 0.0,
		units_format_ms(p50, sizeof(p50), s->window[METRIC_TOTAL].p50_ns),
		units_format_ms(p99, sizeof(p99), s->window[METRIC_TOTAL].p99_ns), unsure ? "?" : "");
	if (s->silence.n)
		fprintf(f, "  no answer: %u requests outstanding, oldest %.0f s\n", s->silence.n, (double)s->silence.oldest_ns / 1e9);
	print_volume(&s->rebalance, s->disk, s->n_disks, f);
	fflush(f);
}
