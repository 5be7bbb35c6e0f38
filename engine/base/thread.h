/* Threads that never see a signal. */
#ifndef IODECK_THREAD_H
#define IODECK_THREAD_H

#include <pthread.h>

/* A thread that runs main(data), with all signals but those of a crash blocked: signals reach the thread that waits for them. 0 or negative
 * errno. The caller joins it. */
int thread_start(pthread_t *thread, void *(*main)(void *data), void *data);

#endif
