/* One producer and one consumer hammer rings of 1, 2 and 64 slots. Items are numbered and carry a
 * check word, so a lost, repeated, reordered or torn one shows. Argument: items per ring (default
 * 1000000); ends after 0.4 s per ring in any case. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/ring.h"

struct item {
	uint64_t number, check, padding;
};

struct test {
	struct ring ring;
	struct clock clock;
	uint64_t n_items;
	_Atomic uint64_t n_pushed; /* set when the producer is done */
	uint64_t full, empty;	   /* how often each side had to wait */
	uint64_t n_popped, torn, disordered;
};

static uint64_t check_word(uint64_t number)
{
	return ~number * UINT64_C(0x9e3779b97f4a7c15);
}

static void *produce(void *data)
{
	struct test *t = data;
	int64_t end = clock_now(&t->clock) + NS_PER_S * 2 / 5;
	uint64_t n = 0;

	while (n < t->n_items && (n % 64 || clock_now(&t->clock) < end)) {
		struct item item = { .number = n, .check = check_word(n) };

		n++;
		while (!ring_push(&t->ring, &item)) {
			t->full++;
			sched_yield();
		}
	}
	atomic_store_explicit(&t->n_pushed, n, memory_order_release);
	return NULL;
}

static void check_item(struct test *t, const struct item *item)
{
	t->torn += item->check != check_word(item->number);
	t->disordered += item->number != t->n_popped;
	t->n_popped++;
}

/* Done when the ring is empty although the producer had already finished before the look. */
static void *consume(void *data)
{
	struct test *t = data;

	for (;;) {
		uint64_t pushed = atomic_load_explicit(&t->n_pushed, memory_order_acquire);
		struct item item;

		if (ring_pop(&t->ring, &item)) {
			check_item(t, &item);
			continue;
		}
		if (pushed)
			return NULL;
		t->empty++;
		sched_yield();
	}
}

static bool run(struct test *t, uint32_t n_slots)
{
	pthread_t producer, consumer;

	if (ring_init(&t->ring, n_slots, sizeof(struct item)) ||
	    pthread_create(&consumer, NULL, consume, t) ||
	    pthread_create(&producer, NULL, produce, t))
		return false;
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	ring_release(&t->ring);
	return true;
}

static int report(int *number, bool ok, const char *what, uint32_t n_slots)
{
	printf("%sok %d - %s (%u slots)\n", ok ? "" : "not ", ++*number, what, n_slots);
	return !ok;
}

int main(int argc, char **argv)
{
	static const uint32_t slots[] = { 1, 2, 64 };
	static struct test t;
	int failed = 0, number = 0;

	printf("1..9\n");
	for (unsigned i = 0; i < 3; i++) {
		t = (struct test){ .clock = clock_monotonic() };
		t.n_items = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
		if (!run(&t, slots[i])) {
			printf("Bail out! no memory or no thread\n");
			return 1;
		}
		printf("# %llu items, found full %llu times, empty %llu times\n",
		       (unsigned long long)t.n_popped, (unsigned long long)t.full,
		       (unsigned long long)t.empty);
		failed |= report(&number, t.n_popped == t.n_pushed, "nothing is lost", slots[i]);
		failed |= report(&number, !t.disordered, "nothing comes twice or early", slots[i]);
		failed |= report(&number, !t.torn, "nothing is torn", slots[i]);
	}
	return failed;
}
