/* Result files: reserve, write, rename. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name beside `target` for mkostemp. NULL when memory is short. */
static char *temporary_name(const char *target)
{
	const char *slash = strrchr(target, '/');
	const char *base = slash ? slash + 1 : target;
	char *name = NULL;

	/* The base is cut so that the name stays within NAME_MAX. */
	if (asprintf(&name, "%.*s.%.200s.XXXXXX", (int)(base - target), target, base) < 0)
		return NULL;
	return name;
}

/* A file that exists and is not a plain one is written in place: a terminal, a pipe, /dev/null, /dev/full. */
static int open_in_place(struct output *o, mode_t mode, struct err *err)
{
	if (S_ISDIR(mode))
		return err_set(err, -EISDIR, "cannot write '%s': it is a folder", o->path);
	if (S_ISBLK(mode))
		return err_set(err, -EINVAL, "cannot write '%s': it is a block device, not a file for results",
			       o->path);
	o->fd = open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (o->fd < 0)
		return err_set(err, -errno, "cannot write '%s': %s", o->path, strerror(errno));
	return 0;
}

/* Whether a plain file may be replaced; `mode` of the new one is then that of the old. */
static int may_replace(const struct output *o, bool force, struct err *err)
{
	if (!force)
		return err_set(err, -EEXIST, "'%s' exists; --force replaces it", o->path);
	if (access(o->path, W_OK))
		return err_set(err, -errno, "cannot write '%s': %s", o->path, strerror(errno));
	return 0;
}

static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Make the temporary file beside o->target. */
static int reserve(struct output *o, mode_t mode, struct err *err)
{
	o->temporary = temporary_name(o->target);
	if (!o->temporary)
		return err_set(err, -ENOMEM, "out of memory");
	o->fd = mkostemp(o->temporary, O_CLOEXEC);
	if (o->fd < 0) {
		int code = -errno;

		free(o->temporary);
		o->temporary = NULL;
		return err_set(err, code, "cannot write '%s': %s", o->path,
			       code == -ENOENT ? "its folder does not exist" : strerror(-code));
	}
	/* mkostemp gives 0600; a failure leaves that, which harms nobody. */
	if (fchmod(o->fd, mode & 0777))
		errno = 0;
	return 0;
}

static int open_path(struct output *o, bool force, struct err *err)
{
	struct stat st;
	mode_t mode = new_file_mode();

	if (!stat(o->path, &st)) {
		if (!S_ISREG(st.st_mode))
			return open_in_place(o, st.st_mode, err);
		int code = may_replace(o, force, err);

		if (code)
			return code;
		/* Through a symbolic link: the file it leads to is replaced, the link stays. */
		o->target = realpath(o->path, NULL);
		o->replace = true;
		mode = st.st_mode;
	} else if (!lstat(o->path, &st)) {
		return err_set(err, -ENOENT, "cannot write '%s': a symbolic link that leads nowhere", o->path);
	} else if (errno != ENOENT) {
		return err_set(err, -errno, "cannot write '%s': %s", o->path, strerror(errno));
	} else {
		size_t length = strlen(o->path);

		if (length && o->path[length - 1] == '/')
			return err_set(err, -EISDIR, "cannot write '%s': it names a folder", o->path);
		o->target = strdup(o->path);
	}
	if (!o->target)
		return err_set(err, -errno, "cannot write '%s': %s", o->path, strerror(errno));
	return reserve(o, mode, err);
}

int output_open(struct output *o, const char *path, bool force, struct err *err)
{
	*o = (struct output){ .path = path, .fd = -1 };
	if (!strcmp(path, "-")) {
		o->fd = STDOUT_FILENO;
		o->open = true;
		return 0;
	}
	int code = open_path(o, force, err);

	if (code) {
		free(o->target);
		o->target = NULL;
		return code;
	}
	o->open = true;
	return 0;
}

/* The real path of the temporary file less its random end, or NULL. Given. */
static char *reserved_place(const struct output *o)
{
	char *place = o->open && o->temporary ? realpath(o->temporary, NULL) : NULL;

	if (place)
		place[strlen(place) - strlen("XXXXXX")] = '\0';
	return place;
}

bool output_same(const struct output *a, const struct output *b)
{
	char *pa = reserved_place(a), *pb = reserved_place(b);
	bool same = pa && pb && !strcmp(pa, pb);

	free(pa);
	free(pb);
	return same;
}

bool output_write(struct output *o, const char *bytes, size_t n)
{
	for (size_t at = 0; at < n && !o->failure;) {
		ssize_t done = write(o->fd, bytes + at, n - at);

		if (done >= 0)
			at += (size_t)done;
		else if (errno != EINTR)
			o->failure = errno;
	}
	if (!o->failure)
		o->good += (off_t)n;
	else if (o->temporary && ftruncate(o->fd, o->good))
		o->good = 0; /* nothing more can be done; commit reports the loss */
	return !o->failure;
}

/* Give the temporary file its name; a file that came up there meanwhile is not overwritten. */
static int put_in_place(const struct output *o)
{
	if (o->replace)
		return rename(o->temporary, o->target) ? -errno : 0;
	if (!renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->target, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (link(o->temporary, o->target)) /* an older filesystem */
		return -errno;
	unlink(o->temporary);
	return 0;
}

int output_commit(struct output *o, struct err *err)
{
	int code = -o->failure;
	bool keep = true;

	if (!o->open)
		return 0;
	if (o->temporary) {
		keep = !o->failure || o->good > 0;
		/* Space may be found missing only now. */
		if (fsync(o->fd) && errno != EINVAL && errno != ENOSYS && !code)
			code = -errno;
	}
	if (o->fd != STDOUT_FILENO && close(o->fd) && !code)
		code = -errno;
	o->open = false;
	if (code)
		err_set(err, code, "output to '%s' was lost: %s%s", o->path, strerror(-code),
			o->temporary && keep ? "; what was written until then is kept" : "");
	if (o->temporary && !keep) {
		unlink(o->temporary);
	} else if (o->temporary) {
		int moved = put_in_place(o);

		if (moved)
			code = err_set(err, moved, "cannot write '%s': %s; the results are in '%s'", o->path,
				       strerror(-moved), o->temporary);
	}
	free(o->target);
	free(o->temporary);
	o->target = o->temporary = NULL;
	return code;
}

void output_abandon(struct output *o)
{
	if (!o->open)
		return;
	if (o->temporary)
		unlink(o->temporary);
	if (o->fd != STDOUT_FILENO)
		close(o->fd);
	free(o->target);
	free(o->temporary);
	*o = (struct output){ .fd = -1 };
}
