/* JSON of a run (INTERFACE.md "JSON of run"): always the same keys, null where something is not known. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "report.h"

static void put_knob(struct json *j, const struct spec *spec, const struct knob_view *k)
{
	char name[SPEC_NAME * 2], text[SPEC_NAME];

	json_open_object(j, report_knob_name(spec, k->ref, name, sizeof(name)));
	if (k->ref.id == KNOB_PATH) {
		json_put_str(j, "asked", knob_format(k->ref, k->asked, text, sizeof(text)));
		json_put_str(j, "in_effect", knob_format(k->ref, k->in_effect, text, sizeof(text)));
	} else {
		json_put_int(j, "asked", k->asked);
		json_put_int(j, "in_effect", k->in_effect);
	}
	json_close(j);
}

static void put_knobs(struct json *j, const struct spec *spec, const struct step_result *r)
{
	json_open_object(j, "knobs");
	for (uint32_t i = 0; i < r->n_knobs; i++)
		put_knob(j, spec, &r->knob[i]);
	json_close(j);
}

/* Rows of figure_table with the same group make one object. */
static void put_figures(struct json *j, const struct step_result *r)
{
	const char *group = NULL;

	for (int i = 0; i < N_FIGURES; i++) {
		const struct figure *f = &figure_table[i];

		if (!f->key)
			continue;
		if (group && (!f->group || strcmp(group, f->group))) {
			json_close(j);
			group = NULL;
		}
		if (f->group && !group) {
			json_open_object(j, f->group);
			group = f->group;
		}
		json_put_real(j, f->key, f->value(r));
	}
	if (group)
		json_close(j);
}

static char *metric_key(int metric, char *buf, size_t room)
{
	text_format(buf, room, "%s_us", metric_names[metric]);
	return buf;
}

static void put_latencies(struct json *j, const struct step_result *r)
{
	char key[32];

	for (int m = 0; m < N_METRICS; m++) {
		json_open_object(j, metric_key(m, key, sizeof(key)));
		json_put_int(j, "n", (int64_t)r->hist[m].n);
		for (int i = 0; i < N_LATENCIES; i++)
			json_put_real(j, latency_table[i].key, latency_us(&latency_table[i], &r->hist[m]));
		json_close(j);
	}
}

/* The 32 rows of /proc/dasd/statistics, each with its upper edge (exclusive) in microseconds. */
static void put_hists(struct json *j, const struct step_result *r)
{
	char key[32];

	json_open_object(j, "hist");
	for (int m = 0; m < N_METRICS; m++) {
		uint64_t rows[HIST_LOG2_ROWS];

		hist_log2(&r->hist[m], rows);
		json_open_array(j, metric_key(m, key, sizeof(key)));
		for (int i = 0; i < HIST_LOG2_ROWS; i++) {
			json_open_array(j, NULL);
			json_put_int(j, NULL, INT64_C(4) << i);
			json_put_int(j, NULL, (int64_t)rows[i]);
			json_close(j);
		}
		json_close(j);
	}
	json_close(j);
}

static void put_paths(struct json *j, const struct step_result *r)
{
	json_open_array(j, "paths");
	for (uint32_t i = 0; i < r->n_paths; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", r->path[i].name);
		json_put_str(j, "state", path_state_names[r->path[i].state]);
		json_put_int(j, "requests", (int64_t)r->path[i].requests);
		json_put_int(j, "inflight", r->path[i].in_flight);
		json_put_int(j, "weight", r->path[i].weight);
		json_close(j);
	}
	json_close(j);
}

static void put_disks(struct json *j, const struct step_result *r)
{
	json_open_array(j, "disks");
	for (uint32_t i = 0; i < r->n_disks; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", r->disk[i].name);
		json_put_str(j, "state", r->disk[i].state);
		json_put_real(j, "busy", r->disk[i].busy);
		json_close(j);
	}
	json_close(j);
}

