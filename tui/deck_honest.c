/* What the figures of real devices rest on: the depth that was reached, what iodeck itself takes, whether the device below moves those bytes. */
#include <math.h>

#include "base/text.h"
#include "deck_areas.h"
#include "figures.h"

#define DEPTH_ENOUGH 0.9  /* of what was asked */
#define CPU_ALARM 0.85    /* of one processor: the generator is what limits */
#define BELOW_FEW 0.95    /* of the bytes: the rest came from a cache */
#define BELOW_MANY 1.10   /* somebody else is at work */

static void add_depth(struct fields *f, const struct honest_view *h)
{
	bool low = h->asked && h->depth < h->asked * DEPTH_ENOUGH;
	char of[24] = "";

	if (h->asked)
		text_format(of, sizeof(of), " of %u", h->asked);
	fields_label(f, 4, low ? ROLE_WARN : ROLE_TEXT, "REAL depth %.1f%s%s", h->depth, of, low ? "!" : "");
	f->field[f->n - 1].new_row = true;
}

static void add_below(struct fields *f, double share)
{
	bool few = share < BELOW_FEW, many = share > BELOW_MANY;
	char text[FIGURE_ROOM];

	if (isfinite(share))
		fields_label(f, few ? 2 : 4, few || many ? ROLE_WARN : ROLE_TEXT, "device below %s%s", figure_share(text, sizeof(text), share),
			     few ? " cache?" : many ? " others?" : "");
}

void deck_add_honest(struct fields *f, const struct snapshot *s)
{
	const struct honest_view *h = &s->honest;
	bool busy = h->cpu_share > CPU_ALARM;
	char text[FIGURE_ROOM];

	if (!h->known)
		return;
	add_depth(f, h);
	fields_label(f, 4, busy ? ROLE_WARN : ROLE_TEXT, "own cpu %s%s", figure_share(text, sizeof(text), h->cpu_share), busy ? "!" : "");
	add_below(f, h->below_share);
}

void table_honest(struct table *t, const struct snapshot *s)
{
	const struct honest_view *h = &s->honest;
	char text[FIGURE_ROOM];

	if (!h->known)
		return;
	if (h->asked)
		table_row(t, "depth reached", "requests", "%.1f of %u asked for", h->depth, h->asked);
	else
		table_row(t, "depth reached", "requests", "%.1f", h->depth);
	table_row(t, "own cpu", "of a processor", "%s", figure_share(text, sizeof(text), h->cpu_share));
	if (isfinite(h->below_share))
		table_row(t, "device below", "of the bytes", "%s%s", figure_share(text, sizeof(text), h->below_share),
			  h->below_share < BELOW_FEW    ? ", the rest may be a cache"
			  : h->below_share > BELOW_MANY ? ", somebody else is at work"
							: "");
}
