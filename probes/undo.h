/* The undo journal: what the kernel's settings were before iodeck changed them, on disk before the first write. One file, held by one process at a
 * time. It lies where a reboot empties it, as a reboot puts the settings back as well. */
#ifndef IODECK_UNDO_H
#define IODECK_UNDO_H

#include <stdbool.h>
#include <stdint.h>

#include "setting.h"

#define UNDO_FOLDER "/run/iodeck"

enum { UNDO_MAX = 512 };

/* One setting that was changed. */
struct undo_entry {
	struct setting setting;	     /* .value: what it was before iodeck touched it */
	char asked[SETTING_VALUE];   /* written last */
	char effect[SETTING_VALUE];  /* as read back after that; empty while not known */
	bool wrote;		     /* the write came back and was read back */
	bool back;		     /* is as it was again */
};
struct undo_log {
	uint32_t n;
	struct undo_entry *entry; /* owned, UNDO_MAX places */
};

/* ---- the text (undo_text.c): pure ---- */

/* Read the records of a journal; a torn last line was never followed by a write and is left out. 0, or negative with err: not a journal, damaged
 * before its end. */
int undo_parse(const char *text, size_t n, struct undo_log *out, struct err *err);
void undo_log_release(struct undo_log *log);
/* Records as lines, appended to `out`. */
struct strbuf;
void undo_put_head(struct strbuf *out);
void undo_put_want(struct strbuf *out, const struct undo_entry *e);
void undo_put_did(struct strbuf *out, const struct undo_entry *e);
void undo_put_back(struct strbuf *out, const struct undo_entry *e);

/* ---- the file (undo.c). Calls from several threads are put in a row by the caller ---- */

struct undo;
/* Take the journal in `folder` (made when it is not there; must be ours alone). Fails with -EBUSY when another process has it, -EEXIST when an earlier run
 * left settings in it and `take_over` is false. NULL with err. */
struct undo *undo_open(const char *folder, bool take_over, int *code, struct err *err);
const struct undo_log *undo_entries(const struct undo *u);
/* Before a write: keep what it was (the first time), what will be written. On disk when this returns 0; else do not write. */
int undo_want(struct undo *u, const struct setting *s, const char *before, struct err *err);
/* After it: what is in effect. A record that is lost here costs certainty only. */
void undo_did(struct undo *u, const struct setting *s, const char *effect);
/* It is as it was. */
void undo_back(struct undo *u, const struct setting *s);
/* Close; the file goes away when nothing is left in it. Returns how many settings are left. */
uint32_t undo_close(struct undo *u);

/* ---- putting back (undo_restore.c) ---- */

enum undo_result { UNDO_RESTORED, UNDO_ALREADY, UNDO_FOREIGN, UNDO_GONE, UNDO_FAILED };
/* Put one setting back: only if it is still what iodeck made it, unless `force`. `text` gets a sentence. May wait as long as the kernel does. */
enum undo_result undo_restore(const char *root, const struct undo_entry *e, bool force, char *text, size_t room);

#endif
