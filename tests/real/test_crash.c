/* kill -9 at any moment: a mirrored volume on loop devices (plain files where there are none) under load; a disk vanishes, is dropped, another is
 * added, all at moments of their own; then the process is killed, several times, and goes on. The test keeps its own list of acknowledged
 * generations in memory that outlives the child, and after each death reads the disks itself, by the map of the state file: every acknowledged
 * write is on every copy that counts, and copies that count as clean are the same. The last life ends by itself, with the final check.
 * CRASH_ROUNDS: how many (20); CRASH_SEED: of the first round, which is printed with each failure. The moments are of the wall clock, so a
 * round that is run again has the same plan, not the same instant. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine.h"
#include "preset.h"
#include "stack/journal.h"
#include "stack/verify.h"
#include "target.h"

enum { DISKS = 4, ALL = 5, AU = 65536, EXTENTS = 48, BLOCK = 4096, PER_AU = AU / BLOCK, BLOCKS = EXTENTS * PER_AU, DISK_BYTES = 4 << 20,
       MOST_LIVES = 4, KNOWN_GOOD = 7 };

static struct disk {
	char file[256], node[256];
	int loop; /* descriptor; -1: the file itself is the target */
	bool gone;
} disk[ALL];
static char folder[200], state_path[256], preset_path[256];
static struct verify_mark *marks;             /* shared with the child */
static uint64_t acked[BLOCKS];                /* the list: session << 32 | generation */
static bool doubtful[BLOCKS];                 /* a write failed: not known what is there */
static uint64_t n_acked, n_copies, n_kills, n_vanished, n_moves;

/* ---- disks ---- */

static int attach(struct disk *d)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), file = open(d->file, O_RDWR | O_CLOEXEC);

	d->loop = -1;
	for (int tries = 0; control >= 0 && file >= 0 && d->loop < 0 && tries < 50; tries++) {
		int n = ioctl(control, LOOP_CTL_GET_FREE);
		snprintf(d->node, sizeof(d->node), "/dev/loop%d", n);
		d->loop = n < 0 ? -1 : open(d->node, O_RDWR | O_CLOEXEC);
		if (d->loop >= 0 && ioctl(d->loop, LOOP_SET_FD, file)) {
			close(d->loop); /* somebody else was faster */
			d->loop = -1;
		}
	}
	if (control >= 0)
		close(control);
	if (file >= 0)
		close(file);
	return d->loop;
}

/* A loop device shrinks to one sector in one moment: what was there is out of reach, as on a device that went away. (Shrinking the file below
 * would let the device answer with zeros for a while.) */
static void set_gone(struct disk *d, bool gone)
{
	struct loop_info64 info;

	if (d->loop < 0)
		return;
	if (ioctl(d->loop, LOOP_GET_STATUS64, &info))
		exit(99);
	info.lo_sizelimit = gone ? 512 : 0;
	if (ioctl(d->loop, LOOP_SET_STATUS64, &info))
		exit(99);
	d->gone = gone;
}

static void detach_all(void)
{
	for (int i = 0; i < ALL; i++) {
		if (disk[i].loop >= 0) {
			ioctl(disk[i].loop, LOOP_CLR_FD);
			close(disk[i].loop);
		}
		unlink(disk[i].file);
	}
	unlink(state_path);
	unlink(preset_path);
	rmdir(folder);
}

/* True: on loop devices. */
static bool make_disks(void)
{
	bool loops = true;

	for (int i = 0; i < ALL; i++) {
		struct disk *d = &disk[i];
		snprintf(d->file, sizeof(d->file), "%s/d%d.img", folder, i + 1);
		int fd = open(d->file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 || ftruncate(fd, DISK_BYTES))
			exit(99);
		close(fd);
		loops = attach(d) >= 0 && loops;
	}
	for (int i = 0; i < ALL && !loops; i++) {
		if (disk[i].loop >= 0) {
			ioctl(disk[i].loop, LOOP_CLR_FD);
			close(disk[i].loop);
		}
		disk[i].loop = -1;
		memcpy(disk[i].node, disk[i].file, sizeof(disk[i].node));
	}
	return loops;
}

/* ---- the child: one life ---- */

struct plan {
	uint32_t bs, vanishes;   /* vanishes: the disk */
	uint64_t seed;
	int64_t vanish_ns, drop_ns, add_ns; /* from the start of the first life; 0: it does not happen */
	int64_t kill_ns[MOST_LIVES];
	uint32_t lives;          /* that are killed */
};

static void die(const char *what, const struct err *err)
{
	fprintf(stderr, "# child: %s: %s\n", what, err->text);
	_exit(3);
}

