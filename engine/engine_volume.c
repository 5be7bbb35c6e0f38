#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine_private.h"

/* What the engine tells of disks and rebalance, and when a step without fixed work is over because of it. */

#define HUNG_NS (5 * NS_PER_S) /* a rebalance that cannot go on is given this long */

int64_t engine_disk_busy_ns(const struct engine *e, uint32_t disk)
{
	const struct volume_disk *d = &e->w.volume.disk[disk];

	return d->busy_ns + (d->in_flight ? worker_now(&e->w) - d->busy_since_ns : 0);
}

void engine_remember_disks(struct engine *e)
{
	for (uint32_t i = 0; e->w.has_volume && i < e->w.volume.n_disks; i++)
		e->disk_busy_then[i] = engine_disk_busy_ns(e, i);
	e->relocations_then = e->w.has_volume ? e->w.volume.relocations : 0;
	e->failed_reads_then = e->w.has_volume ? e->w.volume.failed_reads : 0;
}

static char letter_of(enum disk_state state)
{
	static const char letters[N_DISK_STATES] = {
		[DISK_ABSENT] = ' ', [DISK_ONLINE] = '+', [DISK_DROPPING] = '~', [DISK_FAILED] = '!', [DISK_HUNG] = '!', [DISK_DROPPED] = ' ',
	};

	return letters[state];
}

/* Disks that are or were in the group; absent spares are left out. */
void engine_fill_disks(const struct engine *e, const int64_t *busy_then, int64_t length_ns, struct disk_view *d, uint32_t *n)
{
	const struct volume *v = &e->w.volume;

	*n = 0;
	for (uint32_t i = 0; e->w.has_volume && i < v->n_disks; i++) {
		if (v->disk[i].state == DISK_ABSENT)
			continue;
		struct disk_view *view = &d[(*n)++];
		double busy = length_ns > 0 ? (double)(engine_disk_busy_ns(e, i) - busy_then[i]) / (double)length_ns : 0;
		*view = (struct disk_view){
			.state = disk_state_names[v->disk[i].state],
			.letter = letter_of(v->disk[i].state),
			.member = v->disk[i].state != DISK_DROPPED,
			.failgroup = v->disk[i].group,
			.copies = v->disk[i].n_copies,
			.in_flight = v->disk[i].in_flight,
			.busy = busy < 0 ? 0 : busy > 1 ? 1 : busy,
		};
		text_format(view->name, sizeof(view->name), "d%u", i + 1);
	}
}

void engine_fill_rebalance(const struct engine *e, struct rebalance_view *r)
{
	const struct rebalance *b = &e->w.volume.rebalance;

	*r = (struct rebalance_view){.has_volume = e->w.has_volume, .state = rebalance_state_names[REBALANCE_NONE], .est_minutes = NAN};
	if (!e->w.has_volume)
		return;
	r->state = rebalance_state_names[b->state];
	r->power_asked = e->asked.volume.power;
	r->power_actual = e->w.volume.p.power;
	r->sofar_au = b->sofar;
	r->est_work_au = b->est_work;
	r->est_rate_au_per_min = volume_rate(&e->w.volume);
	r->stalled = b->state == REBALANCE_WAIT || (b->sofar < b->est_work && r->est_rate_au_per_min <= 0);
	if (b->sofar < b->est_work && r->est_rate_au_per_min > 0)
		r->est_minutes = (b->est_work - b->sofar) / r->est_rate_au_per_min;
	r->relocations = e->w.volume.relocations - e->relocations_then;
	r->failed_reads = e->w.volume.failed_reads - e->failed_reads_then;
	text_format(r->reason, sizeof(r->reason), "%s", b->reason);
}

void engine_limit_power(struct engine *e)
{
	struct knob_ref power = {KNOB_POWER, 0};

	if (!e->effect.volume.em_bug || !e->effect.volume.disks || e->effect.volume.power == 1)
		return;
	e->effect.volume.power = 1;
	engine_note_knob(e, power, KNOB_CLAMPED, "EM bug: whatever is asked, 1 is used");
}

/* Without fixed work, a step until done ends with its rebalance; one that cannot go on ends it as hung after a while. */
bool engine_rebalance_over(const struct engine *e, enum step_end *why)
{
	const struct rebalance *b = &e->w.volume.rebalance;
	bool faults_left = engine_next_fault_ns(e) != INT64_MAX;

	if (!e->w.has_volume || e->w.has_work || faults_left)
		return false;
	*why = b->state == REBALANCE_WAIT || b->state == REBALANCE_HALT ? END_HUNG : END_DONE;
	if (*why == END_HUNG)
		return worker_now(&e->w) - (b->hung_ns > e->step_start_ns ? b->hung_ns : e->step_start_ns) >= HUNG_NS;
	return b->state != REBALANCE_RUN;
}
