/* What the machine is made of, drawn: host, paths and members, disks of a volume, alias pools, the
 * rebalance, fixed work. What does not fit is counted, never cut. */
#include "base/text.h"
#include "base/units.h"
#include "chart.h"
#include "deck_areas.h"
#include "figures.h"

/* ---- lines between the parts ---- */

enum {
	UP = 1,
	DOWN = 2,
	LEFT = 4,
	RIGHT = 8,
	BUS_COLUMNS = 3,
	HOST_COLUMNS = 8, /* "host-+- " */
};

/* Row `row` of a bus that joins rows 0 .. n_left - 1 with rows 0 .. n_right - 1. */
static void put_bus(struct canvas *c, int at, int column, int row, int n_left, int n_right)
{
	int last = (n_left > n_right ? n_left : n_right) - 1;
	unsigned mask = (row > 0 && row <= last ? UP : 0) | (row < last ? DOWN : 0) |
			(row < n_left ? LEFT : 0) | (row < n_right ? RIGHT : 0);
	const uint32_t *joint = glyph_sets[c->glyphs].joint;

	if (n_left == n_right) /* each to its own */
		mask = LEFT | RIGHT;
	canvas_put(c, at, column, ROLE_AXIS, joint[mask & LEFT ? LEFT | RIGHT : 0]);
	canvas_put(c, at, column + 1, ROLE_AXIS, joint[mask]);
	canvas_put(c, at, column + 2, ROLE_AXIS, joint[mask & RIGHT ? LEFT | RIGHT : 0]);
}

static void put_host(struct canvas *c, struct rect part, int row, int n)
{
	if (!row)
		canvas_text(c, part.row, part.column, part.column + 4, ROLE_TEXT, "host");
	put_bus(c, part.row + row, part.column + 4, row, 1, n);
}

/* ---- paths and members ---- */

static const struct {
	const char *sign, *words; /* words: for counting */
	enum role role;
} path_signs[N_PATH_STATES] = {
	[PATH_ACTIVE] = { "+", "up", ROLE_OK },
	[PATH_STANDBY] = { "-", "standby", ROLE_TEXT },
	[PATH_FAILED] = { "!DOWN", "DOWN", ROLE_FAILED },
};

static uint32_t n_routes(const struct snapshot *s)
{
	return s->n_paths > s->n_members ? s->n_paths : s->n_members;
}

static int want_paths(const struct snapshot *s, int columns)
{
	(void)columns;
	return s->n_paths ? (int)n_routes(s) : 0;
}

/* "p0  + 34% 11.2k q15": state, share of the last second, requests a second, in flight. */
static void put_path(struct canvas *c, int row, int column, int end, const struct snapshot *s,
		     const struct path_view *p)
{
	char share[FIGURE_ROOM], iops[24], tail[64];
	size_t n;

	column = canvas_printf(c, row, column, end, ROLE_TEXT, "%-3s ", p->name);
	column = canvas_text(c, row, column, end, path_signs[p->state].role, path_signs[p->state].sign);
	n = text_format(tail, sizeof(tail), " %4s", figure_share(share, sizeof(share), p->share));
	n += p->state == PATH_FAILED
		     ? text_format(tail + n, sizeof(tail) - n, "  ")
		     : text_format(tail + n, sizeof(tail) - n, " %5s",
				   units_format_count(iops, sizeof(iops), p->share * s->iops));
	n += text_format(tail + n, sizeof(tail) - n, " q%u", p->in_flight);
	if (p->weight != 1)
		text_format(tail + n, sizeof(tail) - n, " w%u", p->weight);
	canvas_text(c, row, column, end, ROLE_TEXT, tail);
}

/* " 9 more: 7 up, 1 standby, 1 DOWN" */
static void count_paths(struct canvas *c, int row, int column, int end, const struct snapshot *s,
			uint32_t first)
{
	struct fields f = { .gap = 1 };
	uint32_t n[N_PATH_STATES] = { 0 };

	for (uint32_t i = first; i < s->n_paths; i++)
		n[s->path[i].state]++;
	fields_label(&f, 0, ROLE_TEXT, "%u more:", s->n_paths - first);
	for (int i = N_PATH_STATES; i-- > 0;)
		if (n[i])
			fields_label(&f, 1, i == PATH_FAILED ? ROLE_FAILED : ROLE_TEXT, "%u %s", n[i],
				     path_signs[i].words);
	fields_row(c, row, column, end, &f);
}

static void count_members(struct canvas *c, int row, int column, int end, const struct snapshot *s,
			  uint32_t first)
{
	canvas_printf(c, row, column, end, ROLE_TEXT, "+%u more", s->n_members - first);
}

