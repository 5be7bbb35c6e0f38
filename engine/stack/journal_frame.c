#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "stack/journal.h"

/* A frame: head (magic, sequence, number of entries and its complement, check sum of the head), entries, check sum of all. Little-endian
 * words. A check sum is never 0, an entry never begins with 0: no 512 bytes of a frame are all zeros, but what a crash tore off is. */

#define MAGIC UINT64_C(0x314c4a4b45444f49) /* "IODEKJL1" in the order of bytes */
enum { HEAD = 32, ENTRY = 24, TAIL = 8, SECTOR = 512 };
#define MOST_ENTRIES (UINT32_C(1) << 26)

size_t journal_frame_bytes(uint32_t n)
{
	return HEAD + (size_t)n * ENTRY + TAIL;
}

static uint64_t sum_of(uint64_t seed, const uint8_t *bytes, size_t n)
{
	uint64_t sum = hash_bytes(seed, bytes, n);

	return sum + !sum;
}

void journal_frame(uint8_t *out, uint64_t sequence, const struct journal_entry *e, uint32_t n)
{
	uint8_t *at = out + HEAD;

	put_le64(out, MAGIC);
	put_le64(out + 8, sequence);
	put_le32(out + 16, n);
	put_le32(out + 20, ~n);
	put_le64(out + 24, sum_of(1, out, 24));
	for (uint32_t i = 0; i < n; i++, at += ENTRY) {
		put_le32(at, e[i].type);
		put_le32(at + 4, e[i].a);
		put_le32(at + 8, e[i].b);
		put_le32(at + 12, e[i].c);
		put_le64(at + 16, e[i].value);
	}
	put_le64(at, sum_of(2, out, (size_t)(at - out)));
}

/* ---- reading ---- */

bool journal_begins(const uint8_t *bytes, size_t n)
{
	uint8_t magic[JOURNAL_MAGIC_BYTES];

	put_le64(magic, MAGIC);
	return !memcmp(bytes, magic, n < sizeof(magic) ? n : sizeof(magic));
}

static bool head_is_good(const uint8_t *b, uint64_t sequence, uint32_t *n)
{
	*n = get_le32(b + 16);
	return get_le64(b) == MAGIC && get_le64(b + 8) == sequence && *n == ~get_le32(b + 20) && *n && *n <= MOST_ENTRIES &&
	       get_le64(b + 24) == sum_of(1, b, 24);
}

static bool is_zero(const uint8_t *b, size_t n)
{
	while (n && !b[n - 1])
		n--;
	return !n;
}

/* Whether the last frame may be what a crash left of it: the file ends within it, or a sector of it never arrived. `bytes` and `n`: the whole
 * file, for sectors are counted from its start. */
static bool is_torn(const uint8_t *bytes, size_t n, size_t at)
{
	uint32_t entries;
	bool head = n - at >= HEAD && head_is_good(bytes + at, get_le64(bytes + at + 8), &entries);

	if (n - at < HEAD || (head && n - at < journal_frame_bytes(entries)))
		return true;
	if (head && n - at > journal_frame_bytes(entries))
		return false; /* something was written behind it, so it was whole once */
	for (size_t from = at; from < n; from = from / SECTOR * SECTOR + SECTOR) {
		size_t to = from / SECTOR * SECTOR + SECTOR;
		if (is_zero(bytes + from, (to < n ? to : n) - from))
			return true;
	}
	return false;
}

static int apply_frame(struct journal_image *m, const uint8_t *at, uint32_t n)
{
	int code = 0;

	for (uint32_t i = 0; !code && i < n; i++, at += ENTRY) {
		struct journal_entry e = {get_le32(at), get_le32(at + 4), get_le32(at + 8), get_le32(at + 12), get_le64(at + 16)};
		code = image_apply(m, &e);
	}
	return code;
}

static bool frame_is_good(const uint8_t *b, size_t left, uint64_t sequence, uint32_t *n)
{
	if (left < HEAD || !head_is_good(b, sequence, n) || left < journal_frame_bytes(*n))
		return false;
	size_t body = HEAD + (size_t)*n * ENTRY;
	return get_le64(b + body) == sum_of(2, b, body);
}

int journal_load(struct journal_image *m, const uint8_t *bytes, size_t n, size_t *good, uint64_t *sequence, struct err *err)
{
	size_t at = 0;
	uint32_t entries;

	for (*sequence = 0; at < n; at += journal_frame_bytes(entries)) {
		if (!frame_is_good(bytes + at, n - at, *sequence + 1, &entries)) {
			if (m->complete && is_torn(bytes, n, at))
				break;
			return err_set(err, -EUCLEAN, "record %llu at byte %zu is damaged", (unsigned long long)*sequence + 1, at);
		}
		int code = apply_frame(m, bytes + at + HEAD, entries);
		if (code)
			return err_set(err, code, code == -ENOMEM ? "out of memory" : "record %llu at byte %zu makes no sense",
				       (unsigned long long)*sequence + 1, at);
		++*sequence;
	}
	*good = at;
	return m->complete ? 0 : err_set(err, -EUCLEAN, "it is not complete");
}
