/* What a latch costs each side: alone, and with the other side hammering on another processor. */
#include "base_bench.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/latch.h"

struct data {
	struct latch latch;
	_Atomic bool stop;
};

static uint64_t publish(void *p, uint64_t n)
{
	struct data *d = p;

	for (uint64_t i = 0; i < n; i++) {
		*(uint64_t *)latch_begin(&d->latch) = i;
		latch_publish(&d->latch);
	}
	return n;
}

static uint64_t read_newest(void *p, uint64_t n)
{
	struct data *d = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += *(const uint64_t *)latch_read(&d->latch, NULL);
	return sum;
}

static uint64_t publish_and_read(void *p, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		publish(p, 1);
		sum += read_newest(p, 1);
	}
	return sum;
}

static void *publish_until_stopped(void *p)
{
	struct data *d = p;

	while (!atomic_load_explicit(&d->stop, memory_order_relaxed))
		publish(p, 100);
	return NULL;
}

static void *read_until_stopped(void *p)
{
	struct data *d = p;

	while (!atomic_load_explicit(&d->stop, memory_order_relaxed))
		read_newest(p, 100);
	return NULL;
}

/* One side measured while a second thread is the other. */
static int bench_against(const char *what, bench_function *f, void *(*other)(void *),
			 struct data *d)
{
	pthread_t thread;

	atomic_store(&d->stop, false);
	if (pthread_create(&thread, NULL, other, d))
		return 1;
	bench(what, f, d, 1000000);
	atomic_store(&d->stop, true);
	return pthread_join(thread, NULL);
}

int main(void)
{
	struct data d;
	int failed;

	if (latch_init(&d.latch, 4096))
		return 1;
	printf("latch: %zu bytes and three slots\n", sizeof(struct latch));
	bench("publish, nobody reads", publish, &d, 5000000);
	bench("read, nothing new", read_newest, &d, 5000000);
	bench("publish and read, one thread", publish_and_read, &d, 5000000);
	failed = bench_against("publish, a reader hammers", publish, read_until_stopped, &d);
	failed |= bench_against("read, a writer hammers", read_newest, publish_until_stopped, &d);
	latch_release(&d.latch);
	return failed;
}
