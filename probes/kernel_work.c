/* The work of a worker: read, plan, write, read back, put back, look again. All of it may take as long as the device does. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel_private.h"

static void begin_answer(struct worker_thread *w, enum kernel_answer_kind kind, struct kernel_answer *a)
{
	*a = (struct kernel_answer){ .kind = kind, .id = w->id };
	text_format(a->device, sizeof(a->device), "%s", w->has_plan ? w->plan.device : w->request.device);
	text_format(a->knob, sizeof(a->knob), "%s", w->request.knob);
	text_format(a->asked, sizeof(a->asked), "%s", w->request.value);
}

/* ---- planning ---- */

static void describe_plan(const struct plan *p, struct kernel_answer *a)
{
	char what[SETTING_OBJECT + SETTING_VALUE + 64];
	size_t n = text_format(a->text, sizeof(a->text), "%s %s %s>%s: ", p->device, p->row->name, p->before, p->asked);

	for (uint32_t i = 0; i < p->n && i < 2; i++)
		n += text_format(a->text + n, sizeof(a->text) - n, "%s%s", i ? ", " : "", setting_describe(&p->setting[i], what, sizeof(what)));
	if (p->n > 2)
		n += text_format(a->text + n, sizeof(a->text) - n, " and %u more", p->n - 2);
	if (p->warning[0])
		text_format(a->text + n, sizeof(a->text) - n, " (! %s)", p->warning);
}

void kernel_work_plan(struct worker_thread *w, struct kernel_answer *a)
{
	const struct kernel_request *r = &w->request;
	struct err err = { "" };

	if (w->has_plan)
		plan_release(&w->plan);
	w->has_plan = !plan_make(w->k->root, r->device, r->knob, r->value, &w->seen, &w->plan, &err);
	begin_answer(w, w->has_plan ? KERNEL_PLAN : KERNEL_REFUSED, a);
	if (!w->has_plan) {
		text_format(a->text, sizeof(a->text), "%s", err.text);
		return;
	}
	text_format(a->before, sizeof(a->before), "%s", w->plan.before);
	a->nothing_to_do = !w->plan.n || !strcmp(w->plan.before, w->plan.asked);
	if (a->nothing_to_do)
		text_format(a->text, sizeof(a->text), "%s %s is %s already", w->plan.device, w->plan.row->name, w->plan.before);
	else
		describe_plan(&w->plan, a);
}

/* ---- doing ---- */

static void note_changed(struct worker_thread *w, const struct setting *s, const char *effect)
{
	uint32_t i = 0;

	while (i < w->n_changed && (w->changed[i].kind != s->kind || strcmp(w->changed[i].object, s->object)))
		i++;
	if (i == PLAN_MAX_SETTINGS)
		return;
	if (i == w->n_changed)
		w->changed[w->n_changed++] = *s;
	text_format(w->changed[i].value, sizeof(w->changed[i].value), "%s", effect);
}

/* The journal is on disk before the kernel hears of it. */
static int one_setting(struct worker_thread *w, const struct setting *s, struct err *err)
{
	struct kernel *k = w->k;
	char value[SETTING_VALUE];
	int ret = setting_read(k->root, s, value, sizeof(value), err);

	if (!ret && s->kind == SETTING_DM_MAP)
		text_format(value, sizeof(value), "%s", w->plan.before);
	if (ret)
		return ret;
	pthread_mutex_lock(&k->lock);
	ret = undo_want(k->undo, s, value, err);
	pthread_mutex_unlock(&k->lock);
	if (ret)
		return ret;
	ret = setting_write(k->root, s, err);
	if (setting_read(k->root, s, value, sizeof(value), NULL))
		return ret;
	pthread_mutex_lock(&k->lock);
	undo_did(k->undo, s, value);
	pthread_mutex_unlock(&k->lock);
	note_changed(w, s, value);
	return ret;
}

