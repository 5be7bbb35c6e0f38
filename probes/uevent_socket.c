#include "uevent_socket.h"

#include <errno.h>
#include <linux/netlink.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <stdlib.h>
#include <sys/socket.h>

enum {
	KERNEL_GROUP = 1, /* 2 would be what udevd sends on */
	BUFFER_BYTES = 4 << 20,
};

struct uevent_socket {
	struct nl_sock *sock; /* owned */
};

/* A burst of events must fit; above net.core.rmem_max only root gets it, and the library does not say so. */
static void widen(struct nl_sock *sock)
{
	int bytes = BUFFER_BYTES;

	nl_socket_set_buffer_size(sock, bytes, 0);
	setsockopt(nl_socket_get_fd(sock), SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
}

struct uevent_socket *uevent_socket_open(struct err *err)
{
	struct uevent_socket *s = calloc(1, sizeof(*s));
	int ret;

	if (s)
		s->sock = nl_socket_alloc();
	if (!s || !s->sock) {
		err_set(err, -ENOMEM, "out of memory");
		uevent_socket_close(s);
		return NULL;
	}
	nl_join_groups(s->sock, KERNEL_GROUP);
	ret = nl_connect(s->sock, NETLINK_KOBJECT_UEVENT);
	if (ret < 0) {
		err_set(err, -EIO, "cannot listen to the kernel's events: %s", nl_geterror(ret));
		uevent_socket_close(s);
		return NULL;
	}
	widen(s->sock);
	nl_socket_set_nonblocking(s->sock);
	return s;
}

void uevent_socket_close(struct uevent_socket *s)
{
	if (!s)
		return;
	if (s->sock)
		nl_socket_free(s->sock);
	free(s);
}

/* -NLE_NOMEM with ENOBUFS is how the library says that datagrams were lost. */
static int meaning(int ret)
{
	if (ret == -NLE_AGAIN || ret == 0)
		return 0;
	return ret == -NLE_NOMEM || ret == -NLE_MSG_TRUNC ? -ENOBUFS : -EIO;
}

static int receive(void *data, char **bytes, uint32_t *sender)
{
	struct uevent_socket *s = data;
	struct sockaddr_nl from = { 0 };
	unsigned char *buf = NULL;
	int n = nl_recv(s->sock, &from, &buf, NULL);

	if (n <= 0) {
		*bytes = NULL;
		return meaning(n);
	}
	*bytes = (char *)buf;
	*sender = from.nl_pid;
	return n;
}

struct uevent_source uevent_socket_source(struct uevent_socket *s)
{
	return (struct uevent_source){ .receive = receive, .data = s, .fd = nl_socket_get_fd(s->sock) };
}
