/* Counters of block devices, and what they tell of an interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diskstats.h"
#include "fixture.h"

/* Lines of four generations of kernels; the last two are recorded (Linux 6.1 in a guest, 6.18). */
static const char lines[] =
	"   3       0 hda 446216 784926 9550688 4382310 424847 312726 5922052 19310380 0 3376340 23705160\n"
	"   3       1 hda1 35486 38030 38030 38030\n"
	" 104       0 cciss/c0d0 100 1 800 50 20 2 160 30 1 70 80 5 0 40 3\n"
	"   8      16 sdb 3 0 24 16 0 0 0 0 0 20 16 0 0 0 0 0 0\n"
	" 254       0 vda 15828068 121128 139690190 4882011 805792 192325 49334269 386810 0 446884 5352072 327618 59 51155432 81706 21075 1545\n";

static void test_generations(void **state)
{
	static const struct {
		const char *name;
		uint32_t fields, major;
		uint64_t reads, sectors_written, discards, flushes;
	} want[] = {
		{ "hda", 11, 3, 446216, 5922052, 0, 0 }, /* the line of its old partition is skipped */
		{ "cciss/c0d0", 15, 104, 100, 160, 5, 0 },
		{ "sdb", 17, 8, 3, 0, 0, 0 },
		{ "vda", 17, 254, 15828068, 49334269, 327618, 21075 },
	};
	const char *at = lines, *end = lines + strlen(lines);
	struct disk_line line;

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_int_equal(diskstats_next(&at, end, &line), 1);
		assert_string_equal(line.name, want[i].name);
		assert_int_equal(line.major, want[i].major);
		assert_int_equal(line.c.n_fields, want[i].fields);
		assert_int_equal(line.c.reads, want[i].reads);
		assert_int_equal(line.c.sectors_written, want[i].sectors_written);
		assert_int_equal(line.c.discards, want[i].discards);
		assert_int_equal(line.c.flushes, want[i].flushes);
	}
	assert_int_equal(diskstats_next(&at, end, &line), 0);
}

static void test_wrong_forms(void **state)
{
	static const char *const bad[] = {
		"8 0 sda 1 2 3\n", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12\n", "8 0 sda 1 2 3 4 5 6 7 8 9 10 x\n", "8 0\n", "\n",
		"8 0 sda 1 2 3 4 5 6 7 8 9 10 99999999999999999999\n", "8 0 sda 1 2 3 4 5 6 7 8 9 10 -1\n", "x 0 sda 1 2 3 4 5 6 7 8 9 10 11\n",
	};
	struct disk_line line;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *at = bad[i];

		assert_int_equal(diskstats_next(&at, bad[i] + strlen(bad[i]), &line), -EINVAL);
		assert_ptr_equal(at, bad[i] + strlen(bad[i])); /* the rest of the file is read on */
	}
}

static void same_counters(const struct disk_counters *a, const struct disk_counters *b)
{
	const uint64_t x[] = { a->n_fields, a->reads, a->reads_merged, a->sectors_read, a->read_ms, a->writes, a->writes_merged, a->sectors_written, a->write_ms,
			       a->in_flight, a->busy_ms, a->queue_ms, a->discards, a->discards_merged, a->sectors_discarded, a->discard_ms, a->flushes, a->flush_ms };
	const uint64_t y[] = { b->n_fields, b->reads, b->reads_merged, b->sectors_read, b->read_ms, b->writes, b->writes_merged, b->sectors_written, b->write_ms,
			       b->in_flight, b->busy_ms, b->queue_ms, b->discards, b->discards_merged, b->sectors_discarded, b->discard_ms, b->flushes, b->flush_ms };

	assert_memory_equal(x, y, sizeof(x));
}

/* A cut gives the lines that are whole, and is told apart from an end. */
static void check_cut(const char *cut, size_t n, const char *whole, size_t length)
{
	const char *at = cut, *full = whole;
	struct disk_line line, other;
	int ret;

	while ((ret = diskstats_next(&at, cut + n, &line)) > 0) {
		assert_int_equal(diskstats_next(&full, whole + length, &other), 1);
		same_counters(&line.c, &other.c);
		assert_string_equal(line.name, other.name);
	}
	assert_int_equal(ret, n && cut[n - 1] != '\n' ? -EINVAL : 0);
}

static void test_cuts(void **state)
{
	(void)state;
	every_cut(lines, strlen(lines), check_cut);
}

