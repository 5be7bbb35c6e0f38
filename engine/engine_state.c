#include <errno.h>
#include <string.h>

#include "engine_private.h"
#include "label.h"
#include "state.h"

/* A volume on real disks: its labels, and its state file when it has one. Begun before the worker is opened, ended before it is closed. */

enum { PATIENCE_MS = 10000, TURN_MS = 20 };

static struct journal_entry fact(enum journal_fact which, uint64_t value)
{
	return (struct journal_entry){.type = JOURNAL_FACT, .a = which, .value = value};
}

/* Every path of a disk leads to the same label. */
static int write_labels(const struct target_set *set, uint64_t volume, const struct image_disk *disk, uint64_t au_bytes, struct err *err)
{
	for (uint32_t i = 0; i < set->n; i++) {
		struct disk_label l = {volume, disk ? disk[set->t[i].lun].id : engine_random_id(), set->t[i].lun, au_bytes};
		int code = label_write(set->t[i].fd, &l);
		if (code < 0)
			return err_set(err, code, "cannot write the label of disk d%u to '%s': %s", l.index + 1, set->t[i].def->path,
				       strerror(-code));
	}
	return 0;
}

static void fds_of(const struct target_set *set, int *fd)
{
	for (uint32_t i = 0; i < VOLUME_MAX_DISKS; i++)
		fd[i] = -1;
	for (uint32_t i = 0; i < set->n; i++)
		if (set->t[i].lun < VOLUME_MAX_DISKS && fd[set->t[i].lun] < 0)
			fd[set->t[i].lun] = set->t[i].fd;
}

/* Whether the volume can be laid out on these disks at all is known before anything is written to them. */
static int lay_out(const struct engine *e, const struct config *cfg, struct journal_image *m, struct err *err)
{
	struct volume_params p = worker_volume_params(cfg);

	image_release(m);
	p.known = e->o.targets->luns;
	p.slots = (uint32_t)(e->o.targets->lun_bytes / p.au_bytes);
	p.first_slot = 1;
	return image_lay_out(m, &p, err);
}

/* The file is there before any label, so that a crash between them leaves a state that begins anew. */
static int create(struct engine *e, const struct config *cfg, struct err *err)
{
	struct state *s = e->o.targets->state;
	struct journal_image *m = state_image(s);
	int code = lay_out(e, cfg, m, err);

	if (code)
		return code;
	m->fact[FACT_VOLUME] = engine_random_id();
	for (uint32_t i = 0; i < e->o.targets->luns; i++)
		m->disk[i].id = engine_random_id();
	return state_create(s, err);
}

/* A volume whose map is gone when it ends: only its labels are left. */
static int label_only(struct engine *e, const struct config *cfg, struct err *err)
{
	struct journal_image trial = {.place = NULL};
	int code = lay_out(e, cfg, &trial, err);

	image_release(&trial);
	if (!code)
		code = write_labels(e->o.targets, engine_random_id(), NULL, cfg->volume.au_bytes, err);
	e->labelled = !code;
	return code;
}

static int begin_session(struct state *s, struct err *err)
{
	struct journal_entry e[] = {fact(FACT_LABELLED, 1), fact(FACT_SESSION, state_image(s)->fact[FACT_SESSION] + 1)};

	return state_append(s, e, 2, err);
}

/* The file says first who has the place now: a crash before the label leaves a disk that can join once more. */
static int take_in(const struct target_set *set, struct err *err)
{
	const struct journal_image *m = state_image(set->state);
	int code = 0;

	for (uint32_t i = 0; i < set->n && !code; i++) {
		struct target *t = &set->t[i];
		struct disk_label l = {m->fact[FACT_VOLUME], engine_random_id(), t->lun, m->fact[FACT_AU]};
		struct journal_entry e = {JOURNAL_DISK, t->lun, m->disk[t->lun].flags, m->disk[t->lun].slots, l.disk};
		if (!t->joins)
			continue;
		code = state_append(set->state, &e, 1, err);
		int wrote = code ? 0 : label_write(t->fd, &l);
		if (wrote < 0)
			code = err_set(err, wrote, "cannot write the label of disk d%u to '%s': %s", t->lun + 1, t->def->path, strerror(-wrote));
		t->joins = false;
	}
	return code;
}

