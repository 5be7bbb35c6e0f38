/* What a ring costs: push and pop in one thread, and items handed from one thread to another. */
#include "base_bench.h"

#include <pthread.h>
#include <sched.h>

#include "base/ring.h"

struct item {
	uint64_t word[4];
};

struct data {
	struct ring ring;
	uint64_t n;
};

static uint64_t push_and_pop(void *p, uint64_t n)
{
	struct item item = { { 0 } };
	struct data *d = p;

	for (uint64_t i = 0; i < n; i++) {
		item.word[0] += i;
		ring_push(&d->ring, &item);
		ring_pop(&d->ring, &item);
	}
	return item.word[0];
}

static uint64_t pop_empty(void *p, uint64_t n)
{
	struct item item = { { 0 } };
	struct data *d = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += ring_pop(&d->ring, &item);
	return sum;
}

static void *produce(void *p)
{
	struct item item = { { 0 } };
	struct data *d = p;

	for (uint64_t i = 0; i < d->n; i++)
		while (!ring_push(&d->ring, &item))
			sched_yield();
	return NULL;
}

/* The whole way of n items through the ring, with the start of the other thread. */
static uint64_t hand_over(void *p, uint64_t n)
{
	struct data *d = p;
	pthread_t producer;
	struct item item = { { 0 } };

	d->n = n;
	if (pthread_create(&producer, NULL, produce, d))
		abort();
	for (uint64_t i = 0; i < n; i++)
		while (!ring_pop(&d->ring, &item))
			sched_yield();
	pthread_join(producer, NULL);
	return item.word[0];
}

int main(void)
{
	struct data d;

	if (ring_init(&d.ring, 256, sizeof(struct item)))
		return 1;
	printf("ring: %zu bytes and its slots; items of %zu bytes\n", sizeof(struct ring),
	       sizeof(struct item));
	bench("push and pop, one thread", push_and_pop, &d, 5000000);
	bench("pop from an empty one", pop_empty, &d, 5000000);
	bench("an item from thread to thread, 256 slots", hand_over, &d, 1000000);
	ring_release(&d.ring);
	return 0;
}
