#include "clock_text.h"

#include <string.h>

#include "base/clock.h"
#include "base/units.h"

enum { MOST_HOURS = 100000 };

/* Digits up to anything else; false: none, or too many. */
static bool take_number(const char **s, int64_t *value)
{
	int digits = 0;

	for (*value = 0; **s >= '0' && **s <= '9' && digits < 6; digits++)
		*value = *value * 10 + (*(*s)++ - '0');
	return digits > 0;
}

/* ".5" -> 500 ms; nothing -> 0. */
static bool take_fraction(const char **s, int64_t *ns)
{
	int64_t unit = NS_PER_S / 10;

	*ns = 0;
	if (**s != '.')
		return true;
	if (*++*s < '0' || **s > '9')
		return false;
	for (; **s >= '0' && **s <= '9' && unit; unit /= 10)
		*ns += (*(*s)++ - '0') * unit;
	return true;
}

bool clock_parse(const char *text, int64_t *ns)
{
	int64_t part, seconds = 0, fraction;
	int parts = 0;

	if (!strchr(text, ':'))
		return text[0] && text[strlen(text) - 1] > '9' && !units_parse_time(text, ns, NULL) && *ns >= 0;
	for (const char *s = text;; s++) {
		if (++parts > 3 || !take_number(&s, &part) || (parts > 1 && part > 59) || part > MOST_HOURS)
			return false;
		seconds = seconds * 60 + part;
		if (*s == ':')
			continue;
		if (!take_fraction(&s, &fraction) || *s)
			return false;
		*ns = seconds * NS_PER_S + fraction;
		return true;
	}
}
