/* What must hold between keys. */
#include <errno.h>

#include "base/units.h"
#include "config_row.h"

static int check_kind(const struct job_spec *job, struct err *err)
{
	if (job->kind == JOB_OPEN && !job->arrival_iops)
		return err_set(err, -EINVAL,
			       "job '%s' is open: say how many requests arrive with "
			       "arrival_iops",
			       job->name);
	if (job->kind != JOB_OPEN && job->arrival_iops)
		return err_set(err, -EINVAL,
			       "job '%s' has arrival_iops, which only an open job "
			       "has: drop one of kind and arrival_iops",
			       job->name);
	return 0;
}

static int check_luns(const struct job_spec *job, const struct host_spec *host, struct err *err)
{
	uint32_t last = job->luns.n ? job->luns.lun[job->luns.n - 1] : 0;

	if (last < host->bases)
		return 0;
	return err_set(err, -EINVAL,
		       "job '%s' works on LUN %u, but host.bases = %u gives LUNs 0..%u", job->name,
		       last, host->bases, host->bases - 1);
}

static int check_region(const struct job_spec *job, struct err *err)
{
	char size[32], bs[32];

	if (!job->size_bytes || job->size_bytes >= job->bs_bytes)
		return 0;
	return err_set(err, -EINVAL, "job '%s': size = %s holds no request of bs = %s", job->name,
		       units_format_size(size, sizeof(size), job->size_bytes),
		       units_format_size(bs, sizeof(bs), job->bs_bytes));
}

static int check_job(const struct job_spec *job, const struct host_spec *host, struct err *err)
{
	int ret = job_check_in_flight(job, err);

	if (!ret)
		ret = check_kind(job, err);
	if (!ret)
		ret = check_luns(job, host, err);
	if (!ret)
		ret = check_region(job, err);
	return ret ? -EINVAL : 0;
}

static int check_paths(const struct host_spec *host, struct err *err)
{
	uint32_t all = (1u << host->paths) - 1;

	if (host->standby & ~all)
		return err_set(err, -EINVAL,
			       "host.standby names a path that host.paths = %u does "
			       "not give: paths are p0..p%u",
			       host->paths, host->paths - 1);
	if (host->standby == all)
		return err_set(err, -EINVAL, "host.standby names all paths: one must be active");
	if (host->weights.n && host->weights.n != host->paths)
		return err_set(err, -EINVAL,
			       "host.weights gives %u of them, but host.paths = %u: one for each",
			       host->weights.n, host->paths);
	return 0;
}

static int check_aliases(const struct host_spec *host, struct err *err)
{
	if (!host->aliases)
		return 0;
	if (host->device != DEVICE_DASD)
		return err_set(err, -EINVAL,
			       "aliases = %u, but host.device is scsi: only dasd has "
			       "aliases",
			       host->aliases);
	if (host->alias_mode == ALIAS_NONE)
		return err_set(err, -EINVAL,
			       "aliases = %u, but host.alias_mode is none: say pav or "
			       "hyperpav",
			       host->aliases);
	return 0;
}

static int check_host(const struct host_spec *host, struct err *err)
{
	int ret = check_paths(host, err);

	if (!ret && host->lcus > host->bases)
		ret = err_set(err, -EINVAL,
			      "host.lcus = %u, but host.bases = %u: an LCU without a "
			      "volume",
			      host->lcus, host->bases);
	return ret ? ret : check_aliases(host, err);
}

static uint32_t failure_groups(const struct volume_spec *v)
{
	return v->failgroups && v->failgroups < v->disks ? v->failgroups : v->disks;
}

/* Each copy lies in a failure group of its own, each job within what is laid out. */
static int check_volume(const struct config *cfg, struct err *err)
{
	const struct volume_spec *v = &cfg->volume;
	uint32_t copies = (uint32_t)v->redundancy + 1;
	char end[32], group[32];

	if (v->disks && failure_groups(v) < copies)
		return err_set(err, -EINVAL,
			       "volume.redundancy asks for %u copies, each in a failure group of its own, "
			       "but disks = %u and failgroups = %u give only %u",
			       copies, v->disks, v->failgroups, failure_groups(v));
	if (v->state[0] && !v->disks)
		return err_set(err, -EINVAL, "volume.state keeps a volume, but there is none (disks = 0)");
	for (uint32_t i = 0; v->disks && v->group_bytes && i < cfg->n_jobs; i++) {
		const struct job_spec *job = &cfg->job[i];
		uint64_t least = job->size_bytes ? job->size_bytes : job->bs_bytes;
		if (job->offset_bytes + least > v->group_bytes)
			return err_set(err, -EINVAL,
				       "job '%s' reaches to %s (offset, size), but volume.group = %s is all that is laid out",
				       job->name, units_format_size(end, sizeof(end), job->offset_bytes + least),
				       units_format_size(group, sizeof(group), v->group_bytes));
	}
	return 0;
}

int config_check_part(const struct config *cfg, enum config_part part, uint32_t job,
		      struct err *err)
{
	if (part == PART_VOLUME)
		return check_volume(cfg, err);
	if (part == PART_JOB)
		return check_job(&cfg->job[job], &cfg->host, err);
	return part == PART_HOST ? check_host(&cfg->host, err) : 0;
}

int config_check(const struct config *cfg, struct err *err)
{
	int ret = config_check_part(cfg, PART_HOST, 0, err);

	if (!cfg->n_jobs)
		return err_set(err, -EINVAL, "there is no job: write a [job NAME] section");
	for (uint32_t i = 0; i < cfg->n_jobs && !ret; i++)
		ret = config_check_part(cfg, PART_JOB, i, err);
	return ret ? ret : config_check_part(cfg, PART_VOLUME, 0, err);
}
