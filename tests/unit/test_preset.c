/* Reading presets: what is refused, with which line; what is odd but good; and that whatever happens to the bytes,
 * iniparser and the walk never disagree unseen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "expect.h"
#include "preset.h"
#include "preset_walk.h"

static char folder[64], file[96]; /* of the fixture under way */

static int make_folder(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof(folder), "%s/preset.XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof(file), "%s/p.ini", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(folder);
}

static void write_file(const char *bytes, size_t n)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
}

/* ---- refused ---- */

/* Four lines of a good preset, so that what follows begins at line 5. */
#define HEAD	    "[job a]\nrw = randread\n[host]\nqd = 4\n"
#define STEP	    "[step s]\nrun = 1s\n"
#define BYTES(text) text, sizeof(text) - 1

/* `line` 0: FILE without a line. `what` follows the place; with ... at its end only the beginning counts. */
static const struct {
	const char *bytes;
	size_t n;
	unsigned line;
	const char *what;
} bad[] = {
	/* sections, keys, knobs nobody knows */
	{ BYTES(HEAD "[hosts]\nqd = 1\n" STEP), 5, "[hosts]: unknown section (nearest: [host])" },
	/* disks and paths that are not there */
	{ BYTES(HEAD "[volume]\ndisks = 4\n[step s]\nrun = 1s\nfault = add d13\n"), 9,
	  "[step s] fault = add d13: there is no disk d13: volume.disks = 4 gives d1..d4, with the spare ones d1..d12" },
	{ BYTES(HEAD "[volume]\ndisks = 4\n[step s]\nrun = 1s\nfault = drop d99\n"), 9, "[step s] fault = drop d99: there is no disk d99: ..." },
	{ BYTES(HEAD "[step s]\nrun = 1s\nfault = add d1\n"), 7, "[step s] fault = add d1: there is no disk: volume.disks = 0" },
	{ BYTES(HEAD "[stpe s]\nrun = 1s\n"), 5, "[stpe s]: unknown section (nearest: [step NAME])" },
	{ BYTES(HEAD "[Step s]\nrun = 1s\n"), 5, "[Step s]: unknown section (nearest: [step NAME])" },
	{ BYTES(HEAD "[step]\nrun = 1s\n"), 5, "[step]: unknown section (nearest: [step NAME])" },
	{ BYTES(HEAD "[preset x]\nseed = 1\n"), 5, "[preset x]: unknown section..." },
	{ BYTES(HEAD "[nonsense]\ndisks = 2\n" STEP), 5, "[nonsense]: unknown section (one of: ..." },
	{ BYTES(HEAD STEP "[fault]\nerrors = 2\n"), 8, "[fault] errors = 2: is outside 0..1..." },
	{ BYTES(HEAD "qdd = 1\n" STEP), 5, "[host] qdd = 1: unknown key 'qdd' (nearest: qd)" },
	{ BYTES(HEAD "QD = 1\n" STEP), 5, "[host] QD = 1: the key stands already in line 4 as qd..." },
	{ BYTES(HEAD "Paths = 1\n" STEP), 5, "[host] Paths = 1: unknown key 'Paths' (nearest: paths)" },
	{ BYTES(HEAD "mirrors = 1\n" STEP), 5, "[host] mirrors = 1: unknown key 'mirrors'..." },
	{ BYTES("[preset]\nsede = 1\n" HEAD STEP), 2, "[preset] sede = 1: unknown key 'sede' (nearest: seed)" },
	{ BYTES(HEAD STEP "ste = qd=1\n"), 7, "[step s] ste = qd=1: unknown key 'ste' (nearest: set)" },
	{ BYTES(HEAD STEP "expect = iops >= 1\n"), 7, "[step s] expect = iops >= 1: unknown key 'expect' (nearest: expect.N)" },
	{ BYTES(HEAD STEP "set = qdp=1\n"), 7, "[step s] set = qdp=1: qdp=1: unknown knob 'qdp' (nearest: qd)" },
	{ BYTES(HEAD STEP "set = mirrors=1\n"), 7, "[step s] set = mirrors=1: mirrors=1: unknown knob 'mirrors'..." },
	{ BYTES(HEAD STEP "set = b.jobs=1\n"), 7, "[step s] set = b.jobs=1: b.jobs=1: unknown job or section 'b' (nearest: a)" },
	{ BYTES(HEAD "path = round-robbin:9\n" STEP), 5, "[host] path = round-robbin:9: unknown path policy 'round-robbin:9' (nearest: round-robin)" },
	{ BYTES(HEAD "path = round-robin:0\n" STEP), 5, "[host] path = round-robin:0: the number behind 'round-robin:' must be 1..4294967295" },
	{ BYTES(HEAD "paths = 2\nweights = 1,2,3\n" STEP), 3, "[host]: host.weights gives 3 of them, but host.paths = 2: one for each" },
	{ BYTES(HEAD "paths = 2\nweights = 1,0\n" STEP), 6, "[host] weights = 1,0: a weight is outside 1..1000" },
	/* twice */
	{ BYTES(HEAD "qd = 5\n" STEP), 5, "[host] qd = 5: the key stands already in line 4 as qd..." },
	{ BYTES(HEAD STEP "[host]\npaths = 1\n"), 7, "[host]: the section stands already in line 3 as [host]..." },
	{ BYTES(HEAD "[step A]\nrun = 1s\n[step a]\nrun = 1s\n"), 7, "[step a]: the section stands already in line 5 as [step A]..." },
	{ BYTES(HEAD STEP "[Job A]\nbs = 4k\n"), 7, "[Job A]: the section stands already in line 1 as [job a]..." },
	/* where and what a line is */
	{ BYTES("seed = 1\n" HEAD STEP), 1, "seed = 1: stands before any section: put it under a [section]" },
	{ BYTES("# q\nseed = 1\n" HEAD STEP), 2, "seed = 1: stands before any section..." },
	{ BYTES(HEAD "noequals\n" STEP), 5, "[host]: 'noequals' is no [section], no key = value and no comment..." },
	{ BYTES(HEAD "= 3\n" STEP), 5, "[host]: a value without a key: write KEY = VALUE" },
	{ BYTES(HEAD "[step s\nrun = 1s\n"), 5, "a section header without ]: [NAME]" },
	{ BYTES(HEAD "[]\n" STEP), 5, "[]: the section's name is empty" },
	{ BYTES(HEAD "[step ]\nrun = 1s\n"), 5, "[step]: unknown section (nearest: [step NAME])" },
	{ BYTES(HEAD "[step s] ; why\nrun = 1s\n"), 5, "[step s]: text behind the header: a comment goes on a line of its own" },
	{ BYTES(HEAD "[step s]]\nrun = 1s\n"), 5, "[step s]: text behind the header..." },
	{ BYTES(HEAD "[step round-robin:10]\nrun = 1s\n"), 5, "[step round-robin:10]: the section's name holds ':'..." },
	{ BYTES(HEAD "[step a  b]\nrun = 1s\n"), 5, "[step a  b]: the section's name holds two blanks in a row..." },
	{ BYTES(HEAD "[step a\tb]\nrun = 1s\n"), 5, "[step a?b]: the section's name holds the byte 0x09..." },
	{ BYTES(HEAD "[step \xc3\xa9]\nrun = 1s\n"), 5, "[step \xc3\xa9]: the section's name holds the byte 0xc3..." },
	{ BYTES(HEAD "q:d = 3\n" STEP), 5, "[host] q:d: the key holds ':'..." },
	{ BYTES(HEAD "[step ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss]\nrun = 1s\n"), 5, "[step sssssss..." },
	/* numbers */
	{ BYTES(HEAD "bases = 4KiBx\n" STEP), 5, "[host] bases = 4KiBx: has something behind the digits..." },
	{ BYTES(HEAD "bases = 1e3\n" STEP), 5, "[host] bases = 1e3: has something behind the digits (takes a whole number, 1..1024)" },
	{ BYTES(HEAD "bases = -8\n" STEP), 5, "[host] bases = -8: is not a number (digits only)..." },
	{ BYTES(HEAD "bases = 99999999999999999999\n" STEP), 5, "[host] bases = 99999999999999999999: does not fit in 64 bit" },
	{ BYTES(HEAD "bases = 1025\n" STEP), 5, "[host] bases = 1025: is outside 1..1024" },
	{ BYTES(HEAD "failover_time = 5\n" STEP), 5, "[host] failover_time = 5: has no unit (ns us ms s m h d)..." },
	{ BYTES("[job a]\nbs = 4KiBx\n" STEP), 2, "[job a] bs = 4KiBx: has an unknown unit..." },
	{ BYTES(HEAD "[step s]\nrun = 9999999999d\n"), 6, "[step s] run = 9999999999d: does not fit in 64 bit" },
	{ BYTES(HEAD "[step s]\nrun = 366d\n"), 6, "[step s] run = 366d: is outside 1ms..365d" },
	{ BYTES(HEAD "[step s]\nrun = 0\n"), 6, "[step s] run = 0: is outside 1ms..365d" },
	{ BYTES("[preset]\nseed = 18446744073709551616\n" HEAD STEP), 2, "[preset] seed = 18446744073709551616: does not fit in 64 bit" },
	/* what iniparser would cut, join or bend */
	{ BYTES("[preset]\ntitle = one;two\n" HEAD STEP), 2, "[preset] title = one;two: the value would be cut at ';': put the whole value in double quotes..." },
	{ BYTES("[preset]\ntitle = LUN#3 \n" HEAD STEP), 2, "[preset] title = LUN#3: the value would be cut at '#'..." },
	{ BYTES("[preset]\ntitle = \"Why?\" | x\n" HEAD STEP), 2, "[preset] title = \"Why?\" | x: what follows the closing quote would be lost..." },
	{ BYTES("[preset]\ntitle = \"a\";b\n" HEAD STEP), 2, "[preset] title = \"a\";b: what follows the closing quote..." },
	{ BYTES("[preset]\ntitle = 'it's'\n" HEAD STEP), 2, "[preset] title = 'it's': what follows the closing quote..." },
	{ BYTES("[preset]\ntitle = \"Why\n" HEAD STEP), 2, "[preset] title = \"Why: the quote \" is not closed" },
	{ BYTES(HEAD "paths =\n" STEP), 5, "[host] paths: has no value" },
	{ BYTES(HEAD "paths = ; two\n" STEP), 5, "[host] paths: has no value" },
	{ BYTES(HEAD "paths = \"\"\n" STEP), 5, "[host] paths: has no value" },
	{ BYTES(HEAD "paths = \"  \"\n" STEP), 5, "[host] paths: has no value" },
	{ BYTES("[preset]\ntitle = a ; b\n" HEAD STEP), 2, "[preset] title = a: the text would be cut at a ';' or '#': put all of it in double quotes" },
	{ BYTES(HEAD STEP "caption = Look at LUN # 3\n"), 7, "[step s] caption = Look at LUN: the text would be cut at a ';' or '#': put all of it in double quotes" },
	{ BYTES("[preset]\ntitle = a\\b\n" HEAD STEP), 2, "[preset]: a backslash (it would join lines): remove it" },
	{ BYTES(HEAD "# a comment \\\n" STEP), 5, "[host]: a backslash..." },
	{ BYTES(HEAD "pa\0ths = 1\n" STEP), 5, "[host]: byte 3 of the line is a NUL: a preset is text" },
	{ BYTES("\0"), 1, "byte 1 of the line is a NUL..." },
	{ BYTES("[job a]\rrw = read\r[step s]\rrun = 1s\r"), 1, "a CR inside the line: lines end with LF or CRLF" },
	{ BYTES(HEAD "pa\rths = 1\n" STEP), 5, "[host]: a CR inside the line..." },
	/* bytes that a terminal would obey, or that are no text */
	{ BYTES("[preset]\ntitle = a\033[31mb\n" HEAD STEP), 2, "[preset]: byte 10 of the line (0x1b) is a control character or no UTF-8: remove it" },
	{ BYTES(HEAD "[step a\033]0;t\007]\nrun = 1s\n"), 5, "[host]: byte 8 of the line (0x1b) is a control..." },
	{ BYTES(HEAD "p\x7f = 1\n" STEP), 5, "[host]: byte 2 of the line (0x7f)..." },
	{ BYTES("[preset]\ntitle = \xc2\x9b"
		"31m\n" HEAD STEP),
	  2, "[preset]: byte 9 of the line (0xc2)..." },
	{ BYTES("[preset]\ntitle = \x9b"
		"31m\n" HEAD STEP),
	  2, "[preset]: byte 9 of the line (0x9b)..." },
	{ BYTES("[preset]\ntitle = a\xe2\x80\xae"
		"b\n" HEAD STEP),
	  2, "[preset]: byte 10 of the line (0xe2)..." },
	{ BYTES("[preset]\ntitle = \xc3\n" HEAD STEP), 2, "[preset]: byte 9 of the line (0xc3)..." },
	{ BYTES("# \xff\n" HEAD STEP), 1, "byte 3 of the line (0xff)..." },
	/* too little */
	{ BYTES(""), 1, "the file is empty: a preset needs [job NAME] and [step NAME]" },
	{ BYTES("# only a question\n\n"), 1, "the file is empty..." },
	{ BYTES("\xef\xbb\xbf"), 1, "the file is empty..." },
	{ BYTES(STEP), 1, "there is no job: write a [job NAME] section" },
	{ BYTES(HEAD), 1, "there is no step: write a [step NAME] section" },
	{ BYTES(HEAD "[step s]\nfresh = yes\n"), 5, "[step s]: has no run, and [preset] has no default_run: say how long" },
	/* steps */
	{ BYTES(HEAD "[step s]\nrun = until dawn\n"), 6, "[step s] run = until dawn: is none of: until settled, until done, a time" },
	{ BYTES(HEAD "[step s]\nrun = until done\n"), 5, "[step s]: runs until done, but no job has number_ios and there is no volume: it would never end" },
	{ BYTES(HEAD STEP "fresh = maybe\n"), 7, "[step s] fresh = maybe: is not a yes or no..." },
	{ BYTES(HEAD STEP "set = qd\n"), 7, "[step s] set = qd: 'qd' is not KEY=VALUE, such as qd=8" },
	{ BYTES(HEAD STEP "set = qd=1025\n"), 7, "[step s] set = qd=1025: qd=1025: 1025 is outside 1..1024" },
	{ BYTES(HEAD STEP "set = qd=1, host.qd=2\nfresh = yes\n"), 7, "[step s] set = qd=1, host.qd=2: host.qd=2: is set twice, before as qd=1: drop one" },
	{ BYTES(HEAD STEP "set = array.ctl=1ms\n"), 7, "[step s] set = array.ctl=1ms: array.ctl=1ms: is no knob, so it can only be set in a step with fresh = yes" },
	{ BYTES(HEAD STEP "set = aliases=0\n"), 7, "[step s] set = aliases=0: aliases=0: has no effect here: SCSI: only DASD volumes have aliases" },
	{ BYTES(HEAD STEP "set = a.lun=0..7\nfresh = yes\n"), 7, "[step s] set = a.lun=0..7: job 'a' works on LUN 7..." },
	{ BYTES(HEAD STEP "set = jobs=4096, iodepth=17\n"), 7, "[step s] set = jobs=4096, iodepth=17: job 'a': 4096 jobs x iodepth 17..." },
	{ BYTES(HEAD STEP "fault = path p0 sideways\n"), 7, "[step s] fault = path p0 sideways: ..." },
	{ BYTES(HEAD STEP "fault = disk d1 fail\n"), 7, "[step s] fault = disk d1 fail: there is no disk: volume.disks = 0" },
	{ BYTES(HEAD STEP "fault = path p1 down\n"), 7, "[step s] fault = path p1 down: there is no path p1: host.paths = 1 gives p0..p0" },
	{ BYTES(HEAD STEP "fault = weight p0 0\n"), 7, "[step s] fault = weight p0 0: fault 'weight p0 0' is not understood: path pN down|up, weight pN 1..1000..." },
	{ BYTES(HEAD STEP "fault = weight p1 2\n"), 7, "[step s] fault = weight p1 2: there is no path p1: host.paths = 1 gives p0..p0" },
	{ BYTES(HEAD STEP "at = 1ms\n"), 7, "[step s] at = 1ms: gives 1 times for 0 faults: one each" },
	{ BYTES(HEAD STEP "fault = path p0 down, path p0 up\nat = 1ms\n"), 8, "[step s] at = 1ms: gives 1 times for 2 faults: one each" },
	{ BYTES(HEAD STEP "fault = path p0 down\nat = 2s\n"), 8, "[step s] at = 2s: is outside 0..1s" },
	{ BYTES(HEAD STEP "ask = Well?\n"), 5, "[step s]: asks, but has 0 answers: write answer.1 .. answer.4" },
	{ BYTES(HEAD STEP "ask = Well?\nanswer.1 = a\nanswer.2 = b\n"), 5, "[step s]: asks, but no answer is marked with *" },
	{ BYTES(HEAD STEP "answer.1 = *a\n"), 5, "[step s]: has answers, but no ask" },
	{ BYTES(HEAD STEP "answer.2 = a\n"), 7, "[step s] answer.2 = a: the next answer is answer.1" },
	{ BYTES(HEAD STEP "answer.1 = *a\nanswer.2 = *b\n"), 8, "[step s] answer.2 = *b: answer.1 is marked with * already: one is right" },
	{ BYTES(HEAD STEP "answer.1 = a\nanswer.2 = b\nanswer.3 = c\nanswer.4 = d\nanswer.5 = e\n"), 11, "[step s] answer.5 = e: one answer too many: at most 4" },
	{ BYTES(HEAD STEP "expect.2 = iops >= 1\n"), 7, "[step s] expect.2 = iops >= 1: the next one is expect.1" },
	{ BYTES(HEAD STEP "expect.1 = iops vs 'nine' >= 1\n"), 7, "[step s] expect.1 = iops vs 'nine' >= 1: unknown step 'nine' (one of: s)" },
	{ BYTES(HEAD STEP "expect.1 = iosp >= 1\n"), 7, "[step s] expect.1 = iosp >= 1: unknown metric 'iosp' (nearest: iops)" },
	{ BYTES(HEAD STEP "caption = "
			  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb "
			  "ccccccccccccccccccccccccccccccccccccccc ddddddddddddddddddddddddddddddddddddddd\n"),
	  7, "[step s] caption = aaa..." },
	{ BYTES("[preset]\nnotes.2 = x\n" HEAD STEP), 2, "[preset] notes.2 = x: the next note is notes.1" },
	/* between keys: the header of the section that is at fault */
	{ BYTES("[job host]\nrw = read\n" STEP), 1, "[job host]: a job cannot be named 'host': keys begin with that word" },
	{ BYTES(HEAD "lcus = 2\n" STEP), 3, "[host]: host.lcus = 2, but host.bases = 1..." },
	{ BYTES("[host]\nqd = 1\n[job a]\nkind = open\n" STEP), 3, "[job a]: job 'a' is open..." },
};