static void write_preset(const struct plan *p, int64_t run_ms)
{
	FILE *f = fopen(preset_path, "w");

	if (!f)
		exit(99);
	fprintf(f, "# Is anything lost?\n[volume]\nredundancy = normal\ndisks = %d\nau = %d\ngroup = %d\npower = 8\nverify = yes\nstate = %s\n"
		   "[job a]\nrw = randrw\nrwmixread = 30\nbs = %u\niodepth = 16\n[step one]\nrun = %lldms\n",
		DISKS, AU, EXTENTS * AU, state_path, p->bs, (long long)run_ms);
	fclose(f);
}

/* How the last life ended. */
struct ending {
	uint64_t errors, relocations;
	char note[1024];
};

static void take_step(void *data, const struct step_result *r)
{
	struct ending *e = data;

	e->errors = r->errors + r->short_transfers;
	for (uint32_t i = 0; i < r->n_notes; i++)
		if (strstr(r->note[i], "verify") && strlen(e->note) + strlen(r->note[i]) + 2 < sizeof(e->note))
			strcat(strcat(e->note, r->note[i]), "\n");
}

static void command(struct engine *e, const char *text)
{
	struct command c = {.type = COMMAND_FAULT, .cause = CAUSE_COMMAND};

	snprintf(c.text, sizeof(c.text), "%s", text);
	(void)engine_command(e, &c, NULL); /* a disk that is lost already, or gone with the last life, is refused: fine */
}

static struct target_permit allow(char (*name)[64])
{
	struct target_permit p = {.write = true};

	for (uint32_t i = 0; i < ALL; i++) {
		p.name[p.n_names++] = disk[i].node;
		snprintf(name[i], 64, "missing-d%u", i + 1);
		if (disk[i].gone)
			p.name[p.n_names++] = name[i];
	}
	p.name[p.n_names++] = "iodeck_volume";
	return p;
}

static void live(const struct plan *p, int64_t begin_ns, bool last)
{
	char name[ALL][64], text[32];
	struct err err = {""};
	struct spec *spec;
	struct target_set *set = NULL;
	struct ending ending = {0};
	struct clock clock = clock_monotonic();
	struct target_permit permit = allow(name);
	bool vanished = disk[p->vanishes].gone, dropped = false, added = false;

	if (preset_load(preset_path, &spec, &err) < 0)
		die("preset", &err);
	for (int i = 0; i < ALL; i++) {
		snprintf(text, sizeof(text), "t%d", i);
		if (!disk[i].gone && spec_add_target(spec, text, disk[i].node, &err) < 0)
			die("target", &err);
	}
	if (target_open(spec, &permit, &set, &err) < 0)
		die("targets", &err);
	struct engine_options o = {.backend = "aio", .targets = set, .clock = clock, .marks = marks,
				   .sink = {.step_end = take_step, .data = &ending}};
	struct engine *e = engine_new(spec, &o, &err);
	if (!e)
		die("engine", &err);
	int more = 1;
	while (more > 0) {
		int64_t at = clock_now(&clock) - begin_ns;
		if (p->vanish_ns && at >= p->vanish_ns && !vanished) {
			vanished = true;
			set_gone(&disk[p->vanishes], true);
		}
		snprintf(text, sizeof(text), "drop d%u", p->vanishes + 1);
		if (p->drop_ns && at >= p->drop_ns && !dropped) {
			dropped = true;
			command(e, text);
		}
		if (p->add_ns && at >= p->add_ns && !added) {
			added = true;
			command(e, "add d5");
		}
		more = engine_run_until(e, engine_now(e) + NS_PER_MS, &err);
	}
	if (more < 0)
		die("run", &err);
	engine_free(e);
	target_close(set);
	spec_free(spec);
	if (ending.errors || !last || !strstr(ending.note, "all as acknowledged"))
		fprintf(stderr, "# child: %llu errors; %s\n", (unsigned long long)ending.errors, ending.note);
	_exit(last && !ending.errors && strstr(ending.note, "all as acknowledged") ? KNOWN_GOOD : 4);
}

/* ---- the parent: what is there now ---- */

static const char *wrong;
static char detail[sizeof(struct err)];

static void fail(const char *what, uint32_t block, uint32_t d, uint64_t has, uint64_t wants)
{
	if (wrong)
		return;
	wrong = what;
	snprintf(detail, sizeof(detail), "block %u, disk d%u: has %llx, wants %llx", block, d + 1, (unsigned long long)has, (unsigned long long)wants);
}

static bool load_image(struct journal_image *m)
{
	static uint8_t bytes[4 << 20];
	int fd = open(state_path, O_RDONLY | O_CLOEXEC);
	size_t good;
	uint64_t sequence;
	struct err err;

	*m = (struct journal_image){.place = NULL};
	ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof(bytes));
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false; /* killed before there was one */
	if (!journal_load(m, bytes, (size_t)n, &good, &sequence, &err))
		return true;
	wrong = "the state file is damaged";
	snprintf(detail, sizeof(detail), "%s", err.text);
	image_release(m);
	return false;
}

