/* The table and the lines of `iodeck probe`. */
#include "probe_report.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "probe_cells.h"
#include "probe_events.h"

enum { LINE = 79 };

static void print_cell(const struct probe_column *column, const char *text, bool last, FILE *f)
{
	fprintf(f, column->right ? "%*s%s" : "%-*s%s", last && !column->right ? 0 : column->width, text, last ? "\n" : " ");
}

static void print_devices(const struct probe_snapshot *s, int columns, FILE *f)
{
	int chosen[N_PROBE_COLUMNS], n = probe_columns_fit(columns, chosen);

	for (int i = 0; i < n; i++)
		print_cell(&probe_columns[chosen[i]], probe_columns[chosen[i]].heading, i == n - 1, f);
	for (uint32_t k = 0; k < s->n_devices; k++) {
		for (int i = 0; i < n; i++) {
			const struct probe_column *column = &probe_columns[chosen[i]];
			char text[128];

			column->text(s, &s->device[k], text, sizeof(text));
			print_cell(column, text, i == n - 1, f);
		}
	}
}

static void print_lcus(const struct probe_snapshot *s, FILE *f)
{
	char text[128];

	for (uint32_t i = 0; i < s->n_lcus; i++) {
		fprintf(f, "\nLCU %s  %s\n", s->lcu[i].uid, probe_lcu_text(text, sizeof(text), &s->lcu[i]));
		for (uint32_t k = 0; k < s->n_dasd; k++) {
			const struct probe_dasd *d = &s->dasd[k];

			if (d->lcu == (int)i)
				fprintf(f, "  %-9s %-6s %-8s %s.%s\n", d->busid, d->alias ? "alias" : "base", d->block, d->uid.lcu, d->uid.ua);
		}
	}
	bool first = true;

	for (uint32_t k = 0; k < s->n_dasd; k++) {
		if (s->dasd[k].online)
			continue;
		fprintf(f, "%s  %-9s offline: base or alias, the kernel does not tell\n", first ? "\n" : "", s->dasd[k].busid);
		first = false;
	}
}

static bool has_rows(const struct dasd_statistics *d)
{
	for (int i = 0; i < DASD_ROWS; i++)
		if (d->row[DASD_TOTAL][i] || d->row[DASD_TO_SSCH][i] || d->row[DASD_TO_IRQ][i])
			return true;
	return false;
}

static void print_rows(const struct dasd_statistics *d, FILE *f)
{
	int first = DASD_ROWS, last = 0;
	char edge[16];

	for (int i = 0; i < DASD_ROWS; i++) {
		if (!d->row[DASD_TOTAL][i] && !d->row[DASD_TO_SSCH][i] && !d->row[DASD_TO_IRQ][i])
			continue;
		first = first < i ? first : i;
		last = i;
	}
	fprintf(f, "  %9s %10s %10s %10s\n", "below", "TOTAL", "WAIT", "DEVICE");
	for (int i = first; i <= last; i++)
		fprintf(f, "  %9s %10llu %10llu %10llu\n", probe_edge(edge, sizeof(edge), i), (unsigned long long)d->row[DASD_TOTAL][i],
			(unsigned long long)d->row[DASD_TO_SSCH][i], (unsigned long long)d->row[DASD_TO_IRQ][i]);
}

/* TOTAL: build to end, WAIT: build to ssch, DEVICE: ssch to irq. */
static void print_stats(const struct probe_snapshot *s, FILE *f)
{
	char when[40];
	bool off = false;

	for (uint32_t i = 0; i < s->n_stats; i++) {
		const struct probe_dasd_stats *d = &s->stats[i];

		if (d->source.state == SOURCE_DISABLED)
			continue;
		if (d->source.state != SOURCE_OK) {
			fprintf(f, "\nDASD statistics of %s: %s: %s\n", d->name, source_state_names[d->source.state], d->source.reason);
			continue;
		}
		text_format(when, sizeof(when), "they were switched on");
		if (isfinite(d->now.start_time))
			probe_time(when, sizeof(when), (int64_t)d->now.start_time, true);
		fprintf(f, "\nDASD statistics of %s since %s: %llu requests, %llu sectors%s", d->name, when,
			(unsigned long long)d->now.counter[DASD_REQUESTS], (unsigned long long)d->now.counter[DASD_SECTORS],
			d->now.scale > 1 ? ", rows approximate" : "");
		if (isfinite(d->alias_share))
			fprintf(f, ", %.1f %% on aliases", d->alias_share * 100);
		fputs("\n", f);
		if (has_rows(&d->now))
			print_rows(&d->now, f);
	}
	for (uint32_t i = 0; i < s->n_stats; i++) {
		if (s->stats[i].source.state != SOURCE_DISABLED)
			continue;
		fprintf(f, "%s %s", off ? "" : "\nDASD statistics that are switched off:", s->stats[i].name);
		off = true;
	}
	fputs(off ? "\n" : "", f);
}

