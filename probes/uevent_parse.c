#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "uevent.h"

/* ---- reading ---- */

static const struct {
	const char *key;
	size_t at, room;
} fields[] = {
#define FIELD(key, name) { key, offsetof(struct uevent, name), sizeof(((struct uevent *)0)->name) }
	FIELD("ACTION", action),	   FIELD("SUBSYSTEM", subsystem), FIELD("DEVTYPE", devtype), FIELD("DEVPATH", devpath),
	FIELD("DEVNAME", devname), FIELD("DM_NAME", dm_name),	  FIELD("DM_ACTION", dm_action), FIELD("DM_PATH", dm_path),
#undef FIELD
};

static void take_number(const char *key, const char *value, struct uevent *u, bool *complete)
{
	uint64_t number;

	if (units_parse_u64(value, &number, NULL))
		return;
	if (!strcmp(key, "SEQNUM")) {
		u->seqnum = number;
		*complete = true;
	} else if (!strcmp(key, "DM_NR_VALID_PATHS") && number < INT32_MAX) {
		u->dm_valid_paths = (int)number;
	}
}

/* One KEY=VALUE. False: it has no '='. */
static bool take_field(const char *text, struct uevent *u, bool *complete)
{
	const char *equals = strchr(text, '=');
	char key[32];

	if (!equals)
		return false;
	text_format(key, sizeof(key), "%.*s", (int)(equals - text), text);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (!strcmp(fields[i].key, key))
			text_clean((char *)u + fields[i].at, fields[i].room, equals + 1, 1);
	u->synthetic |= !strcmp(key, "SYNTH_UUID");
	take_number(key, equals + 1, u, complete);
	return true;
}

/* The first text names action and path once more: both must agree, or it is no event of the kernel. */
static bool header_agrees(const char *header, const struct uevent *u)
{
	const char *at = strchr(header, '@');
	size_t n = at ? (size_t)(at - header) : 0;

	return at && n == strlen(u->action) && !strncmp(header, u->action, n) && u->devpath[0] == '/' && at[1] == '/';
}

static void name_by_path(struct uevent *u)
{
	const char *slash = strrchr(u->devpath, '/');

	if (!u->devname[0] && slash)
		text_format(u->devname, sizeof(u->devname), "%s", slash + 1);
}

int uevent_parse(const char *bytes, size_t n, struct uevent *out)
{
	bool complete = false;
	size_t at;

	*out = (struct uevent){ .dm_valid_paths = -1 };
	if (n < 2 || bytes[n - 1] != '\0')
		return -EINVAL;
	for (at = strlen(bytes) + 1; at < n; at += strlen(bytes + at) + 1)
		if (!take_field(bytes + at, out, &complete))
			return -EINVAL;
	if (!complete || !out->subsystem[0] || !header_agrees(bytes, out))
		return -EINVAL;
	name_by_path(out);
	return 0;
}

/* ---- meaning ---- */

static bool is_device(const struct uevent *u)
{
	return (!strcmp(u->subsystem, "block") && !strcmp(u->devtype, "disk")) || !strcmp(u->subsystem, "ccw");
}

static const struct {
	const char *action;
	enum uevent_kind kind;
	const char *verb;
} actions[] = {
	{ "add", UEVENT_ADDED, "added" },     { "remove", UEVENT_REMOVED, "removed" }, { "change", UEVENT_CHANGED, "changed" },
	{ "online", UEVENT_CHANGED, "online" }, { "offline", UEVENT_CHANGED, "offline" },
};
enum { N_ACTIONS_KNOWN = sizeof(actions) / sizeof(actions[0]) };

enum uevent_kind uevent_kind(const struct uevent *u)
{
	if (!strcmp(u->dm_action, "PATH_FAILED"))
		return UEVENT_PATH_FAILED;
	if (!strcmp(u->dm_action, "PATH_REINSTATED"))
		return UEVENT_PATH_BACK;
	for (unsigned i = 0; is_device(u) && i < N_ACTIONS_KNOWN; i++)
		if (!strcmp(actions[i].action, u->action))
			return actions[i].kind;
	return UEVENT_OTHER;
}

static char *path_text(const struct uevent *u, const char *verb, char *buf, size_t room)
{
	size_t n = text_format(buf, room, "%s: path %s %s", u->dm_name[0] ? u->dm_name : u->devname, u->dm_path, verb);

	if (u->dm_valid_paths >= 0)
		text_format(buf + n, room - n, ", %d left", u->dm_valid_paths);
	return buf;
}

char *uevent_text(const struct uevent *u, char *buf, size_t room)
{
	enum uevent_kind kind = uevent_kind(u);

	if (kind == UEVENT_PATH_FAILED)
		return path_text(u, "FAILED", buf, room);
	if (kind == UEVENT_PATH_BACK)
		return path_text(u, "reinstated", buf, room);
	text_format(buf, room, "%s %s", u->devname, u->action);
	for (unsigned i = 0; i < N_ACTIONS_KNOWN; i++)
		if (!strcmp(actions[i].action, u->action))
			text_format(buf, room, "%s %s%s", u->devname, actions[i].verb, u->synthetic ? " (asked for)" : "");
	return buf;
}
