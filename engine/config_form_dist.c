/* Keys that are a word with a number: path policies, distributions, and the rate, which changes the
 * kind. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "config_form.h"

enum { MAX_ERLANG = 64 }; /* rng_draw */

/* ---- path policy ---- */

static int parse_path(const struct config_row *row, const char *text, void *field, struct err *err)
{
	struct path_choice *choice = field;
	int64_t value;
	int ret = knob_parse((struct knob_ref){ .id = KNOB_PATH }, text, &value, err);

	(void)row;
	if (!ret)
		*choice = (struct path_choice){ .policy = (enum path_policy)(value >> 32),
						.n = (uint32_t)value };
	return ret;
}

static void format_path(const struct config_row *row, const void *field, char *buf, size_t room)
{
	const struct path_choice *choice = field;

	(void)row;
	knob_format((struct knob_ref){ .id = KNOB_PATH }, (int64_t)choice->policy << 32 | choice->n,
		    buf, room);
}

const struct value_form form_path = { "a path policy", parse_path, format_path, NULL };

/* ---- "NAME" or "NAME:NUMBER" ---- */

/* The text behind "NAME:", or NULL when the text does not begin so. */
static const char *behind(const char *text, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(text, name, n) && text[n] == ':' ? text + n + 1 : NULL;
}

static int parse_erlang(const char *text, uint32_t *shape, struct err *err)
{
	const char *why;
	uint64_t k;
	int ret = units_parse_u64(text, &k, &why);

	if (ret)
		return err_set(err, ret, "the number behind 'erlang:' %s", why);
	if (k < 1 || k > MAX_ERLANG)
		return err_set(err, -ERANGE, "the number behind 'erlang:' is outside 1..%d",
			       MAX_ERLANG);
	*shape = (uint32_t)k;
	return 0;
}

static int parse_think_dist(const struct config_row *row, const char *text, void *field,
			    struct err *err)
{
	static const char *const names[] = { "const", "exp", "erlang:K" };
	struct dist *dist = field;

	(void)row;
	for (uint32_t shape = 0; shape < 2; shape++)
		if (!strcmp(text, names[shape]))
			return dist->shape = shape, 0;
	if (behind(text, "erlang"))
		return parse_erlang(behind(text, "erlang"), &dist->shape, err);
	say_unknown(err, "distribution", text, names, 3);
	return -EINVAL;
}

static void format_think_dist(const struct config_row *row, const void *field, char *buf,
			      size_t room)
{
	const struct dist *dist = field;

	(void)row;
	if (dist->shape > 1)
		text_format(buf, room, "erlang:%u", dist->shape);
	else
		text_format(buf, room, "%s", dist->shape ? "exp" : "const");
}

const struct value_form form_think_dist = { "const, exp or erlang:K", parse_think_dist,
					    format_think_dist, NULL };

enum { MAX_THETA = 10 };

static int parse_zipf(const char *text, struct job_spec *job, struct err *err)
{
	const char *why;
	double theta;
	int ret = units_parse_decimal(text, &theta, &why);

	if (ret)
		return err_set(err, ret, "the number behind 'zipf:' %s", why);
	if (theta <= 0 || theta > MAX_THETA)
		return err_set(err, -ERANGE,
			       "the number behind 'zipf:' must be above 0, at most %d", MAX_THETA);
	job->random = RANDOM_ZIPF;
	job->zipf_theta = theta;
	return 0;
}

static int parse_random(const struct config_row *row, const char *text, void *field,
			struct err *err)
{
	static const char *const names[] = { "random", "zipf:THETA" };
	struct job_spec *job = field;

	(void)row;
	if (behind(text, "zipf"))
		return parse_zipf(behind(text, "zipf"), job, err);
	if (!strcmp(text, names[0])) {
		job->random = RANDOM_UNIFORM;
		job->zipf_theta = 0;
		return 0;
	}
	say_unknown(err, "distribution", text, names, 2);
	return -EINVAL;
}

static void format_random(const struct config_row *row, const void *field, char *buf, size_t room)
{
	const struct job_spec *job = field;
	char theta[64];

	(void)row;
	if (job->random == RANDOM_UNIFORM) {
		text_format(buf, room, "random");
		return;
	}
	form_decimal.format(NULL, &job->zipf_theta, theta, sizeof(theta));
	text_format(buf, room, "zipf:%s", theta);
}

const struct value_form form_random = { "random or zipf:THETA", parse_random, format_random, NULL };

/* ---- a rate makes the job open ---- */

static int parse_rate(const struct config_row *row, const char *text, void *field, struct err *err)
{
	uint64_t rate;
	int ret = form_count64.parse(row, text, &rate, err);

	if (!ret)
		job_put_rate(field, rate);
	return ret;
}

static void format_rate(const struct config_row *row, const void *field, char *buf, size_t room)
{
	form_count64.format(row, &((const struct job_spec *)field)->arrival_iops, buf, room);
}

const struct value_form form_rate = { "a whole number", parse_rate, format_rate, format_number };