static bool text_is(const char *text, const char *expected)
{
	size_t n = strlen(expected);
	bool open = n >= 3 && !strcmp(expected + n - 3, "...");

	return open ? !strncmp(text, expected, n - 3) : !strcmp(text, expected);
}

static void assert_refused(const char *path, unsigned line, const char *what)
{
	struct err err = { "" };
	struct spec *spec = NULL;
	char clean[sizeof(err.text)], place[160];
	size_t n;

	if (line)
		snprintf(place, sizeof(place), "%s:%u: ", path, line);
	else
		snprintf(place, sizeof(place), "%s: ", path);
	n = strlen(place);
	if (preset_load(path, &spec, &err) >= 0)
		fail_msg("was taken: %s", what);
	assert_null(spec);
	if (strncmp(err.text, place, n) || !text_is(err.text + n, what))
		fail_msg("expected '%s%s'\n     got '%s'", place, what, err.text);
	text_clean(clean, sizeof(clean), err.text, 0);
	assert_string_equal(clean, err.text);
}

static void bad_presets_are_refused_with_their_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_file(bad[i].bytes, bad[i].n);
		assert_refused(file, bad[i].line, bad[i].what);
	}
}

/* iniparser takes 1022 bytes in a line; 3000 must name the line like all else. */
static void long_lines(void **state)
{
	static const unsigned lengths[] = { WALK_MAX_LINE + 1, 1030, 3000 };
	char text[4096] = HEAD STEP "# ";
	size_t at = strlen(text) - 2;
	struct spec *spec;

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		memset(text + at + 2, 'x', lengths[i] - 2);
		write_file(text, at + lengths[i]);
		assert_refused(file, 7, "[step s]: the line is ...");
	}
	write_file(text, at + WALK_MAX_LINE);
	assert_int_equal(preset_load(file, &spec, NULL), 0);
	spec_free(spec);
}

