/* The table of keys: defaults, every form of value, what must hold between keys, and configs of steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "comma_locale.h"
#include "config_row.h"
#include "preset.h"
#include "spec_check.h"

static struct config *new_config(void)
{
	struct config *cfg = malloc(sizeof(*cfg));

	assert_non_null(cfg);
	config_init(cfg);
	assert_int_equal(config_add_job(cfg, "users", NULL), 0);
	assert_int_equal(config_add_job(cfg, "db.wr 2", NULL), 1);
	return cfg;
}

/* ---- the table ---- */

static void rows_of(enum config_part part, void (*look)(const struct config *, struct config_place))
{
	const struct config_section *section = &config_sections[part];
	struct config *cfg = new_config();

	for (size_t i = 0; i < section->n_rows; i++)
		look(cfg, (struct config_place){ .part = part, .row = &section->row[i] });
	free(cfg);
}

static void for_all_rows(void (*look)(const struct config *, struct config_place))
{
	for (int part = 0; part < N_PARTS; part++)
		rows_of((enum config_part)part, look);
}

/* The default parses, is in effect after config_init, and is written so that it reads back. */
static void look_at_default(const struct config *cfg, struct config_place place)
{
	struct config *other = new_config();
	char text[4096], again[4096];
	struct err err = { "" };

	config_format(cfg, &place, text, sizeof(text));
	if (config_put(other, &place, place.row->fallback, &err))
		fail_msg("%s: %s", place.row->key, err.text);
	config_format(other, &place, again, sizeof(again));
	assert_string_equal(text, again);
	if (config_put(other, &place, text, &err))
		fail_msg("%s = %s: %s", place.row->key, text, err.text);
	assert_true(strlen(place.row->what) > 0);
	free(other);
}

static void defaults_hold(void **state)
{
	(void)state;
	for_all_rows(look_at_default);
}

static void look_at_junk(const struct config *cfg, struct config_place place)
{
	static const char *const junk[] = { "", " ", "-1", "+1", "1e3", "0x10", "1x", "4KiBx",
					    "nan", "inf", "\033[m", "99999999999999999999x" };
	struct config *other = new_config();

	(void)cfg;
	for (size_t i = 0; i < sizeof(junk) / sizeof(junk[0]); i++) {
		struct err err = { "" };

		if (config_put(other, &place, junk[i], &err) >= 0)
			fail_msg("%s took '%s'", place.row->key, junk[i]);
		assert_true(strlen(err.text) > 0);
		assert_null(strchr(err.text, '\033'));
	}
	free(other);
}

static void junk_is_refused_by_every_key(void **state)
{
	(void)state;
	for_all_rows(look_at_junk);
}

/* Both bounds are taken, one more is not. */
static void look_at_bounds(const struct config *cfg, struct config_place place)
{
	struct config *other = new_config();
	struct err err = { "" };
	char text[64];

	(void)cfg;
	if (place.row->form->format_bound) {
		place.row->form->format_bound(place.row->min, text, sizeof(text));
		assert_int_equal(config_put(other, &place, text, &err), 0);
		place.row->form->format_bound(place.row->max, text, sizeof(text));
		assert_int_equal(config_put(other, &place, text, &err), 0);
		place.row->form->format_bound(place.row->max + 1, text, sizeof(text));
		assert_int_equal(config_put(other, &place, text, &err), -ERANGE);
		assert_non_null(strstr(err.text, "is outside "));
	}
	free(other);
}

static void bounds_are_inclusive(void **state)
{
	(void)state;
	for_all_rows(look_at_bounds);
}

/* A knob and its key allow the same. */
static void knobs_and_keys_agree(void **state)
{
	struct config *cfg = new_config();

	(void)state;
	for (int i = 0; i < N_KNOBS; i++) {
		struct config_place place;

		assert_int_equal(config_find(cfg, knob_table[i].name, &place, NULL), 0);
		assert_string_equal(place.row->key, knob_table[i].config_key);
		if (!place.row->form->format_bound)
			continue;
		assert_int_equal(place.row->min, knob_table[i].min);
		assert_int_equal(place.row->max, knob_table[i].max);
	}
	free(cfg);
}

/* ---- values ---- */

