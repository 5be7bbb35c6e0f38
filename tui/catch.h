/* While the screen is up, what libraries write to stderr goes to a pipe, so that it does not tear
 * the picture. */
#ifndef IODECK_CATCH_H
#define IODECK_CATCH_H

#include <stdbool.h>
#include <stddef.h>

struct catch
{
	int saved; /* the real stderr; -1: it is no terminal and was left alone */
	int read_fd;
};

void catch_start(struct catch *c);
/* stderr is as it was; what nobody has read is written there. */
void catch_stop(struct catch *c);
/* One line without its newline, empty ones left out; false when there is none. */
bool catch_line(struct catch *c, char *buf, size_t room);

#endif
