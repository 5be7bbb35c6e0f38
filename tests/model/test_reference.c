/* The reference cases R1..R22 and the laws L1..L3: exact values from formulas, against the model run through the whole engine. Each row
 * is the mean of 4 seeds; tolerances are what 4 x 400 s can honour. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/lab.h"
#include "worker.h"

enum quantity { X, R_MS, DEVICE_MS, TOTAL_MS, RESPONSE_MS, LITTLE_L, SHARE };

struct row {
	const char *id;
	const char *settings;
	int run_s;
	enum quantity what;
	int first, last; /* log2 rows of a share */
	double exact, tolerance;
};

#define OPEN "a.kind=open a.rw=randread a.bs=512 "
#define ONE "array.servers=1 array.ctl=1ms "
#define REPAIR "a.rw=randread a.bs=512 a.think_dist=exp array.ctl_shape=1 "
#define DISKS "a.rw=randread a.bs=64k array.ctl=0 array.hit=0 array.disk_position_shape=1 array.servers=64 "
#define DASD "a.rw=randread a.bs=512 a.numjobs=8 host.device=dasd host.bases=1 host.alias_mode=hyperpav array.ctl=500us array.servers=16 "

static const struct row rows[] = {
	{"R1 M/M/1: R", OPEN ONE "a.arrival_iops=800 array.ctl_shape=1", 400, R_MS, 0, 0, 5.0000, .02},
	{"R1 M/M/1: L", OPEN ONE "a.arrival_iops=800 array.ctl_shape=1", 400, LITTLE_L, 0, 0, 4.0000, .02},
	{"R1c share 1024..2047 us", OPEN ONE "a.arrival_iops=800 array.ctl_shape=1", 400, SHARE, 9, 9, 0.15089, .02},
	{"R1c share 8192..16383 us", OPEN ONE "a.arrival_iops=800 array.ctl_shape=1", 400, SHARE, 12, 12, 0.15654, .02},
	{"R2 M/D/1", OPEN ONE "a.arrival_iops=800 array.ctl_shape=0", 400, R_MS, 0, 0, 3.0000, .01},
	{"R3 M/E4/1", OPEN ONE "a.arrival_iops=800 array.ctl_shape=4", 400, R_MS, 0, 0, 3.5000, .015},
	{"R4 M/M/8: R", OPEN "a.arrival_iops=6800 array.servers=8 array.ctl=1ms array.ctl_shape=1", 100, R_MS, 0, 0, 1.4771, .01},
	{"R5 exponential set-up", OPEN ONE "a.arrival_iops=500 array.ctl_shape=1 array.wake=500us array.wake_shape=1", 400, R_MS, 0, 0,
	 2.5000, .01},
	{"R5b constant set-up", OPEN ONE "a.arrival_iops=500 array.ctl_shape=1 array.wake=500us array.wake_shape=0", 400, R_MS, 0, 0,
	 2.4500, .01},
	{"R6 repairman: X", REPAIR "a.numjobs=50 a.thinktime=10ms array.servers=4 array.ctl=1ms", 100, X, 0, 0, 3884.98, .005},
	{"R6 repairman: R", REPAIR "a.numjobs=50 a.thinktime=10ms array.servers=4 array.ctl=1ms", 100, R_MS, 0, 0, 2.8701, .01},
	{"R7 repairman: X", REPAIR "a.numjobs=20 a.thinktime=5ms array.servers=1 array.ctl=500us", 400, X, 0, 0, 1996.26, .005},
	{"R7 repairman: R", REPAIR "a.numjobs=20 a.thinktime=5ms array.servers=1 array.ctl=500us", 400, R_MS, 0, 0, 5.0187, .01},
	{"R8 closed, 28 disks", DISKS "a.numjobs=32 array.disk_count=28 array.disk_position=5ms", 100, X, 0, 0, 3037.29, .005},
	{"R9 closed, 28 disks, think (MVA)", DISKS "a.numjobs=32 a.thinktime=4ms a.think_dist=exp array.disk_count=28 array.disk_position=5ms",
	 100, X, 0, 0, 2503.06, .005},
	{"R10 controller and disks: X",
	 "a.rw=randread a.bs=64k a.numjobs=24 a.thinktime=2ms a.think_dist=exp array.servers=4 array.ctl=600us array.ctl_shape=1 array.hit=0 "
	 "array.disk_count=8 array.disk_position=4ms array.disk_position_shape=1", 400, X, 0, 0, 1481.54, .005},
	{"R10 controller and disks: R",
	 "a.rw=randread a.bs=64k a.numjobs=24 a.thinktime=2ms a.think_dist=exp array.servers=4 array.ctl=600us array.ctl_shape=1 array.hit=0 "
	 "array.disk_count=8 array.disk_position=4ms array.disk_position_shape=1", 400, R_MS, 0, 0, 14.1994, .01},
	{"R11 Jackson network",
	 "a.kind=open a.rw=randread a.bs=64k a.arrival_iops=1000 array.servers=4 array.ctl=200us array.ctl_shape=1 array.hit=0 "
	 "array.disk_count=8 array.disk_position=5ms array.disk_position_shape=1", 400, R_MS, 0, 0, 13.5333, .02},
	{"R12 cache in front of M/E2/1",
	 "a.kind=open a.rw=randread a.bs=64k a.arrival_iops=1000 array.ctl=0 array.hit=0.75 array.disk_count=1 array.disk_position=2ms "
	 "array.disk_position_shape=2", 400, R_MS, 0, 0, 0.8750, .02},
	{"R13 depth 10: X", "a.rw=randread a.bs=512 a.numjobs=50 host.qd=10 array.servers=64 array.ctl=500us array.ctl_shape=1", 100, X, 0, 0,
	 20000, .005},
	{"R13 depth 10: total", "a.rw=randread a.bs=512 a.numjobs=50 host.qd=10 array.servers=64 array.ctl=500us array.ctl_shape=1", 100,
	 TOTAL_MS, 0, 0, 2.5000, .005},
	{"R14 depth 1 with wake-up",
	 "a.rw=randread a.bs=8k a.numjobs=8 host.qd=1 array.servers=16 array.ctl=225us array.wake=366700ns array.link_latency=15us "
	 "array.link_mbps=203.2", 100, X, 0, 0, 1510.54, .0005},
	{"R15 link bound",
	 "a.rw=randread a.bs=8k a.numjobs=64 array.servers=64 array.ctl=225us array.link_latency=15us array.link_mbps=203.2", 100, X, 0, 0,
	 24804.69, .0005},
	{"R16 pressure", REPAIR "a.numjobs=40 a.thinktime=0 array.servers=4 array.ctl=1ms array.knee=20 array.kappa=0.01", 100, X, 0, 0,
	 3333.33, .005},
	{"R17 DASD base: X", DASD "host.aliases=0", 100, X, 0, 0, 2000, .001},
	{"R17 DASD base: total", DASD "host.aliases=0", 100, TOTAL_MS, 0, 0, 2.0000, .001},
	{"R17 DASD base: response", DASD "host.aliases=0", 100, RESPONSE_MS, 0, 0, 4.0000, .001},
	{"R18 three aliases: X", DASD "host.aliases=3", 100, X, 0, 0, 8000, .001},
	{"R18 three aliases: total", DASD "host.aliases=3", 100, TOTAL_MS, 0, 0, 1.0000, .001},
	{"R19 two services, constant", "a.kind=open a.rw=randrw a.rwmixread=50 a.bs=512 a.arrival_iops=300 " ONE "array.write=3ms", 400, R_MS, 0,
	 0, 3.8750, .01},
	{"R20 two services, exponential",
	 "a.kind=open a.rw=randrw a.rwmixread=50 a.bs=512 a.arrival_iops=300 " ONE "array.ctl_shape=1 array.write=3ms array.write_shape=1", 400,
	 R_MS, 0, 0, 5.7500, .02},
	{"R21 one thread, 75 % reads: X", "a.rw=randrw a.rwmixread=75 a.bs=512 " ONE "array.write=3ms", 400, X, 0, 0, 666.67, .005},
	{"R21 one thread, 75 % reads: share", "a.rw=randrw a.rwmixread=75 a.bs=512 " ONE "array.write=3ms", 400, SHARE, 8, 8, .7500, .01},
	{"R22 pressure, writes",
	 "a.rw=randwrite a.bs=512 a.numjobs=40 array.servers=4 array.ctl=5ms array.write=1ms array.write_shape=1 array.knee=20 array.kappa=0.01",
	 100, X, 0, 0, 3333.33, .005},
};

