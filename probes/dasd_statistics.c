/* /proc/dasd/statistics and the debugfs statistics of DASDs. */
#include <math.h>
#include <string.h>

#include "dasd_text.h"
#include "words.h"

const char *const dasd_histogram_names[N_DASD_HISTOGRAMS] = {
	[DASD_SIZES] = "histogram_sectors",
	[DASD_TOTAL] = "histogram_io_times",
	[DASD_TOTAL_SECTOR] = "histogram_io_times_weighted",
	[DASD_TO_SSCH] = "histogram_time_build_to_ssch",
	[DASD_TO_IRQ] = "histogram_time_ssch_to_irq",
	[DASD_TO_IRQ_SECTOR] = "histogram_time_ssch_to_irq_weighted",
	[DASD_TO_END] = "histogram_time_irq_to_end",
	[DASD_QUEUE] = "histogram_ccw_queue_length",
	[DASD_READ_SIZES] = "histogram_read_sectors",
	[DASD_READ_TOTAL] = "histogram_read_times",
	[DASD_READ_TO_SSCH] = "histogram_read_time_build_to_ssch",
	[DASD_READ_TO_IRQ] = "histogram_read_time_ssch_to_irq",
	[DASD_READ_TO_END] = "histogram_read_time_irq_to_end",
	[DASD_READ_QUEUE] = "histogram_read_ccw_queue_length",
};

const char *const dasd_counter_names[N_DASD_COUNTERS] = {
	[DASD_REQUESTS] = "total_requests",
	[DASD_SECTORS] = "total_sectors",
	[DASD_PAV] = "total_pav",
	[DASD_HPF] = "total_hpf",
	[DASD_AVG_TOTAL] = "avg_total",
	[DASD_AVG_TO_SSCH] = "avg_build_to_ssch",
	[DASD_AVG_TO_IRQ] = "avg_ssch_to_irq",
	[DASD_AVG_TO_END] = "avg_irq_to_end",
	[DASD_READ_REQUESTS] = "total_read_requests",
	[DASD_READ_SECTORS] = "total_read_sectors",
	[DASD_READ_PAV] = "total_read_pav",
	[DASD_READ_HPF] = "total_read_hpf",
};

/* Titles of the tables in /proc, by what they begin with; a longer one that begins like another stands before it. */
static const struct {
	const char *title;
	enum dasd_histogram h;
} titles[] = {
	{ "Histogram of sizes", DASD_SIZES },
	{ "Histogram of I/O times per sector", DASD_TOTAL_SECTOR },
	{ "Histogram of I/O times", DASD_TOTAL },
	{ "Histogram of I/O time till ssch", DASD_TO_SSCH },
	{ "Histogram of I/O time between ssch and irq per sector", DASD_TO_IRQ_SECTOR },
	{ "Histogram of I/O time between ssch and irq", DASD_TO_IRQ },
	{ "Histogram of I/O time between irq and end", DASD_TO_END },
	{ "# of req in chanq at enqueuing", DASD_QUEUE },
};
enum { N_TITLES = sizeof(titles) / sizeof(titles[0]), HALF = DASD_ROWS / 2 };

static enum source_state wrong(const char **why, const char *text)
{
	*why = text;
	return SOURCE_MALFORMED;
}

/* Exactly `n` numbers and nothing else. */
static bool take_row(struct words line, uint64_t *row, int n)
{
	struct words more;

	for (int i = 0; i < n; i++)
		if (!words_u64(&line, &row[i]))
			return false;
	return !words_next(&line, &more);
}

/* "56881 dasd I/O requests" is printed signed; the counter is unsigned 32 bit. */
static bool take_requests(struct words line, uint64_t *requests)
{
	struct words word;
	int64_t n;

	if (!words_next(&line, &word) || !words_to_i64(&word, &n) || n < INT32_MIN || n > UINT32_MAX)
		return false;
	*requests = (uint32_t)n;
	return words_skip(&line, "dasd I/O requests");
}

static bool take_sectors(struct words line, uint64_t *sectors)
{
	return words_skip(&line, "with ") && words_u64(&line, sectors) && words_skip(&line, "sectors");
}

/* The line of the scale factor, and the two of headings, from `line` on. */
static bool take_heading(struct words *rest, struct words *line, uint32_t *scale)
{
	struct words trial = *line;
	uint64_t factor;

	*scale = 1;
	if (words_skip(&trial, "Scale Factor is")) {
		if (!words_u64(&trial, &factor) || !factor || factor > 1000000000 || !words_line(rest, line))
			return false;
		*scale = (uint32_t)factor;
	}
	trial = *line;
	return words_skip(&trial, "__<4") && words_line(rest, line) && (trial = *line, words_skip(&trial, "_256"));
}

static int histogram_of(const struct words *title)
{
	for (int i = 0; i < N_TITLES; i++)
		if (words_starts(title, titles[i].title))
			return (int)titles[i].h;
	return -1;
}

static enum source_state take_tables(struct words *rest, struct dasd_statistics *out, const char **why)
{
	struct words line;

