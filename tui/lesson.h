/* A preset played as a lesson: which step is looked at, what was answered, what came out, where to go back to after the knobs
 * were taken over. Plain data and pure functions; the engine plays. */
#ifndef IODECK_LESSON_H
#define IODECK_LESSON_H

#include "snapshot.h"

enum {
	LESSON_STEPS = 256, /* PRESET_MAX_STEPS */
	ANSWER_NONE = 0,    /* 1..4: the answer */
	ANSWER_SKIPPED = 5,
};

/* Where a step is in its life. */
enum phase {
	PHASE_ASK,   /* its question is open: nothing runs before an answer */
	PHASE_READY, /* nothing is asked, or it was answered before */
	PHASE_GOING, /* the engine is on its way to where it was sent */
	PHASE_RUNS,
	PHASE_PAUSED,
	PHASE_DONE, /* played to its end: what came out is known */
	PHASE_AWAY, /* the knobs were taken over */
	N_PHASES,
};
extern const char *const phase_names[N_PHASES];

/* A place in the straight run, as GOTO takes it. */
struct lesson_place {
	bool valid, at_end;
	uint32_t step; /* the one that had ended, or was running */
	int64_t t_ns;
};

struct lesson {
	const struct spec *spec; /* borrowed; NULL: no preset is open */
	uint32_t at;		 /* step looked at */
	uint32_t n_goto;	 /* GOTO commands sent: what the engine tells from before them is not believed */
	bool to_time;		 /* the last GOTO named a time: the step that is there will be looked at, also at its end */
	bool away;		 /* a knob was turned by hand, or T pressed */
	struct lesson_place place;
	uint8_t answer[LESSON_STEPS];
	struct step_verdicts seen[LESSON_STEPS]; /* .step 0: not yet played to the end */
};

struct lesson_score {
	uint32_t right, scored, skipped;
};

void lesson_begin(struct lesson *l, const struct spec *spec);
/* Take what the engine tells. */
void lesson_follow(struct lesson *l, const struct snapshot *s);
enum phase lesson_phase(const struct lesson *l, const struct snapshot *s);
/* The clock stands at the end of the step looked at, so the charts show it; else, when it is done, the time before it. */
bool lesson_stands(const struct lesson *l, const struct snapshot *s);
/* Answers of steps that have been played, so that the score tells nothing in advance. */
struct lesson_score lesson_score(const struct lesson *l);
/* The step looked at; NULL: none. */
const struct step *lesson_step(const struct lesson *l);
/* The rows of a clock's histogram that the step is about: false when no line of the preset says. */
bool lesson_bar(const struct step *step, enum metric *metric, uint32_t *first, uint32_t *last);

#endif
