/* The kernel's knobs on a made-up /sys: plans, refusals, writing and reading back, reverts, a write that does not come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel.h"

#define DEPTH "/sys/block/sda/device/queue_depth"

struct lab {
	char root[256], folder[300];
	int64_t now_ns;
	int fd;
	struct kernel *k;
};

static void put(const struct lab *lab, const char *name, const char *text)
{
	char path[600], command[700];
	FILE *f;

	text_format(path, sizeof(path), "%s%s", lab->root, name);
	text_format(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", path);
	assert_int_equal(system(command), 0);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void is(const struct lab *lab, const char *name, const char *wanted)
{
	char path[600], text[256] = "";
	FILE *f;

	text_format(path, sizeof(path), "%s%s", lab->root, name);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	text[strcspn(text, "\n")] = '\0';
	assert_string_equal(text, wanted);
}

static void make_sys(struct lab *lab)
{
	char command[900];

	put(lab, "/sys/devices/x/host3/target/0:0:0:0/queue_depth", "1\n");
	put(lab, "/sys/devices/x/host3/target/0:0:0:0/block/sda/queue/scheduler", "[none] mq-deadline kyber\n");
	put(lab, "/sys/devices/x/host3/target/0:0:0:0/block/sda/queue/nr_requests", "64\n");
	put(lab, "/sys/devices/x/host3/target/0:0:0:0/block/sda/inflight", "       0        0\n");
	put(lab, "/sys/devices/x/host3/target/0:0:0:0/block/sda/stat", "1 0 8 1 0 0 0 0 0 1 1\n");
	put(lab, "/sys/class/scsi_host/host3/can_queue", "192\n");
	put(lab, "/sys/block/md0/md/sync_speed_min", "1000 (system)\n");
	put(lab, "/sys/block/md0/md/sync_action", "resync\n");
	text_format(command, sizeof(command),
		    "cd '%s/sys/block' && ln -s ../devices/x/host3/target/0:0:0:0/block/sda sda && ln -s ../.. sda/device", lab->root);
	assert_int_equal(system(command), 0);
}

static int setup(void **state)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	const char *tmp = getenv("TMPDIR");
	struct err err = { "" };

	text_format(lab->root, sizeof(lab->root), "%s/kernel.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(lab->root))
		return -1;
	text_format(lab->folder, sizeof(lab->folder), "%s/journal", lab->root);
	make_sys(lab);
	lab->fd = eventfd(0, EFD_NONBLOCK);
	struct kernel_options o = { .root = lab->root,
				    .folder = lab->folder,
				    .clock = clock_manual(&lab->now_ns),
				    .deadline_ns = 2 * NS_PER_S,
				    .watch_ns = NS_PER_S,
				    .event_fd = lab->fd };

	lab->k = kernel_open(&o, &err);
	*state = lab;
	return lab->k ? 0 : -1;
}

static int teardown(void **state)
{
	struct lab *lab = *state;
	char command[400];

	kernel_close(lab->k);
	close(lab->fd);
	text_format(command, sizeof(command), "rm -rf '%s'", lab->root);
	free(lab);
	return system(command);
}

/* The next answer; wakes by the eventfd, with a wide limit. */
static struct kernel_answer answer(struct lab *lab)
{
	struct kernel_answer a;
	uint64_t count;

	for (int i = 0; i < 2000; i++) {
		struct pollfd fd = { lab->fd, POLLIN, 0 };

		if (kernel_take(lab->k, &a))
			return a;
		if (poll(&fd, 1, 10) > 0)
			assert_true(read(lab->fd, &count, sizeof(count)) > 0);
	}
	fail_msg("no answer");
	return a;
}

static void wait_idle(struct lab *lab)
{
	for (int i = 0; i < 20000 && kernel_busy(lab->k); i++)
		usleep(1000);
	assert_false(kernel_busy(lab->k));
}

static struct kernel_answer ask(struct lab *lab, const char *device, const char *knob, const char *value)
{
	struct kernel_request r;
	struct err err = { "" };

	text_format(r.device, sizeof(r.device), "%s", device);
	text_format(r.knob, sizeof(r.knob), "%s", knob);
	text_format(r.value, sizeof(r.value), "%s", value);
	wait_idle(lab);
	if (!kernel_ask(lab->k, &r, &err))
		fail_msg("%s", err.text);
	return answer(lab);
}

static struct kernel_answer turn(struct lab *lab, const char *device, const char *knob, const char *value)
{
	struct kernel_answer a = ask(lab, device, knob, value);

	if (a.kind != KERNEL_PLAN)
		fail_msg("%s", a.text);
	wait_idle(lab);
	assert_true(kernel_go(lab->k, a.id, true));
	return answer(lab);
}

