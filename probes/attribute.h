/* One attribute of /sys or /proc as text, below a root. Any thread; a stuck device can make it wait, so never the UI's or the engine's. */
#ifndef IODECK_ATTRIBUTE_H
#define IODECK_ATTRIBUTE_H

#include <stddef.h>

/* ROOT + `path`: the whole text without the newline at its end, cleaned of control bytes. Its length, or negative errno. */
int attribute_read(const char *root, const char *path, char *text, size_t room);
/* `text` and a newline by one write(2): some attributes want the newline, and a second write would be a second setting. 0 or negative errno. */
int attribute_write(const char *root, const char *path, const char *text);

#endif
