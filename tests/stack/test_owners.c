/* Who owns a page, told by a list: how it is read and written, and which path a request then takes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "preset_owners.h"
#include "stack/stack.h"
#include "worker.h"

#define PAGE 65536

static struct page_owners read_list(const char *text)
{
	struct page_owners o = {.page_bytes = PAGE};
	struct err err;

	if (owners_parse(&o, text, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	return o;
}

static void lists_are_read(void **state)
{
	static const uint16_t wanted[] = {1, 1, 1, 2, 5, 1 << 15};
	struct page_owners o = read_list("p0*3, p1,p0+p2 , p15");
	struct strbuf out = {0};

	(void)state;
	assert_int_equal(o.n, 6);
	assert_memory_equal(o.paths, wanted, sizeof(wanted));
	owners_format(&o, &out);
	assert_string_equal(out.text, "p0*3, p1, p0+p2, p15");
	strbuf_release(&out);
	free(o.paths);
	o = read_list("p2*65536");
	assert_int_equal(o.n, 65536);
	free(o.paths);
}

static void odd_lists_are_refused(void **state)
{
	static const char *const bad[] = {"",     "p",        "0",      "q0", "p16",  "p0+p0", "p0+",     "+p0",   "p0,,p1",
					  "p0,",  "p0*0",     "p0*-1",  "*2", "p0**", "p0*1x", "p0*65537", "p-1",   "p99999999999999999999",
					  "p0 p1", "p0*1.5", "p0*65536, p1"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct page_owners o = {.n = 0};
		struct err err = {""};
		if (owners_parse(&o, bad[i], &err) >= 0)
			fail_msg("'%s' was taken", bad[i]);
		assert_true(err.text[0]);
		free(o.paths);
	}
}

/* ---- the path a request takes ---- */

static void never_submit(struct backend *b, struct io *io)
{
	(void)b;
	(void)io;
}

static const struct backend_ops silent = {.name = "silent", .virtual_time = true, .submit = never_submit};

struct rig {
	struct stack s;
	struct io_pool pool;
	struct timers timers;
	struct backend b;
};

static void rig_open(struct rig *r, const struct page_owners *o)
{
	struct stack_params p = {
		.n_luns = 2, .n_lcus = 1, .n_paths = 3, .n_links = 3, .qd = 1024, .policy = PATH_PAGE_OWNER, .transport_ns = 1000, .owners = o};

	memset(r, 0, sizeof(*r));
	r->b.ops = &silent;
	assert_int_equal(io_pool_reserve(&r->pool, 4096), 0);
	assert_int_equal(stack_init(&r->s, &p, &r->b, &r->pool, &r->timers), 0);
}

static void rig_close(struct rig *r)
{
	stack_release(&r->s);
	io_pool_release(&r->pool);
	heap_release(&r->timers.heap);
}

static uint32_t path_at(struct rig *r, uint16_t lun, uint64_t offset)
{
	struct io *io = io_pool_get(&r->pool);

	io->lun = lun;
	io->offset_bytes = offset;
	io->bytes = 8192;
	io->write = false;
	stack_submit(&r->s, io);
	return io->path;
}

static void each_page_takes_its_path(void **state)
{
	static const uint32_t owner[] = {0, 0, 1, 2, 0, 0, 1, 2}; /* the list begins again */
	struct page_owners o = read_list("p0*2, p1, p2");
	struct rig r;

	(void)state;
	rig_open(&r, &o);
	for (uint64_t page = 0; page < 8; page++)
		for (uint16_t lun = 0; lun < 2; lun++) {
			assert_int_equal(path_at(&r, lun, page * PAGE), owner[page]);
			assert_int_equal(path_at(&r, lun, page * PAGE + PAGE - 4096), owner[page]); /* reaches into the next one */
		}
	assert_int_equal(path_at(&r, 0, (uint64_t)1 << 50), owner[((uint64_t)1 << 50) / PAGE % 4]);
	assert_int_equal(stack_path_down(&r.s, 1), 0);
	assert_true(path_at(&r, 0, 2 * PAGE) != 1);
	assert_int_equal(path_at(&r, 0, 3 * PAGE), 2);
	assert_int_equal(stack_path_up(&r.s, 1), 0);
	assert_int_equal(path_at(&r, 0, 2 * PAGE), 1);
	rig_close(&r);
	free(o.paths);
}

static void several_paths_take_turns(void **state)
{
	struct page_owners o = read_list("p0+p2, p1");
	struct rig r;

	(void)state;
	rig_open(&r, &o);
	assert_int_equal(path_at(&r, 0, 0), 0);
	assert_int_equal(path_at(&r, 0, 4096), 2);
	assert_int_equal(path_at(&r, 0, PAGE), 1);
	assert_int_equal(path_at(&r, 0, 0), 2);
	rig_close(&r);
	free(o.paths);
}

/* Without the list nobody may choose so; with it anybody may. */
static void who_may_choose_so(void **state)
{
	struct page_owners none = {.n = 0}, o = read_list("p0");
	struct err err;

	(void)state;
	assert_int_equal(worker_check_path(&backend_aio, NULL, PATH_PAGE_OWNER, &err), -ENOTSUP);
	assert_int_equal(worker_check_path(&backend_aio, &none, PATH_PAGE_OWNER, &err), -ENOTSUP);
	assert_string_equal(err.text, "nothing tells iodeck who owns a page");
	assert_int_equal(worker_check_path(&backend_aio, &none, PATH_QUEUE_LENGTH, &err), 0);
	assert_int_equal(worker_check_path(&backend_aio, &o, PATH_PAGE_OWNER, &err), 0);
	assert_int_equal(worker_check_path(&backend_model, NULL, PATH_PAGE_OWNER, &err), 0);
	free(o.paths);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read),
		cmocka_unit_test(odd_lists_are_refused),
		cmocka_unit_test(each_page_takes_its_path),
		cmocka_unit_test(several_paths_take_turns),
		cmocka_unit_test(who_may_choose_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