static void test_plan_then_write_then_back(void **state)
{
	struct lab *lab = *state;
	struct kernel_answer a = ask(lab, "/dev/sda", "queue_depth", "32");

	assert_int_equal(a.kind, KERNEL_PLAN);
	assert_string_equal(a.text, "sda queue_depth 1>32: write 32 to " DEPTH);
	is(lab, DEPTH, "1");
	wait_idle(lab);
	assert_true(kernel_go(lab->k, a.id, true));
	a = answer(lab);
	assert_int_equal(a.kind, KERNEL_DONE);
	assert_string_equal(a.text, "sda queue_depth 1>32 in effect");
	is(lab, DEPTH, "32");
	assert_int_equal(kernel_changed(lab->k), 1);
	wait_idle(lab);
	kernel_restore(lab->k);
	a = answer(lab);
	assert_int_equal(a.kind, KERNEL_RESTORED);
	is(lab, DEPTH, "1");
	assert_int_equal(kernel_changed(lab->k), 0);
}

static void test_dropped_plan_writes_nothing(void **state)
{
	struct lab *lab = *state;
	struct kernel_answer a = ask(lab, "sda", "queue_depth", "32");

	wait_idle(lab);
	assert_true(kernel_go(lab->k, a.id, false));
	is(lab, DEPTH, "1");
	assert_int_equal(kernel_changed(lab->k), 0);
	assert_false(kernel_go(lab->k, a.id + 1, true));
}

static void test_refusals_say_why(void **state)
{
	static const struct {
		const char *device, *knob, *value, *why;
	} rows[] = {
		{ "sda", "queue_depth", "0", "outside 1..192" },
		{ "sda", "queue_depth", "193", "outside 1..192" },
		{ "sda", "queue_depth", "32x", "32x" }, /* the kernel would take it for 32 */
		{ "sda", "queue_depth", "0x10", "0x10" },
		{ "sda", "queue_depth", "-1", "-1" },
		{ "sda", "queue_depth", "", "queue_depth" },
		{ "sda", "nr_requests", "3", "outside 4..65536" }, /* the kernel would make it 4 */
		{ "sda", "scheduler", "bfq", "there are: [none] mq-deadline kyber" },
		{ "sda", "que_depth", "1", "nearest: queue_depth" },
		{ "sdz", "queue_depth", "1", "no device 'sdz'" },
		{ "../../etc", "queue_depth", "1", "no device 'etc'" },
		{ "..", "queue_depth", "1", "no name of a device" },
		{ "md0", "queue_depth", "1", "cannot read" },
		{ "md0", "power", "1025", "outside 0..1024" },
		{ "sda", "power", "4", "cannot read" },
		{ "sda", "selector", "queue-length", "only this machine's own" },
		{ "sda", "aliases", "1", "no DASD" },
	};
	struct lab *lab = *state;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kernel_answer a = ask(lab, rows[i].device, rows[i].knob, rows[i].value);

		assert_int_equal(a.kind, KERNEL_REFUSED);
		if (!strstr(a.text, rows[i].why))
			fail_msg("%s %s=%s: %s", rows[i].device, rows[i].knob, rows[i].value, a.text);
	}
	assert_int_equal(kernel_changed(lab->k), 0);
}

static void test_scheduler(void **state)
{
	struct lab *lab = *state;
	struct kernel_answer a = ask(lab, "sda", "scheduler", "mq-deadline");

	assert_string_equal(a.text, "sda scheduler none>mq-deadline: write mq-deadline to /sys/block/sda/queue/scheduler");
	a = ask(lab, "sda", "scheduler", "none");
	assert_true(a.nothing_to_do);
}

/* What nothing moves would wait for ever in a queue that is frozen: said before it is done. */
static void test_warning_without_progress(void **state)
{
	struct lab *lab = *state;
	struct kernel_answer a;

	put(lab, "/sys/devices/x/host3/target/0:0:0:0/block/sda/inflight", "       3        0\n");
	a = ask(lab, "sda", "nr_requests", "32");
	assert_int_equal(a.kind, KERNEL_PLAN);
	assert_non_null(strstr(a.text, "nothing completes on sda now"));
	put(lab, "/sys/devices/x/host3/target/0:0:0:0/block/sda/inflight", "       0        0\n");
	a = ask(lab, "sda", "nr_requests", "32");
	assert_null(strstr(a.text, "nothing completes"));
}

static void test_power_of_md(void **state)
{
	struct lab *lab = *state;
	struct kernel_answer a = turn(lab, "md0", "power", "4");

	assert_int_equal(a.kind, KERNEL_DONE);
	is(lab, "/sys/block/md0/md/sync_speed_min", "4000");
	put(lab, "/sys/block/md0/md/sync_speed_min", "4000 (local)\n"); /* as the kernel would say it */
	a = turn(lab, "md0", "power", "0");
	assert_string_equal(a.text, "md0 power 4>0 in effect");
	put(lab, "/sys/block/md0/md/sync_speed_min", "4000\n"); /* as it was read back before */
	is(lab, "/sys/block/md0/md/sync_action", "frozen");
	wait_idle(lab);
	kernel_restore(lab->k);
	answer(lab);
	answer(lab);
	is(lab, "/sys/block/md0/md/sync_action", "idle");
	is(lab, "/sys/block/md0/md/sync_speed_min", "system"); /* not 1000: what it was follows the system again */
}

