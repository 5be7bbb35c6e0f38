/* What changed and what the machine is made of: legend of the marks, paths, members, aliases, fixed
 * work. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "chart.h"
#include "deck_areas.h"
#include "figures.h"

/* ---- legend of the marks ---- */

enum { LEGEND_MARKS = 3 };

/* A text of at most `room` - 1 bytes, cut between words. */
static void shorten(char *buf, size_t room, const char *text)
{
	size_t n = text_format(buf, room, "%s", text);

	if (strlen(text) <= n)
		return;
	while (n && buf[n] != ' ')
		n--;
	buf[n] = '\0';
}

void deck_mark_what(const struct snapshot *s, const struct act *a, char *buf, size_t room)
{
	char from[64], to[64];
	bool other = a->ref.job && a->ref.job < s->n_jobs;

	if (a->kind == ACT_KNOB)
		text_format(buf, room, "%s%s%s %s>%s", other ? s->job[a->ref.job].name : "",
			    other ? " " : "", knob_table[a->ref.id].label,
			    knob_format(a->ref, a->from, from, sizeof(from)),
			    knob_format(a->ref, a->state == KNOB_PENDING ? a->asked : a->to, to,
					sizeof(to)));
	else
		shorten(buf, room < 32 ? room : 32, a->text);
}

/* The window is long enough, so it waits for evenness. */
static void unsteady(const struct settle_view *v, char *buf, size_t room)
{
	char cv[FIGURE_ROOM], needed[FIGURE_ROOM];

	if (isfinite(v->cv))
		text_format(buf, room, "varies %s (>%s)", v->cv < 9.99 ? figure_share(cv, sizeof(cv), v->cv) : "x10",
			    figure_share(needed, sizeof(needed), v->needed_cv));
	else
		text_format(buf, room, "no IOPS yet");
}

char *deck_settling(const struct snapshot *s, char *buf, size_t room)
{
	if (s->warming)
		text_format(buf, room, "warm-up");
	else if (s->settle.settled)
		text_format(buf, room, "settled");
	else if (s->settle.waited_s >= s->settle.needed_s)
		unsteady(&s->settle, buf, room);
	else
		text_format(buf, room, "settling %.0f/%.0f s", s->settle.waited_s,
			    s->settle.needed_s);
	return buf;
}

static void mark_result(const struct snapshot *s, const struct act *a, bool interval, char *buf,
			size_t room)
{
	if (a->undone)
		text_format(buf, room, "undone");
	else if (a->judged && interval)
		figure_ratio(buf, room, a->ratio, a->ratio_low, a->ratio_high);
	else if (a->judged)
		figure_ratio_short(buf, room, a->ratio, a->ratio_low, a->ratio_high);
	else if (a->superseded)
		text_format(buf, room, "%s", a->kind == ACT_STEP ? "" : "cut short");
	else if (a->state == KNOB_PENDING)
		text_format(buf, room, "at restart");
	else
		deck_settling(s, buf, room);
}

static void add_mark(struct fields *f, const struct snapshot *s, const struct act *a, int rank,
		     bool interval)
{
	struct field *field = fields_add(f, rank);
	char what[FIELD_TEXT / 2], result[FIGURE_ROOM];

	deck_mark_what(s, a, what, sizeof(what));
	mark_result(s, a, interval, result, sizeof(result));
	text_format(field->value, sizeof(field->value), "%u", a->marker);
	text_format(field->tail, sizeof(field->tail), " %s %s%s", what, result,
		    a->judged && !a->settled && !a->undone ? " unsettled" : "");
	field->value_role = ROLE_CHANGED;
}

/* The last three marks, oldest first. Returns their width. */
static int collect_marks(struct fields *f, const struct snapshot *s, bool interval)
{
	uint32_t marks[LEGEND_MARKS];
	int n = 0, width = 0;

	*f = (struct fields){ .gap = 3 };
	for (uint32_t i = s->n_acts; i-- > 0 && n < LEGEND_MARKS;)
		if (s->act[i].marker)
			marks[n++] = i;
	while (n-- > 0)
		add_mark(f, s, &s->act[marks[n]], n, interval);
	for (int i = 0; i < f->n; i++)
		width += field_width(&f->field[i]) + f->gap;
	return width;
}

