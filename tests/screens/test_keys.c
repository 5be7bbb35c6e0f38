/* The key table: no key twice, each has a name, help and footer come from it. And what follows an
 * ESC. */
#include "golden.h"

#include "escape.h"
#include "views.h"
#include "sample.h"

/* All keys of bindings and knobs. */
static int all_keys(int keys[256])
{
	int n = 0;

	for (size_t i = 0; i < n_bindings; i++)
		for (int k = 0; k < BINDING_KEYS; k++)
			if (bindings[i].key[k])
				keys[n++] = bindings[i].key[k];
	for (int i = 0; i < N_KNOBS; i++)
		keys[n++] = (unsigned char)knob_table[i].key;
	return n;
}

static void test_no_key_twice(void **state)
{
	int keys[256], n = all_keys(keys);

	(void)state;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (keys[i] == keys[k])
				fail_msg("key %d ('%c') stands there twice", keys[i], keys[i]);
}

static void test_names(void **state)
{
	int keys[256], n = all_keys(keys);
	char name[16];

	(void)state;
	for (int i = 0; i < n; i++)
		assert_int_equal(key_of_name(key_text(keys[i], name, sizeof(name))), keys[i]);
	assert_int_equal(key_of_name("Nonsense"), KEY_NONE);
	assert_int_equal(key_of_name(""), KEY_NONE);
}

static void test_every_key_does_something(void **state)
{
	int keys[256], n = all_keys(keys);
	struct action a;

	(void)state;
	for (int i = 0; i < n; i++) {
		key_action(SCREEN_DECK, keys[i], &a);
		assert_true(a.kind != ACTION_NONE);
		assert_int_equal(a.command.cause, CAUSE_KEY);
	}
	key_action(SCREEN_DECK, 'z', &a);
	assert_int_equal(a.kind, ACTION_NONE);
	key_action(SCREEN_DECK, KEY_NONE, &a);
	assert_int_equal(a.kind, ACTION_NONE);
	key_action(SCREEN_DECK, knob_table[KNOB_BS].key, &a);
	assert_int_equal(a.kind, ACTION_CHOOSE);
	assert_int_equal(a.amount, KNOB_BS);
}

static void collect_help(struct strbuf *out)
{
	struct view *v = sample_view();
	struct canvas c = { .glyphs = GLYPHS_ASCII };

	canvas_resize(&c, 24, 120);
	v->screen = SCREEN_HELP;
	for (v->help_page = 0; v->help_page < screen_help_pages(&c, v); v->help_page++) {
		render(&c, NULL, v, NULL);
		shot_text(&c, out);
	}
	canvas_release(&c);
	free(v);
}

static void assert_in_help(const struct strbuf *help, const char *text)
{
	assert_non_null(help->text);
	if (!strstr(help->text, text))
		fail_msg("the help lacks '%s':\n%s", text, help->text);
}

static void test_help_lists_everything(void **state)
{
	struct strbuf help = { 0 };
	char text[128], name[16];

	(void)state;
	collect_help(&help);
	for (size_t i = 0; i < n_bindings; i++) {
		snprintf(text, sizeof(text), "  %s",
			 key_text(bindings[i].key[0], name, sizeof(name)));
		assert_in_help(&help, text);
		assert_in_help(&help, bindings[i].what);
	}
	for (size_t i = 0; i < line_rows(); i++) {
		snprintf(text, sizeof(text), ":%s", line_row(i)->name);
		assert_in_help(&help, text);
		assert_in_help(&help, line_row(i)->what);
	}
	for (int i = 0; i < N_KNOBS; i++) {
		snprintf(text, sizeof(text), "  %c  %s", knob_table[i].key, knob_table[i].name);
		assert_in_help(&help, text);
	}
	strbuf_release(&help);
}

