/* A 64-bit check sum of bytes. Each step is one to one in the sum and in the word, so one changed word always changes the result; more
 * than one does but for one chance in 2^64. It guards against mistakes and decay, not against malice. */
#ifndef IODECK_HASH_H
#define IODECK_HASH_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_word(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15); /* odd: 2^64 over the golden ratio */
	return sum ^ sum >> 32;
}

/* Little-endian words on every machine; what is left over at the end is filled up with zeros. */
static inline uint64_t hash_bytes(uint64_t sum, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint64_t word;

	for (; n >= sizeof(word); n -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		sum = hash_word(sum, le64toh(word));
	}
	if (n) {
		word = 0;
		memcpy(&word, at, n);
		sum = hash_word(sum, le64toh(word));
	}
	return sum;
}

static inline void put_le64(void *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, sizeof(value));
}

static inline void put_le32(void *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
}

static inline uint64_t get_le64(const void *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

static inline uint32_t get_le32(const void *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

#endif
