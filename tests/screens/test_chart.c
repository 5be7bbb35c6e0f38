/* Figures, axes, columns and bins: what the charts are computed from. */
#include "golden.h"

#include <math.h>

#include "chart.h"
#include "figures.h"
#include "histplot.h"
#include "sample.h"

static void test_ratios(void **state)
{
	static const struct {
		double ratio, low, high;
		const char *want, *want_short;
	} rows[] = {
		{ 1.43, 1.39, 1.47, "+43% [39,47]", "+43%" },
		{ 0.83, 0.80, 0.86, "-17% [-20,-14]", "-17%" },
		{ 16.42, 16.31, 16.53, "x16.4 [16.3,16.5]", "x16.4" },
		{ 2.0, 1.9, 2.1, "x2.00 [1.90,2.10]", "x2.00" },
		{ 1.02, 0.99, 1.05, "~0 [-1,5]", "~0" },
		{ 1.0, 0.997, 1.003, "~0 [0,0]", "~0" },
		{ 0.06, 0.05, 0.07, "-94% [-95,-93]", "-94%" },
		{ 1.43, NAN, NAN, "+43%", "+43%" },
		{ NAN, NAN, NAN, "-", "-" },
		{ INFINITY, 1, 2, "-", "-" },
		{ 1e9, 1e8, 1e10, "x>9999", "x>9999" },
	};
	char buf[FIGURE_ROOM];

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		figure_ratio(buf, sizeof(buf), rows[i].ratio, rows[i].low, rows[i].high);
		assert_string_equal(buf, rows[i].want);
		figure_ratio_short(buf, sizeof(buf), rows[i].ratio, rows[i].low, rows[i].high);
		assert_string_equal(buf, rows[i].want_short);
	}
}

static void test_other_figures(void **state)
{
	char buf[FIGURE_ROOM];

	(void)state;
	assert_string_equal(figure_clock(buf, sizeof(buf), 102 * NS_PER_S, 0), "01:42");
	assert_string_equal(figure_clock(buf, sizeof(buf), 3702 * NS_PER_S, 0), "1:01:42");
	assert_string_equal(figure_clock(buf, sizeof(buf), 100250 * NS_PER_MS, 1), "01:40.2");
	assert_string_equal(figure_clock(buf, sizeof(buf), -1, 0), "-");
	assert_string_equal(figure_mbps(buf, sizeof(buf), 198441 * 1024.0), "203");
	assert_string_equal(figure_mbps(buf, sizeof(buf), 12.36e6), "12.4");
	assert_string_equal(figure_mbps(buf, sizeof(buf), NAN), "-");
	assert_string_equal(figure_share(buf, sizeof(buf), 0.001), "<1%");
	assert_string_equal(figure_share(buf, sizeof(buf), 0), "0%");
	assert_string_equal(figure_share(buf, sizeof(buf), 1), "100%");
	assert_string_equal(figure_share(buf, sizeof(buf), NAN), "-");
	assert_string_equal(figure_seconds(buf, sizeof(buf), 1.29), "1.29");
	assert_string_equal(figure_speed(buf, sizeof(buf), 0), "max");
	assert_string_equal(figure_speed(buf, sizeof(buf), 0.5), "x0.5");
}

