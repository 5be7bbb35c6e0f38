/* Targets of libFuzzer for the parsers of the kernel's texts; FUZZ chooses one (Makefile, `make fuzz`). The text is given in memory of exactly its size, as
 * the fuzzer does, so that a sanitizer sees what is read beyond. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dasd_text.h"
#include "diskstats.h"
#include "dm.h"
#include "md_text.h"
#include "system_text.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "uevent.h"
#include "undo.h"

#ifndef FUZZ
#define FUZZ fuzz_diskstats
#endif

/* What must hold of any text. */
static void must(int holds)
{
	if (!holds)
		abort();
}

static void fuzz_diskstats(const char *text, size_t n)
{
	const char *at = text, *before = text;
	struct disk_counters c, last = { .n_fields = 17 };
	struct disk_line line;
	struct disk_rates r;
	int64_t a, b;
	int ret;

	while ((ret = diskstats_next(&at, text + n, &line)) && at < text + n) {
		must(at > before);
		before = at;
		if (ret > 0 && diskstats_rates(&last, &line.c, 1, &r))
			must(r.r_s >= 0 && r.util <= 100);
		if (ret > 0)
			last = line.c;
	}
	diskstats_parse_stat(text, n, &c);
	diskstats_parse_inflight(text, n, &a, &b);
}

static void fuzz_dasd_proc(const char *text, size_t n)
{
	struct dasd_statistics d, delta;
	const char *why = NULL;
	enum source_state state = dasd_parse_proc(text, n, &d, &why);

	must(state == SOURCE_OK || why);
	if (state == SOURCE_OK)
		dasd_statistics_delta(&d, &d, &delta);
}

static void fuzz_dasd_debugfs(const char *text, size_t n)
{
	struct dasd_statistics d;
	const char *why = NULL;

	must(dasd_parse_debugfs(text, n, &d, &why) == SOURCE_OK || why);
}

static void fuzz_dasd_devices(const char *text, size_t n)
{
	struct dasd_device_line line;
	struct dasd_uid uid;
	const char *at = text;

	while (dasd_devices_next(&at, text + n, &line) && at < text + n)
		must(strlen(line.name) < sizeof(line.name));
	if (!dasd_parse_uid(text, n, &uid))
		must(uid.lcu[0] && strlen(uid.ua) == 2);
}

static void fuzz_mdstat(const char *text, size_t n)
{
	struct md_array a[4];
	int64_t kib;
	bool local;

	must(md_parse_mdstat(text, n, a, 4) <= 4);
	md_parse_speed(text, n, &kib, &local);
}

static void fuzz_system(const char *text, size_t n)
{
	struct pressure_text p;
	struct cpu_text a;
	char word[24];
	int64_t value;
	uint64_t hex;
	uint32_t x, y;

	pressure_parse(text, n, &p);
	cpu_parse(text, n, &a);
	attr_parse_i64(text, n, &value);
	attr_parse_hex(text, n, &hex);
	attr_parse_timeout(text, n, &value);
	attr_parse_dev(text, n, &x, &y);
	if (!attr_parse_text(text, n, word, sizeof(word)))
		must(strlen(word) < sizeof(word));
	attr_parse_choice(text, n, word, sizeof(word));
}

static void fuzz_dm(const char *text, size_t n)
{
	char *line = strndup(text, n);
	struct dm_multipath m;
	struct dm_stats s = { 0 };
	struct dm_switch sw;
	struct dm_line l;

	if (line && !dm_parse_line(line, &l)) {
		if (!dm_parse_multipath_status(l.params, &m))
			must(dm_active_paths(&m) <= m.n_paths && m.n_paths <= DM_MAX_PATHS);
		dm_parse_multipath_table(l.params, &m);
		dm_parse_switch_table(&l, &sw);
	}
	if (line) {
		dm_parse_stats_list(line, &s);
		dm_parse_stats_print(line, &s);
	}
	free(line);
}

static void fuzz_uevent(const char *bytes, size_t n)
{
	struct uevent u;
	char text[64];

	if (uevent_parse(bytes, n, &u))
		return;
	must(u.devpath[0] == '/' && u.subsystem[0]);
	uevent_text(&u, text, sizeof(text));
	must(strlen(text) < sizeof(text));
	uevent_kind(&u);
}

static void must_parse(const char *text, size_t n, const struct undo_entry *wanted)
{
	struct undo_log log;

	if (!undo_parse(text, n, &log, NULL)) {
		must(log.n <= UNDO_MAX);
		for (uint32_t i = 0; i < log.n; i++)
			must(log.entry[i].setting.kind < N_SETTING_KINDS);
		if (wanted)
			must(log.n == 1 && !strcmp(log.entry[0].setting.object, wanted->setting.object) &&
			     !strcmp(log.entry[0].setting.value, wanted->setting.value) && !strcmp(log.entry[0].effect, wanted->effect));
	} else {
		must(!wanted);
	}
	undo_log_release(&log);
}

/* As it comes, and as the texts of an entry that is written and read back; then cut and followed by what comes. */
static void fuzz_undo(const char *text, size_t n)
{
	static struct undo_entry e;
	struct strbuf out = { 0 };
	int third = (int)(n / 3);

	e = (struct undo_entry){ .setting.kind = SETTING_DM_TABLE };
	text_format(e.setting.object, sizeof(e.setting.object), "%.*s", third, text);
	text_format(e.setting.value, sizeof(e.setting.value), "%.*s", third, text + third);
	text_format(e.effect, sizeof(e.effect), "%.*s", third, text + 2 * third);
	undo_put_head(&out);
	undo_put_want(&out, &e);
	undo_put_did(&out, &e);
	must_parse(out.text, out.length, &e);
	must_parse(text, n, NULL);
	strbuf_add(&out, text, n);
	must_parse(out.text, out.length - (n ? (unsigned char)text[0] % out.length : 0), NULL);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static void (*const all[])(const char *, size_t) = { fuzz_diskstats, fuzz_dasd_proc, fuzz_dasd_debugfs, fuzz_dasd_devices,
							     fuzz_mdstat,    fuzz_system,    fuzz_dm,	     fuzz_uevent,
							     fuzz_undo };

	(void)all;
	FUZZ((const char *)data, n);
	return 0;
}