static void too_many_of_them(void **state)
{
	struct strbuf text = { 0 };

	(void)state;
	strbuf_puts(&text, HEAD);
	for (int i = 0; i <= 256; i++)
		strbuf_printf(&text, "[step s%d]\nrun = 1s\n", i);
	write_file(text.text, text.length);
	assert_refused(file, 5 + 2 * 256, "[step s256]: too many steps: at most 256");
	strbuf_clear(&text);
	strbuf_puts(&text, HEAD STEP);
	for (int i = 1; i <= 65; i++)
		strbuf_printf(&text, "expect.%d = iops >= 1\n", i);
	write_file(text.text, text.length);
	assert_refused(file, 71, "[step s] expect.65 = iops >= 1: too many of these: at most 64");
	strbuf_clear(&text);
	for (int i = 0; i < 17; i++)
		strbuf_printf(&text, "[job j%d]\nrw = read\n", i);
	write_file(text.text, text.length);
	assert_refused(file, 33, "[job j16]: one job too many: at most 16");
	strbuf_clear(&text);
	for (int i = 0; i < 300000 / 4; i++)
		strbuf_puts(&text, "# a\n");
	write_file(text.text, text.length);
	assert_refused(file, 0, "is larger than 262144 bytes: not a preset?");
	strbuf_release(&text);
}

