/* Errors of a preset, each with its place. */
#include "preset_place.h"

#include <errno.h>
#include <stdio.h>

#include "base/text.h"
#include "say.h"

enum { FILE_ROOM = 320,
       REASON_ROOM = 320 };

static size_t add_file(const struct preset_place *place, char *buf, size_t room)
{
	size_t at = text_clean(buf, room, place->file, 0);

	if (place->line)
		return at + text_format(buf + at, room - at, ":%u: ", place->line);
	return at + text_format(buf + at, room - at, ": ");
}

static size_t add_key(const struct preset_place *place, char *buf, size_t room)
{
	char section[SAY_ROOM], key[SAY_ROOM], value[SAY_ROOM];
	size_t at = 0;

	buf[0] = '\0';
	if (place->section)
		at += text_format(buf, room, "[%s]%s ", say(section, place->section),
				  place->key ? "" : ":");
	if (place->key)
		at += text_format(buf + at, room - at, "%s%s%s: ", say(key, place->key),
				  place->value ? " = " : "",
				  place->value ? say(value, place->value) : "");
	return at;
}

__attribute__((format(printf, 2, 0))) static void write_reason(const struct preset_place *place,
							       const char *fmt, va_list args)
{
	char text[FILE_ROOM + 3 * SAY_ROOM + REASON_ROOM];
	char reason[REASON_ROOM];
	size_t at;

	vsnprintf(reason, sizeof(reason), fmt, args);
	at = add_file(place, text, FILE_ROOM);
	at += add_key(place, text + at, 3 * SAY_ROOM);
	text_clean(text + at, sizeof(text) - at, reason, 0);
	err_set(place->err, 0, "%s", text);
}

int preset_fail(const struct preset_place *place, int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write_reason(place, fmt, args);
	va_end(args);
	return code;
}

int preset_refuse(const struct preset_place *place, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write_reason(place, fmt, args);
	va_end(args);
	return -EINVAL;
}
