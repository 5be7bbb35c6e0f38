#include "kernel_knob.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attribute.h"
#include "base/text.h"
#include "base/units.h"
#include "kernel.h"
#include "scan.h"

/* ---- plans ---- */

struct setting *plan_add(struct plan *p, enum setting_kind kind, const char *fmt, ...)
{
	struct setting *s = p->n < PLAN_MAX_SETTINGS ? &p->setting[p->n] : NULL;
	va_list args;

	if (!s)
		return NULL;
	*s = (struct setting){ .kind = kind };
	va_start(args, fmt);
	vsnprintf(s->object, sizeof(s->object), fmt, args);
	va_end(args);
	p->n++;
	return s;
}

static int too_many(struct err *err) { return err_set(err, -E2BIG, "that would be more than %d settings at once", PLAN_MAX_SETTINGS); }

static struct setting *add_of_disk(struct plan *p, enum setting_kind kind, const char *attribute)
{
	return plan_add(p, kind, "/sys/block/%s/%s", p->device, attribute);
}

void plan_release(struct plan *p)
{
	free(p->setting);
	p->setting = NULL;
	p->n = 0;
}

/* The value of the first setting is the knob's. */
static int show_setting(const char *root, const struct plan *p, char *value, size_t room, struct err *err)
{
	return setting_read(root, &p->setting[0], value, room, err);
}

static int whole_number(const struct plan *p, uint64_t low, uint64_t high, uint64_t *value, struct err *err)
{
	const char *why = NULL;

	if (units_parse_u64(p->asked, value, &why))
		return err_set(err, -EINVAL, "%s %s=%s: %s", p->device, p->row->name, p->asked, why);
	if (*value < low || *value > high)
		return err_set(err, -ERANGE, "%s %s=%s is outside %llu..%llu", p->device, p->row->name, p->asked, (unsigned long long)low,
			       (unsigned long long)high);
	return 0;
}

/* The kernel accepts "32x" and "0x20": what is written is always a plain number made here. */
static int plan_number(struct plan *p, const char *attribute, uint64_t low, uint64_t high, struct err *err)
{
	struct setting *s;
	uint64_t value;
	int ret = whole_number(p, low, high, &value, err);

	if (ret)
		return ret;
	s = add_of_disk(p, SETTING_PLAIN, attribute);
	if (!s)
		return too_many(err);
	text_format(s->value, sizeof(s->value), "%llu", (unsigned long long)value);
	return 0;
}

/* ---- SCSI and block queue ---- */

/* What the host takes at once, for all its LUNs together; 65535 when it is not told. */
static uint64_t can_queue(const char *root, const char *device)
{
	char link[512], full[4096], path[600], text[32], *host;
	uint64_t value;

	text_format(link, sizeof(link), "%s/sys/block/%s/device", root, device);
	if (!realpath(link, full) || !(host = strstr(full, "/host")))
		return 65535;
	host++;
	host[strcspn(host, "/")] = '\0';
	text_format(path, sizeof(path), "/sys/class/scsi_host/%.64s/can_queue", host);
	return attribute_read(root, path, text, sizeof(text)) > 0 && !units_parse_u64(text, &value, NULL) && value ? value : 65535;
}

static int plan_queue_depth(const char *root, struct plan *p, struct err *err)
{
	return plan_number(p, "device/queue_depth", 1, can_queue(root, p->device), err);
}

static int plan_nr_requests(const char *root, struct plan *p, struct err *err)
{
	(void)root;
	return plan_number(p, "queue/nr_requests", 4, 65536, err); /* below 4 the kernel takes 4 without a word */
}

/* Only what the kernel offers: another name could make it load a module. */
static int plan_scheduler(const char *root, struct plan *p, struct err *err)
{
	struct setting *s = add_of_disk(p, SETTING_CHOICE, "queue/scheduler");
	char offered[512], *word, *rest = NULL;
	int n = attribute_read(root, s->object, offered, sizeof(offered));

	if (n < 0)
		return err_set(err, n, "cannot read %s: %s", s->object, strerror(-n));
	char list[sizeof(offered)];

	text_format(list, sizeof(list), "%s", offered);
	for (word = strtok_r(offered, " []", &rest); word; word = strtok_r(NULL, " []", &rest))
		if (!strcmp(word, p->asked)) {
			text_format(s->value, sizeof(s->value), "%s", word);
			return 0;
		}
	return err_set(err, -EINVAL, "%s has no scheduler '%s'; there are: %s", p->device, p->asked, list);
}

