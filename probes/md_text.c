#include "md_text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "words.h"

/* "loop2[2](F)" */
static bool take_member(struct words word, struct md_array *a)
{
	struct words name, slot;
	struct md_member m = { "", 0, 0 };

	if (!words_until(&word, '[', &name) || !words_until(&word, ']', &slot) || name.at == name.end || !words_to_i64(&slot, &m.slot))
		return false;
	words_copy(&name, m.name, sizeof(m.name));
	if (words_starts(&word, "(") && word.end - word.at >= 3)
		m.flag = word.at[1];
	if (a->n_members < MD_MAX_MEMBERS)
		a->member[a->n_members++] = m;
	return true;
}

/* "md0 : active (auto-read-only) raid1 loop1[1] loop0[0]" */
static bool take_array(struct words line, struct md_array *a)
{
	struct words word;

	*a = (struct md_array){ .percent = NAN, .finish_min = NAN, .done_kib = -1, .total_kib = -1, .speed_kib_s = -1, .disks = -1, .working = -1 };
	if (!words_next(&line, &word))
		return false;
	words_copy(&word, a->name, sizeof(a->name));
	if (!words_skip(&line, ":") || !words_next(&line, &word))
		return false;
	words_copy(&word, a->state, sizeof(a->state));
	while (words_next(&line, &word)) {
		if (*word.at == '(') {
			a->read_only = true;
		} else if (memchr(word.at, '[', (size_t)(word.end - word.at))) {
			if (!take_member(word, a))
				return false;
		} else if (!a->level[0]) {
			words_copy(&word, a->level, sizeof(a->level));
		}
	}
	return a->state[0] != '\0';
}

/* "97280 blocks super 1.2 [2/1] [U_]" */
static bool take_size(struct words line, struct md_array *a)
{
	struct words word, inner;

	if (!words_u64(&line, &a->blocks) || !words_skip(&line, "blocks"))
		return false;
	while (words_next(&line, &word)) {
		if (*word.at != '[')
			continue;
		if (word.end - word.at < 2 || word.end[-1] != ']')
			return false;
		inner = (struct words){ word.at + 1, word.end - 1 };
		struct words disks;

		if (words_until(&inner, '/', &disks)) {
			if (!words_to_i64(&disks, &a->disks) || !words_to_i64(&inner, &a->working))
				return false;
		} else {
			words_copy(&inner, a->up, sizeof(a->up));
		}
	}
	return true;
}

/* "recovery = 18.8% (18432/97280) finish=0.0min speed=18432K/sec", behind the bar. */
static bool take_progress(struct words line, struct md_array *a)
{
	struct words word;

	if (!words_next(&line, &word))
		return false;
	words_copy(&word, a->action, sizeof(a->action));
	if (!words_skip(&line, "=") || !words_until(&line, '%', &word))
		return false;
	word = words_trim(word);
	return words_to_real(&word, &a->percent) && words_skip(&line, "(") && words_until(&line, '/', &word) && words_to_i64(&word, &a->done_kib) &&
	       words_until(&line, ')', &word) && words_to_i64(&word, &a->total_kib) && words_skip(&line, "finish=") &&
	       words_until(&line, 'm', &word) && words_to_real(&word, &a->finish_min) && words_skip(&line, "in") &&
	       words_skip(&line, "speed=") && words_until(&line, 'K', &word) && words_to_i64(&word, &a->speed_kib_s);
}

/* "resync=DELAYED" */
static bool take_waiting(struct words line, struct md_array *a)
{
	struct words action;

	if (!words_until(&line, '=', &action))
		return false;
	words_copy(&action, a->action, sizeof(a->action));
	words_copy(&line, a->waiting, sizeof(a->waiting));
	return a->waiting[0] != '\0';
}

/* A line below the first of an array. Those of bitmaps and of what is not known here are passed over. */
static bool take_detail(struct words line, struct md_array *a)
{
	struct words rest = words_trim(line), bar, trial = rest;
	uint64_t blocks;

	if (words_empty(&rest))
		return true;
	if (words_starts(&rest, "[") && words_until(&rest, ']', &bar))
		return take_progress(rest, a);
	if (words_starts(&rest, "resync=") || words_starts(&rest, "recover=") || words_starts(&rest, "reshape=") || words_starts(&rest, "check="))
		return take_waiting(rest, a);
	if (words_u64(&trial, &blocks) && words_skip(&trial, "blocks"))
		return take_size(rest, a);
	return true;
}

int md_parse_mdstat(const char *text, size_t length, struct md_array *out, uint32_t room)
{
	struct words rest = words_of(text, length), line;
	struct md_array scratch, *a = NULL;
	uint32_t n = 0;
	bool ended = false;

	if (!words_line(&rest, &line) || !words_starts(&line, "Personalities :"))
		return -EINVAL;
	while (words_line(&rest, &line)) {
		struct words trial = line, word;

		if (words_starts(&line, "unused devices:")) {
			ended = true;
		} else if (words_starts(&line, " ") || words_starts(&line, "\t")) {
			if (a && !take_detail(line, a))
				return -EINVAL;
		} else if (words_next(&trial, &word) && words_skip(&trial, ":")) {
			a = n < room ? &out[n] : &scratch;
			if (!take_array(line, a))
				return -EINVAL;
			n += n < room;
		}
	}
	/* its last line tells that nothing is missing */
	return ended && words_empty(&rest) ? (int)n : -EINVAL;
}

int md_parse_speed(const char *text, size_t length, int64_t *kib, bool *local)
{
	struct words rest = words_of(text, length), line, word;

	*local = false;
	*kib = -1;
	if (!words_line(&rest, &line) || !words_next(&line, &word))
		return -EINVAL;
	if (words_is(&word, "none") || words_is(&word, "max"))
		return 0;
	if (!words_to_i64(&word, kib) || *kib < 0)
		return -EINVAL;
	*local = words_skip(&line, "(local)");
	return 0;
}
