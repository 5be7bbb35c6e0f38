/* A preset and its grammar in words: `iodeck check` and `check --keys`. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "config_row.h"
#include "expect.h"
#include "preset.h"
#include "preset_fill.h"
#include "preset_owners.h"

enum { VALUE_ROOM = 4096 }; /* a list of 1024 LUNs without neighbours fits */

/* ---- the grammar ---- */

static void add_words(struct strbuf *out, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		strbuf_printf(out, "%s%s", i ? ", " : "", words[i]);
}

static void add_form(struct strbuf *out, const struct config_row *row)
{
	char low[32], high[32];

	if (row->words) {
		add_words(out, row->words);
		return;
	}
	strbuf_puts(out, row->form->name);
	if (!row->form->format_bound)
		return;
	row->form->format_bound(row->min, low, sizeof(low));
	row->form->format_bound(row->max, high, sizeof(high));
	strbuf_printf(out, ", %s..%s", low, high);
}

/* The knob that turns this key, or NULL. */
static const char *knob_of(enum config_part part, const char *key)
{
	for (int i = part == PART_JOB ? KNOB_FIRST_OF_JOB : 0;
	     i < (part == PART_HOST  ? KNOB_FIRST_OF_JOB
		  : part == PART_JOB ? N_KNOBS
				     : 0);
	     i++)
		if (!strcmp(knob_table[i].config_key, key))
			return knob_table[i].name;
	return NULL;
}

static void add_config_keys(struct strbuf *out, enum config_part part)
{
	const struct config_section *section = &config_sections[part];

	strbuf_printf(out, "\n[%s%s]\n", section->name, part == PART_JOB ? " NAME" : "");
	for (const struct config_row *row = section->row; row < section->row + section->n_rows;
	     row++) {
		const char *knob = knob_of(part, row->key);

		strbuf_printf(out, "  %-20s ", row->key);
		add_form(out, row);
		strbuf_printf(out, " (%s)", row->fallback);
		if (knob)
			strbuf_printf(out, "; knob %s", knob);
		strbuf_printf(out, "\n  %-20s   %s\n", "", row->what);
	}
}

static void add_preset_keys(struct strbuf *out, const char *title, const struct preset_keys *keys)
{
	strbuf_printf(out, "%s\n", title);
	for (const struct preset_key *row = keys->key; row < keys->key + keys->n; row++) {
		strbuf_printf(out, "  %s%-*s %s", row->name, (int)(20 - strlen(row->name)),
			      row->numbered ? ".N" : "", row->form);
		if (*row->fallback)
			strbuf_printf(out, " (%s)", row->fallback);
		strbuf_printf(out, "\n  %-20s   %s\n", "", row->what);
	}
}

void config_describe_keys(struct strbuf *out)
{
	strbuf_puts(out,
		    "A preset's sections and keys: form, range, (default), meaning.\n"
		    "The first line is a comment with the question. Sizes: 4k = 4KiB = 4096 B, "
		    "4kB = 4000 B.\nTimes: ns us ms s m h d; only 0 stands without.\n\n");
	add_preset_keys(out, "[preset]", &preset_section_keys);
	for (int part = 0; part < N_PARTS; part++)
		add_config_keys(out, (enum config_part)part);
	add_preset_keys(out, "\n[target]", &preset_target_keys);
	add_preset_keys(out, "\n[fault]", &preset_fault_keys);
	add_preset_keys(out, "\n[step NAME]", &preset_step_keys);
}

/* ---- one preset ---- */

/* A size as it was meant, in bytes. */
static void add_bytes(struct strbuf *out, const struct config_row *row, const char *value)
{
	uint64_t bytes;

	if (!strncmp(row->form->name, "a size", 6) && !units_parse_size(value, &bytes, NULL) &&
	    bytes)
		strbuf_printf(out, " (%llu B)", (unsigned long long)bytes);
}

static void add_row(struct strbuf *out, const struct config *cfg, const struct config *defaults,
		    const struct config_place *place)
{
	struct config_place same = { .part = place->part, .row = place->row };
	char value[VALUE_ROOM], fallback[VALUE_ROOM];

	config_format(cfg, place, value, sizeof(value));
	config_format(defaults, &same, fallback, sizeof(fallback));
	strbuf_printf(out, "  %-20s %s", place->row->key, value);
	add_bytes(out, place->row, value);
	strbuf_puts(out, strcmp(value, fallback) ? "\n" : "  (default)\n");
}

static void add_part(struct strbuf *out, const struct config *cfg, const struct config *defaults,
		     enum config_part part, uint32_t job)
{
	const struct config_section *section = &config_sections[part];
	struct config_place place = { .part = part, .job = job };

	strbuf_printf(out, "\n[%s%s%s]\n", section->name, part == PART_JOB ? " " : "",
		      part == PART_JOB ? cfg->job[job].name : "");
	for (size_t i = 0; i < section->n_rows; i++) {
		place.row = &section->row[i];
		add_row(out, cfg, defaults, &place);
	}
}

