/* CSV of a run: one row per interval (INTERFACE.md "CSV"). Nothing in a row is rounded to look nice: the rows add up to the totals. */
#include <math.h>
#include <string.h>

#include "report.h"

/* Latency columns of each of the four clocks: rows of latency_table. */
static const uint8_t columns[] = { 1, 2, 3, 4, 5, 6 };

void report_csv_head(struct strbuf *out)
{
	strbuf_puts(out, "start_s,length_s,step,requests,bytes,errors,iops,bytes_per_s");
	for (int m = 0; m < N_METRICS; m++) {
		for (size_t i = 0; i < sizeof(columns); i++)
			strbuf_printf(out, ",%s_%s_us", metric_names[m], latency_table[columns[i]].key);
	}
	strbuf_puts(out, ",qd,aliases,path,power\n");
}

/* RFC 4180: quoted when it holds a comma, a quote or a line end; a quote is doubled. */
static void put_text(struct strbuf *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		strbuf_puts(out, text);
		return;
	}
	strbuf_puts(out, "\"");
	for (const char *c = text; *c; c++)
		strbuf_add(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
	strbuf_puts(out, "\"");
}

/* Exact seconds. */
static void put_seconds(struct strbuf *out, int64_t ns)
{
	strbuf_printf(out, "%lld.%09lld", (long long)(ns / NS_PER_S), (long long)(ns % NS_PER_S));
}

/* A figure that is not known is an empty field. */
static void put_figure(struct strbuf *out, double value)
{
	if (isfinite(value))
		strbuf_printf(out, ",%.3f", value);
	else
		strbuf_puts(out, ",");
}

/* Empty where the knob has no effect. */
static void put_knob(struct strbuf *out, int64_t value)
{
	strbuf_puts(out, ",");
	if (value >= 0)
		strbuf_printf(out, "%lld", (long long)value);
}

void report_csv_row(const struct interval *i, struct strbuf *out)
{
	double seconds = (double)i->length_ns / 1e9;
	char path[SPEC_NAME];

	put_seconds(out, i->start_ns);
	strbuf_puts(out, ",");
	put_seconds(out, i->length_ns);
	strbuf_puts(out, ",");
	put_text(out, i->step_name);
	strbuf_printf(out, ",%llu,%llu,%llu", (unsigned long long)i->requests, (unsigned long long)i->bytes,
		      (unsigned long long)i->errors);
	put_figure(out, i->length_ns > 0 ? (double)i->requests / seconds : NAN);
	put_figure(out, i->length_ns > 0 ? (double)i->bytes / seconds : NAN);
	for (int m = 0; m < N_METRICS; m++) {
		for (size_t c = 0; c < sizeof(columns); c++)
			put_figure(out, latency_us(&latency_table[columns[c]], &i->hist[m]));
	}
	put_knob(out, i->qd);
	put_knob(out, i->aliases);
	strbuf_puts(out, ",");
	if (i->path >= 0)
		put_text(out, knob_format((struct knob_ref){ .id = KNOB_PATH }, i->path, path, sizeof(path)));
	put_knob(out, i->power);
	strbuf_puts(out, "\n");
}
