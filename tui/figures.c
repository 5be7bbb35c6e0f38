#include "figures.h"

#include <math.h>

#include "base/clock.h"
#include "base/text.h"

/* Decimals that make three digits. LC_NUMERIC is C in the deck, so the point is one. */
static int decimals(double value)
{
	double size = fabs(value);

	return size < 9.995 ? 2 : size < 99.95 ? 1
					       : 0;
}

static char *unknown(char *buf, size_t room)
{
	text_format(buf, room, "-");
	return buf;
}

char *figure_clock(char *buf, size_t room, int64_t ns, int tenths)
{
	long long s = ns / NS_PER_S, tenth = ns / (NS_PER_S / 10) % 10;
	size_t n;

	if (ns < 0)
		return unknown(buf, room);
	if (s < 3600)
		n = text_format(buf, room, "%02lld:%02lld", s / 60, s % 60);
	else
		n = text_format(buf, room, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	if (tenths)
		text_format(buf + n, room - n, ".%lld", tenth);
	return buf;
}

static int no_difference(double low, double high) { return low <= 1 && high >= 1; }

/* From 2 on as a factor: +1540 % says less than x16.4. */
static int as_factor(double ratio) { return ratio >= 2; }

char *figure_ratio_short(char *buf, size_t room, double ratio, double low, double high)
{
	if (!isfinite(ratio) || ratio < 0)
		return unknown(buf, room);
	if (no_difference(low, high))
		text_format(buf, room, "~0");
	else if (as_factor(ratio) && ratio < 9999)
		text_format(buf, room, "x%.*f", decimals(ratio), ratio);
	else if (as_factor(ratio))
		text_format(buf, room, "x>9999");
	else
		text_format(buf, room, "%+.0f%%", (ratio - 1) * 100);
	return buf;
}

/* Change in whole per cent; never "-0". */
static long per_cent(double ratio)
{
	double change = (ratio - 1) * 100;

	return (long)(change < 0 ? change - 0.5 : change + 0.5);
}

static void interval(char *buf, size_t room, double ratio, double low, double high)
{
	int places = decimals(ratio);

	if (!isfinite(low) || !isfinite(high) || high >= 99999 || low <= -99999)
		text_format(buf, room, "%s", "");
	else if (as_factor(ratio))
		text_format(buf, room, " [%.*f,%.*f]", places, low, places, high);
	else
		text_format(buf, room, " [%ld,%ld]", per_cent(low), per_cent(high));
}

char *figure_ratio(char *buf, size_t room, double ratio, double low, double high)
{
	char behind[FIGURE_ROOM];

	figure_ratio_short(buf, room, ratio, low, high);
	if (!isfinite(ratio) || ratio < 0)
		return buf;
	interval(behind, sizeof(behind), ratio, low, high);
	for (size_t n = 0; n < room; n++)
		if (!buf[n]) {
			text_format(buf + n, room - n, "%s", behind);
			break;
		}
	return buf;
}

static char *three_digits(char *buf, size_t room, double value)
{
	if (!isfinite(value) || value < 0)
		return unknown(buf, room);
	if (value >= 9999999)
		text_format(buf, room, ">9999999");
	else
		text_format(buf, room, "%.*f", decimals(value), value);
	return buf;
}

char *figure_mbps(char *buf, size_t room, double bytes_per_s)
{
	return three_digits(buf, room, bytes_per_s / 1e6);
}

char *figure_seconds(char *buf, size_t room, double s) { return three_digits(buf, room, s); }

char *figure_share(char *buf, size_t room, double share)
{
	if (!isfinite(share))
		return unknown(buf, room);
	if (share > 0 && share < 0.005)
		text_format(buf, room, "<1%%");
	else
		text_format(buf, room, "%.0f%%", share * 100);
	return buf;
}

char *figure_speed(char *buf, size_t room, double speed)
{
	if (!isfinite(speed) || speed < 0)
		return unknown(buf, room);
	if (speed == 0)
		text_format(buf, room, "max");
	else
		text_format(buf, room, "x%g", speed);
	return buf;
}