/* ---- what is no file of text ---- */

static void other_files(void **state)
{
	struct spec *spec;
	struct err err;

	(void)state;
	unlink(file);
	assert_refused(file, 0, "cannot open this preset: No such file or directory");
	assert_refused("/tmp", 0, "is a directory, not a preset: name an .ini file");
	assert_refused("", 0, "cannot open this preset: No such file or directory");
	assert_int_equal(mkfifo(file, 0600), 0);
	assert_refused(file, 0, "is a special file, not a preset: name an .ini file");
	unlink(file);
	assert_refused("/dev/null", 0, "is a special file...");
	assert_refused("/proc/self/mem", 0, "cannot read this preset: Input/output error");
	assert_true(preset_load("/tmp/a\033[31mb", &spec, &err) < 0);
	assert_string_equal(err.text,
			    "/tmp/a?[31mb: cannot open this preset: No such file or directory");
}

static void a_file_that_may_not_be_read(void **state)
{
	(void)state;
	write_file(BYTES(HEAD STEP));
	if (geteuid() == 0)
		skip();
	chmod(file, 0);
	assert_refused(file, 0, "cannot open this preset: Permission denied");
	unlink(file);
}

/* ---- odd, but good ---- */

static const struct {
	const char *bytes;
	size_t n;
} odd[] = {
	{ BYTES(HEAD STEP) },
	{ BYTES("\xef\xbb\xbf" HEAD STEP) },
	{ BYTES("\xef\xbb\xbf# q\r\n[job a]\r\nrw = randread\r\n\r\n[host]\r\nqd = 4\r\n[step s]\r\nrun = 1s\r\n") },
	{ BYTES("# q\n[job a]\nrw = randread\n[host]\nqd = 4\n[step s]\nrun = 1s") },
	{ BYTES("; q\n\n  [ job a ]  \n\trw=randread\t\n[host]\nqd   =   4   ; four\n[step s]\nrun = 1s # one\n") },
	{ BYTES("[step s]\nrun = \"1s\" ; quoted\n[host]\nqd = '4'\n[job a]\nrw = \"randread\"\n") },
	{ BYTES(HEAD STEP "caption = \"Ten aliases help; look at LUN #3.\"\n") },
	{ BYTES(HEAD STEP "caption = it is = good, isn't it? 100 %s %n \xc3\xbc\n") },
	{ BYTES(HEAD STEP "caption = 'say \"so\"' ; \"and\" 'more'\n") },
	{ BYTES(HEAD STEP "caption = == x\n") },
	{ BYTES(HEAD STEP "[array]\n") },
	{ BYTES(HEAD STEP "[preset]\nseed = 18446744073709551615\n") },
};

