/* What all forms of a report share: the results of the steps, verdicts, notes, and the table of figures. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "verdict.h"

/* ---- the figures ---- */

static double elapsed_s(const struct step_result *r) { return r->elapsed_s; }
static double cpu_sys_s(const struct step_result *r) { return r->has_cpu ? r->cpu_sys_s : NAN; }
static double cpu_user_s(const struct step_result *r) { return r->has_cpu ? r->cpu_user_s : NAN; }
static double forwarded(const struct step_result *r) { return r->forwarded_share; }
static double gap_ms(const struct step_result *r) { return r->gap_ms; }
static double aliases_mean(const struct step_result *r) { return r->aliases_mean; }
static double aliases_peak(const struct step_result *r) { return r->aliases_peak; }
static double aliases_share(const struct step_result *r) { return r->aliases_share; }
static double total_p50(const struct step_result *r) { return hist_percentile(&r->hist[METRIC_TOTAL], 0.5); }
static double total_p99(const struct step_result *r) { return hist_percentile(&r->hist[METRIC_TOTAL], 0.99); }
static double device_mean(const struct step_result *r) { return hist_mean(&r->hist[METRIC_DEVICE]); }

static bool counts_transactions(const struct config *cfg)
{
	for (uint32_t i = 0; i < cfg->n_jobs; i++) {
		if (cfg->job[i].transaction)
			return true;
	}
	return false;
}

static bool costs_cpu(const struct config *cfg)
{
	const struct host_spec *h = &cfg->host;

	return h->cpu_sys_io_ns || h->cpu_user_io_ns || h->cpu_sys_waiter > 0 || h->cpu_user_waiter > 0;
}

/* In the order of the text's columns; JSON takes them in this order too. */
const struct figure figure_table[N_FIGURES] = {
	{ NULL, "iops", "IOPS", FORM_PLAIN, result_iops, NULL, 0 },
	{ NULL, "bytes_per_s", "MB/s", FORM_MEGA, result_bytes_per_s, NULL, 0 },
	{ NULL, "transactions_per_s", "TX/s", FORM_PLAIN, result_transactions_per_s, counts_transactions, 0 },
	{ NULL, NULL, "p50 ms", FORM_MS, total_p50, NULL, 0.5 },
	{ NULL, NULL, "p99 ms", FORM_MS, total_p99, NULL, 0.99 },
	{ NULL, NULL, "dev ms", FORM_MS, device_mean, NULL, 0 },
	{ NULL, "elapsed_s", "time s", FORM_SECONDS, elapsed_s, NULL, 0 },
	{ "cpu_s", "sys", "sys s", FORM_SECONDS, cpu_sys_s, costs_cpu, 0 },
	{ "cpu_s", "user", "user s", FORM_SECONDS, cpu_user_s, costs_cpu, 0 },
	{ NULL, "forwarded_share", NULL, FORM_PLAIN, forwarded, NULL, 0 },
	{ NULL, "gap_ms", NULL, FORM_PLAIN, gap_ms, NULL, 0 },
	{ "aliases_used", "mean", NULL, FORM_PLAIN, aliases_mean, NULL, 0 },
	{ "aliases_used", "peak", NULL, FORM_PLAIN, aliases_peak, NULL, 0 },
	{ "aliases_used", "share", NULL, FORM_PLAIN, aliases_share, NULL, 0 },
};

static double hist_min_ns(const struct hist *h) { return h->n ? (double)h->min : NAN; }
static double hist_max_ns(const struct hist *h) { return h->n ? (double)h->max : NAN; }

const struct latency latency_table[N_LATENCIES] = {
	{ "min", 0, hist_min_ns }, { "mean", 0, hist_mean },  { "p50", 0.5, NULL },    { "p95", 0.95, NULL },
	{ "p99", 0.99, NULL },     { "p999", 0.999, NULL },   { "max", 0, hist_max_ns },
};

double latency_us(const struct latency *l, const struct hist *h)
{
	if (l->quantile > 0)
		return hist_enough(h->n, l->quantile) ? hist_percentile(h, l->quantile) / 1e3 : NAN;
	return l->ns(h) / 1e3;
}

char *report_knob_name(const struct spec *spec, struct knob_ref ref, char *buf, size_t room)
{
	const char *name = knob_table[ref.id].name;

	if (ref.job)
		text_format(buf, room, "%s.%s", spec->config.job[ref.job].name, name);
	else
		text_format(buf, room, "%s", name);
	return buf;
}

