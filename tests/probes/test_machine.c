/* Whole machines: samples of trees of /sys and /proc, most of them as recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probes.h"
#include "tree.h"

#define SECOND 1000000000ll

static struct probes *probes;
static const struct probe_snapshot *s;

static int begin(void **state)
{
	(void)state;
	tree_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	probes_close(probes);
	probes = NULL;
	tree_remove();
	return 0;
}

static void look(int64_t at_s)
{
	if (!probes)
		probes = probes_open(tree_path(), NULL);
	assert_non_null(probes);
	s = probes_sample(probes, at_s * SECOND, 1796000000 + at_s);
}

static const struct probe_device *device(const char *name)
{
	int i = probe_find(s, name);

	if (i < 0)
		fail_msg("no device %s", name);
	return &s->device[i];
}

static void is_state(enum probe_id id, enum source_state state, const char *reason)
{
	if (s->source[id].state != state || !strstr(s->source[id].reason, reason))
		fail_msg("%s is %s: %s", probe_table[id].name, source_state_names[s->source[id].state], s->source[id].reason);
}

/* Nothing at all: everything is absent, and says so. */
static void test_empty(void **state)
{
	(void)state;
	look(1);
	assert_int_equal(s->n_devices, 0);
	for (int i = 0; i < N_PROBES; i++) {
		assert_int_equal(s->source[i].state, SOURCE_ABSENT);
		assert_true(s->source[i].reason[0]);
	}
	assert_true(isnan(s->interval_s) && isnan(s->cpu_busy));
}

/* Absent, disabled, unreadable, malformed: four different things. */
static void test_four_states(void **state)
{
	(void)state;
	tree_put("Statistics are off - they might be switched on using 'echo set on > /proc/dasd/statistics'\n", "proc/dasd/statistics");
	tree_put("some avg10=0.0", "proc/pressure/io");
	tree_put("", "proc/mdstat/x"); /* a folder where a file should be */
	look(1);
	is_state(PROBE_CPU, SOURCE_ABSENT, "there is no /proc/stat");
	is_state(PROBE_DASD_STATS, SOURCE_DISABLED, "switches them on");
	is_state(PROBE_PRESSURE, SOURCE_MALFORMED, "cut");
	is_state(PROBE_MD, SOURCE_UNREADABLE, "Is a directory");
}

/* scsi_debug of Linux 6.1. */
static void put_scsi(void)
{
	assert_true(tree_recorded("vm/s0_scsi_sysfs.txt", NULL, "sda/device/", "sys/devices/h/0:0:0:0") > 10);
	assert_true(tree_recorded("vm/s0_scsi_sysfs.txt", NULL, "sda/queue/", "sys/block/sda/queue") > 20);
	assert_true(tree_recorded("vm/s0_scsi_sysfs.txt", NULL, "host0/", "sys/class/scsi_host/host0") > 5);
	tree_link("../../devices/h/0:0:0:0", "sys/block/sda/device");
	tree_put("131072\n", "sys/block/sda/size");
	tree_put("8:0\n", "sys/block/sda/dev");
	tree_put("       0        0\n", "sys/block/sda/inflight");
	tree_put("   8       0 sda 106 0 1260 640 15 69 2882 374 0 904 1112 0 0 0 0 4 97\n", "proc/diskstats");
}

static void test_scsi(void **state)
{
	const struct probe_device *d;

	(void)state;
	put_scsi();
	look(1);
	d = device("sda");
	assert_string_equal(d->kind, "scsi");
	assert_int_equal(d->size, 64 << 20);
	assert_string_equal(d->scsi.hctl, "0:0:0:0");
	assert_int_equal(d->scsi.queue_depth, 64);
	assert_int_equal(d->scsi.timeout_s, 30);
	assert_int_equal(d->scsi.io_errors, 1); /* 0x1 */
	assert_string_equal(d->scsi.vendor, "Linux");
	assert_string_equal(d->scsi.model, "scsi_debug");
	assert_string_equal(d->state.word, "running");
	assert_int_equal(d->state.letter, '+');
	assert_int_equal(s->host[d->scsi.host].can_queue, 64);
	assert_string_equal(s->host[d->scsi.host].driver, "scsi_debug");
	assert_true(d->queue.known);
	assert_int_equal(d->queue.wbt_lat_usec, 2000);
	assert_string_equal(d->queue.write_cache, "write back");
	is_state(PROBE_SCSI, SOURCE_OK, "");
	is_state(PROBE_QUEUE, SOURCE_OK, "");
	tree_put("offline\n", "sys/devices/h/0:0:0:0/state");
	tree_put("32x\n", "sys/devices/h/0:0:0:0/queue_depth");
	look(2);
	d = device("sda");
	assert_int_equal(d->state.letter, '!');
	assert_int_equal(d->scsi.queue_depth, PROBE_UNKNOWN);
	is_state(PROBE_SCSI, SOURCE_MALFORMED, "queue_depth");
}

