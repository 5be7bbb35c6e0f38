/* One writer and one reader hammer a latch. Every word of a value holds its number, so a torn one
 * shows; numbers only grow, so an older one shows. Argument: how many values (default 2000000);
 * ends after a second in any case. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/latch.h"

enum { WORDS = 31 }; /* four cache lines, not quite */

struct value {
	uint64_t word[WORDS];
};

struct test {
	struct latch latch;
	struct clock clock;
	pthread_barrier_t start;
	uint64_t n_values;
	_Atomic uint64_t n_published; /* set when the writer is done */
	uint64_t torn, older, freshness_lies, seen;
	bool last_arrived;
};

static void *write_values(void *data)
{
	struct test *t = data;
	uint64_t n = 0;
	int64_t end;

	pthread_barrier_wait(&t->start);
	end = clock_now(&t->clock) + NS_PER_S;
	while (n < t->n_values && (n % 64 || clock_now(&t->clock) < end)) {
		struct value *v = latch_begin(&t->latch);

		n++;
		for (int i = 0; i < WORDS; i++)
			v->word[i] = n;
		latch_publish(&t->latch);
		if (!(n % 256))
			sched_yield(); /* on a busy machine the reader shall see some of it, too */
	}
	atomic_store_explicit(&t->n_published, n, memory_order_release);
	return NULL;
}

static uint64_t check_one(struct test *t, uint64_t previous)
{
	bool fresh;
	const struct value *v = latch_read(&t->latch, &fresh);
	uint64_t n = v->word[0];

	for (int i = 1; i < WORDS; i++)
		t->torn += v->word[i] != n;
	t->older += n < previous;
	t->freshness_lies += fresh != (n != previous);
	t->seen += fresh;
	return n;
}

/* What was published last must be there at the read that follows the writer's end. */
static void *read_values(void *data)
{
	struct test *t = data;
	uint64_t n = 0, last = 0;

	pthread_barrier_wait(&t->start);
	while (!last) {
		last = atomic_load_explicit(&t->n_published, memory_order_acquire);
		n = check_one(t, n);
		if (!(n % 1024))
			sched_yield(); /* a machine with a single processor */
	}
	t->last_arrived = n == last;
	return NULL;
}

static int report(int number, bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", number, what);
	return !ok;
}

int main(int argc, char **argv)
{
	static struct test t;
	pthread_t writer, reader;
	int failed = 0;

	t.n_values = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
	t.clock = clock_monotonic();
	if (latch_init(&t.latch, sizeof(struct value)) || pthread_barrier_init(&t.start, NULL, 2) ||
	    pthread_create(&reader, NULL, read_values, &t) ||
	    pthread_create(&writer, NULL, write_values, &t)) {
		printf("Bail out! no memory or no thread\n");
		return 1;
	}
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	printf("1..5\n# published %llu, seen %llu\n", (unsigned long long)t.n_published,
	       (unsigned long long)t.seen);
	failed |= report(1, !t.torn, "no value is torn");
	failed |= report(2, !t.older, "no value is older than the one before");
	failed |= report(3, !t.freshness_lies, "fresh means a new value, stale the same one");
	failed |= report(4, t.last_arrived, "the last value arrives");
	failed |= report(5, t.seen > 1, "the threads ran at the same time");
	pthread_barrier_destroy(&t.start);
	latch_release(&t.latch);
	return failed;
}
