/* The commands without a screen. Each returns the exit status of the program. */
#ifndef IODECK_BATCH_H
#define IODECK_BATCH_H

#include "options.h"

/* Print a message on stderr, harmless whatever it quotes. */
void batch_complain(const char *text);

/* Play the steps of o->word[0]; table, JSON, CSV. */
int batch_run(const struct options *o);
/* Read, validate and describe each word; with o->keys list all sections and keys. */
int batch_check(const struct options *o);
/* List the presets found. */
int batch_presets(const struct options *o);

#endif
