/* Samples of the kernel's texts, and cutting them. */
#ifndef IODECK_TEST_FIXTURE_H
#define IODECK_TEST_FIXTURE_H

#include <stddef.h>

/* The whole file tests/fixtures/NAME, with a NUL behind it; free it. Fails the test when there is none. */
char *fixture(const char *name, size_t *length);

/* Call `check` with every prefix of the text, each in memory of exactly its size so that a sanitizer sees what is read beyond. `whole`: the text itself. */
void every_cut(const char *text, size_t length, void (*check)(const char *cut, size_t n, const char *whole, size_t length));

#endif
