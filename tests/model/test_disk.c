/* The disk's turns and its read-ahead, T1 T2 T3 T7 T8 of MODEL.md 8b: completion times to the nanosecond. Nothing else in the array takes
 * time: position 4 ms, media 62.5 MiB/s, so a host request h of 128 KiB takes 6 ms and a relocation r of 1 MiB 20 ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/parts.h"

#define MS INT64_C(1000000)
#define KIB UINT64_C(1024)

enum { MOST = 8 };

/* What is sent and when it must come back, both in ms. In the order of sending. */
struct sent {
	int at, back;
	char kind; /* h: host, random; r: relocation; s: host, sequential */
};
struct row {
	const char *name;
	int slice_ms;
	uint64_t readahead_kib;
	uint32_t streams;
	struct sent sent[MOST];
	int busy_ms;
};

static const struct row rows[] = {
	{"T1 turns", 10, 0, 8,
	 {{0, 6, 'h'}, {0, 12, 'h'}, {0, 38, 'h'}, {0, 44, 'h'}, {0, 70, 'h'}, {0, 76, 'h'}, {0, 32, 'r'}, {0, 64, 'r'}}, 76},
	{"T2 first come, first served", 0, 0, 8,
	 {{0, 6, 'h'}, {0, 26, 'r'}, {0, 32, 'h'}, {0, 52, 'r'}, {0, 58, 'h'}, {0, 64, 'h'}, {0, 70, 'h'}, {0, 76, 'h'}}, 76},
	{"T3 read-ahead", 0, 256, 8, {{0, 6, 's'}, {10, 12, 's'}, {13, 14, 's'}, {20, 20, 's'}}, 16},
	{"T3 with turns", 10, 256, 8, {{0, 6, 's'}, {10, 12, 's'}, {13, 14, 's'}, {20, 20, 's'}}, 16},
	{"T7 an empty class gives way at once", 10, 0, 8, {{0, 6, 'h'}, {0, 26, 'r'}, {0, 46, 'r'}, {30, 52, 'h'}}, 52},
	{"T8 a slice counts from taking the disk", 10, 0, 8, {{0, 6, 'h'}, {0, 12, 'h'}, {7, 32, 'r'}, {8, 38, 'h'}, {8, 44, 'h'}}, 44},
	/* read-ahead counts as host work, so the third read is there at 11 when the turn ends; after the relocation the head has to go back */
	{"read-ahead is host work", 10, 128, 8, {{0, 6, 's'}, {7, 9, 's'}, {7, 31, 'r'}, {8, 11, 's'}, {32, 37, 's'}}, 38},
	{"a new stream in the place of an old one", 10, 256, 1, {{0, 6, 'h'}, {0, 12, 'h'}, {13, 19, 'h'}}, 18},
};

static struct array *build(const struct row *row)
{
	struct array_spec p = {
		.members = 1,
		.servers = 64,
		.page_bytes = 1 << 20,
		.disk_layout = LAYOUT_JBOD,
		.disk_count = 1,
		.disk_position = {.mean_ns = 4 * MS},
		.disk_mibps = 62.5,
		.disk_streams = row->streams,
		.disk_slice_ns = row->slice_ms * MS,
		.disk_readahead_bytes = row->readahead_kib * KIB,
	};
	struct array *a = array_new(&p, 1, 1, 1, 1, 0, NULL);

	assert_non_null(a);
	return a;
}

static void take_back(struct array *a, const struct row *row, int64_t until_ns, int *n_back)
{
	int64_t id;

	while ((id = array_run(a, until_ns)) >= 0) {
		int64_t due = row->sent[id].back * MS;
		if (array_now(a) != due)
			fail_msg("%s: request %d at %.6f ms for %.6f", row->name, (int)id + 1, (double)array_now(a) / 1e6,
				 (double)due / 1e6);
		++*n_back;
	}
}

static void case_of_row(void **state)
{
	const struct row *row = *state;
	struct array *a = build(row);
	uint64_t sequential = 0;
	int n = 0, n_back = 0;

	for (; n < MOST && row->sent[n].kind; n++) {
		const struct sent *s = &row->sent[n];
		struct array_command c = {.entry = ARRAY_DIRECT, .bytes = 128 * KIB, .offset_bytes = (uint64_t)(n + 1) << 32};
		if (s->kind == 's') {
			c.offset_bytes = sequential;
			sequential += c.bytes;
		} else if (s->kind == 'r') {
			c.relocation = true;
			c.bytes = 1024 * KIB;
		}
		take_back(a, row, s->at * MS, &n_back);
		array_submit(a, (uint32_t)n, &c);
	}
	take_back(a, row, 1000 * MS, &n_back);
	assert_int_equal(n_back, n);
	assert_int_equal(a->disk[0].busy_ns, row->busy_ms * MS);
	if (sequential) {
		assert_int_equal(a->disk[0].stream[0].front, sequential + row->readahead_kib * KIB);
		assert_false(a->disk[0].stream[1].used); /* a relocation takes no stream */
	}
	array_free(a);
}

int main(void)
{
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	struct CMUnitTest tests[N];

	for (size_t i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){rows[i].name, case_of_row, NULL, NULL, (void *)&rows[i]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
