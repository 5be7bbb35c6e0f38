#include "backend/backend.h"
#include "spec.h"
#include "stack/stack.h"

/* A request that reaches into the next page goes where its first byte does. */
static uint32_t paths_of_page(const struct page_owners *o, uint64_t offset_bytes)
{
	return o->paths[offset_bytes / o->page_bytes % o->n];
}

/* A path that ends at the owner of the page, so that nothing need be forwarded (dm-switch); the next such path each time. When all of
 * those are down, any path: the array passes the request on. */
static int page_owner_choose(struct stack *s, struct lun *l, const struct io *io)
{
	uint32_t owner =
		s->p.owners ? paths_of_page(s->p.owners, io->offset_bytes) : s->backend->ops->owner_paths(s->backend, io);
	int p = path_next_active(s, l->path, owner);

	return p >= 0 ? p : path_next_active(s, l->path, PATH_ANY);
}

extern const struct path_policy_ops policy_page_owner;

const struct path_policy_ops policy_page_owner = {
	.name = "page-owner",
	.needs_owner = true,
	.choose = page_owner_choose,
};
