/* A terminal that takes no bytes (stopped by ^S, a dead line) holds whoever writes to it. It must not
 * hold a program that was told to end, nor keys from being read. */
#ifndef IODECK_STUCK_H
#define IODECK_STUCK_H

#include <stdbool.h>

/* From now on writes to the terminal are watched between stuck_begin and stuck_end: when SIGTERM,
 * SIGHUP, SIGINT or SIGQUIT (blocked, read later from a signalfd) comes while one hangs, or when a
 * key waits and it has hung for a second, stuck_release is done, so that the write goes on. Takes
 * SIGALRM and the real-time interval timer. One terminal a process. */
void stuck_watch(int in_fd, int out_fd);
void stuck_begin(void);
/* Whether something of what was written since stuck_begin was thrown away. */
bool stuck_end(void);
/* What waits in the line is thrown away and ^S is lifted. */
void stuck_release(int fd);

#endif
