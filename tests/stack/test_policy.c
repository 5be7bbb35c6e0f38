/* Path policies against sequences made by hand: which path each request takes, exactly; and what changes of state, policy and weight do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "engine_private.h"
#include "model/lab.h"

enum { KIB = 1024,
       PAGE = 64 * KIB };

/* Beyond the wire: nothing is ever answered unless the test says so. Page i belongs to member i mod 2, path p ends at member p mod 2. */
static void never_submit(struct backend *b, struct io *io)
{
	(void)b;
	(void)io;
}

static uint32_t parity_owner(const struct backend *b, const struct io *io)
{
	(void)b;
	return io->offset_bytes / PAGE % 2 ? UINT32_C(0xaaaaaaaa) : UINT32_C(0x55555555);
}

static const struct backend_ops silent = { .name = "silent", .virtual_time = true, .submit = never_submit, .owner_paths = parity_owner };

struct rig {
	struct stack s;
	struct io_pool pool;
	struct timers timers;
	struct backend b;
	struct io *io[256]; /* submitted, in order */
	uint32_t n;
};

/* `policy` as a person writes it. */
static void rig_open(struct rig *r, const char *policy, uint32_t paths, struct stack_params p)
{
	int64_t value;

	memset(r, 0, sizeof(*r));
	r->b.ops = &silent;
	assert_int_equal(knob_parse((struct knob_ref){ KNOB_PATH, 0 }, policy, &value, NULL), 0);
	p.n_luns = p.n_luns ? p.n_luns : 1;
	p.n_lcus = 1;
	p.n_paths = p.n_links = paths;
	p.qd = p.qd ? p.qd : 1024;
	p.transport_ns = NS_PER_MS;
	p.policy = (uint32_t)(value >> 32);
	p.policy_n = (uint32_t)value;
	assert_int_equal(io_pool_reserve(&r->pool, 4096), 0);
	assert_int_equal(stack_init(&r->s, &p, &r->b, &r->pool, &r->timers), 0);
}

static void rig_close(struct rig *r)
{
	stack_release(&r->s);
	io_pool_release(&r->pool);
	heap_release(&r->timers.heap);
}

static void set_policy(struct rig *r, const char *policy)
{
	int64_t value;

	assert_int_equal(knob_parse((struct knob_ref){ KNOB_PATH, 0 }, policy, &value, NULL), 0);
	stack_set_policy(&r->s, (uint32_t)(value >> 32), (uint32_t)value);
}

static struct io *send_to(struct rig *r, uint32_t lun, uint64_t offset, uint32_t bytes)
{
	struct io *io = io_pool_get(&r->pool);

	io->lun = (uint16_t)lun;
	io->offset_bytes = offset;
	io->bytes = bytes;
	io->write = false;
	io->t_submit = r->b.now_ns;
	stack_submit(&r->s, io);
	assert_true(r->n < 256);
	return r->io[r->n++] = io;
}

static struct io *send(struct rig *r)
{
	return send_to(r, 0, 0, 8 * KIB);
}

/* The i-th submitted request is answered. */
static void done(struct rig *r, uint32_t i)
{
	assert_true(r->io[i]->in_device);
	assert_true(stack_complete(&r->s, r->io[i]));
	io_pool_put(&r->pool, r->io[i]);
}

/* Time passes; what is due is done. */
static void pass(struct rig *r, int64_t ns)
{
	r->b.now_ns += ns;
	while (r->timers.heap.n && r->timers.heap.e[0].t_ns <= r->b.now_ns) {
		struct event e = r->timers.heap.e[0];
		heap_pop(&r->timers.heap);
		stack_timer(&r->s, e);
	}
}

/* As many requests as there are letters: '0' goes to p0, '1' to p1, '-' is held. */
static void takes(struct rig *r, uint32_t lun, const char *paths)
{
	for (const char *p = paths; *p; p++) {
		uint32_t held = r->s.held.n;
		struct io *io = send_to(r, lun, 0, 8 * KIB);
		char is = r->s.held.n > held ? '-' : (char)('0' + io->path);
		if (is != *p)
			fail_msg("request %d of '%s' took %c", (int)(p - paths), paths, is);
	}
}

