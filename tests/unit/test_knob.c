/* The knobs: names and letters, values as text, what applies, what is allowed, one step up and down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

/* Two jobs, DASD with a pool, so that most knobs apply. */
static void fill(struct config *cfg)
{
	config_init(cfg);
	cfg->n_jobs = 2;
	cfg->job[0] = (struct job_spec){ .name = "users", .rw = RW_RANDREAD, .bs_bytes = 8192, .iodepth = 1, .numjobs = 84, .rwmixread = 50, .think = { 6000000, 1 } };
	cfg->job[1] = (struct job_spec){ .name = "db.wr 2", .kind = JOB_BURST, .rw = RW_RANDWRITE, .bs_bytes = 8192, .iodepth = 1, .numjobs = 1, .burst = 150 };
	cfg->host.device = DEVICE_DASD;
	cfg->host.alias_mode = ALIAS_HYPERPAV;
}

static struct config *new_config(void)
{
	struct config *cfg = malloc(sizeof(*cfg));

	assert_non_null(cfg);
	fill(cfg);
	return cfg;
}

/* UI.md 3.12: keys the deck has taken. */
static void letters_are_free(void **state)
{
	static const char taken[] = "?q:123456+-[]hljk =u0rRxw/nNzgCvf";

	(void)state;
	for (int i = 0; i < N_KNOBS; i++) {
		assert_null(strchr(taken, knob_table[i].key));
		for (int j = 0; j < i; j++) {
			assert_int_not_equal(knob_table[i].key, knob_table[j].key);
			assert_string_not_equal(knob_table[i].name, knob_table[j].name);
		}
	}
}

static const struct {
	const char *name;
	int ret, id, job;
	const char *text;
} names[] = {
	{ "qd", 0, KNOB_QD, 0, NULL },
	{ "path", 0, KNOB_PATH, 0, NULL },
	{ "jobs", 0, KNOB_JOBS, 0, NULL },
	{ "users.jobs", 0, KNOB_JOBS, 0, NULL },
	{ "db.wr 2.think", 0, KNOB_THINK, 1, NULL },
	{ "alias", -ENOENT, 0, 0, "unknown knob 'alias' (nearest: aliases)" },
	{ "QD", -ENOENT, 0, 0, "unknown knob 'QD' (nearest: qd)" },
	{ "mirrors", -ENOENT, 0, 0, "unknown knob 'mirrors'" },
	{ "user.jobs", -ENOENT, 0, 0, "unknown job 'user' (nearest: users)" },
	{ "users.qd", -ENOENT, 0, 0, "qd is a knob of the host, not of a job: write qd" },
	{ "", -ENOENT, 0, 0, "unknown knob ''" },
	{ ".jobs", -ENOENT, 0, 0, "unknown job ''" },
	{ "a\033[31m", -ENOENT, 0, 0, "unknown knob 'a?[31m'" },
};

static void names_are_found(void **state)
{
	struct config *cfg = new_config();

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct knob_ref ref = { 0 };
		struct err err = { "" };

		assert_int_equal(knob_find(cfg, names[i].name, &ref, &err), names[i].ret);
		if (names[i].text && !strstr(err.text, names[i].text))
			fail_msg("'%s': %s", names[i].name, err.text);
		assert_int_equal(ref.id, names[i].id);
		assert_int_equal(ref.job, names[i].job);
	}
	cfg->n_jobs = 0;
	assert_int_equal(knob_find(cfg, "bs", &(struct knob_ref){ 0 }, NULL), -ENOENT);
	free(cfg);
}

