#include "stack/verify.h"

#include <errno.h>
#include <sys/mman.h>

int verify_init(struct verify *v, const struct verify_params *p, struct err *err)
{
	*v = (struct verify){.p = *p, .blocks = (p->lun_bytes + p->block_bytes - 1) / p->block_bytes};
	v->n_marks = v->blocks * p->luns;
	v->mark = p->mark;
	if (v->mark)
		return 0;
	if (v->n_marks > VERIFY_MOST_BYTES / sizeof(*v->mark))
		return err_set(err, -E2BIG,
			       "verify needs %llu MiB of memory here (8 bytes for each block of %u), more than %llu: let the jobs or the volume "
			       "cover less (size, group)",
			       (unsigned long long)(v->n_marks * sizeof(*v->mark) >> 20), p->block_bytes,
			       (unsigned long long)(VERIFY_MOST_BYTES >> 20));
	v->mark = mmap(NULL, v->n_marks * sizeof(*v->mark), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (v->mark != MAP_FAILED)
		return 0;
	v->mark = NULL;
	return err_set(err, -ENOMEM, "cannot verify: out of memory");
}

void verify_release(struct verify *v)
{
	if (v->mark && !v->p.mark)
		munmap(v->mark, v->n_marks * sizeof(*v->mark));
	*v = (struct verify){.mark = NULL};
}

/* ---- who may go ---- */

static uint32_t n_blocks(const struct verify *v, const struct io *io)
{
	return io->bytes / v->p.block_bytes;
}

/* Reads go beside each other; a write is alone; nobody overtakes one that waits for the same block. */
static bool may_go(const struct verify *v, const struct io *io)
{
	const struct verify_mark *m = verify_mark_at(v, io->lun, io->offset_bytes);

	for (uint32_t i = n_blocks(v, io); i-- > 0;)
		if (m[i].waiting || (io->write ? m[i].users : m[i].users >= VERIFY_WRITER - 1))
			return false;
	return true;
}

static void take(struct verify *v, const struct io *io)
{
	struct verify_mark *m = verify_mark_at(v, io->lun, io->offset_bytes);

	for (uint32_t i = n_blocks(v, io); i-- > 0;)
		m[i].users = io->write ? VERIFY_WRITER : (m[i].users + 1) & VERIFY_WRITER;
}

static void wait(struct verify *v, struct io *io, int by)
{
	struct verify_mark *m = verify_mark_at(v, io->lun, io->offset_bytes);

	for (uint32_t i = n_blocks(v, io); i-- > 0;)
		m[i].waiting = (m[i].waiting + (uint32_t)by) & 0xfffff;
}

bool verify_enter(struct verify *v, struct io *io)
{
	if (may_go(v, io)) {
		take(v, io);
		return true;
	}
	wait(v, io, 1);
	io_queue_push(&v->waiting, io);
	v->n_waited++;
	return false;
}

void verify_done(struct verify *v, const struct io *io, bool good)
{
	struct verify_mark *m = verify_mark_at(v, io->lun, io->offset_bytes);

	if (!io->write)
		return;
	for (uint32_t i = n_blocks(v, io); i-- > 0;) {
		m[i].unsure |= !good; /* first: whoever looks at what a killed process left must not believe too much */
		m[i].generation += 1 + (m[i].generation == UINT32_MAX);
		m[i].unsure = !good;
	}
}

void verify_leave(struct verify *v, const struct io *io)
{
	struct verify_mark *m = verify_mark_at(v, io->lun, io->offset_bytes);

	for (uint32_t i = n_blocks(v, io); i-- > 0;) {
		m[i].users = io->write ? 0 : (m[i].users - 1) & VERIFY_WRITER;
		v->look |= m[i].waiting > 0;
	}
}

void verify_next(struct verify *v, struct io_queue *go)
{
	struct io_queue q = v->waiting;

	if (!v->look)
		return;
	v->look = false;
	v->waiting = (struct io_queue){.n = 0};
	for (struct io *io = q.head; io; io = io->next)
		wait(v, io, -1);
	while (q.n) {
		struct io *io = io_queue_pop(&q);
		if (may_go(v, io)) {
			take(v, io);
			io_queue_push(go, io);
		} else {
			wait(v, io, 1);
			io_queue_push(&v->waiting, io);
		}
	}
}

/* ---- what is there ---- */

static uint64_t generation_of(const struct verify *v, uint32_t generation)
{
	return (uint64_t)v->p.session << 32 | generation;
}

void verify_fill(const struct verify *v, const struct io *io, uint8_t *data)
{
	const struct verify_mark *m = verify_mark_at(v, io->lun, io->offset_bytes);

	for (uint32_t i = 0; i < n_blocks(v, io); i++) {
		uint32_t at = i * v->p.block_bytes, next = m[i].generation + 1 + (m[i].generation == UINT32_MAX);
		struct verify_stamp s = {v->p.volume, verify_address(io->lun, io->offset_bytes + at), generation_of(v, next)};
		verify_write_block(data + at, v->p.block_bytes, &s);
	}
}

/* Whether a block may hold this. One that was not written in this session holds what an earlier session wrote, or nothing of ours. A move may
 * also read what is written, but not acknowledged yet. */
static bool is_right(const struct verify *v, const struct verify_mark *m, enum verify_found what, const struct verify_stamp *expected,
		     const struct verify_stamp *found)
{
	bool here = what == VERIFY_WHOLE && found->address == expected->address;

	if (m->users == VERIFY_WRITER && here && found->generation == expected->generation + 1)
		return true;
	if (m->unsure)
		return what != VERIFY_WHOLE || (here && found->generation <= expected->generation);
	if (!m->generation)
		return what == VERIFY_NONE || (here && found->generation >> 32 < v->p.session);
	return here && found->generation == expected->generation;
}

static void remember(struct verify *v, const struct verify_mismatch *m)
{
	if (v->n_mismatches < VERIFY_TOLD)
		v->first[v->n_mismatches] = *m;
	v->n_mismatches++;
}

uint32_t verify_check(struct verify *v, const uint8_t *data, uint32_t lun, uint64_t offset_bytes, uint32_t bytes, uint32_t disk,
		      uint64_t device_bytes)
{
	const struct verify_mark *m = verify_mark_at(v, lun, offset_bytes);
	uint32_t wrong = 0;

	for (uint32_t i = 0, at = 0; at + v->p.block_bytes <= bytes; i++, at += v->p.block_bytes) {
		struct verify_stamp found = {0, 0, 0};
		struct verify_stamp expected = {v->p.volume, verify_address(lun, offset_bytes + at), generation_of(v, m[i].generation)};
		enum verify_found what = verify_read_block(data + at, v->p.block_bytes, v->p.volume, &found);
		v->n_checked++;
		if (is_right(v, &m[i], what, &expected, &found))
			continue;
		if (!m[i].generation)
			expected.generation = 0;
		remember(v, &(struct verify_mismatch){disk, device_bytes + at, expected, found, what, false});
		wrong++;
	}
	return wrong;
}

void verify_differs(struct verify *v, uint32_t lun, uint64_t offset_bytes, uint32_t disk, uint64_t device_bytes)
{
	struct verify_stamp expected = {v->p.volume, verify_address(lun, offset_bytes), 0};

	remember(v, &(struct verify_mismatch){disk, device_bytes, expected, expected, VERIFY_WHOLE, true});
}

bool verify_written(const struct verify *v, uint32_t lun, uint64_t offset_bytes, uint64_t bytes)
{
	const struct verify_mark *m = verify_mark_at(v, lun, offset_bytes);

	for (uint64_t i = 0; i < bytes / v->p.block_bytes; i++)
		if (m[i].generation)
			return true;
	return false;
}
