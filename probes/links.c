#include "links.h"

#include <errno.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "probes.h"

struct links {
	struct nl_sock *socket;
};

enum { TRIES = 3 }; /* a dump in which something changed is asked again */

struct links *links_open(void)
{
	struct links *l = calloc(1, sizeof(*l));

	if (l)
		l->socket = nl_socket_alloc();
	if (l && l->socket && nl_connect(l->socket, NETLINK_ROUTE) >= 0)
		return l;
	links_close(l);
	return NULL;
}

void links_close(struct links *l)
{
	if (l && l->socket)
		nl_socket_free(l->socket);
	free(l);
}

static struct nl_cache *links_now(struct links *l)
{
	struct nl_cache *cache = NULL;
	int code = -NLE_DUMP_INTR;

	for (int i = 0; i < TRIES && code == -NLE_DUMP_INTR; i++)
		code = rtnl_link_alloc_cache(l->socket, AF_UNSPEC, &cache);
	return code < 0 ? NULL : cache;
}

static void take(struct rtnl_link *link, struct probe_link *out)
{
	*out = (struct probe_link){ 0 };
	text_clean(out->name, sizeof(out->name), rtnl_link_get_name(link) ? rtnl_link_get_name(link) : "?", 0);
	rtnl_link_operstate2str(rtnl_link_get_operstate(link), out->oper, sizeof(out->oper));
	out->carrier = rtnl_link_get_carrier(link) != 0;
	out->mtu = rtnl_link_get_mtu(link);
	out->rx_bytes = rtnl_link_get_stat(link, RTNL_LINK_RX_BYTES);
	out->tx_bytes = rtnl_link_get_stat(link, RTNL_LINK_TX_BYTES);
	out->rx_errors = rtnl_link_get_stat(link, RTNL_LINK_RX_ERRORS);
	out->tx_errors = rtnl_link_get_stat(link, RTNL_LINK_TX_ERRORS);
	out->rx_dropped = rtnl_link_get_stat(link, RTNL_LINK_RX_DROPPED);
	out->tx_dropped = rtnl_link_get_stat(link, RTNL_LINK_TX_DROPPED);
}

int links_read(struct links *l, struct probe_link *out, uint32_t room)
{
	struct nl_cache *cache = l ? links_now(l) : NULL;
	uint32_t n = 0;

	if (!cache)
		return l ? -EIO : -ENOTCONN;
	for (struct nl_object *o = nl_cache_get_first(cache); o && n < room; o = nl_cache_get_next(o))
		take((struct rtnl_link *)o, &out[n++]);
	nl_cache_free(cache);
	return (int)n;
}

static bool name_of(struct links *l, int index, char *name, size_t room)
{
	struct rtnl_link *link = NULL;
	bool found = rtnl_link_get_kernel(l->socket, index, NULL, &link) >= 0;

	if (found)
		text_clean(name, room, rtnl_link_get_name(link) ? rtnl_link_get_name(link) : "", 0);
	rtnl_link_put(link);
	return found && name[0];
}

bool links_of_address(struct links *l, const char *address, char *name, size_t room)
{
	struct nl_addr *wanted = NULL;
	struct nl_cache *cache = NULL;
	bool found = false;

	if (!l || nl_addr_parse(address, AF_UNSPEC, &wanted) < 0)
		return false;
	if (rtnl_addr_alloc_cache(l->socket, &cache) >= 0) {
		for (struct nl_object *o = nl_cache_get_first(cache); o && !found; o = nl_cache_get_next(o)) {
			struct rtnl_addr *a = (struct rtnl_addr *)o;
			struct nl_addr *has = rtnl_addr_get_local(a);

			/* without its prefix, as that of the session is written */
			found = has && nl_addr_get_len(has) == nl_addr_get_len(wanted) &&
				!memcmp(nl_addr_get_binary_addr(has), nl_addr_get_binary_addr(wanted), nl_addr_get_len(has)) &&
				name_of(l, rtnl_addr_get_ifindex(a), name, room);
		}
		nl_cache_free(cache);
	}
	nl_addr_put(wanted);
	return found;
}