static void test_axis(void **state)
{
	static const double rows[][2] = {
		{ 0, 1 },
		{ 0.3, 0.3 },
		{ 1, 1 },
		{ 1.01, 1.5 },
		{ 24640, 25000 },
		{ 25100, 30000 },
		{ 9.99, 10 },
		{ 38.4, 40 },
		{ 1e12, 1e12 },
		{ 3, 3 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_true(fabs(chart_axis_max(rows[i][0]) / rows[i][1] - 1) < 1e-9);
	assert_true(chart_axis_max(NAN) > 0);
	assert_true(chart_axis_max(1e308) >= 0.9999e308);
}

/* Columns stand on absolute slices: with one more slice every column keeps its content or moves
 * left as a whole. */
static void test_columns_do_not_shimmer(void **state)
{
	struct snapshot *s = sample_ds5100();

	(void)state;
	for (int g = 0; g < N_GLYPHS; g++) {
		struct time_axis before = chart_time_axis(s, (enum glyphs)g, 72), after;
		int moved;

		s->first_slice++;
		after = chart_time_axis(s, (enum glyphs)g, 72);
		moved = (int)(after.newest - before.newest);
		assert_true(moved == 0 || moved == 1);
		for (uint64_t slice = 500; slice < 900; slice++) {
			int was = chart_column(&before, slice), is = chart_column(&after, slice);

			assert_int_equal(is, was < 0 ? -1 : was - moved);
		}
	}
	free(s);
}

static void test_span_is_a_minute_or_more(void **state)
{
	struct snapshot *s = sample_ds5100();

	(void)state;
	for (int columns = 1; columns <= 300; columns++)
		for (int g = 0; g < N_GLYPHS; g++) {
			struct time_axis t = chart_time_axis(s, (enum glyphs)g, columns);

			assert_true(chart_span_s(&t) >= 60);
		}
	free(s);
}

/* The step of 52 % must be seen with three rows of the poorest glyphs: two thirds of a step, then
 * one. */
static void test_half_as_much_again_is_seen(void **state)
{
	struct snapshot *s = sample_ds5100();
	struct canvas c = { .glyphs = GLYPHS_ASCII };
	struct rect part = { 0, 0, 3, 80 };
	struct time_axis t;
	int before = -1, after = -1;

	(void)state;
	for (uint32_t i = 0; i < s->n_slices; i++)
		s->slice[i].requests = i < 640 ? 2000 : 3040;
	canvas_resize(&c, 3, 80);
	t = chart_time_axis(s, c.glyphs, 72);
	chart_strip(&c, part, s, &t, STRIP_IOPS);
	for (int row = 0; row < 3; row++) {
		if (canvas_at(&c, row, 12)->ch != ' ')
			before = row;
		if (canvas_at(&c, row, 78)->ch != ' ')
			after = row;
	}
	assert_int_equal(before, 1);
	assert_int_equal(after, 0);
	canvas_release(&c);
	free(s);
}

static void check_bins(const struct snapshot *s, const struct bins *b, int n)
{
	double sum = 0;

	assert_true(b->n <= n && b->n >= 2);
	assert_int_equal(b->first[0], 0);
	assert_int_equal(b->first[b->n], HIST_LOG2_ROWS);
	for (int i = 0; i < b->n; i++) {
		char label[24];

		assert_true(b->first[i] < b->first[i + 1]);
		bins_label(b, i, label, sizeof(label));
		assert_true(canvas_width(label) <= b->label_width);
		sum += bins_share(b, &s->window[METRIC_TOTAL], i);
	}
	assert_true(!s->window[METRIC_TOTAL].n || fabs(sum - 1) < 0.01);
	assert_true(b->scale >= 0.25 && b->scale <= 1);
}

static void test_bins(void **state)
{
	struct snapshot *s = sample_ds5100();
	struct bins b;

	(void)state;
	for (int n = 2; n <= BINS_MAX; n++) {
		bins_choose(&b, s, n);
		check_bins(s, &b, n);
	}
	for (uint32_t row = 2; row + 4 < HIST_LOG2_ROWS; row++) {
		sample_lat(&s->window[METRIC_TOTAL], 100000, row, 1);
		bins_choose(&b, s, 7);
		check_bins(s, &b, 7);
	}
	memset(s->window, 0, sizeof(s->window));
	s->has_before = false;
	bins_choose(&b, s, 7);
	check_bins(s, &b, 7);
	free(s);
}

/* Where data is, a bin is one row; what is joined is where there is none. */
static void test_peaks_stay_apart(void **state)
{
	struct snapshot *s = sample_ds5100();
	struct bins b;
	char label[24];

	(void)state;
	bins_choose(&b, s, 7);
	bins_label(&b, 3, label, sizeof(label));
	assert_string_equal(label, ".5-1");
	assert_true(fabs(bins_share(&b, &s->window[METRIC_TOTAL], 3) - 0.52) < 0.01);
	bins_label(&b, 5, label, sizeof(label));
	assert_string_equal(label, "16-32");
	assert_true(fabs(bins_share(&b, &s->before[METRIC_TOTAL], 5) - 0.52) < 0.01);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratios),
		cmocka_unit_test(test_other_figures),
		cmocka_unit_test(test_axis),
		cmocka_unit_test(test_columns_do_not_shimmer),
		cmocka_unit_test(test_span_is_a_minute_or_more),
		cmocka_unit_test(test_half_as_much_again_is_seen),
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_peaks_stay_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