/* ---- the table ---- */

static void names_are_in_order(void **state)
{
	static const char *const names[N_PATH_POLICIES] = {
		[PATH_FAILOVER] = "failover",
		[PATH_ROUND_ROBIN] = "round-robin",
		[PATH_QUEUE_LENGTH] = "queue-length",
		[PATH_SERVICE_TIME] = "service-time",
		[PATH_PAGE_OWNER] = "page-owner",
	};

	(void)state;
	for (int i = 0; i < N_PATH_POLICIES; i++)
		assert_string_equal(path_policies[i]->name, names[i]);
}

/* ---- each of them ---- */

static void failover(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "failover", 3, (struct stack_params){ .standby = 1u << 2 });
	takes(&r, 0, "0000");
	assert_int_equal(stack_path_down(&r.s, 0), 0);
	takes(&r, 0, "111");
	assert_int_equal(stack_path_down(&r.s, 1), 0);
	takes(&r, 0, "222"); /* the standby, at once: failover_time is 0 */
	assert_int_equal(stack_path_up(&r.s, 1), 0);
	assert_int_equal(r.s.path[2].state, STACK_PATH_STANDBY);
	takes(&r, 0, "111");
	assert_int_equal(stack_path_up(&r.s, 0), 0);
	takes(&r, 0, "000");
	rig_close(&r);
}

static void round_robin(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "round-robin:3", 3, (struct stack_params){ .n_luns = 2 });
	takes(&r, 0, "0001112220");
	takes(&r, 1, "000111"); /* turns are counted for each LUN */
	takes(&r, 0, "001");
	assert_int_equal(stack_path_down(&r.s, 1), 0);
	takes(&r, 0, "222000222"); /* the dead path is left at once, the next one has a whole turn */
	assert_int_equal(stack_path_up(&r.s, 1), 0);
	takes(&r, 0, "000111222");
	rig_close(&r);
}

static void round_robin_by_weight(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "round-robin:2", 2, (struct stack_params){ .weight = { 3, 1 } });
	takes(&r, 0, "000000110000001100");
	stack_set_weight(&r.s, 0, 1); /* counts from the next request on, and starts again */
	takes(&r, 0, "00110011");
	stack_set_weight(&r.s, 1, 2);
	takes(&r, 0, "1111001111");
	rig_close(&r);
}

/* A path that is alone has its turns too: what joins comes at the end of one. */
static void round_robin_alone(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "round-robin:4", 2, (struct stack_params){ 0 });
	assert_int_equal(stack_path_down(&r.s, 1), 0);
	takes(&r, 0, "00000");
	assert_int_equal(stack_path_up(&r.s, 1), 0);
	takes(&r, 0, "00011110000");
	rig_close(&r);
}

static void queue_length(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "queue-length", 2, (struct stack_params){ .n_luns = 2, .qd = 2 });
	takes(&r, 0, "010101"); /* 3 each, one of them waiting on either path */
	assert_int_equal(r.s.lun[0].slot[0].q.n, 1);
	takes(&r, 1, "0"); /* another LUN has queues of its own */
	done(&r, 0);
	done(&r, 2);	      /* p0 has 1, p1 has 3 */
	takes(&r, 0, "0010"); /* 2, 3, then equal: the one after the last taken */
	rig_close(&r);
}

/* 64 KiB on p0 weigh as much as eight times 8 KiB. */
static void service_time(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "service-time", 2, (struct stack_params){ .qd = 4 });
	assert_int_equal(send_to(&r, 0, 0, 64 * KIB)->path, 0);
	takes(&r, 0, "11111111"); /* 64 and 64; those that wait in the queue count too */
	takes(&r, 0, "0101");
	done(&r, 0);		  /* 16 and 80 */
	takes(&r, 0, "00000000"); /* 80 and 80 */
	takes(&r, 0, "1");
	rig_close(&r);
}

