/* The texts of the DASD driver: what each fixture says, and every cut of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dasd_text.h"
#include "fixture.h"

static uint64_t sum(const struct dasd_statistics *d, int h)
{
	uint64_t n = 0;

	for (int i = 0; i < DASD_ROWS; i++)
		n += d->row[h][i];
	return n;
}

static enum source_state parse_proc(const char *name, struct dasd_statistics *d)
{
	const char *why = NULL;
	size_t n;
	char *text = fixture(name, &n);
	enum source_state state = dasd_parse_proc(text, n, d, &why);

	free(text);
	assert_true(state == SOURCE_OK || why);
	return state;
}

static enum source_state parse_debugfs(const char *name, struct dasd_statistics *d)
{
	const char *why = NULL;
	size_t n;
	char *text = fixture(name, &n);
	enum source_state state = dasd_parse_debugfs(text, n, d, &why);

	free(text);
	assert_true(state == SOURCE_OK || why);
	return state;
}

static void test_proc_synthetic(void **state)
{
	static const struct {
		const char *name;
		uint64_t requests, sectors, scale, total_1ms, queue1;
	} want[] = {
		{ "dasd/proc_statistics.synth_0alias.txt", 20000, 1607544, 1, 1405, 899 },
		{ "dasd/proc_statistics.synth_10alias.txt", 20000, 1614352, 1, 8859, 16865 },
		{ "dasd/proc_statistics.synth_40alias.txt", 20000, 1617696, 1, 2894, 19947 },
		{ "dasd/proc_statistics.synth_scaled_x1500.txt", 30000000, 2400516000, 10, 13240500, 0 },
	};
	struct dasd_statistics d;

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_int_equal(parse_proc(want[i].name, &d), SOURCE_OK);
		assert_int_equal(d.counter[DASD_REQUESTS], want[i].requests);
		assert_int_equal(d.counter[DASD_SECTORS], want[i].sectors);
		assert_int_equal(d.scale, want[i].scale);
		assert_int_equal(d.row[DASD_TOTAL][8], want[i].total_1ms); /* column __1k */
		assert_int_equal(d.histograms, (1u << (DASD_QUEUE + 1)) - 1);
		for (int h = DASD_SIZES; h < DASD_QUEUE; h++)
			assert_int_equal(sum(&d, h), want[i].requests); /* each request is in each table once */
		if (want[i].queue1)
			assert_int_equal(d.row[DASD_QUEUE][1], want[i].queue1);
	}
}

/* 2.6 without a line of scale; the stored copy ends inside the third table. */
static void test_proc_of_ibm(void **state)
{
	struct dasd_statistics d;
	size_t n;
	char *text = fixture("dasd/proc_statistics.ibm_developerworks_partial.txt", &n), *third = strstr(text, "Histogram of I/O times per sector");
	const char *why;

	(void)state;
	assert_int_equal(dasd_parse_proc(text, n, &d, &why), SOURCE_MALFORMED);
	assert_int_equal(dasd_parse_proc(text, (size_t)(third - text), &d, &why), SOURCE_OK);
	assert_int_equal(d.counter[DASD_REQUESTS], 56881);
	assert_int_equal(d.counter[DASD_SECTORS], 5270816);
	assert_int_equal(sum(&d, DASD_SIZES), 56881);
	assert_int_equal(sum(&d, DASD_TOTAL), 56881);
	assert_int_equal(d.row[DASD_SIZES][2], 1039); /* "between 8 and 16 blocks" */
	assert_int_equal(d.histograms, 1u << DASD_SIZES | 1u << DASD_TOTAL);
	free(text);
}

static void test_off(void **state)
{
	struct dasd_statistics d;

	(void)state;
	assert_int_equal(parse_proc("dasd/proc_statistics.off.txt", &d), SOURCE_DISABLED);
	assert_int_equal(parse_proc("dasd/proc_statistics.not_built_in.txt", &d), SOURCE_DISABLED);
	assert_int_equal(parse_debugfs("dasd/debugfs_statistics.disabled.txt", &d), SOURCE_DISABLED);
}

