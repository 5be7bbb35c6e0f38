/* iSCSI sessions, and the network interfaces they use. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "probes_private.h"

enum { NAMES = 64 };

/* "(null)" and "default" are what the kernel writes for nothing. */
static bool is_name(const char *text) { return text[0] && strcmp(text, "(null)") && strcmp(text, "default") && strcmp(text, "<NULL>"); }

/* "../../devices/platform/host2/session1/iscsi_session/session1" */
static int64_t host_of(struct probe_context *c, const char *session)
{
	char path[128], target[256];
	const char *host;

	text_format(path, sizeof(path), "sys/class/iscsi_session/%s", session);
	if (sysread_link(c->sys, path, target, sizeof(target), true) < 0 || !(host = strstr(target, "/host")))
		return PROBE_UNKNOWN;
	return strtol(host + 5, NULL, 10);
}

/* The first connection of "session1" is "connection1:0". */
static void read_connection(struct probe_context *c, struct probe_iscsi *s, char *local, size_t room)
{
	const char *number = s->name + strcspn(s->name, "0123456789");

	take_text(c, s->connection_state, sizeof(s->connection_state), "sys/class/iscsi_connection/connection%s:0/state", number);
	take_text(c, s->address, sizeof(s->address), "sys/class/iscsi_connection/connection%s:0/address", number);
	s->port = take_i64(c, "sys/class/iscsi_connection/connection%s:0/port", number);
	take_text(c, local, room, "sys/class/iscsi_connection/connection%s:0/local_ipaddr", number);
}

static void read_netdev(struct probe_context *c, struct probe_iscsi *s, const char *local)
{
	char address[48] = "";

	if (s->host != PROBE_UNKNOWN) {
		take_text(c, s->netdev, sizeof(s->netdev), "sys/class/iscsi_host/host%lld/netdev", (long long)s->host);
		take_text(c, address, sizeof(address), "sys/class/iscsi_host/host%lld/ipaddress", (long long)s->host);
	}
	if (is_name(s->netdev))
		return;
	s->netdev[0] = '\0';
	if (is_name(local) && links_of_address(c->links, local, s->netdev, sizeof(s->netdev)))
		return;
	if (is_name(address))
		links_of_address(c->links, address, s->netdev, sizeof(s->netdev));
}

void probe_iscsi_read(struct probe_context *c)
{
	char name[NAMES][SYSREAD_NAME];
	int n = sysread_dir(c->sys, "sys/class/iscsi_session", name, NAMES, NULL);

	if (n < 0)
		source_failed(c, n, "sys/class/iscsi_session");
	else if (!n)
		source_say(c, SOURCE_ABSENT, "there is no iSCSI session");
	for (int i = 0; i < n && c->s->n_iscsi < PROBE_MAX_ISCSI; i++) {
		struct probe_iscsi *s = &c->s->iscsi[c->s->n_iscsi++];
		char local[48];

		text_format(s->name, sizeof(s->name), "%s", name[i]);
		take_text(c, s->target, sizeof(s->target), "sys/class/iscsi_session/%s/targetname", name[i]);
		take_text(c, s->state, sizeof(s->state), "sys/class/iscsi_session/%s/state", name[i]);
		s->recovery_tmo = take_timeout(c, "sys/class/iscsi_session/%s/recovery_tmo", name[i]);
		s->recovery_off = s->recovery_tmo == -1;
		s->host = host_of(c, name[i]);
		read_connection(c, s, local, sizeof(local));
		read_netdev(c, s, local);
	}
}

/* ---- interfaces ---- */

static bool is_wanted(const struct probe_snapshot *s, const char *name)
{
	for (uint32_t i = 0; i < s->n_iscsi; i++)
		if (!strcmp(s->iscsi[i].netdev, name))
			return true;
	return false;
}

static void rate(struct probe_context *c, struct probe_link *l)
{
	double seconds = c->s->interval_s;

	l->rx_bytes_s = l->tx_bytes_s = NAN;
	for (uint32_t i = 0; i < c->before->n_links && !isnan(seconds); i++) {
		const struct probe_link *was = &c->before->link[i];

		if (strcmp(was->name, l->name) || was->rx_bytes > l->rx_bytes || was->tx_bytes > l->tx_bytes)
			continue;
		l->rx_bytes_s = (double)(l->rx_bytes - was->rx_bytes) / seconds;
		l->tx_bytes_s = (double)(l->tx_bytes - was->tx_bytes) / seconds;
	}
}

/* Only where every session names its interface are the others left out. */
void probe_links_read(struct probe_context *c)
{
	struct probe_link all[PROBE_MAX_LINKS];
	bool named = c->s->n_iscsi > 0;
	int n;

	if (!c->sys->real) {
		source_say(c, SOURCE_ABSENT, "netlink tells of this machine, not of %s", c->sys->path);
		return;
	}
	if (!c->s->n_iscsi) {
		source_say(c, SOURCE_ABSENT, "there is no iSCSI session to have an interface");
		return;
	}
	for (uint32_t i = 0; i < c->s->n_iscsi; i++)
		named = named && c->s->iscsi[i].netdev[0];
	n = links_read(c->links, all, PROBE_MAX_LINKS);
	if (n < 0) {
		source_say(c, SOURCE_UNREADABLE, "netlink: %s", strerror(-n));
		return;
	}
	for (int i = 0; i < n; i++) {
		if (named ? !is_wanted(c->s, all[i].name) : !strcmp(all[i].oper, "down"))
			continue;
		c->s->link[c->s->n_links] = all[i];
		rate(c, &c->s->link[c->s->n_links++]);
	}
	if (!named)
		source_say(c, SOURCE_OK, "a session does not name its interface: all that are not down are shown");
}
