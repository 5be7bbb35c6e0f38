#include <errno.h>
#include <sys/random.h>

#include "base/text.h"
#include "engine_private.h"
#include "stack/journal.h"
#include "state.h"

/* Verified data: what the worker needs for it, the final check behind the last step, and what is told of it. */

#define STUCK_NS (10 * NS_PER_S) /* the final check gives a device that does not answer so long */

uint64_t engine_random_id(void)
{
	uint64_t id = 0;

	if (getrandom(&id, sizeof(id), 0) != sizeof(id))
		id = 0; /* the kernel gives 8 bytes at once */
	return id + !id;
}

bool engine_verify_params(const struct engine *e, const struct config *cfg, struct verify_params *p)
{
	const struct target_set *set = e->o.targets;

	if (!cfg->volume.verify || !set)
		return false;
	const struct journal_image *m = set->state ? state_image(set->state) : NULL;
	*p = (struct verify_params){.volume = m ? m->fact[FACT_VOLUME] : engine_random_id(),
				    .session = m ? (uint32_t)m->fact[FACT_SESSION] : 1,
				    .block_bytes = set->verify_block,
				    .mark = e->o.marks,
				    .luns = set->luns,
				    .lun_bytes = set->verify_bytes};
	return true;
}

/* ---- what is told ---- */

static void name_stamp(const struct verify_stamp *s, char *text, size_t room)
{
	unsigned long long at = s->address & ((UINT64_C(1) << VERIFY_ADDRESS_BITS) - 1), lun = s->address >> VERIFY_ADDRESS_BITS;
	char of[32] = "";

	if (lun)
		text_format(of, sizeof(of), " of LUN %llu", lun);
	if (s->generation)
		text_format(text, room, "block %llu%s, generation %llu.%llu", at, of, (unsigned long long)s->generation >> 32,
			    (unsigned long long)(s->generation & UINT32_MAX));
	else
		text_format(text, room, "block %llu%s, not written by this run", at, of);
}

void engine_name_mismatch(const struct engine *e, const struct verify_mismatch *m, char *text, size_t room)
{
	char expected[96], found[96];

	name_stamp(&m->expected, expected, sizeof(expected));
	name_stamp(&m->found, found, sizeof(found));
	if (m->differs)
		text_format(text, room, "'%s' at %llu: not the same as the other copy of block %llu", target_path(e->o.targets, m->disk),
			    (unsigned long long)m->device_bytes, (unsigned long long)m->expected.address);
	else
		text_format(text, room, "'%s' at %llu: expected %s; found %s%s", target_path(e->o.targets, m->disk), (unsigned long long)m->device_bytes, expected,
			    m->what == VERIFY_NONE	 ? "nothing of ours"
			    : m->what == VERIFY_BROKEN ? "damaged: "
							 : "",
			    m->what == VERIFY_NONE ? "" : found);
}

void engine_verify_slice(struct engine *e)
{
	const struct verify *v = &e->w.verify;
	char text[256];

	if (!e->w.verifies || v->n_mismatches < 2 * e->mismatches_told + !e->mismatches_told)
		return; /* the first one, and then each time they have doubled */
	if (!e->mismatches_told) {
		engine_name_mismatch(e, &v->first[0], text, sizeof(text));
		engine_tell(e, "verify: %s", text);
	} else {
		engine_tell(e, "verify: %llu blocks are wrong so far", (unsigned long long)v->n_mismatches);
	}
	e->mismatches_told = v->n_mismatches;
}

static void add_errors(struct step_result *r, uint64_t n)
{
	uint32_t i = 0;

	if (!n)
		return;
	r->errors += n;
	while (i + 1 < RESULT_MAX_ERRORS && r->error[i].n && r->error[i].code != EBADMSG)
		i++;
	r->error[i].code = r->error[i].n && r->error[i].code != EBADMSG ? r->error[i].code : EBADMSG;
	r->error[i].n += n;
}

static void note_mismatches(const struct engine *e, struct step_result *r)
{
	const struct verify *v = &e->w.verify;
	char text[256];

	for (uint64_t i = 0; i < v->n_mismatches && i < VERIFY_TOLD; i++) {
		engine_name_mismatch(e, &v->first[i], text, sizeof(text));
		engine_note(r, "verify: %s", text);
	}
	if (v->n_mismatches > VERIFY_TOLD)
		engine_note(r, "verify: %llu blocks are wrong in all", (unsigned long long)v->n_mismatches);
}

/* ---- the final check ---- */

/* What was written is forgotten behind this step: nothing follows, or a step that starts anew. */
static bool is_last(const struct engine *e)
{
	for (uint32_t i = e->step + 1; i < e->spec->n_steps; i++)
		if (!e->o.selected || e->o.selected[i])
			return e->spec->step[i].fresh;
	return !e->o.hold;
}

bool engine_check_begin(struct engine *e, enum step_end why)
{
	bool lives = why != END_SIGNAL && why != END_ERROR && why != END_HUNG && !e->w.idle;

	if (!e->w.verifies || !is_last(e) || !lives)
		return false;
	if (worker_sweep_begin(&e->w) < 0) {
		engine_note(e->result, "verify: no final check: out of memory");
		return false;
	}
	e->checking = true;
	e->check_from_ns = worker_now(&e->w);
	e->mismatches_then = e->w.verify.n_mismatches;
	engine_tell(e, "final check: what was written is read again");
	return true;
}

bool engine_check_over(struct engine *e)
{
	const struct worker *w = &e->w;
	int64_t oldest;

	if (w->sweep.done)
		return true;
	return worker_in_device(w, &oldest) && oldest > STUCK_NS;
}

void engine_check_end(struct engine *e)
{
	const struct sweep *s = &e->w.sweep;
	struct step_result *r = e->result;

	e->checking = false;
	add_errors(r, e->w.verify.n_mismatches - e->mismatches_then + s->n_unread);
	if (!s->done)
		engine_note(r, "verify: the final check was cut short");
	else if (s->n_unread)
		engine_note(r, "verify: the final check could not read %llu pieces", (unsigned long long)s->n_unread);
	else
		engine_note(r, "verify: the final check read %llu blocks in all their copies in %.1f s: %s", (unsigned long long)s->n_blocks,
			    (double)(worker_now(&e->w) - e->check_from_ns) / 1e9,
			    e->w.verify.n_mismatches ? "not all as acknowledged" : "all as acknowledged");
	note_mismatches(e, r);
	engine_verify_slice(e);
}

/* With the figures of a step behind which there is no final check. */
void engine_verify_end(struct engine *e, struct step_result *r, enum step_end why)
{
	if (!e->w.verifies)
		return;
	if (why == END_SIGNAL || why == END_ERROR || why == END_HUNG)
		engine_note(r, "verify: no final check, for the run did not come to its end");
	note_mismatches(e, r);
}