/* What a person writes, and how it is written back. */
static const struct {
	int id;
	const char *text;
	int64_t value;
	const char *back;
} values[] = {
	{ KNOB_QD, "1", 1, "1" },
	{ KNOB_QD, "1024", 1024, "1024" },
	{ KNOB_QD, "010", 10, "10" },
	{ KNOB_ALIASES, "0", 0, "0" },
	{ KNOB_PATH, "failover", 0, "failover" },
	{ KNOB_PATH, "round-robin", INT64_C(1) << 32 | 1000, "round-robin:1000" },
	{ KNOB_PATH, "round-robin:10", INT64_C(1) << 32 | 10, "round-robin:10" },
	{ KNOB_PATH, "round-robin:4294967295", INT64_C(1) << 32 | 4294967295, "round-robin:4294967295" },
	{ KNOB_PATH, "queue-length", INT64_C(2) << 32, "queue-length" },
	{ KNOB_PATH, "service-time", INT64_C(3) << 32, "service-time" },
	{ KNOB_PATH, "page-owner", INT64_C(4) << 32, "page-owner" },
	{ KNOB_JOBS, "4096", 4096, "4096" },
	{ KNOB_BS, "8k", 8192, "8KiB" },
	{ KNOB_BS, "4kB", 4000, "4kB" },
	{ KNOB_BS, "4m", 4 << 20, "4MiB" },
	{ KNOB_MIX, "100", 100, "100" },
	{ KNOB_THINK, "6ms", 6000000, "6ms" },
	{ KNOB_THINK, "0", 0, "0" },
	{ KNOB_THINK, "1.5ms", 1500000, "1500us" },
	{ KNOB_RATE, "10000000", 10000000, "10000000" },
};

static void values_are_read_and_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct knob_ref ref = { .id = (uint8_t)values[i].id };
		struct err err = { "" };
		int64_t value = -1;
		char buf[64];

		if (knob_parse(ref, values[i].text, &value, &err))
			fail_msg("'%s': %s", values[i].text, err.text);
		assert_int_equal(value, values[i].value);
		assert_string_equal(knob_format(ref, value, buf, sizeof(buf)), values[i].back);
		assert_int_equal(knob_parse(ref, buf, &value, &err), 0);
		assert_int_equal(value, values[i].value);
	}
}

static const struct {
	int id;
	const char *text;
	int ret;
	const char *why;
} refused[] = {
	{ KNOB_QD, "0", -ERANGE, "0 is outside 1..1024" },
	{ KNOB_QD, "1025", -ERANGE, "1025 is outside 1..1024" },
	{ KNOB_QD, "-1", -EINVAL, "is not a number" },
	{ KNOB_QD, "+1", -EINVAL, "is not a number" },
	{ KNOB_QD, "1e3", -EINVAL, "behind the digits" },
	{ KNOB_QD, "32x", -EINVAL, "behind the digits" },
	{ KNOB_QD, "0x20", -EINVAL, "behind the digits" },
	{ KNOB_QD, " 1", -EINVAL, "is not a number" },
	{ KNOB_QD, "", -EINVAL, "is not a number" },
	{ KNOB_QD, "99999999999999999999", -ERANGE, "64 bit" },
	{ KNOB_QD, "18446744073709551615", -ERANGE, "is outside 1..1024" },
	{ KNOB_ALIASES, "1025", -ERANGE, "1025 is outside 0..1024" },
	{ KNOB_PATH, "failover:3", -EINVAL, "failover takes no number" },
	{ KNOB_PATH, "round-robin:0", -ERANGE, "must be 1..4294967295" },
	{ KNOB_PATH, "round-robin:", -EINVAL, "the number behind 'round-robin:'" },
	{ KNOB_PATH, "round-robin:x", -EINVAL, "the number behind 'round-robin:'" },
	{ KNOB_PATH, "round-robin:4294967296", -ERANGE, "must be 1..4294967295" },
	{ KNOB_PATH, "page-owner:2", -EINVAL, "page-owner takes no number" },
	{ KNOB_PATH, "failovr", -EINVAL, "(nearest: failover)" },
	{ KNOB_PATH, "", -EINVAL, "unknown path policy ''" },
	{ KNOB_JOBS, "4097", -ERANGE, "4097 is outside 0..4096" },
	{ KNOB_BS, "511", -ERANGE, "511B is outside 512B..4MiB" },
	{ KNOB_BS, "4KiBx", -EINVAL, "unknown unit" },
	{ KNOB_BS, "8M", -ERANGE, "8MiB is outside 512B..4MiB" },
	{ KNOB_BS, "4,5k", -EINVAL, "unknown unit" },
	{ KNOB_MIX, "101", -ERANGE, "101 is outside 0..100" },
	{ KNOB_MIX, "75%", -EINVAL, "behind the digits" },
	{ KNOB_THINK, "6", -EINVAL, "has no unit" },
	{ KNOB_THINK, "2h", -ERANGE, "2h is outside 0..1h" },
	{ KNOB_RATE, "10000001", -ERANGE, "10000001 is outside 0..10000000" },
};

