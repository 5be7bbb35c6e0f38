/* Document 002: its presets over seeds, the table of MODEL.md section 5, the closed forms A1..A6, and each mechanism switched off. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/lab.h"
#include "model/play.h"
#include "preset.h"

enum { SEEDS = 8 };

static const struct step_result *result(const struct played *p, const char *step)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (!strcmp(p->r[i]->name, step))
			return p->r[i];
	fail_msg("there is no step '%s'", step);
	return NULL;
}

static double seconds(const struct played *p, const char *step)
{
	return result(p, step)->elapsed_s;
}

static void assert_near(const char *what, double value, double exact, double tolerance)
{
	if (!(fabs(value / exact - 1) <= tolerance))
		fail_msg("%s: %.4f for %.4f, off by %.2f %% (allowed %.2f %%)", what, value, exact, (value / exact - 1) * 100,
			 tolerance * 100);
}

/* ---- the presets ---- */

/* Every bound of a preset holds with other seeds too: it must not hang on the preset's own. */
static void preset_over_seeds(void **state)
{
	const char *name = *state;
	struct spec *spec = play_load(name, NULL);
	struct played p;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		play(spec, seed, 0, &p);
		assert_true(played_holds(spec, &p) > 0);
		played_forget(&p);
	}
	spec_free(spec);
}

/* The table of MODEL.md section 5, means of 8 seeds: seconds of the scan and AU moved in a second. */
enum { ADD, DROP, ACTS };
static const char *const acts[ACTS] = {"add", "drop"};

struct cell {
	double s, rate;
};
static const struct power {
	uint32_t power;
	struct cell of[ACTS];
} powers[] = {
	{0, {{57.2, 0}, {57.2, 0}}},	     {1, {{87.3, 17.9}, {85.9, 17.3}}},	  {2, {{89.3, 34.8}, {105.4, 29.2}}},
	{3, {{103.3, 43.6}, {104.8, 29.9}}}, {5, {{106.7, 45.0}, {104.8, 29.9}}}, {8, {{106.5, 45.0}, {104.8, 29.9}}},
	{11, {{106.7, 44.9}, {104.8, 29.9}}},
};
enum { POWERS = sizeof(powers) / sizeof(powers[0]) };

/* More power must not help the scan: in one run by 2.5 % at most, in the mean by 1 %. */
static void assert_no_help(const char *what, double s, double *slowest, double most)
{
	if (s < *slowest * (1 - most))
		fail_msg("%s: %.2f s, with less power %.2f", what, s, *slowest);
	*slowest = fmax(*slowest, s);
}

static void add_run(const struct played *p, int act, struct cell *mean)
{
	double slowest = 0;

	for (int i = 0; i < POWERS; i++) {
		char step[32];
		snprintf(step, sizeof(step), "%s power %u", acts[act], powers[i].power);
		const struct step_result *r = result(p, step);
		mean[i].s += r->elapsed_s / SEEDS;
		mean[i].rate += (double)r->rebalance.relocations / r->elapsed_s / SEEDS;
		assert_no_help(step, r->elapsed_s, &slowest, .025);
		assert_int_equal(r->errors, 0);
		assert_int_equal(r->rebalance.power_asked, powers[i].power);
	}
}

static void check_means(int act, const struct cell *mean)
{
	double slowest = 0;

	for (int i = 0; i < POWERS; i++) {
		const struct cell *exact = &powers[i].of[act];
		char what[32];
		snprintf(what, sizeof(what), "%s power %u", acts[act], powers[i].power);
		assert_near(what, mean[i].s, exact->s, .03);
		if (powers[i].power)
			assert_near(what, mean[i].rate, exact->rate, .03);
		assert_no_help(what, mean[i].s, &slowest, .01);
	}
}

static void table_of_powers(void **state)
{
	struct spec *spec = play_load("asm-rebalance", NULL);
	struct cell mean[ACTS][POWERS] = {{{0}}};
	double alone = 0;
	struct played p;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		play(spec, seed, 0, &p);
		assert_true(played_holds(spec, &p) > 0);
		for (int act = 0; act < ACTS; act++)
			add_run(&p, act, mean[act]);
		alone += seconds(&p, "alone") / SEEDS;
		played_forget(&p);
	}
	spec_free(spec);
	assert_near("alone", alone, 57.17, .003);
	for (int act = 0; act < ACTS; act++)
		check_means(act, mean[act]);
}

