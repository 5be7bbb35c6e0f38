/* Which device is built on which, and the order they are shown in. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "probes_private.h"

enum { DEEPEST = 8, SLAVES = 64 };

/* The disk of a partition: the folder that /sys/class/block/sda2 points into. */
static int disk_of(struct probe_context *c, const char *name)
{
	char path[128], target[256], *slash;
	int i = probe_find(c->s, name);

	if (i >= 0)
		return i;
	text_format(path, sizeof(path), "sys/class/block/%s", name);
	if (sysread_link(c->sys, path, target, sizeof(target), true) < 0 || !(slash = strrchr(target, '/')))
		return -1;
	*slash = '\0';
	slash = strrchr(target, '/');
	return probe_find(c->s, slash ? slash + 1 : target);
}

static bool is_above(const struct probe_snapshot *s, int above, int below)
{
	for (int depth = 0, i = above; i >= 0 && depth <= DEEPEST; i = s->device[i].parent, depth++)
		if (i == below)
			return true;
	return false;
}

/* A device below several is shown below the first. */
static void put_below(struct probe_context *c, int parent)
{
	char path[128], name[SLAVES][SYSREAD_NAME];
	int n;

	text_format(path, sizeof(path), "sys/block/%s/slaves", c->s->device[parent].kernel);
	n = sysread_dir(c->sys, path, name, SLAVES, NULL);
	for (int i = 0; i < n; i++) {
		int child = disk_of(c, name[i]);

		if (child >= 0 && c->s->device[child].parent < 0 && !is_above(c->s, parent, child))
			c->s->device[child].parent = parent;
	}
}

/* "nvme1c0n1" is a path of "nvme1n1". */
static void put_path_below_head(struct probe_snapshot *s, int path)
{
	const char *name = s->device[path].kernel, *c = strchr(name, 'c'), *n = c ? strchr(c, 'n') : NULL;
	char head[PROBE_NAME * 2];
	int i;

	if (!n || strncmp(name, "nvme", 4))
		return;
	text_format(head, sizeof(head), "%.*s%s", (int)(c - name), name, n);
	i = probe_find(s, head);
	if (i >= 0 && i != path)
		s->device[path].parent = i;
}

/* sda sdb .. sdz sdaa, dm-2 before dm-10. */
static int by_name(const char *a, const char *b)
{
	size_t letters_a = strcspn(a, "0123456789"), letters_b = strcspn(b, "0123456789");

	if (!a[letters_a] && !b[letters_b] && !strncmp(a, b, 2) && letters_a != letters_b)
		return letters_a < letters_b ? -1 : 1;
	return strverscmp(a, b);
}

/* Places of the children of `parent`, sorted, behind those there are. */
static void walk(const struct probe_snapshot *s, int parent, uint32_t *order, uint32_t *n, uint8_t *depth_of, int depth)
{
	uint32_t child[PROBE_MAX_DEVICES], n_child = 0;

	for (uint32_t i = 0; i < s->n_devices; i++) {
		uint32_t at = n_child;

		if (s->device[i].parent != parent)
			continue;
		for (; at && by_name(s->device[i].kernel, s->device[child[at - 1]].kernel) < 0; at--)
			child[at] = child[at - 1];
		child[at] = i;
		n_child++;
	}
	for (uint32_t i = 0; i < n_child; i++) {
		depth_of[child[i]] = (uint8_t)depth;
		order[(*n)++] = child[i];
		if (depth < DEEPEST)
			walk(s, (int)child[i], order, n, depth_of, depth + 1);
	}
}

void probe_tree(struct probe_context *c)
{
	struct probe_snapshot *s = c->s;
	uint32_t order[PROBE_MAX_DEVICES], place[PROBE_MAX_DEVICES], n = 0;
	uint8_t depth[PROBE_MAX_DEVICES] = { 0 };
	struct probe_device *sorted;

	for (uint32_t i = 0; i < s->n_devices; i++) {
		if (s->device[i].n_below)
			put_below(c, (int)i);
		if (s->device[i].hidden)
			put_path_below_head(s, (int)i);
	}
	walk(s, -1, order, &n, depth, 0);
	sorted = malloc(sizeof(*sorted) * (s->n_devices ? s->n_devices : 1));
	if (!sorted || n != s->n_devices) {
		free(sorted);
		return; /* unsorted is as true */
	}
	for (uint32_t i = 0; i < n; i++)
		place[order[i]] = i;
	for (uint32_t i = 0; i < n; i++) {
		sorted[i] = s->device[order[i]];
		sorted[i].depth = depth[order[i]];
		if (sorted[i].parent >= 0)
			sorted[i].parent = (int)place[sorted[i].parent];
	}
	memcpy(s->device, sorted, sizeof(*sorted) * n);
	free(sorted);
}
