/* The listener: bursts, lost events, senders that are not the kernel, all by a made-up socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "events.h"

enum { MOST = 32768 };

/* A queue of datagrams with a limit, as a socket has: what does not fit is lost, and that is said once. */
struct socket {
	pthread_mutex_t lock;
	int fd;
	struct {
		char device[16];
		uint32_t sender;
		bool added;
	} queue[MOST];
	uint32_t first, n, limit;
	bool lost;
};
struct lab {
	char root[256];
	struct socket socket;
	struct events *events;
	int64_t now_ns;
	int fd;
};

static int receive(void *data, char **bytes, uint32_t *sender)
{
	struct socket *s = data;
	int n = 0;

	pthread_mutex_lock(&s->lock);
	if (s->lost) {
		s->lost = false;
		n = -ENOBUFS;
	} else if (s->n) {
		const char *device = s->queue[s->first % MOST].device, *action = s->queue[s->first % MOST].added ? "add" : "change";
		uint64_t count;

		*bytes = malloc(512);
		*sender = s->queue[s->first % MOST].sender;
		n = 1 + snprintf(*bytes, 512, "%s@/d/%s%cACTION=%s%cDEVPATH=/d/%s%cSUBSYSTEM=block%cDEVTYPE=disk%cDEVNAME=%s%cSEQNUM=1", action, device, 0,
				 action, 0, device, 0, 0, 0, device, 0);
		s->first++;
		if (!--s->n)
			count = read(s->fd, &count, sizeof(count)) > 0;
	}
	pthread_mutex_unlock(&s->lock);
	return n;
}

static void send_event(struct socket *s, const char *device, bool added, uint32_t sender)
{
	uint64_t one = 1;

	pthread_mutex_lock(&s->lock);
	if (s->n >= s->limit) {
		s->lost = true;
	} else {
		text_format(s->queue[(s->first + s->n) % MOST].device, 16, "%s", device);
		s->queue[(s->first + s->n) % MOST].sender = sender;
		s->queue[(s->first + s->n) % MOST].added = added;
		s->n++;
	}
	assert_int_equal(write(s->fd, &one, sizeof(one)), sizeof(one));
	pthread_mutex_unlock(&s->lock);
}