static void legend_without_marks(struct canvas *c, struct rect part, const struct snapshot *s)
{
	char state[FIGURE_ROOM];

	deck_settling(s, state, sizeof(state));
	canvas_printf(c, part.row, part.column, part.column + part.columns, ROLE_TEXT,
		      "%s: turn a knob (its letter, then + or -); :play runs the %u step%s", state,
		      s->n_steps, s->n_steps == 1 ? "" : "s");
}

void area_legend(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	int end = part.column + part.columns, column;
	struct fields f;

	(void)v;
	if (collect_marks(&f, s, true) > part.columns - 5)
		collect_marks(&f, s, false);
	if (!f.n) {
		legend_without_marks(c, part, s);
		return;
	}
	column = canvas_text(c, part.row, part.column, end, ROLE_TEXT, "mark ");
	fields_row(c, part.row, column, end, &f);
}

/* ---- paths and members ---- */

enum {
	WIDE_PATHS = 4,	   /* so many have room for what is in flight on each */
	NAMED_PATHS = 8,   /* of more those are named that are not active, the others counted */
	NAMED_MEMBERS = 8, /* more are counted */
};

static const struct {
	const char *letter;
	enum role role;
} path_signs[N_PATH_STATES] = {
	[PATH_ACTIVE] = { "+", ROLE_OK },
	[PATH_STANDBY] = { "-", ROLE_TEXT },
	[PATH_FAILED] = { "!DOWN", ROLE_FAILED },
};

/* State, share of the requests of the last second, in flight, and a weight that is not 1. */
static void add_path(struct fields *f, const struct path_view *p, bool first, bool wide)
{
	struct field *field = fields_add(f, p->state == PATH_FAILED ? 1 : 2);
	char share[FIGURE_ROOM];
	size_t n;

	text_format(field->label, sizeof(field->label), "%s%s", first ? "PATH " : "", p->name);
	text_format(field->value, sizeof(field->value), "%s", path_signs[p->state].letter);
	field->value_role = path_signs[p->state].role;
	n = text_format(field->tail, sizeof(field->tail), "%4s",
			figure_share(share, sizeof(share), p->share));
	if (wide)
		n += text_format(field->tail + n, sizeof(field->tail) - n, " %2u", p->in_flight);
	if (p->weight != 1)
		text_format(field->tail + n, sizeof(field->tail) - n, " w%u", p->weight);
	field->new_row = false;
}

static void add_paths(struct fields *f, const struct snapshot *s)
{
	uint32_t active = 0;

	for (uint32_t i = 0; i < s->n_paths; i++)
		active += s->path[i].state == PATH_ACTIVE;
	if (s->n_paths > NAMED_PATHS)
		fields_label(f, 1, ROLE_TEXT, "PATH %u+ of %u", active, s->n_paths);
	for (uint32_t i = 0; i < s->n_paths; i++)
		if (s->n_paths <= NAMED_PATHS || s->path[i].state != PATH_ACTIVE)
			add_path(f, &s->path[i], i == 0 && s->n_paths <= NAMED_PATHS,
				 s->n_paths <= WIDE_PATHS);
	if (s->redecided)
		fields_label(f, 5, ROLE_TEXT, "redecided %llu", (unsigned long long)s->redecided);
}

static void count_members(struct fields *f, const struct snapshot *s)
{
	char least[FIGURE_ROOM], most[FIGURE_ROOM];
	float low = s->member_busy[0], high = low;

	for (uint32_t i = 1; i < s->n_members; i++) {
		low = s->member_busy[i] < low ? s->member_busy[i] : low;
		high = s->member_busy[i] > high ? s->member_busy[i] : high;
	}
	fields_label(f, 4, ROLE_TEXT, "MEMBER %u: %s..%s busy", s->n_members,
		     figure_share(least, sizeof(least), (double)low),
		     figure_share(most, sizeof(most), (double)high));
}

