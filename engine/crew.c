#include "crew.h"

#include <errno.h>
#include <stdlib.h>

#include "base/thread.h"
#include "fault.h"

/* How workers are started, stepped together and told what to do. */

/* Each round the caller says until when, the threads run that far and say that they are there. Everything else of the workers is touched by
 * whoever has the round: outside of crew_run the caller, inside each thread its own worker. */
struct crew_threads {
	pthread_mutex_t lock;
	pthread_cond_t begun, over;
	uint64_t round;
	int64_t until_ns;
	bool end;
	uint32_t running; /* of this round */
	uint32_t n;       /* started */
	struct hand {
		struct crew_threads *all;
		struct worker *worker;
		pthread_t thread;
		int code;
	} hand[CREW_MOST];
};

/* ---- threads ---- */

/* Wait for a round that is not `last`; false: it was the last one. */
static bool next_round(struct crew_threads *t, uint64_t *last, int64_t *until_ns)
{
	pthread_mutex_lock(&t->lock);
	while (t->round == *last && !t->end)
		pthread_cond_wait(&t->begun, &t->lock);
	bool end = t->end;
	*last = t->round;
	*until_ns = t->until_ns;
	pthread_mutex_unlock(&t->lock);
	return !end;
}

static void *hand_main(void *data)
{
	struct hand *h = data;
	struct crew_threads *t = h->all;
	uint64_t last = 0;
	int64_t until_ns;

	while (next_round(t, &last, &until_ns)) {
		h->code = worker_run(h->worker, until_ns);
		pthread_mutex_lock(&t->lock);
		if (!--t->running)
			pthread_cond_signal(&t->over);
		pthread_mutex_unlock(&t->lock);
	}
	return NULL;
}

static void begin_round(struct crew_threads *t, int64_t until_ns)
{
	pthread_mutex_lock(&t->lock);
	t->round++;
	t->until_ns = until_ns;
	t->running = t->n;
	pthread_cond_broadcast(&t->begun);
	pthread_mutex_unlock(&t->lock);
}