/* Rates are of the interval; a device made anew has none; one that answers nothing is said to stand still. */
static void test_rates(void **state)
{
	(void)state;
	put_scsi();
	tree_put("7\n", "sys/block/sda/diskseq");
	look(10);
	assert_true(isnan(device("sda")->rates.r_s) && device("sda")->counted);
	tree_put("   8       0 sda 306 0 2860 1640 15 69 2882 374 4 1904 2112 0 0 0 0 4 97\n", "proc/diskstats");
	look(12);
	assert_true(device("sda")->rates.r_s == 100);
	assert_true(device("sda")->rates.r_await == 5);
	assert_true(device("sda")->rates.aqu_sz == 0.5);
	look(13);
	assert_string_equal(device("sda")->state.word, "STALLED");
	assert_int_equal(device("sda")->state.letter, '!');
	tree_put("8\n", "sys/block/sda/diskseq");
	look(14);
	assert_true(isnan(device("sda")->rates.r_s));
	tree_put("   8       0 sda 5 0 40 1 0 0 0 0 0 1 1 0 0 0 0 0 0\n", "proc/diskstats");
	look(15);
	assert_true(isnan(device("sda")->rates.r_s)); /* ran backwards */
	tree_put("   8       0 sda 6 0 4", "proc/diskstats");
	look(16);
	is_state(PROBE_BLOCK, SOURCE_MALFORMED, "line 1");
	assert_false(device("sda")->counted);
}

/* Without a line in /proc/diskstats the device's own file is read. */
static void test_stat_file(void **state)
{
	(void)state;
	put_scsi();
	tree_put("", "proc/diskstats");
	tree_put("     106        0     1260      640       15       69     2882      374        0      904     1112\n", "sys/block/sda/stat");
	look(1);
	assert_int_equal(device("sda")->counters.n_fields, 11);
	assert_int_equal(device("sda")->counters.reads, 106);
	tree_put("     106        0     1260      640\n", "sys/block/sda/stat");
	look(2);
	assert_false(device("sda")->counted);
	is_state(PROBE_BLOCK, SOURCE_MALFORMED, "sda/stat");
}

/* A map above two paths, one of them a partition; names with a slash; loop devices without a file are left out. */
static void test_tree(void **state)
{
	static const char *const order[] = { "cciss!c0d0", "dm-0", "sda", "sdb", "dm-2", "sdz", "dm-10", "sdaa" };

	(void)state;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		tree_put("2048\n", "sys/block/%s/size", order[i]);
	tree_put("0\n", "sys/block/loop7/size");
	tree_put("", "sys/block/dm-0/slaves/sda/x");
	tree_put("", "sys/block/dm-0/slaves/sdb2/x");
	tree_put("", "sys/block/dm-2/slaves/sdz/x");
	tree_put("", "sys/block/dm-10/slaves/sdaa/x");
	tree_put("mpatha\n", "sys/block/dm-0/dm/name");
	tree_put("mpath-1Linux\n", "sys/block/dm-0/dm/uuid");
	tree_link("../../devices/x/block/sdb/sdb2", "sys/class/block/sdb2");
	tree_put(" 104       0 cciss/c0d0 1 0 8 1 0 0 0 0 0 1 1\n", "proc/diskstats");
	look(1);
	assert_int_equal(s->n_devices, 8);
	for (uint32_t i = 0; i < 8; i++)
		assert_string_equal(s->device[i].kernel, order[i]);
	assert_string_equal(s->device[0].name, "cciss/c0d0");
	assert_int_equal(s->device[0].counters.reads, 1);
	assert_int_equal(device("sda")->depth, 1);
	assert_int_equal(device("sdb")->parent, probe_find(s, "dm-0"));
	assert_string_equal(device("dm-0")->kind, "mpath");
	assert_string_equal(device("dm-0")->label, "mpatha");
}

/* NVMe with two controllers, Linux 6.1: the path nodes have the counts, the head has none. */
static void test_nvme(void **state)
{
	(void)state;
	tree_put("65536\n", "sys/block/nvme0n1/size");
	tree_put("0\n", "sys/block/nvme0n1/hidden");
	tree_put("65536\n", "sys/block/nvme0c0n1/size");
	tree_put("65536\n", "sys/block/nvme0c1n1/size");
	tree_put("1\n", "sys/block/nvme0c0n1/hidden");
	tree_put("1\n", "sys/block/nvme0c1n1/hidden");
	tree_put("live\n", "sys/block/nvme0c0n1/device/state");
	tree_put("connecting\n", "sys/block/nvme0c1n1/device/state");
	tree_put("non-optimized\n", "sys/block/nvme0c0n1/ana_state");
	tree_put("round-robin\n", "sys/class/nvme-subsystem/nvme-subsys0/iopolicy");
	tree_put("", "sys/class/nvme-subsystem/nvme-subsys0/nvme0n1/x");
	tree_put(" 259 0 nvme0c1n1 303 0 2424 132 0 0 0 0 0 144 132 0 0 0 0 0 0\n 259 2 nvme0n1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", "proc/diskstats");
	look(1);
	assert_string_equal(device("nvme0n1")->policy, "round-robin");
	assert_int_equal(device("nvme0n1")->depth, 0);
	assert_int_equal(device("nvme0c1n1")->parent, probe_find(s, "nvme0n1"));
	assert_string_equal(device("nvme0c1n1")->kind, "path");
	assert_int_equal(device("nvme0c1n1")->state.letter, '~');
	assert_int_equal(device("nvme0c0n1")->state.letter, '-');
	assert_int_equal(device("nvme0c1n1")->counters.reads, 303);
	assert_int_equal(device("nvme0n1")->counters.reads, 0);
}