void deck_add_members(struct fields *f, const struct snapshot *s)
{
	char busy[FIGURE_ROOM];

	if (s->n_members > NAMED_MEMBERS) {
		count_members(f, s);
		return;
	}
	for (uint32_t i = 0; s->n_members > 1 && i < s->n_members; i++)
		fields_label(f, 4, ROLE_TEXT, "%sm%u %4s", i ? "" : "MEMBER ", i,
			     figure_share(busy, sizeof(busy), (double)s->member_busy[i]));
}

void deck_add_forwarded(struct fields *f, const struct snapshot *s)
{
	char share[FIGURE_ROOM];

	if (s->n_paths && isfinite(s->forwarded_share))
		fields_label(f, 3, ROLE_TEXT, "wrong member %s",
			     figure_share(share, sizeof(share), s->forwarded_share));
}

/* ---- aliases ---- */

void deck_bar_text(enum glyphs glyphs, int filled, int columns, char *buf, size_t room)
{
	size_t n = 0;

	buf[0] = '\0';
	for (int i = 0; i < columns && n + 4 < room; i++)
		n += text_format(buf + n, room - n, "%s",
				 i < filled ? (glyphs == GLYPHS_UTF8 ? "\u2588" : "#") : ".");
}

static void add_pool(struct fields *f, const struct snapshot *s, uint32_t i, enum glyphs glyphs)
{
	const struct lcu_view *lcu = &s->lcu[i];
	struct field *field = fields_add(f, 3);
	int columns = s->n_lcus > 2 ? 0 : 12 / (int)s->n_lcus;
	int filled = lcu->aliases ? (int)((double)lcu->busy / lcu->aliases * columns + 0.5) : 0;

	text_format(field->label, sizeof(field->label), "%sLCU%u %2u/%u ", i ? "" : "ALIAS ", i,
		    lcu->busy, lcu->aliases);
	deck_bar_text(glyphs, filled, columns, field->value, sizeof(field->value));
	field->value_role = ROLE_NOW;
	text_format(field->tail, sizeof(field->tail), columns ? " wait %2u" : "wait %2u",
		    lcu->waiting);
	if (s->n_lcus == 1)
		fields_label(f, 5, ROLE_TEXT, "peak %u", lcu->peak);
}

static void add_pools(struct fields *f, const struct snapshot *s, enum glyphs glyphs)
{
	for (uint32_t i = 0; s->has_aliases && i < s->n_lcus && i < SNAPSHOT_LCUS; i++)
		add_pool(f, s, i, glyphs);
}

/* ---- fixed work ---- */

void deck_add_work(struct fields *f, const struct snapshot *s)
{
	const struct work_view *w = &s->work;
	char share[FIGURE_ROOM], elapsed[FIGURE_ROOM], sys[FIGURE_ROOM], user[FIGURE_ROOM];

	if (!w->number)
		return;
	fields_label(f, 2, ROLE_TEXT, "WORK %4s",
		     figure_share(share, sizeof(share), (double)w->done / (double)w->number));
	if (isfinite(w->last_elapsed_s))
		fields_label(f, 3, ROLE_TEXT, "last %4s s",
			     figure_seconds(elapsed, sizeof(elapsed), w->last_elapsed_s));
	if (isfinite(w->last_cpu_sys_s))
		fields_label(f, 4, ROLE_TEXT, "cpu %4s sys %4s user (fitted)",
			     figure_seconds(sys, sizeof(sys), w->last_cpu_sys_s),
			     figure_seconds(user, sizeof(user), w->last_cpu_user_s));
}

static void all_parts(struct fields *f, const struct canvas *c, const struct snapshot *s)
{
	*f = (struct fields){ .gap = 2 };
	add_paths(f, s);
	deck_add_volume(f, s, c->glyphs, c->columns);
	add_pools(f, s, c->glyphs);
	deck_add_members(f, s);
	deck_add_forwarded(f, s);
	deck_add_work(f, s);
	deck_add_honest(f, s);
}

int area_parts_need(const struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct fields f;

	(void)v;
	all_parts(&f, c, s);
	return fields_need(&f, c->columns, s->rebalance.reason[0] ? 4 : 3);
}

void area_parts(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	struct fields f;

	(void)v;
	all_parts(&f, c, s);
	fields_flow(c, part, &f, true);
}
