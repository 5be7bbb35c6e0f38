/* View 4: the preset as a lesson. The list of steps and the charts above; below them what is asked, or what came out. */
#include <math.h>

#include "base/clock.h"
#include "base/text.h"
#include "chart.h"
#include "fields.h"
#include "figures.h"
#include "histplot.h"
#include "steps.h"
#include "verdict.h"

enum {
	LIST_COLUMNS = 30,
	MARK_COLUMNS = 2, /* behind the histogram: which bar it is about */
	MIN_COLUMNS = 40,
	MIN_ROWS = 10,
	CHART_COLUMNS = 66, /* from here on list and charts stand side by side */
	CHART_ROWS = 5,
	TEXT_ROWS = 11,
	DETAILS = 3, /* lines of figures in a reveal, and with room */
	DETAILS_TALL = 10,
	TALL = 36,
};

/* ---- title ---- */

static void title_place(struct fields *f, const struct lesson *l, const struct snapshot *s)
{
	char clock[FIGURE_ROOM], speed[FIGURE_ROOM];

	fields_label(f, 0, ROLE_TITLE, "step %u/%u", l->at + 1, s->n_steps);
	fields_label(f, 0, ROLE_TITLE, "%s", phase_names[lesson_phase(l, s)]);
	fields_label(f, 2, ROLE_TITLE, "%s%s", s->simulated ? "SIM " : "REAL", s->simulated ? figure_speed(speed, sizeof(speed), s->speed) : "");
	fields_label(f, 1, ROLE_TITLE, "%s", figure_clock(clock, sizeof(clock), s->t_ns, 0));
}

static void title_score(struct fields *f, const struct lesson *l)
{
	struct lesson_score score = lesson_score(l);

	fields_label(f, 3, ROLE_TITLE, "score %u/%u", score.right, score.scored);
	if (score.skipped)
		fields_label(f, 5, ROLE_TITLE, "%u skipped", score.skipped);
}

static void draw_title(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct fields f = { .gap = 2 };

	fields_label(&f, 4, ROLE_TITLE, "IODECK 4:STEPS");
	fields_label(&f, 6, ROLE_TITLE, "%s", s->preset);
	title_place(&f, &v->lesson, s);
	title_score(&f, &v->lesson);
	canvas_fill(c, 0, 0, c->columns, ROLE_TITLE, ' ');
	fields_row(c, 0, c->columns > 2, c->columns, &f);
}

/* ---- list of steps ---- */

const char *steps_answer_word(const struct lesson *l, uint32_t step)
{
	uint8_t answer = step < LESSON_STEPS ? l->answer[step] : ANSWER_NONE;

	if (answer == ANSWER_SKIPPED)
		return "skipped";
	if (answer == ANSWER_NONE || !l->seen[step].step)
		return answer == ANSWER_NONE ? "" : "answered";
	return answer == l->spec->step[step].right + 1 ? "right" : "not right";
}

static void list_row(struct canvas *c, struct rect part, int row, const struct lesson *l, const struct snapshot *s, uint32_t step)
{
	bool done = step < LESSON_STEPS && l->seen[step].step;
	int end = part.column + part.columns;
	const char *word = steps_answer_word(l, step);
	enum role role = step == l->at ? ROLE_CHANGED : ROLE_TEXT;
	char mark = step == l->at ? '>' : done ? 'x'
					       : ' ';

	(void)s;
	if (word[0])
		end -= canvas_width(word) + 1;
	canvas_printf(c, row, part.column, end, role, "[%c] %u %s", mark, step + 1, l->spec->step[step].name);
	canvas_right(c, row, end, part.column + part.columns, ROLE_AXIS, word);
}

static void draw_list(struct canvas *c, struct rect part, const struct lesson *l, const struct snapshot *s)
{
	uint32_t rows = (uint32_t)part.rows, n = l->spec->n_steps;
	uint32_t first = l->at + 1 > rows / 2 + 1 ? l->at - rows / 2 : 0;

	if (n > rows && first > n - rows)
		first = n - rows;
	if (n <= rows)
		first = 0;
	for (uint32_t i = 0; i < rows && first + i < n; i++)
		list_row(c, part, part.row + (int)i, l, s, first + i);
}

/* ---- charts ---- */

/* The bar the question is about, once the answer may be seen. */
static void mark_bar(struct canvas *c, struct rect part, const struct bins *b, uint32_t first, uint32_t last)
{
	for (int i = 0; i < b->n && i + 1 < part.rows; i++)
		if (b->first[i] <= last && b->first[i + 1] > first)
			canvas_put(c, part.row + 1 + i, part.column + part.columns - 1, ROLE_CHANGED, '<');
}

