/* Reading below a root: "" or "/" is this machine, else a tree that stands in for it (--sysroot). Links, absolute ones too, are followed as if the
 * root were /, so that nothing outside is ever opened (openat2, RESOLVE_IN_ROOT); everything is opened read only. One thread for each struct. */
#ifndef IODECK_SYSREAD_H
#define IODECK_SYSREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What became of a source. Each but OK carries its reason in words. */
enum source_state {
	SOURCE_OK,
	SOURCE_ABSENT,	   /* there is no such thing on this machine */
	SOURCE_DISABLED,   /* it is there and switched off */
	SOURCE_UNREADABLE, /* it may not be read, or reading failed */
	SOURCE_MALFORMED,  /* it was read and is not of a known form */
	N_SOURCE_STATES,
};
extern const char *const source_state_names[N_SOURCE_STATES];

struct sysread {
	int root; /* owned descriptor */
	bool real; /* this machine, not a tree that stands in for it */
	char path[512]; /* as it was given; "" is this machine */
};

enum { SYSREAD_LINE = 256, SYSREAD_NAME = 64 };

/* 0 or negative errno with err. */
int sysread_open(struct sysread *s, const char *root, struct err *err);
void sysread_close(struct sysread *s);

/* The whole file `path` ("proc/diskstats", no leading slash) into `buf`, with a NUL behind it. Bytes read, or negative errno; -EFBIG when it has `room`
 * bytes or more. */
int sysread_file(const struct sysread *s, const char *path, char *buf, size_t room);
/* The same for a path made by a format. */
int sysread_filef(const struct sysread *s, char *buf, size_t room, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Last part of what a link points to ("host0" of "../../host0"), or the whole target with `whole`. Length or negative errno. */
int sysread_link(const struct sysread *s, const char *path, char *buf, size_t room, bool whole);
bool sysread_exists(const struct sysread *s, const char *path);

/* Names in a folder, sorted; those with a dot at the front are left out. At most `room` go to `name`; `*n_all` (may be NULL) tells how many there
 * are. Number in `name`, or negative errno. */
int sysread_dir(const struct sysread *s, const char *path, char (*name)[SYSREAD_NAME], uint32_t room, uint32_t *n_all);

/* The state that an errno (either sign) of an attempt to read stands for. */
enum source_state sysread_state(int code);

#endif
