/* owners of [target]: which paths end at the owner of each page. "p0*2, p1, p0+p2": two pages of p0, one of p1, one that p0 and p2 both reach;
 * then from the front again, as dm-switch's repeat (Linux Documentation/admin-guide/device-mapper/switch.rst). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "config_row.h"
#include "preset_owners.h"

enum { MOST_PAGES = 65536, PIECE = 64 };

/* "p0+p2" as bits; 0 when it is something else. */
static uint16_t read_paths(const char *text)
{
	char word[PIECE], *rest = word, *name;
	uint16_t paths = 0;

	memccpy(word, text, '\0', sizeof(word));
	while ((name = strsep(&rest, "+"))) {
		uint64_t path;
		if (name[0] != 'p' || units_parse_u64(name + 1, &path, NULL) || path >= SPEC_MAX_PATHS || paths >> path & 1)
			return 0;
		paths |= (uint16_t)(1u << path);
	}
	return paths;
}

static int add_pages(struct page_owners *o, uint16_t paths, uint64_t pages, struct err *err)
{
	uint16_t *grown;

	if (pages > MOST_PAGES - o->n)
		return err_set(err, -ERANGE, "lists more than %d pages", MOST_PAGES);
	grown = realloc(o->paths, (o->n + pages) * sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "out of memory");
	o->paths = grown;
	while (pages--)
		o->paths[o->n++] = paths;
	return 0;
}

static int add_piece(struct page_owners *o, char *piece, struct err *err)
{
	char *star = strchr(piece, '*');
	uint64_t pages = 1;

	if (star)
		*star = '\0';
	uint16_t paths = read_paths(piece);
	if (!paths)
		return err_set(err, -EINVAL, "'%s' is no path such as p0, nor several such as p0+p2 (p0..p%d)", piece, SPEC_MAX_PATHS - 1);
	if (star && (units_parse_u64(star + 1, &pages, NULL) || !pages))
		return err_set(err, -EINVAL, "'%s*%s': behind the * stands how many pages", piece, star + 1);
	return add_pages(o, paths, pages, err);
}

int owners_parse(struct page_owners *o, const char *text, struct err *err)
{
	char piece[PIECE];
	int code = 0;

	while (!code && list_next(&text, piece, sizeof(piece)))
		code = add_piece(o, piece, err);
	return code || o->n ? code : err_set(err, -EINVAL, "names no path");
}

static uint32_t add_run(struct strbuf *out, const struct page_owners *o, uint32_t at)
{
	uint32_t end = at;
	const char *before = at ? ", " : "";

	while (end < o->n && o->paths[end] == o->paths[at])
		end++;
	for (uint32_t path = 0; path < SPEC_MAX_PATHS; path++) {
		if (!(o->paths[at] >> path & 1))
			continue;
		strbuf_printf(out, "%sp%u", before, path);
		before = "+";
	}
	if (end - at > 1)
		strbuf_printf(out, "*%u", end - at);
	return end;
}

void owners_format(const struct page_owners *o, struct strbuf *out)
{
	for (uint32_t at = 0; at < o->n;)
		at = add_run(out, o, at);
}
