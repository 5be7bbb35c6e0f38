#include <math.h>

#include "base/text.h"
#include "engine_private.h"

/* What happened outside: a setting of the kernel, a path that failed. It is judged like a knob, and told with the longest time nothing completed. */

enum { GAP_SLICES_AFTER = 50 };

/* Of the open slice; one that is still open counts as far as it has come. */
static int64_t present_gap_ns(const struct engine *e)
{
	const struct stats *s = e->stats;
	int64_t open = s->last_ns >= 0 && !s->in_slice.requests ? worker_now(&e->w) - s->last_ns : 0;

	return open > s->slice_gap_ns ? open : s->slice_gap_ns;
}

int engine_outside(struct engine *e, const struct command *c, struct err *err)
{
	int64_t gap_ns = present_gap_ns(e);
	struct act *a;

	(void)err;
	for (uint32_t i = 0; i < RECENT_SLICES; i++)
		gap_ns = e->recent_gap_ns[i] > gap_ns ? e->recent_gap_ns[i] : gap_ns;
	if (c->value > 0)
		engine_begin_segment(e);
	a = engine_add_act(e, c->value > 0 ? ACT_OUTSIDE : c->value ? ACT_NOTE : ACT_MARK, c->cause, c->value >= 0);
	text_clean(a->text, sizeof(a->text), c->text, 0);
	a->gap_ms = c->value > 0 ? (double)gap_ns / 1e6 : NAN;
	return 0;
}

void engine_outside_slice(struct engine *e)
{
	int64_t gap_ns = present_gap_ns(e);

	e->recent_gap_ns[e->n_slices % RECENT_SLICES] = gap_ns;
	for (uint64_t n = e->n_acts; n > 0 && n + SNAPSHOT_ACTS > e->n_acts; n--) {
		struct act *a = &e->act[(n - 1) % SNAPSHOT_ACTS];

		if (a->slice + GAP_SLICES_AFTER < e->n_slices)
			break;
		if (a->kind == ACT_OUTSIDE && (double)gap_ns / 1e6 > a->gap_ms)
			a->gap_ms = (double)gap_ns / 1e6;
	}
}
