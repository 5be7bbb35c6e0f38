/* Datagrams of the kernel: recorded ones mean what they should, cut ones are refused, nothing crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uevent.h"

/* As recorded from Linux 6.1 (scsi_debug, dm-multipath); the texts of a datagram end with a NUL each. */
static const char path_failed[] =
	"change@/devices/virtual/block/dm-0\0ACTION=change\0DEVPATH=/devices/virtual/block/dm-0\0SUBSYSTEM=block\0DM_TARGET=multipath\0"
	"DM_ACTION=PATH_FAILED\0DM_SEQNUM=1\0DM_PATH=8:0\0DM_NR_VALID_PATHS=1\0DM_NAME=mp0\0DM_UUID=\0MAJOR=254\0MINOR=0\0DEVNAME=dm-0\0"
	"DEVTYPE=disk\0DISKSEQ=3\0SEQNUM=758";
static const char path_back[] =
	"change@/devices/virtual/block/dm-0\0ACTION=change\0DEVPATH=/devices/virtual/block/dm-0\0SUBSYSTEM=block\0DM_TARGET=multipath\0"
	"DM_ACTION=PATH_REINSTATED\0DM_SEQNUM=2\0DM_PATH=8:0\0DM_NR_VALID_PATHS=2\0DM_NAME=mp0\0DM_UUID=\0MAJOR=254\0MINOR=0\0DEVNAME=dm-0\0"
	"DEVTYPE=disk\0DISKSEQ=3\0SEQNUM=759";
static const char asked_for[] =
	"change@/devices/pseudo_0/adapter0/host0/target0:0:0/0:0:0:0/block/sda\0ACTION=change\0"
	"DEVPATH=/devices/pseudo_0/adapter0/host0/target0:0:0/0:0:0:0/block/sda\0SUBSYSTEM=block\0SYNTH_UUID=0\0MAJOR=8\0MINOR=0\0DEVNAME=sda\0"
	"DEVTYPE=disk\0DISKSEQ=1\0SEQNUM=758";
static const char removed[] = "remove@/devices/x/block/sdd\0ACTION=remove\0DEVPATH=/devices/x/block/sdd\0SUBSYSTEM=block\0DEVNAME=sdd\0"
			      "DEVTYPE=disk\0SEQNUM=900";
static const char module[] = "add@/module/scsi_dh_alua\0ACTION=add\0DEVPATH=/module/scsi_dh_alua\0SUBSYSTEM=module\0SEQNUM=754";
static const char ccw[] = "change@/devices/css0/0.0.0013/0.0.75f8\0ACTION=change\0DEVPATH=/devices/css0/0.0.0013/0.0.75f8\0SUBSYSTEM=ccw\0SEQNUM=5";

static const struct {
	const char *bytes;
	size_t n;
	enum uevent_kind kind;
	const char *text;
} cases[] = {
#define CASE(bytes, kind, text) { bytes, sizeof(bytes), kind, text }
	CASE(path_failed, UEVENT_PATH_FAILED, "mp0: path 8:0 FAILED, 1 left"),
	CASE(path_back, UEVENT_PATH_BACK, "mp0: path 8:0 reinstated, 2 left"),
	CASE(asked_for, UEVENT_CHANGED, "sda changed (asked for)"),
	CASE(removed, UEVENT_REMOVED, "sdd removed"),
	CASE(module, UEVENT_OTHER, "scsi_dh_alua added"),
	CASE(ccw, UEVENT_CHANGED, "0.0.75f8 changed"),
};
enum { N_CASES = sizeof(cases) / sizeof(cases[0]) };

static void test_meaning(void **state)
{
	(void)state;
	for (int i = 0; i < N_CASES; i++) {
		struct uevent u;
		char text[160];

		assert_int_equal(uevent_parse(cases[i].bytes, cases[i].n, &u), 0);
		assert_int_equal(uevent_kind(&u), cases[i].kind);
		assert_string_equal(uevent_text(&u, text, sizeof(text)), cases[i].text);
	}
}

/* SEQNUM stands last, so every cut shows; only a number cut inside itself and still ended by a NUL would not, and that is not a cut. */
static void test_every_cut_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < N_CASES; i++)
		for (size_t n = 0; n < cases[i].n; n++) {
			char *copy = malloc(n ? n : 1); /* its end is watched by the sanitizer */
			struct uevent u;

			memcpy(copy, cases[i].bytes, n);
			assert_int_equal(uevent_parse(copy, n, &u), -EINVAL);
			free(copy);
		}
}

static void test_any_byte_may_be_wrong(void **state)
{
	(void)state;
	for (int i = 0; i < N_CASES; i++)
		for (size_t at = 0; at < cases[i].n; at++)
			for (int value = 0; value < 256; value += 51) {
				char copy[1024], text[160];
				struct uevent u;

				memcpy(copy, cases[i].bytes, cases[i].n);
				copy[at] = (char)value;
				if (!uevent_parse(copy, cases[i].n, &u))
					uevent_text(&u, text, sizeof(text));
			}
}

/* What libudev sends on has another form, and is another group. */
static void test_foreign_forms(void **state)
{
	static const char udev[] = "libudev\0\xfe\xed\xca\xfe";
	static const char disagrees[] = "add@/a\0ACTION=remove\0DEVPATH=/a\0SUBSYSTEM=block\0SEQNUM=1";
	static const char no_equals[] = "add@/a\0ACTION=add\0DEVPATH=/a\0SUBSYSTEM=block\0rubbish\0SEQNUM=1";
	struct uevent u;

	(void)state;
	assert_int_equal(uevent_parse(udev, sizeof(udev), &u), -EINVAL);
	assert_int_equal(uevent_parse(disagrees, sizeof(disagrees), &u), -EINVAL);
	assert_int_equal(uevent_parse(no_equals, sizeof(no_equals), &u), -EINVAL);
	assert_int_equal(uevent_parse("", 0, &u), -EINVAL);
}

static void test_control_bytes_are_cleaned(void **state)
{
	static const char evil[] = "add@/a\0ACTION=add\0DEVPATH=/a\0SUBSYSTEM=block\0DEVTYPE=disk\0DEVNAME=s\033[2Jx\0SEQNUM=1";
	struct uevent u;
	char text[160];

	(void)state;
	assert_int_equal(uevent_parse(evil, sizeof(evil), &u), 0);
	assert_null(strchr(uevent_text(&u, text, sizeof(text)), '\033'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meaning),		       cmocka_unit_test(test_every_cut_is_refused),
		cmocka_unit_test(test_any_byte_may_be_wrong), cmocka_unit_test(test_foreign_forms),
		cmocka_unit_test(test_control_bytes_are_cleaned),
	};

	return cmocka_run_group_tests_name("uevent", tests, NULL, NULL);
}
