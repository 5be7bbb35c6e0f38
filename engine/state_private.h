/* Between state*.c. */
#ifndef IODECK_STATE_PRIVATE_H
#define IODECK_STATE_PRIVATE_H

#include <pthread.h>

#include "state.h"

struct state {
	struct journal_store store; /* first */
	const struct state_calls *calls;
	char *path, *path_new; /* owned */
	int fd, folder_fd;
	/* the file; once the thread runs, only its */
	struct journal_image image; /* owned: all that is durable */
	uint64_t sequence;
	off_t end, checkpoint_end;
	uint8_t *buffer;       /* owned: a frame on its way */
	size_t room;
	char failure[256];
	/* between the thread and the journal, under `lock` */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more, over;
	bool runs, stop, busy; /* busy: from begin until progress has told the end */
	bool done;
	int how;               /* the end, as progress tells it */
	const struct journal_entry *entry; /* borrowed from the journal */
	uint32_t n_entries;
	uint64_t flush, unflushed;
	int disk_fd[VOLUME_MAX_DISKS];
};

/* state_file.c. Durable when they return; 0 or negative errno, with s->failure. */
int state_write_frame(struct state *s, const struct journal_entry *e, uint32_t n);
/* When the journal has grown large against its image, the image takes its place. */
int state_compact(struct state *s);
bool state_is_long(const struct state *s);

/* state_thread.c */
void state_stop_thread(struct state *s);

#endif