static void put_member(struct canvas *c, int row, int column, int end, const struct snapshot *s,
		       uint32_t i)
{
	char busy[FIGURE_ROOM];

	canvas_printf(c, row, column, end, ROLE_TEXT, "m%u %4s", i,
		      figure_share(busy, sizeof(busy), (double)s->member_busy[i]));
}

static void draw_paths(struct canvas *c, struct rect part, const struct snapshot *s)
{
	enum { MEMBER = 8,
	       WIDE = 52 }; /* no wider, or the eye loses the line */
	int end = part.column + (part.columns < WIDE ? part.columns : WIDE);
	int left = part.column + HOST_COLUMNS;
	int right = s->n_members ? end - MEMBER : end, rows = part.rows;
	int n_left = (int)s->n_paths < rows ? (int)s->n_paths : rows;
	int n_right = (int)s->n_members < rows ? (int)s->n_members : rows;

	for (int row = 0; row < rows; row++) {
		int at = part.row + row, path_end = s->n_members ? right - BUS_COLUMNS - 2 : end;
		bool rest = row == rows - 1;

		if (row < n_left)
			put_host(c, part, row, n_left);
		if (rest && (int)s->n_paths > rows)
			count_paths(c, at, left, path_end, s, (uint32_t)row);
		else if (row < n_left)
			put_path(c, at, left, path_end, s, &s->path[row]);
		if (row < n_left || row < n_right)
			if (s->n_members)
				put_bus(c, at, right - BUS_COLUMNS - 1, row, n_left, n_right);
		if (rest && (int)s->n_members > rows)
			count_members(c, at, right, end, s, (uint32_t)row);
		else if (row < n_right)
			put_member(c, at, right, end, s, (uint32_t)row);
	}
}

/* ---- alias pools ---- */

static int want_pools(const struct snapshot *s, int columns)
{
	(void)columns;
	return (int)s->n_lcus;
}

/* Columns for "7/10" of the widest pool. */
static int widest_use(const struct snapshot *s)
{
	int width = 0;

	for (uint32_t i = 0; i < s->n_lcus; i++) {
		char use[32];
		int n = (int)text_format(use, sizeof(use), "%u/%u", s->lcu[i].aliases, s->lcu[i].aliases);

		width = n > width ? n : width;
	}
	return width;
}

static void sum_pools(const struct snapshot *s, uint32_t first, struct lcu_view *sum)
{
	*sum = (struct lcu_view){ 0 };
	for (uint32_t i = first; i < s->n_lcus; i++) {
		sum->aliases += s->lcu[i].aliases;
		sum->busy += s->lcu[i].busy;
		sum->peak += s->lcu[i].peak;
		sum->waiting += s->lcu[i].waiting;
		sum->bases += s->lcu[i].bases;
	}
}

/* "LCU0" or, for several in one, "LCU7-63". */
static int put_pool_name(struct canvas *c, int row, int column, int end, uint32_t first, uint32_t last)
{
	if (first == last)
		return canvas_printf(c, row, column, end, ROLE_TEXT, "LCU%u ", first);
	return canvas_printf(c, row, column, end, ROLE_TEXT, "LCU%u-%u ", first, last);
}

static void put_pool(struct canvas *c, struct rect part, int row, const struct snapshot *s,
		     uint32_t first, uint32_t last, const struct lcu_view *lcu)
{
	int at = part.row + row, end = part.column + part.columns, columns, width = widest_use(s);
	int column = put_pool_name(c, at, part.column + HOST_COLUMNS, end, first, last);
	char use[32], tail[48], bar[96];

	if (!s->has_aliases) {
		canvas_printf(c, at, column, end, ROLE_TEXT, "%u bases, no aliases  wait %u", lcu->bases,
			      lcu->waiting);
		return;
	}
	text_format(tail, sizeof(tail), " wait %2u peak %u", lcu->waiting, lcu->peak);
	text_format(use, sizeof(use), "%u/%u", lcu->busy, lcu->aliases);
	column = canvas_printf(c, at, column, end, ROLE_TEXT, "%*s ", width, use);
	columns = end - column - canvas_width(tail) - (width > 5 ? 0 : 2);
	columns = columns > 20 ? 20 : columns;
	if (columns >= 3) {
		int filled = lcu->aliases ? (int)((double)lcu->busy / lcu->aliases * columns + 0.5) : 0;

		deck_bar_text(c->glyphs, filled, columns, bar, sizeof(bar));
		column = canvas_text(c, at, column, end, ROLE_NOW, bar);
	}
	canvas_text(c, at, column, end, ROLE_TEXT, tail);
}

