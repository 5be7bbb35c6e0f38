/* jsoncheck FILE          is it one valid document of schema "iodeck/1" with every key? Exit 0, or 1 with the reason.
 * jsoncheck FILE PATH     print the value at PATH: steps.0.name, steps.0.hist.total_us.# (# is the number of members).
 * jsoncheck FILE --sum K  print the sum of member K over all steps. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where, and what must stand there: s text, i whole number, r number, b boolean, o object, a array, z null; a second letter is an
 * alternative. `*` is every member; an array may be empty. */
struct rule {
	const char *path, *types;
};

static const struct rule rules[] = {
	{ "schema", "s" },
	{ "preset", "s" },
	{ "seed", "i" },
	{ "backend", "s" },
	{ "simulated", "b" },
	{ "steps", "a" },
	{ "steps.*.name", "s" },
	{ "steps.*.start_s", "r" },
	{ "steps.*.length_s", "r" },
	{ "steps.*.end", "s" },
	{ "steps.*.knobs.qd.asked", "i" },
	{ "steps.*.knobs.qd.in_effect", "i" },
	{ "steps.*.knobs.aliases.asked", "i" },
	{ "steps.*.knobs.path.asked", "s" },
	{ "steps.*.knobs.path.in_effect", "s" },
	{ "steps.*.knobs.power.asked", "iz" },
	{ "steps.*.knobs.iodepth.asked", "i" },
	{ "steps.*.knobs.jobs.asked", "i" },
	{ "steps.*.knobs.bs.asked", "i" },
	{ "steps.*.knobs.mix.asked", "i" },
	{ "steps.*.knobs.think.asked", "i" },
	{ "steps.*.knobs.rate.asked", "i" },
	{ "steps.*.requests", "i" },
	{ "steps.*.errors", "i" },
	{ "steps.*.errors_by.EIO", "i" },
	{ "steps.*.short", "i" },
	{ "steps.*.redecided", "i" },
	{ "steps.*.outstanding", "i" },
	{ "steps.*.iops", "rz" },
	{ "steps.*.bytes_per_s", "rz" },
	{ "steps.*.transactions_per_s", "rz" },
	{ "steps.*.elapsed_s", "rz" },
	{ "steps.*.cpu_s.sys", "rz" },
	{ "steps.*.cpu_s.user", "rz" },
	{ "steps.*.total_us.n", "i" },
	{ "steps.*.total_us.min", "rz" },
	{ "steps.*.total_us.mean", "rz" },
	{ "steps.*.total_us.p50", "rz" },
	{ "steps.*.total_us.p95", "rz" },
	{ "steps.*.total_us.p99", "rz" },
	{ "steps.*.total_us.p999", "rz" },
	{ "steps.*.total_us.max", "rz" },
	{ "steps.*.device_us.max", "rz" },
	{ "steps.*.wait_us.max", "rz" },
	{ "steps.*.response_us.max", "rz" },
	{ "steps.*.hist.total_us.*.0", "i" },
	{ "steps.*.hist.device_us.*.1", "i" },
	{ "steps.*.hist.wait_us.*.1", "i" },
	{ "steps.*.hist.response_us.*.1", "i" },
	{ "steps.*.paths.*.name", "s" },
	{ "steps.*.paths.*.state", "s" },
	{ "steps.*.paths.*.requests", "i" },
	{ "steps.*.paths.*.inflight", "i" },
	{ "steps.*.disks", "a" },
	{ "steps.*.forwarded_share", "rz" },
	{ "steps.*.gap_ms", "rz" },
	{ "steps.*.aliases_used.mean", "rz" },
	{ "steps.*.aliases_used.peak", "rz" },
	{ "steps.*.aliases_used.share", "rz" },
	{ "steps.*.rebalance", "zo" },
	{ "expect", "a" },
	{ "expect.*.step", "s" },
	{ "expect.*.text", "s" },
	{ "expect.*.value", "rz" },
	{ "expect.*.pass", "bz" },
	{ "notes.*", "s" },
};

static int is_type(const json_t *v, char type)
{
	switch (type) {
	case 's': return json_is_string(v);
	case 'i': return json_is_integer(v);
	case 'r': return json_is_number(v);
	case 'b': return json_is_boolean(v);
	case 'o': return json_is_object(v);
	case 'a': return json_is_array(v);
	case 'z': return json_is_null(v);
	}
	return 0;
}