static void await_round(struct crew_threads *t)
{
	pthread_mutex_lock(&t->lock);
	while (t->running)
		pthread_cond_wait(&t->over, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

static void stop_threads(struct crew_threads *t)
{
	pthread_mutex_lock(&t->lock);
	t->end = true;
	pthread_cond_broadcast(&t->begun);
	pthread_mutex_unlock(&t->lock);
	for (uint32_t i = 0; i < t->n; i++)
		pthread_join(t->hand[i].thread, NULL);
	pthread_cond_destroy(&t->over);
	pthread_cond_destroy(&t->begun);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

static int start_threads(struct crew *c, struct err *err)
{
	struct crew_threads *t = c->threads = calloc(1, sizeof(*t));

	if (!t)
		return err_set(err, -ENOMEM, "cannot start %u workers: out of memory", c->n);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->begun, NULL);
	pthread_cond_init(&t->over, NULL);
	for (uint32_t i = 0; i + 1 < c->n; i++) {
		struct hand *h = &t->hand[i];
		h->all = t;
		h->worker = &c->other[i];
		int code = thread_start(&h->thread, hand_main, h);
		if (code < 0)
			return err_set(err, code, "cannot start the thread of worker %u: error %d", i + 1, -code);
		t->n++;
	}
	return 0;
}

/* ---- open and close ---- */

static int open_others(struct crew *c, const struct config *cfg, const struct worker_site *site, uint64_t seed, int64_t now_ns, struct err *err)
{
	struct worker_site s = *site;
	int64_t began = clock_now(&site->clock);
	int code = 0;

	s.clock_ns = began;
	s.parts = c->n;
	for (uint32_t i = 0; i < c->n && !code; i++) {
		stats_init_zero(&c->own[i], now_ns);
		s.part = i;
		code = worker_open(crew_worker(c, i), cfg, &s, seed, now_ns, &c->own[i], err);
	}
	if (!code)
		crew_shift(c, clock_now(&site->clock) - began); /* nobody waited while the others were opened */
	return code ? code : start_threads(c, err);
}

int crew_open(struct crew *c, uint32_t n, struct worker *first, const struct config *cfg, const struct worker_site *site, uint64_t seed,
	      int64_t now_ns, struct stats *stats, struct err *err)
{
	*c = (struct crew){.n = 1, .first = first, .stats = stats};
	if (n <= 1)
		return worker_open(first, cfg, site, seed, now_ns, stats, err);
	int code = crew_check(site->ops, cfg, n, err);
	if (code)
		return code;
	c->n = n;
	c->other = calloc(n - 1, sizeof(*c->other));
	c->own = calloc(n, sizeof(*c->own));
	code = c->other && c->own ? open_others(c, cfg, site, seed, now_ns, err) : err_set(err, -ENOMEM, "cannot start %u workers: out of memory", n);
	if (code)
		crew_close(c);
	return code;
}

void crew_close(struct crew *c)
{
	if (c->threads)
		stop_threads(c->threads);
	for (uint32_t i = 0; i < c->n && (!i || c->other); i++)
		if (crew_worker(c, i)->backend)
			worker_close(crew_worker(c, i));
	free(c->other);
	free(c->own);
	*c = (struct crew){.n = 1, .first = c->first, .stats = c->stats};
}

/* ---- a round ---- */

static void agree_on_time(struct crew *c)
{
	int64_t now = worker_now(c->first);

	for (uint32_t i = 1; i < c->n; i++)
		now = worker_now(&c->other[i - 1]) > now ? worker_now(&c->other[i - 1]) : now;
	for (uint32_t i = 0; i < c->n; i++)
		crew_worker(c, i)->backend->now_ns = now;
}

int crew_run(struct crew *c, int64_t until_ns, bool stop_when_done)
{
	for (uint32_t i = 0; i < c->n; i++)
		crew_worker(c, i)->stop_when_done = stop_when_done;
	if (c->n == 1)
		return worker_run(c->first, until_ns);
	begin_round(c->threads, until_ns);
	int code = worker_run(c->first, until_ns);
	await_round(c->threads);
	for (uint32_t i = 0; i + 1 < c->n; i++)
		code = code ? code : c->threads->hand[i].code;
	agree_on_time(c);
	stats_join(c->stats, c->own, c->n, worker_now(c->first));
	return code;
}

/* ---- what is done to all ---- */

int crew_set(struct crew *c, const struct config *cfg, const struct config *was, struct knob_ref ref, struct err *err)
{
	for (uint32_t i = 0; i < c->n; i++) {
		int code = worker_set(crew_worker(c, i), cfg, ref, err);
		if (!code)
			continue;
		while (i > 0)
			(void)worker_set(crew_worker(c, --i), was, ref, NULL); /* what was, fits */
		return code;
	}
	return 0;
}

int crew_fault(struct crew *c, const struct fault *f, struct err *err)
{
	int code = 0;

	for (uint32_t i = 0; i < c->n && !code; i++)
		code = worker_fault(crew_worker(c, i), f, err);
	return code;
}

void crew_seed(struct crew *c, uint64_t seed)
{
	for (uint32_t i = 0; i < c->n; i++)
		worker_seed(crew_worker(c, i), seed);
}

void crew_begin_round(struct crew *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		worker_begin_round(crew_worker(c, i));
}

void crew_shift(struct crew *c, int64_t ns)
{
	for (uint32_t i = 0; i < c->n; i++) {
		struct backend *b = crew_worker(c, i)->backend;
		if (b->ops->shift)
			b->ops->shift(b, ns);
	}
}

void crew_begin_step(struct crew *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		stack_reset_peaks(&crew_worker(c, i)->stack);
		if (c->own)
			c->own[i].last_ns = -1;
	}
}
