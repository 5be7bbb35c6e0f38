/* The only file that knows jansson. A document is a jansson tree with a path of open objects and
 * arrays into it. */

#include "base/json.h"

#include <jansson.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
	DEEPEST = 32,
	DIGITS = 17, /* enough to get the same double back */
};

struct json {
	json_t *open[DEEPEST]; /* [0] is the root and owned; the others are parts of it */
	unsigned n_open;
	bool failed;
};

struct json *json_new(void)
{
	struct json *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->open[0] = json_object();
	j->n_open = 1;
	if (!j->open[0]) {
		free(j);
		return NULL;
	}
	return j;
}

void json_free(struct json *j)
{
	if (!j)
		return;
	json_decref(j->open[0]);
	free(j);
}

/* A clean copy, owned by the caller. Cleaning never makes a text longer. */
static char *clean_copy(const char *text)
{
	size_t room = strlen(text) + 1;
	char *copy = malloc(room);

	if (copy)
		text_clean(copy, room, text, 0);
	return copy;
}

static int put_member(json_t *object, const char *key, json_t *value)
{
	char *clean = key ? clean_copy(key) : NULL;
	int ret = clean ? json_object_set_new(object, clean, value) : -1;

	if (!clean)
		json_decref(value);
	free(clean);
	return ret;
}

/* Takes over `value`, which is NULL when memory was short. */
static void put(struct json *j, const char *key, json_t *value)
{
	json_t *into = j->open[j->n_open - 1];
	int ret = json_is_array(into) ? json_array_append_new(into, value) : put_member(into, key, value);

	j->failed |= ret != 0;
}

/* When this fails the document has failed; what follows goes to a wrong place, never to be seen. */
static void open_container(struct json *j, const char *key, json_t *container)
{
	if (j->failed || j->n_open == DEEPEST) {
		json_decref(container);
		j->failed = true;
		return;
	}
	put(j, key, container);
	if (!j->failed)
		j->open[j->n_open++] = container;
}

void json_open_object(struct json *j, const char *key)
{
	open_container(j, key, json_object());
}

void json_open_array(struct json *j, const char *key)
{
	open_container(j, key, json_array());
}

/* The root stays open until the document is freed. */
void json_close(struct json *j)
{
	if (j->n_open > 1)
		j->n_open--;
	else
		j->failed = true;
}

void json_put_int(struct json *j, const char *key, int64_t value)
{
	put(j, key, json_integer(value));
}

void json_put_real(struct json *j, const char *key, double value)
{
	put(j, key, isfinite(value) ? json_real(value) : json_null());
}

void json_put_bool(struct json *j, const char *key, bool value)
{
	put(j, key, json_boolean(value));
}

void json_put_null(struct json *j, const char *key)
{
	put(j, key, json_null());
}

void json_put_str(struct json *j, const char *key, const char *value)
{
	char *clean = clean_copy(value);

	put(j, key, clean ? json_string(clean) : NULL);
	free(clean);
}

/* jansson writes numbers with printf and puts the point back in place of the locale's own. */
int json_write(const struct json *j, FILE *f)
{
	if (j->failed)
		return -ENOMEM;
	if (json_dumpf(j->open[0], f, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(DIGITS)))
		return -EIO;
	return fputc('\n', f) == EOF || fflush(f) || ferror(f) ? -EIO : 0;
}
