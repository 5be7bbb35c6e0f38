/* A grid against a file: its text, and below it a plane with one letter a cell for the role.
 * UPDATE=1 rewrites the file. Tests run in the top folder. */
#ifndef IODECK_GOLDEN_H
#define IODECK_GOLDEN_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "canvas.h"
#include "shot.h"
#include "style.h"

/* Text, axis, now, device, before, ok, warning, failed, changed, title. */
static const char golden_letters[] = " anDbo~!XT";

static void golden_write(const struct canvas *c, struct strbuf *out)
{
	strbuf_printf(out, "%dx%d %s\n", c->columns, c->rows, glyphs_names[c->glyphs]);
	shot_text(c, out);
	strbuf_puts(out, "roles\n");
	for (int row = 0; row < c->rows; row++) {
		char line[CANVAS_MAX_COLUMNS + 1] = "";
		int end = c->columns;

		for (int i = 0; i < c->columns; i++)
			line[i] = golden_letters[canvas_at(c, row, i)->role];
		while (end && line[end - 1] == ' ')
			end--;
		strbuf_add(out, line, (size_t)end);
		strbuf_puts(out, "\n");
	}
}

static char *golden_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (f && text)
		text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
	if (f)
		fclose(f);
	return text;
}

static void golden_check(struct strbuf *now, const char *name)
{
	char path[256], *want;

	snprintf(path, sizeof(path), "tests/screens/golden/%s.txt", name);
	if (getenv("UPDATE")) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		fwrite(now->text, 1, now->length, f);
		fclose(f);
	}
	want = golden_read(path);
	if (strcmp(want, now->text))
		fail_msg("%s differs (UPDATE=1 rewrites it); now it is:\n%s", path, now->text);
	free(want);
	strbuf_release(now);
}

static __attribute__((unused)) void golden_compare(const struct canvas *c, const char *name)
{
	struct strbuf now = { 0 };

	golden_write(c, &now);
	golden_check(&now, name);
}

/* The same with how each role on it looks in a colour scheme: attributes, then the colour's number. */
static __attribute__((unused)) void golden_compare_in(const struct canvas *c, enum colours colours,
						      const char *name)
{
	struct strbuf now = { 0 };

	golden_write(c, &now);
	strbuf_printf(&now, "looks %s\n", colours_names[colours]);
	for (int role = 0; role < N_ROLES; role++) {
		const struct style *look = &style_table[colours][role];

		strbuf_printf(&now, "%c%s%s%s", golden_letters[role], look->attrs & STYLE_BOLD ? " bold" : "",
			      look->attrs & STYLE_DIM ? " dim" : "",
			      look->attrs & STYLE_REVERSE ? " reverse" : "");
		if (look->colour >= 0)
			strbuf_printf(&now, " %d", look->colour);
		strbuf_puts(&now, "\n");
	}
	golden_check(&now, name);
}

#endif
