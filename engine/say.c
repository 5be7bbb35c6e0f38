/* Quote and suggest in error texts. */
#include "say.h"

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"

char *say(char buf[SAY_ROOM], const char *text)
{
	size_t n = text_clean(buf, SAY_ROOM, text, 0);

	/* Cleaning never lengthens a text, so one that fills the buffer was cut. */
	if (n + 4 >= SAY_ROOM) {
		text_clean(buf, SAY_ROOM - 4, text, 0);
		strcat(buf, "...");
	}
	return buf;
}

static void list_names(struct strbuf *list, const char *const *names, size_t n_names)
{
	for (size_t i = 0; i < n_names; i++)
		strbuf_printf(list, "%s%s", i ? " " : "", names[i]);
}

int say_unknown(struct err *err, const char *what, const char *word, const char *const *names,
		size_t n_names)
{
	const char *nearest = text_nearest(word, names, n_names);
	struct strbuf list = { 0 };
	char shown[SAY_ROOM];

	say(shown, word);
	if (nearest)
		return err_set(err, -ENOENT, "unknown %s '%s' (nearest: %s)", what, shown, nearest);
	list_names(&list, names, n_names);
	if (list.text && *list.text)
		err_set(err, -ENOENT, "unknown %s '%s' (one of: %s)", what, shown, list.text);
	else
		err_set(err, -ENOENT, "unknown %s '%s'", what, shown);
	strbuf_release(&list);
	return -ENOENT;
}
