/* When to draw. Frames come four times a second, ten times for a second after a key; on a slow line
 * once a second. A line is slow by its speed, or because it had not taken the last frame when the
 * next was due, three times in a row; then it is taken for a fast one again after ten seconds
 * without that, and after twice as long each time it was not one. No clock here: time is handed in,
 * in ns. */
#ifndef IODECK_PACE_H
#define IODECK_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
	bool slow_speed; /* 19200 baud or less: slow for good */
	bool lagging;	 /* slow because of skipped frames */
	int skips;	 /* frames skipped in a row */
	int64_t drawn_ns, key_ns;
	int64_t tried_ns;   /* the last frame, drawn or skipped */
	int64_t painted_ns; /* the last time everything was sent */
	int64_t calm_ns;    /* since then nothing was skipped */
	int64_t patience_ns; /* so long must it be calm; 0: the shortest time */
	int64_t left_ns;    /* when it was last taken for a fast one again */
};

enum pace_turn {
	PACE_WAIT,
	PACE_DRAW,
	PACE_PAINT, /* draw, and send everything: what others wrote on the screen goes away */
};

void pace_start(struct pace *p, int64_t now_ns, bool slow_speed);
void pace_key(struct pace *p, int64_t now_ns);
/* What to do now. `dirty`: there is something to show before the next frame is due; `busy`: the line
 * still has bytes of the last one. */
enum pace_turn pace_turn(struct pace *p, int64_t now_ns, bool dirty, bool busy);
/* A frame was drawn without being asked for by pace_turn. */
void pace_drawn(struct pace *p, int64_t now_ns);
/* How long nothing needs to be done, in ms, at least 0. */
int pace_timeout_ms(const struct pace *p, int64_t now_ns, bool dirty);
bool pace_slow(const struct pace *p);

#endif