static void bad_values_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct knob_ref ref = { .id = (uint8_t)refused[i].id };
		struct err err = { "" };
		int64_t value = 77;
		int ret = knob_parse(ref, refused[i].text, &value, &err);

		if (ret != refused[i].ret || !strstr(err.text, refused[i].why))
			fail_msg("'%s': %d %s", refused[i].text, ret, err.text);
		assert_int_equal(value, 77);
	}
}

/* Every knob of every job keeps what was put, and changes nothing else's value. */
static void what_is_put_is_got(void **state)
{
	struct config *cfg = new_config();

	(void)state;
	for (uint8_t id = 0; id < N_KNOBS; id++)
		for (uint8_t job = 0; job < (id < KNOB_FIRST_OF_JOB ? 1 : 2); job++) {
			struct knob_ref ref = { .id = id, .job = job };
			int64_t top = id == KNOB_PATH ? 0 : knob_table[id].max;

			fill(cfg);
			knob_put(cfg, ref, top);
			assert_int_equal(knob_get(cfg, ref), top);
			knob_put(cfg, ref, knob_table[id].min);
			assert_int_equal(knob_get(cfg, ref), knob_table[id].min);
		}
	fill(cfg);
	knob_put(cfg, (struct knob_ref){ .id = KNOB_IODEPTH, .job = 1 }, 9);
	assert_int_equal(cfg->job[1].iodepth, 9);
	assert_int_equal(cfg->job[1].numjobs, 1);
	assert_int_equal(cfg->job[0].iodepth, 1);
	free(cfg);
}

/* mix makes a one-way job mixed; a rate makes a closed job open and back, never a burst. */
static void side_effects(void **state)
{
	struct config *cfg = new_config();
	struct knob_ref mix = { .id = KNOB_MIX }, rate = { .id = KNOB_RATE };

	(void)state;
	assert_int_equal(knob_get(cfg, mix), 100);
	assert_int_equal(knob_get(cfg, (struct knob_ref){ .id = KNOB_MIX, .job = 1 }), 0);
	knob_put(cfg, mix, 75);
	assert_int_equal(cfg->job[0].rw, RW_RANDRW);
	assert_int_equal(knob_get(cfg, mix), 75);
	cfg->job[0].rw = RW_WRITE;
	knob_put(cfg, mix, 30);
	assert_int_equal(cfg->job[0].rw, RW_RW);
	knob_put(cfg, rate, 500);
	assert_int_equal(cfg->job[0].kind, JOB_OPEN);
	knob_put(cfg, rate, 0);
	assert_int_equal(cfg->job[0].kind, JOB_CLOSED);
	rate.job = 1;
	knob_put(cfg, rate, 500);
	assert_int_equal(cfg->job[1].kind, JOB_BURST);
	free(cfg);
}

static void knobs_without_effect_say_why(void **state)
{
	struct config *cfg = new_config();
	const char *why;

	(void)state;
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_QD }, &why));
	assert_string_equal(why, "DASD: one request per base or alias");
	assert_true(knob_applies(cfg, (struct knob_ref){ .id = KNOB_ALIASES }, &why));
	assert_null(why);
	cfg->host.alias_mode = ALIAS_NONE;
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_ALIASES }, &why));
	assert_string_equal(why, "alias_mode is none");
	cfg->host.device = DEVICE_SCSI;
	assert_true(knob_applies(cfg, (struct knob_ref){ .id = KNOB_QD }, NULL));
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_ALIASES }, &why));
	assert_non_null(strstr(why, "SCSI"));
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_PATH }, NULL));
	cfg->host.paths = 2;
	assert_true(knob_applies(cfg, (struct knob_ref){ .id = KNOB_PATH }, NULL));
	assert_true(knob_applies(cfg, (struct knob_ref){ .id = KNOB_IODEPTH }, NULL));
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_IODEPTH, .job = 1 }, NULL));
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_RATE, .job = 1 }, NULL));
	cfg->job[0].arrival_iops = 10;
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_THINK }, NULL));
	assert_false(knob_applies(cfg, (struct knob_ref){ .id = KNOB_IODEPTH }, NULL));
	assert_true(knob_applies(cfg, (struct knob_ref){ .id = KNOB_BS }, NULL));
	free(cfg);
}

