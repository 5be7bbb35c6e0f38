#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "state_private.h"

/* The file: read when it is opened, appended to frame by frame, and from time to time replaced by a new one that holds only the image. A new
 * file takes the name when all of it is durable; the name is durable before anything is added. */

enum { SLACK = 1 << 20, LEAST_BUFFER = 1 << 16 };

static int create_file(const char *path)
{
	return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
}

const struct state_calls state_libc = {create_file, pwrite, fsync, rename};

/* ---- writing ---- */

static int fail(struct state *s, const char *what)
{
	int code = errno ? -errno : -EIO;

	text_format(s->failure, sizeof(s->failure), "the state file '%s' cannot be %s: %s", s->path, what, strerror(-code));
	return code;
}

static int write_all(struct state *s, int fd, const uint8_t *bytes, size_t n, off_t at)
{
	while (n) {
		ssize_t done = s->calls->pwrite(fd, bytes, n, at);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return fail(s, "written");
		bytes += done;
		n -= (size_t)done;
		at += done;
	}
	return 0;
}

static int make_room(struct state *s, size_t n)
{
	size_t room = s->room ? s->room : LEAST_BUFFER;

	while (room < n)
		room *= 2;
	if (room == s->room)
		return 0;
	uint8_t *larger = realloc(s->buffer, room);
	if (!larger) {
		errno = ENOMEM;
		return fail(s, "written");
	}
	s->buffer = larger;
	s->room = room;
	return 0;
}

static int put_frame(struct state *s, int fd, uint64_t sequence, off_t *at, const struct journal_entry *e, uint32_t n)
{
	size_t bytes = journal_frame_bytes(n);
	int code = make_room(s, bytes);

	if (code)
		return code;
	journal_frame(s->buffer, sequence, e, n);
	code = write_all(s, fd, s->buffer, bytes, *at);
	*at += (off_t)bytes;
	return code;
}

int state_write_frame(struct state *s, const struct journal_entry *e, uint32_t n)
{
	int code = put_frame(s, s->fd, s->sequence + 1, &s->end, e, n);

	if (!code && s->calls->sync(s->fd))
		code = fail(s, "synced");
	s->sequence++;
	for (uint32_t i = 0; !code && i < n; i++)
		code = image_apply(&s->image, &e[i]);
	return code;
}

/* The image as frames of a new file. */
static int write_image(struct state *s, int fd)
{
	struct journal_entry *e = malloc(JOURNAL_MOST * sizeof(*e));
	uint64_t i = 0;
	uint32_t n = 0;
	int code = e ? 0 : fail(s, "written");

	s->end = 0;
	s->sequence = 0;
	for (bool more = true; !code && more;) {
		more = image_entry(&s->image, &i, &e[n++]);
		if (n < JOURNAL_MOST && more)
			continue;
		code = put_frame(s, fd, ++s->sequence, &s->end, e, n);
		n = 0;
	}
	if (!code && s->calls->sync(fd))
		code = fail(s, "synced");
	s->checkpoint_end = s->end;
	free(e);
	return code;
}

