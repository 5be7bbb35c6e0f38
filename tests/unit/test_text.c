/* The gate for foreign text, formatting that cuts, and the nearest name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"

/* Pieces of literals keep the digits of an escape apart from letters that follow. */
static const struct {
	const char *dirty, *clean, *ascii;
} rows[] = {
	{ "", "", "" },
	{ "plain text ~!", "plain text ~!", "plain text ~!" },
	{ "a\tb\nc\r", "a?b?c?", "a?b?c?" },
	{ "\033]0;title\007x", "?]0;title?x", "?]0;title?x" },
	{ "\033[31mred", "?[31mred", "?[31mred" },
	{ "del\x7f", "del?", "del?" },
	{ "vendor\x9b"
	  "31m",
	  "vendor?31m", "vendor?31m" }, /* C1 as a raw byte */
	{ "x\xc2\x9b"
	  "31m",
	  "x?31m", "x?31m" },				     /* U+009B, CSI */
	{ "\xc2\x80\xc2\x9f\xc2\xa0", "??\xc2\xa0", "???" }, /* the ends of C1; U+00A0 is text */
	{ "a\xe2\x80\xae"
	  "b",
	  "a?b", "a?b" }, /* U+202E right-to-left override */
	{ "\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c", "????", "????" },
	{ "\xe2\x80\x8e\xe2\x80\x8f", "??", "??" },			  /* U+200E U+200F */
	{ "\xe2\x80\x8d\xe2\x80\xaf", "\xe2\x80\x8d\xe2\x80\xaf", "??" }, /* their neighbours */
	{ "M\xc3\xbcller", "M\xc3\xbcller", "M?ller" },
	{ "\xe2\x82\xac\xf0\x9f\x92\xbe", "\xe2\x82\xac\xf0\x9f\x92\xbe", "??" },
	{ "\xc0\x9b", "??", "??" }, /* overlong ESC of two bytes */
	{ "\xc1\xbf", "??", "??" },
	{ "\xe0\x80\x9b", "???", "???" }, /* of three */
	{ "\xe0\x9f\xbf", "???", "???" },
	{ "\xf0\x80\x80\x9b", "????", "????" }, /* of four */
	{ "\xf0\x8f\xbf\xbf", "????", "????" },
	{ "\xed\xa0\x80", "???", "???" }, /* surrogate */
	{ "\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80", "??" },
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf", "?" }, /* U+10FFFF, the last one */
	{ "\xf4\x90\x80\x80", "????", "????" },		 /* above it */
	{ "\xf5\x80\x80\x80", "????", "????" },
	{ "\xff\xfe", "??", "??" },
	{ "\x80\xbf", "??", "??" },    /* continuations alone */
	{ "cut\xc3", "cut?", "cut?" }, /* ends inside a sequence */
	{ "cut\xe2\x82", "cut??", "cut??" },
	{ "cut\xf0\x9f\x92", "cut???", "cut???" },
	{ "\xe2\x82x", "??x", "??x" },
	{ "\xc3\xc3\xbc", "?\xc3\xbc", "??" },
};

static void assert_cleaned(const char *dirty, int ascii_only, const char *expected)
{
	char dst[64];

	assert_int_equal(text_clean(dst, sizeof(dst), dirty, ascii_only), strlen(expected));
	assert_string_equal(dst, expected);
}

static void cleans_every_kind(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_cleaned(rows[i].dirty, 0, rows[i].clean);
		assert_cleaned(rows[i].dirty, 1, rows[i].ascii);
	}
}

/* A source that ends inside a sequence, without any memory behind its NUL, for the address
 * sanitizer. */
static void does_not_read_past_the_end(void **state)
{
	static const char *const cut[] = { "\xf0", "\xf0\x9f", "\xf0\x9f\x92",
					   "\xe2\x82", "\xe2", "\xc3" };
	char dst[16];

	(void)state;
	for (unsigned i = 0; i < sizeof(cut) / sizeof(cut[0]); i++) {
		char *exact = malloc(strlen(cut[i]) + 1);

		assert_non_null(exact);
		strcpy(exact, cut[i]);
		assert_int_equal(text_clean(dst, sizeof(dst), exact, 0), strlen(cut[i]));
		free(exact);
	}
}

