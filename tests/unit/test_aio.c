/* The aio backend against a kernel of our own making: what it takes, refuses, forgets and answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "backend/aio.h"
#include "backend/backend.h"

enum { MANY = 300, RING = 64 };

/* The calls of the table have no data pointer, so the kernel is one. */
static struct {
	struct aio_ring *ring; /* what the context points to */
	struct iocb *taken[MANY];
	int n_taken;
	int room;       /* more at once is EAGAIN */
	int most;       /* of one submit; 0: no limit */
	int eintr_each; /* every so many calls are interrupted; 0: none */
	int bad;        /* io_submit names the iocb at this offset / 4096 as bad; -1: none */
	int setup_code;
	bool silent;    /* nothing is ever answered */
	int calls, n_offered, n_asked;
	long (*answer)(const struct iocb *cb);
} kernel;

static long whole(const struct iocb *cb)
{
	return (long)cb->u.c.nbytes;
}

static bool interrupted(void)
{
	return kernel.eintr_each && ++kernel.calls % kernel.eintr_each == 0;
}

static int fake_setup(int n, io_context_t *context)
{
	kernel.n_asked = n;
	if (kernel.setup_code)
		return kernel.setup_code;
	*context = (io_context_t)kernel.ring;
	return 0;
}

static int fake_destroy(io_context_t context)
{
	(void)context;
	return 0;
}

static int fake_submit(io_context_t context, long n, struct iocb **list)
{
	int taken = 0;

	(void)context;
	if (interrupted())
		return -EINTR;
	for (; taken < n && (!kernel.most || taken < kernel.most); taken++) {
		if (kernel.bad >= 0 && list[taken]->u.c.offset / 4096 == kernel.bad)
			return taken ? taken : -EINVAL;
		if (kernel.n_taken >= kernel.room)
			return taken ? taken : -EAGAIN;
		kernel.taken[kernel.n_taken++] = list[taken];
		kernel.n_offered++;
	}
	return taken;
}

/* The newest first: order must not matter. */
static int fake_getevents(io_context_t context, long min, long n, struct io_event *events, struct timespec *t)
{
	int given = 0;

	(void)context;
	(void)t;
	if (interrupted())
		return -EINTR;
	if (min && n > 3)
		n = 3; /* fewer than could be */
	while (!kernel.silent && given < n && kernel.n_taken) {
		struct iocb *cb = kernel.taken[--kernel.n_taken];
		events[given++] = (struct io_event){.data = cb->data, .obj = cb, .res = (unsigned long)kernel.answer(cb)};
	}
	return given;
}

static const struct aio_calls fake = {fake_setup, fake_destroy, fake_submit, fake_getevents};
static int64_t now;

static void reset_kernel(bool ring)
{
	struct aio_ring *kept = kernel.ring;

	memset(&kernel, 0, sizeof(kernel));
	kernel.ring = kept ? kept : malloc(sizeof(struct aio_ring) + RING * sizeof(struct io_event));
	*kernel.ring = (struct aio_ring){.nr = RING, .magic = ring ? 0xa10a10a1 : 0, .header_length = sizeof(struct aio_ring)};
	kernel.room = MANY;
	kernel.bad = -1;
	kernel.answer = whole;
	now = 1000;
}

static struct backend *open_backend(void)
{
	static const struct backend_target target = {7, 512, false};
	struct backend_args args = {
		.now_ns = 1000, .luns = 1, .paths = 1, .depth = MANY, .target = &target, .aio = &fake, .clock = clock_manual(&now)};
	struct err err;
	struct backend *b = backend_aio.open(&args, &err);

	if (b)
		assert_int_equal(b->ops->reserve(b, MANY, 4096), 0);
	return b;
}

static struct io ios[MANY];
static bool back[MANY];

static void submit(struct backend *b, int i)
{
	ios[i] = (struct io){.id = (uint32_t)i, .bytes = 4096, .offset_bytes = (uint64_t)i * 4096, .t_start = now};
	back[i] = false;
	backend_submit(b, &ios[i]);
}

/* Reap until everything is back, each once; returns how many reaps it took. */
static int reap_all(struct backend *b, int n)
{
	struct io *done[64];
	int left = n, turns = 0;

	while (left && turns++ < 10000) {
		now += 1000;
		int got = backend_reap(b, now + 500, done, 64);
		assert_in_range(got, 0, 64);
		for (int i = 0; i < got; i++) {
			int k = (int)(done[i] - ios);
			assert_in_range(k, 0, n - 1);
			assert_false(back[k]);
			back[k] = true;
		}
		left -= got;
	}
	assert_int_equal(left, 0);
	return turns;
}