static void what_the_gui_asks_is_not_what_it_gets(void **state)
{
	struct played p;

	(void)state;
	play_with("asm-em-bug", NULL, 1, 0, &p);
	const struct step_result *gui = result(&p, "power 5 in the GUI"), *one = result(&p, "power 1");
	assert_int_equal(gui->rebalance.power_asked, 5);
	assert_int_equal(gui->rebalance.power_actual, 1);
	assert_true(fabs(gui->elapsed_s - one->elapsed_s) < 1e-9);
	assert_int_equal(gui->rebalance.sofar_au, one->rebalance.sofar_au);
	played_forget(&p);
}

static void the_hang_is_named(void **state)
{
	struct played p;

	(void)state;
	play_with("asm-hang", NULL, 1, 0, &p);
	const struct step_result *r = result(&p, "drop one of two");
	assert_int_equal(r->end, END_HUNG);
	assert_int_equal(r->length_ns, 5 * NS_PER_S);
	assert_string_equal(r->rebalance.state, "WAIT");
	assert_string_equal(r->disk[1].state, "HUNG");
	assert_int_equal(r->rebalance.relocations, 0);
	assert_non_null(strstr(r->rebalance.reason, "no other failure group"));
	assert_true(r->rebalance.stalled);
	assert_int_equal(result(&p, "drop one of three")->end, END_DONE);
	played_forget(&p);
}

/* ---- mechanisms switched off ---- */

/* Without read-ahead nobody reads the mirrors: the two layouts take the same time, to the nanosecond. */
static void no_read_ahead(void **state)
{
	static const char *const set[] = {"array.disk_readahead=0", NULL};
	struct played p;

	(void)state;
	play_with("asm-redundancy", set, 1, 0, &p);
	assert_near("external and normal", seconds(&p, "normal"), seconds(&p, "external"), 1e-9);
	played_forget(&p);
}

/* Read-ahead that ends where the next primary begins: each AU waits for its first request while the disk is healthy, so the loss helps. */
static void read_ahead_of_one_au(void **state)
{
	static const char *const set[] = {"array.disk_readahead=1m", NULL};
	struct played p;

	(void)state;
	play_with("asm-disk-loss", set, 1, 0, &p);
	assert_true(seconds(&p, "healthy") > 1.05 * seconds(&p, "lost at 0 s"));
	played_forget(&p);
}

/* First come, first served at the disk: power crowds the scan out. */
static void no_turns(void **state)
{
	static const char *const set[] = {"array.disk_slice=0", NULL};
	struct played p;

	(void)state;
	play_with("asm-rebalance", set, 1, 0, &p);
	assert_true(seconds(&p, "drop power 11") > 1.5 * seconds(&p, "drop power 5"));
	played_forget(&p);
}

/* A whole AU at once on the link: the reply behind it waits 5 ms, and the added disk costs more than the document's 109 s. */
static void no_bursts_on_the_link(void **state)
{
	static const char *const set[] = {"array.link_burst=0", NULL};
	struct played p;

	(void)state;
	play_with("asm-rebalance", set, 1, 0, &p);
	assert_true(seconds(&p, "add power 5") > 111);
	played_forget(&p);
}

/* A lost disk is restored only where that is asked for. */
static void not_by_itself(void **state)
{
	static const char *const set[] = {"volume.auto_rebalance=no", NULL};
	struct played p;

	(void)state;
	play_with("asm-disk-loss", set, 1, 0, &p);
	assert_int_equal(result(&p, "four disks restored")->rebalance.relocations, 0);
	assert_near("nothing restored", seconds(&p, "four disks restored"), 53.30, .003);
	played_forget(&p);
}

/* ---- closed forms ---- */

