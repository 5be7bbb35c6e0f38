/* Tables and status are words; counts tell how many of what follow. Nothing is taken by its place in the line. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "dm.h"

enum { WORD = 128 };

/* ---- words ---- */

struct reader {
	const char *at;
	bool bad; /* a word was missing or of another form; from then on all is 0 */
};

static void next_word(struct reader *r, char *word, size_t room)
{
	size_t n;

	r->at += strspn(r->at, " ");
	n = strcspn(r->at, " \n");
	if (!n || n >= room)
		r->bad = true;
	text_format(word, room, "%.*s", r->bad ? 0 : (int)n, r->at);
	r->at += n;
}

static uint64_t next_number(struct reader *r)
{
	uint64_t value = 0;
	char word[WORD];

	next_word(r, word, sizeof(word));
	if (r->bad || units_parse_u64(word, &value, NULL))
		r->bad = true;
	return r->bad ? 0 : value;
}

/* A count of things that may be at most `most`. */
static uint32_t next_count(struct reader *r, uint32_t most)
{
	uint64_t n = next_number(r);

	if (n > most)
		r->bad = true;
	return r->bad ? 0 : (uint32_t)n;
}

static void next_dev(struct reader *r, char *dev, size_t room)
{
	next_word(r, dev, room);
	if (!strchr(dev, ':') || dev[strspn(dev, "0123456789:")])
		r->bad = true;
}

static bool at_end(struct reader *r)
{
	r->at += strspn(r->at, " \n");
	return *r->at == '\0';
}

static int outcome(struct reader *r) { return r->bad || !at_end(r) ? -EINVAL : 0; }

int dm_parse_line(const char *line, struct dm_line *out)
{
	struct reader r = { .at = line };

	out->start = next_number(&r);
	out->length = next_number(&r);
	next_word(&r, out->type, sizeof(out->type));
	out->params = r.at + strspn(r.at, " ");
	return r.bad ? -EINVAL : 0;
}

/* ---- multipath ---- */

static void table_features(struct reader *r, struct dm_multipath *m)
{
	char word[WORD];

	for (uint32_t n = next_count(r, 16); n && !r->bad; n--) {
		next_word(r, word, sizeof(word));
		m->queue_if_no_path |= !strcmp(word, "queue_if_no_path");
	}
}

static void skip_words(struct reader *r, uint32_t n)
{
	char word[WORD];

	for (; n && !r->bad; n--)
		next_word(r, word, sizeof(word));
}

static struct dm_path *new_path(struct reader *r, struct dm_multipath *m, uint32_t group)
{
	if (m->n_paths == DM_MAX_PATHS) {
		r->bad = true;
		return &m->path[0];
	}
	m->path[m->n_paths] = (struct dm_path){ .group = group, .in_flight = -1 };
	return &m->path[m->n_paths++];
}

static void table_group(struct reader *r, struct dm_multipath *m, uint32_t group)
{
	struct dm_group *g = &m->group[group];
	uint32_t n_args;

	next_word(r, g->selector, sizeof(g->selector));
	skip_words(r, next_count(r, 16));
	g->n_paths = next_count(r, DM_MAX_PATHS);
	n_args = next_count(r, 8);
	for (uint32_t i = 0; i < g->n_paths && !r->bad; i++) {
		struct dm_path *p = new_path(r, m, group);

		next_dev(r, p->dev, sizeof(p->dev));
		if (n_args)
			p->repeat = next_number(r);
		skip_words(r, n_args ? n_args - 1 : 0);
	}
}

int dm_parse_multipath_table(const char *params, struct dm_multipath *out)
{
	struct reader r = { .at = params };

	*out = (struct dm_multipath){ 0 };
	table_features(&r, out);
	skip_words(&r, next_count(&r, 16)); /* hardware handler */
	out->n_groups = next_count(&r, DM_MAX_GROUPS);
	out->next_group = next_count(&r, DM_MAX_GROUPS);
	for (uint32_t i = 0; i < out->n_groups && !r.bad; i++)
		table_group(&r, out, i);
	return outcome(&r);
}

