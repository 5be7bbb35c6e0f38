/* The undo journal: what is in it after a crash at any byte, who may hold it, what is put back and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "undo.h"

struct lab {
	char root[256], folder[300];
};

static int setup(void **state)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	const char *tmp = getenv("TMPDIR");

	text_format(lab->root, sizeof(lab->root), "%s/undo.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(lab->root))
		return -1;
	text_format(lab->folder, sizeof(lab->folder), "%s/journal", lab->root);
	*state = lab;
	return 0;
}

static int teardown(void **state)
{
	struct lab *lab = *state;
	char command[400];

	text_format(command, sizeof(command), "rm -rf '%s'", lab->root);
	free(lab);
	return system(command);
}

static void put(const struct lab *lab, const char *name, const char *text)
{
	char path[600];
	FILE *f;

	text_format(path, sizeof(path), "%s%s", lab->root, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void is(const struct lab *lab, const char *name, const char *wanted)
{
	char path[600], text[256] = "";
	FILE *f;

	text_format(path, sizeof(path), "%s%s", lab->root, name);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_string_equal(text, wanted);
}

static struct setting setting(const char *object, const char *value)
{
	struct setting s = { .kind = SETTING_PLAIN };

	text_format(s.object, sizeof(s.object), "%s", object);
	text_format(s.value, sizeof(s.value), "%s", value);
	return s;
}

static struct undo *open_journal(const struct lab *lab)
{
	struct err err = { "" };
	int code;
	struct undo *u = undo_open(lab->folder, true, &code, &err);

	if (!u)
		fail_msg("%s", err.text);
	return u;
}

/* ---- the text ---- */

static struct strbuf sample(void)
{
	static struct undo_entry e; /* big */
	struct strbuf out = { 0 };

	undo_put_head(&out);
	e.setting = setting("/a", "1");
	text_format(e.setting.identity, sizeof(e.setting.identity), "diskseq 7 with\ttab");
	text_format(e.asked, sizeof(e.asked), "32");
	undo_put_want(&out, &e);
	text_format(e.effect, sizeof(e.effect), "31%%\n");
	undo_put_did(&out, &e);
	e.setting = setting("/b", "0 131072 multipath 0 0 1 1 round-robin 0 1 1 8:0 1");
	e.setting.kind = SETTING_DM_TABLE;
	undo_put_want(&out, &e);
	undo_put_back(&out, &e);
	return out;
}

static void test_text_back_and_forth(void **state)
{
	struct strbuf text = sample();
	struct undo_log log;

	(void)state;
	assert_int_equal(undo_parse(text.text, text.length, &log, NULL), 0);
	assert_int_equal(log.n, 2);
	assert_string_equal(log.entry[0].setting.value, "1");
	assert_string_equal(log.entry[0].setting.identity, "diskseq 7 with\ttab");
	assert_string_equal(log.entry[0].effect, "31%\n");
	assert_true(log.entry[0].wrote);
	assert_int_equal(log.entry[1].setting.kind, SETTING_DM_TABLE);
	assert_true(log.entry[1].back);
	undo_log_release(&log);
	strbuf_release(&text);
}

/* Torn at any byte: every whole record counts, the torn one announced a write that was never made. */
static void test_torn_at_every_byte(void **state)
{
	struct strbuf text = sample();

	(void)state;
	for (size_t n = 0; n <= text.length; n++) {
		char *copy = malloc(n ? n : 1);
		uint32_t lines = 0;
		struct undo_log log;

		memcpy(copy, text.text, n);
		for (size_t i = 0; i < n; i++)
			lines += copy[i] == '\n';
		assert_int_equal(undo_parse(copy, n, &log, NULL), 0);
		assert_int_equal(log.n, lines >= 4 ? 2 : lines >= 2 ? 1 : 0);
		if (lines >= 2)
			assert_int_equal(log.entry[0].wrote, lines >= 3);
		undo_log_release(&log);
		free(copy);
	}
	strbuf_release(&text);
}

/* Any changed byte of a whole line shows; nothing is put back by a damaged journal. */
static void test_damaged_at_every_byte(void **state)
{
	struct strbuf text = sample();

	(void)state;
	for (size_t at = 0; at < text.length - 1; at++) {
		struct undo_log log;
		struct err err = { "" };
		char was = text.text[at];

		text.text[at] = was == 'x' ? 'y' : 'x';
		assert_int_equal(undo_parse(text.text, text.length, &log, &err), -EBADMSG);
		assert_non_null(strstr(err.text, "damaged"));
		undo_log_release(&log);
		text.text[at] = was;
	}
	strbuf_release(&text);
}

/* ---- the file ---- */