void kernel_work_do(struct worker_thread *w, struct kernel_answer *a)
{
	const struct plan *p = &w->plan;
	struct err err = { "" };
	int ret = 0;

	begin_answer(w, KERNEL_DONE, a);
	text_format(a->before, sizeof(a->before), "%s", p->before);
	for (uint32_t i = 0; !ret && i < p->n; i++)
		ret = one_setting(w, &p->setting[i], &err);
	if (p->row->show(w->k->root, p, a->effect, sizeof(a->effect), ret ? NULL : &err))
		text_format(a->effect, sizeof(a->effect), "not known");
	a->kind = ret ? KERNEL_REFUSED : KERNEL_DONE;
	if (ret)
		text_format(a->text, sizeof(a->text), "%s %s stays %s: %s", p->device, p->row->name, a->effect, err.text);
	else if (!strcmp(a->effect, p->asked) || p->setting[0].kind == SETTING_DM_PATH)
		text_format(a->text, sizeof(a->text), "%s %s %s>%s in effect", p->device, p->row->name, p->before, a->effect);
	else
		text_format(a->text, sizeof(a->text), "%s %s asked %s, in effect %s", p->device, p->row->name, p->asked, a->effect);
	plan_release(&w->plan);
	w->has_plan = false;
}

/* ---- putting back ---- */

/* A copy of the newest journal entry of one of this worker's settings that is not back; false: none. */
static bool newest_entry(struct worker_thread *w, struct undo_entry *out)
{
	struct kernel *k = w->k;
	bool found = false;

	pthread_mutex_lock(&k->lock);
	const struct undo_log *log = undo_entries(k->undo);

	for (uint32_t i = log->n; i-- > 0 && !found;)
		for (uint32_t j = 0; j < w->n_changed && !found; j++) {
			found = !log->entry[i].back && w->changed[j].kind == log->entry[i].setting.kind &&
				!strcmp(w->changed[j].object, log->entry[i].setting.object);
			if (found)
				*out = log->entry[i];
		}
	pthread_mutex_unlock(&k->lock);
	return found;
}

static void forget(struct worker_thread *w, const struct setting *s)
{
	for (uint32_t i = 0; i < w->n_changed; i++)
		if (w->changed[i].kind == s->kind && !strcmp(w->changed[i].object, s->object)) {
			w->changed[i] = w->changed[--w->n_changed];
			return;
		}
}

static void restore_one(struct worker_thread *w, const struct undo_entry *e, struct kernel_answer *a)
{
	enum undo_result result = undo_restore(w->k->root, e, false, a->text, sizeof(a->text));

	a->kind = KERNEL_RESTORED;
	a->n_left = result == UNDO_FAILED;
	text_format(a->device, sizeof(a->device), "%.63s", w->device);
	if (result != UNDO_FAILED) {
		pthread_mutex_lock(&w->k->lock);
		undo_back(w->k->undo, &e->setting); /* what another program set is its own */
		pthread_mutex_unlock(&w->k->lock);
	}
	forget(w, &e->setting);
	kernel_tell(w->k, a);
}

void kernel_work_restore(struct worker_thread *w)
{
	struct undo_entry *e = malloc(sizeof(*e));
	struct kernel_answer *a = calloc(1, sizeof(*a));

	while (e && a && newest_entry(w, e))
		restore_one(w, e, a);
	free(e);
	free(a);
}

/* ---- looking again ---- */

static void reverted(struct worker_thread *w, struct setting *s, const char *now)
{
	struct kernel_answer *a = calloc(1, sizeof(*a));

	if (!a)
		return;
	a->kind = KERNEL_REVERTED;
	text_format(a->device, sizeof(a->device), "%.63s", w->device);
	text_format(a->effect, sizeof(a->effect), "%s", now);
	if (s->kind == SETTING_DM_TABLE)
		text_format(a->text, sizeof(a->text), "%s: another program loaded another table", s->object);
	else
		text_format(a->text, sizeof(a->text), "%s is %s now, not %s: changed by another program or by the driver", s->object, now, s->value);
	text_format(s->value, sizeof(s->value), "%s", now); /* told once */
	kernel_tell(w->k, a);
	free(a);
}

void kernel_work_watch(struct worker_thread *w)
{
	char now[SETTING_VALUE];

	for (uint32_t i = 0; i < w->n_changed; i++) {
		struct setting *s = &w->changed[i];

		if (s->kind != SETTING_DM_MAP && !setting_read(w->k->root, s, now, sizeof(now), NULL) && strcmp(now, s->value))
			reverted(w, s, now);
	}
}
