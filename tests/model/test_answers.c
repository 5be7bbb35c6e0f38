/* The questions of the shipped presets: by the numbers, the answer marked right is true and every other one is false. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <string.h>

#include "expect.h"
#include "model/play.h"
#include "preset.h"

/* Of a real device nobody can say before what is true. */
static const char *const no_model[] = {"real", "real-volume"};

static bool is_left_out(const char *name)
{
	for (size_t i = 0; i < sizeof(no_model) / sizeof(no_model[0]); i++)
		if (!strcmp(name, no_model[i]))
			return true;
	return false;
}

static uint32_t judge_step(const struct spec *spec, const struct played *p, uint32_t i)
{
	const struct step *s = &spec->step[i];

	if (s->ask && s->n_when != s->n_answer)
		fail_msg("%s, step '%s': asks, and does not say with when.N which answer the numbers make true", spec->name, s->name);
	for (uint32_t k = 0; k < s->n_when; k++) {
		struct verdict v = expect_judge(&s->when[k], i, (const struct step_result *const *)p->r, p->n);

		if (v.pass != (k == s->right))
			fail_msg("%s, seed %llu, step '%s', answer %u is marked %s, but '%s' gives %g", spec->name, (unsigned long long)spec->seed,
				 s->name, k + 1, k == s->right ? "right" : "wrong", s->when[k].text, v.value);
		if (!v.word && v.value != v.value)
			fail_msg("%s, step '%s': when.%u cannot be told", spec->name, s->name, k + 1);
	}
	return s->ask != NULL;
}

/* presets/NAME.ini -> NAME */
static char *name_of(char *path)
{
	char *name = strrchr(path, '/') + 1;

	name[strlen(name) - strlen(".ini")] = '\0';
	return name;
}

static bool asks(const struct spec *spec)
{
	for (uint32_t i = 0; i < spec->n_steps; i++)
		if (spec->step[i].ask)
			return true;
	return false;
}

static uint32_t judge_preset(const char *name)
{
	struct spec *spec = play_load(name, NULL);
	struct played p;
	uint32_t asked = 0;

	if (!asks(spec)) {
		spec_free(spec);
		return 0;
	}
	play(spec, spec->seed, 0, &p);
	for (uint32_t k = 0; k < spec->n_steps; k++)
		asked += judge_step(spec, &p, k);
	played_forget(&p);
	spec_free(spec);
	return asked;
}

static void test_answers_are_true(void **state)
{
	uint32_t asked = 0;
	glob_t files;

	(void)state;
	assert_int_equal(glob("presets/*.ini", 0, NULL, &files), 0);
	assert_true(files.gl_pathc >= 20);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *name = name_of(files.gl_pathv[i]);

		if (!is_left_out(name))
			asked += judge_preset(name);
	}
	assert_true(asked >= 36);
	globfree(&files);
}

/* The four studies, and the first preset one meets: each step says what is to be seen, and each lesson asks at least twice. */
static void test_lessons_are_whole(void **state)
{
	static const char *const lessons[] = {"quickstart", "hyperpav", "ds5100", "asm-rebalance", "asm-disk-loss", "equallogic", "path-loss"};

	(void)state;
	for (size_t i = 0; i < sizeof(lessons) / sizeof(lessons[0]); i++) {
		struct spec *spec = play_load(lessons[i], NULL);
		uint32_t asked = 0, hints = 0;

		for (uint32_t k = 0; k < spec->n_steps; k++) {
			const struct step *s = &spec->step[k];

			if (!s->caption || (!s->n_expect && s->ask))
				fail_msg("%s, step '%s': no caption, or a question without an expectation", spec->name, s->name);
			asked += s->ask != NULL;
			hints += s->hint != NULL;
		}
		if (asked < 2 || !hints)
			fail_msg("%s: %u questions, %u hints: that is no lesson", spec->name, asked, hints);
		spec_free(spec);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_are_true),
		cmocka_unit_test(test_lessons_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