static void test_crash_and_take_over(void **state)
{
	struct lab *lab = *state;
	struct setting s = setting("/depth", "32");
	struct err err = { "" };
	char text[512];
	int code;
	pid_t pid = fork();

	if (!pid) { /* ends as kill -9 would end it: nothing is closed in order */
		struct undo *u = undo_open(lab->folder, false, &code, &err);

		put(lab, "/depth", "1\n");
		if (u && !undo_want(u, &s, "1", &err))
			put(lab, "/depth", "32\n");
		undo_did(u, &s, "32");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	assert_null(undo_open(lab->folder, false, &code, &err));
	assert_int_equal(code, -EEXIST);
	assert_non_null(strstr(err.text, "iodeck undo"));
	struct undo *u = open_journal(lab);

	assert_int_equal(undo_entries(u)->n, 1);
	assert_int_equal(undo_restore(lab->root, &undo_entries(u)->entry[0], false, text, sizeof(text)), UNDO_RESTORED);
	is(lab, "/depth", "1\n");
	undo_back(u, &s);
	assert_int_equal(undo_close(u), 0);
	text_format(text, sizeof(text), "%s/undo", lab->folder);
	assert_int_not_equal(access(text, F_OK), 0); /* nothing is left in it: it goes away */
}

static void test_first_value_counts(void **state)
{
	struct lab *lab = *state;
	struct setting s = setting("/depth", "8");
	struct undo *u = open_journal(lab);

	assert_int_equal(undo_want(u, &s, "1", NULL), 0);
	undo_did(u, &s, "8");
	s = setting("/depth", "16");
	assert_int_equal(undo_want(u, &s, "8", NULL), 0);
	undo_did(u, &s, "16");
	assert_int_equal(undo_entries(u)->n, 1);
	assert_string_equal(undo_entries(u)->entry[0].setting.value, "1");
	assert_string_equal(undo_entries(u)->entry[0].effect, "16");
	assert_int_equal(undo_close(u), 1);
}

static void test_one_holder(void **state)
{
	struct lab *lab = *state;
	struct undo *u = open_journal(lab);
	struct err err = { "" };
	int code;

	assert_null(undo_open(lab->folder, true, &code, &err));
	assert_int_equal(code, -EBUSY);
	undo_close(u);
}

static void test_folder_of_others(void **state)
{
	struct lab *lab = *state;
	struct err err = { "" };
	int code;

	assert_int_equal(mkdir(lab->folder, 0777), 0);
	assert_int_equal(chmod(lab->folder, 0777), 0);
	assert_null(undo_open(lab->folder, true, &code, &err));
	assert_int_equal(code, -EPERM);
	assert_int_equal(rmdir(lab->folder), 0);
	assert_int_equal(symlink(lab->root, lab->folder), 0);
	assert_null(undo_open(lab->folder, true, &code, &err));
	assert_int_equal(code, -EPERM);
}

/* ---- putting back ---- */

static enum undo_result restore(struct lab *lab, const char *now, const char *effect, bool wrote, bool force)
{
	static struct undo_entry e;
	char text[1024];

	put(lab, "/depth", now);
	e = (struct undo_entry){ .setting = setting("/depth", "1"), .wrote = wrote };
	text_format(e.asked, sizeof(e.asked), "32");
	text_format(e.effect, sizeof(e.effect), "%s", effect);
	setting_identify(lab->root, &e.setting, e.setting.identity, sizeof(e.setting.identity));
	return undo_restore(lab->root, &e, force, text, sizeof(text));
}

static void test_what_is_put_back(void **state)
{
	struct lab *lab = *state;

	assert_int_equal(restore(lab, "32\n", "32", true, false), UNDO_RESTORED);
	is(lab, "/depth", "1\n");
	assert_int_equal(restore(lab, "31\n", "31", true, false), UNDO_RESTORED); /* the kernel made 31 of it */
	assert_int_equal(restore(lab, "32\n", "", false, false), UNDO_RESTORED);  /* ended before reading back */
	assert_int_equal(restore(lab, "1\n", "", false, false), UNDO_ALREADY);	  /* ended before writing */
	assert_int_equal(restore(lab, "16\n", "32", true, false), UNDO_FOREIGN);
	is(lab, "/depth", "16\n");
	assert_int_equal(restore(lab, "16\n", "32", true, true), UNDO_RESTORED);
	is(lab, "/depth", "1\n");
}

static void test_another_device(void **state)
{
	static struct undo_entry e;
	struct lab *lab = *state;
	char command[900], text[1024];

	text_format(command, sizeof(command), "mkdir -p '%s/sys/block/sda/device'", lab->root);
	assert_int_equal(system(command), 0);
	put(lab, "/sys/block/sda/diskseq", "5\n");
	put(lab, "/sys/block/sda/device/queue_depth", "32\n");
	e = (struct undo_entry){ .setting = setting("/sys/block/sda/device/queue_depth", "1"), .wrote = true };
	text_format(e.effect, sizeof(e.effect), "32");
	setting_identify(lab->root, &e.setting, e.setting.identity, sizeof(e.setting.identity));
	put(lab, "/sys/block/sda/diskseq", "9\n"); /* went away, and another took its name */
	assert_int_equal(undo_restore(lab->root, &e, true, text, sizeof(text)), UNDO_GONE);
	is(lab, "/sys/block/sda/device/queue_depth", "32\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_back_and_forth),
		cmocka_unit_test(test_torn_at_every_byte),
		cmocka_unit_test(test_damaged_at_every_byte),
		cmocka_unit_test_setup_teardown(test_crash_and_take_over, setup, teardown),
		cmocka_unit_test_setup_teardown(test_first_value_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_holder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_folder_of_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_is_put_back, setup, teardown),
		cmocka_unit_test_setup_teardown(test_another_device, setup, teardown),
	};

	return cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}
