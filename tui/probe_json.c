/* A sample as one JSON object. What is not known is null. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "probe_events.h"
#include "probe_report.h"

static void put_i64(struct json *j, const char *key, int64_t value)
{
	if (value == PROBE_UNKNOWN)
		json_put_null(j, key);
	else
		json_put_int(j, key, value);
}

static void put_text(struct json *j, const char *key, const char *value)
{
	if (value[0])
		json_put_str(j, key, value);
	else
		json_put_null(j, key);
}

static void put_letter(struct json *j, const char *key, char letter)
{
	const char text[2] = { letter, '\0' };

	put_text(j, key, text);
}

/* ---- devices ---- */

static void put_counters(struct json *j, const struct probe_device *d)
{
	const struct disk_counters *c = &d->counters;

	if (!d->counted) {
		json_put_null(j, "counters");
		return;
	}
	json_open_object(j, "counters");
	json_put_int(j, "reads", (int64_t)c->reads);
	json_put_int(j, "sectors_read", (int64_t)c->sectors_read);
	json_put_int(j, "read_ms", c->read_ms);
	json_put_int(j, "writes", (int64_t)c->writes);
	json_put_int(j, "sectors_written", (int64_t)c->sectors_written);
	json_put_int(j, "write_ms", c->write_ms);
	json_put_int(j, "in_flight", (int64_t)c->in_flight);
	json_put_int(j, "busy_ms", c->busy_ms);
	json_put_int(j, "queue_ms", c->queue_ms);
	json_close(j);
}

static void put_queue(struct json *j, const struct probe_queue *q)
{
	if (!q->known) {
		json_put_null(j, "queue");
		return;
	}
	json_open_object(j, "queue");
	put_text(j, "scheduler", q->scheduler);
	put_i64(j, "nr_requests", q->nr_requests);
	put_i64(j, "read_ahead_kb", q->read_ahead_kb);
	put_i64(j, "max_sectors_kb", q->max_sectors_kb);
	put_i64(j, "wbt_lat_usec", q->wbt_lat_usec);
	put_i64(j, "nomerges", q->nomerges);
	put_i64(j, "rq_affinity", q->rq_affinity);
	put_i64(j, "rotational", q->rotational);
	put_i64(j, "iostats", q->iostats);
	put_i64(j, "logical_block_size", q->logical_block_size);
	put_i64(j, "physical_block_size", q->physical_block_size);
	put_text(j, "write_cache", q->write_cache);
	json_put_real(j, "age_s", q->age_s);
	json_close(j);
}

static void put_scsi(struct json *j, const struct probe_snapshot *s, const struct probe_scsi *scsi)
{
	if (!scsi->known) {
		json_put_null(j, "scsi");
		return;
	}
	json_open_object(j, "scsi");
	put_text(j, "hctl", scsi->hctl);
	put_text(j, "state", scsi->state);
	put_i64(j, "queue_depth", scsi->queue_depth);
	put_i64(j, "device_busy", scsi->device_busy);
	put_i64(j, "timeout_s", scsi->timeout_s);
	put_i64(j, "io_errors", scsi->io_errors);
	put_text(j, "vendor", scsi->vendor);
	put_text(j, "model", scsi->model);
	put_i64(j, "can_queue", scsi->host >= 0 ? s->host[scsi->host].can_queue : PROBE_UNKNOWN);
	put_text(j, "driver", scsi->host >= 0 ? s->host[scsi->host].driver : "");
	json_close(j);
}

static void put_device(struct json *j, const struct probe_snapshot *s, const struct probe_device *d)
{
	json_open_object(j, NULL);
	json_put_str(j, "name", d->name);
	json_put_str(j, "kind", d->kind);
	put_text(j, "label", d->label);
	json_put_str(j, "state", d->state.word);
	put_letter(j, "letter", d->state.letter);
	put_text(j, "below", d->parent >= 0 ? s->device[d->parent].name : "");
	put_i64(j, "bytes", d->size ? (int64_t)d->size : PROBE_UNKNOWN);
	put_text(j, "policy", d->policy);
	put_i64(j, "inflight_reads", d->inflight_reads);
	put_i64(j, "inflight_writes", d->inflight_writes);
	json_open_object(j, "rates");
	for (int i = 0; i < N_PROBE_RATES; i++)
		json_put_real(j, probe_rates[i].key, probe_rate(d, i));
	json_close(j);
	put_counters(j, d);
	put_queue(j, &d->queue);
	put_scsi(j, s, &d->scsi);
	json_close(j);
}

static void put_paths(struct json *j, const struct probe_snapshot *s)
{
	json_open_array(j, "paths");
	for (uint32_t i = 0; i < s->n_paths; i++) {
		const struct probe_path *p = &s->path[i];

		json_open_object(j, NULL);
		json_put_str(j, "map", p->map);
		put_text(j, "device", p->device);
		json_put_str(j, "dev", p->dev);
		json_put_int(j, "group", p->group);
		put_letter(j, "group_state", p->group_state);
		json_put_str(j, "state", p->failed ? "failed" : "active");
		json_put_int(j, "fails", p->fails);
		put_i64(j, "in_flight", p->in_flight);
		put_text(j, "selector", p->selector);
		json_close(j);
	}
	for (uint32_t i = 0; i < s->n_devices; i++) {
		const struct probe_device *d = &s->device[i];

		if (!d->hidden)
			continue;
		json_open_object(j, NULL);
		put_text(j, "map", d->parent >= 0 ? s->device[d->parent].name : "");
		json_put_str(j, "device", d->name);
		json_put_str(j, "state", d->state.word);
		put_text(j, "ana", d->ana);
		json_close(j);
	}
	json_close(j);
}

