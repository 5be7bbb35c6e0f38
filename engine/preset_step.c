/* Keys of [step NAME]. Those that lean on each other are kept until the step's last key is read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "config_row.h"
#include "expect.h"
#include "fault.h"
#include "preset_fill.h"
#include "spec_check.h"
#include "stack/volume.h"

enum { MAX_ANSWERS = 4 };

/* ---- one key each ---- */

static int put_run(struct fill *fill, const char *value)
{
	static const struct {
		const char *word;
		enum run_until until;
	} words[] = { { "until settled", RUN_SETTLED }, { "until done", RUN_DONE } };

	fill->run = true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(value, words[i].word))
			return fill->step->until = words[i].until, 0;
	fill->step->until = RUN_TIME;
	if (!strncmp(value, "until", 5))
		return preset_refuse(&fill->place, "is none of: until settled, until done, a time");
	return fill_time(fill, value, NS_PER_MS, PRESET_MAX_RUN_NS, &fill->step->run_ns);
}

static int put_fresh(struct fill *fill, const char *value)
{
	const char *why;
	int ret = units_parse_bool(value, &fill->step->fresh, &why);

	return ret ? preset_fail(&fill->place, ret, "%s", why) : 0;
}

static int put_caption(struct fill *fill, const char *value)
{
	return fill_text(fill, value, 3, &fill->step->caption);
}

static int put_ask(struct fill *fill, const char *value)
{
	return fill_text(fill, value, 2, &fill->step->ask);
}

static int put_hint(struct fill *fill, const char *value)
{
	return fill_text(fill, value, 3, &fill->step->hint);
}

static int put_note(struct fill *fill, const char *value)
{
	return fill_text(fill, value, 3, &fill->step->note);
}

/* The * stands before the right answer. */
static int put_answer(struct fill *fill, const char *value)
{
	struct step *step = fill->step;
	bool right = *value == '*';

	if (step->n_answer == MAX_ANSWERS)
		return preset_refuse(&fill->place, "one answer too many: at most %d", MAX_ANSWERS);
	if (fill->number != step->n_answer + 1)
		return preset_refuse(&fill->place, "the next answer is answer.%u",
				     step->n_answer + 1);
	if (right && fill->right)
		return preset_refuse(&fill->place,
				     "answer.%u is marked with * already: one is right",
				     step->right + 1);
	if (right)
		step->right = step->n_answer;
	fill->right |= right;
	value += right;
	return fill_text(fill, value + strspn(value, " "), 1, &step->answer[step->n_answer++]);
}

/* Parsed when all steps are known. */
static int add_expect(struct fill *fill, const char *key, struct expect **list, uint32_t *n, const char *value)
{
	struct expect *expect;

	if (fill->number != *n + 1)
		return preset_refuse(&fill->place, "the next one is %s.%u", key, *n + 1);
	expect = fill_grow(fill, *list, n, sizeof(*expect));
	if (!expect)
		return -EINVAL;
	*list = expect;
	expect += *n - 1;
	expect->line = fill->place.line;
	text_format(expect->text, sizeof(expect->text), "%s", value);
	return 0;
}

static int put_expect(struct fill *fill, const char *value)
{
	return add_expect(fill, "expect", &fill->step->expect, &fill->step->n_expect, value);
}

static int put_when(struct fill *fill, const char *value)
{
	return add_expect(fill, "when", &fill->step->when, &fill->step->n_when, value);
}

/* "KEY=VALUE"; a piece without = goes on with the value before it ("users.lun=0..7,9"). */
static int add_assign(struct fill *fill, const char *piece)
{
	struct step *step = fill->step;
	const char *equals = strchr(piece, '=');
	struct assign *a;
	struct err why;

	if (!equals && step->n_set) {
		a = &step->set[step->n_set - 1];
		size_t n = strlen(a->value);

		text_format(a->value + n, sizeof(a->value) - n, ",%s", piece);
		return 0;
	}
	a = fill_grow(fill, step->set, &step->n_set, sizeof(*a));
	if (!a)
		return -EINVAL;
	step->set = a;
	return assign_parse(&a[step->n_set - 1], piece, &why)
		       ? preset_refuse(&fill->place, "%s", why.text)
		       : 0;
}