/* No line of the help is cut at 80 columns. */
static void test_help_fits(void **state)
{
	struct view *v = sample_view();
	struct canvas narrow = { 0 }, wide = { 0 };
	struct strbuf a = { 0 }, b = { 0 };

	(void)state;
	v->screen = SCREEN_HELP;
	canvas_resize(&narrow, 24, 80);
	canvas_resize(&wide, 24, 200);
	for (v->help_page = 0; v->help_page < screen_help_pages(&narrow, v); v->help_page++) {
		render(&narrow, NULL, v, NULL);
		render(&wide, NULL, v, NULL);
		canvas_fill(&narrow, 0, 0, 80, ROLE_TEXT, ' ');
		canvas_fill(&wide, 0, 0, 200, ROLE_TEXT, ' ');
		shot_text(&narrow, &a);
		shot_text(&wide, &b);
	}
	assert_string_equal(a.text, b.text);
	strbuf_release(&a);
	strbuf_release(&b);
	canvas_release(&narrow);
	canvas_release(&wide);
	free(v);
}

static void test_footer(void **state)
{
	struct view *v = sample_view();
	struct snapshot *s = sample_ds5100();
	struct canvas c = { 0 };
	struct strbuf b = { 0 };

	(void)state;
	canvas_resize(&c, 30, 132);
	render(&c, s, v, NULL);
	shot_text(&c, &b);
	for (size_t i = 0; i < n_bindings; i++)
		if (bindings[i].footer)
			assert_non_null(strstr(b.text, bindings[i].footer));
	assert_non_null(strstr(b.text, "\n?:help")); /* first */
	strbuf_release(&b);
	canvas_release(&c);
	free(s);
	free(v);
}

/* A view's rows shadow the global ones; the letters of the knobs work where the knobs are shown. */
static void test_views(void **state)
{
	char list[96];
	struct action a;

	(void)state;
	for (int i = 0; i < N_SCREENS; i++) {
		const struct view_row *row = &view_table[i];

		assert_non_null(row->draw);
		if (!row->number)
			continue;
		assert_int_equal(view_of_number(row->number), i);
		assert_int_equal(view_of_name(row->name), i);
		assert_non_null(strstr(view_list(list, sizeof(list)), row->name));
		for (const struct binding *b = row->binding; b && b->what; b++) {
			key_action(i, b->key[0], &a);
			assert_int_equal(a.kind, b->kind);
			assert_int_equal(a.screen, i);
		}
		key_action(i, knob_table[KNOB_QD].key, &a);
		assert_int_equal(a.kind == ACTION_CHOOSE, row->knobs);
		assert_int_equal(view_beside(view_beside((enum screen_id)i, 1), -1), i);
	}
	assert_int_equal(view_of_number('9'), -1);
	assert_int_equal(view_of_name("Nonsense"), -1);
	key_action(SCREEN_DECK, '4', &a);
	assert_int_equal(a.kind, ACTION_SHOW);
	assert_int_equal(a.amount, '4');
}

static void test_escape(void **state)
{
	struct escape e = { 0 };

	(void)state;
	/* alone it is the key Esc, and a later letter is a command */
	assert_true(escape_begin(&e, 1000, false, 0));
	assert_false(escape_swallows(&e, 1010, 'q'));
	/* a torn "ESC O A" and "ESC [ 1 ; 5 C" */
	assert_true(escape_begin(&e, 2000, false, 0));
	assert_true(escape_swallows(&e, 2100, 'O'));
	assert_true(escape_swallows(&e, 2110, 'A'));
	assert_false(escape_swallows(&e, 2120, 'q'));
	escape_begin(&e, 3000, false, 0);
	for (const char *p = "[1;5C"; *p; p++)
		assert_true(escape_swallows(&e, 3050, (uint32_t)*p));
	assert_false(escape_swallows(&e, 3060, 'q'));
	/* too late to belong to it */
	escape_begin(&e, 4000, false, 0);
	assert_false(escape_swallows(&e, 4000 + ESCAPE_MS + 1, '['));
	/* Alt with a key is no command, nor the rest of a sequence behind it */
	assert_false(escape_begin(&e, 5000, true, 'q'));
	assert_false(escape_swallows(&e, 5001, 'x'));
	assert_false(escape_begin(&e, 6000, true, '['));
	assert_true(escape_swallows(&e, 6001, 'Z'));
	assert_false(escape_swallows(&e, 6002, 'x'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_key_twice),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_every_key_does_something),
		cmocka_unit_test(test_help_lists_everything),
		cmocka_unit_test(test_help_fits),
		cmocka_unit_test(test_footer),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_escape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
