/* Read the pieces of an expectation: words, steps in quotes, numbers, buckets. */
#include "expect_scan.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"

/* Move to the next piece; "" at the end. */
int scan_next(struct scan *s)
{
	const char *from = s->rest + strspn(s->rest, " \t");
	size_t n = strcspn(from, " \t");

	s->quoted = *from == '\'';
	if (s->quoted) {
		n = strcspn(++from, "'");
		if (!from[n])
			return err_set(s->err, -EINVAL, "the quote ' is not closed");
	}
	if (n >= sizeof(s->word))
		return err_set(s->err, -EINVAL, "'%.40s...' is too long", from);
	memcpy(s->word, from, n);
	s->word[n] = '\0';
	s->rest = from + n + s->quoted;
	return 0;
}

const char *scan_shown(const struct scan *s) { return *s->word || s->quoted ? s->word : "the end"; }

bool scan_is(const struct scan *s, const char *word)
{
	return !s->quoted && !strcmp(s->word, word);
}

/* Take `word`, which must be next. */
int scan_word(struct scan *s, const char *word)
{
	if (!scan_is(s, word))
		return err_set(s->err, -EINVAL, "'%s' must come where %s stands", word,
			       scan_shown(s));
	return scan_next(s);
}

int scan_step(struct scan *s, int32_t *step)
{
	if (!s->quoted)
		return err_set(s->err, -EINVAL,
			       "a step in quotes must come where %s stands: 'NAME'", scan_shown(s));
	*step = spec_find_step(s->spec, s->word, s->err);
	return *step < 0 ? -EINVAL : scan_next(s);
}

/* ---- numbers ---- */

static int read_time(struct scan *s, double *seconds)
{
	const char *why;
	int64_t ns;

	if (units_parse_time(s->word, &ns, &why))
		return err_set(s->err, -EINVAL, "'%s' %s", s->word, why);
	*seconds = (double)ns / 1e9;
	return 0;
}

static int read_number(struct scan *s, double *value)
{
	const char *why;

	if (units_parse_decimal(s->word, value, &why))
		return err_set(s->err, -EINVAL, "'%s' %s", s->word, why);
	return 0;
}

int scan_number(struct scan *s, enum figure_unit unit, double *value)
{
	bool plain = unit == UNIT_PLAIN ||
		     (unit == UNIT_CPU && !units_parse_decimal(s->word, value, NULL));
	int ret;

	if (!*s->word)
		return err_set(s->err, -EINVAL, "a number is missing at the end");
	ret = plain ? read_number(s, value) : read_time(s, value);
	if (ret)
		return ret;
	if (unit == UNIT_MICROS)
		*value *= 1e6;
	return scan_next(s);
}

/* ---- buckets ---- */

/* The row that begins at `us`, HIST_LOG2_ROWS for the end of the last one, or -1. */
static int row_from(uint64_t us)
{
	for (int row = 0; row <= HIST_LOG2_ROWS; row++)
		if (us == (row ? UINT64_C(2) << row : 0))
			return row;
	return -1;
}

static int bucket_edge(struct scan *s, const char *text, uint64_t add, int *row)
{
	const char *why;
	int64_t ns;

	if (units_parse_time(text, &ns, &why))
		return err_set(s->err, -EINVAL, "'%s' %s", text, why);
	*row = ns % 1000 ? -1 : row_from((uint64_t)ns / 1000 + add);
	if (*row >= 0)
		return 0;
	return err_set(s->err, -EINVAL,
		       "'%s' lies inside a bucket: they are 0us..3us 4us..7us 8us..15us "
		       "and so on by doubling, both ends included",
		       text);
}

int scan_buckets(struct scan *s, uint32_t *first, uint32_t *last)
{
	char *dots = strstr(s->word, "..");
	int from = -1, behind = -1;
	int ret;

	if (!dots || s->quoted)
		return err_set(s->err, -EINVAL,
			       "a range such as 1024us..2047us must come where %s "
			       "stands",
			       scan_shown(s));
	*dots = '\0';
	ret = bucket_edge(s, s->word, 0, &from);
	if (!ret)
		ret = bucket_edge(s, dots + 2, 1, &behind);
	if (!ret && behind <= from)
		ret = err_set(s->err, -EINVAL, "the range %s..%s runs backwards", s->word,
			      dots + 2);
	if (ret)
		return ret;
	*first = (uint32_t)from;
	*last = (uint32_t)behind - 1;
	return scan_next(s);
}
