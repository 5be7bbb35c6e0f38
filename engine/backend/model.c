#include <errno.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "model/array.h"

/* The modelled array as a backend: requests in, array commands out, the same ids. */
struct model {
	struct backend base;
	struct array *array; /* owned */
	struct io **io;      /* owned: the request with each id */
	uint32_t n_io;
	uint32_t members, servers;
	uint32_t paths_of[16]; /* a bit for each path that enters the member */
	bool direct;
};

static void model_close(struct backend *b)
{
	struct model *m = (struct model *)b;

	array_free(m->array);
	free(m->io);
	free(m);
}

static struct backend *model_open(const struct backend_args *a, struct err *err)
{
	struct model *m = calloc(1, sizeof(*m));

	if (!m) {
		err_set(err, -ENOMEM, "cannot open the model: out of memory");
		return NULL;
	}
	m->base = (struct backend){.ops = &backend_model, .now_ns = a->now_ns};
	m->members = a->array->members;
	m->servers = a->array->servers;
	m->direct = a->direct;
	m->array = array_new(a->array, a->links, a->luns, a->lcus, a->seed, a->now_ns, err);
	if (!m->array) {
		model_close(&m->base);
		return NULL;
	}
	for (uint32_t path = 0; path < 32; path++)
		m->paths_of[path % m->members] |= UINT32_C(1) << path;
	return &m->base;
}

static int model_reserve(struct backend *b, uint32_t n, uint32_t bytes)
{
	struct model *m = (struct model *)b;

	(void)bytes;
	if (n > m->n_io) {
		struct io **io = realloc(m->io, n * sizeof(struct io *));
		if (!io)
			return -ENOMEM;
		m->io = io;
		m->n_io = n;
	}
	return array_reserve(m->array, n);
}

static void model_seed(struct backend *b, uint64_t seed)
{
	array_seed(((struct model *)b)->array, seed);
}

static void model_submit(struct backend *b, struct io *io)
{
	struct model *m = (struct model *)b;
	struct array_command c = {
		.offset_bytes = io->offset_bytes,
		.bytes = io->bytes,
		.lun = io->lun,
		.link = io->link,
		.entry = m->direct ? ARRAY_DIRECT : (uint8_t)(io->path % m->members),
		.write = io->write,
		.relocation = io->relocation,
	};

	m->io[io->id] = io;
	array_submit(m->array, io->id, &c);
}

static int model_reap(struct backend *b, int64_t until_ns, struct io **done, int max)
{
	struct model *m = (struct model *)b;
	int64_t id = array_run(m->array, until_ns);

	(void)max;
	b->now_ns = array_now(m->array);
	if (array_failed(m->array))
		return -ENOMEM;
	if (id < 0)
		return 0;
	done[0] = m->io[id];
	done[0]->result = (int32_t)done[0]->bytes;
	return 1;
}

static void model_counters(const struct backend *b, struct backend_counters *c)
{
	const struct model *m = (const struct model *)b;

	*c = (struct backend_counters){.n_members = m->members, .servers = m->servers};
	for (uint32_t i = 0; i < m->members; i++) {
		struct array_counters of = array_counters(m->array, i);
		c->commands += of.commands;
		c->forwarded += of.forwarded;
		c->member_busy_ns[i] = of.busy_ns;
	}
}

static uint32_t model_owner_paths(const struct backend *b, const struct io *io)
{
	const struct model *m = (const struct model *)b;

	return m->paths_of[array_owner(m->array, io->lun, io->offset_bytes)];
}

const struct backend_ops backend_model = {
	.name = "model",
	.virtual_time = true,
	.open = model_open,
	.close = model_close,
	.reserve = model_reserve,
	.seed = model_seed,
	.submit = model_submit,
	.reap = model_reap,
	.counters = model_counters,
	.owner_paths = model_owner_paths,
};
