#include "kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel_private.h"

/* ---- answers ---- */

static void wake_ui(const struct kernel *k)
{
	uint64_t one = 1;
	ssize_t ignored = k->o.event_fd >= 0 ? write(k->o.event_fd, &one, sizeof(one)) : 0;

	(void)ignored; /* full: it is awake */
}

/* With no place left the oldest goes: the journal has what counts. Under the lock. */
static void put_answer(struct kernel *k, const struct kernel_answer *a)
{
	if (k->n_answers == KERNEL_ANSWERS) {
		k->first = (k->first + 1) % KERNEL_ANSWERS;
		k->n_answers--;
	}
	k->answer[(k->first + k->n_answers++) % KERNEL_ANSWERS] = *a;
}

void kernel_tell(struct kernel *k, const struct kernel_answer *a)
{
	pthread_mutex_lock(&k->lock);
	put_answer(k, a);
	if (!k->closing)
		wake_ui(k);
	pthread_mutex_unlock(&k->lock);
}

static void tell_stuck(struct kernel *k, struct worker_thread *w, int64_t now_ns)
{
	struct kernel_answer a = { .kind = KERNEL_STUCK, .id = w->id };

	if (w->task == TASK_NONE || w->said_stuck || now_ns - w->since_ns < k->o.deadline_ns)
		return;
	w->said_stuck = true;
	text_format(a.device, sizeof(a.device), "%.63s", w->device);
	text_format(a.knob, sizeof(a.knob), "%s", w->request.knob);
	text_format(a.text, sizeof(a.text),
		    "%s: no answer from the kernel after %.1f s. It may still come; a multipath map without paths answers after a path is back or "
		    "'dmsetup message MAP 0 fail_if_no_path'",
		    w->device, (double)(now_ns - w->since_ns) / 1e9);
	put_answer(k, &a);
}

/* ---- the thread ---- */

/* The last of the threads and the owner. Called without the lock. */
static void drop_reference(struct kernel *k)
{
	pthread_mutex_lock(&k->lock);
	bool last = --k->references == 0;
	pthread_mutex_unlock(&k->lock);
	if (!last)
		return;
	for (uint32_t i = 0; i < k->n_workers; i++) {
		if (k->worker[i]->has_plan)
			plan_release(&k->worker[i]->plan);
		pthread_cond_destroy(&k->worker[i]->wake);
		free(k->worker[i]);
	}
	undo_close(k->undo); /* of a worker that was stuck when the deck was closed */
	pthread_mutex_destroy(&k->lock);
	free(k->answer);
	free(k);
}

static void carry_out(struct worker_thread *w, enum task task, struct kernel_answer *a)
{
	switch (task) {
	case TASK_PLAN:
		kernel_work_plan(w, a);
		break;
	case TASK_DO:
		kernel_work_do(w, a);
		break;
	case TASK_RESTORE:
		kernel_work_restore(w);
		break;
	case TASK_WATCH:
		kernel_work_watch(w);
		break;
	case TASK_NONE:
	case TASK_END:
		break;
	}
}

static void add_delay(const struct worker_thread *w, struct kernel_answer *a)
{
	size_t n = strlen(a->text);

	if (w->said_stuck && !w->k->closing)
		text_format(a->text + n, sizeof(a->text) - n, " (after %.1f s)", (double)(clock_now(&w->k->o.clock) - w->since_ns) / 1e9);
}

/* Under the lock: from one task to the next. A worker that was stuck while the deck was closed still puts back what it wrote. */
static void advance(struct kernel *k, struct worker_thread *w)
{
	w->task = w->next;
	w->next = TASK_NONE;
	w->said_stuck = false;
	if (k->closing) { /* what was borrowed from the owner, his clock too, may be gone */
		w->task = w->n_changed && k->undo ? TASK_RESTORE : TASK_END;
		return;
	}
	w->since_ns = clock_now(&k->o.clock);
	wake_ui(k);
}

