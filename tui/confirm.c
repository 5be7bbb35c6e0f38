#include "confirm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Whether the guard would take the targets; its refusal in err. */
static int try_targets(const struct options *o, struct err *err)
{
	struct target_set *set = NULL;
	struct spec *spec = NULL;
	int code = options_load(o, o->word[0], &spec, NULL, err);

	if (!code)
		code = options_open_targets(o, spec, &set, err);
	target_close(set);
	spec_free(spec);
	return code;
}

/* One line from the terminal, without blanks around it; false at the end. */
static bool read_name(char *name, size_t room)
{
	if (!fgets(name, (int)room, stdin))
		return false;
	name[strcspn(name, "\n")] = '\0';
	return *name != '\0';
}

int confirm_writing(struct options *o, struct confirm *c)
{
	char shown[sizeof(((struct err *)0)->text)];
	struct err err;
	int code = 0;

	if (!o->permit.write || !o->n_words || !isatty(STDIN_FILENO))
		return 0;
	for (int i = 0; i < CONFIRM_NAMES; i++) {
		code = try_targets(o, &err);
		if (code != EXIT_REFUSED || !strstr(err.text, "--write="))
			return 0; /* what else is wrong is said when the deck opens it */
		text_clean(shown, sizeof(shown), err.text, 0);
		fprintf(stderr, "iodeck: %s\nType the missing name to go on, or Enter to leave: ", shown);
		if (!read_name(c->name[i], CONFIRM_ROOM) || o->permit.n_names == TARGET_MAX_NAMES)
			return EXIT_REFUSED;
		o->permit.name[o->permit.n_names++] = c->name[i];
	}
	return EXIT_REFUSED;
}
