/* Readers that take the whole text or nothing, and writers that give it back. No locale. */
#include "base/units.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char **why, int error, const char *text)
{
	if (why)
		*why = text;
	return error;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read digits (at least one) and move *text behind them. The value is meaningless after -ERANGE,
 * the position is not. */
static int read_digits(const char **text, uint64_t *value)
{
	bool fits = true;

	if (!is_digit(**text))
		return -EINVAL;
	for (*value = 0; is_digit(**text); (*text)++) {
		fits &= !__builtin_mul_overflow(*value, 10, value);
		fits &= !__builtin_add_overflow(*value, (uint64_t)(**text - '0'), value);
	}
	return fits ? 0 : -ERANGE;
}

static const char not_a_number[] = "is not a number (digits only)";
static const char too_large[] = "does not fit in 64 bit";

int units_parse_u64(const char *text, uint64_t *value, const char **why)
{
	uint64_t number;
	int ret = read_digits(&text, &number);

	if (ret == -EINVAL)
		return refuse(why, -EINVAL, not_a_number);
	if (*text)
		return refuse(why, -EINVAL, "has something behind the digits");
	if (ret)
		return refuse(why, ret, too_large);
	*value = number;
	return 0;
}

static size_t count_digits(const char *text)
{
	size_t n = 0;

	while (is_digit(text[n]))
		n++;
	return n;
}

/* strtod rounds correctly, but only in the "C" locale is a point a point. The form was checked
 * before. */
static double decimal_value(const char *text)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	double value = c ? strtod_l(text, NULL, c) : (double)NAN;

	if (c)
		freelocale(c);
	return value;
}

int units_parse_decimal(const char *text, double *value, const char **why)
{
	const char *p = text;
	size_t whole = count_digits(p);
	double number;

	p += whole;
	if (!whole || (*p == '.' && !count_digits(p + 1)))
		return refuse(why, -EINVAL, "is not a number (digits, or digits.digits)");
	if (*p == '.')
		p += 1 + count_digits(p + 1);
	if (*p)
		return refuse(why, -EINVAL, "has something behind the number");
	number = decimal_value(text);
	if (!isfinite(number))
		return refuse(why, -ERANGE, "is too large");
	*value = number;
	return 0;
}

struct unit {
	const char *name;
	uint64_t size;
};

#define KI   UINT64_C(1024)
#define MI   UINT64_C(1048576)
#define GI   UINT64_C(1073741824)
#define TI   UINT64_C(1099511627776)
#define KILO UINT64_C(1000)
#define MEGA UINT64_C(1000000)
#define GIGA UINT64_C(1000000000)
#define TERA UINT64_C(1000000000000)

/* Every spelling there is. "kb" (bits?) and "ki" are not among them. */
static const struct unit size_units[] = {
	{ "", 1 },
	{ "B", 1 },
	{ "k", KI },
	{ "K", KI },
	{ "Ki", KI },
	{ "KiB", KI },
	{ "kB", KILO },
	{ "KB", KILO },
	{ "m", MI },
	{ "M", MI },
	{ "Mi", MI },
	{ "MiB", MI },
	{ "mB", MEGA },
	{ "MB", MEGA },
	{ "g", GI },
	{ "G", GI },
	{ "Gi", GI },
	{ "GiB", GI },
	{ "gB", GIGA },
	{ "GB", GIGA },
	{ "t", TI },
	{ "T", TI },
	{ "Ti", TI },
	{ "TiB", TI },
	{ "tB", TERA },
	{ "TB", TERA },
	{ NULL, 0 },
};

static const struct unit time_units[] = {
	{ "ns", 1 },
	{ "us", UINT64_C(1000) },
	{ "ms", UINT64_C(1000000) },
	{ "s", UINT64_C(1000000000) },
	{ "m", UINT64_C(60000000000) },
	{ "h", UINT64_C(3600000000000) },
	{ "d", UINT64_C(86400000000000) },
	{ NULL, 0 },
};