static void put_rebalance(struct json *j, const struct rebalance_view *r)
{
	if (!r->has_volume) {
		json_put_null(j, "rebalance");
		return;
	}
	json_open_object(j, "rebalance");
	json_put_str(j, "state", r->state);
	json_open_object(j, "power");
	json_put_int(j, "asked", r->power_asked);
	json_put_int(j, "actual", r->power_actual);
	json_close(j);
	json_put_int(j, "sofar_au", r->sofar_au);
	json_put_int(j, "est_work_au", r->est_work_au);
	json_put_real(j, "est_rate_au_per_min", r->est_rate_au_per_min);
	json_put_real(j, "est_minutes", r->est_minutes);
	json_close(j);
}

/* EIO always, the others when there were any. */
static void put_errors(struct json *j, const struct step_result *r)
{
	uint64_t eio = 0;
	char name[16];

	for (int i = 0; i < RESULT_MAX_ERRORS && r->error[i].n; i++)
		eio += r->error[i].code == EIO ? r->error[i].n : 0;
	json_put_int(j, "EIO", (int64_t)eio);
	for (int i = 0; i < RESULT_MAX_ERRORS && r->error[i].n; i++)
		if (r->error[i].code != EIO)
			json_put_int(j, errno_name(r->error[i].code, name, sizeof(name)), (int64_t)r->error[i].n);
}

static void put_step(struct json *j, const struct spec *spec, const struct step_result *r)
{
	json_open_object(j, NULL);
	json_put_str(j, "name", r->name);
	json_put_real(j, "start_s", (double)r->start_ns / 1e9);
	json_put_real(j, "length_s", (double)r->length_ns / 1e9);
	json_put_str(j, "end", step_end_names[r->end]);
	put_knobs(j, spec, r);
	json_put_int(j, "requests", (int64_t)r->requests);
	json_put_int(j, "errors", (int64_t)r->errors);
	json_open_object(j, "errors_by");
	put_errors(j, r);
	json_close(j);
	json_put_int(j, "short", (int64_t)r->short_transfers);
	json_put_int(j, "redecided", (int64_t)r->redecided);
	json_put_int(j, "outstanding", (int64_t)r->outstanding);
	put_figures(j, r);
	put_latencies(j, r);
	put_hists(j, r);
	put_paths(j, r);
	put_disks(j, r);
	put_rebalance(j, &r->rebalance);
	json_close(j);
}

static void put_judged(struct json *j, const struct spec *spec, const struct judged *x)
{
	json_open_object(j, NULL);
	json_put_str(j, "step", spec->step[x->step].name);
	json_put_str(j, "text", x->expect->text);
	if (x->can && x->verdict.word)
		json_put_str(j, "value", x->verdict.word);
	else
		json_put_real(j, "value", x->can ? x->verdict.value : NAN);
	if (x->can)
		json_put_bool(j, "pass", x->verdict.pass);
	else
		json_put_null(j, "pass");
	json_close(j);
}

static void put_report(struct json *j, const struct report *p)
{
	json_put_str(j, "schema", "iodeck/1");
	json_put_str(j, "preset", p->spec->name);
	json_put_int(j, "seed", (int64_t)p->spec->seed);
	json_put_str(j, "backend", p->backend);
	json_put_bool(j, "simulated", p->simulated);
	json_put_int(j, "workers", p->workers);
	json_open_array(j, "steps");
	for (uint32_t i = 0; i < p->spec->n_steps; i++) {
		if (p->result[i])
			put_step(j, p->spec, p->result[i]);
	}
	json_close(j);
	json_open_array(j, "expect");
	for (uint32_t i = 0; i < p->n_judged; i++)
		put_judged(j, p->spec, &p->judged[i]);
	json_close(j);
	json_open_array(j, "notes");
	for (uint32_t i = 0; i < p->n_note; i++)
		json_put_str(j, NULL, p->note[i]);
	json_close(j);
}

int report_json(const struct report *p, FILE *f)
{
	struct json *j = json_new();

	if (!j)
		return -ENOMEM;
	put_report(j, p);
	int code = json_write(j, f);

	json_free(j);
	return code;
}