/* ---- results ---- */

int report_init(struct report *p, const struct spec *spec, const uint8_t *selected)
{
	*p = (struct report){ .spec = spec, .selected = selected };
	p->result = calloc(spec->n_steps, sizeof(struct step_result *));
	return p->result ? 0 : -ENOMEM;
}

void report_release(struct report *p)
{
	for (uint32_t i = 0; p->result && i < p->spec->n_steps; i++)
		free(p->result[i]);
	for (uint32_t i = 0; i < p->n_note; i++)
		free(p->note[i]);
	free(p->result);
	free(p->note);
	free(p->judged);
	*p = (struct report){ 0 };
}

int report_add(struct report *p, const struct step_result *r)
{
	struct step_result *copy = p->result[r->step];

	if (!copy)
		copy = malloc(sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	*copy = *r;
	p->result[r->step] = copy;
	return 0;
}

/* ---- notes ---- */

/* Takes over `text`, which is NULL when memory was short. */
static int add_note(struct report *p, char *text)
{
	char **grown = text ? realloc(p->note, (p->n_note + 1) * sizeof(char *)) : NULL;

	if (!grown) {
		free(text);
		return -ENOMEM;
	}
	p->note = grown;
	p->note[p->n_note++] = text;
	return 0;
}

static int note_printf(struct report *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int note_printf(struct report *p, const char *fmt, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	return add_note(p, text);
}

/* Whether two keys of a `set` mean the same thing: "users.jobs" is "jobs" when users is the first job. */
static bool same_key(const struct config *cfg, const char *a, const char *b)
{
	struct knob_ref ra, rb;

	if (!strcmp(a, b))
		return true;
	return !knob_find(cfg, a, &ra, NULL) && !knob_find(cfg, b, &rb, NULL) && ra.id == rb.id && ra.job == rb.job;
}

/* A step's own `set` that --set overrules. */
static int note_overruled(struct report *p, const struct step *step)
{
	const struct spec *spec = p->spec;
	int code = 0;

	for (uint32_t i = 0; i < step->n_set; i++) {
		for (uint32_t k = 0; k < spec->n_override && !code; k++) {
			const struct assign *own = &step->set[i], *holds = &spec->override[k];

			if (same_key(&spec->config, own->key, holds->key))
				code = note_printf(p, "step '%s': its own %s=%s is ignored, --set %s=%s holds",
						   step->name, own->key, own->value, holds->key, holds->value);
		}
	}
	return code;
}

/* Knobs that the system did not take as asked. */
static int note_knobs(struct report *p, const struct step_result *r)
{
	int code = 0;

	for (uint32_t i = 0; i < r->n_knobs && !code; i++) {
		const struct knob_view *k = &r->knob[i];
		char name[SPEC_NAME * 2], asked[SPEC_NAME], used[SPEC_NAME];

		if (!k->applies || k->asked == k->in_effect)
			continue;
		code = note_printf(p, "step '%s': %s asked %s, in effect %s%s%s", r->name,
				   report_knob_name(p->spec, k->ref, name, sizeof(name)),
				   knob_format(k->ref, k->asked, asked, sizeof(asked)),
				   knob_format(k->ref, k->in_effect, used, sizeof(used)), *k->reason ? ": " : "",
				   k->reason);
	}
	return code;
}

static int note_errors(struct report *p, const struct step_result *r)
{
	char list[256] = "", name[16];

	for (size_t i = 0, at = 0; i < RESULT_MAX_ERRORS && r->error[i].n; i++)
		at += text_format(list + at, sizeof(list) - at, "%s%llu %s", i ? ", " : "", (unsigned long long)r->error[i].n,
				  errno_name(r->error[i].code, name, sizeof(name)));
	return note_printf(p, "step '%s': %llu requests failed (%s); they are not in IOPS, bytes or latencies", r->name,
			   (unsigned long long)r->errors, list);
}

/* Why a step's figures are not those of a whole, clean step. */
static int note_end(struct report *p, const struct step_result *r)
{
	int code = 0;

	if (r->end == END_SIGNAL)
		code = note_printf(p, "step '%s' was cut short by a signal; its expectations are not judged", r->name);
	if (r->end == END_HUNG)
		code = note_printf(p, "step '%s' hung: nothing could go on", r->name);
	if (!code && !r->requests)
		code = note_printf(p, "step '%s': no request was completed, so there is no latency to tell", r->name);
	if (!code && r->errors)
		code = note_errors(p, r);
	if (!code && r->short_transfers)
		code = note_printf(p, "step '%s': %llu requests moved fewer bytes than asked for; they are not in IOPS, bytes or latencies",
				   r->name, (unsigned long long)r->short_transfers);
	return code;
}

static bool is_selected(const struct report *p, uint32_t step)
{
	return !p->selected || p->selected[step];
}

/* Steps whose requests are too few for a percentile, for the text: "step 'a', 'b' and 3 more". Returns how many. */
static uint32_t list_few(const struct report *p, double quantile, char *list, size_t room)
{
	enum { NAMED = 4 };
	uint32_t n = 0;
	size_t at = 0;

	list[0] = '\0';
	for (uint32_t i = 0; i < p->spec->n_steps; i++) {
		const struct step_result *r = p->result[i];

		if (!r || !r->requests || hist_enough(r->hist[METRIC_TOTAL].n, quantile))
			continue;
		if (n++ < NAMED)
			at += text_format(list + at, room - at, "%s'%s'", n > 1 ? ", " : "step ", r->name);
	}
	if (n > NAMED)
		text_format(list + at, room - at, " and %u more", n - NAMED);
	return n;
}

static int note_few(struct report *p)
{
	char list[5 * SPEC_NAME];
	int code = 0;

	for (int i = 0; i < N_LATENCIES && !code; i++) {
		const struct latency *l = &latency_table[i];

		if (l->quantile > 0 && list_few(p, l->quantile, list, sizeof(list)))
			code = note_printf(p, "p%.4g wants %llu requests; with fewer, no 95 %% limit can be set above it: too few in %s; null in JSON, empty in CSV",
					   l->quantile * 100, (unsigned long long)hist_needs(l->quantile), list);
	}
	return code;
}

static int collect_notes(struct report *p)
{
	const struct spec *spec = p->spec;
	int code = 0;

	for (uint32_t i = 0; i < spec->n_note && !code; i++)
		code = add_note(p, strdup(spec->note[i]));
	for (uint32_t i = 0; i < spec->n_steps && !code; i++) {
		if (is_selected(p, i))
			code = note_overruled(p, &spec->step[i]);
		if (!code && p->result[i])
			code = note_knobs(p, p->result[i]);
		if (!code && p->result[i])
			code = note_end(p, p->result[i]);
		for (uint32_t k = 0; p->result[i] && k < p->result[i]->n_notes && !code; k++)
			code = note_printf(p, "%s", p->result[i]->note[k]);
	}
	return code ? code : note_few(p);
}

/* ---- verdicts ---- */

static uint32_t count_expectations(const struct report *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->spec->n_steps; i++)
		n += is_selected(p, i) ? p->spec->step[i].n_expect : 0;
	return n;
}

int report_judge(struct report *p)
{
	const struct spec *spec = p->spec;
	const struct step_result **whole = calloc(spec->n_steps, sizeof(*whole));

	p->judged = calloc(count_expectations(p) + 1, sizeof(*p->judged));
	if (!whole || !p->judged) {
		free(whole);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < spec->n_steps; i++)
		whole[i] = p->result[i] && p->result[i]->end != END_SIGNAL ? p->result[i] : NULL;
	for (uint32_t i = 0; i < spec->n_steps; i++) {
		for (uint32_t k = 0; is_selected(p, i) && k < spec->step[i].n_expect; k++) {
			struct judged *j = &p->judged[p->n_judged++];

			*j = (struct judged){ .step = i, .expect = &spec->step[i].expect[k] };
			j->can = expect_can_judge(j->expect, i, whole, spec->n_steps);
			if (j->can)
				j->verdict = expect_judge(j->expect, i, whole, spec->n_steps);
		}
	}
	free(whole);
	return collect_notes(p);
}

bool report_missed(const struct report *p)
{
	for (uint32_t i = 0; i < p->n_judged; i++) {
		if (p->judged[i].can && !p->judged[i].verdict.pass)
			return true;
	}
	return false;
}

char *report_value(const struct judged *j, char *buf, size_t room)
{
	return verdict_text(j->expect, j->can, j->verdict.value, j->verdict.word, buf, room);
}