/* ---- md: rebalance power ---- */

enum { KIB_A_POWER = 1000, MOST_POWER = 1024 };

/* Power P is P x 1000 KiB/s that md takes whatever else is asked of the disks; 0 stops it. */
static int plan_power(const char *root, struct plan *p, struct err *err)
{
	struct setting *speed, *frozen;
	uint64_t power;
	char now[64];
	int ret = whole_number(p, 0, MOST_POWER, &power, err);

	if (ret)
		return ret;
	speed = power ? add_of_disk(p, SETTING_MD_SPEED, "md/sync_speed_min") : NULL;
	if (speed)
		text_format(speed->value, sizeof(speed->value), "%llu", (unsigned long long)power * KIB_A_POWER);
	frozen = add_of_disk(p, SETTING_MD_FROZEN, "md/sync_action");
	text_format(frozen->value, sizeof(frozen->value), "%s", power ? "idle" : "frozen");
	ret = setting_read(root, frozen, now, sizeof(now), err);
	if (ret)
		return ret;
	if (power && !strcmp(now, "idle"))
		p->n--; /* runs already */
	return 0;
}

static int show_power(const char *root, const struct plan *p, char *value, size_t room, struct err *err)
{
	struct setting frozen = { .kind = SETTING_MD_FROZEN }, speed = { .kind = SETTING_MD_SPEED };
	char text[64];
	uint64_t kib;
	int ret;

	text_format(frozen.object, sizeof(frozen.object), "/sys/block/%s/md/sync_action", p->device);
	text_format(speed.object, sizeof(speed.object), "/sys/block/%s/md/sync_speed_min", p->device);
	ret = setting_read(root, &frozen, text, sizeof(text), err);
	if (!ret && !strcmp(text, "frozen")) {
		text_format(value, room, "0");
		return 0;
	}
	if (!ret)
		ret = setting_read(root, &speed, text, sizeof(text), err);
	if (ret)
		return ret;
	if (!units_parse_u64(text, &kib, NULL) && !(kib % KIB_A_POWER))
		text_format(value, room, "%llu", (unsigned long long)kib / KIB_A_POWER);
	else
		text_format(value, room, "%s%s", text, strcmp(text, "system") ? " KiB/s" : "'s own");
	return 0;
}

/* ---- the table ---- */

const struct kernel_knob_row kernel_knob_table[] = {
	{ "queue_depth", "queue_depth=", 'd', "1..can_queue", "commands a SCSI disk takes at once", false, plan_queue_depth, show_setting },
	{ "nr_requests", "nr_requests=", 0, "4..65536", "requests of the block queue", true, plan_nr_requests, show_setting },
	{ "scheduler", "scheduler=", 0, "none|mq-deadline|...", "I/O scheduler; changes nr_requests as well", true, plan_scheduler, show_setting },
	{ "selector", "selector=", 'p', "round-robin[:N]|queue-length|service-time", "path selector of a multipath map; its fail counts start anew", false,
	  plan_selector, show_selector },
	{ "fail", "fail=", 0, "PATH", "fail a path of a multipath map (multipathd may take it back)", false, plan_fail, show_path },
	{ "reinstate", "reinstate=", 0, "PATH", "take a failed path into use again", false, plan_reinstate, show_path },
	{ "map", "map=", 0, "0,1,...", "dm-switch: this list of paths over all regions; the map before is not known to anyone", false, plan_map,
	  show_map },
	{ "stats", "stats=", 0, "on|off", "a histogram of latencies that the device mapper keeps for a map (a little memory)", false, plan_stats, show_setting },
	{ "power", "power=", 'b', "0..1024", "md: resync at least N x 1000 KiB/s; 0 stops it", false, plan_power, show_power },
	{ "aliases", "aliases=", 'a', "0..those seen online", "DASD: PAV or HyperPAV aliases of an LCU that are online", false, plan_aliases, show_aliases },
};
const uint32_t n_kernel_knobs = sizeof(kernel_knob_table) / sizeof(kernel_knob_table[0]);

const struct kernel_knob_row *kernel_knob_find(const char *name, struct err *err)
{
	const char *names[sizeof(kernel_knob_table) / sizeof(kernel_knob_table[0])], *near;

	for (uint32_t i = 0; i < n_kernel_knobs; i++) {
		names[i] = kernel_knob_table[i].name;
		if (!strcmp(names[i], name))
			return &kernel_knob_table[i];
	}
	near = text_nearest(name, names, n_kernel_knobs);
	err_set(err, -ENOENT, "the kernel has no knob '%s' here%s%s%s", name, near ? " (nearest: " : "", near ? near : "", near ? ")" : "");
	return NULL;
}