static void odd_presets_are_taken(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct err err = { "" };
		struct spec *spec;

		write_file(odd[i].bytes, odd[i].n);
		if (preset_load(file, &spec, &err))
			fail_msg("%zu: %s", i, err.text);
		assert_int_equal(spec->n_steps, 1);
		assert_string_equal(spec->step[0].name, "s");
		assert_int_equal(spec->step[0].run_ns, 1000000000);
		assert_int_equal(spec->config.host.qd, 4);
		assert_int_equal(spec->config.job[0].rw, RW_RANDREAD);
		assert_string_equal(spec->name, "p");
		spec_free(spec);
	}
}

/* ---- what a good one becomes ---- */

static const char whole[] =
	"#  Does it work?\n"
	"[preset]\n"
	"title = Title; of it\n" /* replaced below: a comment by mistake would be seen */
	"source = a book\n"
	"seed = 7\n"
	"warmup = 500ms\n"
	"default_run = 3s\n"
	"notes.1 = \"first; whole\"\n"
	"notes.2 = second\n"
	"[step Zwei]\n"
	"set = qd=8, a.lun=0..2,4, array.ctl = 1ms\n"
	"fresh = yes\n"
	"fault = path p0 down, path p1 up\n"
	"at = 1s, 1500ms\n"
	"caption = see\n"
	"ask = Which?\n"
	"answer.1 = one\n"
	"answer.2 = *two\n"
	"answer.3 = three\n"
	"hint = there\n"
	"note = then\n"
	"expect.1 = iops at 'eins' vs 'Zwei' >= 1\n"
	"[step eins]\n"
	"run = until done\n"
	"[step drei]\n"
	"run = until settled\n"
	"set = jobs=3\n"
	"[job a]\n"
	"rw = randread\n"
	"number_ios = 1000\n"
	"[host]\n"
	"bases = 5\n"
	"paths = 2\n";

