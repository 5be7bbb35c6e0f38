/* A tree of /sys and /proc made up of what was recorded. */
#ifndef IODECK_TEST_TREE_H
#define IODECK_TEST_TREE_H

/* A new empty folder below TMPDIR; its path is static. */
const char *tree_new(void);
const char *tree_path(void);
void tree_remove(void);
/* Write `text` to PATH (a format), folders are made. */
void tree_put(const char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tree_link(const char *target, const char *path);
/* Lines "NAME -rw-r--r-- = VALUE" of a recording, from the line `from` on to the next that begins with "--" (from NULL: all lines): those whose name begins with
 * `prefix` go to FOLDER/REST-OF-NAME. Returns how many. */
int tree_recorded(const char *fixture_name, const char *from, const char *prefix, const char *folder);

#endif
