/* Play a shipped preset as `iodeck run` does, and keep the results of its steps. For tests; a mistake fails the test. */
#ifndef IODECK_TESTS_PLAY_H
#define IODECK_TESTS_PLAY_H

#include "engine.h"

enum { PLAY_STEPS = 24 };

/* Results in the order of the steps; owned until played_forget. */
struct played {
	struct step_result *r[PLAY_STEPS];
	uint32_t n;
};

/* presets/NAME.ini with settings ("array.wake=0", ending with NULL; or NULL) that hold for every step. Given: spec_free. */
struct spec *play_load(const char *name, const char *const *set);
/* All steps with this seed; runtime_ns 0: as long as the preset says. */
void play(struct spec *spec, uint64_t seed, int64_t runtime_ns, struct played *p);
/* Both, and the spec freed. */
void play_with(const char *name, const char *const *set, uint64_t seed, int64_t runtime_ns, struct played *p);
void played_forget(struct played *p);
/* Every expectation of the preset holds; returns how many there were. */
uint32_t played_holds(const struct spec *spec, const struct played *p);
/* A test: the preset whose name is the state, played with its own seed, holds all it claims, and claims something. */
void play_preset_holds(void **state);

#endif
