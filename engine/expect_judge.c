/* Judge an expectation by what the steps measured. */
#include "expect.h"

#include <math.h>
#include <string.h>

#include "expect_figure.h"

/* The steps' results, and the step the line stands in. */
struct court {
	const struct step_result *const *results;
	uint32_t n_steps, step;
};

static const struct step_result *result_of(const struct court *c, int32_t step)
{
	return c->results[step < 0 ? c->step : (uint32_t)step];
}

/* ---- values ---- */

static double share_of(const struct step_result *r, enum metric metric, uint32_t first,
		       uint32_t last)
{
	uint64_t rows[HIST_LOG2_ROWS], part = 0;
	uint64_t n = r->hist[metric].n;

	if (!n)
		return (double)NAN;
	hist_log2(&r->hist[metric], rows);
	for (uint32_t i = first; i <= last; i++)
		part += rows[i];
	return (double)part / (double)n;
}

static double term_at(const struct expect_term *t, const struct step_result *r)
{
	if (!r)
		return (double)NAN;
	if (t->what == EXPECT_SHARE)
		return share_of(r, t->metric, t->row_first, t->row_last);
	return figure_get(t->figure, r);
}

static double term_max(const struct court *c, const struct expect_term *t)
{
	double max = (double)NAN;

	for (uint32_t i = 0; i < c->n_steps; i++) {
		double value = term_at(t, c->results[i]);

		if (value > max || isnan(max))
			max = value;
	}
	return max;
}

static double term_value(const struct court *c, const struct expect_term *t)
{
	double value = term_at(t, result_of(c, t->at));

	if (t->has_vs)
		value /= t->vs_max ? term_max(c, t) : term_at(t, result_of(c, t->vs));
	return isfinite(value) ? value : (double)NAN;
}

/* The row with the most requests, the lower one of two equals; -1 without requests. */
static int largest_row(const struct step_result *r, enum metric metric)
{
	uint64_t rows[HIST_LOG2_ROWS];
	int largest = 0;

	if (!r || !r->hist[metric].n)
		return -1;
	hist_log2(&r->hist[metric], rows);
	for (int i = 1; i < HIST_LOG2_ROWS; i++)
		if (rows[i] > rows[largest])
			largest = i;
	return largest;
}

/* Largest difference of a row's share between two steps. */
static double shape_difference(const struct step_result *a, const struct step_result *b,
			       enum metric metric)
{
	double largest = 0;

	if (!a || !b || !a->hist[metric].n || !b->hist[metric].n)
		return (double)NAN;
	for (uint32_t i = 0; i < HIST_LOG2_ROWS; i++) {
		double d = fabs(share_of(a, metric, i, i) - share_of(b, metric, i, i));

		largest = d > largest ? d : largest;
	}
	return largest;
}

/* ---- verdicts ---- */

/* The value of a bucket is its lower edge in us. */
static struct verdict judge_largest(const struct court *c, const struct expect *e)
{
	int row = largest_row(result_of(c, e->term.at), e->term.metric);

	if (row < 0)
		return (struct verdict){ .value = (double)NAN, .other = (double)NAN };
	return (struct verdict){ .other = (double)NAN,
				 .value = row ? (double)(UINT64_C(2) << row) : 0,
				 .pass = (uint32_t)row >= e->row_first &&
					 (uint32_t)row <= e->row_last };
}

static struct verdict judge_shape(const struct court *c, const struct expect *e)
{
	double value = shape_difference(result_of(c, e->term.at), result_of(c, e->shape_step),
					e->term.metric);

	return (struct verdict){ .value = value, .other = (double)NAN, .pass = value <= e->high };
}

/* A word in place of a number. */
static struct verdict judge_state(const struct court *c, const struct expect *e)
{
	const struct step_result *r = result_of(c, e->term.at);
	const char *state = r && r->rebalance.has_volume ? r->rebalance.state : NULL;

	return (struct verdict){ .value = (double)NAN,
				 .other = (double)NAN,
				 .pass = state && !strcmp(state, e->word),
				 .word = state };
}

/* A comparison with NaN is false, so what cannot be told does not pass. */
static struct verdict judge_number(const struct court *c, const struct expect *e)
{
	double value = term_value(c, &e->term);
	bool right = e->op == OP_ABOVE || e->op == OP_BELOW;
	double other = right ? term_value(c, &e->right) : 0;
	bool pass[] = {
		[OP_BETWEEN] = value >= e->low && value <= e->high,
		[OP_AT_LEAST] = value >= e->low,
		[OP_AT_MOST] = value <= e->high,
		[OP_ABOVE] = value > other,
		[OP_BELOW] = value < other,
	};

	return (struct verdict){ .value = value, .pass = pass[e->op], .other = right ? other : (double)NAN };
}

struct verdict expect_judge(const struct expect *e, uint32_t step,
			    const struct step_result *const *results, uint32_t n_steps)
{
	struct court c = { .results = results, .n_steps = n_steps, .step = step };

	if (e->op == OP_IN)
		return judge_largest(&c, e);
	if (e->op == OP_SHAPE)
		return judge_shape(&c, e);
	if (e->op == OP_IS)
		return judge_state(&c, e);
	return judge_number(&c, e);
}

/* ---- which steps are needed ---- */

static bool has_all(const struct court *c)
{
	for (uint32_t i = 0; i < c->n_steps; i++)
		if (!c->results[i])
			return false;
	return true;
}

static bool has_term(const struct court *c, const struct expect_term *t)
{
	if (!result_of(c, t->at))
		return false;
	if (!t->has_vs)
		return true;
	return t->vs_max ? has_all(c) : result_of(c, t->vs) != NULL;
}

bool expect_can_judge(const struct expect *e, uint32_t step,
		      const struct step_result *const *results, uint32_t n_steps)
{
	struct court c = { .results = results, .n_steps = n_steps, .step = step };

	if (!has_term(&c, &e->term))
		return false;
	if (e->op == OP_ABOVE || e->op == OP_BELOW)
		return has_term(&c, &e->right);
	return e->op != OP_SHAPE || result_of(&c, e->shape_step);
}
