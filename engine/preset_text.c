/* iniparser 4.1 cuts values at ; and #, ends them at an inner quote, joins lines at a backslash,
 * stops at a NUL or a long line. Each is refused here, so that what it then reads is what was
 * written. */
#include "preset_text.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "preset_walk.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

char *text_trim(char *s)
{
	size_t n;

	s += strspn(s, " \t");
	n = strlen(s);
	while (n && is_blank(s[n - 1]))
		n--;
	s[n] = '\0';
	return s;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool text_same_name(const char *a, const char *b)
{
	while (*a && lower(*a) == lower(*b))
		a++, b++;
	return lower(*a) == lower(*b);
}

/* ---- lines ---- */

/* The gate for foreign text says what is clean; tabs are blanks. */
static int check_clean(const struct preset_place *place, const char *line)
{
	char tabless[WALK_MAX_LINE + 1], clean[WALK_MAX_LINE + 1];
	size_t at = 0;

	text_format(tabless, sizeof(tabless), "%s", line);
	for (char *p = tabless; *p; p++)
		if (*p == '\t')
			*p = ' ';
	text_clean(clean, sizeof(clean), tabless, 0);
	while (tabless[at] && tabless[at] == clean[at])
		at++;
	if (!tabless[at])
		return 0;
	return preset_refuse(
		place,
		"byte %zu of the line (0x%02x) is a control character or no UTF-8: remove it",
		at + 1, (unsigned char)tabless[at]);
}

int text_check_line(const struct preset_place *place, char *line, size_t n)
{
	if (n > WALK_MAX_LINE)
		return preset_refuse(place, "the line is %zu bytes long, at most %d: shorten it", n,
				     WALK_MAX_LINE);
	if (memchr(line, '\0', n))
		return preset_refuse(place, "byte %zu of the line is a NUL: a preset is text",
				     strlen(line) + 1);
	if (n && line[n - 1] == '\r')
		line[n - 1] = '\0';
	if (strchr(line, '\r'))
		return preset_refuse(place, "a CR inside the line: lines end with LF or CRLF");
	if (strchr(line, '\\'))
		return preset_refuse(place, "a backslash (it would join lines): remove it");
	return check_clean(place, line);
}

/* ---- names ---- */

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("._- ", c);
}

static int bad_byte(const struct preset_place *place, unsigned char c, const char *what)
{
	static const char rule[] = "letters, digits, single blanks and . _ - only";

	if (c > ' ' && c < 0x7f)
		return preset_refuse(place, "the %s holds '%c': %s", what, c, rule);
	return preset_refuse(place, "the %s holds the byte 0x%02x: %s", what, c, rule);
}

int text_check_name(const struct preset_place *place, const char *name, const char *what)
{
	if (!*name)
		return preset_refuse(place, "the %s is empty", what);
	if (strlen(name) > WALK_MAX_NAME)
		return preset_refuse(place, "the %s is %zu bytes long, at most %d", what,
				     strlen(name), WALK_MAX_NAME);
	for (const char *p = name; *p; p++)
		if (!is_name_byte(*p))
			return bad_byte(place, (unsigned char)*p, what);
	if (strstr(name, "  "))
		return preset_refuse(place, "the %s holds two blanks in a row: single blanks only",
				     what);
	return 0;
}

/* ---- values ---- */

/* Behind a quoted value only a comment may follow, which needs a blank before it. */
static bool is_comment(const char *rest)
{
	const char *p = rest + strspn(rest, " \t");

	return !*p || (p > rest && (*p == ';' || *p == '#'));
}

static int cut_quoted(const struct preset_place *place, char *raw, const char **value)
{
	char *end = strchr(raw + 1, *raw);

	if (!end)
		return preset_refuse(place, "the quote %c is not closed", *raw);
	if (!is_comment(end + 1))
		return preset_refuse(place,
				     "what follows the closing quote would be lost: a value that "
				     "begins with %c ends with it",
				     *raw);
	*end = '\0';
	*value = raw + 1;
	return 0;
}

static int cut_plain(const struct preset_place *place, char *raw, const char **value, bool *cut)
{
	size_t n = strcspn(raw, ";#");

	*cut = raw[n] != '\0';
	if (raw[n] && n && !is_blank(raw[n - 1]))
		return preset_refuse(
			place,
			"the value would be cut at '%c': put the whole value in double quotes "
			"(a comment needs a blank before it)",
			raw[n]);
	raw[n] = '\0';
	*value = text_trim(raw);
	return 0;
}

int text_cut_value(const struct preset_place *place, char *raw, const char **value, bool *cut)
{
	struct preset_place whole = *place;
	int ret;

	*cut = false;
	whole.value = raw;
	ret = *raw == '"' || *raw == '\'' ? cut_quoted(&whole, raw, value)
					  : cut_plain(&whole, raw, value, cut);
	if (!ret && !(*value)[strspn(*value, " \t")])
		ret = preset_refuse(place, "has no value");
	return ret;
}