static const json_t *member(const json_t *v, const char *key)
{
	return json_is_array(v) ? json_array_get(v, strtoul(key, NULL, 10)) : json_object_get(v, key);
}

/* Whether all that `path` reaches from `v` is of one of the types. */
static int follow(const json_t *v, const char *path, const char *types)
{
	char key[128];
	size_t n = strcspn(path, ".");
	const char *rest = path[n] ? path + n + 1 : path + n;

	if (!v)
		return 0;
	if (!*path)
		return is_type(v, types[0]) || (types[1] && is_type(v, types[1]));
	if (*path == '*') {
		for (size_t i = 0; i < json_array_size(v); i++) {
			if (!follow(json_array_get(v, i), rest, types))
				return 0;
		}
		return json_is_array(v);
	}
	if (n >= sizeof(key))
		return 0;
	memcpy(key, path, n);
	key[n] = '\0';
	return follow(member(v, key), rest, types);
}

static int check_rules(const json_t *doc)
{
	const char *schema = json_string_value(json_object_get(doc, "schema"));

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!follow(doc, rules[i].path, rules[i].types)) {
			printf("%s is missing or not of type %s\n", rules[i].path, rules[i].types);
			return 1;
		}
	}
	if (!schema || strcmp(schema, "iodeck/1")) {
		printf("the schema is not iodeck/1\n");
		return 1;
	}
	return 0;
}

/* The 32 rows of each histogram, with their edges, must hold as many values as were counted. */
static int check_hists(const json_t *doc)
{
	static const char *const metrics[] = { "total_us", "device_us", "wait_us", "response_us" };
	const json_t *steps = json_object_get(doc, "steps");

	for (size_t i = 0; i < json_array_size(steps) * 4; i++) {
		const json_t *step = json_array_get(steps, i / 4);
		const json_t *rows = json_object_get(json_object_get(step, "hist"), metrics[i % 4]);
		json_int_t n = json_integer_value(json_object_get(json_object_get(step, metrics[i % 4]), "n")), sum = 0;

		for (size_t k = 0; k < json_array_size(rows); k++) {
			const json_t *row = json_array_get(rows, k);

			if (json_integer_value(json_array_get(row, 0)) != (json_int_t)4 << k) {
				printf("row %zu of %s has a wrong edge\n", k, metrics[i % 4]);
				return 1;
			}
			sum += json_integer_value(json_array_get(row, 1));
		}
		if (json_array_size(rows) != 32 || sum != n) {
			printf("%s of step %zu: %zu rows with %lld values for n = %lld\n", metrics[i % 4], i / 4,
			       json_array_size(rows), (long long)sum, (long long)n);
			return 1;
		}
	}
	return 0;
}

static int print_path(const json_t *doc, char *path)
{
	const json_t *v = doc;

	for (char *key; v && (key = strsep(&path, "."));) {
		if (!strcmp(key, "#")) {
			printf("%zu\n", json_is_array(v) ? json_array_size(v) : json_object_size(v));
			return 0;
		}
		v = member(v, key);
	}
	if (!v)
		return 1;
	if (json_is_string(v))
		printf("%s\n", json_string_value(v));
	else
		json_dumpf(v, stdout, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)), putchar('\n');
	return 0;
}

static int print_sum(const json_t *doc, const char *key)
{
	const json_t *steps = json_object_get(doc, "steps");
	json_int_t sum = 0;

	for (size_t i = 0; i < json_array_size(steps); i++)
		sum += json_integer_value(json_object_get(json_array_get(steps, i), key));
	printf("%lld\n", (long long)sum);
	return 0;
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *doc = argc > 1 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
	int code = 1;

	if (argc < 2)
		printf("usage: jsoncheck FILE [PATH | --sum KEY]\n");
	else if (!doc)
		printf("%s:%d: %s\n", argv[1], error.line, error.text);
	else if (argc == 2)
		code = check_rules(doc) || check_hists(doc);
	else if (argc == 4 && !strcmp(argv[2], "--sum"))
		code = print_sum(doc, argv[3]);
	else
		code = print_path(doc, argv[2]);
	json_decref(doc);
	return code;
}
