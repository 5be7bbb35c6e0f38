#include <errno.h>
#include <stdlib.h>

#include "stack/journal.h"

/* The image: what all entries come to. */

#define MOST_PLACES (UINT64_C(1) << 28)

void image_release(struct journal_image *m)
{
	free(m->place);
	free(m->extent);
	*m = (struct journal_image){.place = NULL};
}

static int make_map(struct journal_image *m)
{
	uint64_t n = m->fact[FACT_EXTENTS], copies = m->fact[FACT_COPIES];

	if (m->place || !n || !copies || copies > VOLUME_MAX_COPIES || n > MOST_PLACES / copies || m->fact[FACT_KNOWN] > VOLUME_MAX_DISKS)
		return -EUCLEAN;
	m->place = calloc(n * copies, sizeof(*m->place));
	m->extent = calloc(n, 1);
	return m->place && m->extent ? 0 : -ENOMEM;
}

static int apply_fact(struct journal_image *m, const struct journal_entry *e)
{
	if (e->a >= N_FACTS || (e->a == FACT_FORMAT && e->value != JOURNAL_FORMAT))
		return -EUCLEAN;
	m->fact[e->a] = e->value;
	return e->a == FACT_EXTENTS ? make_map(m) : 0;
}

static int apply_place(struct journal_image *m, const struct journal_entry *e)
{
	uint32_t copy = e->b >> 16, disk = e->b & 0xffff;

	if (copy >= m->fact[FACT_COPIES] || disk >= m->fact[FACT_KNOWN])
		return -EUCLEAN;
	m->place[e->a * m->fact[FACT_COPIES] + copy] = (struct place){(uint16_t)disk, e->c};
	return 0;
}

static int apply_to_extent(struct journal_image *m, const struct journal_entry *e)
{
	if (!m->place || e->a >= m->fact[FACT_EXTENTS])
		return -EUCLEAN;
	if (e->type == JOURNAL_PLACE)
		return apply_place(m, e);
	if (e->type == JOURNAL_DIRTY)
		m->extent[e->a] = IMAGE_DIRTY | IMAGE_TOUCHED;
	else if (e->type == JOURNAL_CLEAN)
		m->extent[e->a] &= (uint8_t)~IMAGE_DIRTY;
	else
		m->extent[e->a] |= IMAGE_TOUCHED;
	return 0;
}

int image_apply(struct journal_image *m, const struct journal_entry *e)
{
	switch (e->type) {
	case JOURNAL_FACT:
		return apply_fact(m, e);
	case JOURNAL_DISK:
		if (e->a >= VOLUME_MAX_DISKS || (e->b & 0xff) >= N_DISK_STATES)
			return -EUCLEAN;
		m->disk[e->a] = (struct image_disk){e->value, e->b, e->c};
		return 0;
	case JOURNAL_END:
		m->complete = m->place != NULL;
		return m->complete ? 0 : -EUCLEAN;
	case JOURNAL_PLACE:
	case JOURNAL_DIRTY:
	case JOURNAL_CLEAN:
	case JOURNAL_TOUCHED:
		return apply_to_extent(m, e);
	default:
		return -EUCLEAN;
	}
}

/* Facts, disks, places, extents that were written, the end. */
bool image_entry(const struct journal_image *m, uint64_t *i, struct journal_entry *e)
{
	uint64_t at = (*i)++, copies = m->fact[FACT_COPIES], places = m->fact[FACT_EXTENTS] * copies;

	if (at < N_FACTS) {
		*e = (struct journal_entry){.type = JOURNAL_FACT, .a = (uint32_t)at, .value = m->fact[at]};
		return true;
	}
	at -= N_FACTS;
	if (at < m->fact[FACT_KNOWN]) {
		*e = (struct journal_entry){JOURNAL_DISK, (uint32_t)at, m->disk[at].flags, m->disk[at].slots, m->disk[at].id};
		return true;
	}
	at -= m->fact[FACT_KNOWN];
	if (at < places) {
		struct place p = m->place[at];
		*e = (struct journal_entry){JOURNAL_PLACE, (uint32_t)(at / copies), (uint32_t)(at % copies) << 16 | p.disk, p.slot, 0};
		return true;
	}
	for (at -= places; at < m->fact[FACT_EXTENTS]; at++, (*i)++)
		if (m->extent[at]) {
			*e = (struct journal_entry){.type = m->extent[at] & IMAGE_DIRTY ? JOURNAL_DIRTY : JOURNAL_TOUCHED, .a = (uint32_t)at};
			return true;
		}
	*e = (struct journal_entry){.type = JOURNAL_END};
	return at == m->fact[FACT_EXTENTS];
}

int image_lay_out(struct journal_image *m, const struct volume_params *p, struct err *err)
{
	struct volume v;
	int code = volume_init(&v, p, NULL, NULL, err);

	if (code)
		return code;
	m->fact[FACT_FORMAT] = JOURNAL_FORMAT;
	m->fact[FACT_AU] = p->au_bytes;
	m->fact[FACT_SIZE] = p->size_bytes;
	m->fact[FACT_COPIES] = p->copies;
	m->fact[FACT_DISKS] = p->disks;
	m->fact[FACT_FAILGROUPS] = p->failgroups;
	m->fact[FACT_KNOWN] = v.n_disks;
	m->fact[FACT_EXTENTS] = v.n_extents;
	code = make_map(m);
	for (uint32_t i = 0; i < v.n_disks; i++) {
		m->disk[i].flags = (uint32_t)v.disk[i].state;
		m->disk[i].slots = p->slots;
	}
	for (uint64_t i = 0; !code && i < (uint64_t)v.n_extents * p->copies; i++)
		m->place[i] = v.extent[i / p->copies].copy[i % p->copies];
	m->complete = !code;
	volume_release(&v);
	return code ? err_set(err, code, "cannot lay out the volume: out of memory") : 0;
}