static int too_long(struct fill *fill)
{
	return preset_refuse(&fill->place, "is longer than %d bytes", SPEC_VALUE - 1);
}

static int put_set(struct fill *fill, const char *value)
{
	char piece[SPEC_VALUE];
	int ret = strlen(value) >= SPEC_VALUE ? too_long(fill) : 0;

	fill->set = fill->place;
	for (const char *list = value; !ret && list_next(&list, piece, sizeof(piece));)
		ret = add_assign(fill, piece);
	return ret;
}

static int add_fault(struct fill *fill, const char *piece)
{
	struct step *step = fill->step;
	struct fault_spec *f = fill_grow(fill, step->fault, &step->n_fault, sizeof(*f));

	if (!f)
		return -EINVAL;
	step->fault = f;
	f += step->n_fault - 1;
	return text_format(f->text, sizeof(f->text), "%s", piece) < strlen(piece) ? too_long(fill)
										  : 0;
}

static int put_fault(struct fill *fill, const char *value)
{
	char piece[SPEC_VALUE];
	int ret = strlen(value) >= SPEC_VALUE ? too_long(fill) : 0;

	fill->fault = fill->place;
	for (const char *list = value; !ret && list_next(&list, piece, sizeof(piece));)
		ret = add_fault(fill, piece);
	return ret;
}

/* Read when the faults are known. */
static int put_at(struct fill *fill, const char *value)
{
	(void)value;
	fill->at = fill->place;
	return 0;
}

static const struct preset_key step_rows[] = {
	{ "run", false, put_run, "a time, until settled, until done", "default_run",
	  "how long, behind the warm-up" },
	{ "set", false, put_set, "KNOB=VALUE, ...", "",
	  "knobs of this step; of a fresh step any JOB.KEY, host.KEY, array.KEY as well" },
	{ "fault", false, put_fault, "path pN down|up, weight pN N, ...", "", "what breaks or is repaired" },
	{ "at", false, put_at, "a time each", "0", "when, counted from the end of the warm-up" },
	{ "fresh", false, put_fresh, "yes or no", "no",
	  "empty queues, jobs from their start; counts as a restart" },
	{ "caption", false, put_caption, "text, 3 lines", "", "what is to be seen" },
	{ "ask", false, put_ask, "text, 2 lines", "", "a question put before the step" },
	{ "answer", true, put_answer, "text, 1 line", "", "up to 4; * marks the right one" },
	{ "when", true, put_when, "as expect", "", "what must come out for answer N to be true; each answer has one, or none has" },
	{ "expect", true, put_expect, "METRIC [at 'STEP'] [vs 'STEP'|vs max] OP", "",
	  "what must come out" },
	{ "hint", false, put_hint, "text, 3 lines", "", "where to look" },
	{ "note", false, put_note, "text, 3 lines", "", "what to know about this step" },
};
const struct preset_keys preset_step_keys = { step_rows, sizeof(step_rows) / sizeof(step_rows[0]) };

/* ---- the step as a whole ---- */

static int finish_run(struct fill *fill)
{
	struct step *step = fill->step;

	if (fill->run)
		return 0;
	step->run_ns = fill->spec->default_run_ns;
	if (step->run_ns)
		return 0;
	return preset_refuse(&fill->place, "has no run, and [preset] has no default_run: say how "
					   "long");
}

static int finish_ask(struct fill *fill)
{
	const struct step *step = fill->step;

	if (step->ask && step->n_answer < 2)
		return preset_refuse(&fill->place,
				     "asks, but has %u answers: write answer.1 .. "
				     "answer.4",
				     step->n_answer);
	if (step->ask && !fill->right)
		return preset_refuse(&fill->place, "asks, but no answer is marked with *");
	if (!step->ask && step->n_answer)
		return preset_refuse(&fill->place, "has answers, but no ask");
	if (step->n_when && step->n_when != step->n_answer)
		return preset_refuse(&fill->place, "has %u answers, but says of %u when they are true: when.1 .. when.%u", step->n_answer,
				     step->n_when, step->n_answer);
	return 0;
}