static double share(const struct hist *h, int first, int last)
{
	uint64_t log2[HIST_LOG2_ROWS], n = 0;

	hist_log2(h, log2);
	for (int i = first; i <= last; i++)
		n += log2[i];
	return (double)n / (double)h->n;
}

static double quantity(const struct row *row, const struct step_result *r)
{
	switch (row->what) {
	case X:
		return result_iops(r);
	case R_MS:
	case RESPONSE_MS:
		return hist_mean(&r->hist[METRIC_RESPONSE]) / 1e6;
	case DEVICE_MS:
		return hist_mean(&r->hist[METRIC_DEVICE]) / 1e6;
	case TOTAL_MS:
		return hist_mean(&r->hist[METRIC_TOTAL]) / 1e6;
	case LITTLE_L:
		return result_iops(r) * hist_mean(&r->hist[METRIC_RESPONSE]) / 1e9;
	case SHARE:
		return share(&r->hist[METRIC_TOTAL], row->first, row->last);
	}
	return NAN;
}

static void case_of_row(void **state)
{
	const struct row *row = *state;
	static struct step_result r;
	double sum = 0;

	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct lab l;
		lab_init(&l, "a", row->settings);
		lab_run(&l, seed, NS_PER_S, row->run_s * NS_PER_S, &r);
		/* what holds in every run */
		assert_int_equal(r.hist[METRIC_TOTAL].n, r.requests);
		assert_int_equal(r.hist[METRIC_WAIT].sum_lo + r.hist[METRIC_DEVICE].sum_lo, r.hist[METRIC_TOTAL].sum_lo);
		sum += quantity(row, &r);
	}
	double value = sum / 4, off = fabs(value / row->exact - 1);
	if (off > row->tolerance)
		fail_msg("%s: %.5f for %.5f, off by %.2f %% (allowed %.2f %%)", row->id, value, row->exact, off * 100, row->tolerance * 100);
}