/* A session to LIO, Linux 6.1. */
static void test_iscsi(void **state)
{
	(void)state;
	assert_true(tree_recorded("vm/s10_iscsi.txt", "-- /sys/class/iscsi_session/session1", "", "sys/devices/platform/host0/session1/iscsi_session/session1") > 20);
	assert_true(tree_recorded("vm/s10_iscsi.txt", "-- /sys/class/iscsi_connection/connection1:0", "", "sys/class/iscsi_connection/connection1:0") > 10);
	assert_true(tree_recorded("vm/s10_iscsi.txt", "-- /sys/class/iscsi_host/host0", "", "sys/class/iscsi_host/host0") > 3);
	tree_link("../../devices/platform/host0/session1/iscsi_session/session1", "sys/class/iscsi_session/session1");
	look(1);
	assert_int_equal(s->n_iscsi, 1);
	assert_string_equal(s->iscsi[0].target, "iqn.2026-01.org.iodeck:t0");
	assert_string_equal(s->iscsi[0].state, "LOGGED_IN");
	assert_string_equal(s->iscsi[0].connection_state, "up");
	assert_string_equal(s->iscsi[0].address, "127.0.0.1");
	assert_int_equal(s->iscsi[0].port, 3260);
	assert_int_equal(s->iscsi[0].recovery_tmo, 120);
	assert_int_equal(s->iscsi[0].host, 0);
	assert_string_equal(s->iscsi[0].netdev, ""); /* "(null)" is no name */
	is_state(PROBE_LINKS, SOURCE_ABSENT, "not of");
}

static void test_fc(void **state)
{
	(void)state;
	tree_put("Blocked\n", "sys/class/fc_remote_ports/rport-1:0-2/port_state");
	tree_put("FCP Target\n", "sys/class/fc_remote_ports/rport-1:0-2/roles");
	tree_put("0x50050768010e2f3a\n", "sys/class/fc_remote_ports/rport-1:0-2/port_name");
	tree_put("600\n", "sys/class/fc_remote_ports/rport-1:0-2/dev_loss_tmo");
	tree_put("off\n", "sys/class/fc_remote_ports/rport-1:0-2/fast_io_fail_tmo");
	look(1);
	assert_int_equal(s->n_ports, 1);
	assert_string_equal(s->port[0].state, "Blocked");
	assert_string_equal(s->port[0].port_name, "0x50050768010e2f3a");
	assert_int_equal(s->port[0].dev_loss_tmo, 600);
	assert_int_equal(s->port[0].fast_io_fail_tmo, -1);
}

static void test_md(void **state)
{
	(void)state;
	tree_put("194560\n", "sys/block/md0/size");
	tree_put("Personalities : [raid1] \nmd0 : active raid1 loop2[2] loop0[0]\n      97280 blocks super 1.2 [2/1] [U_]\n"
		 "      [===>.................]  recovery = 18.8% (18432/97280) finish=0.0min speed=18432K/sec\n      \nunused devices: <none>\n",
		 "proc/mdstat");
	tree_put("recover\n", "sys/block/md0/md/sync_action");
	tree_put("4000 (local)\n", "sys/block/md0/md/sync_speed_min");
	tree_put("200000 (system)\n", "sys/block/md0/md/sync_speed_max");
	tree_put("1\n", "sys/block/md0/md/degraded");
	look(1);
	assert_int_equal(s->n_md, 1);
	assert_string_equal(s->md[0].sync_action, "recover");
	assert_int_equal(s->md[0].speed_kib, 18432);
	assert_int_equal(s->md[0].speed_min_kib, 4000);
	assert_true(s->md[0].min_local && !s->md[0].max_local);
	assert_int_equal(s->md[0].degraded, 1);
	assert_int_equal(device("md0")->state.letter, '~');
	assert_string_equal(device("md0")->state.word, "recovery");
}

/* Links that lead out of the tree, absolute or by "..", end inside it: nothing outside is opened. */
static void test_links_stay_inside(void **state)
{
	(void)state;
	tree_link("/etc/hostname", "proc/mdstat");
	tree_link("../../../../../../../../../../proc/stat", "proc/stat");
	look(1);
	is_state(PROBE_MD, SOURCE_ABSENT, "mdstat");
	assert_int_not_equal(s->source[PROBE_CPU].state, SOURCE_OK);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(test_empty), TEST(test_four_states), TEST(test_scsi), TEST(test_rates), TEST(test_stat_file),	    TEST(test_tree),
		TEST(test_nvme),  TEST(test_iscsi),	  TEST(test_fc),   TEST(test_md),    TEST(test_links_stay_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
