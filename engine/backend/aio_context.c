#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "backend/aio.h"
#include "base/clock.h"
#include "base/units.h"

enum { RING_MAGIC = 0xa10a10a1 };

const struct aio_calls aio_libaio = {io_setup, io_destroy, io_submit, io_getevents};

/* A number from a file of one line; 0 when it cannot be read. */
static uint64_t read_number(const char *path)
{
	char text[32];
	uint64_t value = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return units_parse_u64(text, &value, NULL) ? 0 : value;
}

static int used_up(uint32_t n, struct err *err)
{
	uint64_t used = read_number("/proc/sys/fs/aio-nr"), most = read_number("/proc/sys/fs/aio-max-nr");

	return err_set(err, -EAGAIN,
		       "cannot have %u requests in flight: this machine allows %llu for all programs (fs.aio-max-nr), %llu are taken (fs.aio-nr); "
		       "ask for less depth, or: sysctl fs.aio-max-nr=%llu",
		       n, (unsigned long long)most, (unsigned long long)used, (unsigned long long)(used + n + most));
}

/* The ring is the kernel's own memory, mapped for us: used only when it says what we expect. */
static struct aio_ring *known_ring(io_context_t context)
{
	struct aio_ring *ring = (struct aio_ring *)context;
	bool known = ring->magic == RING_MAGIC && !ring->incompat && ring->header_length == sizeof(*ring) && ring->nr;

	return known ? ring : NULL;
}

int aio_context_open(struct aio_context *c, const struct aio_calls *calls, uint32_t n, struct err *err)
{
	uint64_t used = read_number("/proc/sys/fs/aio-nr"), most = read_number("/proc/sys/fs/aio-max-nr");

	*c = (struct aio_context){.calls = calls};
	if (most && used + n > most)
		return used_up(n, err);
	int code = calls->setup((int)n, &c->context);
	if (code == -EAGAIN)
		return used_up(n, err);
	if (code < 0)
		return err_set(err, code, "cannot set up libaio for %u requests: %s", n, strerror(-code));
	c->ring = known_ring(c->context);
	return 0;
}

void aio_context_close(struct aio_context *c)
{
	if (c->context)
		c->calls->destroy(c->context);
	*c = (struct aio_context){0};
}

/* `tail` is read with acquire, so the events before it are whole; `head` is given back with release, after they were copied. */
static int take_from_ring(struct aio_ring *ring, struct io_event *events, int max)
{
	unsigned head = ring->head, tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	int n = 0;

	while (n < max && head != tail) {
		events[n++] = ring->event[head];
		if (++head == ring->nr)
			head = 0;
	}
	if (n)
		__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return n;
}

static int get_events(struct aio_context *c, long min, struct io_event *events, int max, int64_t ns)
{
	struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
	int n = c->calls->getevents(c->context, min, max, events, &t);

	return n == -EINTR ? 0 : n;
}

int aio_context_take(struct aio_context *c, struct io_event *events, int max)
{
	return c->ring ? take_from_ring(c->ring, events, max) : get_events(c, 0, events, max, 0);
}

int aio_context_wait(struct aio_context *c, int64_t ns, struct io_event *events, int max)
{
	return get_events(c, 1, events, max, ns);
}
