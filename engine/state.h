/* The state file of a volume: the journal (stack/journal.h) on a file system. Opened before the targets, for it says which disks are ours.
 * A thread of its own makes frames durable, so that nobody else waits for the file's disk. */
#ifndef IODECK_STATE_H
#define IODECK_STATE_H

#include <sys/types.h>

#include "stack/journal.h"

struct state;

/* The calls that make things durable; a test puts its own in their place. As in libc. */
struct state_calls {
	int (*create)(const char *path); /* a new empty file in place of any other: a descriptor, or -1 */
	ssize_t (*pwrite)(int fd, const void *bytes, size_t n, off_t at);
	int (*sync)(int fd); /* of a file or a folder */
	int (*rename)(const char *from, const char *to);
};
extern const struct state_calls state_libc;

/* Open and lock `path`; without such a file the state is new. 0; -EPERM with err: it must not be used (damaged, in use, no file); -ENOMEM.
 * `*out` is given. */
int state_open(const char *path, const struct state_calls *calls, struct state **out, struct err *err);
/* Waits for what is under way. NULL is fine. */
void state_close(struct state *s);
/* There is a volume, and its disks are labelled: it goes on. Else it begins, whether or not there is a file already. False for NULL. */
bool state_goes_on(const struct state *s);
/* Owned by the state; the caller may change it before state_create. */
struct journal_image *state_image(struct state *s);

/* While nothing is under way, in the caller's thread, durable when they return: write the image as a new file; add entries. 0 or negative errno
 * with err; after an error nothing is durable any more. */
int state_create(struct state *s, struct err *err);
int state_append(struct state *s, const struct journal_entry *e, uint32_t n, struct err *err);

/* What a journal writes to; the thread starts with the first call. `disk_fd`: of each disk, for flushing, -1: none; copied. NULL with err. */
struct journal_store *state_store(struct state *s, const int *disk_fd, uint32_t n_disks, struct err *err);
/* Sleep until what is under way is over, at most `ms`. */
void state_wait(struct state *s, int ms);
/* Why it failed; empty: it did not. After the journal was told of a failure. */
const char *state_failure(const struct state *s);

#endif
