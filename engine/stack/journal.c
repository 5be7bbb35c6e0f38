#include "stack/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Entries gather while a frame is under way; together they are the next one. */

void journal_init(struct journal *j, struct journal_store *s)
{
	*j = (struct journal){.store = s};
}

void journal_release(struct journal *j)
{
	free(j->entry[0]);
	free(j->entry[1]);
	*j = (struct journal){.store = NULL};
}

static bool make_room(struct journal *j, uint32_t which, uint32_t n)
{
	uint32_t room = j->room[which] ? j->room[which] : 256;

	if (n <= j->room[which])
		return true;
	while (room < n)
		room *= 2;
	struct journal_entry *larger = realloc(j->entry[which], room * sizeof(*larger));
	if (!larger) {
		j->failed = -ENOMEM;
		return false;
	}
	j->entry[which] = larger;
	j->room[which] = room;
	return true;
}

void journal_put(struct journal *j, const struct journal_entry *e, uint64_t flush)
{
	uint32_t f = j->fills;

	if (j->failed || !make_room(j, f, j->n[f] + 1))
		return;
	j->entry[f][j->n[f]++] = *e;
	j->flush |= flush;
}

static void begin(struct journal *j)
{
	uint32_t f = j->fills;

	if (j->busy || !j->n[f])
		return;
	j->busy = true;
	j->fills = !f;
	j->n[!f] = 0;
	j->store->begin(j->store, j->entry[f], j->n[f], j->flush & ~j->unflushed);
	j->flush = 0;
}

/* The frame that was not written goes before what has gathered since: one frame, so that neither is durable without the other. */
static void join(struct journal *j)
{
	uint32_t f = j->fills, n = j->n[!f] + j->n[f];

	if (!make_room(j, !f, n))
		return;
	if (j->n[f])
		memcpy(j->entry[!f] + j->n[!f], j->entry[f], j->n[f] * sizeof(struct journal_entry));
	j->n[!f] = n;
	j->fills = !f;
	j->n[f] = 0;
}

uint64_t journal_turn(struct journal *j, const struct journal_entry **done, uint32_t *n)
{
	uint64_t failed = 0;
	int how = j->busy && !j->failed ? j->store->progress(j->store, &failed) : JOURNAL_BUSY;

	*n = 0;
	if (how < 0)
		j->failed = how;
	if (j->failed)
		return 0;
	if (how == JOURNAL_DURABLE) {
		j->busy = false;
		*done = j->entry[!j->fills];
		*n = j->n[!j->fills];
		return 0; /* what has gathered begins with the next turn: these entries are still looked at */
	}
	if (how == JOURNAL_NOT_FLUSHED) {
		j->busy = false;
		j->unflushed |= failed;
		j->flush |= ~UINT64_C(0) & ~j->unflushed; /* not told which were */
		join(j);
		return failed;
	}
	begin(j);
	return 0;
}
