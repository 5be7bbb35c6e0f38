#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "undo.h"

static bool same_object(const char *root, const struct setting *s)
{
	char now[sizeof(s->identity)];

	setting_identify(root, s, now, sizeof(now));
	return !strcmp(now, s->identity);
}

/* Is it what iodeck made it? When the process ended between the write and reading back, what was asked is all that is known. */
static bool is_ours(const struct undo_entry *e, const char *now)
{
	return e->setting.kind == SETTING_DM_MAP || !strcmp(now, e->wrote ? e->effect : e->asked);
}

static enum undo_result put_back(const char *root, const struct undo_entry *e, char *text, size_t room)
{
	struct err err = { "" };
	char what[SETTING_OBJECT + SETTING_VALUE + 64], now[SETTING_VALUE];

	if (setting_write(root, &e->setting, &err) < 0) {
		text_format(text, room, "NOT put back: %s", err.text);
		return UNDO_FAILED;
	}
	if (!setting_read(root, &e->setting, now, sizeof(now), &err) && e->setting.kind != SETTING_DM_MAP && strcmp(now, e->setting.value)) {
		text_format(text, room, "NOT put back: %s was written to %s, it says %s", e->setting.value, e->setting.object, now);
		return UNDO_FAILED;
	}
	text_format(text, room, "put back: %s", setting_describe(&e->setting, what, sizeof(what)));
	return UNDO_RESTORED;
}

enum undo_result undo_restore(const char *root, const struct undo_entry *e, bool force, char *text, size_t room)
{
	const struct setting *s = &e->setting;
	struct err err = { "" };
	char now[SETTING_VALUE];

	if (!same_object(root, s)) {
		text_format(text, room, "%s is gone or is another device now: nothing to put back", s->object);
		return UNDO_GONE;
	}
	if (setting_read(root, s, now, sizeof(now), &err) < 0) {
		text_format(text, room, "NOT put back: %s", err.text);
		return UNDO_FAILED;
	}
	if (s->kind != SETTING_DM_MAP && !strcmp(now, s->value)) {
		text_format(text, room, "%s is as it was", s->object);
		return UNDO_ALREADY;
	}
	if (!is_ours(e, now) && !force) {
		text_format(text, room, "%s was %s before iodeck, iodeck made it %s, it is %s now: something else changed it, so it is left alone (--force: %s)",
			    s->object, s->value, e->wrote ? e->effect : e->asked, now, s->value);
		return UNDO_FOREIGN;
	}
	return put_back(root, e, text, room);
}
