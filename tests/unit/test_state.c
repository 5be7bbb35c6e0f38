/* The state file: power is lost at each call that makes something durable, with and without what was not synced yet; what is found afterwards is
 * the image before or the image after, never anything else, and nothing that was promised is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "state.h"

enum { AU = 65536, EXTENTS = 300, MOST_FILES = 64, ROOM = 1 << 18 };

/* ---- a file system that forgets ---- */

/* An inode: what it holds now, and what was synced. */
struct inode {
	uint8_t now[ROOM], synced[ROOM];
	size_t n_now, n_synced;
	int fd;
};
/* The folder: which inode has the name `state` and `state.new`, now and durably; -1: none. */
static struct {
	struct inode *inode[MOST_FILES];
	int n, name[2], synced_name[2];
	long calls, dies_at; /* dies_at: no call from this one on has an effect; 0: none dies */
	bool dead;
} fs;

static char path[2][256];
static char folder[200];

static bool dies(void)
{
	if (fs.dies_at && ++fs.calls >= fs.dies_at)
		fs.dead = true;
	errno = EIO;
	return fs.dead;
}

static int which_name(const char *p)
{
	return !strcmp(p, path[1]);
}

static struct inode *inode_of(int fd)
{
	struct stat a, b;

	for (int i = fs.n; i-- > 0;)
		if (!fstat(fd, &a) && !fstat(fs.inode[i]->fd, &b) && a.st_ino == b.st_ino)
			return fs.inode[i];
	return NULL;
}

static int my_create(const char *p)
{
	if (dies())
		return -1;
	assert_true(fs.n < MOST_FILES);
	unlink(p); /* the model's inodes are not used twice */
	int fd = state_libc.create(p);
	struct inode *i = calloc(1, sizeof(*i));
	assert_non_null(i);
	i->fd = dup(fd);
	fs.name[which_name(p)] = fs.n;
	fs.inode[fs.n++] = i;
	return fd;
}

static ssize_t my_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	struct inode *i = inode_of(fd);

	if (dies())
		return -1;
	n = n > 100 ? n / 2 : n; /* short writes are gone on with */
	assert_true(i && (size_t)at + n <= ROOM);
	memcpy(i->now + at, bytes, n);
	i->n_now = (size_t)at + n > i->n_now ? (size_t)at + n : i->n_now;
	return pwrite(fd, bytes, n, at);
}

static int my_sync(int fd)
{
	struct inode *i = inode_of(fd);

	if (dies())
		return -1;
	if (i) {
		memcpy(i->synced, i->now, i->n_now);
		i->n_synced = i->n_now;
	} else {
		memcpy(fs.synced_name, fs.name, sizeof(fs.name));
	}
	return 0;
}

static int my_rename(const char *from, const char *to)
{
	if (dies())
		return -1;
	fs.name[which_name(to)] = fs.name[which_name(from)];
	fs.name[which_name(from)] = -1;
	return rename(from, to);
}

static const struct state_calls calls = {my_create, my_pwrite, my_sync, my_rename};