static const struct {
	const char *key, *value, *back; /* back NULL: as value */
} good[] = {
	{ "qd", "32", NULL },
	{ "host.qd", "32", NULL },
	{ "users.jobs", "84", NULL },
	{ "users.numjobs", "84", NULL },
	{ "db.wr 2.bs", "16k", "16KiB" },
	{ "users.rw", "randwrite", NULL },
	{ "users.kind", "burst", NULL },
	{ "users.think_dist", "const", NULL },
	{ "users.think_dist", "exp", NULL },
	{ "users.think_dist", "erlang:4", NULL },
	{ "users.think_dist", "erlang:1", "exp" },
	{ "users.think_dist", "erlang:64", NULL },
	{ "users.random_distribution", "random", NULL },
	{ "users.random_distribution", "zipf:1", NULL },
	{ "users.random_distribution", "zipf:1.25", NULL },
	{ "users.random_distribution", "zipf:0.001", NULL },
	{ "users.lun", "all", NULL },
	{ "users.lun", "0..7,9", NULL },
	{ "users.lun", "9, 0 , 1,2", "0..2,9" },
	{ "users.lun", "3", NULL },
	{ "users.lun", "0..1023", NULL },
	{ "users.transaction", "YES", "yes" },
	{ "host.path", "failover", NULL },
	{ "host.path", "round-robin", "round-robin:1000" },
	{ "host.path", "round-robin:10", NULL },
	{ "host.path", "page-owner", NULL },
	{ "host.weights", "2, 1,1000", "2,1,1000" },
	{ "host.weights", "equal", NULL },
	{ "host.standby", "p1, p2", "p1,p2" },
	{ "host.standby", "none", NULL },
	{ "host.restart", "qd,path", NULL },
	{ "host.restart", "rate,qd", "qd,rate" },
	{ "host.cpu_sys_io", "8800ns", NULL },
	{ "host.cpu_sys_waiter", "0.012567", NULL },
	{ "array.kappa", "0.015", NULL },
	{ "array.link_mbps", "203.3", NULL },
	{ "array.hit", "0.66", NULL },
	{ "array.page", "15m", "15MiB" },
	{ "array.wake", "401us", NULL },
	{ "array.destage", "on", "yes" },
	{ "array.disk_layout", "jbod", NULL },
};

static void check_good_values(void)
{
	struct config *cfg = new_config();

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct config_place place;
		struct err err = { "" };
		char text[4096];

		if (config_set(cfg, good[i].key, good[i].value, &err))
			fail_msg("%s = %s: %s", good[i].key, good[i].value, err.text);
		assert_int_equal(config_find(cfg, good[i].key, &place, NULL), 0);
		config_format(cfg, &place, text, sizeof(text));
		assert_string_equal(text, good[i].back ? good[i].back : good[i].value);
	}
	free(cfg);
}

static void values_are_taken_and_said_back(void **state)
{
	(void)state;
	check_good_values();
}

static void values_in_a_comma_locale(void **state)
{
	(void)state;
	if (!use_comma_locale())
		skip();
	check_good_values();
	setlocale(LC_ALL, "C");
}

