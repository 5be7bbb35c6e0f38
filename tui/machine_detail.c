/* What view 5 says about the chosen device and about the sources. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "machine.h"
#include "probe_cells.h"

void machine_add(struct machine_lines *l, enum role role, const char *fmt, ...)
{
	va_list args;

	if (l->n == MACHINE_LINES)
		return;
	va_start(args, fmt);
	vsnprintf(l->line[l->n].text, MACHINE_LINE, fmt, args);
	va_end(args);
	l->line[l->n++].role = role;
}

/* ---- settings ---- */

static bool number(int64_t value, bool known, char *buf, size_t room)
{
	if (known && value != PROBE_UNKNOWN)
		probe_number(buf, room, value);
	return known && value != PROBE_UNKNOWN;
}

static bool setting_text(const char *text, char *buf, size_t room)
{
	text_format(buf, room, "%s", text);
	return text[0] != '\0';
}

/* The i-th of all there may be: its value, false when this device has none. */
static bool setting_value(const struct probe_snapshot *s, const struct probe_device *d, int i, const char **name, char *buf, size_t room)
{
	static const char *const names[] = { "scheduler", "nr_requests", "queue_depth", "path_selector", "read_ahead_kb", "max_sectors_kb", "wbt_lat_usec",
					     "nomerges", "rq_affinity", "write_cache", "timeout", "sync_speed_min", "sync_speed_max" };
	const struct probe_queue *q = &d->queue;
	const struct probe_md *m = d->md >= 0 ? &s->md[d->md] : NULL;

	*name = names[i];
	switch (i) {
	case 0: return q->known && setting_text(q->scheduler, buf, room);
	case 1: return number(q->nr_requests, q->known, buf, room);
	case 2: return number(d->scsi.queue_depth, d->scsi.known, buf, room);
	case 3: return setting_text(d->policy, buf, room);
	case 4: return number(q->read_ahead_kb, q->known, buf, room);
	case 5: return number(q->max_sectors_kb, q->known, buf, room);
	case 6: return number(q->wbt_lat_usec, q->known, buf, room);
	case 7: return number(q->nomerges, q->known, buf, room);
	case 8: return number(q->rq_affinity, q->known, buf, room);
	case 9: return q->known && setting_text(q->write_cache, buf, room);
	case 10: return number(d->scsi.timeout_s, d->scsi.known, buf, room);
	case 11: return number(m ? m->speed_min_kib : 0, m, buf, room);
	default: return number(m ? m->speed_max_kib : 0, m, buf, room);
	}
}
enum { N_SETTINGS = 13 };

bool machine_setting(const struct probe_snapshot *s, const struct probe_device *d, int i, const char **name, char *value, size_t room)
{
	for (int k = 0; k < N_SETTINGS; k++)
		if (setting_value(s, d, k, name, value, room) && i-- == 0)
			return true;
	return false;
}

/* ---- a device ---- */

static void add_settings(struct machine_lines *l, const struct probe_snapshot *s, const struct probe_device *d)
{
	char line[MACHINE_LINE] = "", value[48];
	const char *name;
	size_t n = 0;

	for (int i = 0; machine_setting(s, d, i, &name, value, sizeof(value)); i++) {
		size_t need = strlen(name) + strlen(value) + 4;

		if (n && n + need > 76) {
			machine_add(l, ROLE_TEXT, "  %s", line);
			n = 0;
		}
		n += text_format(line + n, sizeof(line) - n, "%s%s %s", n ? "  " : "", name, value);
	}
	if (n)
		machine_add(l, ROLE_TEXT, "  %s", line);
	if (d->queue.known && d->queue.age_s > 3)
		machine_add(l, ROLE_WARN, "  these are %.0f s old: the queue does not answer", d->queue.age_s);
	if (d->queue.known && d->queue.iostats == 0)
		machine_add(l, ROLE_WARN, "  iostats is 0: the kernel counts nothing of this device");
}

