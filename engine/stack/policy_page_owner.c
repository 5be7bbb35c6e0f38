#include "backend/backend.h"
#include "stack/stack.h"

/* A path that ends at the owner of the page, so that nothing need be forwarded (dm-switch); the next such path each time. When all of
 * those are down, any path: the array passes the request on. */
static int page_owner_choose(struct stack *s, struct lun *l, const struct io *io)
{
	int p = path_next_active(s, l->path, s->backend->ops->owner_paths(s->backend, io));

	return p >= 0 ? p : path_next_active(s, l->path, PATH_ANY);
}

extern const struct path_policy_ops policy_page_owner;

const struct path_policy_ops policy_page_owner = {
	.name = "page-owner",
	.needs_owner = true,
	.choose = page_owner_choose,
};
