/* Sections and keys of a preset become a spec. Private to the preset reader. */
#ifndef IODECK_PRESET_FILL_H
#define IODECK_PRESET_FILL_H

#include "preset_walk.h"
#include "spec.h"

enum {
	PRESET_MAX_STEPS = 256,
	PRESET_MAX_LIST = 64, /* notes, expectations, assignments or faults of one place */
};

#define PRESET_MAX_RUN_NS (INT64_C(365) * 86400 * 1000000000) /* x 256 steps still fits in 64 bit  \
							       */

/* The section being read. */
struct fill {
	struct spec *spec;
	struct step *step;	   /* of a [step NAME] */
	struct preset_place place; /* of the item being read */
	unsigned number;	   /* N of a numbered key */
	/* of the step under way; header NULL: none, file NULL: not given */
	const struct walk_item *header;
	struct preset_place set, fault, at;
	bool run, right;   /* given; one answer is marked */
	struct config cfg; /* in effect in the step */
};

/* A key of [preset] or [step NAME]. `put` returns 0 or fails with fill->place. */
struct preset_key {
	const char *name;
	bool numbered; /* NAME.1, NAME.2, ... */
	int (*put)(struct fill *fill, const char *value);
	const char *form, *fallback, *what;
};
struct preset_keys {
	const struct preset_key *key;
	size_t n;
};
extern const struct preset_keys preset_section_keys, preset_step_keys, preset_target_keys, preset_fault_keys;

/* A kind of section. `add`, for those with a name, is called when all names are read, before any
 * key. When the kind has its turn, `begin` (may be NULL) is called at each header, `put` for each
 * key, `end` (may be NULL) behind the last. All return 0 or fail with fill->place. */
struct section_kind {
	const char *word;
	int (*add)(struct fill *fill, const char *name);
	int (*begin)(struct fill *fill, const struct walk_item *header);
	int (*put)(struct fill *fill, const struct walk_item *item);
	int (*end)(struct fill *fill);
};
/* In the order they are read. */
enum { SECTION_PRESET,
       SECTION_HOST,
       SECTION_VOLUME,
       SECTION_ARRAY,
       SECTION_TARGET,
       SECTION_FAULT,
       SECTION_JOB,
       SECTION_STEP,
       N_SECTION_KINDS };
extern const struct section_kind section_kinds[N_SECTION_KINDS];
/* "job users" -> the kind, and "users" in *name; NULL when there is none. */
const struct section_kind *section_find(const char *section, const char **name);
/* Take the header of a section: a new job or step, or a known section. */
int section_begin(struct fill *fill, const struct walk_item *item);

/* Build a spec from a walk. 0 and `*spec` is given (spec_free), or negative with FILE:LINE in err.
 */
int preset_fill(const char *path, const struct walk *walk, struct spec **spec, struct err *err);
/* Read one key of [preset] or [step NAME]. */
int preset_put(struct fill *fill, const struct preset_keys *keys, const struct walk_item *item);
/* preset_target.c: [target] */
int target_begin(struct fill *fill, const struct walk_item *header);
int target_put(struct fill *fill, const struct walk_item *item);
int target_end(struct fill *fill);
/* preset_fault.c: [fault] */
int fault_section_put(struct fill *fill, const struct walk_item *item);
/* preset_step.c: what can only be checked when all keys of the step are known. */
int preset_finish_step(struct fill *fill);

/* An owned list of *n elements grown by an empty one: the new list, or NULL (the old one stays)
 * when memory is short or PRESET_MAX_LIST is reached, said with fill->place. */
void *fill_grow(struct fill *fill, void *list, uint32_t *n, size_t size);
/* A copy of a text that takes at most `lines` lines of 78 columns. */
int fill_text(struct fill *fill, const char *value, unsigned lines, char **out);
/* A time within low..high. */
int fill_time(struct fill *fill, const char *value, int64_t low, int64_t high, int64_t *ns);

#endif
