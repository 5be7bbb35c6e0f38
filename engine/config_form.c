/* Keys that are one number or one word: how they are read and written. */
#include "config_form.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* ---- ranges ---- */

static int out_of_range(const struct config_row *row, struct err *err)
{
	char low[32], high[32];

	row->form->format_bound(row->min, low, sizeof(low));
	row->form->format_bound(row->max, high, sizeof(high));
	return err_set(err, -ERANGE, "is outside %s..%s", low, high);
}

int check_bounds(const struct config_row *row, int64_t value, struct err *err)
{
	return value < row->min || value > row->max ? out_of_range(row, err) : 0;
}

void format_number(int64_t bound, char *buf, size_t room)
{
	text_format(buf, room, "%lld", (long long)bound);
}

static void bound_size(int64_t bound, char *buf, size_t room)
{
	units_format_size(buf, room, (uint64_t)bound);
}

static void bound_time(int64_t bound, char *buf, size_t room)
{
	units_format_time(buf, room, bound);
}

/* ---- whole numbers ---- */

/* What does not fit in 63 bit is out of every range. */
static int64_t narrow(uint64_t value) { return value > INT64_MAX ? INT64_MAX : (int64_t)value; }

static int read_u64(const struct config_row *row, const char *text, uint64_t *value,
		    int (*parse)(const char *, uint64_t *, const char **), struct err *err)
{
	const char *why;
	int ret = parse(text, value, &why);

	if (ret)
		return err_set(err, ret, "%s", why);
	return check_bounds(row, narrow(*value), err);
}

static int parse_count(const struct config_row *row, const char *text, void *field, struct err *err)
{
	uint64_t value;
	int ret = read_u64(row, text, &value, units_parse_u64, err);

	if (!ret)
		*(uint32_t *)field = (uint32_t)value;
	return ret;
}

static void format_count(const struct config_row *row, const void *field, char *buf, size_t room)
{
	(void)row;
	format_number(*(const uint32_t *)field, buf, room);
}

const struct value_form form_count = { "a whole number", parse_count, format_count, format_number };

static int parse_count64(const struct config_row *row, const char *text, void *field,
			 struct err *err)
{
	uint64_t value;
	int ret = read_u64(row, text, &value, units_parse_u64, err);

	if (!ret)
		*(uint64_t *)field = value;
	return ret;
}

static void format_count64(const struct config_row *row, const void *field, char *buf, size_t room)
{
	(void)row;
	format_number((int64_t) * (const uint64_t *)field, buf, room);
}

const struct value_form form_count64 = { "a whole number", parse_count64, format_count64,
					 format_number };

static int parse_size(const struct config_row *row, const char *text, void *field, struct err *err)
{
	uint64_t value;
	int ret = read_u64(row, text, &value, units_parse_size, err);

	if (!ret)
		*(uint64_t *)field = value;
	return ret;
}

static void format_size(const struct config_row *row, const void *field, char *buf, size_t room)
{
	(void)row;
	units_format_size(buf, room, *(const uint64_t *)field);
}

const struct value_form form_size = { "a size such as 8k", parse_size, format_size, bound_size };

static int parse_time(const struct config_row *row, const char *text, void *field, struct err *err)
{
	const char *why;
	int64_t value;
	int ret = units_parse_time(text, &value, &why);

	if (ret)
		return err_set(err, ret, "%s", why);
	ret = check_bounds(row, value, err);
	if (!ret)
		*(int64_t *)field = value;
	return ret;
}

static void format_time(const struct config_row *row, const void *field, char *buf, size_t room)
{
	(void)row;
	units_format_time(buf, room, *(const int64_t *)field);
}

const struct value_form form_time = { "a time such as 6ms", parse_time, format_time, bound_time };

/* ---- decimals, yes and no, words ---- */

static int parse_decimal(const struct config_row *row, const char *text, void *field,
			 struct err *err)
{
	const char *why;
	double value;
	int ret = units_parse_decimal(text, &value, &why);

	if (ret)
		return err_set(err, ret, "%s", why);
	if (value < (double)row->min || value > (double)row->max)
		return out_of_range(row, err);
	*(double *)field = value;
	return 0;
}

/* The fewest places that are read back as the same value. In whole numbers, because printf's point
 * follows the locale. */
static void format_decimal(const struct config_row *row, const void *field, char *buf, size_t room)
{
	double value = *(const double *)field, back = -1;
	int64_t scale = 1;

	(void)row;
	for (int places = 0; places <= 9 && back != value; places++, scale *= 10) {
		int64_t scaled = (int64_t)(value * (double)scale + 0.5);

		if (places)
			text_format(buf, room, "%lld.%0*lld", (long long)(scaled / scale), places,
				    (long long)(scaled % scale));
		else
			format_number(scaled, buf, room);
		units_parse_decimal(buf, &back, NULL);
	}
}

const struct value_form form_decimal = { "a number with an optional point", parse_decimal,
					 format_decimal, format_number };

static int parse_yesno(const struct config_row *row, const char *text, void *field, struct err *err)
{
	const char *why;
	int ret = units_parse_bool(text, (bool *)field, &why);

	(void)row;
	return ret ? err_set(err, ret, "%s", why) : 0;
}

static void format_yesno(const struct config_row *row, const void *field, char *buf, size_t room)
{
	(void)row;
	text_format(buf, room, "%s", *(const bool *)field ? "yes" : "no");
}

const struct value_form form_yesno = { "yes or no", parse_yesno, format_yesno, NULL };

/* All enums of spec.h are as wide as an int. */
static int parse_word(const struct config_row *row, const char *text, void *field, struct err *err)
{
	size_t n = 0;

	while (row->words[n]) {
		int value = (int)n;

		if (!strcmp(row->words[n++], text))
			return memcpy(field, &value, sizeof(value)), 0;
	}
	say_unknown(err, "value", text, row->words, n);
	return -EINVAL;
}

static void format_word(const struct config_row *row, const void *field, char *buf, size_t room)
{
	int value;

	memcpy(&value, field, sizeof(value));
	text_format(buf, room, "%s", row->words[value]);
}

const struct value_form form_word = { "a word", parse_word, format_word, NULL };

/* ---- a path ---- */

static int parse_file(const struct config_row *row, const char *text, void *field, struct err *err)
{
	(void)row;
	if (!strcmp(text, "none"))
		text = "";
	else if (!strchr(text, '/') || text[strcspn(text, "\033\n\r\t")])
		return err_set(err, -EINVAL, "is no path with a folder, such as ./volume.state (or none)");
	if (strlen(text) >= SPEC_VALUE)
		return err_set(err, -EINVAL, "is longer than %d bytes", SPEC_VALUE - 1);
	memcpy(field, text, strlen(text) + 1);
	return 0;
}

static void format_file(const struct config_row *row, const void *field, char *buf, size_t room)
{
	const char *path = field;

	(void)row;
	text_format(buf, room, "%s", *path ? path : "none");
}

const struct value_form form_file = { "a path of a file", parse_file, format_file, NULL };
