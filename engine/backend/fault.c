#include "backend/fault.h"

#include <errno.h>
#include <stdlib.h>

#include "base/heap.h"

/* Requests go straight through. What comes back is bent by the rules, and kept for a while when there is a delay or a stall. */

enum { STREAM = 0xfa017, BATCH = 64 };

struct fault_backend {
	struct backend base;
	struct backend *inner; /* owned */
	struct fault_rules rules;
	int64_t stall_from_ns;
	struct rng rng;
	struct event_heap kept; /* by due time, id: of the request */
	uint64_t sequence;
	struct io **io;         /* owned: the request with each id */
	uint32_t n_io;
};

static struct fault_backend *of(struct backend *b)
{
	return (struct fault_backend *)b;
}

static const struct backend *inner_of(const struct backend *b)
{
	return ((const struct fault_backend *)b)->inner;
}

static void fault_close(struct backend *b)
{
	struct fault_backend *f = of(b);

	f->inner->ops->close(f->inner);
	heap_release(&f->kept);
	free(f->io);
	free(f);
}

static int grow(struct fault_backend *f, uint32_t n)
{
	if (n <= f->n_io)
		return 0;
	struct io **io = realloc(f->io, n * sizeof(struct io *));
	if (!io)
		return -ENOMEM;
	f->io = io;
	f->n_io = n;
	return heap_reserve(&f->kept, n);
}

static int fault_reserve(struct backend *b, uint32_t n, uint32_t bytes)
{
	int code = grow(of(b), n);

	return code ? code : backend_reserve(of(b)->inner, n, bytes);
}

static void fault_seed(struct backend *b, uint64_t seed)
{
	rng_init(&of(b)->rng, seed, STREAM);
	backend_seed(of(b)->inner, seed);
}

static void fault_submit(struct backend *b, struct io *io)
{
	backend_submit(of(b)->inner, io);
}

/* ---- what is bent ---- */

static bool chance(struct fault_backend *f, double share)
{
	return share > 0 && rng_unit(&f->rng) <= share;
}

static bool in_range(const struct fault_rules *r, const struct io *io)
{
	return !r->range_end || (io->offset_bytes < r->range_end && io->offset_bytes + io->bytes > r->range_begin);
}

static void bend(struct fault_backend *f, struct io *io)
{
	if (io->result != (int32_t)io->bytes || !in_range(&f->rules, io))
		return;
	if (chance(f, f->rules.errors))
		io->result = -EIO;
	else if (chance(f, f->rules.shorts))
		io->result = (int32_t)(io->bytes / 2);
}

/* When a request that is back now may be given back. */
static int64_t due_of(const struct fault_backend *f, int64_t now)
{
	int64_t end = f->stall_from_ns + f->rules.stall_ns, due = now + f->rules.delay_ns;

	return f->rules.stall_ns && due < end ? end : due;
}

/* ---- up ---- */

static int give_kept(struct fault_backend *f, struct io **done, int max)
{
	int n = 0;

	while (n < max && heap_next(&f->kept) <= f->base.now_ns) {
		done[n++] = f->io[event_id(f->kept.e[0])];
		heap_pop(&f->kept);
	}
	return n;
}

/* Virtual time goes to one completion at a time; what is kept for the very same moment comes with the next call. */
static int fault_reap(struct backend *b, int64_t until_ns, struct io **done, int max)
{
	struct fault_backend *f = of(b);
	struct io *back[BATCH];
	int n = give_kept(f, done, max);

	if (n)
		return n;
	int64_t due = heap_next(&f->kept) < until_ns ? heap_next(&f->kept) : until_ns;
	int got = backend_reap(f->inner, due, back, max < BATCH ? max : BATCH);
	b->now_ns = f->inner->now_ns;
	if (got < 0)
		return got;
	for (int i = 0; i < got; i++) {
		int64_t at = due_of(f, b->now_ns);
		bend(f, back[i]);
		if (at <= b->now_ns) {
			done[n++] = back[i];
			continue;
		}
		f->io[back[i]->id] = back[i];
		heap_push(&f->kept, event_make(at, f->sequence++, 0, back[i]->id));
	}
	if (f->kept.failed)
		return -ENOMEM;
	return n ? n : give_kept(f, done, max);
}

static void fault_counters(const struct backend *b, struct backend_counters *c)
{
	*c = backend_counters(inner_of(b));
}

static uint32_t fault_owner_paths(const struct backend *b, const struct io *io)
{
	return inner_of(b)->ops->owner_paths(inner_of(b), io);
}

static void *fault_data(const struct backend *b, const struct io *io)
{
	const struct backend *inner = ((const struct fault_backend *)b)->inner;

	return inner->ops->data ? inner->ops->data(inner, io) : NULL;
}

static void fault_fill(struct backend *b, const struct io *io)
{
	struct backend *inner = of(b)->inner;

	if (inner->ops->fill)
		inner->ops->fill(inner, io);
}

static void fault_shift(struct backend *b, int64_t ns)
{
	struct backend *inner = of(b)->inner;

	if (inner->ops->shift)
		inner->ops->shift(inner, ns);
}

/* Two rows, because time is a property of the row. */
static const struct backend_ops fault_real = {
	.name = "fault",
	.close = fault_close,
	.reserve = fault_reserve,
	.seed = fault_seed,
	.submit = fault_submit,
	.reap = fault_reap,
	.counters = fault_counters,
	.data = fault_data,
	.fill = fault_fill,
	.shift = fault_shift,
};
static const struct backend_ops fault_virtual = {
	.name = "fault",
	.virtual_time = true,
	.close = fault_close,
	.reserve = fault_reserve,
	.seed = fault_seed,
	.submit = fault_submit,
	.reap = fault_reap,
	.counters = fault_counters,
	.owner_paths = fault_owner_paths,
};

/* ---- from outside ---- */

struct backend *fault_wrap(struct backend *inner, uint64_t seed, uint32_t requests)
{
	struct fault_backend *f = calloc(1, sizeof(*f));

	if (!f || grow(f, requests) < 0) {
		if (f)
			free(f->io);
		free(f);
		return NULL;
	}
	f->base = (struct backend){
		.ops = inner->ops->virtual_time ? &fault_virtual : &fault_real,
		.now_ns = inner->now_ns,
		.outstanding = inner->outstanding,
	};
	f->inner = inner;
	rng_init(&f->rng, seed, STREAM);
	return &f->base;
}

bool fault_is_wrapped(const struct backend *b)
{
	return b->ops == &fault_real || b->ops == &fault_virtual;
}

void fault_set_rules(struct backend *b, const struct fault_rules *r)
{
	of(b)->rules = *r;
	of(b)->stall_from_ns = b->now_ns;
}

const struct fault_rules *fault_get_rules(const struct backend *b)
{
	return &((const struct fault_backend *)b)->rules;
}
