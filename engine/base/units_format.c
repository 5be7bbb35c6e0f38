/* The writers of units.h: exact ones, which the readers turn into the same value, and rounded ones
 * for people. */
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct unit {
	const char *name;
	uint64_t size;
};

/* Candidates; of forms of the same length the first wins. */
static const struct unit size_units[] = {
	{ "TiB", UINT64_C(1) << 40 },
	{ "GiB", UINT64_C(1) << 30 },
	{ "MiB", UINT64_C(1) << 20 },
	{ "KiB", UINT64_C(1) << 10 },
	{ "TB", UINT64_C(1000000000000) },
	{ "GB", UINT64_C(1000000000) },
	{ "MB", UINT64_C(1000000) },
	{ "kB", UINT64_C(1000) },
	{ "B", 1 },
	{ NULL, 0 },
};

static const struct unit time_units[] = {
	{ "d", UINT64_C(86400000000000) },
	{ "h", UINT64_C(3600000000000) },
	{ "m", UINT64_C(60000000000) },
	{ "s", UINT64_C(1000000000) },
	{ "ms", UINT64_C(1000000) },
	{ "us", UINT64_C(1000) },
	{ "ns", 1 },
	{ NULL, 0 },
};

/* The shortest whole number of one of the units. Nothing needs no unit. */
static void write_shortest(char *buf, size_t room, uint64_t value, const struct unit *unit)
{
	char best[32] = "0";
	int best_length = value ? (int)sizeof(best) : 1;

	for (; unit->name; unit++) {
		char form[32];
		int length;

		if (value % unit->size)
			continue;
		length = snprintf(form, sizeof(form), "%llu%s",
				  (unsigned long long)(value / unit->size), unit->name);
		if (length < best_length) {
			best_length = length;
			memcpy(best, form, sizeof(best));
		}
	}
	snprintf(buf, room, "%s", best);
}

char *units_format_size(char *buf, size_t room, uint64_t bytes)
{
	write_shortest(buf, room, bytes, size_units);
	return buf;
}

/* A negative time has no spelling the reader takes; it gets a sign, for people. */
char *units_format_time(char *buf, size_t room, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	size_t sign = ns < 0 && room > 1;

	if (sign)
		buf[0] = '-';
	write_shortest(buf + sign, room - sign, size, time_units);
	return buf;
}

static double power_of_10(unsigned n)
{
	static const double powers[] = { 1, 10, 100, 1000 };

	return powers[n];
}

/* value (0 .. 1e15) with `decimals` (0..3) places, rounded half up, then `suffix`. Not "%.*f": its
 * point follows the locale. */
static void write_fixed(char *buf, size_t room, double value, unsigned decimals, const char *suffix)
{
	uint64_t scale = (uint64_t)power_of_10(decimals);
	uint64_t scaled = (uint64_t)(value * (double)scale + 0.5);

	if (decimals)
		snprintf(buf, room, "%llu.%0*llu%s", (unsigned long long)(scaled / scale),
			 (int)decimals, (unsigned long long)(scaled % scale), suffix);
	else
		snprintf(buf, room, "%llu%s", (unsigned long long)scaled, suffix);
}

/* How many places make 3 digits. The rounded value decides: 9.996 is 10.0, not 10.00. */
static unsigned places_for_3_digits(double value)
{
	unsigned places = 3;

	while (places && value * power_of_10(places) + 0.5 >= 1000)
		places--;
	return places;
}

static bool writable(double value)
{
	return isfinite(value) && value >= 0;
}

char *units_format_count(char *buf, size_t room, double value)
{
	static const char suffixes[][2] = { "", "k", "M", "G", "T", "P", "E" };
	unsigned i = 0;

	if (!writable(value)) {
		snprintf(buf, room, "-");
		return buf;
	}
	if (value >= 999.5e18) {
		snprintf(buf, room, ">999E");
		return buf;
	}
	/* a small whole number is a count of things, which have no decimals */
	if (value < 1000 && value == (double)(unsigned)value) {
		write_fixed(buf, room, value, 0, "");
		return buf;
	}
	for (; value >= 999.5; i++)
		value /= 1000;
	write_fixed(buf, room, value, places_for_3_digits(value), suffixes[i]);
	return buf;
}

/* Two places at most, so that a column does not jitter, but three below 0.1 ms, where a fast device
 * lives. */
char *units_format_ms(char *buf, size_t room, double ns)
{
	double ms = ns / 1e6;
	unsigned places = places_for_3_digits(ms);

	if (!writable(ns)) {
		snprintf(buf, room, "-");
		return buf;
	}
	if (places == 3 && (ms == 0 || ms * 1000 + 0.5 >= 100))
		places = 2;
	write_fixed(buf, room, ms < 1e15 ? ms : 1e15, places, "");
	return buf;
}
