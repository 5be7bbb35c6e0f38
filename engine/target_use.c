/* The door to libmount, and a walk through sysfs: who uses a device, its partitions, what is built on it, and what it is built on.
 * Devices are compared by major:minor, never by name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "target_private.h"

enum { DEEPEST = 16, PATH_ROOM = 512 };

/* One search. `text` is filled by the first use found. */
struct search {
	struct libmnt_table *mounts, *swaps;
	const struct stat *st;
	char *text;
	size_t room;
};

/* ---- tables ---- */

/* Whether a path is the device, or the very file that is looked for. */
static bool leads_to(const char *path, dev_t dev, const struct stat *file)
{
	struct stat st;

	if (!path || path[0] != '/' || stat(path, &st))
		return false;
	if (S_ISBLK(st.st_mode))
		return st.st_rdev == dev;
	return file && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

static bool find_in(struct libmnt_table *table, bool swap, dev_t dev, const struct stat *file, char *found, size_t room)
{
	struct libmnt_iter *i = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	bool hit = false;

	while (i && !hit && !mnt_table_next_fs(table, i, &fs)) {
		hit = (!swap && dev && mnt_fs_get_devno(fs) == dev) || leads_to(mnt_fs_get_srcpath(fs), dev, file);
		if (hit && swap)
			text_format(found, room, "swap");
		else if (hit)
			text_format(found, room, "mounted on %s", mnt_fs_get_target(fs));
	}
	mnt_free_iter(i);
	return hit;
}

/* `who` says how the device belongs to the target: "" for itself. */
static int check_device(struct search *s, dev_t dev, const char *who)
{
	char found[200];

	if (!find_in(s->mounts, false, dev, NULL, found, sizeof(found)) && !find_in(s->swaps, true, dev, NULL, found, sizeof(found)))
		return 0;
	text_format(s->text, s->room, "%s%s", who, found);
	return 1;
}

/* ---- sysfs ---- */

static bool read_line(const char *path, char *line, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, room - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/* "8:1" from a file named dev. */
static bool read_dev(const char *folder, dev_t *dev)
{
	char path[PATH_ROOM], line[32];
	unsigned major, minor;

	text_format(path, sizeof(path), "%s/dev", folder);
	if (!read_line(path, line, sizeof(line)) || sscanf(line, "%u:%u", &major, &minor) != 2)
		return false;
	*dev = makedev(major, minor);
	return true;
}

static void folder_of(dev_t dev, char *path, size_t room)
{
	text_format(path, room, "/sys/dev/block/%u:%u", major(dev), minor(dev));
}

static int walk_up(struct search *s, dev_t dev, const char *who, int depth);
static int walk_down(struct search *s, dev_t dev, int depth);

/* What one entry of a folder of devices means to the target. */
static int visit(struct search *s, const char *folder, const char *name, const char *relation, int depth)
{
	char path[PATH_ROOM], who[PATH_ROOM];
	dev_t dev;

	text_format(path, sizeof(path), "%s/%s", folder, name);
	if (!read_dev(path, &dev))
		return 0;
	text_format(who, sizeof(who), "its %s %s is ", relation, name);
	if (!strcmp(relation, "slave")) {
		int used = check_device(s, dev, who);
		return used ? used : walk_down(s, dev, depth + 1);
	}
	return walk_up(s, dev, who, depth + 1);
}

/* Every device in dev's folder `sub`; of the folder itself ("") only its partitions. */
static int visit_all(struct search *s, dev_t dev, const char *sub, const char *relation, int depth)
{
	char folder[PATH_ROOM], path[PATH_ROOM];
	int used = 0;

	folder_of(dev, folder, sizeof(folder));
	size_t at = strlen(folder);
	text_format(folder + at, sizeof(folder) - at, "%s%s", *sub ? "/" : "", sub);
	DIR *d = opendir(folder);
	for (struct dirent *e; d && !used && (e = readdir(d));) {
		text_format(path, sizeof(path), "%s/%s/partition", folder, e->d_name);
		if (e->d_name[0] != '.' && (*sub || !access(path, F_OK)))
			used = visit(s, folder, e->d_name, relation, depth);
	}
	if (d)
		closedir(d);
	return used;
}

/* A loop device whose backing store is this device or file. */
static int visit_loops(struct search *s, dev_t dev, const struct stat *file, int depth)
{
	char path[PATH_ROOM], backing[PATH_ROOM], who[PATH_ROOM];
	int used = 0;
	DIR *d = opendir("/sys/block");

	for (struct dirent *e; d && !used && (e = readdir(d));) {
		dev_t loop;
		text_format(path, sizeof(path), "/sys/block/%s/loop/backing_file", e->d_name);
		if (strncmp(e->d_name, "loop", 4) || !read_line(path, backing, sizeof(backing)) || !leads_to(backing, dev, file))
			continue;
		text_format(path, sizeof(path), "/sys/block/%s", e->d_name);
		text_format(who, sizeof(who), "%s, which lies on it, is ", e->d_name);
		if (read_dev(path, &loop))
			used = walk_up(s, loop, who, depth + 1);
	}
	if (d)
		closedir(d);
	return used;
}

/* The device, its partitions, and what is built on any of them. */
static int walk_up(struct search *s, dev_t dev, const char *who, int depth)
{
	if (depth > DEEPEST)
		return 0;
	int used = check_device(s, dev, who);
	if (!used)
		used = visit_all(s, dev, "", "partition", depth);
	if (!used)
		used = visit_all(s, dev, "holders", "holder", depth);
	return used ? used : visit_loops(s, dev, NULL, depth);
}

static int walk_down(struct search *s, dev_t dev, int depth)
{
	return depth > DEEPEST ? 0 : visit_all(s, dev, "slaves", "slave", depth);
}

/* The whole disk of a partition may be mounted as such. */
static int check_parent(struct search *s, dev_t dev)
{
	char folder[PATH_ROOM], path[PATH_ROOM];
	dev_t parent;

	folder_of(dev, folder, sizeof(folder));
	text_format(path, sizeof(path), "%s/partition", folder);
	if (access(path, F_OK))
		return 0;
	text_format(path, sizeof(path), "%s/..", folder);
	return read_dev(path, &parent) ? check_device(s, parent, "its whole disk is ") : 0;
}

/* Something built on it holds it, mounted or not. */
static int check_holders(struct search *s, dev_t dev)
{
	char folder[PATH_ROOM];
	int held = 0;

	folder_of(dev, folder, sizeof(folder));
	size_t at = strlen(folder);
	text_format(folder + at, sizeof(folder) - at, "/holders");
	DIR *d = opendir(folder);
	for (struct dirent *e; d && !held && (e = readdir(d));) {
		held = e->d_name[0] != '.';
		if (held)
			text_format(s->text, s->room, "held by %s", e->d_name);
	}
	if (d)
		closedir(d);
	return held;
}

/* ---- all of it ---- */

static int search_device(struct search *s, dev_t dev)
{
	int used = walk_up(s, dev, "", 0);

	if (!used)
		used = walk_down(s, dev, 0);
	if (!used)
		used = check_parent(s, dev);
	return used ? used : check_holders(s, dev);
}

static int search_file(struct search *s)
{
	if (find_in(s->swaps, true, 0, s->st, s->text, s->room))
		return 1;
	return visit_loops(s, 0, s->st, 0);
}

int target_used_by(const struct stat *st, char *text, size_t room)
{
	struct search s = {.mounts = mnt_new_table_from_file("/proc/self/mountinfo"), .swaps = mnt_new_table(), .st = st, .text = text, .room = room};
	int code;

	*text = '\0';
	if (!s.mounts || !s.swaps || mnt_table_parse_swaps(s.swaps, NULL)) {
		text_format(text, room, "the mount table cannot be read, so nobody can tell who uses it");
		code = -EIO;
	} else {
		code = S_ISBLK(st->st_mode) ? search_device(&s, st->st_rdev) : search_file(&s);
	}
	mnt_unref_table(s.mounts);
	mnt_unref_table(s.swaps);
	return code;
}
