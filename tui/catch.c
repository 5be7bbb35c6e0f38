#include "catch.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"

void catch_start(struct catch *c)
{
	int fd[2];

	*c = (struct catch){ -1, -1 };
	if (!isatty(STDERR_FILENO) || pipe2(fd, O_CLOEXEC | O_NONBLOCK))
		return;
	c->saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (c->saved >= 0) {
		dup2(fd[1], STDERR_FILENO);
		c->read_fd = fd[0];
	} else {
		close(fd[0]);
	}
	close(fd[1]);
}

void catch_stop(struct catch *c)
{
	char rest[512], clean[512];

	if (c->saved < 0)
		return;
	dup2(c->saved, STDERR_FILENO);
	close(c->saved);
	while (catch_line(c, rest, sizeof(rest))) {
		text_clean(clean, sizeof(clean), rest, 0);
		fprintf(stderr, "%s\n", clean);
	}
	close(c->read_fd);
	*c = (struct catch){ -1, -1 };
}

bool catch_line(struct catch *c, char *buf, size_t room)
{
	size_t n = 0;
	char ch;

	while (c->read_fd >= 0 && read(c->read_fd, &ch, 1) == 1 && (ch != '\n' || !n))
		if (ch != '\n' && n + 1 < room)
			buf[n++] = ch;
	buf[n] = '\0';
	return n > 0;
}