static const struct {
	const char *key, *value;
	int ret;
	const char *why; /* the whole text, or its beginning when it ends with ... */
} bad[] = {
	{ "host.qdd", "1", -ENOENT, "unknown key 'qdd' (nearest: qd)" },
	{ "hosts.qd", "1", -ENOENT, "unknown job or section 'hosts' (nearest: host)" },
	{ "target.size", "1", -ENOENT, "unknown job or section 'target'..." },
	{ "users.mirrors", "1", -ENOENT, "unknown key 'mirrors'..." },
	{ "mirrors", "1", -ENOENT, "unknown knob 'mirrors'..." },
	{ "host.weight", "1", -ENOENT, "unknown key 'weight' (nearest: weights)" },
	{ "host.weights", "1,0", -ERANGE, "a weight is outside 1..1000" },
	{ "host.weights", "1,", -EINVAL, "a weight is not a number..." },
	{ "host.weights", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", -ERANGE, "has more than 16 weights..." },
	{ "usres.jobs", "1", -ENOENT, "unknown job or section 'usres' (nearest: users)" },
	{ "qd", "1e3", -EINVAL, "has something behind the digits (takes a whole number, 1..1024)" },
	{ "users.thinktime", "6", -EINVAL,
	  "has no unit (ns us ms s m h d) (takes a time such as 6ms, 0..1h)" },
	{ "users.bs", "4KiBx", -EINVAL, "has an unknown unit..." },
	{ "users.bs", "8m", -ERANGE, "8MiB is outside 512B..4MiB" },
	{ "users.rw", "randreed", -EINVAL, "unknown value 'randreed' (nearest: randread)" },
	{ "users.rw", "RANDREAD", -EINVAL, "unknown value 'RANDREAD' (nearest: randread)" },
	{ "users.think_dist", "erlang:0", -ERANGE, "the number behind 'erlang:' is outside 1..64" },
	{ "users.think_dist", "erlang:", -EINVAL, "the number behind 'erlang:' is not a number..." },
	{ "users.think_dist", "pareto", -EINVAL, "unknown distribution 'pareto'..." },
	{ "users.random_distribution", "zipf", -EINVAL, "unknown distribution 'zipf'..." },
	{ "users.random_distribution", "zipf:0", -ERANGE, "the number behind 'zipf:' must be..." },
	{ "users.random_distribution", "zipf:1,2", -EINVAL, "the number behind 'zipf:' has..." },
	{ "users.lun", "0..1024", -ERANGE, "LUNs are 0..1023" },
	{ "users.lun", "7..0", -EINVAL, "the range 7..0 runs backwards" },
	{ "users.lun", "0..3,2", -EINVAL, "LUN 2 is named twice" },
	{ "users.lun", "1,,2", -EINVAL, "a LUN is not a number..." },
	{ "users.lun", "1,", -EINVAL, "a LUN is not a number..." },
	{ "users.lun", "0...3", -EINVAL, "a LUN is not a number..." },
	{ "host.standby", "p16", -EINVAL, "unknown path 'p16' (nearest: p1)" },
	{ "host.standby", "p1,p1", -EINVAL, "'p1' is named twice" },
	{ "host.restart", "qd,mirrors", -EINVAL, "unknown knob 'mirrors'..." },
	{ "host.path", "round-robbin", -EINVAL, "unknown path policy 'round-robbin' (nearest: round-robin)" },
	{ "host.path", "round-robin:0", -ERANGE, "the number behind 'round-robin:' must be 1..4294967295" },
	{ "array.hit", "1.01", -ERANGE, "is outside 0..1" },
	{ "array.hit", "0,5", -EINVAL, "has something behind the number..." },
	{ "array.kappa", "1e-3", -EINVAL, "has something behind the number..." },
	{ "array.destage", "maybe", -EINVAL, "is not a yes or no..." },
};

static bool text_is(const char *text, const char *expected)
{
	const char *dots = strstr(expected, "...");
	bool open = dots && !dots[3];

	return open ? !strncmp(text, expected, (size_t)(dots - expected)) : !strcmp(text, expected);
}

static void bad_values_say_why(void **state)
{
	struct config *cfg = new_config(), *before = new_config();

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { "" };
		int ret = config_set(cfg, bad[i].key, bad[i].value, &err);

		if (ret != bad[i].ret || !text_is(err.text, bad[i].why))
			fail_msg("%s = %s: %d '%s'", bad[i].key, bad[i].value, ret, err.text);
		assert_memory_equal(cfg, before, sizeof(*cfg));
	}
	free(before);
	free(cfg);
}