static void service_time_by_weight(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "service-time", 2, (struct stack_params){ .weight = { 3, 1 } });
	takes(&r, 0, "001000100010001"); /* equal at 24 KiB by 3 against 8 by 1: the one after the last taken */
	rig_close(&r);
	rig_open(&r, "service-time", 2, (struct stack_params){ .weight = { 1, 3 } });
	for (int i = 0; i < 10; i++) { /* one at a time: always the faster one, as dm-service-time has it */
		takes(&r, 0, "1");
		done(&r, (uint32_t)i);
	}
	takes(&r, 0, "110"); /* 8 and 16 by 3, then equal */
	stack_set_weight(&r.s, 1, 1);
	takes(&r, 0, "01"); /* 8 and 16 KiB, then equal */
	rig_close(&r);
}

static void page_owner(void **state)
{
	struct rig r;
	static const uint32_t page[] = { 0, 2, 1, 1, 4, 0, 3, 6 };
	static const int path[] = { 0, 2, 3, 1, 2, 0, 1, 2 };

	(void)state;
	rig_open(&r, "page-owner", 4, (struct stack_params){ 0 }); /* p0, p2 end at member 0 */
	for (size_t i = 0; i < sizeof(page) / sizeof(page[0]); i++)
		assert_int_equal(send_to(&r, 0, (uint64_t)page[i] * PAGE + 512, 8 * KIB)->path, path[i]);
	assert_int_equal(stack_path_down(&r.s, 0), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(send_to(&r, 0, 0, 8 * KIB)->path, 2);
	assert_int_equal(stack_path_down(&r.s, 2), 0);
	assert_int_equal(send_to(&r, 0, 0, 8 * KIB)->path, 3); /* no path to the owner: the next one of any */
	assert_int_equal(send_to(&r, 0, 0, 8 * KIB)->path, 1);
	assert_int_equal(send_to(&r, 0, PAGE, 8 * KIB)->path, 3);
	assert_int_equal(stack_path_up(&r.s, 2), 0);
	assert_int_equal(send_to(&r, 0, 0, 8 * KIB)->path, 2);
	rig_close(&r);
}

/* ---- all of them: states ---- */

static const char *const every[] = { "failover", "round-robin:1", "queue-length", "service-time", "page-owner" };

static void standby_waits_for_the_last_active(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++) {
		struct rig r;
		rig_open(&r, every[i], 3, (struct stack_params){ .standby = 1u << 1, .failover_ns = 200 * NS_PER_MS });
		for (int k = 0; k < 20; k++)
			assert_int_not_equal(send(&r)->path, 1);
		assert_int_equal(stack_path_down(&r.s, 2), 0);
		takes(&r, 0, "000");
		uint64_t took = r.s.path[0].requests + r.s.path[2].requests;
		assert_int_equal(took, 23); /* what was in flight on p2 fails only after the transport time */
		assert_int_equal(stack_path_down(&r.s, 0), 0);
		takes(&r, 0, "---"); /* nobody is active: the standby is on its way */
		pass(&r, 199 * NS_PER_MS);
		assert_int_equal(r.s.path[1].state, STACK_PATH_STANDBY);
		takes(&r, 0, "-");
		pass(&r, NS_PER_MS);
		assert_int_equal(r.s.path[1].state, STACK_PATH_ACTIVE);
		assert_int_equal(r.s.held.n, 0);
		takes(&r, 0, "111");
		assert_int_equal(r.s.path[1].requests, 23 + 4 + 3);
		assert_int_equal(r.s.redecided, 23);
		rig_close(&r);
	}
}