static void test_revert_is_told_once(void **state)
{
	struct lab *lab = *state;
	struct kernel_answer a = turn(lab, "sda", "queue_depth", "32");

	assert_int_equal(a.kind, KERNEL_DONE);
	put(lab, DEPTH, "16\n");
	lab->now_ns += 2 * NS_PER_S;
	a = answer(lab);
	assert_int_equal(a.kind, KERNEL_REVERTED);
	assert_non_null(strstr(a.text, "is 16 now, not 32"));
	wait_idle(lab);
	lab->now_ns += 2 * NS_PER_S;
	assert_false(kernel_take(lab->k, &a));
	wait_idle(lab);
	assert_false(kernel_take(lab->k, &a));
	kernel_restore(lab->k);
	a = answer(lab);
	assert_non_null(strstr(a.text, "something else changed it"));
	is(lab, DEPTH, "16"); /* theirs */
}

/* A pipe with nobody at its other end: open(2) waits, as it does behind a frozen queue. */
static void test_stuck_device(void **state)
{
	struct lab *lab = *state;
	struct kernel_request more = { .device = "sda", .knob = "queue_depth", .value = "2" };
	char path[600];
	struct kernel_answer a = turn(lab, "sda", "queue_depth", "8");
	struct err err = { "" };
	int fd;

	assert_int_equal(a.kind, KERNEL_DONE);
	text_format(path, sizeof(path), "%s/sys/devices/x/host3/target/0:0:0:0/queue_depth", lab->root);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	wait_idle(lab);
	assert_true(kernel_ask(lab->k, &more, &err) > 0);
	lab->now_ns += 3 * NS_PER_S;
	a = answer(lab);
	assert_int_equal(a.kind, KERNEL_STUCK);
	assert_non_null(strstr(a.text, "no answer from the kernel after 3.0 s"));
	assert_int_equal(kernel_ask(lab->k, &more, &err), 0);
	assert_non_null(strstr(err.text, "still waiting"));
	/* another device goes on */
	text_format(more.device, sizeof(more.device), "md0");
	text_format(more.knob, sizeof(more.knob), "power");
	assert_true(kernel_ask(lab->k, &more, &err) > 0);
	assert_int_equal(answer(lab).kind, KERNEL_PLAN);
	/* released: the late answer comes, and says how late. open(2) itself waits for the worker, however busy the machine is; who never comes is ended by the
	 * runner's limit. */
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "8\n", 2), 2);
	close(fd);
	a = answer(lab);
	assert_non_null(strstr(a.text, "(after 3.0 s)"));
	wait_idle(lab);
	unlink(path);
	put(lab, "/sys/devices/x/host3/target/0:0:0:0/queue_depth", "8\n");
}

static void test_aliases(void **state)
{
	struct lab *lab = *state;
	struct kernel_answer a;

	put(lab, "/sys/bus/ccw/devices/0.0.7500/alias", "0\n");
	put(lab, "/sys/bus/ccw/devices/0.0.7500/uid", "IBM.75.e900.00\n");
	for (int i = 0; i < 3; i++) {
		char path[128];

		text_format(path, sizeof(path), "/sys/bus/ccw/devices/0.0.75f%d/alias", i);
		put(lab, path, "1\n");
		text_format(path, sizeof(path), "/sys/bus/ccw/devices/0.0.75f%d/uid", i);
		put(lab, path, i < 2 ? "IBM.75.e900.xx\n" : "IBM.75.e940.xx\n");
		text_format(path, sizeof(path), "/sys/bus/ccw/devices/0.0.75f%d/online", i);
		put(lab, path, "1\n");
	}
	a = ask(lab, "IBM.75.e900", "aliases", "3");
	assert_non_null(strstr(a.text, "2 aliases were seen online"));
	a = turn(lab, "IBM.75.e900", "aliases", "1");
	is(lab, "/sys/bus/ccw/devices/0.0.75f0/online", "1");
	is(lab, "/sys/bus/ccw/devices/0.0.75f1/online", "0");
	put(lab, "/sys/bus/ccw/devices/0.0.75f1/alias", "0\n"); /* as an offline one reads */
	put(lab, "/sys/bus/ccw/devices/0.0.75f1/uid", "\n");
	a = ask(lab, "IBM.75.e900", "aliases", "2"); /* it was seen, so it is known */
	assert_non_null(strstr(a.text, "write 1 to /sys/bus/ccw/devices/0.0.75f1/online"));
	is(lab, "/sys/bus/ccw/devices/0.0.75f2/online", "1"); /* another LCU's */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define LAB(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
		LAB(test_plan_then_write_then_back), LAB(test_dropped_plan_writes_nothing), LAB(test_refusals_say_why),
		LAB(test_scheduler),		     LAB(test_warning_without_progress),    LAB(test_power_of_md),
		LAB(test_revert_is_told_once),	     LAB(test_stuck_device),		    LAB(test_aliases),
	};

	return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
