/* View 5 of the DASD tree of the fixtures: what is on it, its picture, every size. */
#include "golden.h"

#include "machine.h"
#include "sample.h"
#include "views.h"

static struct probes *probes;
static const struct probe_snapshot *machine;

static int look(void **state)
{
	(void)state;
	probes = probes_open("tests/fixtures/dasd/sysroot", NULL);
	assert_non_null(probes);
	machine = probes_sample(probes, 1000000000, 1796000000);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	probes_close(probes);
	return 0;
}

static struct view *viewing(const char *device)
{
	struct view *v = sample_view();

	v->screen = v->behind = SCREEN_MACHINE;
	v->machine.now = machine;
	snprintf(v->machine.device, sizeof(v->machine.device), "%s", device);
	return v;
}

static struct canvas drawn(const struct view *v, int columns, int rows, enum glyphs glyphs)
{
	struct canvas c = { .glyphs = glyphs };

	assert_int_equal(canvas_resize(&c, rows, columns), 0);
	render(&c, NULL, v, NULL);
	return c;
}

static bool shows(const struct canvas *c, const char *text)
{
	struct strbuf b = { 0 };

	shot_text(c, &b);
	bool found = strstr(b.text, text) != NULL;

	strbuf_release(&b);
	return found;
}

static void test_values(void **state)
{
	static const char *const at_80x24[] = { ">+dasdb", "active", "hyperpav: 2 bases, pool of 2 aliases", "0.0.75f8 0.0.75f9", "70.6 %", "TOTAL", "DEVICE",
						"ssch..irq", " 44%", " 50%" };
	struct view *v = viewing("dasdb");
	struct canvas c = drawn(v, 80, 24, GLYPHS_ASCII);

	(void)state;
	for (size_t i = 0; i < sizeof(at_80x24) / sizeof(at_80x24[0]); i++)
		if (!shows(&c, at_80x24[i]))
			fail_msg("no '%s' at 80x24", at_80x24[i]);
	golden_compare(&c, "machine-dasd-80x24-ascii");
	canvas_release(&c);
	c = drawn(v, 132, 43, GLYPHS_UTF8);
	assert_true(shows(&c, "the device mapper tells of this machine, not of"));
	golden_compare(&c, "machine-dasd-132x43-utf8");
	canvas_release(&c);
	free(v);
}

/* The PAV base has the one alias that is bound to it. */
static void test_chosen(void **state)
{
	struct view *v = viewing("dasdc");
	struct canvas c = drawn(v, 80, 24, GLYPHS_ASCII);

	(void)state;
	assert_true(shows(&c, "pav: 1 base, and 1 alias"));
	assert_true(shows(&c, "0.0.76ff"));
	canvas_release(&c);
	snprintf(v->machine.device, sizeof(v->machine.device), "gone"); /* then the first is taken */
	assert_int_equal(machine_chosen(v), 0);
	v->machine.now = NULL;
	assert_int_equal(machine_chosen(v), -1);
	c = drawn(v, 80, 24, GLYPHS_ASCII);
	assert_true(shows(&c, "looking"));
	canvas_release(&c);
	free(v);
}

/* Bars of the same rows as the driver's: nothing is lost between its histogram and the panel. */
static void test_histograms(void **state)
{
	const struct probe_dasd_stats *stats = probe_find_stats(machine, "dasda");
	struct lat_view now[2], before[2];
	bool has_before;
	char title[128];

	(void)state;
	assert_true(machine_histograms(machine, &machine->device[0], now, before, &has_before, title, sizeof(title)));
	assert_false(has_before);
	assert_int_equal(now[0].n, 20000);
	for (int i = 0; i < DASD_ROWS; i++) {
		assert_int_equal(now[0].log2[i], stats->now.row[DASD_TOTAL][i]);
		assert_int_equal(now[1].log2[i], stats->now.row[DASD_TO_IRQ][i]);
	}
}

static void test_sizes(void **state)
{
	struct view *v = viewing("dasdb");

	(void)state;
	for (int open = 0; open < 2; open++)
		for (int rows = 1; rows <= 60; rows += rows < 26 ? 1 : 7)
			for (int columns = 1; columns <= 210; columns += columns < 45 ? 1 : 13) {
				v->machine.open = open;
				v->table = rows % 2;
				struct canvas c = drawn(v, columns, rows, (enum glyphs)(columns % N_GLYPHS));

				canvas_release(&c);
			}
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_chosen),
		cmocka_unit_test(test_histograms),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, look, leave);
}
