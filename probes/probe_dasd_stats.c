/* DASD statistics: debugfs has one file for all, each disk, each base and alias; /proc has one for all. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "probes_private.h"
#include "words.h"

enum { NAMES = 512 };

/* Where debugfs is mounted: third word of a line of /proc/self/mounts. */
static void find_debugfs(struct probe_context *c, char *path, size_t room)
{
	int n = sysread_file(c->sys, "proc/self/mounts", c->text, PROBE_TEXT);
	struct words rest = words_of(c->text, n > 0 ? (size_t)n : 0), line, word, folder;

	text_format(path, room, "sys/kernel/debug");
	while (words_line(&rest, &line)) {
		if (words_next(&line, &word) && words_next(&line, &folder) && words_next(&line, &word) && words_is(&word, "debugfs") &&
		    folder.end - folder.at > 1) {
			folder.at++; /* its slash */
			words_copy(&folder, path, room);
			return;
		}
	}
}

static double share(const struct dasd_statistics *s)
{
	static const uint32_t both = 1u << DASD_REQUESTS | 1u << DASD_PAV;

	return (s->counters & both) == both && s->counter[DASD_REQUESTS] ? (double)s->counter[DASD_PAV] / (double)s->counter[DASD_REQUESTS] : NAN;
}

static void take_stats(struct probe_context *c, const char *name, const char *path,
		       enum source_state (*parse)(const char *, size_t, struct dasd_statistics *, const char **))
{
	const struct probe_dasd_stats *was = probe_find_stats(c->before, name);
	struct probe_dasd_stats *s;
	const char *why = "";
	int n;

	if (c->s->n_stats == PROBE_MAX_HISTOGRAMS)
		return;
	n = sysread_file(c->sys, path, c->text, PROBE_TEXT);
	if (sysread_state(n < 0 ? n : 0) == SOURCE_ABSENT)
		return; /* a device that went while we looked */
	s = &c->s->stats[c->s->n_stats++];
	text_format(s->name, sizeof(s->name), "%s", name);
	text_format(s->from, sizeof(s->from), "/%s", path);
	s->alias_share = NAN;
	if (n < 0) {
		s->source.state = sysread_state(n);
		text_format(s->source.reason, sizeof(s->source.reason), "%s", strerror(-n));
		return;
	}
	s->source.state = parse(c->text, (size_t)n, &s->now, &why);
	text_format(s->source.reason, sizeof(s->source.reason), "%s", why);
	if (s->source.state != SOURCE_OK)
		return;
	s->has_delta = was && was->source.state == SOURCE_OK && dasd_statistics_delta(&was->now, &s->now, &s->delta);
	s->alias_share = share(s->has_delta && s->delta.counter[DASD_REQUESTS] ? &s->delta : &s->now);
}

/* All first, then disks, then CCW devices. */
static int rank(const char *name) { return !strcmp(name, "global") ? 0 : strchr(name, '.') ? 2 : 1; }

void probe_dasd_stats_read(struct probe_context *c)
{
	char mount[128], folder[192], path[256], name[NAMES][SYSREAD_NAME];
	int n;

	find_debugfs(c, mount, sizeof(mount));
	text_format(folder, sizeof(folder), "%s/dasd", mount);
	n = sysread_dir(c->sys, folder, name, NAMES, NULL);
	for (int r = 0; r <= 2; r++) {
		/* keep a place for that of /proc */
		for (int i = 0; i < n && c->s->n_stats < PROBE_MAX_HISTOGRAMS - 1; i++) {
			if (rank(name[i]) != r)
				continue;
			text_format(path, sizeof(path), "%s/%s/statistics", folder, name[i]);
			take_stats(c, name[i], path, dasd_parse_debugfs);
		}
	}
	take_stats(c, "proc", "proc/dasd/statistics", dasd_parse_proc);
	if (!c->s->n_stats) {
		if (n == -EACCES || n == -EPERM)
			source_say(c, SOURCE_UNREADABLE, "/%s: %s (root may read it)", folder, strerror(-n));
		else
			source_say(c, SOURCE_ABSENT, "no DASD driver: neither /%s nor /proc/dasd/statistics", folder);
		return;
	}
	*c->source = c->s->stats[0].source;
	if (n < 0)
		source_say(c, c->s->stats[0].source.state, "%s%sno /%s: figures of all DASDs together only", c->s->stats[0].source.reason,
			   c->s->stats[0].source.reason[0] ? "; " : "", folder);
}
