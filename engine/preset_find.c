/* Where presets are, by name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "preset.h"
#include "preset_walk.h"
#include "say.h"

enum { N_DIRS = 4 };

static bool ends_with_ini(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && !strcmp(name + n - 4, ".ini");
}

/* A folder below the user's data; "" when there is none. The XDG rule: a relative $XDG_DATA_HOME
 * counts as not set. */
static void data_dir(char *buf, size_t room)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	buf[0] = '\0';
	if (data && *data == '/')
		text_format(buf, room, "%s/iodeck/presets", data);
	else if (home && *home)
		text_format(buf, room, "%s/.local/share/iodeck/presets", home);
}

/* The folders in the order they are looked at, "" for none; `own` keeps the text of one. */
static void list_dirs(const struct preset_dirs *dirs, char own[PATH_MAX], const char *list[N_DIRS])
{
	const char *env = getenv("IODECK_PRESETS");

	data_dir(own, PATH_MAX);
	list[0] = env ? env : "";
	list[1] = dirs && dirs->build ? dirs->build : "";
	list[2] = own;
	list[3] = dirs && dirs->install ? dirs->install : "";
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- one by its name ---- */

static int give(char **path, const char *text, struct err *err)
{
	*path = strdup(text);
	return *path ? 0 : err_set(err, -ENOMEM, "out of memory");
}

static int not_found(const struct preset_dirs *dirs, const char *name, struct err *err)
{
	struct preset_entry *list;
	const char **names;
	uint32_t n;
	int ret = preset_list(dirs, &list, &n, err);

	if (ret)
		return ret;
	names = calloc(n + 1, sizeof(*names));
	for (uint32_t i = 0; names && i < n; i++)
		names[i] = list[i].name;
	say_unknown(err, "preset", name, names, names ? n : 0);
	if (!n)
		err_set(err, -ENOENT,
			"%s: no presets found; give a path, or name their folder in "
			"$IODECK_PRESETS",
			err ? err->text : "");
	free(names);
	preset_list_free(list, n);
	return -ENOENT;
}

int preset_find(const struct preset_dirs *dirs, const char *name, char **path, struct err *err)
{
	char own[PATH_MAX], full[PATH_MAX];
	const char *list[N_DIRS];

	if (strchr(name, '/') || ends_with_ini(name))
		return give(path, name, err);
	list_dirs(dirs, own, list);
	for (size_t i = 0; i < N_DIRS && *name; i++) {
		if (!*list[i])
			continue;
		text_format(full, sizeof(full), "%s/%s.ini", list[i], name);
		if (is_file(full))
			return give(path, full, err);
	}
	return not_found(dirs, name, err);
}

/* ---- all of them ---- */

/* The first line without its comment sign; NULL when it is no comment or cannot be read. */
static char *read_question(const char *path)
{
	char line[WALK_MAX_LINE + 1], clean[WALK_MAX_LINE + 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	char *text = line;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return NULL;
	line[n] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	if (*text != '#' && *text != ';')
		return NULL;
	text++;
	text_clean(clean, sizeof(clean), text + strspn(text, " \t"), 0);
	return strdup(clean);
}

static bool is_listed(const struct preset_entry *list, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(list[i].name, name))
			return true;
	return false;
}

struct listing {
	struct preset_entry *entry;
	uint32_t n;
	bool failed; /* out of memory */
};

static void add_entry(struct listing *l, const char *dir, const char *file)
{
	struct preset_entry entry = { .path = NULL }, *grown;
	size_t length = strlen(file) - 4;
	char full[PATH_MAX];

	text_format(full, sizeof(full), "%s/%s", dir, file);
	text_format(entry.name, sizeof(entry.name), "%.*s", (int)length, file);
	if (length >= SPEC_NAME || is_listed(l->entry, l->n, entry.name) || !is_file(full))
		return;
	grown = realloc(l->entry, (l->n + 1) * sizeof(*grown));
	entry.path = strdup(full);
	entry.question = read_question(full);
	l->entry = grown ? grown : l->entry;
	l->failed |= !grown || !entry.path;
	if (grown) {
		grown[l->n++] = entry;
		return;
	}
	free(entry.path);
	free(entry.question);
}

/* A folder that is not there, or that may not be read, holds no presets. */
static void add_dir(struct listing *l, const char *dir)
{
	DIR *d = *dir ? opendir(dir) : NULL;
	const struct dirent *file;

	while (d && (file = readdir(d)))
		if (file->d_name[0] != '.' && ends_with_ini(file->d_name))
			add_entry(l, dir, file->d_name);
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	const struct preset_entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int preset_list(const struct preset_dirs *dirs, struct preset_entry **list, uint32_t *n,
		struct err *err)
{
	struct listing l = { .entry = NULL };
	char own[PATH_MAX];
	const char *where[N_DIRS];

	list_dirs(dirs, own, where);
	for (size_t i = 0; i < N_DIRS; i++)
		add_dir(&l, where[i]);
	if (l.failed) {
		preset_list_free(l.entry, l.n);
		return err_set(err, -ENOMEM, "out of memory");
	}
	if (l.n)
		qsort(l.entry, l.n, sizeof(*l.entry), by_name);
	*list = l.entry;
	*n = l.n;
	return 0;
}

void preset_list_free(struct preset_entry *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free(list[i].path);
		free(list[i].question);
	}
	free(list);
}
