/* The volume: disks with state, failure group and how busy they are; the rebalance as V$ASM_OPERATION tells it. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "deck_areas.h"
#include "figures.h"

enum {
	BAR_COLUMNS = 16,
	BAR_NARROW = 10,
	NAMED_IN_LIST = 12, /* more disks than this are counted in the list of a small screen */
	NAMED_IN_PANEL = FIELDS_MAX,
	NAMED_MOST = 16, /* of those that need a look */
	PANEL_ROWS = 10,
};

/* Groups are worth a word only where a group has more than one disk. */
static bool groups_matter(const struct snapshot *s)
{
	for (uint32_t i = 0; i < s->n_disks; i++)
		for (uint32_t k = 0; k < i; k++)
			if (s->disk[i].failgroup == s->disk[k].failgroup)
				return true;
	return false;
}

static enum role disk_role(char letter)
{
	return letter == '!' ? ROLE_FAILED : letter == '~' ? ROLE_WARN
							   : ROLE_OK;
}

/* ---- one disk ---- */

static char disk_letter(const struct disk_view *d) { return d->member ? d->letter : '-'; }

/* "d3/g2!failed", with `busy` also " 61%". */
static void write_disk(struct field *field, const struct disk_view *d, bool group, bool busy)
{
	char share[FIGURE_ROOM], letter = disk_letter(d);
	size_t n = strlen(field->label);

	n += text_format(field->label + n, sizeof(field->label) - n, "%s", d->name);
	if (group)
		text_format(field->label + n, sizeof(field->label) - n, "/g%u", d->failgroup + 1);
	text_format(field->value, sizeof(field->value), "%c%s", letter, letter == '!' ? d->state : "");
	field->value_role = d->member ? disk_role(d->letter) : ROLE_TEXT;
	if (busy && d->member)
		text_format(field->tail, sizeof(field->tail), "%4s",
			    figure_share(share, sizeof(share), d->busy));
}

static void add_disk(struct fields *f, const struct snapshot *s, uint32_t i, bool group)
{
	const struct disk_view *d = &s->disk[i];
	struct field *field = fields_add(f, d->letter == '+' ? 3 : 1);

	text_format(field->label, sizeof(field->label), "%s", i ? "" : "DISK ");
	write_disk(field, d, group, true);
}

/* ---- too many to name: counted by state, those that need a look by name ---- */

static bool needs_a_look(const struct disk_view *d) { return disk_letter(d) == '!' || disk_letter(d) == '~'; }

static bool counted_before(const struct snapshot *s, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (s->disk[k].state == s->disk[i].state)
			return true;
	return false;
}

static void count_disks(struct fields *f, const struct snapshot *s)
{
	fields_label(f, 1, ROLE_TEXT, "DISK");
	for (uint32_t i = 0; i < s->n_disks; i++) {
		struct field *field;
		uint32_t n = 0;

		if (counted_before(s, i))
			continue;
		for (uint32_t k = i; k < s->n_disks; k++)
			n += s->disk[k].state == s->disk[i].state;
		field = fields_add(f, 1);
		text_format(field->label, sizeof(field->label), "%u ", n);
		text_format(field->value, sizeof(field->value), "%c%s", disk_letter(&s->disk[i]),
			    s->disk[i].state);
		field->value_role = s->disk[i].member ? disk_role(s->disk[i].letter) : ROLE_TEXT;
	}
	for (uint32_t i = 0, named = 0; i < s->n_disks && named < NAMED_MOST; i++)
		if (needs_a_look(&s->disk[i])) {
			write_disk(fields_add(f, 4), &s->disk[i], false, false);
			named++;
		}
}

/* ---- the disks in a panel ---- */

/* With names and how busy; with names and states only; counted. */
enum detail { DETAIL_BUSY,
	      DETAIL_STATE,
	      DETAIL_COUNT,
	      N_DETAILS };

static void disk_fields(struct fields *f, const struct snapshot *s, enum detail detail)
{
	bool group = groups_matter(s);

	*f = (struct fields){ .gap = detail == DETAIL_STATE ? 1 : 2 };
	if (detail == DETAIL_COUNT || s->n_disks > NAMED_IN_PANEL)
		count_disks(f, s);
	else
		for (uint32_t i = 0; i < s->n_disks; i++)
			write_disk(fields_add(f, 1), &s->disk[i], group, detail == DETAIL_BUSY);
}