static void test_debugfs(void **state)
{
	static const struct {
		const char *name;
		uint64_t requests, pav, hpf, avg_total, reads;
		bool averages;
	} want[] = {
		{ "dasd/debugfs_statistics.synth_0alias.txt", 20000, 0, 17959, 1978, 14048, true },
		{ "dasd/debugfs_statistics.synth_10alias.txt", 20000, 14128, 17997, 702, 13968, true },
		{ "dasd/debugfs_statistics.synth_40alias.txt", 20000, 18160, 17949, 1919, 14038, true },
		{ "dasd/debugfs_statistics.synth_old_noavg.txt", 20000, 14370, 17958, 0, 14041, false },
		{ "dasd/debugfs_statistics.ibm_doc_zero_noavg.txt", 0, 0, 0, 0, 0, false },
	};
	struct dasd_statistics d;

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_int_equal(parse_debugfs(want[i].name, &d), SOURCE_OK);
		assert_true(fabs(d.start_time - 1283518578.085869197) < 1e-5);
		assert_int_equal(d.counter[DASD_REQUESTS], want[i].requests);
		assert_int_equal(d.counter[DASD_PAV], want[i].pav);
		assert_int_equal(d.counter[DASD_HPF], want[i].hpf);
		assert_int_equal(d.counter[DASD_AVG_TOTAL], want[i].avg_total);
		assert_int_equal(!!(d.counters & 1u << DASD_AVG_TOTAL), want[i].averages);
		assert_int_equal(d.counter[DASD_READ_REQUESTS], want[i].reads);
		assert_int_equal(d.histograms, (1u << N_DASD_HISTOGRAMS) - 1);
		for (int h = DASD_SIZES; h < DASD_QUEUE; h++)
			assert_int_equal(sum(&d, h), want[i].requests);
		for (int h = DASD_READ_SIZES; h < DASD_READ_QUEUE; h++)
			assert_int_equal(sum(&d, h), want[i].reads);
	}
}

/* ---- cuts: what is told is what the whole text tells, or the text is malformed ---- */

static void same_as_whole(enum source_state state, const struct dasd_statistics *d, const struct dasd_statistics *whole)
{
	assert_true(state == SOURCE_OK || state == SOURCE_MALFORMED);
	if (state != SOURCE_OK)
		return;
	for (int i = 0; i < N_DASD_COUNTERS; i++)
		if (d->counters & 1u << i)
			assert_int_equal(d->counter[i], whole->counter[i]);
	for (int h = 0; h < N_DASD_HISTOGRAMS; h++)
		if (d->histograms & 1u << h)
			assert_memory_equal(d->row[h], whole->row[h], sizeof(d->row[h]));
	assert_true(isnan(d->start_time) || d->start_time == whole->start_time);
	assert_int_equal(d->scale, whole->scale);
}

static struct dasd_statistics of_whole; /* of the text being cut */

static void check_proc(const char *cut, size_t n, const char *whole, size_t length)
{
	struct dasd_statistics d;
	const char *why;

	(void)whole;
	(void)length;
	same_as_whole(dasd_parse_proc(cut, n, &d, &why), &d, &of_whole);
}

static void check_debugfs(const char *cut, size_t n, const char *whole, size_t length)
{
	struct dasd_statistics d;
	const char *why;

	(void)whole;
	(void)length;
	same_as_whole(dasd_parse_debugfs(cut, n, &d, &why), &d, &of_whole);
}

static void check_off(const char *cut, size_t n, const char *whole, size_t length)
{
	struct dasd_statistics d;
	const char *why;

	(void)whole;
	assert_int_equal(dasd_parse_proc(cut, n, &d, &why), n == length ? SOURCE_DISABLED : SOURCE_MALFORMED);
}