const char *kernel_knob_begin(char letter)
{
	for (uint32_t i = 0; letter && i < n_kernel_knobs; i++)
		if (kernel_knob_table[i].key == letter)
			return kernel_knob_table[i].begin;
	return "";
}

/* ---- devices ---- */

static bool good_name(const char *word)
{
	return *word && *word != '.' && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:!-")];
}

/* The dm device of that map. */
static bool find_map(const char *root, const char *name, char *device, size_t room)
{
	struct scan *s = malloc(sizeof(*s));
	bool found = false;
	struct dm_map map;

	if (s)
		scan_read(*root ? root : "/.", s); /* names only: another root than "" asks no status */
	for (uint32_t i = 0; s && !found && i < s->n_devices; i++) {
		found = !strncmp(s->device[i], "dm-", 3) && scan_dm_map(root, s->device[i], &map) && !strcmp(map.name, name);
		if (found)
			text_format(device, room, "%s", s->device[i]);
	}
	free(s);
	return found;
}

int kernel_device(const char *root, const char *word, char *device, size_t room, struct err *err)
{
	const char *slash = strrchr(word, '/');
	char path[256];

	if (slash)
		word = slash + 1;
	if (!good_name(word))
		return err_set(err, -EINVAL, "'%s' is no name of a device", word);
	text_format(path, sizeof(path), "%s/sys/block/%s", root, word);
	if (!access(path, F_OK)) {
		text_format(device, room, "%s", word);
		return 0;
	}
	return find_map(root, word, device, room) ? 0 : err_set(err, -ENOENT, "there is no device '%s' in /sys/block, and no map of that name", word);
}

/* ---- making a plan ---- */

/* Does anything complete, or is nothing in flight? Else a queue that is to be frozen waits, perhaps for ever. */
static bool makes_progress(const char *root, const char *device)
{
	char inflight[64], before[512], now[512], path[160];
	unsigned long reads = 0, writes = 0;

	text_format(path, sizeof(path), "/sys/block/%s/inflight", device);
	if (attribute_read(root, path, inflight, sizeof(inflight)) < 0 || sscanf(inflight, "%lu %lu", &reads, &writes) != 2 || !(reads + writes))
		return true;
	text_format(path, sizeof(path), "/sys/block/%s/stat", device);
	for (int i = 0; i < 5; i++) {
		if (attribute_read(root, path, i ? now : before, sizeof(now)) < 0)
			return true;
		if (i && strcmp(before, now))
			return true;
		usleep(50 * 1000);
	}
	return false;
}

static void warn(const char *root, struct plan *p)
{
	int paths = dm_paths_left(root, p->device);

	if (!p->row->freezes)
		return;
	if (!paths)
		text_format(p->warning, sizeof(p->warning), "no path is left: this waits until one is back");
	else if (!makes_progress(root, p->device))
		text_format(p->warning, sizeof(p->warning), "nothing completes on %s now: this may wait for ever", p->device);
}

int plan_make(const char *root, const char *device, const char *knob, const char *value, struct alias_list *seen, struct plan *p, struct err *err)
{
	int ret;

	*p = (struct plan){ .row = kernel_knob_find(knob, err), .seen = seen };
	if (!p->row)
		return -ENOENT;
	text_format(p->asked, sizeof(p->asked), "%s", value);
	ret = p->row->plan == plan_aliases ? kernel_lcu(root, device, p->device, sizeof(p->device), err)
					   : kernel_device(root, device, p->device, sizeof(p->device), err);
	if (ret)
		return ret;
	p->setting = calloc(PLAN_MAX_SETTINGS, sizeof(*p->setting));
	ret = p->setting ? p->row->plan(root, p, err) : err_set(err, -ENOMEM, "out of memory");
	if (!ret)
		ret = p->row->show(root, p, p->before, sizeof(p->before), err);
	if (!ret)
		warn(root, p);
	for (uint32_t i = 0; !ret && i < p->n; i++)
		setting_identify(root, &p->setting[i], p->setting[i].identity, sizeof(p->setting[i].identity));
	if (ret)
		plan_release(p);
	return ret;
}
