/* The engine's thread under load: commands by the ring, snapshots by the latch, at full speed and paced; a key is answered soon. TAP. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "model/lab.h"
#include "pacer.h"

static int n_tests, n_failed;

static void ok(bool good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
	n_failed += !good;
}

static struct engine *make_engine(struct lab *l)
{
	lab_init(l, "a",
		 "a.numjobs=50 a.rw=randread a.bs=8k host.qd=1 array.servers=16 array.ctl=190us array.ctl_shape=4 array.wake=401us "
		 "array.link_latency=15us array.link_mbps=203.3");
	return lab_open(l, 1);
}

/* Wait for a snapshot that shows `qd` in effect; the time it took, or -1 after 5 s. */
static int64_t await_qd(struct pacer *p, int fd, int64_t qd)
{
	struct clock c = clock_monotonic();
	int64_t began = clock_now(&c);
	uint64_t count;

	while (clock_now(&c) - began < 5 * NS_PER_S) {
		if (pacer_snapshot(p)->knob[KNOB_QD].in_effect == qd)
			return clock_now(&c) - began;
		struct pollfd f = {.fd = fd, .events = POLLIN};
		if (poll(&f, 1, 1000) > 0 && read(fd, &count, sizeof(count)) < 0)
			return -1;
	}
	return -1;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void turns(double speed, const char *what)
{
	enum { TURNS = 200 };
	struct lab l;
	struct err err;
	int64_t took[TURNS];
	int fd = eventfd(0, EFD_NONBLOCK);
	struct pacer *p = pacer_start(make_engine(&l), &(struct pacer_options){.speed = speed, .event_fd = fd}, &err);
	bool all = p != NULL, whole = true;
	uint64_t last = 0;

	for (int i = 0; all && i < TURNS; i++) {
		struct command c = {.type = COMMAND_SET, .cause = CAUSE_KEY, .ref = {KNOB_QD, 0}, .value = 2 + i % 60};
		all = pacer_send(p, &c);
		took[i] = await_qd(p, fd, c.value);
		all = all && took[i] >= 0;
		const struct snapshot *s = pacer_snapshot(p);
		whole = whole && s->number >= last && s->in_flight <= 1024 && s->n_acts <= SNAPSHOT_ACTS;
		last = s->number;
	}
	ok(all, what);
	ok(whole, "snapshots are whole and never older");
	if (all) {
		qsort(took, TURNS, sizeof(took[0]), compare);
		printf("# %s: key to snapshot median %.2f ms, largest %.2f ms\n", what, (double)took[TURNS / 2] / 1e6,
		       (double)took[TURNS - 1] / 1e6);
	}
	pacer_free(p);
	close(fd);
}

static void pause_stops_time(void)
{
	struct lab l;
	struct err err;
	int fd = eventfd(0, EFD_NONBLOCK);
	struct pacer *p = pacer_start(make_engine(&l), &(struct pacer_options){.speed = 0, .event_fd = fd}, &err);
	struct command pause = {.type = COMMAND_PAUSE, .value = 1}, set = {.type = COMMAND_SET, .ref = {KNOB_QD, 0}, .value = 7};

	pacer_send(p, &pause);
	pacer_send(p, &set);
	bool seen = await_qd(p, fd, 7) >= 0;
	int64_t t = pacer_snapshot(p)->t_ns;
	set.value = 9;
	pacer_send(p, &set);
	seen = seen && await_qd(p, fd, 9) >= 0;
	ok(seen && pacer_snapshot(p)->paused && pacer_snapshot(p)->t_ns == t, "paused: commands are obeyed, time stands still");
	pacer_free(p);
	close(fd);
}

/* Wait until the n-th GOTO has arrived. False after 20 s. */
static bool await_goto(struct pacer *p, int fd, uint32_t n)
{
	struct clock c = clock_monotonic();
	int64_t began = clock_now(&c);
	uint64_t count;

	while (clock_now(&c) - began < 20 * NS_PER_S) {
		const struct snapshot *s = pacer_snapshot(p);
		if (s->n_goto == n && !s->seeking && s->paused)
			return true;
		struct pollfd f = {.fd = fd, .events = POLLIN};
		if (poll(&f, 1, 1000) > 0 && read(fd, &count, sizeof(count)) < 0)
			return false;
	}
	return false;
}

/* Forth and back in the run, sometimes called off by the next one or by a knob; it stands exactly where it was sent. */
static void goes_anywhere(void)
{
	static const int64_t stops_ms[] = {700, 300, 1500, 0, 2500, 2500, 100, 1900};
	enum { STOPS = sizeof(stops_ms) / sizeof(stops_ms[0]) };
	struct lab l;
	struct err err;
	int fd = eventfd(0, EFD_NONBLOCK);
	struct engine *e = make_engine(&l);
	l.step.run_ns = 60 * NS_PER_S;
	struct pacer *p = pacer_start(e, &(struct pacer_options){.speed = 1, .event_fd = fd}, &err);
	struct command set = {.type = COMMAND_SET, .ref = {KNOB_QD, 0}, .value = 7};
	bool exact = true;
	uint32_t sent = 0;

	for (int turn = 0; exact && turn < 3 * STOPS; turn++) {
		struct command c = {.type = COMMAND_GOTO_TIME, .value = stops_ms[turn % STOPS] * NS_PER_MS};
		if (turn % 3 == 1) { /* on the way elsewhere */
			struct command other = {.type = COMMAND_GOTO_TIME, .value = 50 * NS_PER_S};
			exact = pacer_send(p, &other);
			sent++;
		}
		if (turn % 4 == 2) {
			set.value = 2 + turn;
			exact = exact && pacer_send(p, &set);
		}
		exact = exact && pacer_send(p, &c) && await_goto(p, fd, ++sent) && pacer_snapshot(p)->t_ns == c.value;
		exact = exact && pacer_snapshot(p)->straight && pacer_snapshot(p)->knob[KNOB_QD].in_effect == 1;
	}
	ok(exact, "24 times to a time of the run: exactly there, as if nothing had been turned");
	pacer_free(p);
	close(fd);
}

int main(void)
{
	turns(0, "200 turns at full speed");
	turns(1, "200 turns at the pace of the wall clock");
	pause_stops_time();
	goes_anywhere();
	printf("1..%d\n", n_tests);
	return n_failed != 0;
}
