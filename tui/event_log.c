#include "event_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "figures.h"
#include "shot.h"

const char *const entry_kind_names[N_ENTRY_KINDS + 1] = { "knob", "settle", "path", "disk", "fault", "step",
							  "outside", "device", "mark", "note", "deck", "kernel", "refused", NULL };

void event_log_clear(struct event_log *l)
{
	l->begun = l->lost = l->last_act = 0;
	memset(l->told, 0, sizeof(l->told));
}

void event_log_release(struct event_log *l)
{
	free(l->entry);
	memset(l, 0, sizeof(*l));
}

uint64_t event_log_first(const struct event_log *l)
{
	return l->begun > ENTRIES_KEPT ? l->begun - ENTRIES_KEPT : 0;
}

static struct entry *slot(const struct event_log *l, uint64_t i) { return &l->entry[i % ENTRIES_KEPT]; }

const struct entry *event_log_at(const struct event_log *l, uint64_t i)
{
	return l->entry && i >= event_log_first(l) && i < l->begun ? slot(l, i) : NULL;
}

/* In the order of time: what is told late goes to its place. Without memory it is counted as lost. */
static struct entry *insert(struct event_log *l, const struct entry *e)
{
	uint64_t at = l->begun;

	if (!l->entry)
		l->entry = calloc(ENTRIES_KEPT, sizeof(*l->entry));
	if (!l->entry) {
		l->lost++;
		return NULL;
	}
	for (l->begun++; at > event_log_first(l) && slot(l, at - 1)->t_ns > e->t_ns; at--)
		*slot(l, at) = *slot(l, at - 1);
	*slot(l, at) = *e;
	return slot(l, at);
}

void event_log_add(struct event_log *l, int64_t t_ns, bool bad, const char *text)
{
	struct entry e = { .kind = ENTRY_DECK, .bad = bad, .t_ns = t_ns };

	text_format(e.text, sizeof(e.text), "%s", text);
	insert(l, &e);
}

/* ---- acts ---- */

static bool begins(const char *text, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(text, word, n) && (text[n] == ' ' || !text[n]);
}

/* A fault by its first word, as people write it. */
static enum entry_kind fault_kind(const char *text)
{
	static const struct {
		const char *word;
		enum entry_kind kind;
	} words[] = {
		{ "path", ENTRY_PATH }, { "weight", ENTRY_PATH }, { "disk", ENTRY_DISK }, { "drop", ENTRY_DISK }, { "add", ENTRY_DISK },
	};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (begins(text, words[i].word))
			return words[i].kind;
	return ENTRY_FAULT;
}

static enum entry_kind kind_of(const struct act *a)
{
	static const enum entry_kind kinds[] = {
		[ACT_KNOB] = ENTRY_KNOB, [ACT_STEP] = ENTRY_STEP,     [ACT_NOTE] = ENTRY_NOTE,
		[ACT_MARK] = ENTRY_MARK, [ACT_DEVICE] = ENTRY_DEVICE, [ACT_OUTSIDE] = ENTRY_OUTSIDE,
	};

	if (a->cause == CAUSE_KERNEL)
		return ENTRY_KERNEL;
	if (a->kind == ACT_NOTE && a->cause == CAUSE_OUTSIDE)
		return ENTRY_OUTSIDE;
	if (a->kind == ACT_FAULT)
		return fault_kind(a->text);
	return (unsigned)a->kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[a->kind] : ENTRY_NOTE;
}

static void take_act(struct event_log *l, const struct act *a)
{
	struct entry e = { .kind = kind_of(a),
			   .bad = a->state == KNOB_REFUSED,
			   .act = a->number,
			   .marker = a->marker,
			   .cause = a->cause,
			   .t_ns = a->t_ns,
			   .request = a->request };

	text_format(e.text, sizeof(e.text), "%s", a->text);
	insert(l, &e);
}

/* ---- what came of them ---- */

/* "qd 4>10: IOPS +73% [73,74], settled" */
static void say_verdict(struct entry *e, const struct act *a)
{
	static const char behind[] = " in effect";
	const char *end = strstr(a->text, behind);
	int n = (int)(end && !end[sizeof(behind) - 1] ? (size_t)(end - a->text) : strlen(a->text));
	char change[FIGURE_ROOM];

	figure_ratio(change, sizeof(change), a->ratio, a->ratio_low, a->ratio_high);
	text_format(e->text, sizeof(e->text), "%.*s: IOPS %s, %s", n, a->text, change, a->settled ? "settled" : "not settled");
}

static struct entry *find_verdict(const struct event_log *l, uint64_t act)
{
	for (uint64_t i = l->begun; i > event_log_first(l); i--)
		if (slot(l, i - 1)->act == act && slot(l, i - 1)->kind == ENTRY_SETTLE)
			return slot(l, i - 1);
	return NULL;
}

/* It may be refined for some seconds. */
static void take_verdict(struct event_log *l, const struct act *a)
{
	struct verdict_told *told = &l->told[a->number % SNAPSHOT_ACTS];
	struct entry *known;
	struct entry e = { .kind = ENTRY_SETTLE,
			   .act = a->number,
			   .marker = a->marker,
			   .cause = a->cause,
			   .t_ns = a->judged_ns,
			   .request = a->request };

	if (told->act == a->number && told->ratio == a->ratio && told->settled == a->settled)
		return;
	*told = (struct verdict_told){ a->number, a->ratio, a->settled };
	known = find_verdict(l, a->number);
	if (!known)
		known = insert(l, &e);
	if (known)
		say_verdict(known, a);
}

void event_log_follow(struct event_log *l, const struct snapshot *s)
{
	if (s->run != l->run) {
		event_log_clear(l);
		l->run = s->run;
		event_log_add(l, 0, false, "the run was begun anew, with the same seed");
	}
	for (uint32_t i = 0; i < s->n_acts; i++) {
		const struct act *a = &s->act[i];

		if (a->number > l->last_act) {
			l->lost += a->number - l->last_act - 1;
			l->last_act = a->number;
			take_act(l, a);
		}
		if (a->judged)
			take_verdict(l, a);
	}
}

/* ---- as a file ---- */

int event_log_save(const struct event_log *l, const char *path, struct err *err)
{
	struct strbuf b = { 0 };
	char clock[FIGURE_ROOM];
	int ret;

	strbuf_printf(&b, "# %llu entries, %llu older ones dropped, %llu lost\n", (unsigned long long)(l->begun - event_log_first(l)),
		      (unsigned long long)event_log_first(l), (unsigned long long)l->lost);
	for (uint64_t i = event_log_first(l); i < l->begun; i++) {
		const struct entry *e = event_log_at(l, i);

		strbuf_printf(&b, "%s\t%s\t%llu\t%s\t%s\n", figure_clock(clock, sizeof(clock), e->t_ns, 1), entry_kind_names[e->kind],
			      (unsigned long long)e->act, e->act ? cause_names[e->cause] : "deck", e->text);
	}
	ret = shot_write_new(path, &b, err);
	strbuf_release(&b);
	return ret;
}
