/* The events of a sample as lines, JSON and a figure of the CSV. */
#ifndef IODECK_PROBE_EVENTS_H
#define IODECK_PROBE_EVENTS_H

#include <stdio.h>

#include "base/json.h"
#include "probe_listen.h"

/* "07:12:00.250 event path failed: mp0: path 8:16 FAILED, 1 left". Returns buf. */
char *probe_event_text(const struct event *e, char *buf, size_t room);
/* A line for each, cut at `columns`; `before` comes before the first. */
void probe_events_lines(const struct probe_events *e, int columns, const char *before, FILE *f);
/* Why there are none, or not all, as the sources say it; false: nothing to say. */
bool probe_events_complaint(const struct probe_events *e, char *buf, size_t room);
/* Member "events" of the open object. */
void probe_events_json(const struct probe_events *e, struct json *j);
/* How many told of this device, or of it as a path; PROBE_UNKNOWN: they were not heard. */
int64_t probe_events_of(const struct probe_events *e, const struct probe_device *d);

#endif