static void *work_loop(void *data)
{
	struct worker_thread *w = data;
	struct kernel *k = w->k;
	struct kernel_answer *a = calloc(1, sizeof(*a));

	pthread_mutex_lock(&k->lock);
	while (a && w->task != TASK_END) {
		enum task task = w->task;

		if (task == TASK_NONE && !k->closing)
			pthread_cond_wait(&w->wake, &k->lock);
		if (task == TASK_NONE) {
			if (k->closing)
				advance(k, w);
			continue;
		}
		pthread_mutex_unlock(&k->lock);
		carry_out(w, task, a);
		pthread_mutex_lock(&k->lock);
		if (task == TASK_PLAN || task == TASK_DO) {
			add_delay(w, a);
			put_answer(k, a);
		}
		advance(k, w);
	}
	pthread_mutex_unlock(&k->lock);
	free(a);
	drop_reference(k);
	return NULL;
}

static int start(struct worker_thread *w)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int ret;

	sigfillset(&all);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(&w->thread, &attr, work_loop, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return ret;
}

/* Under the lock. The worker of a device, made when there is none; NULL: no place or no memory. */
static struct worker_thread *worker_of(struct kernel *k, const char *device)
{
	struct worker_thread *w;

	for (uint32_t i = 0; i < k->n_workers; i++)
		if (!strcmp(k->worker[i]->device, device))
			return k->worker[i];
	w = k->n_workers < KERNEL_MAX_WORKERS ? calloc(1, sizeof(*w)) : NULL;
	if (!w)
		return NULL;
	w->k = k;
	text_format(w->device, sizeof(w->device), "%s", device);
	pthread_cond_init(&w->wake, NULL);
	k->references++;
	if (start(w)) {
		k->references--;
		pthread_cond_destroy(&w->wake);
		free(w);
		return NULL;
	}
	k->worker[k->n_workers++] = w;
	return w;
}

/* Under the lock. What a worker is at is ended first. */
static void give(struct kernel *k, struct worker_thread *w, enum task task)
{
	if (w->task != TASK_NONE) {
		w->next = task;
		return;
	}
	w->task = task;
	w->since_ns = clock_now(&k->o.clock);
	w->said_stuck = false;
	pthread_cond_signal(&w->wake);
}

/* ---- the UI's side ---- */

struct kernel *kernel_open(const struct kernel_options *o, struct err *err)
{
	struct kernel *k = calloc(1, sizeof(*k));
	int code;

	if (k)
		k->answer = calloc(KERNEL_ANSWERS, sizeof(*k->answer));
	if (!k || !k->answer) {
		err_set(err, -ENOMEM, "out of memory");
		free(k);
		return NULL;
	}
	k->o = *o;
	text_format(k->root, sizeof(k->root), "%s", o->root);
	text_format(k->folder, sizeof(k->folder), "%s", o->folder);
	k->references = 1;
	k->watched_ns = clock_now(&o->clock);
	pthread_mutex_init(&k->lock, NULL);
	k->undo = undo_open(k->folder, false, &code, err);
	if (!k->undo) {
		drop_reference(k);
		return NULL;
	}
	return k;
}

static uint64_t busy_device(const struct worker_thread *w, int64_t now_ns, struct err *err)
{
	err_set(err, -EBUSY, "%s: still waiting for the kernel (%.1f s): nothing more can be asked of it", w->device,
		(double)(now_ns - w->since_ns) / 1e9);
	return 0;
}