/* A path that comes back while the standby is on its way takes the held requests at once. */
static void repaired_before_the_standby_is_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++) {
		struct rig r;
		rig_open(&r, every[i], 2, (struct stack_params){ .standby = 1u << 1, .failover_ns = 200 * NS_PER_MS });
		assert_int_equal(stack_path_down(&r.s, 0), 0);
		takes(&r, 0, "--");
		pass(&r, 50 * NS_PER_MS);
		assert_int_equal(stack_path_up(&r.s, 0), 0);
		assert_int_equal(r.s.held.n, 0);
		takes(&r, 0, "00");
		assert_int_equal(stack_path_down(&r.s, 0), 0);
		takes(&r, 0, "-");
		pass(&r, 199 * NS_PER_MS); /* the first attempt would have been up by now; it was given up */
		assert_int_equal(r.s.path[1].state, STACK_PATH_STANDBY);
		pass(&r, NS_PER_MS);
		assert_int_equal(r.s.path[1].state, STACK_PATH_ACTIVE);
		assert_int_equal(r.s.path[1].requests, 5);
		rig_close(&r);
	}
}

/* Only failover insists on the preferred path. */
static void who_fails_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++) {
		struct rig r;
		rig_open(&r, every[i], 2, (struct stack_params){ .standby = 1u << 1 });
		assert_int_equal(stack_path_down(&r.s, 0), 0);
		takes(&r, 0, "11");
		assert_int_equal(stack_path_up(&r.s, 0), 0);
		assert_int_equal(r.s.path[1].state, i ? STACK_PATH_ACTIVE : STACK_PATH_STANDBY);
		set_policy(&r, "failover");
		assert_int_equal(r.s.path[1].state, STACK_PATH_STANDBY);
		takes(&r, 0, "00");
		rig_close(&r);
	}
}

static void nothing_left(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++) {
		struct rig r;
		rig_open(&r, every[i], 2, (struct stack_params){ 0 });
		assert_int_equal(stack_path_down(&r.s, 0), 0);
		assert_int_equal(stack_path_down(&r.s, 1), 0);
		takes(&r, 0, "---");
		assert_int_equal(stack_path_up(&r.s, 1), 0);
		assert_int_equal(r.s.path[1].requests, 3);
		takes(&r, 0, "11");
		rig_close(&r);
	}
}

/* ---- live ---- */

/* What is queued stays where it is; the next decision follows the new policy. */
static void policy_changes_with_the_next_request(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "failover", 2, (struct stack_params){ .qd = 2 });
	takes(&r, 0, "0000");
	set_policy(&r, "round-robin:2");
	assert_int_equal(r.s.lun[0].slot[0].q.n, 2);
	takes(&r, 0, "001100");
	set_policy(&r, "round-robin:3"); /* the count starts again, on the path it was on */
	takes(&r, 0, "000111");
	set_policy(&r, "queue-length"); /* p0 has 11, p1 has 5 */
	takes(&r, 0, "111111010");
	assert_int_equal(r.s.redecided, 0);
	set_policy(&r, "round-robin:2");
	takes(&r, 0, "0011");
	rig_close(&r);
}

static void bytes_are_balanced(void **state)
{
	struct rig r;
	uint64_t bytes = 0;

	(void)state;
	rig_open(&r, "service-time", 2, (struct stack_params){ .qd = 3 });
	for (uint32_t i = 0; i < 40; i++)
		send_to(&r, 0, 0, (i % 7 + 1) * KIB);
	assert_int_equal(stack_path_down(&r.s, 0), 0); /* queued ones move now, those in flight 1 ms later */
	pass(&r, NS_PER_MS);
	for (uint32_t i = 0; i < 40; i++)
		bytes += (i % 7 + 1) * KIB;
	assert_int_equal(r.s.lun[0].slot[1].bytes, bytes);
	/* the device answers what it lost: dropped, and its place is free again */
	for (uint32_t i = 0; i < 40; i++)
		if (r.io[i]->lost)
			assert_false(stack_complete(&r.s, r.io[i]));
	assert_int_equal(r.s.lun[0].slot[0].bytes, 0);
	assert_int_equal(r.s.lun[0].slot[0].in_flight, 0);
	rig_close(&r);
}

/* ---- in an engine ---- */

static int fault(struct engine *e, const char *text)
{
	struct command c = { .type = COMMAND_FAULT, .cause = CAUSE_COMMAND };

	strcpy(c.text, text);
	return engine_command(e, &c, NULL);
}