static void run_many(void)
{
	struct backend *b = open_backend();

	for (int i = 0; i < MANY; i++)
		submit(b, i);
	reap_all(b, MANY);
	assert_int_equal(kernel.n_offered, kernel.bad < 0 ? MANY : MANY - 1);
	assert_int_equal(b->outstanding, 0);
	b->ops->close(b);
}

static void test_all_come_back(void **state)
{
	(void)state;
	reset_kernel(false);
	run_many();
	for (int i = 0; i < MANY; i++)
		assert_int_equal(ios[i].result, 4096);
}

static void test_eagain_until_reaped(void **state)
{
	(void)state;
	reset_kernel(false);
	kernel.room = 5;
	run_many();
	assert_int_equal(ios[MANY - 1].result, 4096);
}

static void test_short_submits(void **state)
{
	(void)state;
	reset_kernel(false);
	kernel.most = 7;
	run_many();
	reset_kernel(false);
	kernel.most = 1;
	kernel.room = 2;
	run_many();
}

static void test_interrupted(void **state)
{
	(void)state;
	reset_kernel(false);
	kernel.eintr_each = 2;
	kernel.most = 9;
	run_many();
	assert_int_equal(ios[0].result, 4096);
}

static long mixed(const struct iocb *cb)
{
	switch (cb->u.c.offset / 4096 % 4) {
	case 0:
		return -EIO;
	case 1:
		return 2048;
	case 2:
		return 0;
	default:
		return 4096;
	}
}

static void test_results_are_what_the_kernel_said(void **state)
{
	static const int expected[] = {-EIO, 2048, 0, 4096};

	(void)state;
	reset_kernel(false);
	kernel.answer = mixed;
	run_many();
	for (int i = 0; i < MANY; i++)
		assert_int_equal(ios[i].result, expected[i % 4]);
}

/* One iocb that io_submit will not have is answered with its error; those before and behind go on. */
static void test_bad_request_in_the_middle(void **state)
{
	(void)state;
	reset_kernel(false);
	kernel.bad = 100;
	run_many();
	for (int i = 0; i < MANY; i++)
		assert_int_equal(ios[i].result, i == 100 ? -EINVAL : 4096);
}

/* What is not taken at once starts when it is; what was taken keeps its start. */
static void test_start_is_when_it_is_taken(void **state)
{
	(void)state;
	reset_kernel(false);
	kernel.room = 1;
	struct backend *b = open_backend();
	submit(b, 0);
	submit(b, 1);
	reap_all(b, 2);
	assert_int_equal(ios[0].t_start, 1000);
	assert_true(ios[1].t_start > 1000);
	b->ops->close(b);
}

static void test_ring_is_reaped_without_a_call(void **state)
{
	struct io *done[64];

	(void)state;
	reset_kernel(true);
	struct backend *b = open_backend();
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 40; i++)
			submit(b, i);
		assert_int_equal(backend_reap(b, now - 1, done, 64), 0);
		for (int i = 0; i < 40; i++) {
			unsigned tail = kernel.ring->tail;
			kernel.ring->event[tail] = (struct io_event){.data = &ios[i], .res = 4096};
			kernel.ring->tail = (tail + 1) % RING;
		}
		kernel.n_taken = 0;
		kernel.silent = true;
		assert_int_equal(backend_reap(b, now, done, 64), 40);
		assert_int_equal(kernel.ring->head, kernel.ring->tail);
	}
	b->ops->close(b);
}

static void test_more_events_than_requests_is_an_error(void **state)
{
	struct io *done[64];

	(void)state;
	reset_kernel(true);
	struct backend *b = open_backend();
	submit(b, 0);
	backend_reap(b, now - 1, done, 64);
	kernel.ring->event[0] = kernel.ring->event[1] = (struct io_event){.data = &ios[0], .res = 4096};
	kernel.ring->tail = 2;
	assert_int_equal(backend_reap(b, now, done, 64), -EPROTO);
	kernel.ring->tail = 0;
	kernel.silent = true;
	now += 3 * NS_PER_S; /* the parting time is over at once */
	kernel.silent = false;
	b->ops->close(b);
}

