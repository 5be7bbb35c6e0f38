#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "backend/backend.h"

/* Answers everything at the next reap, in real time: what is left is the cost of iodeck itself. */
struct null {
	struct backend base;
	struct clock clock;
	int64_t offset_ns; /* clock - engine time */
	struct io **ring;  /* owned, room of a power of two */
	uint32_t head, tail, mask;
};

static void null_close(struct backend *b)
{
	free(((struct null *)b)->ring);
	free(b);
}

static struct backend *null_open(const struct backend_args *a, struct err *err)
{
	struct null *n = calloc(1, sizeof(*n));

	if (!n) {
		err_set(err, -ENOMEM, "cannot open the null backend: out of memory");
		return NULL;
	}
	n->base = (struct backend){.ops = &backend_null, .now_ns = a->now_ns};
	n->clock = a->clock;
	n->offset_ns = (a->clock_ns ? a->clock_ns : clock_now(&a->clock)) - a->now_ns;
	return &n->base;
}

static int null_reserve(struct backend *b, uint32_t n, uint32_t bytes)
{
	struct null *s = (struct null *)b;
	uint32_t room = 64;

	(void)bytes;
	while (room < n)
		room *= 2;
	if (s->ring && room <= s->mask + 1)
		return 0;
	struct io **ring = malloc(room * sizeof(struct io *));
	if (!ring)
		return -ENOMEM;
	uint32_t waiting = s->tail - s->head;
	for (uint32_t i = 0; i < waiting; i++)
		ring[i] = s->ring[(s->head + i) & s->mask];
	free(s->ring);
	s->ring = ring;
	s->head = 0;
	s->tail = waiting;
	s->mask = room - 1;
	return 0;
}

static void null_submit(struct backend *b, struct io *io)
{
	struct null *s = (struct null *)b;

	io->result = (int32_t)io->bytes;
	s->ring[s->tail++ & s->mask] = io;
}

static void null_again(struct backend *b, struct io *const *io, int n)
{
	struct null *s = (struct null *)b;

	for (int i = 0; i < n; i++) /* their results are still there */
		s->ring[s->tail++ & s->mask] = io[i];
}

static void null_wait(struct null *s, int64_t until_ns)
{
	int64_t ns = until_ns - s->base.now_ns;
	struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};

	if (ns > 0)
		nanosleep(&t, NULL);
	s->base.now_ns = clock_now(&s->clock) - s->offset_ns;
}

static int null_reap(struct backend *b, int64_t until_ns, struct io **done, int max)
{
	struct null *s = (struct null *)b;
	int n = 0;

	b->now_ns = clock_now(&s->clock) - s->offset_ns;
	if (s->head == s->tail) {
		null_wait(s, until_ns);
		return 0;
	}
	while (n < max && s->head != s->tail)
		done[n++] = s->ring[s->head++ & s->mask];
	return n;
}

static void null_shift(struct backend *b, int64_t ns)
{
	((struct null *)b)->offset_ns += ns;
}

const struct backend_ops backend_null = {
	.name = "null",
	.open = null_open,
	.close = null_close,
	.reserve = null_reserve,
	.submit = null_submit,
	.again = null_again,
	.reap = null_reap,
	.shift = null_shift,
};