static void add_rates(struct machine_lines *l, const struct probe_device *d)
{
	char a[16], b[16], e[16], f[16], g[16], h[16];

	if (isnan(d->rates.r_s)) {
		machine_add(l, ROLE_AXIS, d->counted ? "  no rates yet: they need a second look" : "  no counters: the kernel has no line for it in diskstats");
		return;
	}
	machine_add(l, ROLE_TEXT, "  in flight r %s w %s  merged/s r %s w %s  discards/s %s  flushes/s %s",
		    probe_number(a, sizeof(a), d->inflight_reads), probe_number(b, sizeof(b), d->inflight_writes),
		    probe_count(e, sizeof(e), d->rates.rrqm_s), probe_count(f, sizeof(f), d->rates.wrqm_s),
		    probe_count(g, sizeof(g), d->rates.d_s), probe_count(h, sizeof(h), d->rates.f_s));
}

static void add_scsi(struct machine_lines *l, const struct probe_snapshot *s, const struct probe_device *d)
{
	const struct probe_scsi *scsi = &d->scsi;
	char busy[16], errors[16], can[16];

	if (!scsi->known)
		return;
	machine_add(l, ROLE_TEXT, "  %s %s %s  busy %s  errors %s", scsi->hctl, scsi->vendor, scsi->model, probe_number(busy, sizeof(busy), scsi->device_busy),
		    probe_number(errors, sizeof(errors), scsi->io_errors));
	if (scsi->host >= 0)
		machine_add(l, ROLE_TEXT, "  %s (%s) takes %s commands for all its LUNs together", s->host[scsi->host].name, s->host[scsi->host].driver,
			    probe_number(can, sizeof(can), s->host[scsi->host].can_queue));
}

static void add_paths(struct machine_lines *l, const struct probe_snapshot *s, const struct probe_device *d)
{
	for (uint32_t i = 0; i < s->n_paths; i++) {
		const struct probe_path *p = &s->path[i];

		if (strcmp(p->map, d->kernel))
			continue;
		machine_add(l, p->failed ? ROLE_FAILED : ROLE_TEXT, "  %c %s %s  group %u %s  %s  failed %lld times", p->failed ? '!' : p->group_state == 'A' ? '+' : '-',
			    p->device[0] ? p->device : "path", p->dev, p->group,
			    p->group_state == 'A' ? "active" : p->group_state == 'D' ? "disabled" : "standby", p->selector, (long long)p->fails);
	}
}

static void add_dasd(struct machine_lines *l, const struct probe_snapshot *s, const struct probe_device *d)
{
	const struct probe_dasd *dasd = d->dasd >= 0 ? &s->dasd[d->dasd] : NULL;
	const struct probe_dasd_stats *stats = probe_find_stats(s, d->kernel);
	char text[128], line[MACHINE_LINE] = "";
	size_t n = 0;

	if (!dasd)
		return;
	if (dasd->lcu >= 0)
		machine_add(l, ROLE_TEXT, "  LCU %s  %s", s->lcu[dasd->lcu].uid, probe_lcu_text(text, sizeof(text), &s->lcu[dasd->lcu]));
	for (uint32_t i = 0; i < s->n_dasd; i++)
		if (dasd->lcu >= 0 && s->dasd[i].alias && s->dasd[i].lcu == dasd->lcu && n + 10 < 76)
			n += text_format(line + n, sizeof(line) - n, " %s", s->dasd[i].busid);
	if (n)
		machine_add(l, ROLE_TEXT, "  aliases%s", line);
	if (stats && stats->source.state == SOURCE_OK && isfinite(stats->alias_share))
		machine_add(l, ROLE_TEXT, "  started on an alias: %.1f %% of its requests%s", stats->alias_share * 100,
			    stats->has_delta && stats->delta.counter[DASD_REQUESTS] ? "" : " since switched on");
	else if (stats && stats->source.state != SOURCE_OK)
		machine_add(l, ROLE_AXIS, "  no histograms: %s", stats->source.reason);
}

