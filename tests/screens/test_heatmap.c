/* The heat map, and the numbers of the marks that stand in the same column of every chart. */
#include "golden.h"

#include "heatmap.h"
#include "sample.h"

static void test_levels(void **state)
{
	static const struct {
		double share;
		int level;
	} rows[] = { { 0, 0 }, { 1e-6, 1 }, { 0.019, 1 }, { 0.02, 2 }, { 0.079, 2 }, { 0.08, 3 }, { 0.2, 4 }, { 0.49, 4 }, { 0.5, 5 }, { 1.1, 5 } };

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(heat_level(rows[i].share), rows[i].level);
}

/* Half of the requests of one slice in one row, the rest in another, and a trace in a third. */
static struct snapshot *three_rows(uint64_t slice)
{
	struct snapshot *s = sample_ds5100();

	for (uint32_t i = 0; i < s->n_slices; i++)
		memset(s->slice[i].total_share, 0, sizeof(s->slice[i].total_share));
	s->slice[slice].total_share[8] = 204;
	s->slice[slice].total_share[12] = 50;
	s->slice[slice].total_share[14] = 1;
	return s;
}

static uint32_t at(const struct canvas *c, int row, int column) { return canvas_at(c, row, column)->ch; }

static int row_of_label(const struct canvas *c, const char *label)
{
	for (int row = 0; row < c->rows; row++) {
		char text[CHART_GUTTER] = "";

		for (int i = 0; i < CHART_GUTTER - 1; i++)
			text[i] = (char)at(c, row, i);
		if (!strcmp(text + strspn(text, " "), label))
			return row;
	}
	fail_msg("no bucket '%s'", label);
	return 0;
}

static void test_ink_stands_where_the_requests_are(void **state)
{
	struct snapshot *s = three_rows(700);
	struct canvas c = { .glyphs = GLYPHS_ASCII };
	struct time_axis t;
	int column;

	(void)state;
	s->n_acts = 0;
	assert_int_equal(canvas_resize(&c, 11, 8 + 600), 0); /* a column is a slice */
	t = chart_time_axis(s, c.glyphs, 600);
	assert_int_equal(t.slices, 1);
	heatmap_draw(&c, canvas_rect(&c), s, &t);
	column = CHART_GUTTER + chart_column(&t, 700);
	assert_int_equal(at(&c, row_of_label(&c, ".5-1"), column), '@');
	assert_int_equal(at(&c, row_of_label(&c, "8-16"), column), '+');
	assert_int_equal(at(&c, row_of_label(&c, "32-64"), column), '.');
	for (int row = 1; row < c.rows; row++) {
		assert_int_equal(at(&c, row, column - 1), ' ');
		assert_int_equal(at(&c, row, column + 1), ' ');
	}
	memset(s->slice[700].total_share, 0, sizeof(s->slice[700].total_share)); /* switched off */
	canvas_clear(&c);
	heatmap_draw(&c, canvas_rect(&c), s, &t);
	for (int row = 1; row < c.rows; row++)
		assert_int_equal(at(&c, row, column), ' ');
	canvas_release(&c);
	free(s);
}

/* However few rows: every request is in some bucket. */
static void test_no_request_is_left_out(void **state)
{
	struct snapshot *s = three_rows(700);

	(void)state;
	s->n_acts = 0;
	for (int rows = 3; rows <= 40; rows++) {
		struct canvas c = { .glyphs = GLYPHS_ASCII };
		struct time_axis t;
		int inked = 0;

		assert_int_equal(canvas_resize(&c, rows, 8 + 600), 0);
		t = chart_time_axis(s, c.glyphs, 600);
		heatmap_draw(&c, canvas_rect(&c), s, &t);
		for (int row = 1; row < rows; row++)
			inked += at(&c, row, CHART_GUTTER + chart_column(&t, 700)) != ' ';
		assert_in_range(inked, rows == 3 ? 1 : 2, 3);
		canvas_release(&c);
	}
	free(s);
}

/* Columns in which a mark's number stands, of all rows but the legend's. */
static int columns_of(const struct canvas *c, uint32_t digit, int first, int end, int column[])
{
	int n = 0;

	for (int row = first; row < end; row++)
		for (int i = CHART_GUTTER; i < c->columns; i++)
			if (at(c, row, i) == digit && canvas_at(c, row, i)->role == ROLE_CHANGED)
				column[n++] = i;
	return n;
}

/* The key is whole wherever there is a heat map. */
static void test_key_is_whole(void **state)
{
	(void)state;
	for (int columns = 80; columns <= 132; columns++) {
		struct canvas c = { .glyphs = GLYPHS_ASCII };
		struct snapshot *s = sample_ds5100();
		struct view *v = sample_view();
		struct strbuf text = { 0 };

		assert_int_equal(canvas_resize(&c, 48, columns), 0);
		render(&c, s, v, NULL);
		shot_text(&c, &text);
		assert_non_null(strstr(text.text, "share from:  . 0%  : 2%  + 8%  # 20%  @ 50%"));
		strbuf_release(&text);
		canvas_release(&c);
		free(s);
		free(v);
	}
}

static void test_marks_stand_in_one_column(void **state)
{
	static const int sizes[][3] = { { 80, 24, 3 }, { 132, 43, 3 }, { 200, 50, 5 } }; /* charts and the axis */
	struct view *v = sample_view();

	(void)state;
	for (int k = 0; k < 3 * N_GLYPHS; k++) {
		struct canvas c = { .glyphs = (enum glyphs)(k % N_GLYPHS) };
		struct snapshot *s = sample_aliases();
		int column[64], legend = 0;

		assert_int_equal(canvas_resize(&c, sizes[k / N_GLYPHS][1], sizes[k / N_GLYPHS][0]), 0);
		render(&c, s, v, NULL);
		while (at(&c, legend, 0) != 'm' || at(&c, legend, 1) != 'a' || at(&c, legend, 2) != 'r')
			legend++;
		for (uint32_t digit = '1'; digit <= '4'; digit++) {
			int n = columns_of(&c, digit, 5, legend, column);

			assert_int_equal(n, sizes[k / N_GLYPHS][2]);
			for (int i = 1; i < n; i++)
				assert_int_equal(column[i], column[0]);
		}
		canvas_release(&c);
		free(s);
	}
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_ink_stands_where_the_requests_are),
		cmocka_unit_test(test_no_request_is_left_out),
		cmocka_unit_test(test_key_is_whole),
		cmocka_unit_test(test_marks_stand_in_one_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
