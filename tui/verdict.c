#include "verdict.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* The unit of a figure that is no ratio: of the clocks microseconds, of elapsed and cpu seconds (expect.h), else none. */
static const char *unit_of(const struct expect *e)
{
	if (e->term.what != EXPECT_FIGURE || e->term.has_vs)
		return "";
	for (int m = 0; m < N_METRICS; m++) {
		size_t n = strlen(metric_names[m]);

		if (!strncmp(e->text, metric_names[m], n) && e->text[n] == '.')
			return "us";
	}
	return !strncmp(e->text, "elapsed", 7) || !strncmp(e->text, "cpu.", 4) ? "s" : "";
}

char *verdict_text(const struct expect *e, bool known, double value, const char *word, char *buf, size_t room)
{
	const char *unit = unit_of(e);
	char ms[16];

	if (known && word)
		text_format(buf, room, "%s", word);
	else if (!known || !isfinite(value))
		text_format(buf, room, "-");
	else if (e->term.what == EXPECT_LARGEST)
		text_format(buf, room, "%.0fus..", value); /* lower edge of the bucket */
	else if (!strcmp(unit, "us"))
		text_format(buf, room, "%sms", units_format_ms(ms, sizeof(ms), value * 1e3));
	else
		text_format(buf, room, fabs(value) >= 1000 ? "%.0f%s" : "%.4g%s", value, unit);
	return buf;
}
