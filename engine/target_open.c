/* Open one target, or say why not. Looking comes first, opening for writing last. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "label.h"
#include "target_private.h"

#define NO_DEVICE_BYTES (INT64_C(1) << 30) /* /dev/zero has no end: as much as fio's size=1g */

enum { TMPFS = 0x01021994, RAMFS = (int)0x858458f6, PAGE = 4096 };

/* One target on its way. */
struct opening {
	struct target *t;
	const char *path;
	const struct target_permit *permit;
	struct stat st;
	bool buffered;
	uint64_t volume;
	char *lost;
	size_t lost_room;
	struct err *err;
};

static int refuse(struct opening *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct opening *o, const char *fmt, ...)
{
	char why[400];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	return err_set(o->err, -EPERM, "cannot %s '%s': %s", o->permit->write ? "write" : "read", o->path, why);
}

/* ---- what it is ---- */

static bool below_dev(const char *path)
{
	char folder[4096];

	text_format(folder, sizeof(folder), "%s", path);
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	char *real = realpath(slash ? folder : ".", NULL);
	bool below = real && (!strcmp(real, "/dev") || !strncmp(real, "/dev/", 5));

	free(real);
	return below || !strncmp(path, "/dev/", 5);
}

static int create(struct opening *o, uint64_t bytes)
{
	if (below_dev(o->path))
		return refuse(o, "it does not exist, and nothing is ever created under /dev; check the name");
	if (!bytes || !o->permit->write)
		return refuse(o, "it does not exist; a file is created only with `size` in [target] and --write");
	int fd = open(o->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int code = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)bytes);
	if (fd >= 0)
		close(fd);
	if (code && fd >= 0)
		unlink(o->path);
	if (code)
		return refuse(o, "it cannot be created: %s", strerror(code));
	return stat(o->path, &o->st) ? refuse(o, "%s", strerror(errno)) : 0;
}

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode)  ? "a directory"
	       : S_ISFIFO(mode) ? "a FIFO"
	       : S_ISSOCK(mode) ? "a socket"
				: "a character device";
}

static int look(struct opening *o, uint64_t bytes)
{
	dev_t zero = makedev(1, 5), null = makedev(1, 3);

	if (!*o->path)
		return refuse(o, "the path is empty");
	if (stat(o->path, &o->st)) {
		int code = errno == ENOENT ? create(o, bytes) : refuse(o, "%s", strerror(errno));
		if (code)
			return code;
	}
	if (S_ISBLK(o->st.st_mode))
		o->t->kind = TARGET_BLOCK;
	else if (S_ISREG(o->st.st_mode))
		o->t->kind = TARGET_FILE;
	else if (S_ISCHR(o->st.st_mode) && (o->st.st_rdev == zero || o->st.st_rdev == null))
		o->t->kind = TARGET_NONE;
	else
		return refuse(o, "it is %s, not a block device or file", kind_of(o->st.st_mode));
	if (o->t->kind != TARGET_NONE)
		o->t->dev = o->t->kind == TARGET_BLOCK ? o->st.st_rdev : o->st.st_dev;
	return 0;
}

static void find_kernel_name(struct target *t)
{
	char path[64], link[256];

	text_format(path, sizeof(path), "/sys/dev/block/%u:%u", major(t->dev), minor(t->dev));
	ssize_t n = t->dev ? readlink(path, link, sizeof(link) - 1) : -1;
	link[n > 0 ? n : 0] = '\0';
	const char *slash = strrchr(link, '/');
	text_format(t->kernel_name, sizeof(t->kernel_name), "%s", slash ? slash + 1 : "");
}

/* ---- whether it may be written ---- */

bool target_is_named(const struct target_permit *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_names; i++)
		if (!strcmp(p->name[i], name))
			return true;
	return false;
}

static bool device_is_named(const struct opening *o)
{
	char node[64];

	text_format(node, sizeof(node), "/dev/%s", o->t->kernel_name);
	return target_is_named(o->permit, o->path) || (o->t->kernel_name[0] && (target_is_named(o->permit, o->t->kernel_name) || target_is_named(o->permit, node)));
}