static void too_long_a_value_is_not_cut(void **state)
{
	struct config *cfg = new_config();
	struct err err = { "" };
	char value[SPEC_VALUE + 2];

	(void)state;
	memset(value, '1', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	assert_int_equal(config_set(cfg, "users.lun", value, &err), -EINVAL);
	assert_string_equal(err.text, "is longer than 255 bytes");
	free(cfg);
}

static void names_of_jobs(void **state)
{
	struct config *cfg = new_config();
	struct err err = { "" };
	char name[SPEC_NAME + 1];

	(void)state;
	assert_int_equal(config_add_job(cfg, "host", &err), -EEXIST);
	assert_int_equal(config_add_job(cfg, "volume", &err), -EEXIST);
	memset(name, 'x', SPEC_NAME);
	name[SPEC_NAME] = '\0';
	assert_int_equal(config_add_job(cfg, name, &err), -E2BIG);
	for (int i = 2; i < SPEC_MAX_JOBS; i++) {
		name[0] = (char)('a' + i);
		name[1] = '\0';
		assert_int_equal(config_add_job(cfg, name, &err), i);
	}
	assert_int_equal(config_add_job(cfg, "more", &err), -E2BIG);
	assert_string_equal(err.text, "one job too many: at most 16");
	free(cfg);
}

/* ---- between keys ---- */

/* Up to four assignments, then what config_check says; NULL: it is content. */
static const struct {
	const char *set[8];
	const char *why;
} checks[] = {
	{ { "qd", "1" }, NULL },
	{ { "users.jobs", "4096", "users.iodepth", "16" }, NULL },
	{ { "users.jobs", "4096", "users.iodepth", "17" }, "job 'users': 4096 jobs x iodepth 17..." },
	{ { "users.kind", "burst", "users.burst", "40000", "users.jobs", "2" },
	  "job 'users': 2 jobs x burst 40000..." },
	{ { "users.kind", "open" }, "job 'users' is open: say how many..." },
	{ { "users.kind", "open", "users.rate", "500" }, NULL },
	{ { "users.arrival_iops", "500" }, NULL },
	{ { "users.arrival_iops", "500", "users.kind", "closed" },
	  "job 'users' has arrival_iops, which only an open job has..." },
	{ { "users.kind", "burst", "users.rate", "500" }, "job 'users' has arrival_iops..." },
	{ { "users.lun", "0..7" }, "job 'users' works on LUN 7, but host.bases = 1 gives LUNs 0..0" },
	{ { "users.lun", "0..7", "host.bases", "8" }, NULL },
	{ { "users.size", "4k", "users.bs", "8k" },
	  "job 'users': size = 4KiB holds no request of bs = 8KiB" },
	{ { "host.lcus", "2" }, "host.lcus = 2, but host.bases = 1..." },
	{ { "host.standby", "p1" }, "host.standby names a path that host.paths = 1..." },
	{ { "host.standby", "p0" }, "host.standby names all paths..." },
	{ { "host.standby", "p1", "host.paths", "2" }, NULL },
	{ { "host.standby", "p15", "host.paths", "16" }, NULL },
	{ { "aliases", "3" }, "aliases = 3, but host.device is scsi..." },
	{ { "aliases", "3", "host.device", "dasd" }, "aliases = 3, but host.alias_mode is none..." },
	{ { "aliases", "3", "host.device", "dasd", "host.alias_mode", "pav" }, NULL },
	{ { "volume.redundancy", "high" }, NULL }, /* no disks, no volume */
	{ { "volume.redundancy", "high", "volume.disks", "3" }, NULL },
	{ { "volume.redundancy", "high", "volume.disks", "2" }, "volume.redundancy asks for 3 copies..." },
	{ { "volume.redundancy", "normal", "volume.disks", "4", "volume.failgroups", "1" }, "volume.redundancy asks for 2 copies..." },
	{ { "volume.redundancy", "normal", "volume.disks", "2", "volume.failgroups", "9" }, NULL },
	{ { "volume.disks", "2", "volume.group", "1g", "users.offset", "512m", "users.size", "512m" }, NULL },
	{ { "volume.disks", "2", "volume.group", "1g", "users.offset", "512m", "users.size", "513m" },
	  "job 'users' reaches to 1025MiB (offset, size), but volume.group = 1GiB..." },
	{ { "volume.disks", "2", "volume.group", "1g", "users.offset", "1g" }, "job 'users' reaches to..." },
	{ { "volume.group", "1g", "users.offset", "1g" }, NULL },
};

static void what_must_hold_between_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct config *cfg = new_config();
		struct err err = { "" };

		for (size_t j = 0; j < 8 && checks[i].set[j]; j += 2)
			assert_int_equal(config_set(cfg, checks[i].set[j], checks[i].set[j + 1], NULL), 0);
		assert_int_equal(config_check(cfg, &err), checks[i].why ? -EINVAL : 0);
		if (checks[i].why && !text_is(err.text, checks[i].why))
			fail_msg("%zu: %s", i, err.text);
		free(cfg);
	}
}

static void a_job_is_needed(void **state)
{
	struct config *cfg = new_config();

	(void)state;
	cfg->n_jobs = 0;
	assert_int_equal(config_check(cfg, NULL), -EINVAL);
	free(cfg);
}

/* ---- steps and --set ---- */

static struct spec *new_spec(struct step *steps, uint32_t n)
{
	struct spec *spec = calloc(1, sizeof(*spec));
	struct config *cfg = new_config();

	assert_non_null(spec);
	spec->config = *cfg;
	free(cfg);
	assert_int_equal(config_set(&spec->config, "qd", "4", NULL), 0);
	spec->step = calloc(n, sizeof(*steps));
	assert_non_null(spec->step);
	memcpy(spec->step, steps, n * sizeof(*steps));
	spec->n_steps = n;
	return spec;
}

static struct assign *copy_set(const struct assign *set, uint32_t n)
{
	struct assign *copy = malloc(n * sizeof(*set));

	assert_non_null(copy);
	return memcpy(copy, set, n * sizeof(*set));
}

