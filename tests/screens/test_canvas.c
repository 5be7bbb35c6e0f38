/* Clipped printing: nothing outside, numbers whole, foreign bytes harmless. */
#include "golden.h"

#include "fields.h"

static struct canvas grid(int rows, int columns, enum glyphs glyphs)
{
	struct canvas c = { .glyphs = glyphs };

	assert_int_equal(canvas_resize(&c, rows, columns), 0);
	return c;
}

/* Row 0 as text. */
static const char *row_text(const struct canvas *c, char buf[256])
{
	int n = 0;

	for (int i = 0; i < c->columns; i++)
		buf[n++] = canvas_at(c, 0, i)->ch < 128 ? (char)canvas_at(c, 0, i)->ch : '?';
	while (n && buf[n - 1] == ' ')
		n--;
	buf[n] = '\0';
	return buf;
}

static void test_numbers_are_not_cut(void **state)
{
	static const struct {
		const char *text;
		int columns;
		const char *want;
	} rows[] = {
		{ "IOPS 32.8k", 10, "IOPS 32.8k" },
		{ "IOPS 32.8k", 9, "IOPS" },
		{ "IOPS 32.8k", 6, "IOPS" },
		{ "IOPS 32.8k", 3, "IOP" },
		{ "12345", 4, "" },
		{ "+43% [39,47]", 11, "+43% [39,47" },
		{ "+43% [39,47]", 10, "+43%" },
		{ "+43%", 3, "" },
		{ "hyperpav-20", 10, "hyperpav" },
		{ "a 1,000,000 b", 8, "a" },
		{ "x16.4", 3, "" },
		{ "words only", 7, "words o" },
		{ "p0+100% p1", 7, "p0+100%" },
		{ "p0+100%", 6, "p0" },
		{ "(8)", 2, "(8" },
		{ "at 01:42", 5, "at" },
		{ "QD 8>16", 4, "QD" },
	};
	char buf[256];

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct canvas c = grid(1, rows[i].columns, GLYPHS_ASCII);

		canvas_text(&c, 0, 0, 100, ROLE_TEXT, rows[i].text);
		assert_string_equal(row_text(&c, buf), rows[i].want);
		canvas_release(&c);
	}
}

static void test_nothing_outside(void **state)
{
	static const int at[] = { -2000000000, -5, -1, 0, 2, 3, 9, 2000000000 };
	struct canvas c = grid(3, 4, GLYPHS_UTF8);

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		for (unsigned k = 0; k < 8; k++) {
			canvas_put(&c, at[i], at[k], ROLE_NOW, 'x');
			canvas_text(&c, at[i], at[k], at[k] < 1000 ? at[k] + 3 : at[k], ROLE_NOW,
				    "ab cd");
		}
	assert_null(canvas_at(&c, 3, 0));
	assert_null(canvas_at(&c, 0, 4));
	assert_null(canvas_at(&c, -1, 0));
	canvas_release(&c);
}

static void test_foreign_bytes(void **state)
{
	static const char *const hostile[] = {
		"\033]0;title\007",
		"\x9b"
		"31m",
		"a\xff\xfe"
		"b",
		"\xe2\x80\xae"
		"abc",
		"\t\r\n",
		"\xf0\x9f\x98\x80",
		"\xcc\x81"
		"e",
		"\xe4\xb8\xad",
		"\xe2\xa3\xbf",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++)
		for (int g = 0; g < N_GLYPHS; g++) {
			struct canvas c = grid(1, 40, (enum glyphs)g);

			canvas_text(&c, 0, 0, 40, ROLE_TEXT, hostile[i]);
			for (int k = 0; k < 40; k++) {
				uint32_t ch = canvas_at(&c, 0, k)->ch;

				assert_true(ch >= 0x20 && ch != 0x7f && (ch < 0x80 || ch >= 0xa1));
				assert_true(ch < 0x250 || (ch >= 0x1e00 && ch < 0x2028));
				assert_true(g == GLYPHS_UTF8 || ch < 0x80);
			}
			canvas_release(&c);
		}
}

