#include "model/parts.h"

/* Both directions of a link are FIFO servers with a constant latency behind, so each is a lane of the simulation:
 * lane 2i is link i to the array, 2i+1 back. Data moves out for writes and in for reads; the rest is free. */

static int64_t transfer_ns(const struct array *a, uint32_t bytes)
{
	if (a->p.link_mbps <= 0)
		return 0;
	return (int64_t)((double)bytes * 1000.0 / a->p.link_mbps + 0.5);
}

static int64_t wire_pass(struct array *a, struct wire *w, uint32_t bytes)
{
	int64_t begin = w->free_ns > a->sim.now_ns ? w->free_ns : a->sim.now_ns;

	w->free_ns = begin + transfer_ns(a, bytes);
	return w->free_ns + a->p.link_latency_ns;
}

void link_send(struct array *a, uint32_t id)
{
	const struct array_command *c = &a->command[id].c;

	if (a->p.link_mbps <= 0 && !a->p.link_latency_ns) {
		controller_arrive(a, id); /* a wire that costs no time is no event */
		return;
	}
	int64_t t = wire_pass(a, &a->out[c->link], c->write ? c->bytes : 0);
	sim_lane_at(&a->sim, 2u * c->link, t, EVENT_ARRIVE, id);
}

void link_reply(struct array *a, uint32_t id)
{
	const struct array_command *c = &a->command[id].c;
	int64_t t = wire_pass(a, &a->in[c->link], c->write ? 0 : c->bytes);

	sim_lane_at(&a->sim, 2u * c->link + 1, t, EVENT_DONE, id);
}
