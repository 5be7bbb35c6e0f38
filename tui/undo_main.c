#include "undo_main.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "undo.h"

static bool done(enum undo_result result) { return result == UNDO_RESTORED || result == UNDO_ALREADY || result == UNDO_GONE; }

/* Newest first: what was set later may rest on what was set before. Returns false when something is left. */
static bool put_all_back(struct undo *u, bool force)
{
	const struct undo_log *log = undo_entries(u);
	bool all = true;

	for (uint32_t i = log->n; i-- > 0;) {
		const struct undo_entry *e = &log->entry[i];
		char text[4096], clean[4096];

		if (e->back)
			continue;
		enum undo_result result = undo_restore("", e, force, text, sizeof(text));

		text_clean(clean, sizeof(clean), text, 0);
		printf("%s\n", clean);
		fflush(stdout); /* the next one may wait for its device */
		if (done(result))
			undo_back(u, &e->setting);
		all &= done(result);
	}
	return all;
}

int undo_main(const struct options *o)
{
	struct err err;
	int code;
	struct undo *u = undo_open(UNDO_FOLDER, true, &code, &err);

	if (!u) {
		fprintf(stderr, "iodeck: %s\n", err.text);
		return code == -EBUSY ? EXIT_REFUSED : EXIT_FAILED;
	}
	if (!undo_entries(u)->n)
		puts("nothing to undo: no run left settings of the kernel changed");
	bool all = put_all_back(u, o->force);

	undo_close(u);
	return all && !fflush(stdout) ? EXIT_DONE : EXIT_FAILED;
}
