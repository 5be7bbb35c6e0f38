/* Figures as the deck writes them. All return `buf`; unknown (NaN) is "-", never 0. */
#ifndef IODECK_FIGURES_H
#define IODECK_FIGURES_H

#include <stddef.h>
#include <stdint.h>

enum { FIGURE_ROOM = 48 };

/* "00:42", "1:00:42"; with `tenths` "00:42.3". Negative time is "-". */
char *figure_clock(char *buf, size_t room, int64_t ns, int tenths);
/* A ratio against the baseline with its 95 % interval: "+43% [39,47]", "x16.4 [16.3,16.5]" from 2
 * on, "~0" when the interval holds 1. Without an interval (NaN) only the ratio. */
char *figure_ratio(char *buf, size_t room, double ratio, double low, double high);
/* The ratio alone: "+43%", "x16.4", "~0". */
char *figure_ratio_short(char *buf, size_t room, double ratio, double low, double high);
/* Bytes per second as decimal MB/s: "0.41", "12.4", "203". */
char *figure_mbps(char *buf, size_t room, double bytes_per_s);
/* Share 0..1: "38%", " <1%" for something that would round to nothing. */
char *figure_share(char *buf, size_t room, double share);
/* Seconds with 3 digits: "1.29", "21.0", "345". */
char *figure_seconds(char *buf, size_t room, double s);
/* "x1", "x0.5", "max" for 0. */
char *figure_speed(char *buf, size_t room, double speed);

#endif