/* A HyperPAV-like load for the laws: users that think, bursts beside them, two control units. */
#define LAWS                                                                                                                             \
	"users.numjobs=76 users.rw=randread users.bs=8k users.thinktime=6ms users.think_dist=exp b.kind=burst b.burst=150 b.rw=randwrite "  \
	"b.bs=8k b.thinktime=12ms b.think_dist=exp host.device=dasd host.bases=8 host.lcus=2 host.alias_mode=hyperpav host.aliases=20 "     \
	"array.members=2 array.servers=10 array.ctl=430us array.ctl_shape=3 array.link_latency=20us"

struct open_lab {
	struct lab lab;
	struct stats stats;
	struct worker w;
};

static void worker_for(struct open_lab *o, const char *jobs, const char *settings)
{
	struct err err;

	lab_init(&o->lab, jobs, settings);
	stats_init(&o->stats, 0);
	struct worker_site site = {.ops = &backend_model, .clock = clock_monotonic()};
	assert_int_equal(worker_open(&o->w, &o->lab.spec.config, &site, 7, 0, &o->stats, &err), 0);
	assert_int_equal(worker_run(&o->w, NS_PER_S), 0);
	stats_begin_step(&o->stats, NS_PER_S);
}

/* L1: requests in the system, counted by looking in every 100 us, equal throughput times response. */
static void little(void **state)
{
	static struct open_lab o;
	double in_system = 0;
	enum { LOOKS = 200000 };

	(void)state;
	worker_for(&o, "users b", LAWS);
	for (int i = 1; i <= LOOKS; i++) {
		assert_int_equal(worker_run(&o.w, NS_PER_S + i * (100 * NS_PER_US)), 0);
		in_system += worker_outstanding(&o.w);
	}
	stats_unfold(&o.stats);
	const struct hist *h = &o.stats.slice[METRIC_RESPONSE];
	double x = (double)h->n / (LOOKS * 1e-4), n = in_system / LOOKS;
	assert_true(fabs(x * hist_mean(h) / 1e9 / n - 1) < .005);
	worker_close(&o.w);
}

/* L2: users = X (R + Z). */
static void interactive(void **state)
{
	static struct open_lab o;

	(void)state;
	worker_for(&o, "users", "users.numjobs=76 users.rw=randread users.thinktime=6ms users.think_dist=exp array.servers=20 array.ctl=430us "
				"array.ctl_shape=3");
	assert_int_equal(worker_run(&o.w, 101 * NS_PER_S), 0);
	stats_unfold(&o.stats);
	const struct hist *h = &o.stats.slice[METRIC_RESPONSE];
	double x = (double)h->n / 100, n = x * (hist_mean(h) + 6e6) / 1e9;
	assert_true(fabs(n / 76 - 1) < .01);
	worker_close(&o.w);
}

/* L3: utilisation = X S / c, per member from the service they gave. */
static void utilisation(void **state)
{
	static struct open_lab o;
	struct backend_counters before, after;

	(void)state;
	worker_for(&o, "users b", LAWS);
	backend_model.counters(o.w.backend, &before);
	assert_int_equal(worker_run(&o.w, 101 * NS_PER_S), 0);
	backend_model.counters(o.w.backend, &after);
	stats_unfold(&o.stats);
	double x = (double)o.stats.slice[METRIC_DEVICE].n / 100, used = 0;
	for (uint32_t i = 0; i < after.n_members; i++)
		used += (double)(after.member_busy_ns[i] - before.member_busy_ns[i]) / 1e11 / after.servers / after.n_members;
	assert_true(fabs(used / (x * 430e-6 / 20) - 1) < .01);
	worker_close(&o.w);
}

int main(void)
{
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	struct CMUnitTest tests[N + 3];

	for (size_t i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){rows[i].id, case_of_row, NULL, NULL, (void *)&rows[i]};
	tests[N] = (struct CMUnitTest)cmocka_unit_test(little);
	tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(interactive);
	tests[N + 2] = (struct CMUnitTest)cmocka_unit_test(utilisation);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
