#include "undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"

enum { JOURNAL_MOST = 16 << 20 };

struct undo {
	char path[512];
	int fd;
	bool has_head;
	struct undo_log log;
};

/* ---- opening ---- */

/* Nobody else may write there: a forged journal would make `iodeck undo` write for him. */
static int check_folder(const char *folder, struct err *err)
{
	struct stat st;

	if (mkdir(folder, 0700) && errno != EEXIST)
		return err_set(err, -errno, "cannot make %s for the undo journal: %s", folder, strerror(errno));
	if (lstat(folder, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022))
		return err_set(err, -EPERM, "%s is not a folder that only you can write to: the undo journal cannot lie there", folder);
	return 0;
}

static int take_file(struct undo *u, const char *folder, struct err *err)
{
	text_format(u->path, sizeof(u->path), "%s/undo", folder);
	u->fd = open(u->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (u->fd < 0)
		return err_set(err, -errno, "cannot open the undo journal %s: %s", u->path, strerror(errno));
	if (flock(u->fd, LOCK_EX | LOCK_NB))
		return err_set(err, -EBUSY, "another iodeck holds the kernel's settings (%s): end it first", u->path);
	return 0;
}

static int read_file(struct undo *u, struct err *err)
{
	struct stat st;
	char *text;
	ssize_t n;
	int ret;

	if (fstat(u->fd, &st) || st.st_size > JOURNAL_MOST)
		return err_set(err, -EIO, "cannot read the undo journal %s", u->path);
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		return err_set(err, -ENOMEM, "out of memory");
	n = pread(u->fd, text, (size_t)st.st_size, 0);
	ret = n == st.st_size ? undo_parse(text, (size_t)n, &u->log, err) : err_set(err, -EIO, "cannot read the undo journal %s", u->path);
	u->has_head = n > 0;
	if (!ret && n > 0 && text[n - 1] != '\n') /* what is torn must not stand before the next line */
		ret = ftruncate(u->fd, (char *)memrchr(text, '\n', (size_t)n) ? (char *)memrchr(text, '\n', (size_t)n) + 1 - text : 0) ? -EIO : 0;
	free(text);
	return ret;
}

static uint32_t left(const struct undo_log *log)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < log->n; i++)
		n += !log->entry[i].back;
	return n;
}

static void drop(struct undo *u)
{
	if (u->fd >= 0)
		close(u->fd);
	undo_log_release(&u->log);
	free(u);
}

struct undo *undo_open(const char *folder, bool take_over, int *code, struct err *err)
{
	struct undo *u = calloc(1, sizeof(*u));
	int ret = u ? 0 : err_set(err, -ENOMEM, "out of memory");

	if (u)
		u->fd = -1;
	if (!ret)
		ret = check_folder(folder, err);
	if (!ret)
		ret = take_file(u, folder, err);
	if (!ret)
		ret = read_file(u, err);
	if (!ret && !take_over && left(&u->log))
		ret = err_set(err, -EEXIST, "an earlier run left %u of the kernel's settings changed: 'iodeck undo' puts them back", left(&u->log));
	*code = ret;
	if (ret && u) {
		drop(u);
		return NULL;
	}
	return u;
}

const struct undo_log *undo_entries(const struct undo *u) { return &u->log; }

/* ---- records ---- */

/* A record is one write(2): it is there as a whole or torn at the end of the file. */
static int append(struct undo *u, struct undo_entry *e, void (*put)(struct strbuf *, const struct undo_entry *), struct err *err)
{
	struct strbuf line = { 0 };
	ssize_t n = -1;

	if (!u->has_head)
		undo_put_head(&line);
	put(&line, e);
	if (!line.failed)
		n = write(u->fd, line.text, line.length);
	bool whole = !line.failed && n == (ssize_t)line.length && !fsync(u->fd);

	strbuf_release(&line);
	u->has_head |= whole;
	return whole ? 0 : err_set(err, -EIO, "the undo journal %s cannot be written: nothing was changed", u->path);
}

static struct undo_entry *find(struct undo *u, const struct setting *s)
{
	for (uint32_t i = u->log.n; i-- > 0;) {
		struct undo_entry *e = &u->log.entry[i];

		if (!e->back && e->setting.kind == s->kind && !strcmp(e->setting.object, s->object))
			return e;
	}
	return NULL;
}

int undo_want(struct undo *u, const struct setting *s, const char *before, struct err *err)
{
	struct undo_entry *e = find(u, s);

	if (!e && u->log.n == UNDO_MAX)
		return err_set(err, -ENOSPC, "more than %d settings changed in one run", UNDO_MAX);
	if (!e) {
		e = &u->log.entry[u->log.n];
		*e = (struct undo_entry){ .setting = *s };
		text_format(e->setting.value, sizeof(e->setting.value), "%s", before);
	}
	text_format(e->asked, sizeof(e->asked), "%s", s->value);
	e->wrote = false;
	if (append(u, e, undo_put_want, err))
		return -EIO;
	if (e == &u->log.entry[u->log.n])
		u->log.n++;
	return 0;
}

void undo_did(struct undo *u, const struct setting *s, const char *effect)
{
	struct undo_entry *e = find(u, s);

	if (!e)
		return;
	text_format(e->effect, sizeof(e->effect), "%s", effect);
	e->wrote = true;
	append(u, e, undo_put_did, NULL);
}

void undo_back(struct undo *u, const struct setting *s)
{
	struct undo_entry *e = find(u, s);

	if (!e)
		return;
	e->back = true;
	append(u, e, undo_put_back, NULL);
}

uint32_t undo_close(struct undo *u)
{
	uint32_t n = u ? left(&u->log) : 0;

	if (u && !n)
		unlink(u->path);
	if (u)
		drop(u);
	return n;
}
