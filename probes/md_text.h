/* Texts of Linux md. Pure functions. Formats: drivers/md/md.c. */
#ifndef IODECK_MD_TEXT_H
#define IODECK_MD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MD_MAX_ARRAYS = 32, MD_MAX_MEMBERS = 32 };

struct md_member {
	char name[32];
	int64_t slot;
	char flag; /* F faulty, S spare, W write-mostly, J journal, R replacement; 0: none */
};

/* One array of /proc/mdstat. */
struct md_array {
	char name[32], state[24], level[16]; /* state: "active", "inactive"; level empty: not told */
	bool read_only;
	uint64_t blocks;		/* KiB */
	int64_t disks, working;		/* "[2/1]"; -1: not told */
	char up[MD_MAX_MEMBERS + 1];	/* "U_" */
	uint32_t n_members;
	struct md_member member[MD_MAX_MEMBERS];
	char action[16];		/* "resync", "recovery", "check", "reshape"; empty: none */
	char waiting[16];		/* "PENDING", "DELAYED", "REMOTE" in place of progress */
	double percent, finish_min;	/* NaN: not told */
	int64_t done_kib, total_kib, speed_kib_s; /* -1: not told */
};

/* /proc/mdstat. Number of arrays in `out` (at most `room`), or -EINVAL: cut or of another form. */
int md_parse_mdstat(const char *text, size_t length, struct md_array *out, uint32_t room);
/* "500 (system)", "5000 (local)", "none", "max": -1 for a word. 0 or -EINVAL. */
int md_parse_speed(const char *text, size_t length, int64_t *kib, bool *local);

#endif
