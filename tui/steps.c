/* What the keys and commands of view 4 do. */
#include "steps.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "clock_text.h"
#include "console.h"

enum deed {
	DEED_ANSWER,
	DEED_SKIP,
	DEED_GO,
	DEED_NEXT,
	DEED_BACK,
	DEED_GOTO,
	DEED_SLOWER,
	DEED_FASTER,
	DEED_TAKE,
	DEED_RETURN,
	DEED_ANEW,
	N_DEEDS,
};

enum {
	SLOWEST = 250, /* 1000 x */
	FASTEST = 16000,
};

#define DEED(what_it_does) .kind = ACTION_VIEW, .amount = DEED_##what_it_does

const struct binding steps_keys[] = {
	{ { '1', '2', '3', '4' }, DEED(ANSWER), .footer = "1-4:answer", .rank = 1, .what = "while a question is open: lock the answer in, run the step" },
	{ { 's' }, DEED(SKIP), .footer = "s:skip", .rank = 4, .what = "run the step without an answer; not scored" },
	{ { ' ' }, DEED(GO), .footer = "spc:run", .rank = 2, .what = "run the step to its end; stand, go on; at its end: the next" },
	{ { KEY_ARROW_RIGHT, KEY_ARROW_DOWN, 'l', 'j' }, DEED(NEXT), .footer = "Right:next", .rank = 5, .what = "to the next step, as if all before were played" },
	{ { KEY_ARROW_LEFT, KEY_ARROW_UP, 'h', 'k' }, DEED(BACK), .footer = "Left:back", .rank = 5, .what = "to the step before" },
	{ { 'G' }, .kind = ACTION_LINE, .text = "goto ", .footer = "G:go to", .rank = 7, .what = "to a step or a time of the run: :goto 3, :goto 01:20" },
	{ { '<', ',' }, DEED(SLOWER), .footer = "< >:speed", .rank = 6, .what = "half the speed, down to x0.25" },
	{ { '>', '.' }, DEED(FASTER), .what = "twice the speed, up to x16" },
	{ { 'T', 't' }, DEED(TAKE), .footer = "T:take over", .rank = 6, .what = "the load runs on, the knobs are yours (view 1)" },
	{ { 'b' }, DEED(RETURN), .footer = "b:return", .rank = 7, .what = "back to where the lesson was when the knobs were taken over" },
	{ { 'R' }, DEED(ANEW), .what = "the lesson from its start; answers are forgotten" },
	{ .what = NULL },
};

/* ---- the engine ---- */

static int send_goto(struct console *c, const struct action *a, enum command_type type, int64_t value, bool go_on, struct err *err)
{
	struct command command = { .type = type, .cause = a->command.cause, .value = value, .go_on = go_on };

	if (!session_send(c->session, &command))
		return err_set(err, -EAGAIN, "the engine is busy: this was not done, try again");
	c->view.lesson.n_goto++;
	c->view.lesson.to_time = type == COMMAND_GOTO_TIME;
	c->view.message[0] = '\0';
	return 0;
}

static int send_plain(struct console *c, const struct action *a, enum command_type type, int64_t value, struct err *err)
{
	struct command command = { .type = type, .cause = a->command.cause, .value = value };

	if (!session_send(c->session, &command))
		return err_set(err, -EAGAIN, "the engine is busy: this was not done, try again");
	return 0;
}

static int run_step(struct console *c, const struct action *a, struct err *err)
{
	return send_goto(c, a, COMMAND_GOTO_STEP, c->view.lesson.at, true, err);
}

static int show_step(struct console *c, const struct action *a, uint32_t step, struct err *err)
{
	c->view.lesson.at = step;
	return send_goto(c, a, COMMAND_GOTO_STEP, step, false, err);
}

/* ---- deeds ---- */

static bool is_open(struct console *c) { return lesson_phase(&c->view.lesson, c->snapshot) == PHASE_ASK; }

static int lock_in(struct console *c, const struct action *a, uint8_t answer, struct err *err)
{
	c->view.lesson.answer[c->view.lesson.at] = answer;
	return run_step(c, a, err);
}

