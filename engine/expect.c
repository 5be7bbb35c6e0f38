/* Read an expectation. What is read, with [] for what may be left out:
 *
 *   LINE   = TERM OP
 *   TERM   = METRIC [at 'STEP'] [vs 'STEP' | vs max]
 *   METRIC = a figure (expect_figure.c), with a point in it where it is one of a clock: total.p99
 *          | share CLOCK A..B      part of the requests, 0..1
 *          | largest CLOCK         the log2 bucket with the most requests
 *          | CLOCK                 only before `same shape`
 *          | state                 of the rebalance: NONE RUN WAIT HALT DONE
 *   CLOCK  = total | device | wait | response
 *   OP     = between X and Y | >= X | <= X
 *          | above 'STEP' | below 'STEP'    the same metric there
 *          | above TERM | below TERM
 *          | in A..B                        of `largest`: the bucket is one of these
 *          | same shape as 'STEP' within X  of a clock: no bucket's share differs by more than X
 *          | is WORD                        of `state`
 *
 * `at` moves the whole metric to another step, `vs` makes it a ratio (max: to the largest over all
 * steps). A..B are whole buckets, both ends included: 0us..511us, 1024us..2047us. X is written in
 * the metric's unit: elapsed and the clocks with one (21.5s, 5ms), gap in ms, a ratio without. */
#include "expect.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "expect_scan.h"
#include "say.h"

/* ---- TERM ---- */

static int take_clock(struct scan *s, enum metric *metric)
{
	for (int i = 0; i < N_METRICS; i++)
		if (scan_is(s, metric_names[i]))
			return *metric = (enum metric)i, scan_next(s);
	say_unknown(s->err, "clock", s->word, metric_names, N_METRICS);
	return -EINVAL;
}

static int unknown_metric(struct scan *s)
{
	const char *names[64];
	uint32_t n = 0;

	while (n < figure_count() && n < 61) {
		names[n] = figure_name(n);
		n++;
	}
	names[n++] = "share";
	names[n++] = "largest";
	names[n++] = "state";
	say_unknown(s->err, "metric", s->word, names, n);
	return -EINVAL;
}

static int take_figure(struct scan *s, struct expect_term *term)
{
	for (uint32_t i = 0; i < figure_count(); i++) {
		if (!scan_is(s, figure_name(i)))
			continue;
		term->what = EXPECT_FIGURE;
		term->figure = i;
		return scan_next(s);
	}
	return unknown_metric(s);
}

static int take_metric(struct scan *s, struct expect_term *term)
{
	bool share = scan_is(s, "share"), largest = scan_is(s, "largest");
	int ret;

	if (share || largest) {
		term->what = share ? EXPECT_SHARE : EXPECT_LARGEST;
		ret = scan_next(s);
		if (!ret)
			ret = take_clock(s, &term->metric);
		if (!ret && share)
			ret = scan_buckets(s, &term->row_first, &term->row_last);
		return ret;
	}
	if (scan_is(s, "state")) {
		term->what = EXPECT_STATE;
		return scan_next(s);
	}
	for (int i = 0; i < N_METRICS; i++)
		if (scan_is(s, metric_names[i])) {
			term->what = EXPECT_SHAPE;
			return take_clock(s, &term->metric);
		}
	return take_figure(s, term);
}

static int take_vs(struct scan *s, struct expect_term *term)
{
	int ret = scan_next(s);

	if (ret)
		return ret;
	if (term->what != EXPECT_FIGURE && term->what != EXPECT_SHARE)
		return err_set(s->err, -EINVAL, "a bucket, a shape or a state has no ratio: drop vs");
	term->has_vs = true;
	term->vs_max = scan_is(s, "max");
	return term->vs_max ? scan_next(s) : scan_step(s, &term->vs);
}

static int take_term(struct scan *s, struct expect_term *term)
{
	int ret;

	*term = (struct expect_term){ .at = -1 };
	ret = take_metric(s, term);
	if (!ret && scan_is(s, "at")) {
		ret = scan_next(s);
		if (!ret)
			ret = scan_step(s, &term->at);
	}
	if (!ret && scan_is(s, "vs"))
		ret = take_vs(s, term);
	return ret;
}

static enum figure_unit term_unit(const struct expect_term *term)
{
	return term->what != EXPECT_FIGURE || term->has_vs ? UNIT_PLAIN : figure_unit(term->figure);
}

/* ---- OP ---- */

static int take_between(struct scan *s, struct expect *out)
{
	enum figure_unit unit = term_unit(&out->term);
	int ret = scan_number(s, unit, &out->low);

	if (!ret)
		ret = scan_word(s, "and");
	if (!ret)
		ret = scan_number(s, unit, &out->high);
	if (!ret && out->low > out->high)
		ret = err_set(s->err, -EINVAL,
			      "the first bound is above the second: it could never "
			      "hold");
	return ret;
}