static uint64_t find_unit(const struct unit *units, const char *name)
{
	for (; units->name; units++)
		if (!strcmp(units->name, name))
			return units->size;
	return 0;
}

int units_parse_size(const char *text, uint64_t *bytes, const char **why)
{
	uint64_t number, unit;
	int ret = read_digits(&text, &number);

	if (ret == -EINVAL)
		return refuse(why, -EINVAL,
			      "is not a size (digits, then B k Ki KiB kB, m g t likewise)");
	unit = find_unit(size_units, text);
	if (!unit)
		return refuse(why, -EINVAL, "has an unknown unit (B k Ki KiB kB, m g t likewise)");
	if (ret || __builtin_mul_overflow(number, unit, &number))
		return refuse(why, -ERANGE, too_large);
	*bytes = number;
	return 0;
}

/* Take the factor f out of one of the two. */
static bool take_out(uint64_t *a, uint64_t *b, uint64_t f)
{
	uint64_t *divisible = *a % f == 0 ? a : b;

	if (*divisible % f)
		return false;
	*divisible /= f;
	return true;
}

/* `n` digits behind the point of a number of `unit` ns: digits * unit / 10^n, if that is whole.
 * A day is 2^16 * 3^3 * 5^11 ns, so without zeros at the end 16 places are the most that can be. */
static bool fraction_ns(const char *digits, size_t n, uint64_t unit, uint64_t *ns)
{
	uint64_t number = 0;

	while (n && digits[n - 1] == '0')
		n--;
	if (n > 16)
		return false;
	for (size_t i = 0; i < n; i++)
		number = number * 10 + (uint64_t)(digits[i] - '0');
	for (size_t i = 0; i < n; i++)
		if (!take_out(&number, &unit, 2) || !take_out(&number, &unit, 5))
			return false;
	*ns = n ? number * unit : 0;
	return true;
}

static const char no_unit[] = "has no unit (ns us ms s m h d)";
static const char unknown_unit[] = "has an unknown unit (ns us ms s m h d)";

int units_parse_time(const char *text, int64_t *ns, const char **why)
{
	const char *p = text;
	uint64_t whole, part, unit;
	int ret = read_digits(&p, &whole);
	const char *fraction = p + 1;
	size_t n = *p == '.' ? count_digits(fraction) : 0;

	if (ret == -EINVAL || (*p == '.' && !n))
		return refuse(why, -EINVAL, "is not a time (a number, then ns us ms s m h d)");
	p += n ? n + 1 : 0;
	unit = strcmp(text, "0") ? find_unit(time_units, p) : 1;
	if (!unit)
		return refuse(why, -EINVAL, *p ? unknown_unit : no_unit);
	if (!fraction_ns(fraction, n, unit, &part))
		return refuse(why, -EINVAL, "is not a whole number of ns");
	if (ret || __builtin_mul_overflow(whole, unit, &whole) || whole + part > INT64_MAX ||
	    whole + part < whole)
		return refuse(why, -ERANGE, too_large);
	*ns = (int64_t)(whole + part);
	return 0;
}

static const struct word {
	const char *name;
	bool value;
} words[] = {
	{ "1", true },
	{ "yes", true },
	{ "true", true },
	{ "on", true },
	{ "0", false },
	{ "no", false },
	{ "false", false },
	{ "off", false },
};

/* `word` is lower case; strcasecmp would follow the locale. */
static bool same_word(const char *text, const char *word)
{
	for (; *word; text++, word++)
		if (*text != *word && (*text < 'A' || *text > 'Z' || *text + ('a' - 'A') != *word))
			return false;
	return !*text;
}

int units_parse_bool(const char *text, bool *value, const char **why)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (same_word(text, words[i].name)) {
			*value = words[i].value;
			return 0;
		}
	}
	return refuse(why, -EINVAL, "is not a yes or no (1/0 yes/no true/false on/off)");
}