static void draw_histogram(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v, enum metric metric)
{
	static const struct {
		const char *title;
		enum role role;
	} looks[N_METRICS] = { [METRIC_TOTAL] = { "TOTAL ms", ROLE_NOW }, [METRIC_DEVICE] = { "DEVICE ms", ROLE_DEVICE } };
	const struct step *step = lesson_step(&v->lesson);
	struct histplot plot = { .title = looks[metric].title, .role = looks[metric].role, .now = &s->window[metric] };
	struct rect bars = part;
	enum metric about;
	uint32_t first, last;
	struct bins b;

	if (s->has_before)
		plot.before = &s->before[metric];
	bars.columns -= MARK_COLUMNS;
	bins_choose(&b, s, part.rows - 1);
	histplot_draw(c, bars, &plot, &b);
	if (step && lesson_phase(&v->lesson, s) == PHASE_DONE && lesson_stands(&v->lesson, s) && lesson_bar(step, &about, &first, &last) && about == metric)
		mark_bar(c, part, &b, first, last);
}

/* Both clocks where there is room, else the one the step is about. */
static void draw_histograms(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	const struct step *step = lesson_step(&v->lesson);
	enum metric about = METRIC_TOTAL;
	uint32_t first, last;
	int half = (part.columns - 3) / 2;

	if (part.columns >= 76) {
		draw_histogram(c, (struct rect){ part.row, part.column, part.rows, half }, s, v, METRIC_TOTAL);
		draw_histogram(c, (struct rect){ part.row, part.column + part.columns - half, part.rows, half }, s, v, METRIC_DEVICE);
		return;
	}
	if (!step || !lesson_bar(step, &about, &first, &last) || about > METRIC_DEVICE)
		about = METRIC_TOTAL;
	draw_histogram(c, part, s, v, about);
}

static void draw_charts(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	struct time_axis t = chart_time_axis(s, c->glyphs, part.columns - CHART_GUTTER);
	int hist = part.rows < 8 ? part.rows - 3 : (part.rows + 1) / 2 + 1, strip = part.rows - hist - 1;

	chart_strip(c, (struct rect){ part.row, part.column, strip, part.columns }, s, &t, STRIP_IOPS);
	chart_markers(c, (struct rect){ part.row + strip, part.column, 1, part.columns }, s, &t);
	draw_histograms(c, (struct rect){ part.row + strip + 1, part.column, hist, part.columns }, s, v);
}

static void draw_upper(struct canvas *c, struct rect part, const struct snapshot *s, const struct view *v)
{
	bool charts = part.columns >= CHART_COLUMNS && part.rows >= CHART_ROWS;
	int list = charts ? LIST_COLUMNS : part.columns;

	draw_list(c, (struct rect){ part.row, part.column, part.rows, list }, &v->lesson, s);
	for (int i = 0; charts && i < part.rows; i++)
		canvas_put(c, part.row + i, part.column + list, ROLE_AXIS, glyph_sets[c->glyphs].vertical);
	if (charts)
		draw_charts(c, (struct rect){ part.row, part.column + list + 1, part.rows, part.columns - list - 1 }, s, v);
}

/* ---- texts ---- */

/* A part that is filled from the top; `draw` false: only counted. */
struct sheet {
	struct canvas *c;
	struct rect left;
	bool draw;
	int used;
};

static void put(struct sheet *h, enum role role, const char *text)
{
	struct rect part = { h->left.row, h->left.column + 1, h->draw ? h->left.rows : 99, h->left.columns - 2 };
	int used = text && part.rows > 0 ? canvas_wrap(h->c, part, role, text, h->draw) : 0;

	h->left.row += used;
	h->left.rows -= used;
	h->used += used;
}

static void put_answers(struct sheet *h, const struct step *step, uint8_t given)
{
	char text[SPEC_TEXT];

	for (uint32_t i = 0; i < step->n_answer; i++) {
		text_format(text, sizeof(text), "%c %u  %s", given == i + 1 ? '>' : ' ', i + 1, step->answer[i]);
		put(h, given == i + 1 ? ROLE_CHANGED : ROLE_TEXT, text);
	}
}

static void put_question(struct sheet *h, const struct step *step, const char *word)
{
	char text[SPEC_TEXT];

	text_format(text, sizeof(text), "%s  %s", word, step->ask);
	put(h, ROLE_TEXT, text);
}