/* `at` gives each fault its time; without it all come at 0. */
static int finish_at(struct fill *fill)
{
	struct step *step = fill->step;
	char piece[SPEC_VALUE];
	uint32_t n = 0;

	if (!fill->at.file)
		return 0;
	fill->place = fill->at;
	if (strlen(fill->at.value) >= SPEC_VALUE)
		return too_long(fill);
	for (const char *list = fill->at.value; list_next(&list, piece, sizeof(piece)); n++) {
		int64_t ns, end = step->until == RUN_TIME ? step->run_ns : PRESET_MAX_RUN_NS;
		int ret = fill_time(fill, piece, 0, end, &ns);

		if (ret)
			return ret;
		if (n < step->n_fault)
			step->fault[n].at_ns = ns;
	}
	if (n == step->n_fault)
		return 0;
	return preset_refuse(&fill->place, "gives %u times for %u faults: one each", n,
			     step->n_fault);
}

/* Disks there can be: those of the volume and the spare ones; of real targets as many as are named, here or on the command line. */
static uint32_t most_disks(const struct fill *fill)
{
	const struct spec *spec = fill->spec;
	uint32_t n = fill->cfg.volume.disks + VOLUME_SPARES;

	if (spec->wants_target && !spec->n_targets)
		return VOLUME_MAX_DISKS;
	for (uint32_t i = 0; i < spec->n_targets; i++)
		n = spec->target[i].lun + 1 > n ? spec->target[i].lun + 1 : n;
	return n < VOLUME_MAX_DISKS ? n : VOLUME_MAX_DISKS;
}

static int check_disk(const struct fill *fill, uint32_t disk)
{
	uint32_t disks = fill->cfg.volume.disks, most = most_disks(fill);

	if (!disks)
		return preset_refuse(&fill->place, "there is no disk: volume.disks = 0");
	if (disk < most)
		return 0;
	return preset_refuse(&fill->place, "there is no disk d%u: volume.disks = %u gives d1..d%u, with the spare ones d1..d%u", disk + 1, disks,
			     disks, most);
}

/* What a fault names must be there; a disk that is added comes behind those there are. */
static int check_fault(const struct fill *fill, const struct fault *fault)
{
	bool of_path = fault_names_path(fault);
	uint32_t paths = fill->cfg.host.paths;

	if (fault->kind == FAULT_RULE)
		return 0;
	if (!of_path)
		return check_disk(fill, fault->index);
	if (fault->index < paths)
		return 0;
	return preset_refuse(&fill->place, "there is no path p%u: host.paths = %u gives p0..p%u",
			     fault->index, paths, paths - 1);
}

static int finish_faults(struct fill *fill)
{
	const struct step *step = fill->step;
	int ret = 0;

	if (step->n_fault)
		fill->place = fill->fault;
	for (uint32_t i = 0; i < step->n_fault && !ret; i++) {
		struct fault fault;
		struct err why;

		if (fault_parse(step->fault[i].text, &fault, &why))
			return preset_refuse(&fill->place, "%s", why.text);
		ret = check_fault(fill, &fault);
	}
	return ret ? ret : finish_at(fill);
}

static int finish_set(struct fill *fill)
{
	uint32_t index = (uint32_t)(fill->step - fill->spec->step);
	struct err why;

	if (fill->set.file)
		fill->place = fill->set;
	if (spec_check_step(fill->spec, index, &fill->cfg, &why))
		return preset_refuse(&fill->place, "%s", why.text);
	return 0;
}

int preset_finish_step(struct fill *fill)
{
	struct preset_place header = walk_place(fill->place.file, fill->header, fill->place.err);
	int (*const parts[])(struct fill *) = { finish_run, finish_ask, finish_set, finish_faults };
	int ret = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !ret; i++) {
		fill->place = header;
		ret = parts[i](fill);
	}
	return ret;
}
