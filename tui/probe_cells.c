#include "probe_cells.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"

/* ---- numbers ---- */

char *probe_count(char *buf, size_t room, double value) { return units_format_count(buf, room, value); }

char *probe_number(char *buf, size_t room, int64_t value)
{
	if (value == PROBE_UNKNOWN)
		text_format(buf, room, "-");
	else
		text_format(buf, room, "%lld", (long long)value);
	return buf;
}

char *probe_ms(char *buf, size_t room, double ms) { return units_format_ms(buf, room, ms * 1e6); }

static void decimal(char *buf, size_t room, double value)
{
	if (!isfinite(value))
		text_format(buf, room, "-");
	else
		text_format(buf, room, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
}

char *probe_time(char *buf, size_t room, int64_t wall_s, bool date)
{
	time_t t = (time_t)wall_s;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(buf, room, date ? "%Y-%m-%d %H:%M:%S UTC" : "%H:%M:%S", &tm))
		text_format(buf, room, "-");
	return buf;
}

char *probe_edge(char *buf, size_t room, int row)
{
	unsigned exponent = (unsigned)row + 2;

	if (row == DASD_ROWS - 1)
		text_format(buf, room, "more");
	else if (exponent < 10)
		text_format(buf, room, "%u us", 1u << exponent);
	else if (exponent < 20)
		text_format(buf, room, "%u ms", 1u << (exponent - 10));
	else
		text_format(buf, room, "%u s", 1u << (exponent - 20));
	return buf;
}

/* ---- cells ---- */

#define CELL(name) static void name(const struct probe_snapshot *s, const struct probe_device *d, char *buf, size_t room)
#define CELL_OF(name, call) \
	CELL(name)          \
	{                   \
		(void)s;    \
		call;       \
	}

CELL_OF(cell_name, text_format(buf, room, "%*s%c%s", d->depth * 2, "", d->state.letter, d->name))
CELL_OF(cell_kind, text_format(buf, room, "%s", d->kind))
CELL_OF(cell_state, text_format(buf, room, "%s", d->state.word))
CELL_OF(cell_r, probe_count(buf, room, d->rates.r_s))
CELL_OF(cell_w, probe_count(buf, room, d->rates.w_s))
CELL_OF(cell_mb, probe_count(buf, room, (d->rates.rkb_s + d->rates.wkb_s) * 1024 / 1e6))
CELL_OF(cell_aqu, decimal(buf, room, d->rates.aqu_sz))
CELL_OF(cell_r_await, probe_ms(buf, room, d->rates.r_s > 0 ? d->rates.r_await : NAN))
CELL_OF(cell_w_await, probe_ms(buf, room, d->rates.w_s > 0 ? d->rates.w_await : NAN))
CELL_OF(cell_f, probe_count(buf, room, d->rates.f_s))
CELL_OF(cell_util, text_format(buf, room, isfinite(d->rates.util) ? "%.0f" : "-", d->rates.util))
CELL_OF(cell_sched, text_format(buf, room, "%s", d->queue.known && d->queue.scheduler[0] ? d->queue.scheduler : "-"))
CELL_OF(cell_nr, probe_number(buf, room, d->queue.known ? d->queue.nr_requests : PROBE_UNKNOWN))
CELL_OF(cell_qd, probe_number(buf, room, d->scsi.known ? d->scsi.queue_depth : PROBE_UNKNOWN))
CELL_OF(cell_rareq, decimal(buf, room, d->rates.r_s > 0 ? d->rates.rareq_sz : NAN))
CELL_OF(cell_wareq, decimal(buf, room, d->rates.w_s > 0 ? d->rates.wareq_sz : NAN))
CELL_OF(cell_label, text_format(buf, room, "%s%s%s", d->label, d->label[0] && d->policy[0] ? " " : "", d->policy))

CELL_OF(cell_inflight, probe_number(buf, room, d->inflight_reads == PROBE_UNKNOWN ? (d->counted ? (int64_t)d->counters.in_flight : PROBE_UNKNOWN)
										  : d->inflight_reads + d->inflight_writes))