static void text_ask(struct sheet *h, const struct lesson *l, const struct snapshot *s)
{
	const struct step *step = lesson_step(l);

	(void)s;
	put_question(h, step, "PREDICT");
	put_answers(h, step, ANSWER_NONE);
	put(h, ROLE_CHANGED, "Your answer: 1-4 locks it in and runs the step    s: skip, not scored");
}

static void text_ready(struct sheet *h, const struct lesson *l, const struct snapshot *s)
{
	const struct step *step = lesson_step(l);

	(void)s;
	if (step->ask)
		put_question(h, step, "ASKED");
	else
		put(h, ROLE_TEXT, step->caption);
	put(h, ROLE_CHANGED, "space runs this step to its end");
}

static void text_runs(struct sheet *h, const struct lesson *l, const struct snapshot *s)
{
	const struct step *step = lesson_step(l);
	const char *phase = phase_names[s->paused ? PHASE_PAUSED : PHASE_RUNS];
	char text[128];

	if (s->warming)
		text_format(text, sizeof(text), "%s  warm-up", phase);
	else if (s->step_length_ns > 0)
		text_format(text, sizeof(text), "%s  %lld of %lld s", phase, (long long)(s->step_t_ns / NS_PER_S), (long long)(s->step_length_ns / NS_PER_S));
	else if (s->work.number)
		text_format(text, sizeof(text), "%s  %lld s, %llu of %llu requests done", phase, (long long)(s->step_t_ns / NS_PER_S),
			    (unsigned long long)s->work.done, (unsigned long long)s->work.number);
	else
		text_format(text, sizeof(text), "%s  %lld s, until done", phase, (long long)(s->step_t_ns / NS_PER_S));
	put(h, ROLE_TEXT, text);
	if (step->ask) {
		put_question(h, step, "ASKED");
		put_answers(h, step, l->answer[l->at % LESSON_STEPS]);
	} else {
		put(h, ROLE_TEXT, step->caption);
	}
}

/* "REVEAL  2 is right: many of them move below 0.5 ms    you: 1, not right" */
static void put_reveal(struct sheet *h, const struct lesson *l)
{
	const struct step *step = lesson_step(l);
	uint8_t given = l->answer[l->at % LESSON_STEPS];
	char text[SPEC_TEXT], you[48] = "not answered";

	if (given == ANSWER_SKIPPED)
		text_format(you, sizeof(you), "skipped, not scored");
	else if (given != ANSWER_NONE)
		text_format(you, sizeof(you), "%u, %s", given, steps_answer_word(l, l->at));
	text_format(text, sizeof(text), "REVEAL  %u is right: %s.  You: %s", step->right + 1, step->answer[step->right], you);
	put(h, ROLE_CHANGED, text);
}

static void put_verdict(struct sheet *h, const char *mark, const struct expect *x, const struct verdict_view *v)
{
	char found[48], other[48], text[SPEC_TEXT];

	verdict_text(x, v->known, v->value, v->word, found, sizeof(found));
	if (isfinite(v->other))
		text_format(text, sizeof(text), "%s %s: found %s and %s", mark, x->text, found,
			    verdict_text(x, v->known, v->other, NULL, other, sizeof(other)));
	else
		text_format(text, sizeof(text), "%s %s: found %s", mark, x->text, found);
	put(h, ROLE_TEXT, text);
}

/* First what makes the right answer right, then what speaks against the one given, then what the document claims. */
static void put_figures(struct sheet *h, const struct lesson *l)
{
	const struct step *step = lesson_step(l);
	const struct step_verdicts *v = &l->seen[l->at];
	uint8_t given = l->answer[l->at];
	int n = 0, most = h->c->rows < TALL ? DETAILS : DETAILS_TALL;

	if (step->right < v->n_answer) {
		put_verdict(h, "+", &step->when[step->right], &v->answer[step->right]);
		n++;
	}
	if (given >= 1 && given <= v->n_answer && given != step->right + 1) {
		char mark[16];

		text_format(mark, sizeof(mark), "- %u:", given);
		put_verdict(h, mark, &step->when[given - 1], &v->answer[given - 1]);
		n++;
	}
	for (uint32_t i = 0; i < v->n_expect && i < step->n_expect && n < most; i++, n++)
		put_verdict(h, v->expect[i].pass ? "+" : "!", &step->expect[i], &v->expect[i]);
}