/* What the child acknowledged goes to the list, under the session it was. */
static void take_list(uint64_t session)
{
	for (uint32_t b = 0; b < BLOCKS; b++) {
		if (!marks[b].generation)
			continue;
		doubtful[b] = marks[b].unsure;
		n_acked += marks[b].generation;
		acked[b] = session << 32 | marks[b].generation;
	}
	memset(marks, 0, BLOCKS * sizeof(*marks));
}

static bool read_block(const struct journal_image *m, const int *fd, uint32_t b, uint32_t copy, uint8_t *data, uint32_t *d)
{
	struct place p = m->place[b / PER_AU * 2 + copy];

	*d = p.disk;
	if (m->disk[p.disk].flags & IMAGE_LOST || fd[p.disk] < 0)
		return false;
	return pread(fd[p.disk], data, BLOCK, (off_t)p.slot * AU + b % PER_AU * BLOCK) == BLOCK;
}

static void check_block(const struct journal_image *m, const int *fd, uint32_t b)
{
	static uint8_t data[2][BLOCK] __attribute__((aligned(BLOCK)));
	struct verify_stamp found[2] = {{0, 0, 0}, {0, 0, 0}};
	enum verify_found what[2];
	uint32_t d, n = 0;

	for (uint32_t c = 0; c < 2; c++) {
		if (!read_block(m, fd, b, c, data[n], &d))
			continue;
		n_copies++;
		what[n] = verify_read_block(data[n], BLOCK, m->fact[FACT_VOLUME], &found[n]);
		if (acked[b] && !doubtful[b]) {
			if (what[n] != VERIFY_WHOLE)
				fail("a copy does not hold what was acknowledged", b, d, what[n], acked[b]);
			else if (found[n].address != (uint64_t)b * BLOCK)
				fail("a copy holds another block", b, d, found[n].address, (uint64_t)b * BLOCK);
			else if (found[n].generation < acked[b])
				fail("an acknowledged write is lost", b, d, found[n].generation, acked[b]);
		}
		if (!m->extent[b / PER_AU] && what[n] == VERIFY_WHOLE && found[n].address == (uint64_t)b * BLOCK)
			fail("an AU was written before it was marked", b, d, found[n].generation, 0);
		n++;
	}
	if (!n && acked[b])
		fail("no copy is left", b, 0, 0, acked[b]);
	if (n == 2 && !(m->extent[b / PER_AU] & IMAGE_DIRTY) && m->extent[b / PER_AU] && (what[0] != VERIFY_NONE || what[1] != VERIFY_NONE) &&
	    memcmp(data[0], data[1], BLOCK) != 0)
		fail("copies of a clean AU differ", b, d, found[1].generation, found[0].generation);
}

static void check_map(const struct journal_image *m, const int *fd)
{
	for (uint32_t b = 0; b < BLOCKS; b++)
		check_block(m, fd, b);
	for (uint32_t e = 0; e < EXTENTS * 2; e++)
		n_moves += m->place[e].disk == DISKS;
}