static void check_whole(const struct spec *spec)
{
	const struct step *zwei = &spec->step[0];

	assert_string_equal(spec->question, "Does it work?");
	assert_string_equal(spec->source, "a book");
	assert_int_equal(spec->seed, 7);
	assert_int_equal(spec->warmup_ns, 500000000);
	assert_int_equal(spec->n_note, 2);
	assert_string_equal(spec->note[0], "first; whole");
	assert_int_equal(spec->n_steps, 3);
	assert_string_equal(zwei->name, "Zwei");
	assert_string_equal(spec->step[1].name, "eins");
	assert_string_equal(spec->step[2].name, "drei");
	assert_int_equal(zwei->until, RUN_TIME);
	assert_int_equal(zwei->run_ns, INT64_C(3000000000));
	assert_int_equal(spec->step[1].until, RUN_DONE);
	assert_int_equal(spec->step[2].until, RUN_SETTLED);
	assert_int_equal(zwei->n_set, 3);
	assert_string_equal(zwei->set[1].key, "a.lun");
	assert_string_equal(zwei->set[1].value, "0..2,4");
	assert_string_equal(zwei->set[2].key, "array.ctl");
	assert_string_equal(zwei->set[2].value, "1ms");
	assert_int_equal(zwei->n_fault, 2);
	assert_string_equal(zwei->fault[1].text, "path p1 up");
	assert_int_equal(zwei->fault[0].at_ns, 1000000000);
	assert_int_equal(zwei->fault[1].at_ns, 1500000000);
	assert_int_equal(zwei->n_answer, 3);
	assert_int_equal(zwei->right, 1);
	assert_string_equal(zwei->answer[1], "two");
	assert_string_equal(zwei->hint, "there");
	assert_string_equal(zwei->note, "then");
	assert_int_equal(zwei->n_expect, 1);
	assert_int_equal(zwei->expect[0].term.at, 1);
	assert_int_equal(zwei->expect[0].term.vs, 0);
	assert_int_equal(zwei->expect[0].line, 22);
	assert_int_equal(zwei->fresh, true);
	assert_int_equal(spec->step[1].fresh, false);
}

