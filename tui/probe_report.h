/* A sample of the probes for people and for programs. */
#ifndef IODECK_PROBE_REPORT_H
#define IODECK_PROBE_REPORT_H

#include <stdio.h>

#include "base/strbuf.h"
#include "probe_listen.h"
#include "probes.h"

/* `e`: the events since the sample before. */
/* The table, at most `columns` wide where the machine's names allow. */
void probe_report_table(const struct probe_snapshot *s, const struct probe_events *e, int columns, FILE *f);
/* A line of at most 79 columns for each device and event. */
void probe_report_lines(const struct probe_snapshot *s, const struct probe_events *e, FILE *f);
/* Rates of a device by the names of iostat: the columns of both forms below. */
struct probe_rate_row {
	const char *key;
	size_t at; /* in struct disk_rates */
};
enum { N_PROBE_RATES = 22 };
extern const struct probe_rate_row probe_rates[N_PROBE_RATES];
double probe_rate(const struct probe_device *d, int i);

/* One object on a line. 0 or negative errno. */
int probe_report_json(const struct probe_snapshot *s, const struct probe_events *e, FILE *f);
/* A record for each device, appended; its events are counted in the last field. */
void probe_report_csv_head(struct strbuf *out);
void probe_report_csv(const struct probe_snapshot *s, const struct probe_events *e, struct strbuf *out);

#endif
