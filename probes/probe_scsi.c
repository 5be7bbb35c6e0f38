/* SCSI devices and hosts, FC remote ports, NVMe native multipath. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "probes_private.h"

enum { ENTRIES = 256 };

/* Words of /sys/.../device/state: drivers/scsi/scsi_sysfs.c. */
static const struct {
	const char *word;
	char letter;
} scsi_states[] = {
	{ "running", '+' }, { "created", '~' }, { "created-blocked", '~' }, { "blocked", '~' }, { "quiesce", '-' }, { "offline", '!' },
	{ "transport-offline", '!' }, { "cancel", '!' }, { "deleted", '!' },
};

static char scsi_letter(const char *word)
{
	for (size_t i = 0; i < sizeof(scsi_states) / sizeof(scsi_states[0]); i++)
		if (!strcmp(scsi_states[i].word, word))
			return scsi_states[i].letter;
	return '?';
}

static int find_host(const struct probe_snapshot *s, const char *hctl)
{
	char name[16];

	text_format(name, sizeof(name), "host%.*s", (int)strcspn(hctl, ":"), hctl);
	for (uint32_t i = 0; i < s->n_hosts; i++)
		if (!strcmp(s->host[i].name, name))
			return (int)i;
	return -1;
}

static void read_device(struct probe_context *c, struct probe_device *d)
{
	struct probe_scsi *scsi = &d->scsi;
	char path[128];

	text_format(path, sizeof(path), "sys/block/%s/device", d->kernel);
	if (sysread_link(c->sys, path, scsi->hctl, sizeof(scsi->hctl), false) < 0)
		scsi->hctl[0] = '\0';
	scsi->known = take_text(c, scsi->state, sizeof(scsi->state), "sys/block/%s/device/state", d->kernel);
	if (!scsi->known)
		return;
	scsi->queue_depth = take_i64(c, "sys/block/%s/device/queue_depth", d->kernel);
	scsi->device_busy = take_i64(c, "sys/block/%s/device/device_busy", d->kernel);
	scsi->timeout_s = take_i64(c, "sys/block/%s/device/timeout", d->kernel);
	scsi->io_errors = take_hex(c, "sys/block/%s/device/ioerr_cnt", d->kernel);
	take_text(c, scsi->vendor, sizeof(scsi->vendor), "sys/block/%s/device/vendor", d->kernel);
	take_text(c, scsi->model, sizeof(scsi->model), "sys/block/%s/device/model", d->kernel);
	scsi->host = find_host(c->s, scsi->hctl);
	if (d->state.letter == '+' || strcmp(scsi->state, "running"))
		state_set(&d->state, scsi_letter(scsi->state), "%s", scsi->state);
}

static void read_host(struct probe_context *c, const char *name)
{
	struct probe_host *h = &c->s->host[c->s->n_hosts++];

	text_format(h->name, sizeof(h->name), "%s", name);
	take_text(c, h->driver, sizeof(h->driver), "sys/class/scsi_host/%s/proc_name", name);
	take_text(c, h->state, sizeof(h->state), "sys/class/scsi_host/%s/state", name);
	h->can_queue = take_i64(c, "sys/class/scsi_host/%s/can_queue", name);
	h->cmd_per_lun = take_i64(c, "sys/class/scsi_host/%s/cmd_per_lun", name);
	h->host_busy = take_i64(c, "sys/class/scsi_host/%s/host_busy", name);
}

void probe_scsi_read(struct probe_context *c)
{
	char name[ENTRIES][SYSREAD_NAME];
	int n = sysread_dir(c->sys, "sys/class/scsi_host", name, ENTRIES, NULL);
	uint32_t devices = 0;

	for (int i = 0; i < n && c->s->n_hosts < PROBE_MAX_HOSTS; i++)
		read_host(c, name[i]);
	for (uint32_t i = 0; i < c->s->n_devices; i++) {
		struct probe_device *d = &c->s->device[i];

		if (strcmp(d->kind, "scsi") && strcmp(d->kind, "cdrom"))
			continue;
		read_device(c, d);
		devices += d->scsi.known;
	}
	if (!devices && n < 0)
		source_say(c, SOURCE_ABSENT, "no SCSI host: there is no /sys/class/scsi_host");
	else if (!devices)
		source_say(c, SOURCE_ABSENT, "there is no SCSI disk");
}

