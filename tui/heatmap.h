/* TOTAL time over time: log2 buckets upwards, the columns of the strips, and as much ink as a bucket
 * had requests. */
#ifndef IODECK_HEATMAP_H
#define IODECK_HEATMAP_H

#include "chart.h"

enum { HEAT_LEVELS = 5 };
/* Ink of a share 0..1: 0 none, 1..5 from a trace to half and more. */
int heat_level(double share);

/* A title row that says what the ink means, then one row a bucket, slow at the top; the outer two
 * hold the tails. Stands on the same time axis as the strips and carries their marks. */
void heatmap_draw(struct canvas *c, struct rect part, const struct snapshot *s,
		  const struct time_axis *t);

#endif
