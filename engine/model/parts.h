/* Inside the array: the parts and what they call of each other. Only model/ includes this. */
#ifndef IODECK_MODEL_PARTS_H
#define IODECK_MODEL_PARTS_H

#include "model/array.h"
#include "model/sim.h"

enum { ARRAY_MAX_MEMBERS = 16, ARRAY_MAX_STREAMS = 64 };

/* What an event is about; the id is a command, or a disk (EVENT_DISK), or a wire (EVENT_WIRE). */
enum { EVENT_ARRIVE, EVENT_FORWARDED, EVENT_SERVED, EVENT_STORED, EVENT_DISK, EVENT_DONE, EVENT_WIRE };

#define NO_COMMAND UINT32_MAX

/* A command inside the array. */
struct command_state {
	struct array_command c;
	uint8_t owner;  /* member */
	uint32_t disk;
	uint32_t next;  /* next waiter of the same read-ahead stream */
	uint64_t end;   /* that waiter's last byte + 1 */
};

/* One direction of a link. Transfers take turns in pieces, so a short one never waits for the whole of a long one. `queue` holds the
 * waiting: event time = bytes still to go, event type = what happens at the end. */
struct wire {
	int64_t free_ns; /* the piece under way ends */
	bool turning;    /* an EVENT_WIRE is set */
	struct lane queue;
};

/* A controller: c equal servers, one FCFS queue. A waiting command is kept as the event of its departure, with the service it will take
 * in place of the time. */
struct member {
	uint32_t inside; /* commands from arrival until their reply leaves */
	uint32_t busy;   /* servers */
	struct lane queue;
	struct rng service, cache;
	struct array_counters counters;
};

/* A piece of work waiting at a disk. */
struct disk_entry {
	uint32_t command;    /* or NO_COMMAND: read-ahead, destage */
	int32_t stream;      /* or -1 */
	uint32_t generation; /* the stream's when this was queued */
	uint32_t bytes;
	uint64_t end;
};
struct disk_fifo {
	struct disk_entry *ring; /* owned */
	uint32_t head, tail, mask;
};
/* A sequential read-ahead stream. */
struct stream {
	bool used;
	uint32_t generation;
	uint16_t lun;
	uint64_t lo, front, done;
	uint64_t touched; /* counter of last use */
	uint32_t waiter;  /* list of commands, NO_COMMAND when empty */
};
/* One spindle with two classes: 0 host I/O with its read-ahead and destage, 1 relocation. */
struct disk {
	bool on;
	int32_t head; /* stream under the head or -1, */
	uint32_t head_generation; /* as long as it is still that one */
	uint32_t turn;
	int64_t used_ns; /* service since this class took the disk */
	struct disk_fifo q[2];
	struct disk_entry now;
	uint64_t touches;
	int64_t busy_ns;
	struct rng position;
	struct stream stream[ARRAY_MAX_STREAMS];
};

struct array {
	struct sim sim;
	struct array_spec p;
	uint32_t links, luns, lcus;
	struct wire wire[SIM_MAX_LANES]; /* 2i: link i to the array, 2i+1: back; each is also the lane of that number */
	struct command_state *command; /* owned */
	uint32_t n_commands;
	struct member member[ARRAY_MAX_MEMBERS];
	struct disk *disk; /* owned */
	uint32_t n_disks;
	bool failed;
};

/* link.c */
void link_send(struct array *a, uint32_t id);  /* host -> member: EVENT_ARRIVE */
void link_reply(struct array *a, uint32_t id); /* member -> host: EVENT_DONE */
void link_turn(struct array *a, uint32_t wire); /* a piece is over: the next one */

/* controller.c */
int controller_reserve(struct member *m, uint32_t n);
void controller_release(struct member *m);
void controller_server_free(struct array *a, uint32_t member); /* a service ended there */
void controller_arrive(struct array *a, uint32_t id); /* at the entry member */
void controller_serve(struct array *a, uint32_t id);  /* at the owner: EVENT_SERVED */
void controller_served(struct array *a, uint32_t id); /* cache decides: reply, store or disk */
void controller_reply(struct array *a, uint32_t id);  /* leaves the owner */

/* disk.c */
void disk_submit(struct array *a, uint32_t id);
void disk_destage(struct array *a, uint32_t id);
void disk_done(struct array *a, uint32_t disk);
int disk_init(struct disk *d);
void disk_release(struct disk *d);

/* Mixes a number well (the finisher of splitmix64). */
static inline uint64_t mix64(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

#endif
