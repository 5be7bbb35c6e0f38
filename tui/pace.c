#include "pace.h"

#include "base/clock.h"

#define FRAME_NS	   (250 * NS_PER_MS)
#define FRAME_AFTER_KEY_NS (100 * NS_PER_MS)
#define FRAME_SLOW_NS	   (1000 * NS_PER_MS)
#define SLOW_ANSWER_NS	   (100 * NS_PER_MS) /* frames for keys on a slow line are so far apart */
#define RETRY_NS	   (10 * NS_PER_MS)  /* looks at a busy line */
#define AFTER_KEY_NS	   (1 * NS_PER_S)
#define PAINT_NS	   (60 * NS_PER_S)
#define PATIENCE_NS	   (10 * NS_PER_S)
#define MOST_PATIENCE_NS   (320 * NS_PER_S)
#define RELAPSE_NS	   (60 * NS_PER_S)

enum { SKIPS_TO_SLOW = 3 };

void pace_start(struct pace *p, int64_t now_ns, bool slow_speed)
{
	*p = (struct pace){ .slow_speed = slow_speed,
			    .drawn_ns = now_ns,
			    .tried_ns = now_ns,
			    .painted_ns = now_ns,
			    .calm_ns = now_ns,
			    .key_ns = now_ns - AFTER_KEY_NS,
			    .left_ns = now_ns - RELAPSE_NS };
}

bool pace_slow(const struct pace *p) { return p->slow_speed || p->lagging; }

void pace_key(struct pace *p, int64_t now_ns) { p->key_ns = now_ns; }

static int64_t frame_ns(const struct pace *p, int64_t now_ns)
{
	if (pace_slow(p))
		return FRAME_SLOW_NS;
	return now_ns - p->key_ns < AFTER_KEY_NS ? FRAME_AFTER_KEY_NS : FRAME_NS;
}

static int64_t patience_ns(const struct pace *p)
{
	return p->patience_ns ? p->patience_ns : PATIENCE_NS;
}

/* A line that was slow again soon after must be calm for twice as long. */
static void begin_lagging(struct pace *p, int64_t now_ns)
{
	int64_t longer = patience_ns(p) * 2;

	if (now_ns - p->left_ns >= RELAPSE_NS)
		p->patience_ns = PATIENCE_NS;
	else
		p->patience_ns = longer < MOST_PATIENCE_NS ? longer : MOST_PATIENCE_NS;
	p->lagging = true;
}

static void skip(struct pace *p, int64_t now_ns)
{
	p->tried_ns = now_ns;
	p->calm_ns = now_ns;
	p->skips++;
	if (p->skips >= SKIPS_TO_SLOW && !p->lagging)
		begin_lagging(p, now_ns);
}

static void end_lagging(struct pace *p, int64_t now_ns)
{
	if (!p->lagging || now_ns - p->calm_ns < patience_ns(p))
		return;
	p->lagging = false;
	p->left_ns = now_ns;
}

void pace_drawn(struct pace *p, int64_t now_ns)
{
	p->drawn_ns = now_ns;
	p->tried_ns = now_ns;
	p->skips = 0;
}

/* A key's answer does not wait for the frame, on a slow line only a little. */
static bool answers(const struct pace *p, int64_t now_ns)
{
	return !pace_slow(p) || now_ns - p->drawn_ns >= SLOW_ANSWER_NS;
}

enum pace_turn pace_turn(struct pace *p, int64_t now_ns, bool dirty, bool busy)
{
	bool due = now_ns - p->tried_ns >= frame_ns(p, now_ns);

	if (due && busy)
		skip(p, now_ns);
	if (busy || !(due || (dirty && answers(p, now_ns))))
		return PACE_WAIT;
	end_lagging(p, now_ns);
	pace_drawn(p, now_ns);
	if (pace_slow(p) || now_ns - p->painted_ns < PAINT_NS)
		return PACE_DRAW;
	p->painted_ns = now_ns;
	return PACE_PAINT;
}

int pace_timeout_ms(const struct pace *p, int64_t now_ns, bool dirty)
{
	int64_t left = p->tried_ns + frame_ns(p, now_ns) - now_ns;

	if (dirty && left > RETRY_NS)
		left = RETRY_NS;
	return left > 0 ? (int)((left + NS_PER_MS - 1) / NS_PER_MS) : 0;
}