static void text_done(struct sheet *h, const struct lesson *l, const struct snapshot *s)
{
	const struct step *step = lesson_step(l);

	if (step->ask)
		put_reveal(h, l);
	put(h, ROLE_TEXT, step->caption);
	put_figures(h, l);
	put(h, ROLE_AXIS, step->hint);
	if (!lesson_stands(l, s))
		put(h, ROLE_CHANGED, "The clock stands before this step, and so do the charts: space plays it again");
	else if (l->at + 1 < s->n_steps)
		put(h, ROLE_CHANGED, "space: the next step    Left: the one before    T: take the knobs over");
	else
		put(h, ROLE_CHANGED, "That was the last step.    R: all of it anew    T: take the knobs over");
}

static void text_going(struct sheet *h, const struct lesson *l, const struct snapshot *s)
{
	char text[96], clock[FIGURE_ROOM];

	(void)l;
	text_format(text, sizeof(text), "Playing the run anew up to there, same seed: now at %s", figure_clock(clock, sizeof(clock), s->t_ns, 0));
	put(h, ROLE_TEXT, text);
}

static void text_away(struct sheet *h, const struct lesson *l, const struct snapshot *s)
{
	char text[192], clock[FIGURE_ROOM];

	(void)s;
	text_format(text, sizeof(text), "The knobs are taken over, the lesson waits %s step %u, %s. View 1 shows the knobs; b goes back to where it was.",
		    l->place.at_end ? "at the end of" : "in", l->place.step + 1, figure_clock(clock, sizeof(clock), l->place.t_ns, 0));
	put(h, ROLE_CHANGED, text);
}

static void (*const texts[N_PHASES])(struct sheet *h, const struct lesson *l, const struct snapshot *s) = {
	[PHASE_ASK] = text_ask,	  [PHASE_READY] = text_ready, [PHASE_GOING] = text_going, [PHASE_RUNS] = text_runs,
	[PHASE_PAUSED] = text_runs, [PHASE_DONE] = text_done,	  [PHASE_AWAY] = text_away,
};

static int text_rows(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	struct sheet h = { .c = c, .left = canvas_rect(c) };

	texts[lesson_phase(&v->lesson, s)](&h, &v->lesson, s);
	return h.used;
}

/* ---- the screen ---- */

/* Below 40x10: where we are, and the text as far as it goes. */
static void draw_words(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	const struct step *step = lesson_step(&v->lesson);
	struct sheet h = { .c = c, .left = { 1, -1, c->rows - 1, c->columns + 2 }, .draw = true };
	struct lesson_score score = lesson_score(&v->lesson);

	canvas_printf(c, 0, 0, c->columns, ROLE_TITLE, "%u/%u %s %u/%u", v->lesson.at + 1, s->n_steps, phase_names[lesson_phase(&v->lesson, s)],
		      score.right, score.scored);
	if (c->rows > 3)
		put(&h, ROLE_TEXT, step->name);
	texts[lesson_phase(&v->lesson, s)](&h, &v->lesson, s);
}

static void draw_all(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	int room = c->rows - 3, need = text_rows(c, s, v);
	int text = need > TEXT_ROWS ? need : TEXT_ROWS;
	int upper = room - text - 1;
	struct sheet h = { .c = c, .draw = true };

	if (upper < CHART_ROWS && room - need - 1 >= 1)
		upper = room - need - 1 < CHART_ROWS ? room - need - 1 : CHART_ROWS;
	draw_title(c, s, v);
	if (upper > 0) {
		draw_upper(c, (struct rect){ 1, 0, upper, c->columns }, s, v);
		canvas_fill(c, 1 + upper, 0, c->columns, ROLE_AXIS, glyph_sets[c->glyphs].horizontal);
	}
	upper = upper > 0 ? upper + 1 : 0;
	h.left = (struct rect){ 1 + upper, 0, room - upper, c->columns };
	texts[lesson_phase(&v->lesson, s)](&h, &v->lesson, s);
	screen_message(c, (struct rect){ c->rows - 2, 0, 1, c->columns }, s, v);
	screen_footer(c, (struct rect){ c->rows - 1, 0, 1, c->columns }, s, v);
}

void screen_steps(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	if (!s || !lesson_step(&v->lesson))
		canvas_text(c, 0, 0, c->columns, ROLE_TEXT, "no preset is open; :load NAME");
	else if (c->columns < MIN_COLUMNS || c->rows < MIN_ROWS)
		draw_words(c, s, v);
	else
		draw_all(c, s, v);
}
