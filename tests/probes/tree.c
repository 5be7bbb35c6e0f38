#include "tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"

static char root[256];

const char *tree_new(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(root, sizeof(root), "%s/tree.XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(root));
	return root;
}

const char *tree_path(void) { return root; }

void tree_remove(void)
{
	char command[320];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	assert_int_equal(system(command), 0);
}

static void make_folders(char *path)
{
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
}

void tree_put(const char *text, const char *fmt, ...)
{
	char path[600];
	va_list args;
	size_t n = (size_t)snprintf(path, sizeof(path), "%s/", root);

	va_start(args, fmt);
	vsnprintf(path + n, sizeof(path) - n, fmt, args);
	va_end(args);
	make_folders(path);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

void tree_link(const char *target, const char *path)
{
	char full[600];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	make_folders(full);
	assert_int_equal(symlink(target, full), 0);
}

int tree_recorded(const char *fixture_name, const char *from, const char *prefix, const char *folder)
{
	size_t length;
	char *text = fixture(fixture_name, &length), *save = NULL, *begin = from ? strstr(text, from) : text;
	int n = 0;

	assert_non_null(begin);
	for (char *line = strtok_r(begin, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *mode = strstr(line, " -r"), *value = strstr(line, " = "), name[128], content[512];

		if (from && line != begin && !strncmp(line, "--", 2))
			break;
		/* what could not be read was recorded as a message of cat */
		if (!mode || !value || strncmp(line, prefix, strlen(prefix)) || strstr(value, "cat: "))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(mode - line - (int)strlen(prefix)), line + strlen(prefix));
		snprintf(content, sizeof(content), "%s\n", value + 3);
		tree_put(content, "%s/%s", folder, name);
		n++;
	}
	free(text);
	return n;
}
