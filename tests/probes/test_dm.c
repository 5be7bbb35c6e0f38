/* Tables, status and statistics of the device mapper, as recorded from Linux 6.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dm.h"

static const char *const tables[] = {
	"0 131072 multipath 1 queue_if_no_path 0 2 1 round-robin 0 1 1 8:0 1 round-robin 0 1 1 8:16 1 ",
	"0 131072 multipath 0 0 1 1 queue-length 0 2 1 8:0 1 8:16 1 ",
	"0 131072 multipath 0 0 1 1 service-time 0 2 2 8:0 1 2 8:16 1 1 ",
	"0 131072 multipath 3 pg_init_retries 5 retain_attached_hw_handler 1 alua 1 1 service-time 0 2 2 8:0 1 1 8:16 1 1 ",
	"0 131072 multipath 1 queue_if_no_path 1 alua 1 1 queue-length 0 2 1 8:0 1 8:16 1 ",
	"0 65536 multipath 0 0 1 1 historical-service-time 2 972 0 4 1 8:0 0 8:16 0 8:32 0 8:48 0 ",
};
static const struct {
	const char *line;
	uint32_t active, fails0;
	char group0;
	int64_t in_flight1;
} states[] = {
	{ "0 131072 multipath 2 1 0 0 2 1 E 0 1 0 8:0 A 0 E 0 1 0 8:16 A 0 ", 2, 0, 'E', -1 },
	{ "0 131072 multipath 2 1 0 0 2 1 D 0 1 0 8:0 A 1 E 0 1 0 8:16 A 0 ", 2, 1, 'D', -1 },
	{ "0 131072 multipath 2 0 0 0 2 1 E 0 1 0 8:0 F 1 E 0 1 0 8:16 F 2 ", 0, 1, 'E', -1 },
	{ "0 131072 multipath 2 0 1 0 1 1 A 0 2 1 8:0 A 0 0 8:16 A 1 0 ", 2, 0, 'A', 0 },
	{ "0 131072 multipath 2 0 1 0 1 1 A 0 2 2 8:0 F 1 0 1 8:16 A 0 4096 1 ", 1, 1, 'A', 4096 },
	{ "0 131072 multipath 2 0 0 0 0 0 ", 0, 0, 0, 0 }, /* a map without a path */
};
enum { N_TABLES = sizeof(tables) / sizeof(tables[0]), N_STATES = sizeof(states) / sizeof(states[0]) };

static void test_status(void **state)
{
	(void)state;
	for (int i = 0; i < N_STATES; i++) {
		struct dm_multipath m;
		struct dm_line line;

		assert_int_equal(dm_parse_line(states[i].line, &line), 0);
		assert_string_equal(line.type, "multipath");
		assert_int_equal(dm_parse_multipath_status(line.params, &m), 0);
		assert_int_equal(dm_active_paths(&m), states[i].active);
		if (!m.n_paths)
			continue;
		assert_int_equal(m.group[0].state, states[i].group0);
		assert_int_equal(m.path[0].fails, states[i].fails0);
		assert_int_equal(m.path[1].in_flight, states[i].in_flight1);
	}
}

static void test_table(void **state)
{
	struct dm_multipath m;
	struct dm_line line;

	(void)state;
	assert_int_equal(dm_parse_line(tables[0], &line), 0);
	assert_int_equal(dm_parse_multipath_table(line.params, &m), 0);
	assert_true(m.queue_if_no_path);
	assert_int_equal(m.n_groups, 2);
	assert_string_equal(m.group[1].selector, "round-robin");
	assert_string_equal(m.path[1].dev, "8:16");
	assert_int_equal(m.path[1].group, 1);
	assert_int_equal(dm_parse_line(tables[5], &line), 0);
	assert_int_equal(dm_parse_multipath_table(line.params, &m), 0);
	assert_int_equal(m.n_paths, 4);
	assert_string_equal(m.group[0].selector, "historical-service-time");
}

/* A cut at any byte is refused, or says less (a number cut inside itself), never more; and nothing is read beyond it. */
static void test_cuts(void **state)
{
	(void)state;
	for (int i = 0; i < N_TABLES + N_STATES; i++) {
		const char *line = i < N_TABLES ? tables[i] : states[i - N_TABLES].line;

		for (size_t n = 0; n < strlen(line); n++) {
			char *copy = strndup(line, n);
			struct dm_multipath m;
			struct dm_line l;
			int ret = dm_parse_line(copy, &l);

			if (!ret)
				ret = i < N_TABLES ? dm_parse_multipath_table(l.params, &m) : dm_parse_multipath_status(l.params, &m);
			if (!ret) {
				const char *rest = line + n;

				/* all words are there: only digits or the blank of the last one are missing */
				assert_true(strspn(rest, "0123456789 ") == strlen(rest));
				assert_true(strlen(rest) <= 4);
			}
			free(copy);
		}
	}
}

