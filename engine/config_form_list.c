/* Keys that are lists: LUNs, paths, knobs. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "config_form.h"

bool list_next(const char **list, char *buf, size_t room)
{
	const char *p = *list;
	size_t n;

	if (!p)
		return false;
	p += strspn(p, " \t");
	n = strcspn(p, ",");
	*list = p[n] ? p + n + 1 : NULL;
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
		n--;
	text_format(buf, room, "%.*s", (int)n, p);
	return true;
}

/* "3" or "0..7". */
static int parse_lun_range(char *text, uint64_t *first, uint64_t *last, struct err *err)
{
	char *dots = strstr(text, "..");
	const char *why;
	int ret;

	if (dots)
		*dots = '\0';
	ret = units_parse_u64(text, first, &why);
	if (!ret)
		ret = units_parse_u64(dots ? dots + 2 : text, last, &why);
	if (ret)
		return err_set(err, ret, "a LUN %s (takes all, or a list such as 0..7,9)", why);
	if (*first > *last)
		return err_set(err, -EINVAL, "the range %s..%s runs backwards", text, dots + 2);
	if (*last >= SPEC_MAX_LUNS)
		return err_set(err, -ERANGE, "LUNs are 0..%d", SPEC_MAX_LUNS - 1);
	return 0;
}

static int mark_luns(bool *marked, uint64_t first, uint64_t last, struct err *err)
{
	for (uint64_t i = first; i <= last; i++) {
		if (marked[i])
			return err_set(err, -EINVAL, "LUN %u is named twice", (unsigned)i);
		marked[i] = true;
	}
	return 0;
}

static int parse_luns(const struct config_row *row, const char *text, void *field, struct err *err)
{
	struct lun_set *set = field;
	bool marked[SPEC_MAX_LUNS] = { false };
	char piece[SPEC_VALUE];
	const char *list = strcmp(text, "all") ? text : NULL;
	uint64_t first = 0, last = 0;

	(void)row;
	while (list_next(&list, piece, sizeof(piece))) {
		int ret = parse_lun_range(piece, &first, &last, err);

		if (!ret)
			ret = mark_luns(marked, first, last, err);
		if (ret)
			return ret;
	}
	set->n = 0;
	for (uint32_t i = 0; i < SPEC_MAX_LUNS; i++)
		if (marked[i])
			set->lun[set->n++] = (uint16_t)i;
	return 0;
}

/* Runs of neighbours as ranges. */
static void format_luns(const struct config_row *row, const void *field, char *buf, size_t room)
{
	const struct lun_set *set = field;
	size_t at = text_format(buf, room, "%s", set->n ? "" : "all");

	(void)row;
	for (uint32_t i = 0, end; i < set->n; i = end) {
		const char *comma = i ? "," : "";

		for (end = i + 1; end < set->n && set->lun[end] == set->lun[end - 1] + 1;)
			end++;
		if (end - i > 1)
			at += text_format(buf + at, room - at, "%s%u..%u", comma, set->lun[i],
					  set->lun[end - 1]);
		else
			at += text_format(buf + at, room - at, "%s%u", comma, set->lun[i]);
	}
}

const struct value_form form_luns = { "all, or a list such as 0..7,9", parse_luns, format_luns,
				      NULL };

/* Names of a list as bits; "none" is the empty list. */
static int parse_bits(const char *text, const char *const *names, size_t n_names, const char *what,
		      uint32_t *bits, struct err *err)
{
	uint32_t found = 0;
	const char *list = strcmp(text, "none") ? text : NULL;
	char piece[SPEC_VALUE];

	while (list_next(&list, piece, sizeof(piece))) {
		size_t i = 0;

		while (i < n_names && strcmp(names[i], piece))
			i++;
		if (i == n_names)
			return say_unknown(err, what, piece, names, n_names), -EINVAL;
		if (found & 1u << i)
			return err_set(err, -EINVAL, "'%s' is named twice", names[i]);
		found |= 1u << i;
	}
	*bits = found;
	return 0;
}

static void format_bits(uint32_t bits, const char *const *names, char *buf, size_t room)
{
	size_t at = text_format(buf, room, "%s", bits ? "" : "none");

	for (uint32_t i = 0; bits >> i; i++)
		if (bits >> i & 1)
			at += text_format(buf + at, room - at, "%s%s", at ? "," : "", names[i]);
}

static const char *const path_names[SPEC_MAX_PATHS] = {
	"p0",
	"p1",
	"p2",
	"p3",
	"p4",
	"p5",
	"p6",
	"p7",
	"p8",
	"p9",
	"p10",
	"p11",
	"p12",
	"p13",
	"p14",
	"p15",
};

static int parse_standby(const struct config_row *row, const char *text, void *field,
			 struct err *err)
{
	(void)row;
	return parse_bits(text, path_names, SPEC_MAX_PATHS, "path", field, err);
}

static void format_standby(const struct config_row *row, const void *field, char *buf, size_t room)
{
	(void)row;
	format_bits(*(const uint32_t *)field, path_names, buf, room);
}

const struct value_form form_standby = { "none, or path names such as p1,p2", parse_standby,
					 format_standby, NULL };

/* "2,1": a number per path, how many is checked when all keys are known. */
static int parse_weights(const struct config_row *row, const char *text, void *field,
			 struct err *err)
{
	struct weight_set set = { 0 };
	const char *list = strcmp(text, "equal") ? text : NULL, *why;
	char piece[SPEC_VALUE];
	uint64_t weight;

	while (list_next(&list, piece, sizeof(piece))) {
		int ret = units_parse_u64(piece, &weight, &why);

		if (ret)
			return err_set(err, ret, "a weight %s (takes equal, or a number per path such as 2,1)", why);
		if (weight < (uint64_t)row->min || weight > (uint64_t)row->max)
			return err_set(err, -ERANGE, "a weight is outside %d..%d", (int)row->min, (int)row->max);
		if (set.n == SPEC_MAX_PATHS)
			return err_set(err, -ERANGE, "has more than %d weights: one for each path", SPEC_MAX_PATHS);
		set.weight[set.n++] = (uint32_t)weight;
	}
	*(struct weight_set *)field = set;
	return 0;
}

static void format_weights(const struct config_row *row, const void *field, char *buf, size_t room)
{
	const struct weight_set *set = field;
	size_t at = text_format(buf, room, "%s", set->n ? "" : "equal");

	(void)row;
	for (uint32_t i = 0; i < set->n; i++)
		at += text_format(buf + at, room - at, "%s%u", i ? "," : "", set->weight[i]);
}

const struct value_form form_weights = { "equal, or a number per path such as 2,1", parse_weights,
					 format_weights, NULL };

static void knob_names(const char *names[N_KNOBS])
{
	for (size_t i = 0; i < N_KNOBS; i++)
		names[i] = knob_table[i].name;
}

static int parse_knobs(const struct config_row *row, const char *text, void *field, struct err *err)
{
	const char *names[N_KNOBS];

	(void)row;
	knob_names(names);
	return parse_bits(text, names, N_KNOBS, "knob", field, err);
}

static void format_knobs(const struct config_row *row, const void *field, char *buf, size_t room)
{
	const char *names[N_KNOBS];

	(void)row;
	knob_names(names);
	format_bits(*(const uint32_t *)field, names, buf, room);
}

const struct value_form form_knobs = { "none, or knobs such as qd,path", parse_knobs, format_knobs,
				       NULL };
