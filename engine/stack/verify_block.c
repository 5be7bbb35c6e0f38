#include "stack/verify_block.h"

#include <stdbool.h>

#include "base/hash.h"

#define MAGIC UINT64_C(0x314b434b45444f49) /* "IODEKCK1" in the order of bytes */

/* Offsets of 64-bit fields, little-endian; behind them comes what only fills the block. */
enum { AT_MAGIC = 0, AT_VOLUME = 8, AT_ADDRESS = 16, AT_GENERATION = 24, AT_BYTES = 32, AT_SUM = 40, HEAD = 48 };

static uint64_t sum_of(const uint8_t *b, uint32_t bytes)
{
	uint64_t sum = hash_bytes(bytes, b, AT_SUM);

	return hash_bytes(sum, b + HEAD, bytes - HEAD);
}

/* No two blocks are alike, so that nothing can be compressed or found twice (xorshift, Marsaglia 2003). */
static void write_rest(uint8_t *b, uint32_t bytes, uint64_t x)
{
	for (uint32_t at = HEAD; at < bytes; at += sizeof(x)) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		put_le64(b + at, x);
	}
}

void verify_write_block(void *block, uint32_t bytes, const struct verify_stamp *s)
{
	uint64_t seed = hash_word(hash_word(s->volume, s->address), s->generation);
	uint8_t *b = block;

	put_le64(b + AT_MAGIC, MAGIC);
	put_le64(b + AT_VOLUME, s->volume);
	put_le64(b + AT_ADDRESS, s->address);
	put_le64(b + AT_GENERATION, s->generation);
	put_le64(b + AT_BYTES, bytes);
	write_rest(b, bytes, seed + !seed);
	put_le64(b + AT_SUM, sum_of(b, bytes));
}

enum verify_found verify_read_block(const void *block, uint32_t bytes, uint64_t volume, struct verify_stamp *found)
{
	const uint8_t *b = block;
	bool magic = get_le64(b + AT_MAGIC) == MAGIC, ours = get_le64(b + AT_VOLUME) == volume;

	if (!magic && !ours)
		return VERIFY_NONE;
	*found = (struct verify_stamp){get_le64(b + AT_VOLUME), get_le64(b + AT_ADDRESS), get_le64(b + AT_GENERATION)};
	bool whole = get_le64(b + AT_BYTES) == bytes && get_le64(b + AT_SUM) == sum_of(b, bytes);
	if (whole && magic)
		return ours ? VERIFY_WHOLE : VERIFY_NONE;
	return ours ? VERIFY_BROKEN : VERIFY_NONE;
}
