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

/* Of a volume, a job that names no size uses all that is laid out. */
struct job_spec worker_job_spec(const struct config *cfg, uint32_t i)
{
	struct job_spec job = cfg->job[i];

	if (cfg->volume.disks && cfg->volume.group_bytes > job.offset_bytes && !job.size_bytes)
		job.size_bytes = cfg->volume.group_bytes - job.offset_bytes;
	return job;
}
