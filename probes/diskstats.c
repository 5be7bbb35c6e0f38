#include "diskstats.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "words.h"

enum { FIELDS_MAX = 17, FIELDS_MIN = 11, FIELDS_DISCARD = 15, PARTITION_FIELDS = 4 };

/* Fields behind the name into the counters. */
static bool take_fields(struct words line, struct disk_counters *c)
{
	uint64_t f[FIELDS_MAX] = { 0 };
	struct words word;
	uint32_t n = 0;

	while (words_next(&line, &word)) {
		uint64_t value;

		if (!words_to_u64(&word, &value))
			return false;
		if (n < FIELDS_MAX)
			f[n] = value;
		n++;
	}
	/* a part of the group of discards or flushes is no known form */
	if (n < FIELDS_MIN || (n > FIELDS_MIN && n < FIELDS_DISCARD) || n == FIELDS_DISCARD + 1)
		return false;
	*c = (struct disk_counters){
		.n_fields = n < FIELDS_MAX ? n : FIELDS_MAX,
		.reads = f[0], .reads_merged = f[1], .sectors_read = f[2], .read_ms = (uint32_t)f[3],
		.writes = f[4], .writes_merged = f[5], .sectors_written = f[6], .write_ms = (uint32_t)f[7],
		.in_flight = f[8], .busy_ms = (uint32_t)f[9], .queue_ms = (uint32_t)f[10],
		.discards = f[11], .discards_merged = f[12], .sectors_discarded = f[13], .discard_ms = (uint32_t)f[14],
		.flushes = f[15], .flush_ms = (uint32_t)f[16],
	};
	return true;
}

static bool is_old_partition(struct words line)
{
	struct words word;
	uint64_t value;
	uint32_t n = 0;

	while (words_next(&line, &word)) {
		if (!words_to_u64(&word, &value))
			return false;
		n++;
	}
	return n == PARTITION_FIELDS;
}

int diskstats_next(const char **at, const char *end, struct disk_line *out)
{
	struct words rest = { *at, end }, line, name;
	uint64_t major, minor;

	while (words_line(&rest, &line)) {
		*at = rest.at;
		if (!words_u64(&line, &major) || !words_u64(&line, &minor) || !words_next(&line, &name) || major > UINT32_MAX ||
		    minor > UINT32_MAX)
			return -EINVAL;
		if (is_old_partition(line))
			continue;
		out->major = (uint32_t)major;
		out->minor = (uint32_t)minor;
		words_copy(&name, out->name, sizeof(out->name));
		return take_fields(line, &out->c) ? 1 : -EINVAL;
	}
	*at = end;
	return words_empty(&rest) ? 0 : -EINVAL;
}

int diskstats_parse_stat(const char *text, size_t length, struct disk_counters *out)
{
	struct words rest = words_of(text, length), line;

	return words_line(&rest, &line) && words_empty(&rest) && take_fields(line, out) ? 0 : -EINVAL;
}

int diskstats_parse_inflight(const char *text, size_t length, int64_t *reads, int64_t *writes)
{
	struct words rest = words_of(text, length), line, more;
	uint64_t r, w;

	if (!words_line(&rest, &line) || !words_u64(&line, &r) || !words_u64(&line, &w) || words_next(&line, &more) || r > UINT32_MAX ||
	    w > UINT32_MAX)
		return -EINVAL;
	*reads = (int64_t)r;
	*writes = (int64_t)w;
	return 0;
}

void diskstats_no_rates(struct disk_rates *out)
{
	*out = (struct disk_rates){
		NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false,
	};
}

/* Difference of a long that only grows. A 32 bit kernel's wraps at 2^32: believed when it was in the upper half and is in the lower. */
static bool grown(uint64_t before, uint64_t now, uint64_t *delta)
{
	if (now >= before)
		*delta = now - before;
	else if (before <= UINT32_MAX && before > INT32_MAX && now <= INT32_MAX)
		*delta = (uint32_t)((uint32_t)now - (uint32_t)before);
	else
		return false;
	return true;
}

struct group {
	uint64_t done, merged, sectors;
	uint32_t ms;
};
/* Where the figures of one direction go, in the order of struct disk_rates. */
enum { RATE, KB, MERGE_RATE, MERGE_SHARE, AWAIT, SIZE, N_GROUP_RATES };

static void group_rates(const struct group *g, double seconds, double *out)
{
	double done = (double)g->done, asked = (double)(g->done + g->merged);

	out[RATE] = done / seconds;
	out[KB] = (double)g->sectors / 2 / seconds;
	out[MERGE_RATE] = (double)g->merged / seconds;
	out[MERGE_SHARE] = g->merged ? 100 * (double)g->merged / asked : 0;
	out[AWAIT] = g->done ? g->ms / done : 0;
	out[SIZE] = g->done ? (double)g->sectors / 2 / done : 0;
}

bool diskstats_rates(const struct disk_counters *a, const struct disk_counters *b, double seconds, struct disk_rates *out)
{
	struct group r = { .ms = b->read_ms - a->read_ms }, w = { .ms = b->write_ms - a->write_ms }, d = { .ms = b->discard_ms - a->discard_ms };
	uint64_t flushes;
	double f[3][N_GROUP_RATES];

	diskstats_no_rates(out);
	if (!(seconds > 0) || a->n_fields != b->n_fields || !grown(a->reads, b->reads, &r.done) || !grown(a->writes, b->writes, &w.done) ||
	    !grown(a->reads_merged, b->reads_merged, &r.merged) || !grown(a->writes_merged, b->writes_merged, &w.merged) ||
	    !grown(a->sectors_read, b->sectors_read, &r.sectors) || !grown(a->sectors_written, b->sectors_written, &w.sectors) ||
	    !grown(a->discards, b->discards, &d.done) || !grown(a->discards_merged, b->discards_merged, &d.merged) ||
	    !grown(a->sectors_discarded, b->sectors_discarded, &d.sectors) || !grown(a->flushes, b->flushes, &flushes))
		return false;
	group_rates(&r, seconds, f[0]);
	group_rates(&w, seconds, f[1]);
	group_rates(&d, seconds, f[2]);
	*out = (struct disk_rates){
		f[0][0], f[0][1], f[0][2], f[0][3], f[0][4], f[0][5], f[1][0], f[1][1], f[1][2], f[1][3], f[1][4], f[1][5],
		f[2][0], f[2][1], f[2][2], f[2][3], f[2][4], f[2][5],
		.f_s = (double)flushes / seconds,
		.f_await = flushes ? (double)(uint32_t)(b->flush_ms - a->flush_ms) / (double)flushes : 0,
		.aqu_sz = (double)(uint32_t)(b->queue_ms - a->queue_ms) / 1000 / seconds,
		.util = (double)(uint32_t)(b->busy_ms - a->busy_ms) / 10 / seconds,
		.stalled = b->in_flight && !r.done && !w.done && !d.done && !flushes,
	};
	/* jiffies are coarser than the interval's ends */
	if (out->util > 100)
		out->util = 100;
	if (a->n_fields < FIELDS_DISCARD)
		out->d_s = out->dkb_s = out->drqm_s = out->drqm = out->d_await = out->dareq_sz = NAN;
	if (a->n_fields < FIELDS_MAX)
		out->f_s = out->f_await = NAN;
	return true;
}
