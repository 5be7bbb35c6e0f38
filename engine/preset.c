/* The door to iniparser: a file becomes bytes, the walk checks them, iniparser reads the same
 * bytes, and both must have seen the same sections, keys and values. */
#include "preset.h"

#include <errno.h>
#include <fcntl.h>
#if __has_include(<iniparser.h>)
#include <iniparser.h>
#else
#include <iniparser/iniparser.h>
#endif
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "preset_fill.h"
#include "preset_walk.h"

enum { MAX_BYTES = 256 * 1024 };

/* ---- bytes of the file ---- */

/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
static int open_preset(const struct preset_place *place)
{
	int fd = open(place->file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return preset_fail(place, -errno, "cannot open this preset: %s", strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return preset_refuse(place, "is a %s, not a preset: name an .ini file",
			     S_ISDIR(st.st_mode) ? "directory" : "special file");
}

/* What was read so far. */
struct content {
	char *bytes; /* owned */
	size_t n, room;
};

static bool grow(struct content *c)
{
	size_t room = c->room ? 2 * c->room : 4096;
	char *grown = realloc(c->bytes, room);

	if (!grown)
		return false;
	c->bytes = grown;
	c->room = room;
	return true;
}

static int read_bytes(const struct preset_place *place, int fd, struct content *c)
{
	ssize_t got = 1;

	while (got) {
		if (c->n == c->room && !grow(c))
			return preset_fail(place, -ENOMEM, "out of memory");
		got = read(fd, c->bytes + c->n, c->room - c->n);
		if (got < 0 && errno != EINTR)
			return preset_fail(place, -errno, "cannot read this preset: %s",
					   strerror(errno));
		c->n += got > 0 ? (size_t)got : 0;
		if (c->n > MAX_BYTES)
			return preset_refuse(place, "is larger than %d bytes: not a preset?",
					     MAX_BYTES);
	}
	return 0;
}

/* ---- iniparser ---- */

/* What iniparser has to say is never shown: the walk has said it before, with the line. */
static int silent(const char *fmt, ...)
{
	(void)fmt;
	return 0;
}

/* 4.1 loads by name only, and fails on a byte-order mark: so a nameless file with the checked
 * bytes. The callback is one word for the whole process; every caller writes the same value, and
 * nobody puts the noisy one back. tolower and isspace must not follow the program's locale (a
 * Turkish one has another small I): the locale of this thread is C meanwhile. */
static dictionary *load_dictionary(const char *bytes, size_t n_bytes)
{
	int fd = memfd_create("preset", MFD_CLOEXEC);
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	dictionary *dict = NULL;
	char name[64];

	if (fd >= 0 && c && write(fd, bytes, n_bytes) == (ssize_t)n_bytes) {
		locale_t before = uselocale(c);

		text_format(name, sizeof(name), "/proc/self/fd/%d", fd);
		iniparser_set_error_callback(silent);
		dict = iniparser_load(name);
		uselocale(before);
	}
	if (c)
		freelocale(c);
	if (fd >= 0)
		close(fd);
	return dict;
}

static void lower_name(char *dst, size_t room, const char *section, const char *key)
{
	text_format(dst, room, "%s%s%s", section, key ? ":" : "", key ? key : "");
	for (char *p = dst; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
}

static bool is_seen(const dictionary *dict, const struct walk_item *item)
{
	char name[2 * WALK_MAX_NAME + 2];
	const char *value;

	lower_name(name, sizeof(name), item->section, item->key);
	if (!iniparser_find_entry(dict, name))
		return false;
	value = iniparser_getstring(dict, name, NULL);
	return item->key ? value && !strcmp(value, item->value) : !value;
}

static uint32_t count_entries(const dictionary *dict)
{
	int n_sections = iniparser_getnsec(dict);
	int n = n_sections;

	for (int i = 0; i < n_sections; i++)
		n += iniparser_getsecnkeys(dict, iniparser_getsecname(dict, i));
	return (uint32_t)n;
}

static int compare(const dictionary *dict, const char *path, const struct walk *walk,
		   struct err *err)
{
	struct preset_place whole = { .err = err, .file = path };

	for (uint32_t i = 0; i < walk->n_items; i++) {
		struct preset_place place = walk_place(path, &walk->item[i], err);

		if (!is_seen(dict, &walk->item[i]))
			return preset_refuse(&place,
					     "iniparser reads this otherwise: write it plainer");
	}
	if (count_entries(dict) == walk->n_items)
		return 0;
	return preset_refuse(&whole, "iniparser sees %u sections and keys, there are %u",
			     count_entries(dict), walk->n_items);
}

static int agree(const char *path, const char *bytes, size_t n_bytes, const struct walk *walk,
		 struct err *err)
{
	struct preset_place place = { .err = err, .file = path };
	dictionary *dict = load_dictionary(bytes, n_bytes);
	int ret;

	if (!dict)
		return preset_refuse(&place,
				     "iniparser cannot read it (it needs memory and /proc)");
	ret = compare(dict, path, walk, err);
	iniparser_freedict(dict);
	return ret;
}

/* ---- all of it ---- */

static int load_bytes(const char *path, const char *bytes, size_t n_bytes, struct spec **spec,
		      struct err *err)
{
	size_t bom = n_bytes >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
	struct walk walk;
	int ret = preset_walk(path, bytes + bom, n_bytes - bom, &walk, err);

	if (ret)
		return ret;
	ret = agree(path, bytes + bom, n_bytes - bom, &walk, err);
	if (!ret)
		ret = preset_fill(path, &walk, spec, err);
	preset_walk_release(&walk);
	return ret;
}

int preset_load(const char *path, struct spec **spec, struct err *err)
{
	struct preset_place place = { .err = err, .file = path };
	struct content content = { .bytes = NULL };
	int fd = open_preset(&place);
	int ret;

	if (fd < 0)
		return fd;
	ret = read_bytes(&place, fd, &content);
	close(fd);
	if (!ret)
		ret = load_bytes(path, content.bytes, content.n, spec, err);
	free(content.bytes);
	return ret;
}
