/* Inside of kernel.c and kernel_work.c. */
#ifndef IODECK_KERNEL_PRIVATE_H
#define IODECK_KERNEL_PRIVATE_H

#include <pthread.h>

#include "base/ring.h"
#include "kernel.h"
#include "kernel_knob.h"
#include "undo.h"

enum { KERNEL_MAX_WORKERS = 128, KERNEL_ANSWERS = 512 };

enum task { TASK_NONE, TASK_PLAN, TASK_DO, TASK_RESTORE, TASK_WATCH, TASK_END };

/* One for each device, made when it is first asked for. `task`, `id`, `since_ns`, `said_stuck` under kernel.lock; the rest is the thread's own while it works,
 * and kernel.lock's while task is TASK_NONE. */
struct worker_thread {
	struct kernel *k;
	pthread_t thread;
	char device[KERNEL_WORD]; /* as asked for */
	enum task task, next; /* next: what follows when the present one is done */
	uint64_t id;
	int64_t since_ns;
	bool said_stuck;
	pthread_cond_t wake;
	struct kernel_request request;
	struct plan plan;
	bool has_plan;
	struct alias_list seen;
	struct setting changed[PLAN_MAX_SETTINGS]; /* to be watched: .value is what is in effect */
	uint32_t n_changed;
};

struct kernel {
	struct kernel_options o;
	char root[256], folder[256];
	pthread_mutex_t lock; /* of everything here; never held during a call into the kernel that can wait for a device */
	struct undo *undo;    /* under lock */
	struct worker_thread *worker[KERNEL_MAX_WORKERS];
	uint32_t n_workers;
	uint64_t last_id;
	struct kernel_answer *answer; /* owned, KERNEL_ANSWERS places, a circle */
	uint32_t first, n_answers;
	int64_t watched_ns;
	uint32_t references; /* threads and the owner: the last frees */
	bool closing;
};

/* kernel_work.c: what a worker does, on its own thread, without the lock. */
void kernel_work_plan(struct worker_thread *w, struct kernel_answer *a);
void kernel_work_do(struct worker_thread *w, struct kernel_answer *a);
void kernel_work_restore(struct worker_thread *w);
void kernel_work_watch(struct worker_thread *w);
/* kernel.c: put an answer in the circle and wake the UI. */
void kernel_tell(struct kernel *k, const struct kernel_answer *a);

#endif
