/* The door to libnl-route: counters and state of network interfaces. One thread; blocking requests to the kernel, answered at once. */
#ifndef IODECK_LINKS_H
#define IODECK_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct links;
struct probe_link;

/* NULL: no netlink to be had. */
struct links *links_open(void);
void links_close(struct links *l);
/* All interfaces, rates left alone. Their number, at most `room`, or negative errno. `l` may be NULL (-ENOTCONN). */
int links_read(struct links *l, struct probe_link *out, uint32_t room);
/* The interface that has this IP address ("10.0.0.2"). False: none has. `l` may be NULL. */
bool links_of_address(struct links *l, const char *address, char *name, size_t room);

#endif