/* ---- FC ---- */

static void read_port(struct probe_context *c, const char *name)
{
	struct probe_port *p = &c->s->port[c->s->n_ports++];

	text_format(p->name, sizeof(p->name), "%s", name);
	take_text(c, p->state, sizeof(p->state), "sys/class/fc_remote_ports/%s/port_state", name);
	take_text(c, p->roles, sizeof(p->roles), "sys/class/fc_remote_ports/%s/roles", name);
	take_text(c, p->port_name, sizeof(p->port_name), "sys/class/fc_remote_ports/%s/port_name", name);
	p->dev_loss_tmo = take_timeout(c, "sys/class/fc_remote_ports/%s/dev_loss_tmo", name);
	p->fast_io_fail_tmo = take_timeout(c, "sys/class/fc_remote_ports/%s/fast_io_fail_tmo", name);
}

void probe_fc_read(struct probe_context *c)
{
	char name[ENTRIES][SYSREAD_NAME];
	int n = sysread_dir(c->sys, "sys/class/fc_remote_ports", name, ENTRIES, NULL);

	if (n < 0)
		source_failed(c, n, "sys/class/fc_remote_ports");
	for (int i = 0; i < n && c->s->n_ports < PROBE_MAX_PORTS; i++)
		read_port(c, name[i]);
	if (!n)
		source_say(c, SOURCE_ABSENT, "there is no FC remote port");
}

/* ---- NVMe ---- */

/* The head of a subsystem is a folder in that of the subsystem. */
static void read_policy(struct probe_context *c, const char *subsystem)
{
	char path[128], name[ENTRIES][SYSREAD_NAME], policy[24];
	int n;

	if (!take_text(c, policy, sizeof(policy), "sys/class/nvme-subsystem/%s/iopolicy", subsystem))
		return;
	text_format(path, sizeof(path), "sys/class/nvme-subsystem/%s", subsystem);
	n = sysread_dir(c->sys, path, name, ENTRIES, NULL);
	for (int i = 0; i < n; i++) {
		int d = probe_find(c->s, name[i]);

		if (d >= 0)
			text_format(c->s->device[d].policy, sizeof(c->s->device[d].policy), "%s", policy);
	}
}

/* States of a controller: drivers/nvme/host/core.c; of access: Documentation of ANA. */
static void read_path(struct probe_context *c, struct probe_device *d)
{
	char state[24];
	bool ana = take_text(c, d->ana, sizeof(d->ana), "sys/block/%s/ana_state", d->kernel);

	if (take_text(c, state, sizeof(state), "sys/block/%s/device/state", d->kernel) && strcmp(state, "live"))
		state_set(&d->state, !strcmp(state, "connecting") || !strcmp(state, "resetting") || !strcmp(state, "new") ? '~' : '!', "%s", state);
	else if (ana && d->state.letter == '+')
		state_set(&d->state, !strcmp(d->ana, "optimized") ? '+' : !strcmp(d->ana, "non-optimized") ? '-' : !strcmp(d->ana, "change") ? '~' : '!',
			  "%s", d->ana);
}

void probe_nvme_read(struct probe_context *c)
{
	char name[ENTRIES][SYSREAD_NAME];
	int n = sysread_dir(c->sys, "sys/class/nvme-subsystem", name, ENTRIES, NULL);

	if (n < 0)
		source_failed(c, n, "sys/class/nvme-subsystem");
	else if (!n)
		source_say(c, SOURCE_ABSENT, "there is no NVMe subsystem");
	for (int i = 0; i < n; i++)
		read_policy(c, name[i]);
	for (uint32_t i = 0; i < c->s->n_devices; i++)
		if (!strncmp(c->s->device[i].kernel, "nvme", 4))
			read_path(c, &c->s->device[i]);
}
