/* `check` and `presets`: what there is to run, and what it would do. */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "batch.h"

void batch_complain(const char *text)
{
	char shown[sizeof(((struct err *)0)->text)];

	text_clean(shown, sizeof(shown), text, 0);
	fprintf(stderr, "iodeck: %s\n", shown);
}

/* Print and release. False when memory or stdout failed. */
static bool print_out(struct strbuf *out)
{
	bool good = !out->failed && (!out->length || fwrite(out->text, out->length, 1, stdout) == 1);

	strbuf_release(out);
	return good && !fflush(stdout) && !ferror(stdout);
}

static int lost_output(void)
{
	batch_complain("output was lost");
	return EXIT_FAILED;
}

static int check_one(const struct options *o, const char *word)
{
	struct strbuf out = { 0 };
	struct spec *spec;
	struct err err;
	int code = options_load(o, word, &spec, NULL, &err);

	if (code) {
		batch_complain(err.text);
		return code;
	}
	spec_describe(spec, &out);
	spec_free(spec);
	return print_out(&out) ? EXIT_DONE : lost_output();
}

int batch_check(const struct options *o)
{
	int worst = EXIT_DONE;

	if (o->keys) {
		struct strbuf out = { 0 };

		config_describe_keys(&out);
		if (!print_out(&out))
			worst = lost_output();
	}
	for (uint32_t i = 0; i < o->n_words; i++) {
		if (i || o->keys)
			putchar('\n');
		int code = check_one(o, o->word[i]);

		if (code > worst)
			worst = code;
	}
	return worst;
}

int batch_presets(const struct options *o)
{
	struct preset_entry *list = NULL;
	struct strbuf out = { 0 };
	uint32_t n = 0;
	struct err err;

	if (preset_list(&o->dirs, &list, &n, &err)) {
		batch_complain(err.text);
		return EXIT_FAILED;
	}
	for (uint32_t i = 0; i < n; i++) {
		char name[SPEC_NAME], question[SPEC_TEXT];

		text_clean(name, sizeof(name), list[i].name, 0);
		text_clean(question, sizeof(question),
			   list[i].question ? list[i].question : "(cannot be read; see check)", 0);
		strbuf_printf(&out, "%-20s %s\n", name, question);
	}
	preset_list_free(list, n);
	if (!n)
		batch_complain("no presets found");
	return print_out(&out) ? EXIT_DONE : lost_output();
}