static void draw_pools(struct canvas *c, struct rect part, const struct snapshot *s)
{
	int n = (int)s->n_lcus < part.rows ? (int)s->n_lcus : part.rows;

	for (int row = 0; row < n; row++) {
		uint32_t first = (uint32_t)row, last = first;
		struct lcu_view lcu = s->lcu[row];

		if (row == n - 1) { /* the rest in one */
			sum_pools(s, first, &lcu);
			last = s->n_all_lcus > s->n_lcus ? s->n_all_lcus - 1 : s->n_lcus - 1;
		}
		put_host(c, part, row, n);
		put_pool(c, part, row, s, first, last, &lcu);
	}
}

/* ---- the rest as fields ---- */

static void more_fields(struct fields *f, const struct snapshot *s)
{
	*f = (struct fields){ .gap = 2 };
	if (!s->n_paths)
		deck_add_members(f, s);
	deck_add_forwarded(f, s);
	if (s->redecided)
		fields_label(f, 3, ROLE_TEXT, "redecided %llu", (unsigned long long)s->redecided);
	deck_add_work(f, s);
	deck_add_honest(f, s);
}

static int want_more(const struct snapshot *s, int columns)
{
	struct fields f;

	more_fields(&f, s);
	return fields_need(&f, columns, 4);
}

static void draw_more(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct fields f;

	more_fields(&f, s);
	fields_flow(c, part, &f, true);
}

static int want_rebalance(const struct snapshot *s, int columns)
{
	struct fields f = { .gap = 2 };

	if (s->rebalance.has_volume)
		deck_add_rebalance(&f, s, GLYPHS_ASCII, columns);
	return fields_need(&f, columns, 6);
}

static void draw_rebalance(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct fields f = { .gap = 2 };

	deck_add_rebalance(&f, s, c->glyphs, part.columns);
	fields_flow(c, part, &f, true);
}

/* ---- the panel ---- */

enum section {
	SECTION_PATHS,
	SECTION_POOLS,
	SECTION_DISKS,
	SECTION_REBALANCE,
	SECTION_MORE,
	N_SECTIONS,
};

static const struct {
	int (*want)(const struct snapshot *s, int columns);
	void (*draw)(struct canvas *c, struct rect part, const struct snapshot *s);
} sections[N_SECTIONS] = {
	[SECTION_PATHS] = { want_paths, draw_paths },
	[SECTION_POOLS] = { want_pools, draw_pools },
	[SECTION_DISKS] = { deck_disks_want, deck_disks_draw },
	[SECTION_REBALANCE] = { want_rebalance, draw_rebalance },
	[SECTION_MORE] = { want_more, draw_more },
};

static int give(int *rows, int want, int left)
{
	int more = want - *rows < left ? want - *rows : left;

	*rows += more > 0 ? more : 0;
	return left - (more > 0 ? more : 0);
}

/* Rows are given in rounds: the first row of all, then the second, ...; why a rebalance waits comes before second rows. */
static void share_rows(int rows[N_SECTIONS], const struct snapshot *s, struct rect body)
{
	int left = body.rows, want[N_SECTIONS], round = 1, most = 1;

	for (int i = 0; i < N_SECTIONS; i++) {
		want[i] = sections[i].want(s, body.columns);
		most = want[i] > most ? want[i] : most;
	}
	for (; round <= most && left > 0; round++) {
		for (int i = 0; i < N_SECTIONS; i++)
			left = give(&rows[i], want[i] < round ? want[i] : round, left);
		if (round == 1 && s->rebalance.reason[0])
			left = give(&rows[SECTION_REBALANCE], want[SECTION_REBALANCE], left);
	}
}

static void draw_title(struct canvas *c, struct rect part)
{
	int end = part.column + part.columns;
	int column = canvas_text(c, part.row, part.column, end, ROLE_TEXT, "TOPOLOGY");

	canvas_right(c, part.row, column + 1, end, ROLE_AXIS, "+ up - standby ! down ~ moving");
}

void deck_topology(struct canvas *c, struct rect part, const struct snapshot *s)
{
	struct rect body = { part.row + 1, part.column, part.rows - 1, part.columns };
	int rows[N_SECTIONS] = { 0 };

	draw_title(c, part);
	share_rows(rows, s, body);
	for (int i = 0; i < N_SECTIONS; i++) {
		struct rect section = { body.row, body.column, rows[i], body.columns };

		if (rows[i])
			sections[i].draw(c, section, s);
		body.row += rows[i];
	}
}