static int open_journal(struct engine *e, const struct config *cfg, struct worker_site *site, struct err *err)
{
	const struct target_set *set = e->o.targets;
	struct journal_image *m = state_image(set->state);
	int fd[VOLUME_MAX_DISKS], code = state_goes_on(set->state) ? 0 : create(e, cfg, err);

	if (!code && !state_goes_on(set->state))
		code = write_labels(set, m->fact[FACT_VOLUME], m->disk, m->fact[FACT_AU], err);
	if (!code)
		code = begin_session(set->state, err);
	if (!code)
		code = take_in(set, err);
	if (code)
		return code;
	fds_of(set, fd);
	struct journal_store *store = state_store(set->state, fd, VOLUME_MAX_DISKS, err);
	if (!store)
		return -EAGAIN;
	journal_init(&e->journal, store);
	e->has_journal = true;
	site->journal = &e->journal;
	site->image = m;
	site->missing = set->missing;
	return 0;
}

int engine_state_begin(struct engine *e, const struct config *cfg, struct worker_site *site, struct err *err)
{
	const struct target_set *set = e->o.targets;

	if (!set || !cfg->volume.disks)
		return 0;
	if (set->state)
		return open_journal(e, cfg, site, err);
	return e->labelled ? 0 : label_only(e, cfg, err);
}

/* What the journal still has to say is said; the disk of the state file is given some time for it. */
void engine_state_end(struct engine *e)
{
	const struct journal_entry *done;
	uint32_t n;

	if (!e->has_journal)
		return;
	if (e->w.has_volume)
		volume_park(&e->w.volume);
	for (int ms = 0; ms < PATIENCE_MS && !e->journal.failed && !journal_is_idle(&e->journal); ms += TURN_MS) {
		(void)journal_turn(&e->journal, &done, &n);
		if (!n)
			state_wait(e->o.targets->state, TURN_MS);
	}
	if (!e->journal.busy || e->journal.failed)
		journal_release(&e->journal); /* else a frame of it is still under way, and the memory stays */
	e->has_journal = false;
}

const char *engine_state_failure(const struct engine *e)
{
	return e->has_journal && e->journal.failed ? state_failure(e->o.targets->state) : "";
}

void engine_state_note(const struct engine *e, struct step_result *r)
{
	const struct volume *v = &e->w.volume;

	if (!e->w.has_volume || !e->o.targets)
		return;
	for (uint32_t i = 0; i < v->n_disks; i++)
		if (v->disk[i].error && v->disk[i].lost) {
			char name[16];
			bool missing = e->o.targets->missing >> i & 1;
			engine_note(r, "disk d%u%s%s%s was lost: %s", i + 1, missing ? "" : " (", missing ? "" : target_path(e->o.targets, i),
				    missing ? "" : ")", missing ? "it was not there" : errno_name(v->disk[i].error, name, sizeof(name)));
		}
	if (!e->has_journal)
		return;
	const struct journal_image *m = state_image(e->o.targets->state);
	if (m->fact[FACT_SESSION] > 1)
		engine_note(r, "volume %016llx, session %llu: %llu AU were being written when it ended last, their copies %s",
			    (unsigned long long)m->fact[FACT_VOLUME], (unsigned long long)m->fact[FACT_SESSION],
			    (unsigned long long)(v->n_resynced + v->n_unsure), v->n_unsure ? "are being made equal" : "were made equal");
	if (v->n_unreadable)
		engine_note(r, "%llu of them could not be read from any disk", (unsigned long long)v->n_unreadable);
}
