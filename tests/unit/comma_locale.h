/* Switch the program to a locale whose decimal point is a comma, if this machine has one. */
#ifndef TEST_COMMA_LOCALE_H
#define TEST_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>

/* To have one: localedef -i de_DE -f UTF-8 de_DE.UTF-8 (or into a folder named by LOCPATH). */
static inline bool use_comma_locale(void)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
					     "fr_FR", "ru_RU.UTF-8" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',')
			return true;
	setlocale(LC_ALL, "C");
	return false;
}

#endif
