#include "system_text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "words.h"

/* The one line, without blanks around it. */
static bool one_line(const char *text, size_t length, struct words *line)
{
	struct words rest = words_of(text, length);

	if (!words_line(&rest, line) || !words_empty(&rest))
		return false;
	*line = words_trim(*line);
	return true;
}

int attr_parse_i64(const char *text, size_t length, int64_t *value)
{
	struct words line;

	return one_line(text, length, &line) && words_to_i64(&line, value) ? 0 : -EINVAL;
}

int attr_parse_hex(const char *text, size_t length, uint64_t *value)
{
	struct words line;

	return one_line(text, length, &line) && words_to_hex(&line, value) ? 0 : -EINVAL;
}

int attr_parse_text(const char *text, size_t length, char *out, size_t room)
{
	struct words line;

	if (!one_line(text, length, &line))
		return -EINVAL;
	words_copy(&line, out, room);
	return 0;
}

int attr_parse_choice(const char *text, size_t length, char *out, size_t room)
{
	struct words line, word, more;

	if (!one_line(text, length, &line))
		return -EINVAL;
	struct words in = line;

	if (words_until(&in, '[', &more)) {
		if (!words_until(&in, ']', &word))
			return -EINVAL;
	} else if (!words_next(&line, &word) || words_next(&line, &more)) {
		return -EINVAL;
	}
	words_copy(&word, out, room);
	return 0;
}

int attr_parse_timeout(const char *text, size_t length, int64_t *seconds)
{
	struct words line;

	if (!one_line(text, length, &line))
		return -EINVAL;
	if (words_is(&line, "off")) {
		*seconds = -1;
		return 0;
	}
	return words_to_i64(&line, seconds) && *seconds >= 0 ? 0 : -EINVAL;
}

int attr_parse_dev(const char *text, size_t length, uint32_t *major, uint32_t *minor)
{
	struct words line, word;
	uint64_t a, b;

	if (!one_line(text, length, &line) || !words_until(&line, ':', &word) || !words_to_u64(&word, &a) || !words_to_u64(&line, &b) ||
	    a > UINT32_MAX || b > UINT32_MAX)
		return -EINVAL;
	*major = (uint32_t)a;
	*minor = (uint32_t)b;
	return 0;
}

/* "some avg10=0.00 avg60=0.12 avg300=0.05 total=12345" */
static bool pressure_line(struct words line, double *avg10, double *avg60, double *avg300, uint64_t *total)
{
	static const char *const names[] = { "avg10=", "avg60=", "avg300=" };
	double *const out[] = { avg10, avg60, avg300 };
	struct words word;

	for (int i = 0; i < 3; i++)
		if (!words_skip(&line, names[i]) || !words_next(&line, &word) || !words_to_real(&word, out[i]))
			return false;
	return words_skip(&line, "total=") && words_u64(&line, total) && !words_next(&line, &word);
}

int pressure_parse(const char *text, size_t length, struct pressure_text *out)
{
	struct words rest = words_of(text, length), line;
	bool some = false;

	*out = (struct pressure_text){ .full10 = NAN, .full60 = NAN, .full300 = NAN };
	while (words_line(&rest, &line)) {
		if (words_skip(&line, "some ")) {
			some = pressure_line(line, &out->some10, &out->some60, &out->some300, &out->some_us);
			if (!some)
				return -EINVAL;
		} else if (words_skip(&line, "full ") &&
			   !pressure_line(line, &out->full10, &out->full60, &out->full300, &out->full_us)) {
			return -EINVAL;
		}
	}
	if (!some || !words_empty(&rest))
		return -EINVAL;
	out->known = true;
	return 0;
}

int cpu_parse(const char *text, size_t length, struct cpu_text *out)
{
	struct words rest = words_of(text, length), line;
	uint64_t f[8] = { 0 };
	struct words word;
	int n = 0;

	*out = (struct cpu_text){ 0 };
	if (!words_line(&rest, &line) || !words_skip(&line, "cpu "))
		return -EINVAL;
	while (n < 8 && words_next(&line, &word))
		if (!words_to_u64(&word, &f[n++]))
			return -EINVAL;
	if (n < 4)
		return -EINVAL;
	*out = (struct cpu_text){ true, f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7] };
	return 0;
}

static uint64_t busy_ticks(const struct cpu_text *c) { return c->user + c->nice + c->system + c->irq + c->softirq + c->steal; }

bool cpu_shares(const struct cpu_text *a, const struct cpu_text *b, double *busy, double *iowait)
{
	uint64_t was = busy_ticks(a), is = busy_ticks(b);
	/* idle and iowait may step back a little: the kernel says so (Documentation/filesystems/proc.rst) */
	uint64_t idle = b->idle > a->idle ? b->idle - a->idle : 0, wait = b->iowait > a->iowait ? b->iowait - a->iowait : 0;

	if (is < was || is - was + idle + wait == 0)
		return false;
	*busy = (double)(is - was) / (double)(is - was + idle + wait);
	*iowait = (double)wait / (double)(is - was + idle + wait);
	return true;
}
