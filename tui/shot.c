#include "shot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void put_utf8(struct strbuf *b, uint32_t ch)
{
	char bytes[4];
	size_t n = 0;

	if (ch < 0x80) {
		bytes[n++] = (char)ch;
	} else if (ch < 0x800) {
		bytes[n++] = (char)(0xc0 | ch >> 6);
	} else {
		bytes[n++] = (char)(0xe0 | ch >> 12);
		bytes[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
	}
	if (ch >= 0x80)
		bytes[n++] = (char)(0x80 | (ch & 0x3f));
	strbuf_add(b, bytes, n);
}

void shot_text(const struct canvas *grid, struct strbuf *b)
{
	for (int row = 0; row < grid->rows; row++) {
		int end = grid->columns;

		while (end && canvas_at(grid, row, end - 1)->ch == ' ')
			end--;
		for (int i = 0; i < end; i++)
			put_utf8(b, canvas_at(grid, row, i)->ch);
		strbuf_puts(b, "\n");
	}
}

int shot_write_new(const char *path, const struct strbuf *b, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool good;

	if (fd < 0)
		return err_set(err, -errno, "cannot write '%s': %s", path,
			       errno == EEXIST ? "it exists" : strerror(errno));
	good = !b->failed && write(fd, b->text, b->length) == (ssize_t)b->length;
	if (close(fd) || !good)
		return err_set(err, -EIO, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}

int shot_write(const struct canvas *grid, const char *path, struct err *err)
{
	struct strbuf b = { 0 };
	int ret;

	shot_text(grid, &b);
	ret = shot_write_new(path, &b, err);
	strbuf_release(&b);
	return ret;
}
