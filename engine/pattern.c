#include <errno.h>
#include <stdlib.h>

#include "job.h"

/* Which LUN, where on it, read or write. A choice of one takes no draw. */

enum { MAX_CLONES = 4096 };
enum { STREAM_LUN = 1, STREAM_PLACE, STREAM_DIRECTION };

static uint32_t read_share(const struct job_spec *spec)
{
	switch (spec->rw) {
	case RW_READ:
	case RW_RANDREAD:
		return 100;
	case RW_WRITE:
	case RW_RANDWRITE:
		return 0;
	default:
		return spec->rwmixread;
	}
}

void pattern_update(struct pattern *p, const struct job_spec *spec, uint32_t host_luns)
{
	uint64_t size = spec->size_bytes ? spec->size_bytes : JOB_LUN_BYTES - spec->offset_bytes % JOB_LUN_BYTES;

	p->n_luns = spec->luns.n ? spec->luns.n : host_luns;
	p->n_blocks = size / spec->bs_bytes ? size / spec->bs_bytes : 1;
	p->random = spec->rw >= RW_RANDREAD;
	p->read_pct = read_share(spec);
	p->plain = p->random && spec->random == RANDOM_UNIFORM && p->n_luns == 1 && p->read_pct % 100 == 0;
	p->only = spec->luns.n ? spec->luns.lun[0] : 0;
	if (spec->random != RANDOM_ZIPF)
		return;
	zipf_init(&p->lun_zipf, p->n_luns, spec->zipf_theta);
	zipf_init(&p->place_zipf, p->n_blocks, spec->zipf_theta);
}

int pattern_init(struct pattern *p, const struct job_spec *spec, uint32_t host_luns)
{
	if (spec->rw < RW_RANDREAD) {
		p->next_block = calloc(MAX_CLONES, sizeof(*p->next_block));
		if (!p->next_block)
			return -ENOMEM;
	}
	pattern_update(p, spec, host_luns);
	return 0;
}

void pattern_release(struct pattern *p)
{
	free(p->next_block);
}

void pattern_seed(struct pattern *p, uint64_t seed, uint32_t streams)
{
	uint64_t base = (uint64_t)streams << 8;

	rng_init(&p->lun, seed, base + STREAM_LUN);
	rng_init(&p->place, seed, base + STREAM_PLACE);
	rng_init(&p->direction, seed, base + STREAM_DIRECTION);
}

static uint32_t pick_lun(struct pattern *p, const struct job_spec *spec)
{
	uint32_t i = 0;

	if (p->n_luns > 1)
		i = (uint32_t)(spec->random == RANDOM_ZIPF ? zipf_draw(&p->lun_zipf, &p->lun) : rng_below(&p->lun, p->n_luns));
	return spec->luns.n ? spec->luns.lun[i] : i;
}

/* Popular blocks are spread over the area: rank r is block hash(r). */
static uint64_t scatter(uint64_t rank, uint64_t n)
{
	return rank * UINT64_C(0x9e3779b97f4a7c15) % n;
}

static uint64_t pick_block(struct pattern *p, const struct job_spec *spec, uint32_t clone)
{
	if (p->random && spec->random == RANDOM_ZIPF)
		return scatter(zipf_draw(&p->place_zipf, &p->place), p->n_blocks);
	if (p->random)
		return rng_below(&p->place, p->n_blocks);
	uint64_t *next = &p->next_block[clone % MAX_CLONES];
	if (*next >= p->n_blocks)
		*next = 0;
	return (*next)++;
}

void pattern_draw(struct pattern *p, const struct job_spec *spec, struct io *io)
{
	io->lun = (uint16_t)pick_lun(p, spec);
	io->offset_bytes = spec->offset_bytes + pick_block(p, spec, io->clone) * spec->bs_bytes;
	if (p->read_pct == 0 || p->read_pct == 100)
		io->write = !p->read_pct;
	else
		io->write = rng_below(&p->direction, 100) >= p->read_pct;
}