/* What has the name of the new file already may be replaced when it is what a crash left of one, and of nobody else. */
static bool new_is_foreign(const struct state *s)
{
	uint8_t begin[JOURNAL_MAGIC_BYTES];
	struct stat st;
	ssize_t n = -1;

	if (lstat(s->path_new, &st))
		return errno != ENOENT;
	int fd = S_ISREG(st.st_mode) && st.st_nlink == 1 ? open(s->path_new, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
	if (fd >= 0) {
		n = pread(fd, begin, sizeof(begin), 0);
		close(fd);
	}
	return n < 0 || !journal_begins(begin, (size_t)n);
}

int state_compact(struct state *s)
{
	bool foreign = new_is_foreign(s);
	int fd = foreign ? -1 : s->calls->create(s->path_new);

	if (foreign)
		errno = EEXIST;
	int code = fd < 0 ? fail(s, "replaced") : 0;

	if (!code && flock(fd, LOCK_EX | LOCK_NB))
		code = fail(s, "locked");
	if (!code)
		code = write_image(s, fd);
	if (!code && s->calls->rename(s->path_new, s->path))
		code = fail(s, "replaced");
	if (!code && s->calls->sync(s->folder_fd))
		code = fail(s, "replaced durably");
	if (code) {
		if (fd >= 0)
			close(fd);
		return code;
	}
	if (s->fd >= 0)
		close(s->fd);
	s->fd = fd;
	return 0;
}

bool state_is_long(const struct state *s)
{
	return s->end > 2 * s->checkpoint_end + SLACK;
}

/* ---- opening ---- */

static int refuse(const struct state *s, struct err *err, const char *why)
{
	return err_set(err, -EPERM, "cannot use the state file '%s': %s", s->path, why);
}

static int open_folder(struct state *s, struct err *err)
{
	char folder[4096];
	char *slash;

	text_format(folder, sizeof(folder), "%s", s->path);
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	char *real = realpath(slash ? folder : ".", NULL);
	if (!real)
		return refuse(s, err, strerror(errno));
	bool device = !strcmp(real, "/dev") || (!strncmp(real, "/dev/", 5) && strncmp(real, "/dev/shm", 8) != 0);
	s->folder_fd = device ? -1 : open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int code = errno;
	free(real);
	if (device)
		return refuse(s, err, "nothing is ever created under /dev");
	return s->folder_fd < 0 ? refuse(s, err, strerror(code)) : 0;
}

/* The lock is on the file that has the name now: another process may just have put a new one in its place. */
static int lock(struct state *s, struct err *err)
{
	struct stat st, named;

	if (fstat(s->fd, &st) || !S_ISREG(st.st_mode))
		return refuse(s, err, "it is no plain file");
	if (flock(s->fd, LOCK_EX | LOCK_NB) || stat(s->path, &named) || named.st_ino != st.st_ino || named.st_dev != st.st_dev)
		return refuse(s, err, "another process is using it");
	return 0;
}

static uint8_t *read_whole(int fd, size_t *n)
{
	struct stat st;
	size_t at = 0;
	uint8_t *bytes = fstat(fd, &st) ? NULL : malloc((size_t)st.st_size + 1);

	while (bytes && at < (size_t)st.st_size) {
		ssize_t done = pread(fd, bytes + at, (size_t)st.st_size - at, (off_t)at);
		if (done <= 0)
			break;
		at += (size_t)done;
	}
	*n = at;
	return bytes;
}

/* What a crash tore off was promised to nobody: it is cut away, durably, before anything is added. */
static int load(struct state *s, struct err *err)
{
	size_t n, good = 0;
	struct err why;
	char text[900];
	uint8_t *bytes = read_whole(s->fd, &n);

	if (!bytes)
		return refuse(s, err, strerror(errno));
	int code = journal_load(&s->image, bytes, n, &good, &s->sequence, &why);
	free(bytes);
	if (code) {
		text_format(text, sizeof(text), "%s; bring back a copy of it, or begin anew with another file (and --write=iodeck_volume)", why.text);
		return refuse(s, err, text);
	}
	s->end = s->checkpoint_end = (off_t)good;
	if (good < n && (ftruncate(s->fd, s->end) || s->calls->sync(s->fd)))
		return refuse(s, err, strerror(errno));
	return 0;
}

/* The file that replaces it is in nobody's way. */
static int check_new(const struct state *s, struct err *err)
{
	const char *dot = strrchr(s->path, '.');

	if (dot && !strcmp(dot, ".new"))
		return refuse(s, err, "a name with .new at its end is that of a file which replaces another; choose a different one");
	if (new_is_foreign(s))
		return refuse(s, err, "a file of that name with .new at its end is in the way, and not what iodeck left there; move it away");
	return 0;
}

static int open_file(struct state *s, struct err *err)
{
	int code = open_folder(s, err);

	if (!code)
		code = check_new(s, err);
	if (code)
		return code;
	s->fd = open(s->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (s->fd < 0 && errno == ENOENT)
		return 0;
	if (s->fd < 0)
		return refuse(s, err, errno == ELOOP ? "it is a symbolic link" : strerror(errno));
	code = lock(s, err);
	return code ? code : load(s, err);
}

int state_open(const char *path, const struct state_calls *calls, struct state **out, struct err *err)
{
	struct state *s = calloc(1, sizeof(*s));
	size_t n = strlen(path) + sizeof(".new");

	if (s) {
		s->path = strdup(path);
		s->path_new = malloc(n);
	}
	if (!s || !s->path || !s->path_new) {
		if (s)
			free(s->path);
		free(s);
		return err_set(err, -ENOMEM, "out of memory");
	}
	text_format(s->path_new, n, "%s.new", path);
	s->calls = calls;
	s->fd = s->folder_fd = -1;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->more, NULL);
	pthread_cond_init(&s->over, NULL);
	int code = open_file(s, err);
	if (code)
		state_close(s);
	else
		*out = s;
	return code;
}

void state_close(struct state *s)
{
	if (!s)
		return;
	state_stop_thread(s);
	if (s->fd >= 0)
		close(s->fd);
	if (s->folder_fd >= 0)
		close(s->folder_fd);
	pthread_cond_destroy(&s->over);
	pthread_cond_destroy(&s->more);
	pthread_mutex_destroy(&s->lock);
	image_release(&s->image);
	free(s->buffer);
	free(s->path);
	free(s->path_new);
	free(s);
}

bool state_goes_on(const struct state *s)
{
	return s && s->image.complete && s->image.fact[FACT_LABELLED];
}

struct journal_image *state_image(struct state *s)
{
	return &s->image;
}

const char *state_failure(const struct state *s)
{
	return s->failure;
}

static int told(const struct state *s, int code, struct err *err)
{
	return code ? err_set(err, code, "%s", s->failure) : 0;
}

int state_create(struct state *s, struct err *err)
{
	return told(s, state_compact(s), err);
}

int state_append(struct state *s, const struct journal_entry *e, uint32_t n, struct err *err)
{
	int code = state_write_frame(s, e, n);

	if (!code && state_is_long(s))
		code = state_compact(s);
	return told(s, code, err);
}
