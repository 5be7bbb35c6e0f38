/* Between target*.c. */
#ifndef IODECK_TARGET_PRIVATE_H
#define IODECK_TARGET_PRIVATE_H

#include <sys/stat.h>

#include "target.h"

/* target_use.c: who uses the device `dev`, or the file with this stat: "mounted on /var". 1 and the text, 0: nobody, negative: cannot be
 * told, and why. */
int target_used_by(const struct stat *st, char *text, size_t room);

enum { CONTENT_MAX = 8 };

/* target_content.c: signatures found. */
struct content {
	char type[CONTENT_MAX][32]; /* "ext4", "LVM2_member", "dos" */
	uint32_t n;
	char text[256]; /* "ext4 'data', gpt partition table" */
};
/* `fd` is open for reading. 0 or negative errno. */
int target_content(int fd, struct content *c);

/* target_volume.c: what a volume needs of the targets, and the sizes it leaves to them. 0, -EINVAL, -EPERM. */
void target_fit_volume(struct spec *spec, const struct target_set *set);
int target_check_volume(const struct target_set *set, const struct volume_spec *v, struct err *err);

/* With a state: each target is given the place its label says; the rest is missing. Whether the config is that of the volume. 0, -EPERM. */
int target_match_labels(struct target_set *set, const struct target_permit *permit, struct err *err);
int target_check_image(const struct target_set *set, const struct config *cfg, struct err *err);

/* target_open.c: open one. 0, -EPERM with err. */
/* `volume`: whose label need not be named, 0: none. */
int target_open_one(struct target *t, const struct spec *spec, const struct target_permit *permit, uint64_t volume, char *lost, size_t room,
		    struct err *err);
bool target_is_named(const struct target_permit *p, const char *name);

#endif
