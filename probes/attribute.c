#include "attribute.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { ATTRIBUTE_BYTES = 4096 }; /* a page, as sysfs gives */

int attribute_read(const char *root, const char *path, char *text, size_t room)
{
	char full[1024], raw[ATTRIBUTE_BYTES];
	ssize_t n;
	int fd, ret;

	text_format(full, sizeof(full), "%s%s", root, path);
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	n = read(fd, raw, sizeof(raw) - 1);
	ret = n < 0 ? -errno : 0;
	close(fd);
	if (ret)
		return ret;
	while (n > 0 && (raw[n - 1] == '\n' || raw[n - 1] == ' '))
		n--;
	raw[n] = '\0';
	return (int)text_clean(text, room, raw, 1);
}

int attribute_write(const char *root, const char *path, const char *text)
{
	char full[1024], line[512];
	size_t n = text_format(line, sizeof(line), "%s\n", text);
	int fd, ret = 0;

	if (n != strlen(text) + 1)
		return -E2BIG;
	text_format(full, sizeof(full), "%s%s", root, path);
	fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	if (write(fd, line, n) < 0)
		ret = -errno;
	close(fd);
	return ret;
}
