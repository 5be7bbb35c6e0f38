/* The preset picker: a list on the left, what the chosen one is about on the right. */
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"
#include "chart.h"
#include "screen.h"

enum {
	LIST_COLUMNS = 26,
	SIDE_BY_SIDE = 60,
};

static bool passes(const struct preset_entry *e, const char *filter)
{
	return !filter[0] || strcasestr(e->name, filter) ||
	       (e->question && strcasestr(e->question, filter));
}

uint32_t picker_count(const struct picker *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_presets; i++)
		n += passes(&p->preset[i], p->filter);
	return n;
}

const struct preset_entry *picker_at(const struct picker *p, uint32_t at)
{
	for (uint32_t i = 0; i < p->n_presets; i++)
		if (passes(&p->preset[i], p->filter) && at-- == 0)
			return &p->preset[i];
	return NULL;
}

/* ---- the list ---- */

/* First entry shown, so that the chosen one is on the screen. */
static uint32_t first_shown(const struct picker *p, int rows)
{
	uint32_t room = rows > 0 ? (uint32_t)rows : 1;

	return p->chosen >= room ? p->chosen - room + 1 : 0;
}

static void draw_list(struct canvas *c, struct rect part, const struct picker *p)
{
	uint32_t first = first_shown(p, part.rows);

	for (int i = 0; i < part.rows; i++) {
		uint32_t at = first + (uint32_t)i;
		const struct preset_entry *e = picker_at(p, at);
		enum role role = at == p->chosen ? ROLE_CHANGED : ROLE_TEXT;

		if (e)
			canvas_printf(c, part.row + i, part.column, part.column + part.columns,
				      role, "%s%s ", at == p->chosen ? ">" : " ", e->name);
	}
}

/* ---- what it is about ---- */

/* Text from the top of a part down; the part shrinks. */
static void put_text(struct canvas *c, struct rect *part, enum role role, const char *text)
{
	int used = canvas_wrap(c, *part, role, text, true);

	part->row += used;
	part->rows -= used;
}

static void skip_row(struct rect *part)
{
	part->row++;
	part->rows--;
}

static void put_job(struct canvas *c, struct rect *part, const struct job_spec *job)
{
	static const char *const rw[] = {
		"sequential reads",
		"sequential writes",
		"sequential reads and writes",
		"random reads",
		"random writes",
		"random reads and writes",
	};
	char text[256], bs[32];

	text_format(text, sizeof(text), "load  %s: %s of %s, %u job%s, %u in flight each",
		    job->name, rw[job->rw], units_format_size(bs, sizeof(bs), job->bs_bytes),
		    job->numjobs, job->numjobs == 1 ? "" : "s", job->iodepth);
	put_text(c, part, ROLE_TEXT, text);
}

static void put_steps(struct canvas *c, struct rect *part, const struct spec *spec)
{
	char text[SPEC_NAME * 32];
	uint32_t asked = 0;
	size_t n = text_format(text, sizeof(text), "%u step%s ", spec->n_steps,
			       spec->n_steps == 1 ? " " : "s");

	for (uint32_t i = 0; i < spec->n_steps; i++)
		n += text_format(text + n, sizeof(text) - n, "%s%s", i ? ", " : " ",
				 spec->step[i].name);
	put_text(c, part, ROLE_TEXT, text);
	for (uint32_t i = 0; i < spec->n_steps; i++)
		asked += spec->step[i].ask != NULL;
	text_format(text, sizeof(text), "lesson  %u question%s", asked, asked == 1 ? "" : "s");
	if (asked)
		put_text(c, part, ROLE_TEXT, text);
}

static void put_spec(struct canvas *c, struct rect part, const struct spec *spec)
{
	if (spec->title)
		put_text(c, &part, ROLE_TEXT, spec->title);
	if (spec->question) {
		put_text(c, &part, ROLE_TEXT, spec->question);
		skip_row(&part);
	}
	for (uint32_t i = 0; i < spec->config.n_jobs; i++)
		put_job(c, &part, &spec->config.job[i]);
	put_steps(c, &part, spec);
	if (spec->n_note)
		skip_row(&part);
	for (uint32_t i = 0; i < spec->n_note; i++)
		put_text(c, &part, ROLE_AXIS, spec->note[i]);
	if (spec->source) {
		char source[SPEC_TEXT];

		text_format(source, sizeof(source), "source  %s", spec->source);
		put_text(c, &part, ROLE_AXIS, source);
	}
}

static void draw_about(struct canvas *c, struct rect part, const struct picker *p)
{
	if (p->spec)
		put_spec(c, part, p->spec);
	else if (p->error[0])
		canvas_wrap(c, part, ROLE_WARN, p->error, true);
}

/* ---- the screen ---- */

static void draw_head(struct canvas *c, const struct picker *p)
{
	canvas_fill(c, 0, 0, c->columns, ROLE_TITLE, ' ');
	canvas_text(c, 0, 1, c->columns, ROLE_TITLE, "IODECK  OPEN A PRESET");
	canvas_right(c, 0, 24, c->columns - 1, ROLE_TITLE, "type to filter");
	canvas_printf(c, 1, 1, c->columns, ROLE_TEXT, "> %s_", p->filter);
	canvas_fill(c, 2, 0, c->columns, ROLE_AXIS, glyph_sets[c->glyphs].horizontal);
}

static void draw_foot(struct canvas *c, const struct picker *p)
{
	canvas_printf(c, c->rows - 2, 0, c->columns, ROLE_TEXT, "%u of %u presets", picker_count(p),
		      p->n_presets);
	canvas_text(c, c->rows - 1, 0, c->columns, ROLE_TEXT,
		    "Enter:open  Tab:as a lesson  Up Down:choose  ^U:whole list  Esc:back  ^C:quit");
}

void screen_picker(struct canvas *c, const struct snapshot *s, const struct view *v)
{
	bool wide = c->columns >= SIDE_BY_SIDE;
	struct rect list = { 3, 0, c->rows - 5, wide ? LIST_COLUMNS : c->columns };
	struct rect about = { 3, LIST_COLUMNS + 2, c->rows - 5, c->columns - LIST_COLUMNS - 3 };

	(void)s;
	if (c->rows < 8) {
		draw_list(c, canvas_rect(c), &v->picker);
		return;
	}
	draw_head(c, &v->picker);
	draw_list(c, list, &v->picker);
	for (int row = 0; wide && row < list.rows; row++)
		canvas_put(c, 3 + row, LIST_COLUMNS, ROLE_AXIS, glyph_sets[c->glyphs].vertical);
	if (wide)
		draw_about(c, about, &v->picker);
	draw_foot(c, &v->picker);
	if (v->message[0])
		canvas_printf(c, c->rows - 2, 0, c->columns, v->message_bad ? ROLE_WARN : ROLE_TEXT,
			      "! %s", v->message);
}
