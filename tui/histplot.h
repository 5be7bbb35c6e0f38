/* The two histograms side by side: the window now, the window before as a ghost, the same bins. */
#ifndef IODECK_HISTPLOT_H
#define IODECK_HISTPLOT_H

#include "canvas.h"
#include "snapshot.h"

enum { BINS_MAX = 32, BINS_MAX_VIEWS = 4 };

/* Bin i holds the log2 rows first[i] .. first[i + 1] - 1 of the snapshot; the outer two take the
 * tails, so that the shares of all bins add up to 1. */
struct bins {
	int n;
	uint32_t first[BINS_MAX + 1];
	int label_width;
	double scale; /* share that fills a bar: 0.25, 0.5, 0.75 or 1 */
};

/* At most `n` bins (n >= 2) that show where TOTAL and DEVICE are, now and before. */
void bins_choose(struct bins *b, const struct snapshot *s, int n);
/* The same for any views, at most BINS_MAX_VIEWS of them. */
void bins_choose_for(struct bins *b, const struct lat_view *const *view, int n_views, int n);
/* "<.25", ".5-1", ">=16": milliseconds (a power of two in us, named as people do), from 1024 ms in
 * s. */
void bins_label(const struct bins *b, int bin, char *buf, size_t room);
/* Share of bin `bin`; NaN while n = 0. */
double bins_share(const struct bins *b, const struct lat_view *v, int bin);

/* One panel: a title row, then one row a bin, as many as the part has room for. */
struct histplot {
	const char *title;
	enum role role;
	const struct lat_view *now, *before; /* borrowed; before NULL: no ghost */
};
void histplot_draw(struct canvas *c, struct rect part, const struct histplot *h,
		   const struct bins *b);

#endif