/* "aü€💾" in rooms of every size: only whole characters, never a byte too many. */
static void cuts_between_characters(void **state)
{
	static const char text[] = "a\xc3\xbc\xe2\x82\xac\xf0\x9f\x92\xbe";
	static const size_t length[] = { 0, 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10 };
	char dst[14];

	(void)state;
	for (size_t room = 0; room < sizeof(length) / sizeof(length[0]); room++) {
		memset(dst, 'X', sizeof(dst));
		assert_int_equal(text_clean(dst, room, text, 0), length[room]);
		assert_int_equal(dst[room], 'X');
		if (room) {
			assert_memory_equal(dst, text, length[room]);
			assert_int_equal(dst[length[room]], '\0');
		}
	}
}

static void cleaning_is_idempotent_and_never_longer(void **state)
{
	char src[40], once[40], twice[40];
	struct rng r;

	(void)state;
	rng_init(&r, 1, 1);
	for (int n = 0; n < 20000; n++) {
		size_t length = rng_below(&r, sizeof(src));

		for (size_t i = 0; i < length; i++)
			src[i] = (char)(1 + rng_below(&r, 127) + (rng_below(&r, 3) ? 128 : 0));
		src[length] = '\0';
		assert_true(text_clean(once, sizeof(once), src, 0) <= length);
		text_clean(twice, sizeof(twice), once, 0);
		assert_string_equal(once, twice);
	}
}

static void format_cuts_silently(void **state)
{
	char dst[8];

	(void)state;
	assert_int_equal(text_format(dst, sizeof(dst), "%s-%d", "p", 12), 4);
	assert_string_equal(dst, "p-12");
	assert_int_equal(text_format(dst, sizeof(dst), "%s", "1234567"), 7);
	assert_int_equal(text_format(dst, sizeof(dst), "%s", "12345678901"), 7);
	assert_string_equal(dst, "1234567");
	assert_int_equal(text_format(dst, 1, "%s", "abc"), 0);
	assert_string_equal(dst, "");
	assert_int_equal(text_format(dst, 0, "%s", "abc"), 0);
}

static void format_cuts_between_characters(void **state)
{
	char dst[8];

	(void)state;
	assert_int_equal(text_format(dst, sizeof(dst), "%s", "123456\xc3\xbc"), 6);
	assert_string_equal(dst, "123456");
	assert_int_equal(text_format(dst, sizeof(dst), "%s", "12345\xc3\xbcxx"), 7);
	assert_string_equal(dst, "12345\xc3\xbc");
	assert_int_equal(text_format(dst, sizeof(dst), "%s", "1234\xf0\x9f\x92\xbe"), 4);
	assert_string_equal(dst, "1234");
}

static void nearest_name(void **state)
{
	static const char *const names[] = { "qd", "aliases", "path",
					     "iodepth", "numjobs", "thinktime" };
	static const struct {
		const char *word, *nearest;
	} words[] = {
		{ "alias", "aliases" },
		{ "ALIASES", "aliases" },
		{ "aliasses", "aliases" },
		{ "iodpeth", "iodepth" },
		{ "io_depth", "iodepth" },
		{ "Paths", "path" },
		{ "thinktimes", "thinktime" },
		{ "qdd", "qd" },
		{ "zzzzzzzz", NULL },
		{ "rebalance", NULL },
		{ "think", NULL },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *found = text_nearest(words[i].word, names, 6);

		if (words[i].nearest)
			assert_string_equal(found, words[i].nearest);
		else
			assert_null(found);
	}
	assert_null(text_nearest("qd", names, 0));
}

static void nearest_prefers_the_nearer_and_the_first(void **state)
{
	static const char *const names[] = { "paths", "pathz", "path" };

	(void)state;
	assert_string_equal(text_nearest("path", names, 3), "path");
	assert_string_equal(text_nearest("pathx", names, 2), "paths");
}

static void nearest_takes_words_of_any_length(void **state)
{
	static const char *const names[] = { "qd" };
	char word[5000];

	(void)state;
	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_null(text_nearest(word, names, 1));
	assert_non_null(text_nearest("", names, 1)); /* two letters away: at the limit */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cleans_every_kind),
		cmocka_unit_test(does_not_read_past_the_end),
		cmocka_unit_test(cuts_between_characters),
		cmocka_unit_test(cleaning_is_idempotent_and_never_longer),
		cmocka_unit_test(format_cuts_silently),
		cmocka_unit_test(format_cuts_between_characters),
		cmocka_unit_test(nearest_name),
		cmocka_unit_test(nearest_prefers_the_nearer_and_the_first),
		cmocka_unit_test(nearest_takes_words_of_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
