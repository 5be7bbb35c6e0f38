/* Figures of a step by name: rates, times, and six figures for each of the four clocks. */
#include "expect_figure.h"

#include <math.h>

static double get_elapsed(const struct step_result *r) { return r->elapsed_s; }

static double get_cpu_sys(const struct step_result *r)
{
	return r->has_cpu ? r->cpu_sys_s : (double)NAN;
}

static double get_cpu_user(const struct step_result *r)
{
	return r->has_cpu ? r->cpu_user_s : (double)NAN;
}

static double get_forwarded(const struct step_result *r) { return r->forwarded_share; }

static double get_gap(const struct step_result *r) { return r->gap_ms; }

static double get_errors(const struct step_result *r) { return (double)r->errors; }

static double get_relocations(const struct step_result *r)
{
	return r->rebalance.has_volume ? (double)r->rebalance.relocations : (double)NAN;
}

static const struct plain_figure {
	const char *name;
	double (*get)(const struct step_result *r);
	enum figure_unit unit;
} plain[] = {
	{ "iops", result_iops, UNIT_PLAIN },
	{ "bytes_per_s", result_bytes_per_s, UNIT_PLAIN },
	{ "transactions_per_s", result_transactions_per_s, UNIT_PLAIN },
	{ "elapsed", get_elapsed, UNIT_SECONDS },
	{ "cpu.sys", get_cpu_sys, UNIT_CPU },
	{ "cpu.user", get_cpu_user, UNIT_CPU },
	{ "forwarded", get_forwarded, UNIT_PLAIN },
	{ "gap", get_gap, UNIT_PLAIN },
	{ "errors", get_errors, UNIT_PLAIN },
	{ "relocations", get_relocations, UNIT_PLAIN },
};
enum { N_PLAIN = sizeof(plain) / sizeof(plain[0]) };

/* quantile < 0: the mean. */
static const struct clock_figure {
	const char *names[N_METRICS];
	double quantile;
} clocks[] = {
	{ { "total.p50", "device.p50", "wait.p50", "response.p50" }, 0.5 },
	{ { "total.p95", "device.p95", "wait.p95", "response.p95" }, 0.95 },
	{ { "total.p99", "device.p99", "wait.p99", "response.p99" }, 0.99 },
	{ { "total.p999", "device.p999", "wait.p999", "response.p999" }, 0.999 },
	{ { "total.max", "device.max", "wait.max", "response.max" }, 1 },
	{ { "total.mean", "device.mean", "wait.mean", "response.mean" }, -1 },
};
enum { N_CLOCKS = sizeof(clocks) / sizeof(clocks[0]) };

uint32_t figure_count(void) { return N_PLAIN + N_CLOCKS * N_METRICS; }

const char *figure_name(uint32_t figure)
{
	if (figure < N_PLAIN)
		return plain[figure].name;
	figure -= N_PLAIN;
	return clocks[figure / N_METRICS].names[figure % N_METRICS];
}

enum figure_unit figure_unit(uint32_t figure)
{
	return figure < N_PLAIN ? plain[figure].unit : UNIT_MICROS;
}

static double get_clock(const struct clock_figure *c, const struct hist *h)
{
	if (!h->n)
		return (double)NAN;
	if (c->quantile < 0)
		return hist_mean(h) / 1000;
	return (c->quantile < 1 ? hist_percentile(h, c->quantile) : (double)h->max) / 1000;
}

double figure_get(uint32_t figure, const struct step_result *r)
{
	if (figure < N_PLAIN)
		return plain[figure].get(r);
	figure -= N_PLAIN;
	return get_clock(&clocks[figure / N_METRICS], &r->hist[figure % N_METRICS]);
}
