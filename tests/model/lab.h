/* Small experiments without a preset: settings as text, one step, a result. For tests and benchmarks. */
#ifndef IODECK_TESTS_LAB_H
#define IODECK_TESTS_LAB_H

#include "engine.h"

struct lab {
	struct spec spec;
	struct step step;
	struct fault_spec fault;
};

/* `jobs`: names, blank separated. `settings`: "a.numjobs=50 host.qd=10 array.ctl=500us ..." blank separated. Ends the program on a mistake in
 * them: a test must not go on with something else than it says. */
void lab_init(struct lab *l, const char *jobs, const char *settings);
void lab_set(struct lab *l, const char *settings);
/* The step's one fault, `at_ns` after its start. */
void lab_fault(struct lab *l, const char *text, int64_t at_ns);

/* Run one step from its start: `run_ns` after `warm_ns`; run_ns 0: until all fixed work is done. */
void lab_run(struct lab *l, uint64_t seed, int64_t warm_ns, int64_t run_ns, struct step_result *out);

/* An engine HELD on the lab's only step, for tests that turn knobs. */
struct engine *lab_open(struct lab *l, uint64_t seed);
/* Turn a knob of the host or the first job; lab_turn ends the program when it is refused. */
int lab_try(struct engine *e, enum knob_id id, int64_t value, struct err *err);
void lab_turn(struct engine *e, enum knob_id id, int64_t value);

#endif