/* By key or by :answer N. */
static int do_answer(struct console *c, const struct action *a, struct err *err)
{
	const struct step *step = lesson_step(&c->view.lesson);
	int64_t answer = a->key ? a->key - '0' : a->command.value;

	if (!is_open(c))
		return a->key ? VIEW_PASS : err_set(err, -EINVAL, "no question is open at step %u", c->view.lesson.at + 1);
	if (answer > step->n_answer)
		return err_set(err, -ERANGE, "there are %u answers: 1-%u, or s to skip", step->n_answer, step->n_answer);
	return lock_in(c, a, (uint8_t)answer, err);
}

static int do_skip(struct console *c, const struct action *a, struct err *err)
{
	if (!is_open(c))
		return err_set(err, -EINVAL, "no question is open at step %u", c->view.lesson.at + 1);
	return lock_in(c, a, ANSWER_SKIPPED, err);
}

static int do_next(struct console *c, const struct action *a, struct err *err)
{
	uint32_t next = c->view.lesson.at + 1;

	if (next >= c->view.lesson.spec->n_steps)
		return err_set(err, -ERANGE, "this is the last step; R begins anew");
	return show_step(c, a, next, err);
}

static int do_back(struct console *c, const struct action *a, struct err *err)
{
	if (!c->view.lesson.at)
		return err_set(err, -ERANGE, "this is the first step");
	return show_step(c, a, c->view.lesson.at - 1, err);
}

/* At the end of the step looked at: on to the next, which runs at once when it asks nothing. */
static int go_on(struct console *c, const struct action *a, struct err *err)
{
	struct lesson *l = &c->view.lesson;

	if (l->at + 1 >= l->spec->n_steps)
		return err_set(err, -ERANGE, "that was the last step; R begins anew, Left goes back");
	if (l->spec->step[l->at + 1].ask && l->answer[l->at + 1] == ANSWER_NONE)
		return show_step(c, a, l->at + 1, err);
	l->at++;
	return run_step(c, a, err);
}

static int do_go(struct console *c, const struct action *a, struct err *err)
{
	const struct snapshot *s = c->snapshot;
	enum phase phase = lesson_phase(&c->view.lesson, s);

	if (phase == PHASE_ASK)
		return err_set(err, -EAGAIN, "first the answer: 1-%u, or s to skip", lesson_step(&c->view.lesson)->n_answer);
	if (phase == PHASE_GOING)
		return err_set(err, -EAGAIN, "on the way there: a moment");
	if (phase == PHASE_RUNS || phase == PHASE_PAUSED || phase == PHASE_AWAY)
		return send_plain(c, a, COMMAND_PAUSE, -1, err);
	return lesson_stands(&c->view.lesson, s) ? go_on(c, a, err) : run_step(c, a, err);
}

static int do_goto(struct console *c, const struct action *a, struct err *err)
{
	if (a->command.type == COMMAND_GOTO_STEP)
		return show_step(c, a, (uint32_t)a->command.value, err);
	return send_goto(c, a, COMMAND_GOTO_TIME, a->command.value, false, err);
}

static int set_speed(struct console *c, const struct action *a, int64_t speed, struct err *err)
{
	speed = speed < SLOWEST ? SLOWEST : speed > FASTEST ? FASTEST
							    : speed;
	return send_plain(c, a, COMMAND_SPEED, speed, err);
}

/* 1000 x the speed now; as fast as possible counts as twice the fastest. */
static int64_t speed_now(const struct console *c)
{
	double speed = c->snapshot->speed;

	return speed > 0 ? (int64_t)(speed * 1000 + 0.5) : 2 * FASTEST;
}

static int do_slower(struct console *c, const struct action *a, struct err *err)
{
	return set_speed(c, a, speed_now(c) / 2, err);
}

static int do_faster(struct console *c, const struct action *a, struct err *err)
{
	return set_speed(c, a, speed_now(c) * 2, err);
}

