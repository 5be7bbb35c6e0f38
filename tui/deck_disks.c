/* The volume: disks with state, failure group and how busy they are; the rebalance as V$ASM_OPERATION tells it. */
#include <math.h>

#include "base/text.h"
#include "deck_areas.h"
#include "figures.h"

enum { BAR_COLUMNS = 16 };

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
	return letter == '!' ? ROLE_FAILED : letter == '~' ? ROLE_WARN : ROLE_OK;
}

static void add_disk(struct fields *f, const struct snapshot *s, uint32_t i, bool group)
{
	const struct disk_view *d = &s->disk[i];
	struct field *field = fields_add(f, d->letter == '+' ? 3 : 1);
	char busy[FIGURE_ROOM];
	size_t n = text_format(field->label, sizeof(field->label), "%s%s", i ? "" : "DISK ", d->name);

	if (group)
		text_format(field->label + n, sizeof(field->label) - n, "/g%u", d->failgroup + 1);
	text_format(field->value, sizeof(field->value), "%c%s", d->member ? d->letter : '-',
		    d->letter == '!' ? d->state : "");
	field->value_role = d->member ? disk_role(d->letter) : ROLE_TEXT;
	text_format(field->tail, sizeof(field->tail), "%4s", d->member ? figure_share(busy, sizeof(busy), d->busy) : "");
}

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

static void add_rebalance(struct fields *f, const struct rebalance_view *r, enum glyphs glyphs)
{
	bool none = r->state[0] == 'N';
	double share = r->est_work_au ? (double)r->sofar_au / r->est_work_au : 0;
	char percent[FIGURE_ROOM], left[48];
	struct field *field = fields_add(f, 2);

	field->new_row = true;
	text_format(field->label, sizeof(field->label), "REBAL %s%s", none ? "none" : r->state, none ? "" : " ");
	if (none)
		return;
	deck_bar_text(glyphs, (int)(share * BAR_COLUMNS + 0.5), BAR_COLUMNS, field->value, sizeof(field->value));
	field->value_role = r->stalled ? ROLE_WARN : ROLE_NOW;
	text_format(field->tail, sizeof(field->tail), " %s", figure_share(percent, sizeof(percent), share));
	time_left(r, left, sizeof(left));
	if (left[0])
		fields_label(f, 2, r->stalled ? ROLE_WARN : ROLE_TEXT, "%s", left);
	fields_label(f, 3, ROLE_TEXT, "%u/%u AU", r->sofar_au, r->est_work_au);
	if (r->power_asked == r->power_actual)
		fields_label(f, 4, ROLE_TEXT, "power %u", r->power_actual);
	else
		fields_label(f, 2, ROLE_WARN, "power %u, asked %u", r->power_actual, r->power_asked);
	fields_label(f, 5, ROLE_TEXT, "%.0f AU/min", r->est_rate_au_per_min);
}

void deck_add_volume(struct fields *f, const struct snapshot *s, enum glyphs glyphs)
{
	bool group = groups_matter(s);

	if (!s->rebalance.has_volume)
		return;
	for (uint32_t i = 0; i < s->n_disks; i++)
		add_disk(f, s, i, group);
	if (s->rebalance.failed_reads)
		fields_label(f, 1, ROLE_FAILED, "%llu reads failed", (unsigned long long)s->rebalance.failed_reads);
	add_rebalance(f, &s->rebalance, glyphs);
	if (s->rebalance.reason[0])
		fields_label(f, 3, ROLE_WARN, "%s", s->rebalance.reason);
}
