/* The colour schemes: what is told by colour is told by shape as well, colours are told apart by the colour-blind and read on
 * black and on white. */
#include "golden.h"

#include <math.h>

/* ---- colours as eyes see them ---- */

struct rgb {
	double r, g, b; /* linear, 0..1 */
};

/* IEC 61966-2-1. */
static double linear(double v) { return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4); }

/* The 256 colours of xterm: a cube of 6 levels from 16 on, greys from 232 on. */
static struct rgb xterm(int n)
{
	static const int level[] = { 0, 95, 135, 175, 215, 255 };
	int r, g, b;

	assert_in_range(n, 16, 255);
	if (n >= 232)
		r = g = b = 8 + 10 * (n - 232);
	else {
		r = level[(n - 16) / 36];
		g = level[(n - 16) / 6 % 6];
		b = level[(n - 16) % 6];
	}
	return (struct rgb){ linear(r / 255.0), linear(g / 255.0), linear(b / 255.0) };
}

static double clamp(double v) { return v < 0 ? 0 : v > 1 ? 1
							 : v; }

/* G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency
 * (2009), severity 1: protanopia, deuteranopia, tritanopia; the first is a normal eye. */
static const double eyes[][9] = {
	{ 1, 0, 0, 0, 1, 0, 0, 0, 1 },
	{ 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 },
	{ 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881 },
	{ 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900 },
};
enum { N_EYES = sizeof(eyes) / sizeof(eyes[0]) };

static struct rgb seen(struct rgb c, const double m[9])
{
	return (struct rgb){ clamp(m[0] * c.r + m[1] * c.g + m[2] * c.b), clamp(m[3] * c.r + m[4] * c.g + m[5] * c.b),
			     clamp(m[6] * c.r + m[7] * c.g + m[8] * c.b) };
}

static double f_lab(double t) { return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116; }

/* CIE L*a*b* under D65. */
static void lab(struct rgb c, double out[3])
{
	double x = f_lab((0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.95047);
	double y = f_lab(0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b);
	double z = f_lab((0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.08883);

	out[0] = 116 * y - 16;
	out[1] = 500 * (x - y);
	out[2] = 200 * (y - z);
}

/* The smallest distance of any two of four colours for an eye. */
static double smallest(const int colour[4], const double eye[9])
{
	double least = INFINITY, a[3], b[3];

	for (int i = 0; i < 4; i++)
		for (int k = 0; k < i; k++) {
			double distance;

			lab(seen(xterm(colour[i]), eye), a);
			lab(seen(xterm(colour[k]), eye), b);
			distance = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
			least = distance < least ? distance : least;
		}
	return least;
}

static void test_colour_blind(void **state)
{
	const struct style *safe = style_table[COLOURS_SAFE];
	const int ours[] = { safe[ROLE_NOW].colour, safe[ROLE_DEVICE].colour, safe[ROLE_FAILED].colour,
			     safe[ROLE_BEFORE].colour };
	static const int usual[] = { 33, 166, 162, 244 };

	(void)state;
	for (int eye = 0; eye < N_EYES; eye++)
		if (smallest(ours, eyes[eye]) < 18)
			fail_msg("eye %d: two colours are only %.1f apart", eye, smallest(ours, eyes[eye]));
	assert_true(smallest(usual, eyes[2]) < 10); /* a set that looks much the same to us does not pass */
}

/* WCAG 2: contrast of a mark against the ground. */
static double contrast(int colour, double ground)
{
	struct rgb c = xterm(colour);
	double y = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b, low = y < ground ? y : ground;

	return ((y + ground - low) + 0.05) / (low + 0.05);
}

static void test_light_and_dark_ground(void **state)
{
	(void)state;
	for (int role = 0; role < N_ROLES; role++) {
		int colour = style_table[COLOURS_SAFE][role].colour;

		if (colour < 0)
			continue;
		assert_true(contrast(colour, 1) > 2.8);
		assert_true(contrast(colour, 0) > 4);
	}
}

/* ---- without colour ---- */

static void test_text_has_no_colour(void **state)
{
	static const enum role texts[] = { ROLE_TEXT, ROLE_CHANGED, ROLE_TITLE };

	(void)state;
	for (int scheme = 0; scheme < N_COLOURS; scheme++)
		for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
			assert_int_equal(style_table[scheme][texts[i]].colour, -1);
	for (int role = 0; role < N_ROLES; role++)
		assert_int_equal(style_table[COLOURS_MONO][role].colour, -1);
}

/* What must catch the eye does so in every scheme; no red beside green (1 and 2, 9 and 10 of the 16). */
static void test_what_catches_the_eye(void **state)
{
	(void)state;
	for (int scheme = 0; scheme < N_COLOURS; scheme++) {
		const struct style *s = style_table[scheme];

		assert_true(s[ROLE_FAILED].attrs & STYLE_REVERSE);
		assert_true(s[ROLE_CHANGED].attrs & STYLE_REVERSE);
		assert_true(s[ROLE_TITLE].attrs & STYLE_REVERSE);
		assert_true(s[ROLE_WARN].attrs & STYLE_BOLD);
		assert_int_equal(s[ROLE_TEXT].attrs, 0);
		for (int role = 0; role < N_ROLES; role++)
			assert_true(s[role].colour != 1 && s[role].colour != 2 && s[role].colour != 9 &&
				    s[role].colour != 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_colour_blind),
		cmocka_unit_test(test_light_and_dark_ground),
		cmocka_unit_test(test_text_has_no_colour),
		cmocka_unit_test(test_what_catches_the_eye),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
