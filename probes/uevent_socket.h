/* The door to libnl-3: the kernel's event socket. One thread. */
#ifndef IODECK_UEVENT_SOCKET_H
#define IODECK_UEVENT_SOCKET_H

#include <stdint.h>

#include "base/err.h"

/* Where datagrams come from. A table, so that tests can hand in their own. */
struct uevent_source {
	/* The next datagram without waiting: its length, 0: none there, -ENOBUFS: some were lost, or another negative errno. `*bytes` is given
	 * (free). `*sender` is the netlink port of who sent it: 0 is the kernel. */
	int (*receive)(void *data, char **bytes, uint32_t *sender);
	void *data;
	int fd; /* readable when there is something */
};

struct uevent_socket;
/* Subscribe to the kernel's events (group 1; no root needed). NULL with err. */
struct uevent_socket *uevent_socket_open(struct err *err);
void uevent_socket_close(struct uevent_socket *s);
struct uevent_source uevent_socket_source(struct uevent_socket *s);

#endif