static void check_disks(void)
{
	struct journal_image m;
	int fd[ALL];

	for (int i = 0; i < ALL; i++) {
		int f = open(disk[i].node, O_RDONLY | O_CLOEXEC | O_DIRECT);
		off_t bytes = f < 0 ? 0 : lseek(f, 0, SEEK_END);
		disk[i].gone = bytes < DISK_BYTES;
		fd[i] = disk[i].gone ? -1 : f;
		if (disk[i].gone && f >= 0)
			close(f);
	}
	if (load_image(&m)) {
		take_list(m.fact[FACT_SESSION]);
		check_map(&m, fd);
		image_release(&m);
	}
	for (int i = 0; i < ALL; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

/* ---- a round ---- */

static void pause_ns(int64_t ns)
{
	nanosleep(&(struct timespec){ns / NS_PER_S, ns % NS_PER_S}, NULL);
}

static struct plan draw_plan(uint64_t seed)
{
	static const uint32_t sizes[] = {4096, 8192, 12288, 65536};
	struct rng rng;
	struct plan p = {.seed = seed};

	rng_init(&rng, seed, 1);
	p.bs = sizes[rng_below(&rng, 4)];
	p.vanishes = (uint32_t)rng_below(&rng, DISKS);
	p.vanish_ns = rng_below(&rng, 4) ? 10 * NS_PER_MS + (int64_t)rng_below(&rng, 60 * NS_PER_MS) : 0;
	p.drop_ns = rng_below(&rng, 4) ? 15 * NS_PER_MS + (int64_t)rng_below(&rng, 80 * NS_PER_MS) : 0;
	p.add_ns = rng_below(&rng, 4) ? 10 * NS_PER_MS + (int64_t)rng_below(&rng, 80 * NS_PER_MS) : 0;
	p.lives = 1 + (uint32_t)rng_below(&rng, MOST_LIVES - 1);
	for (uint32_t i = 0; i < p.lives; i++)
		p.kill_ns[i] = 8 * NS_PER_MS + (int64_t)rng_below(&rng, 90 * NS_PER_MS);
	return p;
}

/* The child's wait status. */
static int run_life(const struct plan *p, int64_t begin_ns, int64_t kill_ns)
{
	int status;

	write_preset(p, kill_ns ? 60000 : 40);
	pid_t pid = fork();
	if (!pid)
		live(p, begin_ns, !kill_ns);
	if (kill_ns) {
		pause_ns(kill_ns);
		kill(pid, SIGKILL);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		exit(99);
	return status;
}

static bool run_round(uint64_t seed)
{
	struct plan p = draw_plan(seed);
	struct clock clock = clock_monotonic();
	int64_t begin = clock_now(&clock);
	int status;

	wrong = NULL;
	detail[0] = '\0';
	memset(acked, 0, sizeof(acked));
	memset(doubtful, 0, sizeof(doubtful));
	memset(marks, 0, BLOCKS * sizeof(*marks));
	unlink(state_path);
	for (int i = 0; i < ALL; i++)
		if (disk[i].gone)
			set_gone(&disk[i], false);
	for (uint32_t life = 0; life < p.lives && !wrong; life++) {
		status = run_life(&p, begin, p.kill_ns[life]);
		n_kills++;
		if (!WIFSIGNALED(status))
			wrong = "a life ended before it was killed";
		else
			check_disks();
	}
	if (!wrong) {
		status = run_life(&p, begin, 0);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != KNOWN_GOOD)
			wrong = "the last life did not end well";
		else
			check_disks();
	}
	for (int i = 0; i < ALL; i++)
		n_vanished += disk[i].gone;
	return !wrong;
}

static void print_plan(uint64_t seed)
{
	struct plan p = draw_plan(seed);

	printf("# seed %llu: bs %u; ms: d%u vanishes at %.1f, is dropped at %.1f, d5 is added at %.1f (0: never); killed after", (unsigned long long)seed,
	       p.bs, p.vanishes + 1, (double)p.vanish_ns / 1e6, (double)p.drop_ns / 1e6, (double)p.add_ns / 1e6);
	for (uint32_t i = 0; i < p.lives; i++)
		printf(" %.1f", (double)p.kill_ns[i] / 1e6);
	printf("\n");
}

static uint64_t number(const char *name, uint64_t fallback)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : fallback;
}

int main(void)
{
	uint64_t rounds = number("CRASH_ROUNDS", 20), seed = number("CRASH_SEED", 1), failed = 0;
	const char *temp = getenv("TMPDIR");

	/* Memory keeps what a killed process wrote as well as a disk does, and is not what is tested. */
	if (!access("/dev/shm", W_OK) && !access("/dev/loop-control", R_OK | W_OK))
		temp = "/dev/shm";
	snprintf(folder, sizeof(folder), "%s/crash.XXXXXX", temp ? temp : "/tmp");
	if (!mkdtemp(folder))
		return 99;
	snprintf(state_path, sizeof(state_path), "%s/volume.state", folder);
	snprintf(preset_path, sizeof(preset_path), "%s/crash.ini", folder);
	marks = mmap(NULL, BLOCKS * sizeof(*marks), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (marks == MAP_FAILED)
		return 99;
	atexit(detach_all);
	printf("# on %s\n", make_disks() ? "loop devices" : "plain files: no loop devices here");
	printf("1..%llu\n", (unsigned long long)rounds);
	for (uint64_t i = 0; i < rounds; i++) {
		bool good = run_round(seed + i);
		failed += !good;
		if (!good || rounds == 1)
			print_plan(seed + i);
		if (!good)
			printf("# CRASH_SEED=%llu CRASH_ROUNDS=1: %s: %s\n", (unsigned long long)(seed + i), wrong, detail);
		printf("%sok %llu - round with seed %llu\n", good ? "" : "not ", (unsigned long long)i + 1, (unsigned long long)(seed + i));
		fflush(stdout);
	}
	printf("# %llu kills, %llu disks vanished, %llu writes of a block acknowledged, %llu copies of blocks read, %llu AU found on the added disk\n",
	       (unsigned long long)n_kills, (unsigned long long)n_vanished, (unsigned long long)n_acked, (unsigned long long)n_copies,
	       (unsigned long long)n_moves);
	return failed > 0;
}
