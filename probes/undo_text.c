/* Lines of tab-separated fields; the last field is a sum over the rest, so that a torn or damaged line shows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "undo.h"

const char *const setting_kind_names[N_SETTING_KINDS] = {
	[SETTING_PLAIN] = "plain",	 [SETTING_CHOICE] = "choice",	[SETTING_MD_SPEED] = "md-speed", [SETTING_MD_FROZEN] = "md-frozen",
	[SETTING_DM_TABLE] = "dm-table", [SETTING_DM_PATH] = "dm-path", [SETTING_DM_MAP] = "dm-map",
	[SETTING_DM_STATS] = "dm-stats",
};

static const char head[] = "iodeck-undo-1";

enum { FIELDS = 6, FIELD_ROOM = SETTING_VALUE };

/* ---- writing ---- */

static uint32_t sum_of(const char *text, size_t n)
{
	uint32_t sum = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < n; i++)
		sum = (sum ^ (unsigned char)text[i]) * 16777619u;
	return sum;
}

/* Tabs, newlines and percents as %XX. */
static void put_field(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == '%' || *text == 127)
			strbuf_printf(out, "%%%02X", (unsigned char)*text);
		else
			strbuf_add(out, text, 1);
	}
	strbuf_puts(out, "\t");
}

static void put_line(struct strbuf *out, const char *const *field, int n)
{
	size_t from = out->length;

	for (int i = 0; i < n; i++)
		put_field(out, field[i]);
	if (!out->failed)
		strbuf_printf(out, "%08x\n", sum_of(out->text + from, out->length - from));
}

void undo_put_head(struct strbuf *out) { put_line(out, (const char *const[]){ head }, 1); }

void undo_put_want(struct strbuf *out, const struct undo_entry *e)
{
	const struct setting *s = &e->setting;

	put_line(out, (const char *const[]){ "want", setting_kind_names[s->kind], s->object, s->identity, s->value, e->asked }, 6);
}

void undo_put_did(struct strbuf *out, const struct undo_entry *e)
{
	put_line(out, (const char *const[]){ "did", setting_kind_names[e->setting.kind], e->setting.object, e->effect }, 4);
}

void undo_put_back(struct strbuf *out, const struct undo_entry *e)
{
	put_line(out, (const char *const[]){ "back", setting_kind_names[e->setting.kind], e->setting.object }, 3);
}

/* ---- reading ---- */

struct record {
	int n;
	char field[FIELDS][FIELD_ROOM];
};

/* One field up to its tab. Returns what follows, NULL when there is no tab or it does not fit. */
static const char *take_field(const char *at, const char *end, char *out)
{
	size_t n = 0;

	for (; at < end && *at != '\t'; at++) {
		unsigned value = (unsigned char)*at;

		if (*at == '%' && (end - at < 3 || sscanf(at + 1, "%2x", &value) != 1))
			return NULL;
		at += *at == '%' ? 2 : 0;
		if (n + 1 >= FIELD_ROOM)
			return NULL;
		out[n++] = (char)value;
	}
	out[n] = '\0';
	return at < end ? at + 1 : NULL;
}

/* A line without its newline; false when its sum is wrong. */
static bool take_line(const char *line, const char *end, struct record *r)
{
	const char *tail = end - 8;
	unsigned sum;
	char digits[9];

	r->n = 0;
	if (end - line < 9 || tail[-1] != '\t')
		return false;
	text_format(digits, sizeof(digits), "%.8s", tail);
	if (strspn(digits, "0123456789abcdef") != 8 || sscanf(digits, "%8x", &sum) != 1 || sum != sum_of(line, (size_t)(tail - line)))
		return false;
	while (line && line < tail && r->n < FIELDS)
		line = take_field(line, tail, r->field[r->n++]);
	return line == tail;
}

static int kind_of(const char *name)
{
	for (int i = 0; i < N_SETTING_KINDS; i++)
		if (!strcmp(setting_kind_names[i], name))
			return i;
	return -1;
}

static struct undo_entry *find(struct undo_log *log, int kind, const char *object)
{
	for (uint32_t i = log->n; i-- > 0;)
		if ((int)log->entry[i].setting.kind == kind && !strcmp(log->entry[i].setting.object, object))
			return &log->entry[i];
	return NULL;
}

static bool take_want(struct undo_log *log, const struct record *r, int kind, struct undo_entry *e)
{
	if (r->n != 6)
		return false;
	if (!e || e->back) {
		if (log->n == UNDO_MAX)
			return false;
		e = &log->entry[log->n++];
		*e = (struct undo_entry){ .setting.kind = (enum setting_kind)kind };
		text_format(e->setting.object, sizeof(e->setting.object), "%s", r->field[2]);
		text_format(e->setting.identity, sizeof(e->setting.identity), "%s", r->field[3]);
		text_format(e->setting.value, sizeof(e->setting.value), "%s", r->field[4]);
	}
	text_format(e->asked, sizeof(e->asked), "%s", r->field[5]);
	e->wrote = false;
	return true;
}

static bool take_record(struct undo_log *log, const struct record *r)
{
	int kind = r->n >= 3 ? kind_of(r->field[1]) : -1;
	struct undo_entry *e = kind < 0 ? NULL : find(log, kind, r->field[2]);

	if (kind < 0)
		return false;
	if (!strcmp(r->field[0], "want"))
		return take_want(log, r, kind, e);
	if (!e)
		return false;
	if (!strcmp(r->field[0], "did") && r->n == 4) {
		text_format(e->effect, sizeof(e->effect), "%s", r->field[3]);
		e->wrote = true;
		return true;
	}
	e->back = !strcmp(r->field[0], "back");
	return e->back;
}

static int parse_lines(const char *text, const char *end, struct record *r, struct undo_log *out, struct err *err)
{
	for (int number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		bool good;

		if (!newline)
			return 0; /* torn: the write it announces was never made */
		good = take_line(text, newline, r);
		if (good && number == 1)
			good = r->n == 1 && !strcmp(r->field[0], head);
		else if (good)
			good = take_record(out, r);
		if (!good)
			return err_set(err, -EBADMSG, "the undo journal is damaged in line %d", number);
		text = newline + 1;
	}
	return 0;
}

int undo_parse(const char *text, size_t n, struct undo_log *out, struct err *err)
{
	struct record *r = malloc(sizeof(*r));
	int ret;

	*out = (struct undo_log){ .entry = calloc(UNDO_MAX, sizeof(*out->entry)) };
	ret = r && out->entry ? parse_lines(text, text + n, r, out, err) : err_set(err, -ENOMEM, "out of memory");
	free(r);
	return ret;
}

void undo_log_release(struct undo_log *log)
{
	free(log->entry);
	*log = (struct undo_log){ 0 };
}