static void print_rest(const struct probe_snapshot *s, FILE *f)
{
	char text[256], a[16], b[16];

	for (uint32_t i = 0; i < s->n_paths; i++) {
		const struct probe_path *p = &s->path[i];

		fprintf(f, "%spath %s %s %s group %u %c %s, failed %lld times\n", i ? "" : "\n", p->map, p->dev, p->device, p->group,
			p->group_state ? p->group_state : '-', p->failed ? "FAILED" : "active", (long long)p->fails);
	}
	for (uint32_t i = 0; i < s->n_md; i++)
		fprintf(f, "\n%s %s\n", s->md[i].array.name, probe_md_text(text, sizeof(text), &s->md[i]));
	for (uint32_t i = 0; i < s->n_iscsi; i++)
		fprintf(f, "%siSCSI %s %s %s, %s on %s\n", i ? "" : "\n", s->iscsi[i].name, s->iscsi[i].target, s->iscsi[i].state, s->iscsi[i].address,
			s->iscsi[i].netdev[0] ? s->iscsi[i].netdev : "an interface it does not name");
	for (uint32_t i = 0; i < s->n_links; i++)
		fprintf(f, "link %s %s mtu %lld: in %sB/s out %sB/s, errors %llu, dropped %llu\n", s->link[i].name, s->link[i].oper,
			(long long)s->link[i].mtu, probe_count(a, sizeof(a), s->link[i].rx_bytes_s), probe_count(b, sizeof(b), s->link[i].tx_bytes_s),
			(unsigned long long)(s->link[i].rx_errors + s->link[i].tx_errors),
			(unsigned long long)(s->link[i].rx_dropped + s->link[i].tx_dropped));
	for (uint32_t i = 0; i < s->n_ports; i++)
		fprintf(f, "FC %s %s %s %s\n", s->port[i].name, s->port[i].port_name, s->port[i].state, s->port[i].roles);
	if (s->pressure.known)
		fprintf(f, "\nI/O pressure, 10 s: some tasks waited %.1f %% of the time, all of them %.1f %%", s->pressure.some10, s->pressure.full10);
	if (isfinite(s->cpu_busy))
		fprintf(f, "%sCPU busy %.0f %%, waiting for I/O %.0f %%", s->pressure.known ? "; " : "\n", s->cpu_busy * 100, s->cpu_iowait * 100);
	if (s->pressure.known || isfinite(s->cpu_busy))
		fputs("\n", f);
}

void probe_report_table(const struct probe_snapshot *s, const struct probe_events *e, int columns, FILE *f)
{
	const char *heading = "\nSOURCES that are not there, or have something to say\n";
	char text[512], when[40];
	int told = 0;

	fprintf(f, "%s  ", probe_time(when, sizeof(when), s->wall_s, true));
	if (isfinite(s->interval_s))
		fprintf(f, "rates of the last %.2f s\n", s->interval_s);
	else
		fprintf(f, "one look: no rates\n");
	print_devices(s, columns, f);
	print_lcus(s, f);
	print_stats(s, f);
	print_rest(s, f);
	probe_events_lines(e, columns, "\n", f);
	for (; probe_complaint(s, told, text, sizeof(text)); told++)
		fprintf(f, "%s%s\n", told ? "" : heading, text);
	if (probe_events_complaint(e, text, sizeof(text)))
		fprintf(f, "%s%s\n", told ? "" : heading, text);
	fputs("\n", f);
}

/* In lines of at most LINE columns, broken at blanks, what goes on set in. */
static void print_broken(FILE *f, const char *text)
{
	const char *indent = "";
	int width = LINE;

	while ((int)strlen(text) > width) {
		int at = width;

		while (at > 0 && text[at] != ' ')
			at--;
		at = at > 0 ? at : width;
		fprintf(f, "%s%.*s\n", indent, at, text);
		text += at + (text[at] == ' ');
		indent = "  ";
		width = LINE - 2;
	}
	fprintf(f, "%s%s\n", indent, text);
}

void probe_report_lines(const struct probe_snapshot *s, const struct probe_events *e, FILE *f)
{
	char when[40], line[512], text[64];

	probe_time(when, sizeof(when), s->wall_s, false);
	for (uint32_t i = 0; i < s->n_devices; i++) {
		const struct probe_device *d = &s->device[i];
		size_t n = text_format(line, sizeof(line), "%s %s %s", when, d->name, d->state.word);

		for (int k = 3; k <= 9; k++) { /* r/s .. %util */
			char cell[96];

			probe_columns[k].text(s, d, text, sizeof(text));
			size_t more = text_format(cell, sizeof(cell), " %s %s", probe_columns[k].heading, text);

			if (n + more <= LINE) /* a figure that does not fit is left out whole */
				n += text_format(line + n, sizeof(line) - n, "%s", cell);
		}
		fprintf(f, "%s\n", line);
	}
	for (uint32_t i = 0; i < s->n_lcus; i++) {
		text_format(line, sizeof(line), "%s LCU %s %s", when, s->lcu[i].uid, probe_lcu_text(text, sizeof(text), &s->lcu[i]));
		print_broken(f, line);
	}
	probe_events_lines(e, LINE, "", f);
	for (int i = 0; probe_complaint(s, i, line, sizeof(line)); i++)
		print_broken(f, line);
	if (probe_events_complaint(e, line, sizeof(line)))
		print_broken(f, line);
}
