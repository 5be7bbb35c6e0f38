/* Arrays of Linux md. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "probes_private.h"

static void read_attributes(struct probe_context *c, struct probe_md *m)
{
	const char *name = m->array.name;
	bool local;

	take_text(c, m->sync_action, sizeof(m->sync_action), "sys/block/%s/md/sync_action", name);
	take_text(c, m->array_state, sizeof(m->array_state), "sys/block/%s/md/array_state", name);
	m->speed_kib = take_speed(c, &local, "sys/block/%s/md/sync_speed", name);
	m->speed_min_kib = take_speed(c, &m->min_local, "sys/block/%s/md/sync_speed_min", name);
	m->speed_max_kib = take_speed(c, &m->max_local, "sys/block/%s/md/sync_speed_max", name);
	m->degraded = take_i64(c, "sys/block/%s/md/degraded", name);
	m->mismatches = take_i64(c, "sys/block/%s/md/mismatch_cnt", name);
	if (m->speed_kib == PROBE_UNKNOWN && m->array.speed_kib_s >= 0)
		m->speed_kib = m->array.speed_kib_s;
	if (m->degraded == PROBE_UNKNOWN && m->array.disks >= 0)
		m->degraded = m->array.disks - m->array.working;
}

static void join(struct probe_snapshot *s, int i)
{
	const struct probe_md *m = &s->md[i];
	int at = probe_find(s, m->array.name);
	struct probe_device *d = at >= 0 ? &s->device[at] : NULL;

	if (!d)
		return;
	d->md = i;
	text_format(d->label, sizeof(d->label), "%s", m->array.level);
	if (d->state.letter != '+')
		return;
	if (strcmp(m->array.state, "active"))
		state_set(&d->state, '-', "%s", m->array.state);
	else if (m->array.action[0])
		state_set(&d->state, '~', "%s", m->array.action);
	else if (m->degraded > 0)
		state_set(&d->state, '!', "degraded");
}

void probe_md_read(struct probe_context *c)
{
	struct md_array array[MD_MAX_ARRAYS];
	int n = sysread_file(c->sys, "proc/mdstat", c->text, PROBE_TEXT);

	if (n < 0) {
		source_failed(c, n, "proc/mdstat");
		return;
	}
	n = md_parse_mdstat(c->text, (size_t)n, array, MD_MAX_ARRAYS);
	if (n < 0)
		source_say(c, SOURCE_MALFORMED, "/proc/mdstat is cut, or of no known form");
	else if (!n)
		source_say(c, SOURCE_ABSENT, "there is no md array");
	for (int i = 0; i < n; i++) {
		c->s->md[c->s->n_md].array = array[i];
		read_attributes(c, &c->s->md[c->s->n_md]);
		join(c->s, (int)c->s->n_md++);
	}
}