#define LOAD "a.numjobs=60 a.rw=randrw a.rwmixread=60 a.bs=8k host.qd=8 host.paths=3 host.standby=p2 host.failover_time=1ms " \
	     "array.members=2 array.ctl=100us array.ctl_shape=4 array.forward=20us array.link_latency=10us "

/* After a drain no path device has more in flight than it takes: above its limit it only falls. `before` is what was in flight when the
 * limit was last touched. */
static void check_depths(const struct stack *s, uint32_t before[6], bool touched)
{
	for (uint32_t i = 0; i < 6; i++) {
		const struct slot *d = &s->lun[i / 3].slot[i % 3];
		assert_true(touched || d->in_flight <= d->limit || d->in_flight <= before[i]);
		before[i] = d->in_flight;
	}
}

static void check_sums(const struct engine *e)
{
	const struct stack *s = &e->w.stack;
	uint64_t decided = s->path[0].requests + s->path[1].requests + s->path[2].requests;
	uint64_t requests = e->stats->run_requests + e->stats->in_slice.requests + worker_outstanding(&e->w);

	assert_int_equal(decided + s->held.n, requests + s->redecided);
	assert_int_equal(s->in_flight + stack_waiting(s), 60);
}

/* Faults, policies, weights and depths as they come. */
static void anything(struct engine *e, struct rng *r)
{
	static const char *const faults[] = { "path p0 down", "path p0 up", "path p1 down", "path p1 up", "path p2 down", "path p2 up", "weight p0 5", "weight p0 1", "weight p2 2" };
	int64_t value = 0;

	if (rng_below(r, 2)) {
		(void)fault(e, faults[rng_below(r, sizeof(faults) / sizeof(faults[0]))]); /* already so: refused */
	} else {
		assert_int_equal(knob_parse((struct knob_ref){ KNOB_PATH, 0 }, every[rng_below(r, 5)], &value, NULL), 0);
		lab_turn(e, KNOB_PATH, value);
	}
	if (!rng_below(r, 4))
		lab_turn(e, KNOB_QD, (int64_t)rng_below(r, 16) + 1);
}

/* Sum of the paths' counters = requests + those decided again, whatever happens in between; and nobody's request fails. */
static void sums_hold_whatever_happens(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct lab l;
		struct rng r;
		uint32_t before[6] = { 0 };
		uint64_t bytes = 0;

		lab_init(&l, "a", LOAD "host.bases=2 host.weights=2,1,3");
		struct engine *e = lab_open(&l, seed);
		const struct stack *s = &e->w.stack;
		rng_init(&r, seed, 1);
		for (int i = 0; i < 2000; i++) {
			anything(e, &r);
			check_depths(s, before, true);
			assert_int_equal(engine_run_until(e, engine_now(e) + (int64_t)rng_below(&r, NS_PER_MS) + 1, NULL), 1);
			check_depths(s, before, false);
			check_sums(e);
		}
		(void)fault(e, "path p0 up");
		(void)fault(e, "path p1 up");
		(void)fault(e, "path p2 up");
		assert_int_equal(engine_run_until(e, engine_now(e) + NS_PER_S, NULL), 1);
		assert_int_equal(e->w.pool.n_used, 60); /* every lost one came back */
		assert_int_equal(e->stats->in_step.errors, 0);
		for (uint32_t lun = 0; lun < 2; lun++)
			for (uint32_t p = 0; p < 3; p++)
				bytes += s->lun[lun].slot[p].bytes;
		assert_int_equal(bytes, 60 * 8 * KIB);
		engine_free(e);
	}
}