void machine_describe(struct machine_lines *l, const struct probe_snapshot *s, const struct probe_device *d)
{
	char size[16], text[200];

	machine_add(l, ROLE_TITLE, "%s  %s%s%s  %u:%u  %sB  %s%s%s", d->name, d->kind, d->label[0] ? "  " : "", d->label, d->major, d->minor,
		    d->size ? units_format_count(size, sizeof(size), (double)d->size) : "-", d->state.word,
		    d->parent >= 0 ? "  below " : "", d->parent >= 0 ? s->device[d->parent].name : "");
	if (d->rates.stalled)
		machine_add(l, ROLE_FAILED, "  requests are in flight and none came back");
	add_settings(l, s, d);
	add_rates(l, d);
	add_scsi(l, s, d);
	add_paths(l, s, d);
	add_dasd(l, s, d);
	if (d->md >= 0)
		machine_add(l, ROLE_TEXT, "  %s", probe_md_text(text, sizeof(text), &s->md[d->md]));
	for (uint32_t i = 0; i < s->n_iscsi; i++) /* a session's host is the first number of H:C:T:L */
		if (d->scsi.known && s->iscsi[i].host != PROBE_UNKNOWN && d->scsi.host >= 0 && s->iscsi[i].host == strtol(d->scsi.hctl, NULL, 10))
			machine_add(l, ROLE_TEXT, "  iSCSI %s %s at %s%s%s", s->iscsi[i].target, s->iscsi[i].state, s->iscsi[i].address,
				    s->iscsi[i].netdev[0] ? " by " : "", s->iscsi[i].netdev);
}

void machine_sources(struct machine_lines *l, const struct probe_snapshot *s, bool brief)
{
	char fine[MACHINE_LINE] = "";
	size_t n = 0;

	for (int i = 0; i < N_PROBES; i++) {
		const struct probe_source *source = &s->source[i];
		bool bad = source->state == SOURCE_UNREADABLE || source->state == SOURCE_MALFORMED;

		if (source->state == SOURCE_OK && !source->reason[0] && brief)
			n += text_format(fine + n, sizeof(fine) - n, " %s", probe_table[i].name);
		else
			machine_add(l, bad ? ROLE_WARN : ROLE_AXIS, "  %-10s %-10s %s", probe_table[i].name, source_state_names[source->state],
				    source->reason[0] ? source->reason : probe_table[i].what);
	}
	if (n)
		machine_add(l, ROLE_AXIS, "  ok:%s", fine);
}

/* ---- histograms ---- */

/* Rows of us as they are: the same edges as hist_log2. */
static void to_view(struct lat_view *v, const struct dasd_statistics *d, enum dasd_histogram h)
{
	*v = (struct lat_view){ .min_ns = NAN, .mean_ns = NAN, .p50_ns = NAN, .p95_ns = NAN, .p99_ns = NAN, .p999_ns = NAN, .max_ns = NAN };
	for (int i = 0; i < DASD_ROWS; i++) {
		v->log2[i] = d->row[h][i];
		v->n += d->row[h][i];
	}
}

bool machine_histograms(const struct probe_snapshot *s, const struct probe_device *d, struct lat_view now[2], struct lat_view before[2],
			bool *has_before, char *title, size_t room)
{
	static const enum dasd_histogram which[] = { DASD_TOTAL, DASD_TO_IRQ };
	const struct probe_dasd_stats *stats = d->dasd >= 0 ? probe_find_stats(s, d->kernel) : NULL;

	if (d->dasd >= 0 && (!stats || stats->source.state != SOURCE_OK))
		stats = probe_find_stats(s, "global");
	if (d->dasd >= 0 && (!stats || stats->source.state != SOURCE_OK))
		stats = probe_find_stats(s, "proc");
	if (!stats || stats->source.state != SOURCE_OK)
		return false;
	*has_before = stats->has_delta && stats->delta.counter[DASD_REQUESTS];
	for (int i = 0; i < 2; i++) {
		to_view(&now[i], *has_before ? &stats->delta : &stats->now, which[i]);
		to_view(&before[i], &stats->now, which[i]);
	}
	text_format(title, room, "DASD STATISTICS of %s  %s", strcmp(stats->name, d->kernel) ? "all DASDs" : d->name,
		    *has_before ? "now: last interval, was: since switched on" : "since switched on");
	return true;
}
