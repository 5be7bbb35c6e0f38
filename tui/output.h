/* A file that results go to: reserved before anything runs, written whole or by whole records, put in place at the end. */
#ifndef IODECK_OUTPUT_H
#define IODECK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

/* All-zero is a valid closed output. `path` is borrowed from the command line. */
struct output {
	const char *path;      /* as the person wrote it */
	char *target, *temporary; /* owned; temporary is NULL when written in place (stdout, a pipe, /dev/full) */
	int fd;
	bool open, replace;
	off_t good;            /* bytes of whole records */
	int failure;           /* errno of the first loss, 0: none */
};

/* Reserve `path` ("-" is stdout): a temporary file beside the target, so that nothing half-written ever bears its name. An existing file is
 * refused without `force`, a folder and a block device always. 0, or negative with err naming the path. */
int output_open(struct output *o, const char *path, bool force, struct err *err);

/* Whether two open outputs would end as the same file. */
bool output_same(const struct output *a, const struct output *b);

/* Append one record. After a loss the file ends with the last whole record and further ones are not written. False from the first loss on. */
bool output_write(struct output *o, const char *bytes, size_t n);

/* Put the file in place. 0, or negative with err when anything was lost now or before. What could be kept is kept. */
int output_commit(struct output *o, struct err *err);

/* Nothing is to be written after all: remove the temporary file. Safe on a closed output. */
void output_abandon(struct output *o);

#endif
