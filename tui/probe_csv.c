/* A sample as CSV: a record for each device. What is not known is empty. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "probe_events.h"
#include "probe_report.h"

#define RATE(key, field) { key, offsetof(struct disk_rates, field) }
const struct probe_rate_row probe_rates[N_PROBE_RATES] = {
	RATE("r/s", r_s), RATE("rkB/s", rkb_s), RATE("rrqm/s", rrqm_s), RATE("rrqm", rrqm), RATE("r_await", r_await), RATE("rareq-sz", rareq_sz),
	RATE("w/s", w_s), RATE("wkB/s", wkb_s), RATE("wrqm/s", wrqm_s), RATE("wrqm", wrqm), RATE("w_await", w_await), RATE("wareq-sz", wareq_sz),
	RATE("d/s", d_s), RATE("dkB/s", dkb_s), RATE("drqm/s", drqm_s), RATE("drqm", drqm), RATE("d_await", d_await), RATE("dareq-sz", dareq_sz),
	RATE("f/s", f_s), RATE("f_await", f_await), RATE("aqu-sz", aqu_sz), RATE("util", util),
};

double probe_rate(const struct probe_device *d, int i)
{
	double value;

	memcpy(&value, (const char *)&d->rates + probe_rates[i].at, sizeof(value));
	return value;
}

void probe_report_csv_head(struct strbuf *out)
{
	strbuf_puts(out, "time_s,interval_s,device,kind,state,inflight_reads,inflight_writes,nr_requests,queue_depth");
	for (int i = 0; i < N_PROBE_RATES; i++)
		strbuf_printf(out, ",%s", probe_rates[i].key);
	strbuf_puts(out, ",reads,sectors_read,read_ms,writes,sectors_written,write_ms,events\r\n");
}

static void csv_text(struct strbuf *out, const char *text)
{
	bool quote = strpbrk(text, ",\"\r\n") != NULL;

	strbuf_puts(out, quote ? ",\"" : ",");
	for (const char *p = text; *p; p++) {
		if (*p == '"')
			strbuf_puts(out, "\"");
		strbuf_add(out, p, 1);
	}
	strbuf_puts(out, quote ? "\"" : "");
}

static void csv_i64(struct strbuf *out, int64_t value)
{
	if (value == PROBE_UNKNOWN)
		strbuf_puts(out, ",");
	else
		strbuf_printf(out, ",%lld", (long long)value);
}

void probe_report_csv(const struct probe_snapshot *s, const struct probe_events *e, struct strbuf *out)
{
	for (uint32_t i = 0; i < s->n_devices; i++) {
		const struct probe_device *d = &s->device[i];
		const struct disk_counters *c = &d->counters;

		strbuf_printf(out, "%lld,", (long long)s->wall_s);
		if (isfinite(s->interval_s))
			strbuf_printf(out, "%.6f", s->interval_s);
		csv_text(out, d->name);
		csv_text(out, d->kind);
		csv_text(out, d->state.word);
		csv_i64(out, d->inflight_reads);
		csv_i64(out, d->inflight_writes);
		csv_i64(out, d->queue.known ? d->queue.nr_requests : PROBE_UNKNOWN);
		csv_i64(out, d->scsi.known ? d->scsi.queue_depth : PROBE_UNKNOWN);
		for (int k = 0; k < N_PROBE_RATES; k++) {
			strbuf_puts(out, ",");
			if (isfinite(probe_rate(d, k)))
				strbuf_printf(out, "%.6g", probe_rate(d, k));
		}
		if (d->counted)
			strbuf_printf(out, ",%llu,%llu,%u,%llu,%llu,%u", (unsigned long long)c->reads, (unsigned long long)c->sectors_read,
				      c->read_ms, (unsigned long long)c->writes, (unsigned long long)c->sectors_written, c->write_ms);
		else
			strbuf_puts(out, ",,,,,,");
		csv_i64(out, probe_events_of(e, d));
		strbuf_puts(out, "\r\n");
	}
}