/* The load runs on from here; view 1 has the knobs. */
static int do_take(struct console *c, const struct action *a, struct err *err)
{
	int ret = send_plain(c, a, COMMAND_HOLD, 0, err);

	if (!ret)
		ret = send_plain(c, a, COMMAND_PAUSE, 0, err);
	if (!ret)
		c->view.screen = c->view.behind = SCREEN_DECK;
	return ret;
}

static int do_return(struct console *c, const struct action *a, struct err *err)
{
	struct lesson *l = &c->view.lesson;
	const struct lesson_place *p = &l->place;

	if (!l->away)
		return err_set(err, -EINVAL, "the knobs are not taken over: there is nowhere to return to");
	c->view.screen = c->view.behind = SCREEN_STEPS;
	l->away = false;
	if (!p->at_end)
		return send_goto(c, a, COMMAND_GOTO_TIME, p->t_ns, false, err);
	return send_goto(c, a, COMMAND_GOTO_STEP, p->step + 1, false, err);
}

static int do_anew(struct console *c, const struct action *a, struct err *err)
{
	struct lesson *l = &c->view.lesson;
	uint32_t n_goto = l->n_goto;

	lesson_begin(l, l->spec);
	l->n_goto = n_goto;
	return show_step(c, a, 0, err);
}

int steps_act(struct console *c, const struct action *a, struct err *err)
{
	static int (*const deeds[N_DEEDS])(struct console *c, const struct action *a, struct err *err) = {
		[DEED_ANSWER] = do_answer, [DEED_SKIP] = do_skip,     [DEED_GO] = do_go,	 [DEED_NEXT] = do_next,
		[DEED_BACK] = do_back,	   [DEED_GOTO] = do_goto,     [DEED_SLOWER] = do_slower, [DEED_FASTER] = do_faster,
		[DEED_TAKE] = do_take,	   [DEED_RETURN] = do_return, [DEED_ANEW] = do_anew,
	};

	if (!c->session || !c->snapshot)
		return err_set(err, -ENOENT, "no preset is open; :load NAME");
	return deeds[a->amount](c, a, err);
}

/* ---- commands ---- */

static int parse_answer(const struct words *w, const struct language *lang, struct action *out, int *bad, struct err *err)
{
	(void)lang;
	*bad = 1;
	out->command.value = w->word[0][0] - '0';
	if (!strcmp(w->word[0], "skip"))
		out->amount = DEED_SKIP;
	else if (w->word[0][1] || out->command.value < 1 || out->command.value > 4)
		return err_set(err, -EINVAL, "an answer is 1, 2, 3, 4 or skip, not '%s'", w->word[0]);
	return 0;
}

static int parse_goto(const struct words *w, const struct language *lang, struct action *out, int *bad, struct err *err)
{
	out->command.type = COMMAND_GOTO_TIME;
	if (clock_parse(w->rest, &out->command.value))
		return 0;
	out->command.type = COMMAND_GOTO_STEP;
	return line_parse_step(w, lang, out, bad, err);
}

#define LESSON(what_it_does) .kind = ACTION_VIEW, .screen = SCREEN_STEPS, .amount = DEED_##what_it_does

static const char *const answers[] = { "1", "2", "3", "4", "skip", NULL };

const struct line_row steps_lines[] = {
	{ "answer", "N|skip", "lock an answer in and run the step", 1, 1, .word = { WORD_CHOICE }, .choices = answers, LESSON(ANSWER), .parse = parse_answer },
	{ "go", "", "run the step of view 4 to its end; stand, go on", LESSON(GO) },
	{ "next", "", "to the next step of the lesson", LESSON(NEXT) },
	{ "back", "", "to the step before", LESSON(BACK) },
	{ "goto", "STEP|TIME", "there in the straight run, same seed, and stand", 1, 1, true, .word = { WORD_STEP }, LESSON(GOTO), .parse = parse_goto },
	{ "takeover", "", "the load runs on, the knobs are yours", LESSON(TAKE) },
	{ "return", "", "to where the lesson was before that", LESSON(RETURN) },
	{ "anew", "", "the lesson from its start, no answers", LESSON(ANEW) },
	{ .name = NULL },
};
