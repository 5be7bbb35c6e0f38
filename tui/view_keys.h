/* What the rows of views.c need beyond drawing: keys and deeds of each screen, one file each. */
#ifndef IODECK_VIEW_KEYS_H
#define IODECK_VIEW_KEYS_H

struct console;

struct err;

/* help.c */
void help_key(struct console *c, int key);
int help_find(struct console *c, const char *text, int direction, struct err *err);
void pick_key(struct console *c, int key); /* pick.c */

#endif
