#include <stdlib.h>

#include "model/parts.h"

int controller_reserve(struct member *m, uint32_t n)
{
	return lane_reserve(&m->queue, n);
}

void controller_release(struct member *m)
{
	free(m->queue.ring);
}

/* Take a server for `service_ns`, or wait for one; `type` is what happens at the end. */
static void serve(struct array *a, struct member *m, int64_t service_ns, uint32_t type, uint32_t id)
{
	m->counters.busy_ns += service_ns;
	if (m->busy == a->p.servers) {
		m->queue.ring[m->queue.tail++ & m->queue.mask] = event_make(service_ns, 0, type, id);
		return;
	}
	m->busy++;
	sim_at(&a->sim, a->sim.now_ns + service_ns, type, id);
}

void controller_server_free(struct array *a, uint32_t member)
{
	struct member *m = &a->member[member];

	if (m->queue.head == m->queue.tail) {
		m->busy--;
		return;
	}
	struct event next = m->queue.ring[m->queue.head++ & m->queue.mask];
	sim_at(&a->sim, a->sim.now_ns + next.t_ns, event_type(next), event_id(next));
}

/* S = (draw(write or ctl) + per KiB + wake-up if nobody else is inside) * (1 + kappa * commands above the knee). */
static int64_t service_ns(struct array *a, struct member *m, const struct array_command *c)
{
	const struct array_spec *p = &a->p;
	const struct dist *d = c->write && p->write.mean_ns ? &p->write : &p->ctl;
	int64_t s = rng_draw(&m->service, d);
	double above = (double)m->inside - p->knee;

	if (p->kb_ns)
		s += p->kb_ns * (c->bytes / 1024);
	if (m->inside == 1)
		s += rng_draw(&m->service, &p->wake);
	if (p->kappa > 0 && above > 0)
		s = (int64_t)((double)s * (1.0 + p->kappa * above) + 0.5);
	return s;
}

/* A command that came in at a member which does not own its page costs that member a service first. */
void controller_arrive(struct array *a, uint32_t id)
{
	struct command_state *s = &a->command[id];

	if (s->c.entry == ARRAY_DIRECT || s->c.entry == s->owner) {
		controller_serve(a, id);
		return;
	}
	struct member *m = &a->member[s->c.entry];
	m->counters.forwarded++;
	if (!a->p.forward.mean_ns) {
		controller_serve(a, id);
		return;
	}
	serve(a, m, rng_draw(&m->service, &a->p.forward), EVENT_FORWARDED, id);
}

void controller_serve(struct array *a, uint32_t id)
{
	struct command_state *s = &a->command[id];
	struct member *m = &a->member[s->owner];

	m->inside++;
	m->counters.commands++;
	serve(a, m, service_ns(a, m, &s->c), EVENT_SERVED, id);
}

/* A sure answer takes no draw, so that a probability of 0 or 1 shifts no stream. */
static bool chance(struct rng *r, double p)
{
	if (p <= 0 || p >= 1)
		return p >= 1;
	return rng_unit(r) <= p;
}

void controller_served(struct array *a, uint32_t id)
{
	struct command_state *s = &a->command[id];
	struct member *m = &a->member[s->owner];

	if (!chance(&m->cache, s->c.write ? a->p.whit : a->p.hit)) {
		disk_submit(a, id);
		return;
	}
	if (s->c.write && a->p.destage)
		disk_destage(a, id);
	if (s->c.write && a->p.nvs.mean_ns)
		sim_at(&a->sim, a->sim.now_ns + rng_draw(&m->cache, &a->p.nvs), EVENT_STORED, id);
	else
		controller_reply(a, id);
}

void controller_reply(struct array *a, uint32_t id)
{
	a->member[a->command[id].owner].inside--;
	link_reply(a, id);
}