static void test_used_up_limit_is_said(void **state)
{
	static const struct backend_target target = {7, 512, false};
	struct backend_args args = {
		.luns = 1, .paths = 1, .depth = 64, .target = &target, .aio = &fake, .clock = clock_manual(&now)};
	struct err err;

	(void)state;
	reset_kernel(false);
	kernel.setup_code = -EAGAIN;
	assert_null(backend_aio.open(&args, &err));
	assert_non_null(strstr(err.text, "fs.aio-max-nr"));
	assert_non_null(strstr(err.text, "64 requests"));
	kernel.setup_code = -ENOSYS;
	assert_null(backend_aio.open(&args, &err));
	assert_non_null(strstr(err.text, "libaio"));
	args.target = NULL;
	assert_null(backend_aio.open(&args, &err));
	assert_non_null(strstr(err.text, "--target"));
}

/* Larger blocks while requests are out: those keep the memory they were given. */
static void test_buffers_grow_beside(void **state)
{
	(void)state;
	reset_kernel(false);
	struct backend *b = open_backend();
	submit(b, 0);
	assert_int_equal(b->ops->reserve(b, 9000, 65536), 0);
	submit(b, 1);
	reap_all(b, 2);
	assert_int_equal(ios[1].result, 4096);
	b->ops->close(b);
}

static void test_written_blocks_differ(void **state)
{
	struct io *done[64];
	char first[4096];

	(void)state;
	reset_kernel(false);
	struct backend *b = open_backend();
	for (int i = 0; i < 2; i++) {
		ios[0] = (struct io){.bytes = 4096, .write = true};
		backend_submit(b, &ios[0]);
		backend_reap(b, now, done, 64);
		assert_int_equal(kernel.taken[0]->aio_lio_opcode, IO_CMD_PWRITE);
		if (i)
			assert_memory_not_equal(first, kernel.taken[0]->u.c.buf, 4096);
		memcpy(first, kernel.taken[0]->u.c.buf, 4096);
		assert_memory_not_equal(first, first + 2048, 2048);
		now += 1000;
		backend_reap(b, now + 500, done, 64);
	}
	b->ops->close(b);
}

/* The same requests elsewhere, in the order they are given; what is written is new each time. One is always left over, so that the list is never
 * empty and has to be closed up on the way. */
static void test_again_elsewhere(void **state)
{
	enum { N = 10 };
	struct io *done[64], *next[N];
	char last[N][4096];

	(void)state;
	reset_kernel(false);
	struct backend *b = open_backend();
	for (int i = 0; i < N; i++) {
		next[i] = &ios[i];
		ios[i] = (struct io){.id = (uint32_t)i, .bytes = 4096, .write = i == 3};
		backend_submit(b, &ios[i]);
	}
	for (int round = 0; round < 1000; round++) {
		kernel.room = N - 1;
		kernel.silent = true;
		assert_int_equal(backend_reap(b, now, done, 64), 0);
		assert_int_equal(kernel.n_taken, N - 1);
		for (int i = 0; i < N - 1; i++) {
			const struct iocb *cb = kernel.taken[i];
			const struct io *io = next[i];
			assert_ptr_equal(cb->data, io);
			assert_int_equal(cb->u.c.offset, io->offset_bytes);
			assert_int_equal(cb->aio_lio_opcode, io->write ? IO_CMD_PWRITE : IO_CMD_PREAD);
			if (io->write && round)
				assert_memory_not_equal(last[io->id], cb->u.c.buf, 4096);
			memcpy(last[io->id], cb->u.c.buf, 4096);
		}
		kernel.silent = false;
		kernel.room = 0;
		next[0] = next[N - 1];
		for (int got = 0, n; got < N - 1; got += n) {
			now += 1000;
			n = backend_reap(b, now + 500, done, 64);
			for (int i = 0; i < n; i++) {
				done[i]->offset_bytes += 4096;
				next[1 + got + i] = done[i];
			}
			backend_again(b, done, n);
		}
		assert_int_equal(b->outstanding, N);
	}
	kernel.room = MANY;
	b->ops->close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_come_back),
		cmocka_unit_test(test_eagain_until_reaped),
		cmocka_unit_test(test_short_submits),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_results_are_what_the_kernel_said),
		cmocka_unit_test(test_bad_request_in_the_middle),
		cmocka_unit_test(test_start_is_when_it_is_taken),
		cmocka_unit_test(test_ring_is_reaped_without_a_call),
		cmocka_unit_test(test_more_events_than_requests_is_an_error),
		cmocka_unit_test(test_used_up_limit_is_said),
		cmocka_unit_test(test_buffers_grow_beside),
		cmocka_unit_test(test_written_blocks_differ),
		cmocka_unit_test(test_again_elsewhere),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(kernel.ring);
	return failed;
}