static void test_umlauts(void **state)
{
	struct canvas c = grid(1, 5, GLYPHS_UTF8);

	(void)state;
	assert_int_equal(canvas_width("Gr\xc3\xb6\xc3\x9f"
				      "e"),
			 5);
	canvas_text(&c, 0, 0, 5, ROLE_TEXT,
		    "Gr\xc3\xb6\xc3\x9f"
		    "e");
	assert_int_equal(canvas_at(&c, 0, 2)->ch, 0xf6);
	assert_int_equal(canvas_at(&c, 0, 4)->ch, 'e');
	canvas_release(&c);
}

static void test_wrap(void **state)
{
	struct canvas c = grid(4, 12, GLYPHS_ASCII);
	struct rect part = { 0, 0, 4, 12 };
	char buf[256];

	(void)state;
	assert_int_equal(canvas_wrap(&c, part, ROLE_TEXT, "one two three four", false), 2);
	assert_int_equal(canvas_wrap(&c, part, ROLE_TEXT, "one two three four", true), 2);
	assert_string_equal(row_text(&c, buf), "one two");
	assert_int_equal(canvas_wrap(&c, part, ROLE_TEXT, "", true), 0);
	part.columns = 3;
	assert_int_equal(canvas_wrap(&c, part, ROLE_TEXT, "12345 ab", false), 2);
	part.columns = 0;
	assert_int_equal(canvas_wrap(&c, part, ROLE_TEXT, "ab", false), 0);
	canvas_release(&c);
}

static void test_right(void **state)
{
	struct canvas c = grid(1, 6, GLYPHS_ASCII);
	char buf[256];

	(void)state;
	canvas_right(&c, 0, 0, 6, ROLE_TEXT, "1234");
	assert_string_equal(row_text(&c, buf), "  1234");
	canvas_clear(&c);
	canvas_right(&c, 0, 3, 6, ROLE_TEXT, "1234");
	assert_string_equal(row_text(&c, buf), "");
	canvas_release(&c);
}

static void test_fields_drop_by_rank(void **state)
{
	struct canvas c = grid(1, 40, GLYPHS_ASCII);
	struct fields f = { .gap = 2 };
	char buf[256];

	(void)state;
	fields_label(&f, 0, ROLE_TEXT, "aaaa");
	fields_label(&f, FIELDS_SPARE, ROLE_TEXT, "spare");
	fields_label(&f, 2, ROLE_TEXT, "bbbb");
	fields_label(&f, 1, ROLE_TEXT, "cccc");
	assert_int_equal(fields_row(&c, 0, 0, 40, &f), 23);
	canvas_clear(&c);
	fields_row(&c, 0, 0, 22, &f); /* the spare one first */
	assert_string_equal(row_text(&c, buf), "aaaa  bbbb  cccc");
	canvas_clear(&c);
	fields_row(&c, 0, 0, 15, &f); /* then the gaps */
	assert_string_equal(row_text(&c, buf), "aaaa bbbb cccc");
	canvas_clear(&c);
	fields_row(&c, 0, 0, 12, &f); /* then the least important */
	assert_string_equal(row_text(&c, buf), "aaaa cccc");
	canvas_clear(&c);
	fields_row(&c, 0, 0, 3, &f);
	assert_string_equal(row_text(&c, buf), "");
	assert_int_equal(fields_need(&f, 40, 3), 1);
	assert_int_equal(fields_need(&f, 12, 3), 2);
	canvas_release(&c);
}

static void test_sizes(void **state)
{
	struct canvas c = { 0 };

	(void)state;
	assert_int_equal(canvas_resize(&c, 0, -3), 0);
	assert_int_equal(c.rows * c.columns, 1);
	assert_int_equal(canvas_resize(&c, 100000, 100000), 0);
	assert_int_equal(c.rows, CANVAS_MAX_ROWS);
	assert_int_equal(c.columns, CANVAS_MAX_COLUMNS);
	canvas_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_are_not_cut),
		cmocka_unit_test(test_nothing_outside),
		cmocka_unit_test(test_foreign_bytes),
		cmocka_unit_test(test_umlauts),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_fields_drop_by_rank),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
