/* The knobs: as text, or in boxes where there is room; below them what further jobs have. */
#include "base/text.h"
#include "deck_areas.h"

/* ---- one knob ---- */

void deck_knob_value(const struct knob_view *k, const struct asked *asked, char *buf, size_t room)
{
	char value[64];

	if (asked->waiting)
		text_format(buf, room, "%s?",
			    knob_format(k->ref, asked->value, value, sizeof(value)));
	else if (!k->applies)
		text_format(buf, room, "-");
	else
		knob_format(k->ref, k->in_effect, buf, room);
}

enum knob_tail deck_knob_tail(const struct snapshot *s, const struct knob_view *k)
{
	static const enum knob_tail of_state[] = {
		[KNOB_IN_EFFECT] = KNOB_TAIL_NONE,
		[KNOB_CLAMPED] = KNOB_TAIL_CLAMPED,
		[KNOB_REFUSED] = KNOB_TAIL_REFUSED,
		[KNOB_PENDING] = KNOB_TAIL_PENDING,
	};

	if (!k->applies)
		return KNOB_TAIL_NONE;
	if (k->state != KNOB_IN_EFFECT)
		return of_state[k->state];
	return s->has_before && k->before != k->in_effect ? KNOB_TAIL_BEFORE : KNOB_TAIL_NONE;
}

/* What stands behind the value: where it will go, where it may not go, where it came from. */
static void write_tail(const struct snapshot *s, const struct knob_view *k, char *buf, size_t room)
{
	static const char *const around[][2] = {
		[KNOB_TAIL_BEFORE] = { " (", ")" },
		[KNOB_TAIL_PENDING] = { " ", " (at restart)" },
		[KNOB_TAIL_REFUSED] = { " (", " refused)" },
		[KNOB_TAIL_CLAMPED] = { " (asked ", ")" },
	};
	enum knob_tail tail = deck_knob_tail(s, k);
	char value[64];

	buf[0] = '\0';
	if (tail == KNOB_TAIL_NONE)
		return;
	knob_format(k->ref, tail == KNOB_TAIL_BEFORE ? k->before : k->asked, value, sizeof(value));
	text_format(buf, room, "%s%s%s", around[tail][0], value, around[tail][1]);
}

/* ---- as text ---- */

static void add_knob(struct fields *f, const struct snapshot *s, const struct view *v, int id)
{
	const struct knob_view *k = &s->knob[id];
	const struct knob_row *row = &knob_table[id];
	bool chosen = v->knob == id;
	struct field *field = fields_add(f, chosen ? 0 : k->applies ? 1
								    : 2);
	char value[72];

	deck_knob_value(k, &v->asked[id], value, sizeof(value));
	text_format(field->label, sizeof(field->label), "%c:%s ", row->key, row->label);
	text_format(field->value, sizeof(field->value), chosen ? ">%s<" : "%s", value);
	write_tail(s, k, field->tail, sizeof(field->tail));
	if (chosen || v->asked[id].waiting)
		field->value_role = ROLE_CHANGED;
	field->new_row = id == KNOB_FIRST_OF_JOB;
}

static void all_knobs(struct fields *f, const struct snapshot *s, const struct view *v)
{
	*f = (struct fields){ .gap = 2 };
	for (int id = 0; id < N_KNOBS; id++)
		add_knob(f, s, v, id);
}

/* Two rows, host and job, where they fit; the width of values does not change the number of rows on
 * a wide screen. */
int area_knobs_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct fields f;
	int rows;

	if (deck_boxes_fit(c, s, v))
		return BOX_ROWS;
	all_knobs(&f, s, v);
	rows = fields_need(&f, c->columns, 3);
	return rows < 2 ? 2 : rows;
}

void area_knobs(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	struct fields f;

	if (part.rows == BOX_ROWS && deck_boxes_fit(c, s, v)) {
		deck_boxes(c, part, s, v);
		return;
	}
	all_knobs(&f, s, v);
	fields_flow(c, part, &f, true);
}

/* ---- further jobs ---- */

enum { JOBS_MOST = 3 }; /* more are counted */

bool deck_job_differs(const struct snapshot *s, uint32_t job, int id)
{
	const struct job_view *first = &s->job[0], *other = &s->job[job];
	int knob = id - KNOB_FIRST_OF_JOB;

	return other->applies >> knob & 1 &&
	       (other->value[knob] != first->value[knob] || !(first->applies >> knob & 1));
}

/* "dbwr: JOBS 1  MIX 0": what it has of its own. */
static void add_job(struct fields *f, const struct snapshot *s, uint32_t i)
{
	struct field *field = fields_add(f, 2);
	size_t n = 0;

	text_format(field->label, sizeof(field->label), "%s:", s->job[i].name);
	for (int id = KNOB_FIRST_OF_JOB; id < N_KNOBS; id++) {
		struct knob_ref ref = { .id = (uint8_t)id, .job = (uint8_t)i };
		int64_t now = s->job[i].value[id - KNOB_FIRST_OF_JOB];
		char value[64];

		if (deck_job_differs(s, i, id))
			n += text_format(field->tail + n, sizeof(field->tail) - n, " %s %s",
					 knob_table[id].label, knob_format(ref, now, value, sizeof(value)));
	}
	if (!n)
		text_format(field->tail, sizeof(field->tail), " the same");
}

static void all_jobs(struct fields *f, const struct snapshot *s)
{
	*f = (struct fields){ .gap = 3 };
	fields_label(f, 1, ROLE_TEXT, "JOB %s above", s->job[0].name);
	for (uint32_t i = 1; i < s->n_jobs && i <= JOBS_MOST; i++)
		add_job(f, s, i);
	if (s->n_jobs > JOBS_MOST + 1)
		fields_label(f, 1, ROLE_TEXT, "and %u more (v: table)", s->n_jobs - 1 - JOBS_MOST);
	fields_label(f, FIELDS_SPARE, ROLE_AXIS, ":set %s.jobs N turns one of its own",
		     s->job[1].name);
}

int area_jobs_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct fields f;

	(void)v;
	if (deck_width_class(c) < SIZE_L || deck_height_class(c) < SIZE_L || s->n_jobs < 2)
		return 0;
	all_jobs(&f, s);
	return fields_need(&f, c->columns, 2);
}

void area_jobs(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	struct fields f;

	(void)v;
	all_jobs(&f, s);
	fields_flow(c, part, &f, true);
}
