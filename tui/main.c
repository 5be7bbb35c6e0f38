/* iodeck: which command, and what it is called with. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "batch.h"
#include "cli.h"
#include "deck.h"
#include "probe_main.h"
#include "undo_main.h"

#ifndef IODECK_VERSION
#define IODECK_VERSION "unknown"
#endif

/* One row per command; help and parser read the same rows. The first, without a name, is the deck. */
struct command_row {
	const char *name, *words, *what;
	unsigned bit;
	uint32_t min_words, max_words;
	int (*run)(const struct options *o);
	const char *more; /* end of its help, NULL: nothing to add */
};

static const struct command_row command_table[] = {
	{ NULL, "[PRESET[@STEP]]", "the deck; without PRESET the preset picker", ON_DECK, 0, 1, deck_main,
	  "The deck needs a terminal. Press ? in it for its keys.\n" },
	{ "run", "PRESET", "play the steps without a terminal; a table, JSON, CSV", ON_RUN, 1, 1, batch_run,
	  "SIGINT, SIGTERM and SIGHUP end the running step; everything is still written.\n"
	  "SIGUSR1 prints the state now.\n" },
	{ "check", "PRESET ...", "read and validate; print the plan and every value", ON_CHECK, 0,
	  OPTIONS_MAX_WORDS, batch_check, NULL },
	{ "presets", "", "list the presets found", ON_PRESETS, 0, 0, batch_presets, NULL },
	{ "probe", "", "what this machine has and does now; read only", ON_PROBE, 0, 0, probe_main,
	  "The first look only gives what the next is compared with: rates are of the interval, never since boot.\n" },
	{ "undo", "", "put back kernel settings an earlier run left changed", ON_UNDO, 0, 0, undo_main,
	  "What another program has changed since is left alone unless --force is given.\n" },
};
enum { N_COMMAND_ROWS = sizeof(command_table) / sizeof(command_table[0]) };

static const char exit_help[] =
	"Exit status: 0 done, 1 failed or output lost, 2 usage or preset, 3 refused,\n"
	"4 I/O errors, 5 an expectation was missed, 6 a device went away,\n128+n ended by signal n.\n";

static const char preset_help[] =
	"PRESET is a name (see 'iodeck presets') or, with a / or .ini at its end, a path.\n";

static const char *row_name(const struct command_row *row)
{
	return row->name ? row->name : "the deck";
}

static void print_usage_line(const struct command_row *row, struct strbuf *out)
{
	char left[48];

	text_format(left, sizeof(left), "iodeck%s%s%s%s", row->name ? " " : "", row->name ? row->name : "",
		    *row->words ? " " : "", row->words);
	strbuf_printf(out, "  %-24s %s\n", left, row->what);
}

/* Help of one command, or of all for the row without a name. */
static int print_help(const struct command_row *row)
{
	struct strbuf out = { 0 };

	strbuf_puts(&out, row->name ? "" : "iodeck - a console for storage experiments\n\n");
	for (size_t i = 0; i < N_COMMAND_ROWS; i++) {
		if (!row->name || row == &command_table[i])
			print_usage_line(&command_table[i], &out);
	}
	if (!row->name)
		strbuf_printf(&out, "  %-24s %s\n", "iodeck COMMAND --help", "the options of a command");
	strbuf_printf(&out, "\nOptions of %s:\n", row_name(row));
	options_help(row->bit, &out);
	if (!row->name)
		strbuf_printf(&out, "  %-20s %s\n", "--version", "print the version");
	strbuf_printf(&out, "\n%s%s%s", row->max_words ? preset_help : "", row->more ? row->more : "",
		      row->bit & (ON_DECK | ON_PRESETS | ON_UNDO) && row->name ? "" : exit_help);
	int code = out.failed || fputs(out.text, stdout) < 0 || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;

	strbuf_release(&out);
	return code;
}

static int print_version(void)
{
	return puts("iodeck " IODECK_VERSION) < 0 || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}

static int usage_error(const struct command_row *row, const char *text)
{
	char shown[sizeof(((struct err *)0)->text)];

	text_clean(shown, sizeof(shown), text, 0);
	fprintf(stderr, "iodeck: %s\nTry 'iodeck%s%s --help'.\n", shown, row->name ? " " : "",
		row->name ? row->name : "");
	return EXIT_USAGE;
}