static void too_many_in_flight_are_refused(void **state)
{
	struct knob_ref jobs = { .id = KNOB_JOBS }, depth = { .id = KNOB_IODEPTH };
	struct config *cfg = new_config();
	struct err err = { "" };

	(void)state;
	cfg->job[0].iodepth = 16;
	assert_int_equal(knob_check(cfg, jobs, 4096, &err), 0);
	cfg->job[0].iodepth = 17;
	assert_int_equal(knob_check(cfg, jobs, 4096, &err), -ERANGE);
	assert_string_equal(err.text, "job 'users': 4096 jobs x iodepth 17 are 69632 requests in "
				      "flight, at most 65536: lower one of the two");
	cfg->job[0].numjobs = 64;
	assert_int_equal(knob_check(cfg, depth, 1024, &err), 0);
	cfg->job[0].numjobs = 65;
	assert_int_equal(knob_check(cfg, depth, 1024, &err), -ERANGE);
	jobs.job = 1;
	assert_int_equal(knob_check(cfg, jobs, 436, &err), 0); /* x burst 150 */
	assert_int_equal(knob_check(cfg, jobs, 437, &err), -ERANGE);
	assert_non_null(strstr(err.text, "burst 150"));
	assert_int_equal(knob_check(cfg, jobs, 4097, &err), -ERANGE);
	assert_int_equal(knob_check(cfg, (struct knob_ref){ .id = KNOB_QD }, 0, NULL), -ERANGE);
	free(cfg);
}

/* From `from`, as often as there are values; ends with -1. */
static const struct {
	int id, direction;
	int64_t from, then[8];
} steps[] = {
	{ KNOB_QD, +1, 1, { 2, 4, 8, 16, -1 } },
	{ KNOB_QD, +1, 768, { 1024, 1024, -1 } },
	{ KNOB_QD, -1, 5, { 2, 1, 1, -1 } },
	{ KNOB_ALIASES, +1, 0, { 10, 20, -1 } },
	{ KNOB_ALIASES, +1, 1020, { 1024, -1 } },
	{ KNOB_ALIASES, -1, 15, { 5, 0, 0, -1 } },
	{ KNOB_PATH, +1, 0, { INT64_C(1) << 32 | 1000, INT64_C(2) << 32, INT64_C(3) << 32, INT64_C(4) << 32, 0, -1 } },
	{ KNOB_PATH, -1, INT64_C(1) << 32 | 10, { 0, INT64_C(4) << 32, -1 } },
	{ KNOB_IODEPTH, +1, 512, { 1024, 1024, -1 } },
	{ KNOB_JOBS, +1, 0, { 1, 2, 4, -1 } },
	{ KNOB_JOBS, -1, 2, { 1, 0, 0, -1 } },
	{ KNOB_BS, +1, 2 << 20, { 4 << 20, 4 << 20, -1 } },
	{ KNOB_BS, -1, 1024, { 512, 512, -1 } },
	{ KNOB_MIX, +1, 93, { 98, 100, 100, -1 } },
	{ KNOB_MIX, -1, 8, { 3, 0, -1 } },
	{ KNOB_THINK, +1, 0, { 100000, 200000, -1 } },
	{ KNOB_THINK, -1, 6000000, { 3000000, 1500000, 750000, 375000, 187500, 0, -1 } },
	{ KNOB_THINK, +1, INT64_C(3000000000000), { INT64_C(3600000000000), -1 } },
	{ KNOB_RATE, +1, 0, { 1000, 2000, -1 } },
	{ KNOB_RATE, -1, 1999, { 0, -1 } },
};

static void steps_double_add_or_go_on(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct knob_ref ref = { .id = (uint8_t)steps[i].id };
		int64_t value = steps[i].from;

		for (size_t j = 0; steps[i].then[j] >= 0; j++) {
			value = knob_step_value(ref, value, steps[i].direction);
			assert_int_equal(value, steps[i].then[j]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_are_free),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(values_are_read_and_written),
		cmocka_unit_test(bad_values_are_refused),
		cmocka_unit_test(what_is_put_is_got),
		cmocka_unit_test(side_effects),
		cmocka_unit_test(knobs_without_effect_say_why),
		cmocka_unit_test(too_many_in_flight_are_refused),
		cmocka_unit_test(steps_double_add_or_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