static void a_good_preset_is_all_there(void **state)
{
	char text[sizeof(whole)];
	struct strbuf out = { 0 };
	struct err err = { "" };
	struct spec *spec;

	(void)state;
	strcpy(text, whole);
	*strchr(text, ';') = ','; /* the title's */
	write_file(text, strlen(text));
	if (preset_load(file, &spec, &err))
		fail_msg("%s", err.text);
	check_whole(spec);
	spec_describe(spec, &out);
	assert_non_null(strstr(out.text, "then: 3 'drei', until settled"));
	assert_non_null(strstr(out.text, "at 3.500 s: 2 'eins', until done"));
	assert_non_null(strstr(out.text, "bs                   4KiB (4096 B)  (default)"));
	strbuf_release(&out);
	spec_free(spec);
	config_describe_keys(&out);
	assert_non_null(strstr(out.text, "[step NAME]"));
	strbuf_release(&out);
}

/* ---- shipped presets ---- */

static void every_shipped_preset_loads(void **state)
{
	const char *dir = access("presets", R_OK) ? "../../presets" : "presets";
	struct preset_entry *list;
	struct preset_dirs dirs = { .build = dir };
	uint32_t n;

	(void)state;
	unsetenv("IODECK_PRESETS");
	setenv("XDG_DATA_HOME", folder, 1);
	assert_int_equal(preset_list(&dirs, &list, &n, NULL), 0);
	assert_true(n >= 7);
	for (uint32_t i = 0; i < n; i++) {
		struct err err = { "" };
		struct spec *spec;

		if (preset_load(list[i].path, &spec, &err))
			fail_msg("%s", err.text);
		assert_string_equal(spec->name, list[i].name);
		assert_string_equal(spec->question, list[i].question);
		assert_true(strchr(spec->question, '?') != NULL);
		assert_non_null(spec->title);
		assert_non_null(spec->source);
		spec_free(spec);
	}
	preset_list_free(list, n);
}

/* ---- by name ---- */

