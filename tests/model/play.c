#include "model/play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "preset.h"

static void keep(void *data, const struct step_result *r)
{
	struct played *p = data;

	assert_true(p->n < PLAY_STEPS);
	p->r[p->n] = malloc(sizeof(*r));
	*p->r[p->n++] = *r;
}

void played_forget(struct played *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		free(p->r[i]);
	p->n = 0;
}

struct spec *play_load(const char *name, const char *const *set)
{
	char path[64] = "presets/";
	struct err err;
	struct spec *spec;

	strcat(strcat(path, name), ".ini");
	if (preset_load(path, &spec, &err) < 0)
		fail_msg("%s", err.text);
	for (; set && *set; set++)
		if (spec_override(spec, *set, &err) < 0)
			fail_msg("%s", err.text);
	return spec;
}

void play(struct spec *spec, uint64_t seed, int64_t runtime_ns, struct played *p)
{
	struct engine_options o = {
		.backend = "model", .interval_ns = NS_PER_S, .runtime_ns = runtime_ns, .clock = clock_monotonic(), .sink = { NULL, keep, p }
	};
	struct err err;

	p->n = 0;
	spec->seed = seed;
	struct engine *e = engine_new(spec, &o, &err);
	if (!e)
		fail_msg("%s", err.text);
	while (engine_run_until(e, engine_now(e) + 100 * NS_PER_S, &err) > 0)
		;
	engine_free(e);
	assert_int_equal(p->n, spec->n_steps);
}

void play_with(const char *name, const char *const *set, uint64_t seed, int64_t runtime_ns, struct played *p)
{
	struct spec *spec = play_load(name, set);

	play(spec, seed, runtime_ns, p);
	spec_free(spec);
}

uint32_t played_holds(const struct spec *spec, const struct played *p)
{
	uint32_t judged = 0;

	for (uint32_t s = 0; s < spec->n_steps; s++)
		for (uint32_t k = 0; k < spec->step[s].n_expect; k++, judged++) {
			const struct expect *x = &spec->step[s].expect[k];
			struct verdict v = expect_judge(x, s, (const struct step_result *const *)p->r, p->n);
			if (!v.pass)
				fail_msg("%s, seed %llu, step '%s': %s: found %g", spec->name, (unsigned long long)spec->seed,
					 spec->step[s].name, x->text, v.value);
		}
	return judged;
}

void play_preset_holds(void **state)
{
	struct spec *spec = play_load(*state, NULL);
	struct played p;

	play(spec, spec->seed, 0, &p);
	assert_true(played_holds(spec, &p) > 0);
	played_forget(&p);
	spec_free(spec);
}
