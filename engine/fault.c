#include "fault.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "spec.h"

/* The words before and behind the name (NULL: a weight), and what the name begins and counts with. */
static const struct form {
	const char *before, *behind;
	char letter;
	uint32_t first;
	enum fault_kind kind;
} forms[] = {
	{"path", "down", 'p', 0, FAULT_PATH_DOWN}, {"path", "up", 'p', 0, FAULT_PATH_UP}, {"weight", NULL, 'p', 0, FAULT_PATH_WEIGHT},
	{"disk", "fail", 'd', 1, FAULT_DISK_FAIL},
	{"drop", "", 'd', 1, FAULT_DISK_DROP},     {"add", "", 'd', 1, FAULT_DISK_ADD},
};

static bool parse_name(const struct form *form, const char *name, uint32_t *index)
{
	uint64_t n;

	if (name[0] != form->letter || units_parse_u64(name + 1, &n, NULL) || n < form->first || n > 100000)
		return false;
	*index = (uint32_t)n - form->first;
	return true;
}

static bool parse_behind(const struct form *form, const char *word, uint32_t *weight)
{
	uint64_t n;

	if (form->behind)
		return !strcmp(word, form->behind);
	if (units_parse_u64(word, &n, NULL) || n < 1 || n > SPEC_MAX_WEIGHT)
		return false;
	*weight = (uint32_t)n;
	return true;
}

/* A rule of the [fault] section; tried on rules that nobody uses. */
static int parse_rule(const char *text, struct fault *f, struct err *err)
{
	struct fault_rules tried = {.errors = 0};
	int used = 0;

	if (sscanf(text, " %15s %47s %n", f->rule, f->value, &used) != 2 || text[used])
		return -ENOENT;
	int code = fault_rule_put(&tried, f->rule, f->value, err);
	f->kind = code ? FAULT_PATH_DOWN : FAULT_RULE;
	return code;
}

int fault_parse(const char *text, struct fault *f, struct err *err)
{
	char word[4][16] = {"", "", "", ""};
	int n = sscanf(text, " %15s %15s %15s %15s", word[0], word[1], word[2], word[3]);

	for (size_t i = 0; n > 0 && n < 4 && i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(word[0], forms[i].before) || !parse_name(&forms[i], word[1], &f->index) || !parse_behind(&forms[i], word[2], &f->weight))
			continue;
		f->kind = forms[i].kind;
		return 0;
	}
	if (parse_rule(text, f, err) != -ENOENT)
		return f->kind == FAULT_RULE ? 0 : -EINVAL;
	return err_set(err, -EINVAL, "fault '%s' is not understood: path pN down|up, weight pN 1..%d, disk dN fail, drop dN, add dN, "
		       "errors S, short S, range A..B, delay T, stall T", text, SPEC_MAX_WEIGHT);
}
