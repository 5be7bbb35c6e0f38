#include "model/parts.h"

/* Both directions of a link are servers with a constant latency behind, and departures never overtake each other, so each wire is a lane of
 * the simulation. Data moves out for writes and in for reads; the rest is free. A transfer larger than a burst gives the wire up after each
 * burst and takes its turn behind the others (iSCSI calls it MaxBurstLength and negotiates 256 KiB unless told otherwise, RFC 7143), so a
 * short one never waits for the whole of a long one; everything else is a plain FIFO. */

static int64_t transfer_ns(const struct array *a, uint32_t bytes)
{
	if (a->p.link_mbps <= 0)
		return 0;
	return (int64_t)((double)bytes * 1000.0 / a->p.link_mbps + 0.5);
}

static uint32_t burst_bytes(const struct array *a)
{
	return a->p.link_burst_bytes ? (uint32_t)a->p.link_burst_bytes : UINT32_MAX;
}

/* Send one piece now (or when the one under way ends); returns when it is over. */
static int64_t send_piece(struct array *a, struct wire *w, uint32_t bytes)
{
	int64_t begin = w->free_ns > a->sim.now_ns ? w->free_ns : a->sim.now_ns;

	w->free_ns = begin + transfer_ns(a, bytes);
	return w->free_ns;
}

static void pass(struct array *a, uint32_t wire, uint32_t bytes, uint32_t type, uint32_t id)
{
	struct wire *w = &a->wire[wire];

	if (!bytes || a->p.link_mbps <= 0 || (bytes <= burst_bytes(a) && !w->turning)) {
		sim_lane_at(&a->sim, wire, send_piece(a, w, bytes) + a->p.link_latency_ns, type, id);
		return;
	}
	w->queue.ring[w->queue.tail++ & w->queue.mask] = event_make(bytes, 0, type, id);
	if (w->turning)
		return;
	w->turning = true;
	sim_at(&a->sim, w->free_ns > a->sim.now_ns ? w->free_ns : a->sim.now_ns, EVENT_WIRE, wire);
}

void link_turn(struct array *a, uint32_t wire)
{
	struct wire *w = &a->wire[wire];

	w->turning = w->queue.head != w->queue.tail;
	if (!w->turning)
		return;
	struct event e = w->queue.ring[w->queue.head++ & w->queue.mask];
	uint32_t piece = e.t_ns > burst_bytes(a) ? burst_bytes(a) : (uint32_t)e.t_ns;
	int64_t over = send_piece(a, w, piece);
	e.t_ns -= piece;
	if (e.t_ns)
		w->queue.ring[w->queue.tail++ & w->queue.mask] = e;
	else
		sim_lane_at(&a->sim, wire, over + a->p.link_latency_ns, event_type(e), event_id(e));
	sim_at(&a->sim, over, EVENT_WIRE, wire);
}

void link_send(struct array *a, uint32_t id)
{
	const struct array_command *c = &a->command[id].c;

	if (a->p.link_mbps <= 0 && !a->p.link_latency_ns)
		controller_arrive(a, id); /* a wire that costs no time is no event */
	else
		pass(a, 2u * c->link, c->write ? c->bytes : 0, EVENT_ARRIVE, id);
}

void link_reply(struct array *a, uint32_t id)
{
	const struct array_command *c = &a->command[id].c;

	pass(a, 2u * c->link + 1, c->write ? 0 : c->bytes, EVENT_DONE, id);
}
