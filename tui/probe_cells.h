/* A device as cells of text: the same for the table of `iodeck probe` and for view 5. */
#ifndef IODECK_PROBE_CELLS_H
#define IODECK_PROBE_CELLS_H

#include <stddef.h>

#include "probes.h"

/* A column. `rank`: the lower, the longer it stays when there is little room; 0: always. */
struct probe_column {
	const char *heading;
	int width;
	bool right;
	int rank;
	void (*text)(const struct probe_snapshot *s, const struct probe_device *d, char *buf, size_t room);
};
enum { N_PROBE_COLUMNS = 20 };
extern const struct probe_column probe_columns[N_PROBE_COLUMNS];

/* Which columns fit into `room` cells with one blank between them: their numbers in order go to `chosen`; how many. */
int probe_columns_fit(int room, int chosen[N_PROBE_COLUMNS]);

/* Numbers for people; "-" for what is not known. Return buf. */
char *probe_count(char *buf, size_t room, double value);
char *probe_number(char *buf, size_t room, int64_t value);
char *probe_ms(char *buf, size_t room, double ms);
/* "07:12:00" of the day in UTC, "2010-09-03 12:56:18 UTC" with `date`. */
char *probe_time(char *buf, size_t room, int64_t wall_s, bool date);
/* "hyperpav: 2 bases, pool of 2 aliases". */
char *probe_lcu_text(char *buf, size_t room, const struct probe_lcu *lcu);
/* "resync 52.3 % of 95 MiB, 1299 KiB/s, 0.5 min left". */
char *probe_md_text(char *buf, size_t room, const struct probe_md *m);
/* "128 us" for the upper edge of a row of DASD histograms, "more" for the last. */
char *probe_edge(char *buf, size_t room, int row);
/* The sources that have something to say, each with its reason: the i-th, false beyond. */
bool probe_complaint(const struct probe_snapshot *s, int i, char *buf, size_t room);

#endif