static const char stat_text[] = "       3        0       24       54        0        0        0        0        0       96       54        0        0        0        0        0        0\n";

static void check_stat(const char *cut, size_t n, const char *whole, size_t length)
{
	struct disk_counters c;
	int64_t r, w;

	(void)whole;
	assert_int_equal(diskstats_parse_stat(cut, n, &c), n == length ? 0 : -EINVAL);
	assert_int_equal(diskstats_parse_inflight(cut, n, &r, &w), -EINVAL);
}

static void check_inflight(const char *cut, size_t n, const char *whole, size_t length)
{
	int64_t r, w;

	(void)whole;
	assert_int_equal(diskstats_parse_inflight(cut, n, &r, &w), n == length ? 0 : -EINVAL);
}

static void test_device_files(void **state)
{
	struct disk_counters c;
	int64_t r, w;

	(void)state;
	assert_int_equal(diskstats_parse_stat(stat_text, strlen(stat_text), &c), 0);
	assert_int_equal(c.reads, 3);
	assert_int_equal(c.busy_ms, 96);
	every_cut(stat_text, strlen(stat_text), check_stat);
	assert_int_equal(diskstats_parse_inflight("      16        2\n", 18, &r, &w), 0);
	assert_int_equal(r, 16);
	assert_int_equal(w, 2);
	every_cut("      16        2\n", 18, check_inflight);
}

static void near(double value, double want) { assert_true(fabs(value - want) <= 0.005 + fabs(want) * 1e-4); }

/* The line of fixtures/iostat/iostat_dxy_nullb.txt from counters that lead to it. */
static void test_iostat_line(void **state)
{
	struct disk_counters a = { .n_fields = 17, .reads = 100, .sectors_read = 800, .read_ms = 4000000000u, .busy_ms = 7, .queue_ms = 4294960000u };
	struct disk_counters b = a;
	struct disk_rates r;

	(void)state;
	b.reads += 720;
	b.sectors_read += 5760;
	b.read_ms += 18850; /* both wrap at 2^32 */
	b.queue_ms += 18850;
	b.busy_ms += 1344;
	assert_true(diskstats_rates(&a, &b, 1.4, &r));
	near(r.r_s, 514.29);
	near(r.rkb_s, 2057.14);
	near(r.r_await, 26.18);
	near(r.rareq_sz, 4.00);
	near(r.w_await, 0);
	near(r.aqu_sz, 13.46);
	near(r.util, 96.00);
	assert_false(r.stalled);
}

static void test_wraps_and_new_devices(void **state)
{
	struct disk_counters a = { .n_fields = 17, .reads = 10, .writes = 4294967290u, .write_ms = 4294967000u, .busy_ms = 4294967290u, .in_flight = 1 };
	struct disk_counters b = a;
	struct disk_rates r;

	(void)state;
	b.writes = 4; /* ten writes on a kernel of 32 bits */
	b.write_ms = 204;
	b.busy_ms = 3000;
	assert_true(diskstats_rates(&a, &b, 1, &r));
	near(r.w_s, 10);
	near(r.w_await, 50);
	near(r.util, 100); /* jiffies gave 300 % */
	b.reads = 3; /* no wrap explains that: the device was made anew */
	assert_false(diskstats_rates(&a, &b, 1, &r));
	assert_true(isnan(r.r_s) && isnan(r.w_s) && isnan(r.util));
	assert_false(diskstats_rates(&a, &a, 0, &r));
	assert_true(diskstats_rates(&a, &a, 1, &r));
	assert_true(r.stalled); /* one is in flight, none comes back */
	b = a;
	b.reads++;
	assert_true(diskstats_rates(&a, &b, 1, &r));
	assert_false(r.stalled);
}

/* What a kernel does not count is unknown, not 0. */
static void test_old_kernels(void **state)
{
	struct disk_counters a = { .n_fields = 11 }, b = { .n_fields = 15 };
	struct disk_rates r;

	(void)state;
	assert_true(diskstats_rates(&a, &a, 1, &r));
	assert_true(isnan(r.d_s) && isnan(r.f_s) && r.r_s == 0);
	assert_true(diskstats_rates(&b, &b, 1, &r));
	assert_true(r.d_s == 0 && isnan(r.f_s));
	assert_false(diskstats_rates(&a, &b, 1, &r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generations), cmocka_unit_test(test_wrong_forms),		  cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_device_files), cmocka_unit_test(test_iostat_line),	  cmocka_unit_test(test_wraps_and_new_devices),
		cmocka_unit_test(test_old_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