static int take_low(struct scan *s, struct expect *out)
{
	return scan_number(s, term_unit(&out->term), &out->low);
}

static int take_high(struct scan *s, struct expect *out)
{
	return scan_number(s, term_unit(&out->term), &out->high);
}

static int take_right(struct scan *s, struct expect *out)
{
	int ret;

	if (s->quoted) {
		out->right = out->term;
		return scan_step(s, &out->right.at);
	}
	if (*s->word >= '0' && *s->word <= '9')
		return err_set(s->err, -EINVAL,
			       "above and below take a step or a metric: for a number "
			       "write >= or <=");
	ret = take_term(s, &out->right);
	if (ret)
		return ret;
	if (out->right.what != EXPECT_FIGURE && out->right.what != EXPECT_SHARE)
		return err_set(s->err, -EINVAL,
			       "a bucket, a shape or a state has no size to compare with");
	if (term_unit(&out->term) != term_unit(&out->right))
		return err_set(s->err, -EINVAL, "the two sides have different units");
	return 0;
}

static int take_in(struct scan *s, struct expect *out)
{
	return scan_buckets(s, &out->row_first, &out->row_last);
}

static int take_shape(struct scan *s, struct expect *out)
{
	int ret = scan_word(s, "shape");

	if (!ret)
		ret = scan_word(s, "as");
	if (!ret)
		ret = scan_step(s, &out->shape_step);
	if (!ret)
		ret = scan_word(s, "within");
	return ret ? ret : scan_number(s, UNIT_PLAIN, &out->high);
}

static int take_state(struct scan *s, struct expect *out)
{
	static const char *const words[] = { "NONE", "RUN", "WAIT", "HALT", "DONE" };

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (scan_is(s, words[i])) {
			text_format(out->word, sizeof(out->word), "%s", words[i]);
			return scan_next(s);
		}
	say_unknown(s->err, "state", s->word, words, sizeof(words) / sizeof(words[0]));
	return -EINVAL;
}

enum { NUMBERS = 1 << EXPECT_FIGURE | 1 << EXPECT_SHARE };

/* `of`: the kinds of terms the operator takes. */
static const struct op_row {
	const char *word;
	enum expect_op op;
	unsigned of;
	int (*take)(struct scan *s, struct expect *out);
} ops[] = {
	{ "between", OP_BETWEEN, NUMBERS, take_between },
	{ ">=", OP_AT_LEAST, NUMBERS, take_low },
	{ "<=", OP_AT_MOST, NUMBERS, take_high },
	{ "above", OP_ABOVE, NUMBERS, take_right },
	{ "below", OP_BELOW, NUMBERS, take_right },
	{ "in", OP_IN, 1 << EXPECT_LARGEST, take_in },
	{ "same", OP_SHAPE, 1 << EXPECT_SHAPE, take_shape },
	{ "is", OP_IS, 1 << EXPECT_STATE, take_state },
};
enum { N_OPS = sizeof(ops) / sizeof(ops[0]) };

/* What each kind of term goes with, for errors. */
static const char *const goes_with[] = {
	[EXPECT_FIGURE] = "a figure goes with between, >=, <=, above, below",
	[EXPECT_SHARE] = "a share goes with between, >=, <=, above, below",
	[EXPECT_LARGEST] = "largest goes with in A..B",
	[EXPECT_SHAPE] = "a clock goes with same shape as 'STEP' within X; or name its .p50 .. .max",
	[EXPECT_STATE] = "state goes with is NONE, RUN, WAIT, HALT or DONE",
};

static int take_op(struct scan *s, struct expect *out)
{
	for (const struct op_row *row = ops; row < ops + N_OPS; row++) {
		int ret;

		if (!scan_is(s, row->word))
			continue;
		if (!(row->of & 1u << out->term.what))
			break;
		out->op = row->op;
		ret = scan_next(s);
		return ret ? ret : row->take(s, out);
	}
	return err_set(s->err, -EINVAL, "%s does not fit here: %s", scan_shown(s),
		       goes_with[out->term.what]);
}

int expect_parse(const struct spec *spec, uint32_t step, const char *text, struct expect *out,
		 struct err *err)
{
	struct scan s = { .spec = spec, .rest = text, .err = err };
	int ret = scan_next(&s);

	(void)step;
	*out = (struct expect){ .shape_step = -1 };
	text_format(out->text, sizeof(out->text), "%s", text);
	if (!ret)
		ret = take_term(&s, &out->term);
	if (!ret)
		ret = take_op(&s, out);
	if (!ret && (*s.word || s.quoted))
		ret = err_set(err, -EINVAL, "'%s' is too much: the line is complete before it",
			      s.word);
	return ret;
}