uint64_t kernel_ask(struct kernel *k, const struct kernel_request *r, struct err *err)
{
	const char *slash = strrchr(r->device, '/');
	struct worker_thread *w;
	uint64_t id = 0;

	pthread_mutex_lock(&k->lock);
	w = worker_of(k, slash ? slash + 1 : r->device);
	if (!w)
		err_set(err, -ENOMEM, "no worker could be started for %s", r->device);
	else if ((w->task != TASK_NONE && w->task != TASK_WATCH) || w->next != TASK_NONE || w->said_stuck)
		id = busy_device(w, clock_now(&k->o.clock), err);
	else {
		w->request = *r;
		id = w->id = ++k->last_id;
		give(k, w, TASK_PLAN);
	}
	pthread_mutex_unlock(&k->lock);
	return id;
}

bool kernel_go(struct kernel *k, uint64_t id, bool carry_out_plan)
{
	bool found = false;

	pthread_mutex_lock(&k->lock);
	for (uint32_t i = 0; i < k->n_workers && !found; i++) {
		struct worker_thread *w = k->worker[i];

		found = w->id == id && w->task == TASK_NONE && w->has_plan;
		if (found && carry_out_plan)
			give(k, w, TASK_DO);
	}
	pthread_mutex_unlock(&k->lock);
	return found;
}

/* Under the lock: idle workers look at what they changed. */
static void watch(struct kernel *k, int64_t now_ns)
{
	if (now_ns - k->watched_ns < k->o.watch_ns)
		return;
	k->watched_ns = now_ns;
	for (uint32_t i = 0; i < k->n_workers; i++)
		if (k->worker[i]->task == TASK_NONE && k->worker[i]->n_changed && !k->worker[i]->has_plan)
			give(k, k->worker[i], TASK_WATCH);
}

bool kernel_take(struct kernel *k, struct kernel_answer *out)
{
	int64_t now_ns = clock_now(&k->o.clock);
	bool there;

	pthread_mutex_lock(&k->lock);
	watch(k, now_ns);
	for (uint32_t i = 0; i < k->n_workers; i++)
		tell_stuck(k, k->worker[i], now_ns);
	there = k->n_answers > 0;
	if (there) {
		*out = k->answer[k->first];
		k->first = (k->first + 1) % KERNEL_ANSWERS;
		k->n_answers--;
	}
	pthread_mutex_unlock(&k->lock);
	return there;
}

static uint32_t count_changed(const struct kernel *k)
{
	const struct undo_log *log = undo_entries(k->undo);
	uint32_t n = 0;

	for (uint32_t i = 0; i < log->n; i++)
		n += !log->entry[i].back;
	return n;
}

uint32_t kernel_changed(struct kernel *k)
{
	uint32_t n;

	pthread_mutex_lock(&k->lock);
	n = count_changed(k);
	pthread_mutex_unlock(&k->lock);
	return n;
}

void kernel_restore(struct kernel *k)
{
	pthread_mutex_lock(&k->lock);
	for (uint32_t i = k->n_workers; i-- > 0;)
		if (k->worker[i]->task != TASK_NONE || k->worker[i]->n_changed)
			give(k, k->worker[i], TASK_RESTORE);
	pthread_mutex_unlock(&k->lock);
}

bool kernel_busy(struct kernel *k)
{
	bool busy = false;

	pthread_mutex_lock(&k->lock);
	for (uint32_t i = 0; i < k->n_workers; i++)
		busy |= k->worker[i]->task != TASK_NONE;
	pthread_mutex_unlock(&k->lock);
	return busy;
}

uint32_t kernel_close(struct kernel *k)
{
	uint32_t left;
	bool stuck = false;

	if (!k)
		return 0;
	pthread_mutex_lock(&k->lock);
	k->closing = true;
	left = count_changed(k);
	for (uint32_t i = 0; i < k->n_workers; i++) {
		stuck |= k->worker[i]->task != TASK_NONE;
		pthread_cond_signal(&k->worker[i]->wake);
	}
	if (!stuck) {
		undo_close(k->undo);
		k->undo = NULL;
	} /* else its lock is kept as long as the process lives: the stuck write may still happen */
	pthread_mutex_unlock(&k->lock);
	drop_reference(k);
	return left;
}