/* ---- DASD ---- */

static void put_lcus(struct json *j, const struct probe_snapshot *s)
{
	json_open_array(j, "lcus");
	for (uint32_t i = 0; i < s->n_lcus; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "uid", s->lcu[i].uid);
		json_put_int(j, "bases", s->lcu[i].bases);
		json_put_int(j, "aliases", s->lcu[i].aliases);
		json_put_str(j, "mode", dasd_mode_names[s->lcu[i].mode]);
		json_close(j);
	}
	json_close(j);
}

static void put_statistics(struct json *j, const char *key, const struct dasd_statistics *d)
{
	json_open_object(j, key);
	json_put_real(j, "start_time", d->start_time);
	json_put_int(j, "scale", d->scale);
	for (int i = 0; i < N_DASD_COUNTERS; i++)
		if (d->counters & 1u << i)
			json_put_int(j, dasd_counter_names[i], (int64_t)d->counter[i]);
	for (int h = 0; h < N_DASD_HISTOGRAMS; h++) {
		if (!(d->histograms & 1u << h))
			continue;
		json_open_array(j, dasd_histogram_names[h]);
		for (int i = 0; i < DASD_ROWS; i++)
			json_put_int(j, NULL, (int64_t)d->row[h][i]);
		json_close(j);
	}
	json_close(j);
}

static void put_dasd(struct json *j, const struct probe_snapshot *s)
{
	json_open_object(j, "dasd");
	json_open_array(j, "devices");
	for (uint32_t i = 0; i < s->n_dasd; i++) {
		const struct probe_dasd *d = &s->dasd[i];
		char uid[96];

		text_format(uid, sizeof(uid), "%s.%s%s%s", d->uid.lcu, d->uid.ua, d->uid.vduit[0] ? "." : "", d->uid.vduit);
		json_open_object(j, NULL);
		json_put_str(j, "busid", d->busid);
		json_put_str(j, "role", !d->online ? "offline" : d->alias ? "alias" : "base");
		put_text(j, "name", d->block);
		put_text(j, "uid", d->has_uid ? uid : "");
		put_text(j, "state", d->state_text);
		put_text(j, "discipline", d->discipline);
		put_i64(j, "block_size", d->block_size);
		put_i64(j, "blocks", d->blocks);
		json_close(j);
	}
	json_close(j);
	json_open_array(j, "statistics");
	for (uint32_t i = 0; i < s->n_stats; i++) {
		const struct probe_dasd_stats *d = &s->stats[i];

		json_open_object(j, NULL);
		json_put_str(j, "name", d->name);
		json_put_str(j, "from", d->from);
		json_put_str(j, "state", source_state_names[d->source.state]);
		put_text(j, "reason", d->source.reason);
		json_put_real(j, "alias_share", d->alias_share);
		if (d->source.state == SOURCE_OK)
			put_statistics(j, "since_on", &d->now);
		if (d->has_delta)
			put_statistics(j, "interval", &d->delta);
		json_close(j);
	}
	json_close(j);
	json_close(j);
}

/* ---- the rest ---- */

static void put_md(struct json *j, const struct probe_snapshot *s)
{
	json_open_array(j, "md");
	for (uint32_t i = 0; i < s->n_md; i++) {
		const struct probe_md *m = &s->md[i];

		json_open_object(j, NULL);
		json_put_str(j, "name", m->array.name);
		json_put_str(j, "state", m->array.state);
		put_text(j, "level", m->array.level);
		put_text(j, "up", m->array.up);
		put_text(j, "action", m->array.action);
		put_text(j, "waiting", m->array.waiting);
		json_put_real(j, "percent", m->array.percent);
		put_i64(j, "done_kib", m->array.done_kib < 0 ? PROBE_UNKNOWN : m->array.done_kib);
		put_i64(j, "total_kib", m->array.total_kib < 0 ? PROBE_UNKNOWN : m->array.total_kib);
		put_i64(j, "speed_kib_s", m->speed_kib);
		put_i64(j, "speed_min_kib_s", m->speed_min_kib);
		put_i64(j, "speed_max_kib_s", m->speed_max_kib);
		put_i64(j, "degraded", m->degraded);
		json_put_real(j, "minutes_left", m->array.finish_min);
		json_close(j);
	}
	json_close(j);
}

