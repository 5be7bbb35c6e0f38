#include "backend/aio.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/aio_buffer.h"
#include "backend/backend.h"

/* Real storage through libaio. Requests gather in a queue between two reaps, go down in one io_submit, and come back in batches. */

enum {
	BATCH = 64,            /* events in one reap */
	MAX_CHUNKS = 256,      /* of iocbs; they never move, the kernel names them in its events */
	CHUNK_BITS = 12,
	CHUNK = 1 << CHUNK_BITS,
};

#define RETRY_NS NS_PER_MS       /* the kernel took nothing and has nothing of ours: look again after this */
#define PARTING_NS (2 * NS_PER_S) /* at the end, for what is still out */

struct aio {
	struct backend base;
	struct clock clock;
	int64_t offset_ns; /* clock - engine time */
	struct aio_context context;
	struct backend_target *target; /* owned copy: [lun * paths + path] */
	uint32_t luns, paths;
	struct iocb *chunk[MAX_CHUNKS]; /* owned: the iocb of each request id */
	uint32_t n_iocbs;
	struct aio_buffers buffers;
	/* Submitted to us, not yet taken by the kernel: list[head..tail). */
	struct iocb **list; /* owned, n_iocbs entries */
	uint32_t head, tail;
	bool late; /* list[head] was offered before and not taken: its start is when it is */
	uint32_t in_kernel;
	struct io *refused; /* chain by next: io_submit named them as bad, result is set */
};

/* ---- open, grow, close ---- */

/* Give what is out a moment to come back: the kernel would wait for it without a limit. */
static void drain(struct aio *a)
{
	struct io_event event[BATCH];
	int64_t end = clock_now(&a->clock) + PARTING_NS, left = PARTING_NS;

	while (a->in_kernel && left > 0) {
		int n = aio_context_wait(&a->context, left, event, BATCH);
		if (n < 0)
			return;
		a->in_kernel -= (uint32_t)n < a->in_kernel ? (uint32_t)n : a->in_kernel;
		left = end - clock_now(&a->clock);
	}
}

static void aio_close(struct backend *b)
{
	struct aio *a = (struct aio *)b;

	drain(a);
	/* What never came back may still write into the buffers: they and the context stay until the process ends. */
	if (!a->in_kernel) {
		aio_context_close(&a->context);
		aio_buffers_release(&a->buffers);
		for (uint32_t i = 0; i < a->n_iocbs / CHUNK; i++)
			free(a->chunk[i]);
	}
	free(a->list);
	free(a->target);
	free(a);
}

static struct backend *aio_open(const struct backend_args *args, struct err *err)
{
	uint32_t n = args->luns * args->paths;
	struct aio *a = args->target ? calloc(1, sizeof(*a)) : NULL;

	if (!args->target) {
		err_set(err, -EINVAL, "the aio backend needs a target: --target PATH");
		return NULL;
	}
	if (a)
		a->target = malloc(n * sizeof(*a->target));
	if (!a || !a->target) {
		free(a);
		err_set(err, -ENOMEM, "cannot open the aio backend: out of memory");
		return NULL;
	}
	a->base = (struct backend){.ops = &backend_aio, .now_ns = args->now_ns};
	a->clock = args->clock;
	a->buffers.stamp = (uint64_t)clock_now(&args->clock); /* not what an earlier run wrote */
	a->luns = args->luns;
	a->paths = args->paths;
	memcpy(a->target, args->target, n * sizeof(*a->target));
	if (aio_context_open(&a->context, args->aio ? args->aio : &aio_libaio, args->depth ? args->depth : 1, err) < 0) {
		aio_close(&a->base);
		return NULL;
	}
	a->offset_ns = (args->clock_ns ? args->clock_ns : clock_now(&a->clock)) - args->now_ns;
	return &a->base;
}

static int grow_iocbs(struct aio *a)
{
	if (a->n_iocbs / CHUNK == MAX_CHUNKS)
		return -E2BIG;
	struct iocb **list = realloc(a->list, (a->n_iocbs + CHUNK) * sizeof(struct iocb *));
	if (!list)
		return -ENOMEM;
	a->list = list;
	struct iocb *chunk = calloc(CHUNK, sizeof(*chunk));
	if (!chunk)
		return -ENOMEM;
	a->chunk[a->n_iocbs / CHUNK] = chunk;
	a->n_iocbs += CHUNK;
	return 0;
}

static int aio_reserve(struct backend *b, uint32_t n, uint32_t bytes)
{
	struct aio *a = (struct aio *)b;
	int code = 0;

	while (!code && a->n_iocbs < n)
		code = grow_iocbs(a);
	return code ? code : aio_buffers_reserve(&a->buffers, a->n_iocbs, bytes);
}

/* ---- down ---- */

/* The list has a place for every request that can be out, but its used part wanders. */
static void close_up(struct aio *a)
{
	a->tail -= a->head;
	memmove(a->list, a->list + a->head, a->tail * sizeof(struct iocb *));
	a->head = 0;
}

static struct iocb *iocb_of(const struct aio *a, uint32_t id)
{
	return &a->chunk[id >> CHUNK_BITS][id & (CHUNK - 1)];
}

/* The iocb of an id remembers its buffer: what is carried stays where it is while larger buffers are made. */
static char *carried(const struct aio *a, const struct io *io)
{
	return (char *)iocb_of(a, io->data)->u.c.buf + io->data_at;
}

