/* Pressure and processor time. */
#include <errno.h>
#include <math.h>

#include "probes_private.h"

void probe_pressure_read(struct probe_context *c)
{
	int n = sysread_file(c->sys, "proc/pressure/io", c->text, PROBE_TEXT);

	if (n == -EOPNOTSUPP)
		source_say(c, SOURCE_DISABLED, "pressure is switched off (psi=1 on the kernel's command line switches it on)");
	else if (n < 0)
		source_failed(c, n, "proc/pressure/io");
	else if (pressure_parse(c->text, (size_t)n, &c->s->pressure))
		source_say(c, SOURCE_MALFORMED, "/proc/pressure/io is cut, or of no known form");
}

void probe_cpu_read(struct probe_context *c)
{
	int n = sysread_file(c->sys, "proc/stat", c->text, PROBE_TEXT);

	c->s->cpu_busy = c->s->cpu_iowait = NAN;
	if (n < 0)
		source_failed(c, n, "proc/stat");
	else if (cpu_parse(c->text, (size_t)n, &c->s->cpu))
		source_say(c, SOURCE_MALFORMED, "/proc/stat is cut, or of no known form");
	else if (c->before->cpu.known)
		cpu_shares(&c->before->cpu, &c->s->cpu, &c->s->cpu_busy, &c->s->cpu_iowait);
}