static void put_network(struct json *j, const struct probe_snapshot *s)
{
	json_open_array(j, "iscsi");
	for (uint32_t i = 0; i < s->n_iscsi; i++) {
		const struct probe_iscsi *t = &s->iscsi[i];

		json_open_object(j, NULL);
		json_put_str(j, "session", t->name);
		put_text(j, "target", t->target);
		put_text(j, "state", t->state);
		put_text(j, "connection", t->connection_state);
		put_text(j, "address", t->address);
		put_i64(j, "port", t->port);
		put_i64(j, "recovery_tmo_s", t->recovery_off ? PROBE_UNKNOWN : t->recovery_tmo);
		put_text(j, "link", t->netdev);
		json_close(j);
	}
	json_close(j);
	json_open_array(j, "links");
	for (uint32_t i = 0; i < s->n_links; i++) {
		const struct probe_link *l = &s->link[i];

		json_open_object(j, NULL);
		json_put_str(j, "name", l->name);
		json_put_str(j, "state", l->oper);
		json_put_int(j, "mtu", l->mtu);
		json_put_int(j, "rx_bytes", (int64_t)l->rx_bytes);
		json_put_int(j, "tx_bytes", (int64_t)l->tx_bytes);
		json_put_int(j, "rx_errors", (int64_t)l->rx_errors);
		json_put_int(j, "tx_errors", (int64_t)l->tx_errors);
		json_put_int(j, "rx_dropped", (int64_t)l->rx_dropped);
		json_put_int(j, "tx_dropped", (int64_t)l->tx_dropped);
		json_put_real(j, "rx_bytes_per_s", l->rx_bytes_s);
		json_put_real(j, "tx_bytes_per_s", l->tx_bytes_s);
		json_close(j);
	}
	json_close(j);
	json_open_array(j, "fc_ports");
	for (uint32_t i = 0; i < s->n_ports; i++) {
		const struct probe_port *p = &s->port[i];

		json_open_object(j, NULL);
		json_put_str(j, "name", p->name);
		put_text(j, "port_name", p->port_name);
		put_text(j, "state", p->state);
		put_text(j, "roles", p->roles);
		put_i64(j, "dev_loss_tmo_s", p->dev_loss_tmo);
		put_i64(j, "fast_io_fail_tmo_s", p->fast_io_fail_tmo);
		json_close(j);
	}
	json_close(j);
}

/* Histograms of the device mapper, in the unit it counts in. */
static void put_regions(struct json *j, const struct probe_snapshot *s)
{
	json_open_array(j, "dm_statistics");
	for (uint32_t i = 0; i < s->n_regions; i++) {
		const struct dm_stats *d = &s->region[i].stats;

		json_open_object(j, NULL);
		json_put_str(j, "map", s->region[i].map);
		json_put_int(j, "region", (int64_t)d->id);
		json_put_str(j, "unit", d->precise ? "ns" : "ms");
		json_put_int(j, "reads", (int64_t)d->reads);
		json_put_int(j, "writes", (int64_t)d->writes);
		json_open_array(j, "bounds");
		for (uint32_t k = 0; k < d->n_bounds; k++)
			json_put_int(j, NULL, (int64_t)d->bound[k]);
		json_close(j);
		json_open_array(j, "histogram");
		for (uint32_t k = 0; k < d->n_buckets; k++)
			json_put_int(j, NULL, (int64_t)d->bucket[k]);
		json_close(j);
		json_close(j);
	}
	json_close(j);
}

static void put_system(struct json *j, const struct probe_snapshot *s)
{
	json_open_object(j, "pressure");
	json_put_real(j, "some_avg10", s->pressure.known ? s->pressure.some10 : NAN);
	json_put_real(j, "full_avg10", s->pressure.known ? s->pressure.full10 : NAN);
	json_close(j);
	json_open_object(j, "cpu");
	json_put_real(j, "busy", s->cpu_busy);
	json_put_real(j, "iowait", s->cpu_iowait);
	json_close(j);
	json_open_object(j, "sources");
	for (int i = 0; i < N_PROBES; i++) {
		json_open_object(j, probe_table[i].name);
		json_put_str(j, "state", source_state_names[s->source[i].state]);
		put_text(j, "reason", s->source[i].reason);
		json_put_str(j, "where", probe_table[i].what);
		json_close(j);
	}
	json_close(j);
}

int probe_report_json(const struct probe_snapshot *s, const struct probe_events *e, FILE *f)
{
	struct json *j = json_new();
	int code;

	if (!j)
		return -ENOMEM;
	json_put_str(j, "schema", "iodeck/1");
	json_put_int(j, "sample", (int64_t)s->number);
	json_put_int(j, "time", s->wall_s);
	json_put_real(j, "interval_s", s->interval_s);
	json_put_real(j, "cost_s", s->cost_s);
	json_open_array(j, "devices");
	for (uint32_t i = 0; i < s->n_devices; i++)
		put_device(j, s, &s->device[i]);
	json_close(j);
	json_put_int(j, "devices_left_out", (int64_t)(s->n_devices_all - s->n_devices));
	put_paths(j, s);
	put_lcus(j, s);
	put_dasd(j, s);
	put_md(j, s);
	put_network(j, s);
	put_regions(j, s);
	probe_events_json(e, j);
	put_system(j, s);
	code = json_write(j, f);
	json_free(j);
	return code;
}
