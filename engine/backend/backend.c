#include "backend/backend.h"

#include <errno.h>
#include <string.h>

static const struct backend_ops *const backends[] = {&backend_model, &backend_null, &backend_aio};

const char *const backend_names[] = {"model", "null", "aio", NULL};

const struct backend_ops *backend_find(const char *name)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	return NULL;
}

void backend_submit(struct backend *b, struct io *io)
{
	b->outstanding++;
	b->ops->submit(b, io);
}

void backend_again(struct backend *b, struct io *const *io, int n)
{
	if (n <= 0)
		return;
	b->outstanding += (uint32_t)n;
	if (b->ops->again) {
		b->ops->again(b, io, n);
		return;
	}
	for (int i = 0; i < n; i++)
		b->ops->submit(b, io[i]);
}

int backend_reap(struct backend *b, int64_t until_ns, struct io **done, int max)
{
	int64_t before = b->now_ns;
	int n = b->ops->reap(b, until_ns, done, max);

	if (b->now_ns < before || n > max || (n > 0 && (uint32_t)n > b->outstanding))
		return -EPROTO;
	if (n > 0)
		b->outstanding -= (uint32_t)n;
	return n;
}

struct backend_counters backend_counters(const struct backend *b)
{
	struct backend_counters c = {.n_members = 0};

	if (b->ops->counters)
		b->ops->counters(b, &c);
	return c;
}

void backend_seed(struct backend *b, uint64_t seed)
{
	if (b->ops->seed)
		b->ops->seed(b, seed);
}

int backend_reserve(struct backend *b, uint32_t n, uint32_t bytes)
{
	return b->ops->reserve ? b->ops->reserve(b, n, bytes) : 0;
}