/* What is there when the power is back: `kept`: also what was not synced has arrived. */
static void power_returns(bool kept)
{
	const int *name = kept ? fs.name : fs.synced_name;

	for (int k = 0; k < 2; k++) {
		unlink(path[k]);
		if (name[k] < 0)
			continue;
		const struct inode *i = fs.inode[name[k]];
		int fd = open(path[k], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		const uint8_t *bytes = kept ? i->now : i->synced;
		size_t n = kept ? i->n_now : i->n_synced;
		assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
		close(fd);
	}
}

static void forget(void)
{
	for (int i = 0; i < fs.n; i++) {
		close(fs.inode[i]->fd);
		free(fs.inode[i]);
	}
	memset(&fs, 0, sizeof(fs));
	fs.name[0] = fs.name[1] = fs.synced_name[0] = fs.synced_name[1] = -1;
	unlink(path[0]);
	unlink(path[1]);
}

/* ---- a life of a state file ---- */

static void lay_out(struct journal_image *m)
{
	struct volume_params p = {.copies = 2, .disks = 4, .au_bytes = AU, .size_bytes = (uint64_t)EXTENTS * AU, .known = 5, .slots = 400, .first_slot = 1};

	assert_int_equal(image_lay_out(m, &p, NULL), 0);
	m->fact[FACT_LABELLED] = 1;
}

static struct journal_entry entry(int i)
{
	return (struct journal_entry){.type = JOURNAL_DIRTY, .a = (uint32_t)i};
}

/* Steps promised durable before the power was lost: 0 none, 1 the file, 2.. one entry each. -1: the file does not even open. */
static int life(int n, int compact_every)
{
	struct state *s;
	struct err err;
	int done = 0;

	assert_int_equal(state_open(path[0], &calls, &s, &err), 0);
	lay_out(state_image(s));
	if (!state_create(s, &err)) {
		done = 1;
		for (int i = 0; i < n; i++) {
			struct journal_entry e = entry(i);
			if (state_append(s, &e, 1, &err))
				break;
			done = i + 2;
			if (compact_every && (i + 1) % compact_every == 0 && state_create(s, &err))
				break;
		}
	}
	state_close(s);
	return done;
}

static void check_what_is_left(int promised, int most, bool kept)
{
	struct state *s;
	struct err err;

	power_returns(kept);
	int code = state_open(path[0], &state_libc, &s, &err);
	if (code)
		fail_msg("after %d promises: %s", promised, err.text);
	if (!promised && !state_goes_on(s)) {
		state_close(s);
		return;
	}
	assert_true(state_goes_on(s));
	int there = 0;
	while (there < most && state_image(s)->extent[there] & IMAGE_DIRTY)
		there++;
	assert_true(there + 1 >= promised);
	for (int i = there; i < EXTENTS; i++)
		assert_int_equal(state_image(s)->extent[i], 0);
	struct journal_entry e = entry(most);
	assert_int_equal(state_append(s, &e, 1, &err), 0); /* and it goes on */
	state_close(s);
	assert_int_equal(state_open(path[0], &state_libc, &s, &err), 0);
	assert_int_equal(state_image(s)->extent[most] & IMAGE_DIRTY, IMAGE_DIRTY);
	state_close(s);
}

static void power_may_be_lost_at_any_call(void **state)
{
	enum { ENTRIES = 7, EVERY = 3 };
	long n;

	(void)state;
	forget();
	fs.dies_at = 1000000;
	assert_int_equal(life(ENTRIES, EVERY), ENTRIES + 1);
	n = fs.calls;
	assert_true(n > 30);
	for (long at = 1; at <= n; at++)
		for (int kept = 0; kept < 2; kept++) {
			forget();
			fs.dies_at = at;
			int promised = life(ENTRIES, EVERY);
			check_what_is_left(promised, ENTRIES, kept);
		}
	forget();
}

/* The check can fail: without the sync of the file, or of the folder, a promise is broken. */
static int no_sync_of_files(int fd)
{
	return inode_of(fd) ? (dies() ? -1 : 0) : my_sync(fd);
}
static int no_sync_of_folder(int fd)
{
	return inode_of(fd) ? my_sync(fd) : (dies() ? -1 : 0);
}

static bool is_broken(int (*sync)(int fd))
{
	struct state_calls lazy = calls;
	struct state *s, *back;
	struct err err;
	struct journal_entry e = entry(0);

	forget();
	lazy.sync = sync;
	assert_int_equal(state_open(path[0], &lazy, &s, &err), 0);
	lay_out(state_image(s));
	assert_int_equal(state_create(s, &err), 0);
	assert_int_equal(state_append(s, &e, 1, &err), 0);
	state_close(s);
	power_returns(false);
	bool broken = state_open(path[0], &state_libc, &back, &err) != 0;
	if (!broken) {
		broken = !state_goes_on(back) || !(state_image(back)->extent[0] & IMAGE_DIRTY);
		state_close(back);
	}
	forget();
	return broken;
}

static void without_a_sync_promises_are_broken(void **state)
{
	(void)state;
	assert_false(is_broken(my_sync));
	assert_true(is_broken(no_sync_of_files));
	assert_true(is_broken(no_sync_of_folder));
}

/* ---- what must not be used ---- */

static void what_must_not_be_used_is_refused(void **state)
{
	struct state *s, *other;
	struct err err;

	(void)state;
	forget();
	assert_int_equal(state_open("/dev/volume.state", &state_libc, &s, &err), -EPERM);
	assert_non_null(strstr(err.text, "nothing is ever created under /dev"));
	assert_int_equal(state_open("/nowhere/at/all", &state_libc, &s, &err), -EPERM);
	assert_int_equal(state_open(folder, &state_libc, &s, &err), -EPERM);
	assert_int_equal(symlink("/etc/passwd", path[0]), 0);
	assert_int_equal(state_open(path[0], &state_libc, &s, &err), -EPERM);
	assert_non_null(strstr(err.text, "symbolic link"));
	unlink(path[0]);
	int fd = open(path[0], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "not a state file", 16), 16);
	close(fd);
	assert_int_equal(state_open(path[0], &state_libc, &s, &err), -EPERM);
	assert_non_null(strstr(err.text, "damaged"));
	struct stat st;
	assert_int_equal(stat(path[0], &st), 0);
	assert_int_equal(st.st_size, 16); /* untouched */
	unlink(path[0]);
	assert_int_equal(state_open(path[0], &state_libc, &s, &err), 0);
	lay_out(state_image(s));
	assert_int_equal(state_create(s, &err), 0);
	assert_int_equal(state_open(path[0], &state_libc, &other, &err), -EPERM);
	assert_non_null(strstr(err.text, "another process is using it"));
	state_close(s);
	unlink(path[0]);
}