static void test_cuts(void **state)
{
	static const char *const proc[] = { "synth_0alias", "synth_10alias", "synth_40alias", "synth_scaled_x1500", "ibm_developerworks_partial" };
	static const char *const debugfs[] = { "synth_0alias", "synth_10alias", "synth_40alias", "synth_old_noavg", "ibm_doc_zero_noavg" };
	static const char *const off[] = { "off", "not_built_in" };
	char name[96];
	const char *why;
	size_t n;
	char *text;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "dasd/proc_statistics.%s.txt", proc[i]);
		text = fixture(name, &n);
		dasd_parse_proc(text, n, &of_whole, &why);
		every_cut(text, n, check_proc);
		free(text);
		snprintf(name, sizeof(name), "dasd/debugfs_statistics.%s.txt", debugfs[i]);
		text = fixture(name, &n);
		assert_int_equal(dasd_parse_debugfs(text, n, &of_whole, &why), SOURCE_OK);
		every_cut(text, n, check_debugfs);
		free(text);
	}
	for (size_t i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "dasd/proc_statistics.%s.txt", off[i]);
		text = fixture(name, &n);
		every_cut(text, n, check_off);
		free(text);
	}
}

/* ---- odd forms ---- */

static void test_signed_and_wrong(void **state)
{
	static const char head[] = " dasd I/O requests\nwith 5 sectors(512B each)\nScale Factor is  1\n   __<4\t   ___8\n   _256\t   _512\n";
	static const char *const bad[] = { "x", "", "12", "99999999999" };
	struct dasd_statistics d;
	char text[512];
	const char *why;

	(void)state;
	snprintf(text, sizeof(text), "-2%s", head); /* the counter is printed signed */
	assert_int_equal(dasd_parse_proc(text, strlen(text), &d, &why), SOURCE_OK);
	assert_int_equal(d.counter[DASD_REQUESTS], UINT32_MAX - 1);
	for (size_t i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "%s%s", bad[i], i == 2 ? " things\n" : head);
		assert_int_equal(dasd_parse_proc(text, strlen(text), &d, &why), SOURCE_MALFORMED);
	}
	assert_int_equal(dasd_parse_debugfs("total_requests 1\nhistogram_sectors 1 2\n", 39, &d, &why), SOURCE_MALFORMED);
	assert_int_equal(dasd_parse_debugfs("total_requests 1\nnew_thing in 2030\n", 35, &d, &why), SOURCE_OK);
}

static void test_delta(void **state)
{
	struct dasd_statistics a, b, d;

	(void)state;
	assert_int_equal(parse_debugfs("dasd/debugfs_statistics.synth_10alias.txt", &a), SOURCE_OK);
	b = a;
	b.counter[DASD_REQUESTS] += 100;
	b.counter[DASD_PAV] += 60;
	b.row[DASD_TO_IRQ][7] += 100;
	assert_true(dasd_statistics_delta(&a, &b, &d));
	assert_int_equal(d.counter[DASD_REQUESTS], 100);
	assert_int_equal(d.counter[DASD_PAV], 60);
	assert_int_equal(sum(&d, DASD_TO_IRQ), 100);
	assert_false(d.counters & 1u << DASD_AVG_TOTAL); /* a mean since switched on has no difference */
	assert_false(dasd_statistics_delta(&b, &a, &d)); /* reset */
	b.start_time += 1;
	assert_false(dasd_statistics_delta(&a, &b, &d)); /* switched off and on */
	b = a;
	b.scale = 10;
	assert_false(dasd_statistics_delta(&a, &b, &d));
}

/* ---- /proc/dasd/devices and UIDs ---- */

static void test_devices(void **state)
{
	static const struct {
		const char *busid, *discipline, *name, *state;
		bool block, read_only;
		int64_t blocks;
	} want[] = {
		{ "0.0.7500", "ECKD", "dasda", "active", true, false, 1803060 },
		{ "0.0.7501", "ECKD", "dasdb", "active", true, true, 1803060 },
		{ "0.0.7502", "ECKD", "dasdc", "active n/f", true, false, -1 },
		{ "0.0.7503", "none", "", "detected", false, false, -1 },
		{ "0.0.7504", "FBA", "dasdd", "unformatted", true, false, -1 },
	};
	struct dasd_device_line line;
	const char *at;
	size_t n;
	char *text = fixture("dasd/proc_devices.synth_states.txt", &n);

	(void)state;
	at = text;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_int_equal(dasd_devices_next(&at, text + n, &line), 1);
		assert_string_equal(line.busid, want[i].busid);
		assert_string_equal(line.discipline, want[i].discipline);
		assert_string_equal(line.name, want[i].name);
		assert_string_equal(line.state, want[i].state);
		assert_int_equal(line.has_block, want[i].block);
		assert_int_equal(line.read_only, want[i].read_only);
		assert_int_equal(line.blocks, want[i].blocks);
	}
	assert_int_equal(dasd_devices_next(&at, text + n, &line), 0);
	free(text);
}

