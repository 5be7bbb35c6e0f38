#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *fixture(const char *name, size_t *length)
{
	char path[256];
	char *text = malloc(1 << 20);
	FILE *f;

	snprintf(path, sizeof(path), "tests/fixtures/%s", name);
	f = fopen(path, "r");
	if (!f || !text)
		fail_msg("no fixture %s", path);
	*length = fread(text, 1, (1 << 20) - 1, f);
	text[*length] = '\0';
	fclose(f);
	return text;
}

void every_cut(const char *text, size_t length, void (*check)(const char *cut, size_t n, const char *whole, size_t length))
{
	for (size_t n = 0; n <= length; n++) {
		char *cut = malloc(n ? n : 1);

		assert_non_null(cut);
		memcpy(cut, text, n);
		check(cut, n, text, length);
		free(cut);
	}
}
