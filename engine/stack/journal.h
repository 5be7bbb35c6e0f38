/* What must outlive the process: where each copy lies, which disks are trusted, which AU were being written. Small entries, put into frames
 * that are durable as a whole or not at all; applied in order they give an image of the volume. */
#ifndef IODECK_STACK_JOURNAL_H
#define IODECK_STACK_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stack/volume.h"

enum journal_type {
	JOURNAL_FACT = 1, /* a: enum journal_fact; value */
	JOURNAL_DISK,     /* a: disk; b: flags; c: slots; value: its id */
	JOURNAL_PLACE,    /* a: extent; b: copy << 16 | disk; c: slot */
	JOURNAL_DIRTY,    /* a: extent: it may be written from now on */
	JOURNAL_CLEAN,    /* a: extent: its copies are the same */
	JOURNAL_TOUCHED,  /* a: extent: it was written once (of a checkpoint) */
	JOURNAL_END,      /* of a checkpoint: the image is complete */
	N_JOURNAL_TYPES,
};
/* In the order they are written; EXTENTS comes last, for the image gets its memory then. */
enum journal_fact {
	FACT_FORMAT,   /* 1 */
	FACT_VOLUME,   /* its id */
	FACT_SESSION,  /* counts its starts */
	FACT_LABELLED, /* its disks carry its label */
	FACT_AU, FACT_SIZE, FACT_COPIES, FACT_DISKS, FACT_FAILGROUPS, FACT_KNOWN, FACT_EXTENTS,
	N_FACTS,
};
enum { JOURNAL_FORMAT = 1, JOURNAL_MOST = 4096 /* entries of a frame of a checkpoint */ };

struct journal_entry {
	uint32_t type, a, b, c;
	uint64_t value;
};

/* ---- the image ---- */

/* Flags of a disk: its state in the low 8 bits (as in volume.h, but online for one that is dropped), and: */
enum { IMAGE_LOST = 1 << 8, IMAGE_LEAVING = 1 << 9, IMAGE_JOINING = 1 << 10 };
enum { IMAGE_DIRTY = 1, IMAGE_TOUCHED = 2 };

struct image_disk {
	uint64_t id;
	uint32_t flags, slots;
};
struct journal_image {
	uint64_t fact[N_FACTS];
	struct image_disk disk[VOLUME_MAX_DISKS];
	struct place *place; /* owned: extent * copies + copy */
	uint8_t *extent;     /* owned: IMAGE_DIRTY, IMAGE_TOUCHED */
	bool complete;
};

/* 0, -ENOMEM, or -EUCLEAN when it makes no sense. */
int image_apply(struct journal_image *m, const struct journal_entry *e);
void image_release(struct journal_image *m);
/* A checkpoint: entry number `i` of those that make up the image, from 0 on; false behind the last. */
bool image_entry(const struct journal_image *m, uint64_t *i, struct journal_entry *e);
/* A new volume as volume_init lays it out. 0, -ENOMEM, -EINVAL with err. */
int image_lay_out(struct journal_image *m, const struct volume_params *p, struct err *err);

/* ---- frames ---- */

/* Bytes of a frame of `n` entries, and the frame; `sequence` counts them from 1. */
size_t journal_frame_bytes(uint32_t n);
void journal_frame(uint8_t *out, uint64_t sequence, const struct journal_entry *e, uint32_t n);
/* Whether so many bytes, up to JOURNAL_MAGIC_BYTES, can be the beginning of a file of frames; so can none. */
enum { JOURNAL_MAGIC_BYTES = 8 };
bool journal_begins(const uint8_t *bytes, size_t n);
/* Read frames into an empty image. *good: bytes of whole frames; what is behind them was torn when it was written, and never promised to
 * anybody. *sequence: of the last frame. 0; -EUCLEAN with err when something is damaged; -ENOMEM. */
int journal_load(struct journal_image *m, const uint8_t *bytes, size_t n, size_t *good, uint64_t *sequence, struct err *err);

/* ---- writing ---- */

enum journal_progress { JOURNAL_BUSY, JOURNAL_DURABLE, JOURNAL_NOT_FLUSHED };

/* What makes frames durable. One at a time. */
struct journal_store {
	/* Take entries (borrowed until it is over) as one frame; before it is written the disks in `flush` (bits) are flushed. */
	void (*begin)(struct journal_store *s, const struct journal_entry *e, uint32_t n, uint64_t flush);
	/* How far it is: a word of journal_progress, or a negative errno: nothing will be durable any more. NOT_FLUSHED: nothing was written, for
	 * the disks in *failed could not be flushed. */
	int (*progress)(struct journal_store *s, uint64_t *failed);
};

struct journal {
	struct journal_store *store; /* borrowed */
	struct journal_entry *entry[2]; /* owned: one fills while the other is under way */
	uint32_t n[2], room[2], fills;
	uint64_t flush;     /* disks to flush before what fills */
	uint64_t unflushed; /* disks that could not be flushed: not tried again */
	bool busy;
	int failed;         /* negative errno: it cannot be written any more */
};

void journal_init(struct journal *j, struct journal_store *s);
void journal_release(struct journal *j);
/* One more entry, durable at some later turn, and after the disks in `flush`. */
void journal_put(struct journal *j, const struct journal_entry *e, uint64_t flush);
/* Begin what waits when nothing is under way. *done, *n: entries that have become durable, good until the next turn. Disks that could not be
 * flushed are given as bits: they must be failed, then what was under way is tried again with the entries that say so. */
uint64_t journal_turn(struct journal *j, const struct journal_entry **done, uint32_t *n);
static inline bool journal_is_idle(const struct journal *j)
{
	return !j->busy && !j->n[j->fills];
}

#endif