static void put_file(const char *p, const char *bytes, size_t n)
{
	int fd = open(p, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

/* The new file takes the place of what a crash left of one, and of no other. */
static void a_file_in_the_way_is_left_alone(void **state)
{
	static const char *const foreign[] = {"somebody's notes", "IODEKJL", "IODEKJ!"};
	static const size_t ours[] = {0, 5, 8};
	struct state *s;
	struct err err;
	struct stat st;

	(void)state;
	forget();
	unlink(path[0]);
	for (int i = 0; i < 3; i++) {
		size_t n = strlen(foreign[i]) + 1;
		put_file(path[1], foreign[i], n);
		assert_int_equal(state_open(path[0], &state_libc, &s, &err), -EPERM);
		assert_non_null(strstr(err.text, "in the way"));
		assert_int_equal(stat(path[1], &st), 0);
		assert_int_equal(st.st_size, n); /* untouched */
	}
	unlink(path[1]);
	assert_int_equal(state_open(path[1], &state_libc, &s, &err), -EPERM);
	assert_non_null(strstr(err.text, ".new at its end"));
	for (int i = 0; i < 3; i++) {
		put_file(path[1], "IODEKJL1", ours[i]);
		assert_int_equal(state_open(path[0], &state_libc, &s, &err), 0);
		lay_out(state_image(s));
		assert_int_equal(state_create(s, &err), 0);
		assert_int_equal(stat(path[1], &st), -1); /* it has the name now */
		put_file(path[1], "came meanwhile", 14);
		assert_int_equal(state_create(s, &err), -EEXIST);
		assert_int_equal(stat(path[1], &st), 0);
		assert_int_equal(st.st_size, 14);
		state_close(s);
		unlink(path[0]);
		unlink(path[1]);
	}
}

/* ---- the thread ---- */

static void the_thread_makes_frames_durable(void **state)
{
	struct state *s;
	struct err err;
	struct journal j;
	const struct journal_entry *done;
	const int no_disks[1] = {-1};
	uint32_t n, seen = 0;

	(void)state;
	assert_int_equal(state_open(path[0], &state_libc, &s, &err), 0);
	lay_out(state_image(s));
	assert_int_equal(state_create(s, &err), 0);
	struct journal_store *store = state_store(s, no_disks, 1, &err);
	assert_non_null(store);
	journal_init(&j, store);
	for (int i = 0; i < EXTENTS; i++) {
		struct journal_entry e = entry(i);
		journal_put(&j, &e, 1);
		(void)journal_turn(&j, &done, &n);
		seen += n;
	}
	while (!journal_is_idle(&j)) {
		(void)journal_turn(&j, &done, &n);
		seen += n;
		if (!n)
			state_wait(s, 10);
	}
	assert_int_equal(seen, EXTENTS);
	journal_release(&j);
	/* a disk that cannot be flushed is named */
	int pipes[2];
	uint64_t failed = 0;
	assert_int_equal(pipe(pipes), 0);
	store = state_store(s, pipes, 1, &err);
	journal_init(&j, store);
	journal_put(&j, &(struct journal_entry){.type = JOURNAL_CLEAN, .a = 3}, 1);
	while (!failed) {
		failed = journal_turn(&j, &done, &n);
		state_wait(s, 10);
	}
	assert_int_equal(failed, 1);
	while (!journal_is_idle(&j)) {
		assert_int_equal(journal_turn(&j, &done, &n), 0);
		state_wait(s, 10);
	}
	journal_release(&j);
	close(pipes[0]);
	close(pipes[1]);
	state_close(s);
	assert_int_equal(state_open(path[0], &state_libc, &s, &err), 0);
	for (int i = 0; i < EXTENTS; i++)
		assert_int_equal(state_image(s)->extent[i] & IMAGE_DIRTY, i != 3);
	state_close(s);
	unlink(path[0]);
}

static int make_folder(void **state)
{
	const char *temp = getenv("TMPDIR");

	(void)state;
	text_format(folder, sizeof(folder), "%s/state.XXXXXX", temp ? temp : "/tmp");
	if (!mkdtemp(folder))
		return -1;
	text_format(path[0], sizeof(path[0]), "%s/state", folder);
	text_format(path[1], sizeof(path[1]), "%s/state.new", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(power_may_be_lost_at_any_call),
		cmocka_unit_test(without_a_sync_promises_are_broken),
		cmocka_unit_test(what_must_not_be_used_is_refused),
		cmocka_unit_test(a_file_in_the_way_is_left_alone),
		cmocka_unit_test(the_thread_makes_frames_durable),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
