/* What `iodeck probe` hears between two samples, from a made-up socket, and how it tells it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "probe_events.h"
#include "probe_report.h"

enum { ROOM = 512 };

/* A message: `result` below 0 is an errno instead of a datagram. */
struct message {
	int result;
	uint32_t sender;
	char bytes[ROOM];
};
struct lab {
	int fd[2]; /* [0] is the listener's */
	struct probe_listener *listener;
	struct probe_events heard; /* all since the last `hear` */
};

static int receive(void *data, char **bytes, uint32_t *sender)
{
	struct lab *lab = data;
	struct message m;

	if (recv(lab->fd[0], &m, sizeof(m), MSG_DONTWAIT) != (ssize_t)sizeof(m))
		return 0;
	if (m.result <= 0)
		return m.result;
	*bytes = malloc(ROOM);
	memcpy(*bytes, m.bytes, ROOM);
	*sender = m.sender;
	return m.result;
}

static void put(struct lab *lab, const struct message *m) { assert_int_equal(send(lab->fd[1], m, sizeof(*m), 0), sizeof(*m)); }

/* KEY=VALUE with '|' between, as the kernel sends them with a NUL. */
static void say(struct lab *lab, uint32_t sender, const char *text)
{
	struct message m = { .result = (int)strlen(text) + 1, .sender = sender };

	for (int i = 0; i < m.result - 1; i++)
		m.bytes[i] = text[i] == '|' ? '\0' : text[i];
	put(lab, &m);
}

#define DISK(action, name) \
	action "@/devices/x/block/" name "|ACTION=" action "|DEVPATH=/devices/x/block/" name "|SUBSYSTEM=block|DEVTYPE=disk|DEVNAME=" name "|SEQNUM=1"
#define FAILED                                                                                                                        \
	"change@/devices/virtual/block/dm-0|ACTION=change|DEVPATH=/devices/virtual/block/dm-0|SUBSYSTEM=block|DM_TARGET=multipath|"      \
	"DM_ACTION=PATH_FAILED|DM_SEQNUM=1|DM_PATH=8:16|DM_NR_VALID_PATHS=1|DM_NAME=mp0|DEVNAME=dm-0|DEVTYPE=disk|SEQNUM=2"

static void break_it(struct lab *lab, int code)
{
	struct message m = { .result = code };

	put(lab, &m);
}

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct lab));
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ((struct lab *)*state)->fd);
}

static void open_at(struct lab *lab, bool machine)
{
	struct uevent_source source = { .receive = receive, .data = lab, .fd = lab->fd[0] };

	lab->listener = probe_listen_open(machine, &source);
	assert_non_null(lab->listener);
}

static int teardown(void **state)
{
	struct lab *lab = *state;

	probe_listen_close(lab->listener);
	close(lab->fd[0]);
	close(lab->fd[1]);
	free(lab);
	return 0;
}

static void keep(struct lab *lab, const struct probe_events *e)
{
	for (uint32_t i = 0; i < e->n && lab->heard.n < PROBE_MAX_EVENTS; i++)
		lab->heard.event[lab->heard.n++] = e->event[i];
	lab->heard.gap |= e->gap;
	if (e->source.reason[0])
		lab->heard.source = e->source;
}

/* Samples until an event of this text was in one, and that none repeats what another had. */
static const struct probe_events *hear(struct lab *lab, const char *until)
{
	struct clock clock = clock_monotonic();

	memset(&lab->heard, 0, sizeof(lab->heard));
	for (int i = 0; i < 3000; i++) {
		probe_listen_wait(lab->listener, clock_now(&clock) + 10 * NS_PER_MS);
		keep(lab, probe_listen_take(lab->listener, 0));
		for (uint32_t k = 0; k < lab->heard.n; k++)
			if (!strcmp(lab->heard.event[k].text, until))
				return &lab->heard;
	}
	fail_msg("'%s' was not heard", until);
	return NULL;
}

static void test_between_samples(void **state)
{
	struct lab *lab = *state;
	const struct probe_events *e;

	open_at(lab, true);
	say(lab, 0, DISK("add", "sdz"));
	say(lab, 0, FAILED);
	e = hear(lab, "mp0: path 8:16 FAILED, 1 left");
	assert_int_equal(e->n, 2);
	assert_int_equal(e->source.state, SOURCE_OK);
	assert_string_equal(e->source.reason, "");
	assert_false(e->gap);
	assert_int_equal(e->event[0].kind, EVENT_ADDED);
	assert_string_equal(e->event[0].device, "sdz");
	assert_string_equal(e->event[0].path, "");
	assert_int_equal(e->event[1].kind, EVENT_PATH_FAILED);
	assert_string_equal(e->event[1].device, "mp0");
	assert_string_equal(e->event[1].path, "8:16");
	say(lab, 0, DISK("remove", "sdz"));
	e = hear(lab, "sdz removed");
	assert_int_equal(e->n, 1); /* the others belong to the sample before */
}

