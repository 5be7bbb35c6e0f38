/* [fault]: what goes wrong on purpose, in a preset and by command. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "preset_fill.h"

#define LONGEST_NS (INT64_C(3600) * 1000000000)

/* ---- one rule ---- */

static int put_share(double *share, const char *value, struct err *err)
{
	const char *why;

	if (units_parse_decimal(value, share, &why))
		return err_set(err, -EINVAL, "%s (a share, 0..1)", why);
	return *share >= 0 && *share <= 1 ? 0 : err_set(err, -EINVAL, "is outside 0..1 (a share of the requests)");
}

static int put_time(int64_t *ns, const char *value, struct err *err)
{
	const char *why;

	if (units_parse_time(value, ns, &why))
		return err_set(err, -EINVAL, "%s", why);
	return *ns >= 0 && *ns <= LONGEST_NS ? 0 : err_set(err, -EINVAL, "is outside 0..1h");
}

static int rule_errors(struct fault_rules *r, const char *value, struct err *err)
{
	return put_share(&r->errors, value, err);
}

static int rule_short(struct fault_rules *r, const char *value, struct err *err)
{
	return put_share(&r->shorts, value, err);
}

static int rule_range(struct fault_rules *r, const char *value, struct err *err)
{
	const char *dots = strstr(value, ".."), *why = "has no '..'";
	char begin[32];

	text_format(begin, sizeof(begin), "%.*s", dots ? (int)(dots - value) : 0, value);
	if (!dots || units_parse_size(begin, &r->range_begin, &why) || units_parse_size(dots + 2, &r->range_end, &why))
		return err_set(err, -EINVAL, "%s (a range of bytes such as 1m..2m)", why);
	return r->range_begin < r->range_end ? 0 : err_set(err, -EINVAL, "ends before it begins");
}

static int rule_delay(struct fault_rules *r, const char *value, struct err *err)
{
	return put_time(&r->delay_ns, value, err);
}

static int rule_stall(struct fault_rules *r, const char *value, struct err *err)
{
	return put_time(&r->stall_ns, value, err);
}

static const struct {
	const char *key;
	int (*put)(struct fault_rules *r, const char *value, struct err *err);
} rules[] = {
	{ "errors", rule_errors }, { "range", rule_range }, { "short", rule_short }, { "stall", rule_stall }, { "delay", rule_delay },
};

int fault_rule_put(struct fault_rules *r, const char *key, const char *value, struct err *err)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (!strcmp(rules[i].key, key))
			return rules[i].put(r, value, err);
	return err_set(err, -ENOENT, "there is no fault '%s'", key);
}

/* ---- the section ---- */

static int put_rule(struct fill *fill, const char *value)
{
	struct err why;
	int code = fault_rule_put(&fill->spec->fault, fill->place.key, value, &why);

	fill->spec->has_fault = true;
	return code ? preset_refuse(&fill->place, "%s", why.text) : 0;
}

static const struct preset_key fault_rows[] = {
	{ "errors", false, put_rule, "a share, 0..1", "0", "requests that fail with EIO" },
	{ "range", false, put_rule, "A..B, sizes", "all", "only requests that touch these bytes of their LUN" },
	{ "short", false, put_rule, "a share, 0..1", "0", "requests that move only half of their bytes" },
	{ "stall", false, put_rule, "a time, 0..1h", "0", "nothing comes back for so long from the start" },
	{ "delay", false, put_rule, "a time, 0..1h", "0", "added to each request" },
};
const struct preset_keys preset_fault_keys = { fault_rows, sizeof(fault_rows) / sizeof(fault_rows[0]) };

int fault_section_put(struct fill *fill, const struct walk_item *item)
{
	return preset_put(fill, &preset_fault_keys, item);
}
