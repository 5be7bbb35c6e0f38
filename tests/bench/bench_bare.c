/* The least that libaio can cost (T4): submit and reap in batches, one stamp a batch, no figures. bench_bare SECONDS DEPTH TARGET; prints CPU
 * ns per request. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backend/aio.h"
#include "base/clock.h"
#include "base/rng.h"

enum { BLOCK = 4096, MOST = 1024 };

static double cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	static struct iocb cb[MOST], *list[MOST];
	static struct io_event event[MOST];
	struct clock clock = clock_monotonic();
	struct aio_context c;
	struct rng rng;
	int n = argc == 4 ? atoi(argv[2]) : 0, fd = n ? open(argv[3], O_RDONLY | O_DIRECT) : -1, got = n;
	char *buffers = aligned_alloc(BLOCK, (size_t)(n ? n : 1) * BLOCK);
	unsigned long long done = 0;

	if (n > 0 && fd < 0)
		fd = open(argv[3], O_RDONLY);
	off_t end = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	uint64_t blocks = end > BLOCK ? (uint64_t)end / BLOCK : (UINT64_C(1) << 30) / BLOCK;
	if (fd < 0 || n > MOST || aio_context_open(&c, &aio_libaio, (uint32_t)n, NULL) < 0)
		return 1;
	rng_init(&rng, 42, 1);
	for (int i = 0; i < n; i++) {
		io_prep_pread(&cb[i], fd, buffers + (size_t)i * BLOCK, BLOCK, (long long)(rng_below(&rng, blocks) * BLOCK));
		list[i] = &cb[i];
	}
	double begin = cpu_s();
	int64_t stop = clock_now(&clock) + (int64_t)(strtod(argv[1], NULL) * 1e9);
	while (clock_now(&clock) < stop) {
		if (got && io_submit(c.context, got, list) != got)
			return 1;
		got = aio_context_take(&c, event, n);
		if (!got)
			got = aio_context_wait(&c, NS_PER_S, event, n);
		for (int i = 0; i < got; i++) {
			list[i] = event[i].obj;
			list[i]->u.c.offset = (long long)(rng_below(&rng, blocks) * BLOCK);
		}
		done += (unsigned)got;
	}
	printf("%.2f\n", (cpu_s() - begin) * 1e9 / (double)done);
	return 0;
}
