/* What the operator looks at: everything a screen needs besides the snapshot. Plain data. */
#ifndef IODECK_VIEW_H
#define IODECK_VIEW_H

#include "cmdline.h"
#include "event_log.h"
#include "lesson.h"
#include "probes.h"
#include "style.h"

/* Rows of view_table (views.c). */
enum screen_id {
	SCREEN_DECK,
	SCREEN_STEPS,
	SCREEN_MACHINE,
	SCREEN_EVENTS,
	SCREEN_HELP,
	SCREEN_PICKER,
	N_SCREENS,
};

/* A value asked for and not yet acknowledged by the engine. */
struct asked {
	bool waiting;
	int64_t value;
	int64_t since_ns;   /* wall */
	uint64_t acts_seen; /* number of the last act when it was sent */
};

struct picker {
	const struct preset_entry *preset; /* borrowed */
	uint32_t n_presets;
	char filter[64];
	uint32_t chosen;	 /* of the presets that pass the filter */
	const struct spec *spec; /* of the chosen one, NULL when it cannot be read; borrowed */
	char error[512];	 /* why it cannot */
};

/* Which entry of the log is looked at. */
struct event_list {
	bool by_hand; /* this one; else always the newest */
	uint64_t at;
	int filter; /* 1 + kind; 0: all */
	bool open;  /* the whole entry is shown */
};

/* What view 5 looks at. */
struct machine_view {
	const struct probe_snapshot *now; /* borrowed; NULL: not looked yet */
	char device[PROBE_NAME];	  /* the chosen one by its kernel name; empty: the first */
	char root[64];			  /* empty: this machine */
	char error[256];		  /* why there is nothing to be seen */
	bool open;			  /* the chosen one alone */
};

struct view {
	enum screen_id screen, behind; /* behind: the view that help and picker lie over */
	enum colours colours;
	int knob; /* chosen: enum knob_id */
	struct asked asked[N_KNOBS];
	struct cmdline line;
	struct picker picker;
	struct lesson lesson;
	const struct event_log *log; /* borrowed; NULL: there is none */
	struct event_list events;
	struct machine_view machine;
	char found[64]; /* what was last looked for; empty: nothing */
	bool table;	/* plain rows in place of the picture */
	int table_first; /* first row of them */
	int help_page, help_line; /* line: the one found last */
	bool frozen;
	uint32_t read_step; /* 1 + step whose caption was closed by Esc; 0: none */
	char question[768]; /* what y does and any other key does not; empty: none */
	char message[512];  /* the deck's own; empty: the last act is shown */
	bool message_bad;
	uint64_t
		message_acts; /* acts there were when it was written: a newer one takes its place */
};

/* The presets that pass the filter: number of them, and the i-th (NULL beyond). */
uint32_t picker_count(const struct picker *p);
const struct preset_entry *picker_at(const struct picker *p, uint32_t i);

#endif