static int check_writable(struct opening *o, int fd)
{
	int read_only = 0;

	if (o->t->kind == TARGET_BLOCK && !ioctl(fd, BLKROGET, &read_only) && read_only)
		return refuse(o, "the device is read-only");
	return access(o->path, W_OK) ? refuse(o, "%s", strerror(errno)) : 0;
}

/* The first signature on it that was not named; NULL: all were. */
static const char *unnamed(const struct opening *o, const struct content *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (!target_is_named(o->permit, c->type[i]))
			return c->type[i];
	return NULL;
}

static int check_names(struct opening *o, const struct content *c)
{
	const char *type = unnamed(o, c);
	bool named = o->t->kind != TARGET_BLOCK || device_is_named(o);

	if (!named && c->n)
		return refuse(o, "%s on it would be lost; a device is written only when named, with what is on it: --write=%s --write=%s", c->text,
			      o->path, c->type[0]);
	if (!named)
		return refuse(o, "a block device is written only when named: --write=%s", o->path);
	if (type)
		return refuse(o, "%s on it would be lost; to overwrite it, name it as well: --write=%s", c->text, type);
	if (c->n || o->t->kind == TARGET_BLOCK) {
		size_t at = strlen(o->lost);
		text_format(o->lost + at, o->lost_room - at, "%s'%s' (%s): %s", at ? "; " : "", o->path, o->t->kernel_name,
			    c->n ? c->text : "no known signature, but whatever is on it");
	}
	return 0;
}

/* A disk of a volume is a signature as well, but not to who has the volume's state: then there is nothing else to be asked but its name. */
static bool find_label(struct opening *o, int fd, struct content *c)
{
	struct disk_label l;
	size_t at = strlen(c->text);

	if (label_read(fd, &l) != 1)
		return false;
	if (l.volume == o->volume)
		return o->t->kind != TARGET_BLOCK || device_is_named(o);
	if (c->n == CONTENT_MAX)
		return false;
	text_format(c->type[c->n], sizeof(c->type[0]), LABEL_SIGNATURE);
	text_format(c->text + at, sizeof(c->text) - at, "%s%s (disk d%u of volume %016llx, which goes on only with its state file: state in [volume])",
		    c->n ? ", " : "", LABEL_SIGNATURE, l.index + 1, (unsigned long long)l.volume);
	c->n++;
	return false;
}

/* Everything that is asked before a device is opened for writing; what would be lost goes to `lost`. */
static int guard(struct opening *o)
{
	struct content c = {.n = 0};
	char use[256];
	int used = target_used_by(&o->st, use, sizeof(use));

	if (used)
		return refuse(o, "%s", use);
	int fd = open(o->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return refuse(o, "%s", strerror(errno));
	int code = check_writable(o, fd);
	if (!code && o->st.st_size + (o->t->kind == TARGET_BLOCK) > 0 && target_content(fd, &c))
		code = refuse(o, "what is on it cannot be told (libblkid failed)");
	bool known = !code && find_label(o, fd, &c);
	close(fd);
	return code || known ? code : check_names(o, &c);
}

/* ---- open ---- */

static int open_it(struct opening *o)
{
	struct target *t = o->t;
	bool block = t->kind == TARGET_BLOCK;
	int flags = (o->permit->write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK;
	struct stat now;

	t->direct = !o->buffered && t->kind != TARGET_NONE;
	t->writable = o->permit->write;
	flags |= (t->direct ? O_DIRECT : 0) | (block && o->permit->write ? O_EXCL : 0);
	t->fd = open(o->path, flags);
	if (t->fd < 0 && errno == EBUSY)
		return refuse(o, "another process holds it (or its whole disk is in use)");
	if (t->fd < 0 && errno == EINVAL && t->direct)
		return refuse(o, "its file system has no direct I/O; to go through the page cache: direct = no in [target]");
	if (t->fd < 0)
		return refuse(o, "%s", strerror(errno));
	if (fstat(t->fd, &now) || now.st_rdev != o->st.st_rdev || now.st_ino != o->st.st_ino || now.st_dev != o->st.st_dev)
		return refuse(o, "it changed while it was being looked at");
	fcntl(t->fd, F_SETFL, fcntl(t->fd, F_GETFL) & ~O_NONBLOCK);
	return 0;
}

/* ---- size and alignment ---- */

/* Direct I/O's alignment of a file, where the kernel tells it (6.1); else the safe page. */
static uint32_t file_alignment(int fd)
{
#ifdef STATX_DIOALIGN
	struct statx x;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &x) && x.stx_mask & STATX_DIOALIGN && x.stx_dio_offset_align)
		return x.stx_dio_offset_align > x.stx_dio_mem_align ? x.stx_dio_offset_align : x.stx_dio_mem_align;
#endif
	(void)fd;
	return 512;
}

