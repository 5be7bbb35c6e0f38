#include "label.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

enum { BYTES = 4096, AT_FORMAT = 16, AT_VOLUME = 24, AT_DISK = 32, AT_INDEX = 40, AT_AU = 48, AT_SUM = 56, FORMAT = 1 };
static const char magic[AT_FORMAT] = "iodeck volume\n";

static uint64_t sum_of(const uint8_t *b)
{
	return hash_bytes(3, b, AT_SUM);
}

int label_read(int fd, struct disk_label *l)
{
	uint8_t *b = aligned_alloc(BYTES, BYTES);

	if (!b)
		return -ENOMEM;
	ssize_t n = pread(fd, b, BYTES, 0);
	int code = n < 0 ? -errno : n == BYTES && !memcmp(b, magic, sizeof(magic)) && get_le64(b + AT_SUM) == sum_of(b);
	if (code == 1)
		*l = (struct disk_label){get_le64(b + AT_VOLUME), get_le64(b + AT_DISK), (uint32_t)get_le64(b + AT_INDEX), get_le64(b + AT_AU)};
	free(b);
	return code;
}

int label_write(int fd, const struct disk_label *l)
{
	uint8_t *b = aligned_alloc(BYTES, BYTES);

	if (!b)
		return -ENOMEM;
	memset(b, 0, BYTES);
	memcpy(b, magic, sizeof(magic));
	put_le64(b + AT_FORMAT, FORMAT);
	put_le64(b + AT_VOLUME, l->volume);
	put_le64(b + AT_DISK, l->disk);
	put_le64(b + AT_INDEX, l->index);
	put_le64(b + AT_AU, l->au_bytes);
	put_le64(b + AT_SUM, sum_of(b));
	ssize_t n = pwrite(fd, b, BYTES, 0);
	int code = n == BYTES ? 0 : n < 0 ? -errno : -EIO;
	if (!code && fdatasync(fd))
		code = -errno;
	free(b);
	return code;
}