static void make_device(const struct lab *lab, const char *name)
{
	char path[400];

	text_format(path, sizeof(path), "%s/sys/block/%s", lab->root, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static int setup(void **state)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	const char *tmp = getenv("TMPDIR");
	char command[600];

	text_format(lab->root, sizeof(lab->root), "%s/events.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(lab->root))
		return -1;
	text_format(command, sizeof(command), "mkdir -p '%s/sys/block/sda' '%s/sys/block/sdb'", lab->root, lab->root);
	lab->fd = eventfd(0, EFD_NONBLOCK);
	lab->socket.fd = eventfd(0, EFD_NONBLOCK);
	lab->socket.limit = 1000;
	pthread_mutex_init(&lab->socket.lock, NULL);
	*state = lab;
	return system(command);
}

static void listen_now(struct lab *lab)
{
	struct events_options o = { .root = lab->root,
				    .source = { .receive = receive, .data = &lab->socket, .fd = lab->socket.fd },
				    .clock = clock_manual(&lab->now_ns),
				    .event_fd = lab->fd };

	lab->events = events_open(&o, NULL);
	assert_non_null(lab->events);
}

static int teardown(void **state)
{
	struct lab *lab = *state;
	char command[400];

	events_close(lab->events);
	close(lab->fd);
	close(lab->socket.fd);
	text_format(command, sizeof(command), "rm -rf '%s'", lab->root);
	free(lab);
	return system(command);
}

static struct event next(struct lab *lab)
{
	struct event e;
	uint64_t count;

	for (int i = 0; i < 1000; i++) {
		struct pollfd fd = { lab->fd, POLLIN, 0 };

		if (events_take(lab->events, &e))
			return e;
		if (poll(&fd, 1, 20) > 0)
			assert_true(read(lab->fd, &count, sizeof(count)) > 0);
	}
	fail_msg("no event");
	return e;
}

/* Until the listener has taken all that was sent. */
static void wait_empty(struct lab *lab)
{
	bool empty = false;

	for (int i = 0; i < 10000 && !empty; i++) {
		pthread_mutex_lock(&lab->socket.lock);
		empty = !lab->socket.n && !lab->socket.lost;
		pthread_mutex_unlock(&lab->socket.lock);
		usleep(1000);
	}
	assert_true(empty);
}

static void test_one(void **state)
{
	struct lab *lab = *state;
	struct event e;

	listen_now(lab);
	lab->now_ns = 7;
	send_event(&lab->socket, "sdc", true, 0);
	e = next(lab);
	assert_int_equal(e.kind, EVENT_ADDED);
	assert_string_equal(e.text, "sdc added");
	assert_int_equal(e.t_ns, 7);
	assert_false(events_take(lab->events, &e));
}

static void test_only_the_kernel_is_believed(void **state)
{
	struct lab *lab = *state;
	struct event e;

	listen_now(lab);
	send_event(&lab->socket, "sdx", true, 28125);
	send_event(&lab->socket, "sdc", true, 0);
	e = next(lab);
	assert_string_equal(e.text, "sdc added");
	assert_int_equal(events_spoofed(lab->events), 1);
}

/* 20 000 at once against room for a thousand: the gap is told, and what changed meanwhile is found by looking. */
static void test_burst(void **state)
{
	struct lab *lab = *state;
	bool gap = false, found = false, gone = false;
	uint32_t changes = 0;
	struct event e;

	for (int i = 0; i < 20000; i++)
		send_event(&lab->socket, "sda", false, 0);
	send_event(&lab->socket, "sdc", true, 0); /* lost with the rest */
	listen_now(lab);
	/* the list is taken before the socket is read: changes after that are what a gap hides */
	for (int i = 0; i < 20000 && !gap; i++) {
		e = next(lab);
		gap |= e.kind == EVENT_GAP;
		changes += e.kind == EVENT_CHANGED ? e.times : 0;
	}
	assert_true(gap);
	make_device(lab, "sdd");
	{
		char path[400];

		text_format(path, sizeof(path), "%s/sys/block/sdb", lab->root);
		assert_int_equal(rmdir(path), 0);
	}
	for (int i = 0; i < 20000; i++)
		send_event(&lab->socket, "sda", false, 0);
	pthread_mutex_lock(&lab->socket.lock);
	lab->socket.lost = true; /* however fast the listener was */
	pthread_mutex_unlock(&lab->socket.lock);
	send_event(&lab->socket, "sda", false, 0);
	while (!found || !gone) {
		e = next(lab);
		changes += e.kind == EVENT_CHANGED ? e.times : 0;
		found |= !strcmp(e.text, "sdd added (found by looking)");
		gone |= !strcmp(e.text, "sdb removed (found by looking)");
	}
	assert_true(changes >= 1000);
	wait_empty(lab);
	lab->now_ns = 9;
	send_event(&lab->socket, "sde", true, 0); /* and it goes on */
	do
		e = next(lab);
	while (e.kind != EVENT_ADDED);
	assert_string_equal(e.text, "sde added");
}

/* More kinds of events than the list has places, while nobody takes them: counted, said, nothing waits. */
static void test_nobody_takes(void **state)
{
	struct lab *lab = *state;
	uint64_t n = 0, dropped = 0;
	bool told = false;
	struct event e;

	lab->socket.limit = MOST;
	for (int i = 0; i < 2000; i++) {
		char device[16];

		text_format(device, sizeof(device), "x%d", i);
		send_event(&lab->socket, device, true, 0);
	}
	listen_now(lab);
	wait_empty(lab);
	while (events_take(lab->events, &e))
		n++;
	assert_true(n >= 200 && n < 2000);
	send_event(&lab->socket, "y", true, 0);
	while (!told) {
		e = next(lab);
		told = e.kind == EVENT_GAP;
		if (told)
			dropped += strtoull(e.text, NULL, 10);
		else
			n++;
	}
	assert_non_null(strstr(e.text, "were dropped"));
	assert_int_equal(n + dropped, 2001); /* none is missing from both */
}

/* ---- comparing two looks ---- */

static void count(void *data, const struct scan_change *c)
{
	int *n = data;

	n[c->is_path * 2 + c->bad]++;
}

static void test_compare(void **state)
{
	struct scan *a = calloc(1, sizeof(*a)), *b = calloc(1, sizeof(*b));
	int n[4] = { 0 };

	(void)state;
	scan_add(a, "sda");
	scan_add(a, "sdb");
	scan_add(a, "sda");
	assert_int_equal(a->n_devices, 2);
	scan_set_path(a, "mp", "8:0", false);
	scan_set_path(a, "mp", "8:16", true);
	scan_add(b, "sdb");
	scan_add(b, "sdc");
	scan_set_path(b, "mp", "8:0", true);
	scan_set_path(b, "mp", "8:16", false);
	scan_set_path(b, "new", "8:32", true);
	scan_compare(a, b, count, n);
	assert_int_equal(n[0], 1); /* sdc */
	assert_int_equal(n[1], 1); /* sda is gone */
	assert_int_equal(n[2], 1);
	assert_int_equal(n[3], 2);
	scan_remove(b, "sdb");
	scan_remove(b, "nothing");
	assert_int_equal(b->n_devices, 1);
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define LAB(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
		LAB(test_one), LAB(test_only_the_kernel_is_believed), LAB(test_burst), LAB(test_nobody_takes), cmocka_unit_test(test_compare),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
