#include "sysread.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"

const char *const source_state_names[N_SOURCE_STATES] = { "ok", "absent", "disabled", "unreadable", "malformed" };

enum { TRIES = 8, PATH_ROOM = 512 };

static int open_below(const struct sysread *s, const char *path, int flags)
{
	struct open_how how = { .resolve = RESOLVE_IN_ROOT };
	long fd = -1;

	flags |= flags & O_PATH ? O_CLOEXEC : O_CLOEXEC | O_NOCTTY; /* openat2 takes nothing that has no meaning */
	how.flags = (uint64_t)flags;
	/* EAGAIN: something was renamed while ".." was followed */
	for (int i = 0; i < TRIES; i++) {
		fd = syscall(SYS_openat2, s->root, path, &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	/* a kernel before 5.6: good enough for this machine, not for a tree whose links may lead out of it */
	if (fd < 0 && errno == ENOSYS && s->real)
		fd = openat(s->root, path, flags);
	return fd < 0 ? -errno : (int)fd;
}

int sysread_open(struct sysread *s, const char *root, struct err *err)
{
	int code;

	s->real = !*root || !strcmp(root, "/");
	text_format(s->path, sizeof(s->path), "%s", s->real ? "" : root);
	s->root = open(s->real ? "/" : root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (s->root >= 0)
		return 0;
	code = -errno;
	return err_set(err, code, "cannot use %s in place of /: %s", root, strerror(-code));
}

void sysread_close(struct sysread *s)
{
	if (s->root >= 0)
		close(s->root);
	s->root = -1;
}

int sysread_file(const struct sysread *s, const char *path, char *buf, size_t room)
{
	int fd = open_below(s, path, O_RDONLY | O_NONBLOCK);
	size_t have = 0;
	struct stat st;
	ssize_t n = 0;

	buf[0] = '\0';
	if (fd < 0)
		return fd;
	/* all that the kernel tells lies in regular files: a pipe in its place would look like an empty one */
	if (!fstat(fd, &st) && !S_ISREG(st.st_mode)) {
		close(fd);
		return S_ISDIR(st.st_mode) ? -EISDIR : -ENOTSUP;
	}
	do {
		n = read(fd, buf + have, room - have);
		have += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && have < room) || (n < 0 && errno == EINTR));
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0 || have == room) {
		buf[0] = '\0';
		return n < 0 ? (int)n : -EFBIG;
	}
	buf[have] = '\0';
	return (int)have;
}

int sysread_filef(const struct sysread *s, char *buf, size_t room, const char *fmt, ...)
{
	char path[PATH_ROOM];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	buf[0] = '\0';
	return n < 0 || (size_t)n >= sizeof(path) ? -ENAMETOOLONG : sysread_file(s, path, buf, room);
}

int sysread_link(const struct sysread *s, const char *path, char *buf, size_t room, bool whole)
{
	int fd = open_below(s, path, O_PATH | O_NOFOLLOW), code = 0;
	char target[PATH_ROOM];
	ssize_t n;

	buf[0] = '\0';
	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", target, sizeof(target) - 1);
	if (n < 0)
		code = errno == ENOENT ? -EINVAL : -errno; /* no link */
	close(fd);
	if (code)
		return code;
	target[n] = '\0';
	const char *slash = strrchr(target, '/');

	return (int)text_format(buf, room, "%s", whole || !slash ? target : slash + 1);
}

bool sysread_exists(const struct sysread *s, const char *path)
{
	int fd = open_below(s, path, O_PATH);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

int sysread_dir(const struct sysread *s, const char *path, char (*name)[SYSREAD_NAME], uint32_t room, uint32_t *n_all)
{
	int fd = open_below(s, path, O_RDONLY | O_DIRECTORY);
	uint32_t n = 0, all = 0;
	struct dirent *entry;
	DIR *dir;

	if (n_all)
		*n_all = 0;
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while ((entry = readdir(dir))) {
		/* a name that does not fit is no device's */
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= SYSREAD_NAME)
			continue;
		all++;
		if (n < room)
			text_clean(name[n++], SYSREAD_NAME, entry->d_name, 0);
	}
	closedir(dir);
	qsort(name, n, SYSREAD_NAME, by_name);
	if (n_all)
		*n_all = all;
	return (int)n;
}

/* ENODEV: a device that went between listing and reading, which is normal. */
enum source_state sysread_state(int code)
{
	switch (code < 0 ? -code : code) {
	case 0: return SOURCE_OK;
	case ENOENT:
	case ENOTDIR:
	case ENODEV:
	case ENXIO: return SOURCE_ABSENT;
	case EFBIG: return SOURCE_MALFORMED;
	default: return SOURCE_UNREADABLE;
	}
}