static void aio_submit(struct backend *b, struct io *io)
{
	struct aio *a = (struct aio *)b;
	struct iocb *cb = iocb_of(a, io->id);
	char *buffer = __builtin_expect(io->carries, 0) ? carried(a, io) : aio_buffer(&a->buffers, io->id);

	if (io->write && !io->carries)
		aio_buffer_fill(&a->buffers, buffer, io->bytes, io->offset_bytes);
	cb->data = io;
	cb->aio_fildes = a->target[io->lun * a->paths + io->path].fd;
	cb->aio_lio_opcode = io->write ? IO_CMD_PWRITE : IO_CMD_PREAD;
	cb->u.c.buf = buffer;
	cb->u.c.nbytes = io->bytes;
	cb->u.c.offset = (long long)io->offset_bytes;
	if (a->tail == a->n_iocbs)
		close_up(a);
	a->list[a->tail++] = cb;
}

static void aio_again(struct backend *b, struct io *const *io, int n)
{
	struct aio *a = (struct aio *)b;

	if (a->tail + (uint32_t)n > a->n_iocbs)
		close_up(a);
	struct iocb **list = a->list + a->tail;
	for (int i = 0; i < n; i++) {
		struct iocb *cb = iocb_of(a, io[i]->id);
		if (io[i]->write)
			aio_buffer_fill(&a->buffers, cb->u.c.buf, io[i]->bytes, io[i]->offset_bytes);
		cb->u.c.offset = (long long)io[i]->offset_bytes;
		list[i] = cb;
	}
	a->tail += (uint32_t)n;
}

static void stamp(struct aio *a)
{
	a->base.now_ns = clock_now(&a->clock) - a->offset_ns;
}

/* What the kernel did not take the first time starts when it does; the time before counts as waiting. */
static void start_anew(struct aio *a)
{
	stamp(a);
	for (uint32_t i = a->head; i < a->tail; i++)
		((struct io *)a->list[i]->data)->t_start = a->base.now_ns;
}

/* io_submit stops at the first bad request: that one is answered with the error, the others go on. */
static void refuse_first(struct aio *a, int code)
{
	struct io *io = a->list[a->head++]->data;

	io->result = code;
	io->next = a->refused;
	a->refused = io;
}

/* Hand everything to the kernel, as far as it takes it. */
static void flush(struct aio *a)
{
	while (a->head != a->tail) {
		if (a->late)
			start_anew(a);
		int n = a->context.calls->submit(a->context.context, a->tail - a->head, a->list + a->head);
		if (n == -EINTR)
			continue;
		a->late = n == 0 || n == -EAGAIN || (n > 0 && (uint32_t)n < a->tail - a->head);
		if (n > 0) {
			a->head += (uint32_t)n;
			a->in_kernel += (uint32_t)n;
		} else if (a->late) {
			return;
		} else {
			refuse_first(a, n);
		}
	}
	a->head = a->tail = 0;
}

/* ---- up ---- */

static int give_refused(struct aio *a, struct io **done, int max)
{
	int n = 0;

	while (n < max && a->refused) {
		done[n++] = a->refused;
		a->refused = a->refused->next;
	}
	return n;
}

/* A removed SCSI disk answers reads with 0 bytes, which is no error to the kernel (KERNEL.md 8.6). */
static void nothing_came(const struct aio *a, struct io *io)
{
	if (a->target[io->lun * a->paths + io->path].device)
		io->result = -ENODEV;
}

static int give_events(struct aio *a, const struct io_event *event, int n, struct io **done)
{
	if ((uint32_t)n > a->in_kernel)
		return -EPROTO;
	a->in_kernel -= (uint32_t)n;
	for (int i = 0; i < n; i++) {
		struct io *io = event[i].data;
		io->result = (int32_t)(long)event[i].res; /* the field is unsigned, errors are negative in it */
		if (__builtin_expect(!io->result, 0))
			nothing_came(a, io);
		done[i] = io;
	}
	return n;
}

/* Nothing is there: wait for it, or for the next due time. */
static int wait_events(struct aio *a, int64_t until_ns, struct io_event *event, int max)
{
	stamp(a);
	int64_t ns = until_ns - a->base.now_ns;
	if (ns <= 0)
		return 0;
	if (a->in_kernel)
		return aio_context_wait(&a->context, ns, event, max);
	if (a->late && ns > RETRY_NS)
		ns = RETRY_NS;
	nanosleep(&(struct timespec){ns / NS_PER_S, ns % NS_PER_S}, NULL);
	return 0;
}

static int aio_reap(struct backend *b, int64_t until_ns, struct io **done, int max)
{
	struct aio *a = (struct aio *)b;
	struct io_event event[BATCH];
	int most = max < BATCH ? max : BATCH, n;

	flush(a);
	if (__builtin_expect(a->refused != NULL, 0)) {
		stamp(a);
		return give_refused(a, done, max);
	}
	n = a->in_kernel ? aio_context_take(&a->context, event, most) : 0;
	if (!n)
		n = wait_events(a, until_ns, event, most);
	if (n < 0)
		return n;
	stamp(a);
	return give_events(a, event, n, done);
}

static void *aio_data(const struct backend *b, const struct io *io)
{
	return carried((const struct aio *)b, io);
}

static void aio_fill(struct backend *b, const struct io *io)
{
	struct aio *a = (struct aio *)b;
	char *buffer = aio_buffer(&a->buffers, io->id);

	iocb_of(a, io->id)->u.c.buf = buffer;
	aio_buffer_fill(&a->buffers, buffer, io->bytes, io->offset_bytes);
}

static void aio_shift(struct backend *b, int64_t ns)
{
	((struct aio *)b)->offset_ns += ns;
}

const struct backend_ops backend_aio = {
	.name = "aio",
	.open = aio_open,
	.close = aio_close,
	.reserve = aio_reserve,
	.submit = aio_submit,
	.again = aio_again,
	.reap = aio_reap,
	.data = aio_data,
	.fill = aio_fill,
	.shift = aio_shift,
};
