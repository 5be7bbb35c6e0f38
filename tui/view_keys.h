/* What the rows of views.c need beyond drawing: keys and deeds of each screen, one file each. */
#ifndef IODECK_VIEW_KEYS_H
#define IODECK_VIEW_KEYS_H

struct console;

void help_key(struct console *c, int key); /* console.c */
void pick_key(struct console *c, int key); /* pick.c */

#endif