#define SCAN                                                                                                                       \
	"s.rw=read s.bs=128k s.thinktime=210us host.qd=32 volume.redundancy=normal array.servers=8 array.ctl=200us array.hit=0 "    \
	"array.whit=0 array.link_latency=50us array.link_mbps=200 array.disk_layout=jbod array.disk_position=4500us "               \
	"array.disk_mibps=56.4 array.disk_readahead=1280k array.disk_slice=25ms "
#define TABLE "s.size=3950m s.number_ios=31600 "
#define IDLE "s.numjobs=0 volume.group=4000m "

static const struct form {
	const char *id, *settings, *fault;
	int at_s;
	bool rate; /* AU in a second; else seconds */
	double exact, tolerance;
} forms[] = {
	{"A1 external", TABLE "volume.disks=2 volume.redundancy=external", NULL, 0, false, 36.825, .003},
	{"A2 normal", TABLE "volume.disks=2", NULL, 0, false, 70.035, .003},
	{"A3 disk lost", "s.size=4180m s.number_ios=33440 volume.disks=2", "disk d2 fail", 20, false, 74.113, .003},
	{"A4 read-ahead of an AU", TABLE "volume.disks=4 array.disk_readahead=1024k", NULL, 0, false, 74.639, .003},
	{"A4 and one request", TABLE "volume.disks=4 array.disk_readahead=1152k", NULL, 0, false, 65.884, .003},
	{"A4 and two", TABLE "volume.disks=4 array.disk_readahead=1280k", NULL, 0, false, 57.130, .003},
	{"A4 and four", TABLE "volume.disks=4 array.disk_readahead=1536k", NULL, 0, false, 39.621, .003},
	{"A5 add, power 1", IDLE "volume.disks=4 volume.power=1", "add d5", 0, true, 18.003, .005},
	{"A5 drop, power 1", IDLE "volume.disks=5 volume.power=1", "drop d5", 0, true, 18.003, .005},
	{"A6 add, power 5", IDLE "volume.disks=4 volume.power=5", "add d5", 0, true, 44.983, .005},
	{"A6 drop, power 5", IDLE "volume.disks=5 volume.power=5", "drop d5", 0, true, 44.983, .005},
	{"A6 drop, power 11", IDLE "volume.disks=5 volume.power=11", "drop d5", 0, true, 44.983, .005},
};

static void closed_form(void **state)
{
	const struct form *form = *state;
	static struct step_result r;
	struct lab l;

	lab_init(&l, "s", SCAN);
	lab_set(&l, form->settings);
	if (form->fault)
		lab_fault(&l, form->fault, form->at_s * NS_PER_S);
	lab_run(&l, 1, 0, 0, &r);
	assert_int_equal(r.end, END_DONE);
	assert_int_equal(r.errors, 0);
	assert_near(form->id, form->rate ? (double)r.rebalance.sofar_au / r.elapsed_s : r.elapsed_s, form->exact, form->tolerance);
}

int main(void)
{
	static const char *const presets[] = {"asm-redundancy", "asm-disk-loss",	  "asm-em-bug",
					      "asm-hang",	"asm-small-failgroups", "asm-filesystems"};
	static const struct CMUnitTest rest[] = {
		cmocka_unit_test(table_of_powers), cmocka_unit_test(what_the_gui_asks_is_not_what_it_gets),
		cmocka_unit_test(the_hang_is_named), cmocka_unit_test(no_read_ahead), cmocka_unit_test(read_ahead_of_one_au),
		cmocka_unit_test(no_turns), cmocka_unit_test(no_bursts_on_the_link), cmocka_unit_test(not_by_itself),
	};
	enum { P = sizeof(presets) / sizeof(presets[0]), F = sizeof(forms) / sizeof(forms[0]), R = sizeof(rest) / sizeof(rest[0]) };
	struct CMUnitTest tests[P + F + R];

	for (size_t i = 0; i < P; i++)
		tests[i] = (struct CMUnitTest){presets[i], preset_over_seeds, NULL, NULL, (void *)presets[i]};
	for (size_t i = 0; i < F; i++)
		tests[P + i] = (struct CMUnitTest){forms[i].id, closed_form, NULL, NULL, (void *)&forms[i]};
	memcpy(tests + P + F, rest, sizeof(rest));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