/* Each step starts from the preset's own values, not from the step before; --set wins. */
static void steps_do_not_inherit(void **state)
{
	static const struct assign qd8[] = { { "qd", "8" }, { "users.jobs", "3" } };
	struct step steps[] = { { .name = "a", .set = copy_set(qd8, 2), .n_set = 2 },
				{ .name = "b" } };
	struct spec *spec = new_spec(steps, 2);
	struct config *cfg = new_config();

	(void)state;
	assert_int_equal(spec_step_config(spec, 0, cfg, NULL), 0);
	assert_int_equal(cfg->host.qd, 8);
	assert_int_equal(cfg->job[0].numjobs, 3);
	assert_int_equal(spec_step_config(spec, 1, cfg, NULL), 0);
	assert_int_equal(cfg->host.qd, 4);
	assert_int_equal(cfg->job[0].numjobs, 1);
	assert_int_equal(spec_override(spec, "host.qd = 2", NULL), 0);
	assert_int_equal(spec_step_config(spec, 0, cfg, NULL), 0);
	assert_int_equal(cfg->host.qd, 2);
	assert_int_equal(cfg->job[0].numjobs, 3);
	assert_int_equal(spec_find_step(spec, "b", NULL), 1);
	free(cfg);
	spec_free(spec);
}

static const struct {
	const char *assignment;
	int ret;
	const char *why;
} overrides[] = {
	{ "qd", -EINVAL, "'qd' is not KEY=VALUE, such as qd=8" },
	{ "=8", -EINVAL, "'=8' lacks its key: KEY=VALUE, such as qd=8" },
	{ "qd=", -EINVAL, "'qd=' lacks its value: KEY=VALUE, such as qd=8" },
	{ "", -EINVAL, "'' is not KEY=VALUE, such as qd=8" },
	{ "qd=0", -ERANGE, "qd=0: 0 is outside 1..1024" },
	{ "qd=1k", -EINVAL, "qd=1k: has something behind the digits..." },
	{ "qdd=1", -ENOENT, "qdd=1: unknown knob 'qdd' (nearest: qd)" },
	{ "user.jobs=1", -ENOENT, "user.jobs=1: unknown job or section 'user' (nearest: users)" },
	{ "aliases=4", -EINVAL, "aliases=4: in step 'a': aliases = 4, but host.device is scsi..." },
	{ "aliases=0", -EINVAL, "aliases=0: has no effect in this preset: SCSI: only DASD..." },
	{ "path=failover", -EINVAL, "path=failover: has no effect in this preset: there is one..." },
	{ "users.lun=4", -EINVAL, "users.lun=4: in step 'a': job 'users' works on LUN 4..." },
	{ "users.jobs=9", 0, NULL },
	{ "jobs=9", -EINVAL, "jobs=9: is set twice, before as users.jobs=9: drop one" },
	{ "users.numjobs=9", -EINVAL, "users.numjobs=9: is set twice..." },
	{ "array.ctl=1ms", 0, NULL },
	{ "qd = 7", 0, NULL },
};

static void overrides_are_checked(void **state)
{
	struct step step = { .name = "a" };
	struct spec *spec = new_spec(&step, 1);
	struct config *cfg = new_config();
	uint32_t n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(overrides) / sizeof(overrides[0]); i++) {
		struct err err = { "" };
		int ret = spec_override(spec, overrides[i].assignment, &err);

		if (ret != overrides[i].ret)
			fail_msg("'%s': %d %s", overrides[i].assignment, ret, err.text);
		if (overrides[i].why && !text_is(err.text, overrides[i].why))
			fail_msg("'%s': %s", overrides[i].assignment, err.text);
		n += ret == 0;
		assert_int_equal(spec->n_override, n);
	}
	assert_int_equal(spec_step_config(spec, 0, cfg, NULL), 0);
	assert_int_equal(cfg->host.qd, 7);
	assert_int_equal(cfg->job[0].numjobs, 9);
	assert_int_equal(cfg->array.ctl.mean_ns, 1000000);
	free(cfg);
	spec_free(spec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_hold),
		cmocka_unit_test(junk_is_refused_by_every_key),
		cmocka_unit_test(bounds_are_inclusive),
		cmocka_unit_test(knobs_and_keys_agree),
		cmocka_unit_test(values_are_taken_and_said_back),
		cmocka_unit_test(values_in_a_comma_locale),
		cmocka_unit_test(bad_values_say_why),
		cmocka_unit_test(too_long_a_value_is_not_cut),
		cmocka_unit_test(names_of_jobs),
		cmocka_unit_test(what_must_hold_between_keys),
		cmocka_unit_test(a_job_is_needed),
		cmocka_unit_test(steps_do_not_inherit),
		cmocka_unit_test(overrides_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