static void test_real_devices(void **state)
{
	struct dasd_device_line line;
	const char *at;
	size_t n;
	char *text = fixture("dasd/proc_devices.real_zvm.txt", &n);

	(void)state;
	at = text;
	assert_int_equal(dasd_devices_next(&at, text + n, &line), 1);
	assert_string_equal(line.name, "dasda");
	assert_int_equal(line.major, 94);
	assert_int_equal(line.blocks, 600840);
	assert_int_equal(line.megabytes, 2347);
	free(text);
	text = fixture("dasd/s390-dasd-hercules.txt", &n);
	at = strstr(text, "0.0.0121(ECKD)");
	assert_int_equal(dasd_devices_next(&at, text + n, &line), 1);
	assert_string_equal(line.name, "dasdb");
	assert_int_equal(line.minor, 4);
	assert_int_equal(line.block_size, 4096);
	free(text);
}

static void check_devices(const char *cut, size_t n, const char *whole, size_t length)
{
	const char *at = cut, *full = whole;
	struct dasd_device_line line, other;
	int ret;

	while ((ret = dasd_devices_next(&at, cut + n, &line)) > 0) {
		assert_int_equal(dasd_devices_next(&full, whole + length, &other), 1);
		assert_string_equal(line.busid, other.busid);
		assert_string_equal(line.discipline, other.discipline);
		assert_string_equal(line.name, other.name);
		assert_string_equal(line.state, other.state);
		assert_int_equal(line.has_block, other.has_block);
		assert_int_equal(line.minor, other.minor);
		assert_int_equal(line.read_only, other.read_only);
		assert_int_equal(line.blocks, other.blocks);
		assert_int_equal(line.megabytes, other.megabytes);
	}
	assert_int_equal(ret, n && cut[n - 1] != '\n' ? -EINVAL : 0);
}

static void check_uid(const char *cut, size_t n, const char *whole, size_t length)
{
	struct dasd_uid uid;

	(void)whole;
	assert_int_equal(dasd_parse_uid(cut, n, &uid), n == length ? 0 : n ? -EINVAL : -ENODATA);
}

static void test_uids(void **state)
{
	struct dasd_uid uid;
	size_t n;
	char *text = fixture("dasd/proc_devices.synth_states.txt", &n);

	(void)state;
	every_cut(text, n, check_devices);
	free(text);
	assert_int_equal(dasd_parse_uid("IBM.75000000092461.e900.xx\n", 27, &uid), 0);
	assert_string_equal(uid.lcu, "IBM.75000000092461.e900");
	assert_string_equal(uid.ua, "xx");
	assert_int_equal(dasd_parse_uid("HRC.ZZ000000000001.0120.20\n", 27, &uid), 0); /* as Hercules tells */
	assert_string_equal(uid.lcu, "HRC.ZZ000000000001.0120");
	assert_int_equal(dasd_parse_uid("IBM.75000000092461.e900.01.0000000000000abc0000000000000000\n", 60, &uid), 0);
	assert_string_equal(uid.ua, "01");
	assert_string_equal(uid.vduit, "0000000000000abc0000000000000000");
	assert_int_equal(dasd_parse_uid("\n", 1, &uid), -ENODATA);
	assert_int_equal(dasd_parse_uid("\0BM.1.e900.01\n", 14, &uid), 0); /* found by fuzzing: a NUL made the LCU empty */
	assert_string_equal(uid.lcu, "?BM.1.e900");
	every_cut("IBM.75000000092461.e900.xx\n", 27, check_uid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_proc_synthetic), cmocka_unit_test(test_proc_of_ibm), cmocka_unit_test(test_off),
		cmocka_unit_test(test_debugfs),	       cmocka_unit_test(test_cuts),	   cmocka_unit_test(test_signed_and_wrong),
		cmocka_unit_test(test_delta),	       cmocka_unit_test(test_devices),	   cmocka_unit_test(test_real_devices),
		cmocka_unit_test(test_uids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