static void add_config(struct strbuf *out, const struct config *cfg)
{
	struct config *defaults = malloc(sizeof(*defaults));

	out->failed |= !defaults;
	if (!defaults)
		return;
	config_init(defaults);
	config_add_job(defaults, "any", NULL);
	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		add_part(out, cfg, defaults, PART_JOB, i);
	add_part(out, cfg, defaults, PART_HOST, 0);
	add_part(out, cfg, defaults, PART_VOLUME, 0);
	add_part(out, cfg, defaults, PART_ARRAY, 0);
	free(defaults);
}

static void add_fault(struct strbuf *out, const struct spec *spec)
{
	const struct fault_rules *f = &spec->fault;
	char delay[32], stall[32];

	if (spec->has_fault)
		strbuf_printf(out, "\n[fault]\n  errors %g, short %g, range %llu..%llu (B; end 0: all), delay %s, stall %s\n", f->errors, f->shorts,
			      (unsigned long long)f->range_begin, (unsigned long long)f->range_end,
			      units_format_time(delay, sizeof(delay), f->delay_ns), units_format_time(stall, sizeof(stall), f->stall_ns));
}

static void add_owners(struct strbuf *out, const struct page_owners *o)
{
	if (!o->n)
		return;
	strbuf_printf(out, "  %-20s %llu (B)\n  %-20s ", "page_size", (unsigned long long)o->page_bytes, "owners");
	owners_format(o, out);
	strbuf_puts(out, "\n");
}

static void add_targets(struct strbuf *out, const struct spec *spec)
{
	if (!spec->wants_target)
		return;
	strbuf_printf(out, "\n[target]\n  %-20s %s\n  %-20s %llu (B)\n", "direct", spec->buffered ? "no" : "yes", "size",
		      (unsigned long long)spec->target_bytes);
	add_owners(out, &spec->owners);
	for (uint32_t i = 0; i < spec->n_targets; i++)
		strbuf_printf(out, "  %-20s %s  (LUN %u, path %u)\n", spec->target[i].name, spec->target[i].path,
			      spec->target[i].lun, spec->target[i].way);
}

static void add_line(struct strbuf *out, const char *name, const char *text)
{
	if (text)
		strbuf_printf(out, "%-10s %s\n", name, text);
}

static void add_head(struct strbuf *out, const struct spec *spec)
{
	char warmup[32];

	add_line(out, "preset", spec->name);
	add_line(out, "file", spec->path);
	add_line(out, "question", spec->question);
	add_line(out, "title", spec->title);
	add_line(out, "source", spec->source);
	strbuf_printf(out, "%-10s %llu\n", "seed", (unsigned long long)spec->seed);
	add_line(out, "warm-up", units_format_time(warmup, sizeof(warmup), spec->warmup_ns));
	for (uint32_t i = 0; i < spec->n_note; i++)
		add_line(out, "note", spec->note[i]);
	for (uint32_t i = 0; i < spec->n_override; i++)
		strbuf_printf(out, "%-10s %s = %s (in every step)\n", "set", spec->override[i].key,
			      spec->override[i].value);
}

static void add_assigns(struct strbuf *out, const struct step *step)
{
	char at[32];

	for (uint32_t i = 0; i < step->n_set; i++)
		strbuf_printf(out, "     set     %s = %s\n", step->set[i].key, step->set[i].value);
	for (uint32_t i = 0; i < step->n_fault; i++)
		strbuf_printf(out, "     fault   %s at %s\n", step->fault[i].text,
			      units_format_time(at, sizeof(at), step->fault[i].at_ns));
	for (uint32_t i = 0; i < step->n_expect; i++)
		strbuf_printf(out, "     expect  %s\n", step->expect[i].text);
}

/* "1m5s" has no short form among the units, so seconds. */
static void add_start(struct strbuf *out, int64_t start_ns, bool known)
{
	if (known)
		strbuf_printf(out, "at %lld.%03lld s", (long long)(start_ns / 1000000000),
			      (long long)(start_ns / 1000000 % 1000));
	else
		strbuf_puts(out, "then");
}

static void add_step(struct strbuf *out, const struct step *step, unsigned number)
{
	static const char *const until[] = {
		[RUN_SETTLED] = "until settled", [RUN_DONE] = "until done"
	};
	char run[32];

	strbuf_printf(out, ": %u '%s', %s%s\n", number, step->name,
		      step->until == RUN_TIME ? units_format_time(run, sizeof(run), step->run_ns)
					      : until[step->until],
		      step->fresh ? ", fresh" : "");
	add_assigns(out, step);
}

/* Start times are known as long as every step before has a length. */
static void add_steps(struct strbuf *out, const struct spec *spec)
{
	int64_t start_ns = 0;
	bool known = true;

	strbuf_puts(out, "\nsteps\n");
	for (uint32_t i = 0; i < spec->n_steps; i++) {
		strbuf_puts(out, "  ");
		add_start(out, start_ns, known);
		add_step(out, &spec->step[i], i + 1);
		known &= spec->step[i].until == RUN_TIME;
		start_ns += spec->warmup_ns + spec->step[i].run_ns;
	}
	strbuf_puts(out, "  ");
	add_start(out, start_ns, known);
	strbuf_puts(out, ": end\n");
}

void spec_describe(const struct spec *spec, struct strbuf *out)
{
	add_head(out, spec);
	add_steps(out, spec);
	add_config(out, &spec->config);
	add_targets(out, spec);
	add_fault(out, spec);
}