static void measure_block(struct target *t)
{
	int logical = 512;

	if (ioctl(t->fd, BLKGETSIZE64, &t->size_bytes))
		t->size_bytes = 0;
	if (ioctl(t->fd, BLKSSZGET, &logical) || logical < 512)
		logical = 512;
	t->block_bytes = t->direct ? (uint32_t)logical : 1;
	t->allocated_bytes = t->size_bytes;
}

static void measure_file(struct opening *o)
{
	struct target *t = o->t;
	struct statfs fs;

	t->size_bytes = (uint64_t)o->st.st_size;
	t->allocated_bytes = (uint64_t)o->st.st_blocks * 512;
	t->block_bytes = t->direct ? file_alignment(t->fd) : 1;
	t->in_memory = !fstatfs(t->fd, &fs) && ((int)fs.f_type == TMPFS || (int)fs.f_type == RAMFS);
}

static int measure(struct opening *o)
{
	if (o->t->kind == TARGET_BLOCK) {
		measure_block(o->t);
	} else if (o->t->kind == TARGET_FILE) {
		measure_file(o);
	} else {
		o->t->size_bytes = o->t->allocated_bytes = NO_DEVICE_BYTES;
		o->t->block_bytes = 1;
	}
	if (o->t->size_bytes < PAGE)
		return refuse(o, "it holds %llu bytes, too few to measure anything", (unsigned long long)o->t->size_bytes);
	return 0;
}

static void add_label(struct target *t, const char *text)
{
	size_t at = strlen(t->label);

	text_format(t->label + at, sizeof(t->label) - at, "%s%s", at ? ", " : "", text);
}

static void label(struct opening *o)
{
	struct target *t = o->t;
	char use[256], text[300];

	if (t->kind == TARGET_NONE)
		add_label(t, "no device: what is measured is iodeck itself");
	if (t->kind == TARGET_BLOCK && !t->writable && target_used_by(&o->st, use, sizeof(use)) > 0) {
		const char *where = strstr(use, "mounted on ");
		text_format(text, sizeof(text), "in use by %s", where ? where + strlen("mounted on ") : use);
		add_label(t, text);
	}
	if (!t->direct && t->kind != TARGET_NONE)
		add_label(t, "buffered: through the page cache");
	if (t->in_memory)
		add_label(t, "in memory (tmpfs)");
}

int target_open_one(struct target *t, const struct spec *spec, const struct target_permit *permit, uint64_t volume, char *lost, size_t room,
		    struct err *err)
{
	struct opening o = {.t = t, .path = t->def->path, .permit = permit, .buffered = spec->buffered, .volume = volume, .lost = lost,
			    .lost_room = room, .err = err};
	int code = look(&o, spec->target_bytes);

	if (code)
		return code;
	find_kernel_name(t);
	if (permit->write && t->kind != TARGET_NONE)
		code = guard(&o);
	if (!code)
		code = open_it(&o);
	if (!code)
		code = measure(&o);
	if (!code)
		label(&o);
	return code;
}
