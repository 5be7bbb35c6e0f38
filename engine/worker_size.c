#include "worker.h"

/* What a config asks of a worker: how many LUNs, how many requests, how large. Figures only, nothing is built here. */

/* Disks of a volume are LUNs, with a few spare ones to add. */
uint32_t worker_luns(const struct config *cfg)
{
	uint32_t disks = cfg->volume.disks ? cfg->volume.disks + VOLUME_SPARES : 0;

	return disks > cfg->host.bases ? disks : cfg->host.bases;
}

uint32_t worker_most_bytes(const struct config *cfg)
{
	uint64_t bytes = cfg->volume.disks ? cfg->volume.au_bytes : 0; /* relocations */

	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		bytes = cfg->job[i].bs_bytes > bytes ? cfg->job[i].bs_bytes : bytes;
	return (uint32_t)bytes;
}

struct volume_params worker_volume_params(const struct config *cfg)
{
	const struct volume_spec *v = &cfg->volume;
	uint64_t size = v->group_bytes;

	for (uint32_t i = 0; !v->group_bytes && i < cfg->n_jobs; i++) {
		uint64_t end = cfg->job[i].offset_bytes + (cfg->job[i].size_bytes ? cfg->job[i].size_bytes : JOB_LUN_BYTES);
		size = end > size ? end : size;
	}
	return (struct volume_params){
		.copies = (uint32_t)v->redundancy + 1,
		.disks = v->disks,
		.failgroups = v->failgroups,
		.au_bytes = v->au_bytes,
		.size_bytes = size,
		.power = v->power,
		.auto_rebalance = v->auto_rebalance,
	};
}

/* The largest number of parts any job's request has. */
static uint32_t most_parts(const struct config *cfg)
{
	struct volume_params p = worker_volume_params(cfg);
	uint32_t most = 0;

	for (uint32_t i = 0; i < cfg->n_jobs; i++) {
		uint32_t fan = volume_fan(&p, cfg->job[i].bs_bytes);
		most = fan > most ? fan : most;
	}
	return most;
}

uint32_t worker_fan(const struct config *cfg)
{
	return 1 + (cfg->volume.disks ? most_parts(cfg) : 0);
}

/* With a volume: the parts of each request, and the relocations. */
uint32_t worker_in_flight(uint32_t fan, const struct config *cfg)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < cfg->n_jobs; i++)
		n += job_most_in_flight(&cfg->job[i]);
	return n * fan + (cfg->volume.disks ? cfg->volume.power : 0) + 1;
}

uint32_t worker_most_in_flight(const struct config *cfg)
{
	return worker_in_flight(worker_fan(cfg), cfg);
}

/* Every so-manieth LUN is dealt to each worker, and with it its share of everything else. Where nothing is dealt, the job rests. */
static struct share deal(struct job_spec *job, uint32_t host_luns, uint32_t part, uint32_t parts)
{
	struct share s = {.of = job->luns.n ? job->luns.n : host_luns};
	struct lun_set mine = {.n = 0};

	for (uint32_t i = 0; i < s.of; i++) {
		uint16_t lun = job->luns.n ? job->luns.lun[i] : (uint16_t)i;
		s.below += lun % parts < part;
		if (lun % parts == part)
			mine.lun[mine.n++] = lun;
	}
	s.mine = mine.n;
	job->luns = mine;
	uint64_t number = share_of(s, job->number_ios), arrivals = share_of(s, job->arrival_iops);
	if (!mine.n || (job->number_ios && !number) || (job->arrival_iops && !arrivals))
		job->numjobs = 0;
	job->number_ios = number;
	job->arrival_iops = arrivals;
	return s;
}

/* Of a volume, a job that names no size uses all that is laid out. */
struct share worker_deal(const struct worker *w, const struct config *cfg, uint32_t i, struct job_spec *job)
{
	*job = cfg->job[i];
	if (cfg->volume.disks && cfg->volume.group_bytes > job->offset_bytes && !job->size_bytes)
		job->size_bytes = cfg->volume.group_bytes - job->offset_bytes;
	return w->parts > 1 ? deal(job, worker_luns(cfg), w->part, w->parts) : SHARE_ALL;
}