CELL_OF(cell_size, probe_count(buf, room, d->size ? (double)d->size : NAN))

CELL(cell_lcu)
{
	const struct probe_dasd *dasd = d->dasd >= 0 ? &s->dasd[d->dasd] : NULL;

	text_format(buf, room, "%s", dasd && dasd->lcu >= 0 ? s->lcu[dasd->lcu].uid : "");
}

const struct probe_column probe_columns[N_PROBE_COLUMNS] = {
	{ "DEVICE", 13, false, 0, cell_name },
	{ "KIND", 6, false, 5, cell_kind },
	{ "STATE", 8, false, 1, cell_state },
	{ "r/s", 5, true, 1, cell_r },
	{ "w/s", 5, true, 1, cell_w },
	{ "MB/s", 5, true, 2, cell_mb },
	{ "aqu-sz", 6, true, 3, cell_aqu },
	{ "r_await", 7, true, 2, cell_r_await },
	{ "w_await", 7, true, 2, cell_w_await },
	{ "%util", 5, true, 4, cell_util },
	{ "fly", 4, true, 6, cell_inflight },
	{ "sched", 11, false, 7, cell_sched },
	{ "nr_rq", 5, true, 7, cell_nr },
	{ "qd", 4, true, 7, cell_qd },
	{ "f/s", 5, true, 9, cell_f },
	{ "rareq", 5, true, 9, cell_rareq },
	{ "wareq", 5, true, 9, cell_wareq },
	{ "size", 5, true, 8, cell_size },
	{ "LCU", 25, false, 11, cell_lcu },
	{ "what", 22, false, 10, cell_label },
};

int probe_columns_fit(int room, int chosen[N_PROBE_COLUMNS])
{
	int used = -1, n = 0, last = 0;

	/* ranks are taken one by one until one does not fit whole */
	for (int rank = 0; rank <= 11; rank++) {
		int need = 0;

		for (int i = 0; i < N_PROBE_COLUMNS; i++)
			need += probe_columns[i].rank == rank ? probe_columns[i].width + 1 : 0;
		if (rank && used + need > room)
			break;
		used += need;
		last = rank;
	}
	for (int i = 0; i < N_PROBE_COLUMNS; i++)
		if (probe_columns[i].rank <= last)
			chosen[n++] = i;
	return n;
}

/* ---- sentences ---- */

char *probe_lcu_text(char *buf, size_t room, const struct probe_lcu *lcu)
{
	text_format(buf, room, "%s: %u base%s, %s %u alias%s", dasd_mode_names[lcu->mode], lcu->bases, lcu->bases == 1 ? "" : "s",
		    lcu->mode == DASD_MODE_HYPERPAV ? "pool of" : "and", lcu->aliases, lcu->aliases == 1 ? "" : "es");
	return buf;
}

char *probe_md_text(char *buf, size_t room, const struct probe_md *m)
{
	const struct md_array *a = &m->array;
	size_t n = text_format(buf, room, "%s%s%s %s", a->state, a->level[0] ? " " : "", a->level, a->up);

	if (isfinite(a->percent))
		text_format(buf + n, room - n, "  %s %.1f %%, %lld KiB/s, %.1f min left", a->action, a->percent, (long long)a->speed_kib_s,
			    a->finish_min);
	else if (a->waiting[0])
		text_format(buf + n, room - n, "  %s %s", a->action, a->waiting);
	return buf;
}

bool probe_complaint(const struct probe_snapshot *s, int i, char *buf, size_t room)
{
	for (int k = 0; k < N_PROBES; k++) {
		const struct probe_source *source = &s->source[k];

		if ((source->state == SOURCE_OK && !source->reason[0]) || i-- > 0)
			continue;
		text_format(buf, room, "%-10s %-10s %s", probe_table[k].name, source_state_names[source->state], source->reason);
		return true;
	}
	return false;
}