	while (words_line(rest, &line)) {
		int h = histogram_of(&line);
		uint64_t row[DASD_ROWS];

		if (h < 0)
			return wrong(why, "has a table with an unknown title");
		if (!words_line(rest, &line) || !take_row(line, row, HALF) || !words_line(rest, &line) || !take_row(line, row + HALF, HALF))
			return wrong(why, "has a table that is cut or not made of 32 numbers");
		for (int i = 0; i < DASD_ROWS; i++)
			out->row[h][i] = row[i] * out->scale;
		out->histograms |= 1u << h;
	}
	return words_empty(rest) ? SOURCE_OK : wrong(why, "ends in the middle of a line");
}

enum source_state dasd_parse_proc(const char *text, size_t length, struct dasd_statistics *out, const char **why)
{
	struct words rest = words_of(text, length), line;

	*out = (struct dasd_statistics){ .start_time = NAN, .scale = 1 };
	if (!words_line(&rest, &line))
		return wrong(why, length ? "ends in the middle of a line" : "is empty");
	if (words_starts(&line, "Statistics are off")) {
		*why = "statistics are off (set on > /proc/dasd/statistics switches them on)";
		return SOURCE_DISABLED;
	}
	if (words_starts(&line, "Statistics are not activated")) {
		*why = "statistics are not built into this kernel";
		return SOURCE_DISABLED;
	}
	if (!take_requests(line, &out->counter[DASD_REQUESTS]))
		return wrong(why, "does not begin with the number of requests");
	if (!words_line(&rest, &line) || !take_sectors(line, &out->counter[DASD_SECTORS]))
		return wrong(why, "lacks the number of sectors");
	out->counters = 1u << DASD_REQUESTS | 1u << DASD_SECTORS;
	if (!words_line(&rest, &line) || !take_heading(&rest, &line, &out->scale))
		return wrong(why, "lacks the headings of its columns");
	return take_tables(&rest, out, why);
}

static bool take_debugfs_line(struct words line, struct dasd_statistics *out)
{
	struct words name, value;

	if (!words_next(&line, &name))
		return false;
	if (words_is(&name, "start_time"))
		return words_next(&line, &value) && words_to_real(&value, &out->start_time);
	for (uint32_t i = 0; i < N_DASD_COUNTERS; i++) {
		if (!words_is(&name, dasd_counter_names[i]))
			continue;
		out->counters |= 1u << i;
		return take_row(line, &out->counter[i], 1);
	}
	for (uint32_t i = 0; i < N_DASD_HISTOGRAMS; i++) {
		if (!words_is(&name, dasd_histogram_names[i]))
			continue;
		out->histograms |= 1u << i;
		return take_row(line, out->row[i], DASD_ROWS);
	}
	return true; /* of a newer kernel */
}

enum source_state dasd_parse_debugfs(const char *text, size_t length, struct dasd_statistics *out, const char **why)
{
	struct words rest = words_of(text, length), line;

	*out = (struct dasd_statistics){ .start_time = NAN, .scale = 1 };
	while (words_line(&rest, &line)) {
		if (words_is(&line, "disabled")) {
			*why = "statistics are off (on > this file switches them on)";
			return SOURCE_DISABLED;
		}
		if (!take_debugfs_line(line, out))
			return wrong(why, "has a line that is cut or not made of numbers");
	}
	if (!words_empty(&rest))
		return wrong(why, "ends in the middle of a line");
	return out->counters & 1u << DASD_REQUESTS ? SOURCE_OK : wrong(why, "lacks the number of requests");
}

bool dasd_statistics_delta(const struct dasd_statistics *a, const struct dasd_statistics *b, struct dasd_statistics *out)
{
	static const uint32_t averages = 1u << DASD_AVG_TOTAL | 1u << DASD_AVG_TO_SSCH | 1u << DASD_AVG_TO_IRQ | 1u << DASD_AVG_TO_END;
	bool moved = a->start_time != b->start_time && !(isnan(a->start_time) && isnan(b->start_time));

	/* the driver zeroes everything when the requests would pass 2^32, so less than before is a reset, never a wrap */
	if (moved || a->scale != b->scale || b->counter[DASD_REQUESTS] < a->counter[DASD_REQUESTS])
		return false;
	*out = (struct dasd_statistics){ .start_time = b->start_time, .scale = b->scale };
	out->counters = a->counters & b->counters & ~averages;
	out->histograms = a->histograms & b->histograms;
	for (int i = 0; i < N_DASD_COUNTERS; i++)
		if (out->counters & 1u << i)
			out->counter[i] = (uint32_t)(b->counter[i] - a->counter[i]);
	for (int h = 0; h < N_DASD_HISTOGRAMS; h++) {
		if (!(out->histograms & 1u << h))
			continue;
		for (int i = 0; i < DASD_ROWS; i++) {
			if (b->row[h][i] < a->row[h][i])
				return false;
			out->row[h][i] = b->row[h][i] - a->row[h][i];
		}
	}
	return true;
}
