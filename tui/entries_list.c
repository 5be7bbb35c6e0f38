/* The entries of the log that the view shows, newest first. */
#include <string.h>

#include "entries.h"

bool entries_passes(const struct view *v, const struct entry *e)
{
	int kind = v->events.filter - 1;

	return kind < 0 || (kind == ENTRY_REFUSED ? e->bad : (int)e->kind == kind);
}

bool entries_found(const struct view *v, const struct entry *e)
{
	return v->found[0] && (strcasestr(e->text, v->found) || !strcasecmp(entry_kind_names[e->kind], v->found));
}

static bool shown(const struct view *v, uint64_t i)
{
	const struct entry *e = event_log_at(v->log, i);

	return e && entries_passes(v, e);
}

/* The nearest entry that is shown, going older, then newer. */
static bool nearest(const struct view *v, uint64_t i, uint64_t *out)
{
	uint64_t first = event_log_first(v->log), end = v->log->begun;

	if (i < first)
		i = first;
	if (i >= end)
		i = end - 1;
	for (uint64_t k = i + 1; k > first; k--)
		if (shown(v, k - 1))
			return *out = k - 1, true;
	for (uint64_t k = i + 1; k < end; k++)
		if (shown(v, k))
			return *out = k, true;
	return false;
}

bool entries_walk(const struct view *v, uint64_t i, int64_t steps, uint64_t *out)
{
	uint64_t first, end;

	if (!v->log || !v->log->begun || !nearest(v, i, out))
		return false;
	first = event_log_first(v->log);
	end = v->log->begun;
	for (uint64_t k = *out; steps > 0 && k > first; k--)
		if (shown(v, k - 1)) {
			*out = k - 1;
			steps--;
		}
	for (uint64_t k = *out + 1; steps < 0 && k < end; k++)
		if (shown(v, k)) {
			*out = k;
			steps++;
		}
	return true;
}

bool entries_chosen(const struct view *v, uint64_t *i)
{
	return entries_walk(v, v->events.by_hand ? v->events.at : UINT64_MAX, 0, i);
}