/* Weights as a person turns them: decisions from then on, told as an act, refused with a reason, back at a restart. */
static void weights_under_way(void **state)
{
	struct lab l;
	struct snapshot *snap = calloc(1, sizeof(*snap));

	(void)state;
	lab_init(&l, "a", LOAD "host.standby=none host.path=round-robin:10 host.weights=1,1,2");
	struct engine *e = lab_open(&l, 3);
	const struct stack *s = &e->w.stack;
	uint64_t then[3];
	assert_int_equal(engine_run_until(e, 2 * NS_PER_S, NULL), 1);
	engine_snapshot(e, snap);
	assert_float_equal(snap->path[2].share, 0.5, 0.001);
	assert_int_equal(snap->path[2].weight, 2);
	for (int i = 0; i < 3; i++)
		then[i] = s->path[i].requests;
	assert_int_equal(fault(e, "weight p0 6"), 0);
	assert_string_equal(e->act[(e->n_acts - 1) % SNAPSHOT_ACTS].text, "weight p0 6");
	assert_int_equal(engine_run_until(e, 4 * NS_PER_S, NULL), 1);
	double d0 = (double)(s->path[0].requests - then[0]), d1 = (double)(s->path[1].requests - then[1]);
	assert_float_equal(d0 / d1, 6, 0.02);
	engine_snapshot(e, snap);
	assert_float_equal(snap->path[0].share, 6.0 / 9, 0.005);
	assert_int_equal(fault(e, "weight p3 1"), -ENOENT);
	assert_int_equal(fault(e, "weight p0 0"), -EINVAL);
	assert_int_equal(fault(e, "weight p0 1001"), -EINVAL);
	assert_int_equal(fault(e, "weight p0"), -EINVAL);
	assert_int_equal(fault(e, "weight p0 1 1"), -EINVAL);
	assert_int_equal(engine_command(e, &(struct command){ .type = COMMAND_RESTART, .cause = CAUSE_COMMAND }, NULL), 0);
	assert_int_equal(e->w.stack.path[0].weight, 1);
	engine_free(e);
	free(snap);
}

static void nobody_tells_the_owner(void **state)
{
	struct engine_options o = { .backend = "null", .hold = true, .clock = clock_monotonic() };
	struct lab l;
	struct err err = { "" };

	(void)state;
	lab_init(&l, "a", LOAD);
	l.step.until = RUN_TIME;
	l.step.run_ns = NS_PER_S;
	struct engine *e = engine_new(&l.spec, &o, &err);
	assert_non_null(e);
	assert_int_equal(lab_try(e, KNOB_PATH, (int64_t)PATH_PAGE_OWNER << 32, &err), -ENOTSUP);
	assert_string_equal(err.text, "nothing tells iodeck who owns a page");
	assert_int_equal(e->w.stack.p.policy, PATH_FAILOVER);
	assert_int_equal(e->act[(e->n_acts - 1) % SNAPSHOT_ACTS].state, KNOB_REFUSED);
	assert_int_equal(lab_try(e, KNOB_PATH, (int64_t)PATH_QUEUE_LENGTH << 32, &err), 0);
	/* a step that asks for it is refused, and the engine stays as it is */
	lab_set(&l, "host.path=page-owner");
	assert_true(engine_command(e, &(struct command){ .type = COMMAND_STEP, .cause = CAUSE_COMMAND }, &err) < 0);
	assert_non_null(strstr(err.text, "who owns a page"));
	assert_int_equal(engine_run_until(e, engine_now(e) + NS_PER_MS, NULL), 1);
	engine_free(e);
	o.hold = false;
	assert_null(engine_new(&l.spec, &o, &err));
	assert_string_equal(err.text, "step 'only': nothing tells iodeck who owns a page");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_in_order),
		cmocka_unit_test(failover),
		cmocka_unit_test(round_robin),
		cmocka_unit_test(round_robin_by_weight),
		cmocka_unit_test(round_robin_alone),
		cmocka_unit_test(queue_length),
		cmocka_unit_test(service_time),
		cmocka_unit_test(service_time_by_weight),
		cmocka_unit_test(page_owner),
		cmocka_unit_test(standby_waits_for_the_last_active),
		cmocka_unit_test(repaired_before_the_standby_is_up),
		cmocka_unit_test(who_fails_back),
		cmocka_unit_test(nothing_left),
		cmocka_unit_test(policy_changes_with_the_next_request),
		cmocka_unit_test(bytes_are_balanced),
		cmocka_unit_test(sums_hold_whatever_happens),
		cmocka_unit_test(weights_under_way),
		cmocka_unit_test(nobody_tells_the_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