static void test_other_selector(void **state)
{
	static const struct {
		int table;
		const char *selector, *wanted;
	} rows[] = {
		{ 0, "queue-length", "1 queue_if_no_path 0 2 1 queue-length 0 1 1 8:0 1 queue-length 0 1 1 8:16 1" },
		{ 1, "service-time", "0 0 1 1 service-time 0 2 2 8:0 1 1 8:16 1 1" },
		{ 3, "round-robin", "3 pg_init_retries 5 retain_attached_hw_handler 1 alua 1 1 round-robin 0 2 1 8:0 1 8:16 1" },
		{ 5, "queue-length", "0 0 1 1 queue-length 0 4 1 8:0 1 8:16 1 8:32 1 8:48 1" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct strbuf out = { 0 };
		struct dm_line line;

		assert_int_equal(dm_parse_line(tables[rows[i].table], &line), 0);
		assert_int_equal(dm_with_selector(line.params, rows[i].selector, 1, &out), 0);
		assert_string_equal(out.text, rows[i].wanted);
		strbuf_release(&out);
	}
}

static void test_switch(void **state)
{
	static const uint32_t three[] = { 0, 1, 2 };
	struct strbuf out = { 0 };
	struct dm_switch sw;
	struct dm_line line;

	(void)state;
	assert_int_equal(dm_parse_line("0 131072 switch 2 128 0 8:0 0 8:16 0", &line), 0);
	assert_int_equal(dm_parse_switch_table(&line, &sw), 0);
	assert_int_equal(sw.n_paths, 2);
	assert_int_equal(sw.n_regions, 1024);
	dm_switch_message(&sw, three, 3, &out);
	assert_string_equal(out.text, "set_region_mappings 0:0 :1 :2 R3,3fd"); /* hexadecimal */
	strbuf_release(&out);
	sw.n_regions = 2;
	dm_switch_message(&sw, three, 3, &out);
	assert_string_equal(out.text, "set_region_mappings 0:0 :1");
	strbuf_release(&out);
	assert_int_equal(dm_parse_line("0 131072 switch ", &line), 0);
	assert_int_equal(dm_parse_switch_table(&line, &sw), -EINVAL); /* its status says nothing */
}

static void test_stats(void **state)
{
	static const char list[] = "0: 0+65536 65536 iodeck hello precise_timestamps histogram:100000,1000000,4000000,10000000,20000000";
	static const char print[] = "0+65536 50 46 400 1020036550 5 3 640 139094150 0 214309230 214309230 190114260 24194970 0:0:0:0:29:26";
	struct dm_stats s;

	(void)state;
	assert_int_equal(dm_parse_stats_list(list, &s), 0);
	assert_int_equal(s.n_bounds, 5);
	assert_true(s.precise);
	assert_int_equal(dm_parse_stats_print(print, &s), 0);
	assert_int_equal(s.reads, 50);
	assert_int_equal(s.writes, 5);
	assert_int_equal(s.read_time, 1020036550); /* of all requests together: 20.4 ms each */
	assert_int_equal(s.write_time, 139094150);
	assert_int_equal(s.n_buckets, 6);
	assert_int_equal(s.bucket[4], 29);
	assert_int_equal(s.bucket[5], 26);
	for (size_t n = 0; n < sizeof(print) - 1; n++) {
		char *copy = strndup(print, n);
		struct dm_stats cut = s;

		if (!dm_parse_stats_print(copy, &cut))
			assert_true(n >= sizeof(print) - 2); /* the last number alone may be cut */
		free(copy);
	}
	assert_int_equal(dm_parse_stats_list("1: 0+65536 65536 - -", &s), 0);
	assert_int_equal(dm_parse_stats_print("0+65536 200 197 1600 628 0 0 0 0 0 632 632 632 0", &s), 0);
	assert_int_equal(s.n_buckets, 0);
	assert_int_equal(dm_parse_stats_list("x: 0+1", &s), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status), cmocka_unit_test(test_table),	      cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_switch), cmocka_unit_test(test_other_selector), cmocka_unit_test(test_stats),
	};

	return cmocka_run_group_tests_name("dm", tests, NULL, NULL);
}
