/* Statistics of the device mapper: an independent measure of latency, made by the kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "dm.h"

/* Digits at `*at`, behind which one of `ends` (or the end) stands. */
static bool take_number(const char **at, const char *ends, uint64_t *value)
{
	size_t n = strspn(*at, "0123456789");
	char digits[24];

	if (!n || n >= sizeof(digits) || (!strchr(ends, (*at)[n]) && (*at)[n]))
		return false;
	memcpy(digits, *at, n);
	digits[n] = '\0';
	*at += n;
	return !units_parse_u64(digits, value, NULL);
}

/* Numbers with `between` between them, up to a blank or the end. */
static bool take_list(const char **at, char between, uint64_t *list, uint32_t *n)
{
	const char ends[] = { between, ' ', '\n', '\0' };

	for (*n = 0; *n < DM_MAX_BUCKETS; (*at)++) {
		if (!take_number(at, ends, &list[(*n)++]))
			return false;
		if (**at != between)
			return true;
	}
	return false;
}

/* "0: 0+65536 65536 iodeck aux precise_timestamps histogram:100000,1000000" */
int dm_parse_stats_list(const char *line, struct dm_stats *out)
{
	const char *at = line, *bounds = strstr(line, " histogram:");

	*out = (struct dm_stats){ 0 };
	if (!take_number(&at, ":", &out->id) || *at != ':')
		return -EINVAL;
	out->precise = strstr(line, " precise_timestamps") != NULL;
	if (!bounds)
		return 0;
	bounds += strlen(" histogram:");
	if (!take_list(&bounds, ',', out->bound, &out->n_bounds) || out->n_bounds == DM_MAX_BUCKETS)
		return -EINVAL;
	return 0;
}

/* "START+LENGTH", thirteen counters, and "h0:h1:..." when there is a histogram. */
int dm_parse_stats_print(const char *line, struct dm_stats *out)
{
	uint64_t counter[13];
	const char *at = strchr(line, ' ');

	for (int i = 0; i < 13; i++) {
		if (!at || *at != ' ')
			return -EINVAL;
		at++;
		if (!take_number(&at, " \n", &counter[i]))
			return -EINVAL;
	}
	out->reads = counter[0];
	out->writes = counter[4];
	out->read_time = counter[3]; /* 11 and 12 are how long any read, any write was under way */
	out->write_time = counter[7];
	out->n_buckets = 0;
	if (!out->n_bounds)
		return 0;
	if (*at++ != ' ' || !take_list(&at, ':', out->bucket, &out->n_buckets))
		return -EINVAL;
	return out->n_buckets == out->n_bounds + 1 ? 0 : -EINVAL;
}
