/* The door to libdevmapper. */
#include "dm.h"

#include <errno.h>
#include <libdevmapper.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the library would print. */
static void say_nothing(int level, const char *file, int line, int code, const char *fmt, ...)
{
	(void)level, (void)file, (void)line, (void)code, (void)fmt;
}

/* Without its node the library would make one; the kernel's answer to a map that does not exist is of no use anyway. */
static int check_control(struct err *err)
{
	struct stat st;

	if (stat("/dev/mapper/control", &st) || !S_ISCHR(st.st_mode))
		return err_set(err, -ENOENT, "/dev/mapper/control is not there: no device mapper to ask");
	return 0;
}

static int failed(struct dm_task *task, const struct dm_map *map, const char *what, struct err *err)
{
	int code = task ? dm_task_get_errno(task) : ENOMEM;

	if (!code)
		code = EIO;
	return err_set(err, -code, "%s (%s): %s: %s%s", map->kernel, map->name, what, strerror(code),
		       code == EACCES || code == EPERM ? " (root may)" : "");
}

/* A task on the map of that name, NULL with err. */
static struct dm_task *new_task(const struct dm_map *map, int type, struct err *err)
{
	struct dm_task *task;

	if (check_control(err))
		return NULL;
	dm_log_with_errno_init(say_nothing);
	task = dm_task_create(type);
	if (task && dm_task_set_name(task, map->name) && dm_task_no_open_count(task))
		return task;
	failed(NULL, map, "cannot ask the device mapper", err);
	if (task)
		dm_task_destroy(task);
	return NULL;
}

/* Run it, and be sure that the name still means the device it meant when it was read. */
static int run_task(struct dm_task *task, const struct dm_map *map, const char *what, struct err *err)
{
	struct dm_info info;

	if (!dm_task_run(task))
		return failed(task, map, what, err);
	if (!dm_task_get_info(task, &info) || !info.exists || info.major != map->major || info.minor != map->minor)
		return err_set(err, -ENODEV, "%s (%s): another map has that name now", map->kernel, map->name);
	return 0;
}

static void put_targets(struct dm_task *task, struct strbuf *out)
{
	void *next = NULL;

	do {
		uint64_t start, length;
		char *type = NULL, *params = NULL;

		next = dm_get_next_target(task, next, &start, &length, &type, &params);
		if (type)
			strbuf_printf(out, "%llu %llu %s %s\n", (unsigned long long)start, (unsigned long long)length, type,
				      params ? params : "");
	} while (next);
}

int dm_read(const struct dm_map *map, bool status, struct strbuf *out, struct err *err)
{
	struct dm_task *task = new_task(map, status ? DM_DEVICE_STATUS : DM_DEVICE_TABLE, err);
	int ret;

	if (!task)
		return -ENOENT;
	ret = status && !dm_task_no_flush(task) ? -EINVAL : run_task(task, map, status ? "cannot read its status" : "cannot read its table", err);
	if (!ret)
		put_targets(task, out);
	dm_task_destroy(task);
	return ret ? ret : out->failed ? -ENOMEM : 0;
}

int dm_message(const struct dm_map *map, const char *message, struct strbuf *reply, struct err *err)
{
	struct dm_task *task = new_task(map, DM_DEVICE_TARGET_MSG, err);
	const char *answer;
	int ret;

	if (!task)
		return -ENOENT;
	ret = dm_task_set_sector(task, 0) && dm_task_set_message(task, message) ? 0 : -ENOMEM;
	if (!ret && !dm_task_run(task))
		ret = failed(task, map, message, err);
	answer = ret ? NULL : dm_task_get_message_response(task);
	if (answer && reply)
		strbuf_puts(reply, answer);
	dm_task_destroy(task);
	return ret;
}

/* ---- another table ---- */

static int load_line(struct dm_task *task, char *line, struct err *err)
{
	struct dm_line l;

	if (dm_parse_line(line, &l))
		return err_set(err, -EINVAL, "not a line of a table: %s", line);
	return dm_task_add_target(task, l.start, l.length, l.type, l.params) ? 0 : -ENOMEM;
}

static int load(const struct dm_map *map, const char *table, struct err *err)
{
	struct dm_task *task = new_task(map, DM_DEVICE_RELOAD, err);
	char *copy = strdup(table), *rest = NULL;
	int ret = task && copy ? 0 : -ENOENT;

	for (char *line = ret ? NULL : strtok_r(copy, "\n", &rest); line && !ret; line = strtok_r(NULL, "\n", &rest))
		ret = load_line(task, line, err);
	if (!ret && !dm_task_run(task))
		ret = failed(task, map, "the kernel refused the new table", err);
	if (task)
		dm_task_destroy(task);
	free(copy);
	return ret;
}

/* Suspend without flushing: with no path left, waiting for what is in flight would have no end. */
static int run_simple(const struct dm_map *map, int type, const char *what, struct err *err)
{
	struct dm_task *task = new_task(map, type, err);
	int ret = task ? 0 : -ENOENT;

	if (!ret && type == DM_DEVICE_SUSPEND && !(dm_task_no_flush(task) && dm_task_skip_lockfs(task)))
		ret = -EINVAL;
	if (!ret && !dm_task_run(task))
		ret = failed(task, map, what, err);
	if (task)
		dm_task_destroy(task);
	return ret;
}

int dm_reload(const struct dm_map *map, const char *table, struct err *err)
{
	struct err why;
	int ret = load(map, table, err), resumed;

	if (ret)
		return ret;
	ret = run_simple(map, DM_DEVICE_SUSPEND, "cannot be suspended", err);
	if (ret)
		run_simple(map, DM_DEVICE_CLEAR, "the new table stays loaded beside", NULL);
	resumed = run_simple(map, DM_DEVICE_RESUME, "STAYS SUSPENDED; 'dmsetup resume' it", &why);
	if (resumed && err)
		*err = why;
	return resumed ? resumed : ret;
}
