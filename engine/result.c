#include "result.h"

#include <math.h>

#include "command.h"

const char *const metric_names[N_METRICS] = {"total", "device", "wait", "response"};
const char *const step_end_names[N_STEP_ENDS] = {"running", "runtime", "settled", "done", "hung", "signal", "error", "device"};
const char *const path_state_names[N_PATH_STATES] = {"active", "standby", "failed"};
const char *const cause_names[N_CAUSES] = {"key", "command", "step", "script", "kernel", "outside"};

static double per_second(const struct step_result *r, uint64_t n)
{
	return r->length_ns > 0 ? (double)n * 1e9 / (double)r->length_ns : NAN;
}

double result_iops(const struct step_result *r)
{
	return per_second(r, r->requests);
}

double result_bytes_per_s(const struct step_result *r)
{
	return per_second(r, r->bytes);
}

double result_transactions_per_s(const struct step_result *r)
{
	return r->has_transactions ? per_second(r, r->transactions) : NAN;
}