static char next_letter(struct reader *r, const char *letters)
{
	char word[WORD];

	next_word(r, word, sizeof(word));
	if (r->bad || word[1] || !strchr(letters, word[0]))
		r->bad = true;
	return r->bad ? 0 : word[0];
}

static void status_group(struct reader *r, struct dm_multipath *m, uint32_t group)
{
	struct dm_group *g = &m->group[group];
	uint32_t n_args;

	g->state = next_letter(r, "AED");
	skip_words(r, next_count(r, 16));
	g->n_paths = next_count(r, DM_MAX_PATHS);
	n_args = next_count(r, 8);
	for (uint32_t i = 0; i < g->n_paths && !r->bad; i++) {
		struct dm_path *p = new_path(r, m, group);

		next_dev(r, p->dev, sizeof(p->dev));
		p->failed = next_letter(r, "AF") == 'F';
		p->fails = next_count(r, UINT32_MAX);
		if (n_args)
			p->in_flight = (int64_t)next_number(r);
		skip_words(r, n_args ? n_args - 1 : 0);
	}
}

int dm_parse_multipath_status(const char *params, struct dm_multipath *out)
{
	struct reader r = { .at = params };

	*out = (struct dm_multipath){ 0 };
	skip_words(&r, next_count(&r, 16)); /* queue_io and pg_init_count */
	skip_words(&r, next_count(&r, 16));
	out->n_groups = next_count(&r, DM_MAX_GROUPS);
	out->next_group = next_count(&r, DM_MAX_GROUPS);
	for (uint32_t i = 0; i < out->n_groups && !r.bad; i++)
		status_group(&r, out, i);
	return outcome(&r);
}

uint32_t dm_active_paths(const struct dm_multipath *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n_paths; i++)
		n += !m->path[i].failed;
	return n;
}

/* The words before the groups are kept as they are. */
static const char *groups_of(const char *params)
{
	struct reader r = { .at = params };

	skip_words(&r, next_count(&r, 16));
	skip_words(&r, next_count(&r, 16));
	skip_words(&r, 2);
	return r.at;
}

int dm_with_selector(const char *params, const char *selector, uint64_t repeat, struct strbuf *out)
{
	bool weighted = !strcmp(selector, "service-time");
	struct dm_multipath m;
	int ret = dm_parse_multipath_table(params, &m);

	if (ret)
		return ret;
	strbuf_add(out, params, (size_t)(groups_of(params) - params));
	for (uint32_t g = 0, p = 0; g < m.n_groups; g++) {
		strbuf_printf(out, " %s 0 %u %d", selector, m.group[g].n_paths, weighted ? 2 : 1);
		for (uint32_t i = 0; i < m.group[g].n_paths; i++, p++)
			strbuf_printf(out, " %s %llu%s", m.path[p].dev, (unsigned long long)repeat, weighted ? " 1" : "");
	}
	return out->failed ? -ENOMEM : 0;
}

/* ---- switch ---- */

int dm_parse_switch_table(const struct dm_line *line, struct dm_switch *out)
{
	struct reader r = { .at = line->params };

	out->n_paths = next_count(&r, DM_MAX_PATHS);
	out->region_sectors = next_number(&r);
	skip_words(&r, next_count(&r, 8));
	for (uint32_t i = 0; i < out->n_paths && !r.bad; i++)
		skip_words(&r, 2);
	if (!out->n_paths || !out->region_sectors)
		r.bad = true;
	out->n_regions = r.bad ? 0 : (line->length + out->region_sectors - 1) / out->region_sectors;
	return outcome(&r);
}

/* All numbers are hexadecimal; "Rn,m" goes on for m regions with the last n. */
void dm_switch_message(const struct dm_switch *s, const uint32_t *path, uint32_t n, struct strbuf *out)
{
	strbuf_puts(out, "set_region_mappings");
	for (uint32_t i = 0; i < n && i < s->n_regions; i++)
		strbuf_printf(out, i ? " :%x" : " 0:%x", path[i]);
	if (s->n_regions > n)
		strbuf_printf(out, " R%x,%llx", n, (unsigned long long)(s->n_regions - n));
}
