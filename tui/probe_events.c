/* The events of a sample: lines for people, a part of the JSON object, a count for each row of the CSV. */
#include "probe_events.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "probe_cells.h"

static const char *const kind_names[] = {
	[EVENT_PATH_FAILED] = "path failed", [EVENT_PATH_BACK] = "path back", [EVENT_ADDED] = "added",
	[EVENT_REMOVED] = "removed",	     [EVENT_CHANGED] = "changed",     [EVENT_GAP] = "gap",
};

/* ---- for people ---- */

char *probe_event_text(const struct event *e, char *buf, size_t room)
{
	char when[16];
	size_t n = text_format(buf, room, "%s.%03d event %s: %s", probe_time(when, sizeof(when), e->t_ns / NS_PER_S, false),
			       (int)(e->t_ns % NS_PER_S / NS_PER_MS), kind_names[e->kind], e->text);

	if (e->times > 1)
		text_format(buf + n, room - n, " (%u times)", e->times);
	return buf;
}

bool probe_events_complaint(const struct probe_events *e, char *buf, size_t room)
{
	if (e->source.state == SOURCE_OK && !e->source.reason[0])
		return false;
	text_format(buf, room, "%-10s %-10s %s", "events", source_state_names[e->source.state], e->source.reason);
	return true;
}

void probe_events_lines(const struct probe_events *e, int columns, const char *before, FILE *f)
{
	char text[256];

	for (uint32_t i = 0; i < e->n; i++)
		fprintf(f, "%s%.*s\n", i ? "" : before, columns, probe_event_text(&e->event[i], text, sizeof(text)));
	if (e->n_left_out)
		fprintf(f, "%u more events were left out\n", e->n_left_out);
}

/* ---- for programs ---- */

static void put_text(struct json *j, const char *key, const char *value)
{
	if (value[0])
		json_put_str(j, key, value);
	else
		json_put_null(j, key);
}

void probe_events_json(const struct probe_events *e, struct json *j)
{
	json_open_object(j, "events");
	json_put_str(j, "state", source_state_names[e->source.state]);
	put_text(j, "reason", e->source.reason);
	json_put_bool(j, "gap", e->gap);
	json_put_int(j, "left_out", e->n_left_out);
	json_open_array(j, "list");
	for (uint32_t i = 0; i < e->n; i++) {
		const struct event *one = &e->event[i];

		json_open_object(j, NULL);
		json_put_real(j, "time", (double)one->t_ns / NS_PER_S);
		json_put_str(j, "kind", kind_names[one->kind]);
		put_text(j, "device", one->device);
		put_text(j, "path", one->path);
		json_put_int(j, "times", one->times);
		json_put_str(j, "text", one->text);
		json_close(j);
	}
	json_close(j);
	json_close(j);
}

int64_t probe_events_of(const struct probe_events *e, const struct probe_device *d)
{
	char dev[24];
	int64_t n = 0;

	if (e->source.state == SOURCE_DISABLED || e->source.state == SOURCE_UNREADABLE)
		return PROBE_UNKNOWN;
	text_format(dev, sizeof(dev), "%u:%u", d->major, d->minor);
	for (uint32_t i = 0; i < e->n; i++) {
		const struct event *one = &e->event[i];

		if (one->device[0] && (!strcmp(one->device, d->name) || !strcmp(one->device, d->label) || !strcmp(one->path, dev)))
			n += one->times;
	}
	return n;
}