static void names_are_looked_up_in_order(void **state)
{
	struct preset_dirs dirs = { .build = folder };
	struct err err = { "" };
	struct preset_entry *list;
	uint32_t n;
	char *path;

	(void)state;
	setenv("IODECK_PRESETS", "/nonexistent", 1);
	setenv("XDG_DATA_HOME", "relative/is/ignored", 1);
	unsetenv("HOME");
	write_file(BYTES("\xef\xbb\xbf#  Why\033?\r\n" HEAD STEP));
	assert_int_equal(preset_find(&dirs, "p", &path, NULL), 0);
	assert_string_equal(path, file);
	free(path);
	assert_int_equal(preset_find(&dirs, "x/p", &path, NULL), 0);
	assert_string_equal(path, "x/p");
	free(path);
	assert_int_equal(preset_find(&dirs, "y.ini", &path, NULL), 0);
	assert_string_equal(path, "y.ini");
	free(path);
	assert_int_equal(preset_find(&dirs, "pp", &path, &err), -ENOENT);
	assert_string_equal(err.text, "unknown preset 'pp' (nearest: p)");
	assert_int_equal(preset_find(&dirs, "", &path, &err), -ENOENT);
	assert_int_equal(preset_find(NULL, "p", &path, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no presets found"));
	assert_int_equal(preset_list(&dirs, &list, &n, NULL), 0);
	assert_int_equal(n, 1);
	assert_string_equal(list[0].question, "Why??");
	preset_list_free(list, n);
	unsetenv("IODECK_PRESETS");
}

/* ---- whatever happens to the bytes ---- */

/* A failure names FILE:LINE; a success was compared with iniparser inside, and its steps stand in the file. */
static bool check_mutant(int fd, const char *path, const char *text, size_t n)
{
	struct err err = { "" };
	struct spec *spec;
	size_t at = strlen(path);

	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, text, n, 0), n);
	if (preset_load(path, &spec, &err) == 0) {
		assert_true(spec->n_steps > 0 && spec->config.n_jobs > 0);
		for (uint32_t i = 0; i < spec->n_steps; i++)
			assert_non_null(memmem(text, n, spec->step[i].name, strlen(spec->step[i].name)));
		spec_free(spec);
		return true;
	}
	if (strncmp(err.text, path, at) || err.text[at] != ':' || err.text[at + 1] < '1' ||
	    err.text[at + 1] > '9')
		fail_msg("%s", err.text);
	return false;
}

/* A byte that means something to one reader or the other, one that seldom does harm, or any. */
static char any_byte(struct rng *r)
{
	static const char spice[] = "=[];#\"'\\:.,%* \t\r\n\0\033\xff\xef\xbb\xbf\xc2\x9b";
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789 ";

	switch (rng_below(r, 3)) {
	case 0:
		return spice[rng_below(r, sizeof(spice) - 1)];
	case 1:
		return plain[rng_below(r, sizeof(plain) - 1)];
	default:
		return (char)rng_below(r, 256);
	}
}

static size_t mutate(char *text, size_t n, size_t room, struct rng *r)
{
	size_t at = rng_below(r, n), part = rng_below(r, 40);

	part = part < n - at ? part : n - at;
	switch (rng_below(r, 4)) {
	case 0:
		text[at] = any_byte(r);
		return n;
	case 1:
		if (n + 1 > room)
			return n;
		memmove(text + at + 1, text + at, n - at);
		text[at] = any_byte(r);
		return n + 1;
	case 2:
		memmove(text + at, text + at + part, n - at - part);
		return n - part ? n - part : n;
	default: /* a piece of it again, in front of itself */
		if (n + part > room)
			return n;
		memmove(text + at + part, text + at, n - at);
		return n + part;
	}
}

static void mutants_never_crash(void **state)
{
	enum { N = 20000 };
	static char text[2 * sizeof(whole)];
	int fd = memfd_create("mutant", MFD_CLOEXEC), n_good = 0;
	char path[64];
	struct rng r;

	(void)state;
	assert_true(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rng_init(&r, 20230611, 0);
	for (int i = 0; i < N; i++) {
		size_t n = sizeof(whole) - 1;

		memcpy(text, whole, n);
		text[strcspn(text, ";")] = ',';
		for (uint64_t j = 0, m = 1 + rng_below(&r, 2); j < m; j++)
			n = mutate(text, n, sizeof(text), &r);
		n_good += check_mutant(fd, path, text, n);
	}
	close(fd);
	/* Both ends must have been reached often, or the test tests little. */
	assert_in_range(n_good, N / 20, N - N / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_presets_are_refused_with_their_line),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(too_many_of_them),
		cmocka_unit_test(other_files),
		cmocka_unit_test(a_file_that_may_not_be_read),
		cmocka_unit_test(odd_presets_are_taken),
		cmocka_unit_test(a_good_preset_is_all_there),
		cmocka_unit_test(every_shipped_preset_loads),
		cmocka_unit_test(names_are_looked_up_in_order),
		cmocka_unit_test(mutants_never_crash),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