int deck_disks_want(const struct snapshot *s, int columns)
{
	struct fields f;

	disk_fields(&f, s, DETAIL_BUSY);
	return fields_need(&f, columns, PANEL_ROWS);
}

void deck_disks_draw(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct fields f;
	int detail = DETAIL_BUSY;

	do
		disk_fields(&f, s, (enum detail)detail);
	while (fields_need(&f, part.columns, PANEL_ROWS + 1) > part.rows && ++detail < N_DETAILS);
	fields_flow(c, part, &f, true);
}

/* ---- rebalance ---- */

static void time_left(const struct rebalance_view *r, char *buf, size_t room)
{
	long s = isfinite(r->est_minutes) ? (long)(r->est_minutes * 60 + 0.5) : -1;

	if (r->stalled)
		text_format(buf, room, "stalled");
	else if (s < 0)
		buf[0] = '\0';
	else if (s < 60)
		text_format(buf, room, "ETA %lds", s);
	else
		text_format(buf, room, "ETA %ldm%02lds", s / 60, s % 60);
}

static void add_progress(struct fields *f, const struct rebalance_view *r, enum glyphs glyphs, int bar)
{
	bool none = r->state[0] == 'N';
	double share = r->est_work_au ? (double)r->sofar_au / r->est_work_au : 0;
	char percent[FIGURE_ROOM], left[48];
	struct field *field = fields_add(f, 2);

	field->new_row = true;
	text_format(field->label, sizeof(field->label), "REBAL %s%s", none ? "none" : r->state, none ? "" : " ");
	if (none)
		return;
	field->value_role = r->stalled ? ROLE_WARN : ROLE_NOW;
	if (r->est_work_au) {
		deck_bar_text(glyphs, (int)(share * bar + 0.5), bar, field->value, sizeof(field->value));
		text_format(field->tail, sizeof(field->tail), " %s", figure_share(percent, sizeof(percent), share));
	}
	time_left(r, left, sizeof(left));
	if (left[0])
		fields_label(f, 2, r->stalled ? ROLE_WARN : ROLE_TEXT, "%s", left);
	if (r->est_work_au)
		fields_label(f, 3, ROLE_TEXT, "%u/%u AU", r->sofar_au, r->est_work_au);
	else
		fields_label(f, 3, ROLE_WARN, "no move is possible");
	if (r->power_asked == r->power_actual)
		fields_label(f, 4, ROLE_TEXT, "power %u", r->power_actual);
	else
		fields_label(f, 2, ROLE_WARN, "power %u, asked %u", r->power_actual, r->power_asked);
	fields_label(f, 5, ROLE_TEXT, "%.0f AU/min", r->est_rate_au_per_min);
}

/* A sentence as fields of at most `columns`, broken between words. */
static void add_reason(struct fields *f, const char *reason, int columns)
{
	int most = columns < FIELD_TEXT - 1 ? columns : FIELD_TEXT - 1;

	while (*reason && most > 0) {
		int n = (int)strlen(reason) < most ? (int)strlen(reason) : most;

		while (n > 0 && reason[n] && reason[n] != ' ')
			n--;
		if (!n) /* a word wider than the part */
			return;
		fields_label(f, 1, ROLE_WARN, "%.*s", n, reason);
		reason += n;
		reason += strspn(reason, " ");
	}
}

void deck_add_rebalance(struct fields *f, const struct snapshot *s, enum glyphs glyphs, int columns)
{
	if (s->rebalance.failed_reads)
		fields_label(f, 1, ROLE_FAILED, "%llu reads failed", (unsigned long long)s->rebalance.failed_reads);
	add_progress(f, &s->rebalance, glyphs, columns < 42 ? BAR_NARROW : BAR_COLUMNS);
	add_reason(f, s->rebalance.reason, columns);
}

void deck_add_volume(struct fields *f, const struct snapshot *s, enum glyphs glyphs, int columns)
{
	bool group = groups_matter(s);

	if (!s->rebalance.has_volume)
		return;
	if (s->n_disks > NAMED_IN_LIST)
		count_disks(f, s);
	for (uint32_t i = 0; s->n_disks <= NAMED_IN_LIST && i < s->n_disks; i++)
		add_disk(f, s, i, group);
	deck_add_rebalance(f, s, glyphs, columns);
}