static const struct command_row *find_command(const char *word)
{
	for (size_t i = 1; i < N_COMMAND_ROWS; i++) {
		if (!strcmp(command_table[i].name, word))
			return &command_table[i];
	}
	return NULL;
}

/* A first word that is no command may be a preset for the deck. When it is neither, both are offered. 0, or an exit status. */
static int check_deck_word(const struct options *o)
{
	const char *word = o->word[0], *names[N_COMMAND_ROWS], *near;
	char name[SPEC_NAME * 2], *path = NULL;
	struct err err, why;

	if (strchr(word, '/') || strchr(word, '.'))
		return 0;
	text_format(name, sizeof(name), "%.*s", (int)strcspn(word, "@"), word);
	int code = preset_find(&o->dirs, name, &path, &err);

	free(path);
	if (code != -ENOENT)
		return 0;
	for (size_t i = 1; i < N_COMMAND_ROWS; i++)
		names[i - 1] = command_table[i].name;
	near = text_nearest(word, names, N_COMMAND_ROWS - 1);
	err_set(&why, -ENOENT, "unknown command or preset '%s'%s%s%s", word, near ? " (nearest command: " : "",
		near ? near : "", near ? ")" : "");
	usage_error(&command_table[0], why.text);
	if (!near)
		fprintf(stderr, "iodeck: %s\n", err.text);
	return EXIT_USAGE;
}

/* Number of words as the command wants it. 0, or an exit status. */
static int check_words(const struct command_row *row, const struct options *o)
{
	struct err err;

	if (o->sysroot && o->kernel)
		return usage_error(row, "--kernel and --sysroot: nothing is ever written beside another root");
	if (o->n_words < row->min_words || (row->bit == ON_CHECK && !o->n_words && !o->keys)) {
		err_set(&err, -EINVAL, "%s needs a PRESET", row->name);
		return usage_error(row, err.text);
	}
	if (o->n_words > row->max_words && !row->name) {
		err_set(&err, -EINVAL, "unknown command '%s'", o->word[0]);
		return usage_error(row, err.text);
	}
	if (o->n_words > row->max_words) {
		err_set(&err, -EINVAL, "%s: '%s' is one word too many", row->name, o->word[row->max_words]);
		return usage_error(row, err.text);
	}
	return !row->name && o->n_words ? check_deck_word(o) : 0;
}

/* ---- where the presets are: found from the place of the executable, so a moved tree or a staged installation works ---- */

/* Folder of this executable in `dir`; empty when it cannot be told. */
static void own_folder(char *dir, size_t room)
{
	ssize_t n = readlink("/proc/self/exe", dir, room - 1);

	dir[n > 0 && (size_t)n < room - 1 ? n : 0] = '\0';
	char *slash = strrchr(dir, '/');

	if (slash)
		*slash = '\0';
}

/* `presets` beside the executable (the Makefile links it to those of the source tree), and PREFIX/share/iodeck/presets for PREFIX/bin. Both
 * given, NULL when there are none. */
static void find_dirs(char **build, char **install)
{
	char dir[4096 - sizeof("/../share/iodeck/presets")], path[4096];

	*build = *install = NULL;
	own_folder(dir, sizeof(dir));
	if (!*dir)
		return;
	text_format(path, sizeof(path), "%s/presets", dir);
	*build = realpath(path, NULL);
	text_format(path, sizeof(path), "%s/../share/iodeck/presets", dir);
	*install = realpath(path, NULL);
}

/* A closed 0, 1 or 2 would be given to the next file opened, and results would land in it. */
static void hold_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct ask ask = { 0 };
	struct err err;
	char *build, *install;

	hold_standard_files();
	setlocale(LC_CTYPE, ""); /* not LC_NUMERIC: numbers keep their point */
	const struct command_row *row = argc > 1 ? find_command(argv[1]) : NULL;
	int skip = row ? 2 : 1;

	if (!row)
		row = &command_table[0];
	int code = options_parse(argc - skip, argv + skip, row->bit, row_name(row), &o, &ask, &err);

	if (code)
		return usage_error(row, err.text);
	if (ask.help)
		return print_help(row);
	if (ask.version)
		return print_version();
	find_dirs(&build, &install);
	o.dirs = (struct preset_dirs){ .build = build, .install = install };
	code = check_words(row, &o);
	if (!code)
		code = row->run(&o);
	free(build);
	free(install);
	return code;
}