static void test_time(void **state)
{
	struct lab *lab = *state;
	struct clock clock = clock_monotonic();
	const int64_t offset = 1000000 * NS_PER_S;
	int64_t before = clock_now(&clock);
	const struct probe_events *e;

	open_at(lab, true);
	say(lab, 0, DISK("add", "sdz"));
	do {
		probe_listen_wait(lab->listener, clock_now(&clock) + 10 * NS_PER_MS);
		e = probe_listen_take(lab->listener, offset);
	} while (!e->n);
	assert_true(e->event[0].t_ns >= before + offset && e->event[0].t_ns <= clock_now(&clock) + offset);
}

static void test_states(void **state)
{
	struct lab *lab = *state;
	const struct probe_events *e;

	open_at(lab, true);
	say(lab, 4711, DISK("remove", "sda"));
	say(lab, 0, DISK("add", "sdx"));
	e = hear(lab, "sdx added");
	assert_int_equal(e->source.state, SOURCE_OK);
	assert_string_equal(e->source.reason, "1 messages that did not come from the kernel were not believed");
	assert_int_equal(e->n, 1);
	say(lab, 0, "rubbish");
	say(lab, 0, DISK("add", "sdy"));
	e = hear(lab, "sdy added");
	assert_int_equal(e->source.state, SOURCE_MALFORMED);
	assert_string_equal(e->source.reason, "1 messages of the kernel were not of a known form");
	break_it(lab, -ENOBUFS);
	e = hear(lab, "events of the kernel were lost: looking at all devices again");
	assert_true(e->gap);
	assert_string_equal(e->source.reason, "some events were lost: the list is not all");
	break_it(lab, -EIO);
	e = hear(lab, "the kernel's events cannot be read any more");
	assert_int_equal(e->source.state, SOURCE_UNREADABLE);
	assert_int_equal(probe_listen_take(lab->listener, 0)->source.state, SOURCE_UNREADABLE); /* and stays so */
}

/* Of a tree: what the machine's kernel says is not heard, however long one waits. */
static void test_tree(void **state)
{
	struct lab *lab = *state;
	const struct probe_events *e;
	struct message m;

	open_at(lab, false);
	say(lab, 0, DISK("add", "sdz"));
	probe_listen_wait(lab->listener, 0);
	e = probe_listen_take(lab->listener, 0);
	assert_int_equal(e->n, 0);
	assert_int_equal(e->source.state, SOURCE_DISABLED);
	assert_non_null(strstr(e->source.reason, "of a tree, not of this machine"));
	assert_int_equal(recv(lab->fd[0], &m, sizeof(m), MSG_DONTWAIT), sizeof(m)); /* nobody read it */
}

/* ---- how it is told ---- */

static const struct probe_events told = {
	.gap = true, .n = 3, .n_left_out = 4,
	.event = { { .t_ns = 25 * NS_PER_S + 250 * NS_PER_MS, .kind = EVENT_PATH_FAILED, .times = 1, .device = "mp0", .path = "8:16",
		     .text = "mp0: path 8:16 FAILED, 1 left" },
		   { .t_ns = 26 * NS_PER_S, .kind = EVENT_CHANGED, .times = 3, .device = "sda", .text = "sda changed" },
		   { .t_ns = 27 * NS_PER_S, .kind = EVENT_GAP, .times = 1, .text = "events of the kernel were lost: looking at all devices again, one by one" } },
};

static void test_lines(void **state)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	probe_events_lines(&told, 79, "\n", f);
	fclose(f);
	assert_string_equal(text, "\n00:00:25.250 event path failed: mp0: path 8:16 FAILED, 1 left\n"
				  "00:00:26.000 event changed: sda changed (3 times)\n"
				  "00:00:27.000 event gap: events of the kernel were lost: looking at all devices \n"
				  "4 more events were left out\n");
	free(text);
}

static void test_json(void **state)
{
	struct json *j = json_new();
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	probe_events_json(&told, j);
	assert_int_equal(json_write(j, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "\"events\": {\"state\": \"ok\", \"reason\": null, \"gap\": true, \"left_out\": 4, \"list\": ["
				     "{\"time\": 25.25, \"kind\": \"path failed\", \"device\": \"mp0\", \"path\": \"8:16\", \"times\": 1, "));
	assert_non_null(strstr(text, "\"kind\": \"gap\", \"device\": null, \"path\": null"));
	free(text);
	json_free(j);
}

static void test_of_a_device(void **state)
{
	struct probe_device sda = { .name = "sda", .major = 8, .minor = 0 }, sdb = { .name = "sdb", .major = 8, .minor = 16 },
			    map = { .name = "dm-0", .label = "mp0", .major = 253 }, loop = { .name = "loop0", .major = 7 };
	struct probe_events deaf = { .source.state = SOURCE_DISABLED };

	(void)state;
	assert_int_equal(probe_events_of(&told, &sda), 3);
	assert_int_equal(probe_events_of(&told, &sdb), 1); /* as a path */
	assert_int_equal(probe_events_of(&told, &map), 1);
	assert_int_equal(probe_events_of(&told, &loop), 0);
	assert_int_equal(probe_events_of(&deaf, &sda), PROBE_UNKNOWN);
}

int main(void)
{
#define LAB(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		LAB(test_between_samples), LAB(test_time),	      LAB(test_states),		    LAB(test_tree),
		cmocka_unit_test(test_lines), cmocka_unit_test(test_json), cmocka_unit_test(test_of_a_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
