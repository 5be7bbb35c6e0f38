/* The list of who owns which page, as text. Private to the preset reader and describe.c. */
#ifndef IODECK_PRESET_OWNERS_H
#define IODECK_PRESET_OWNERS_H

#include "base/strbuf.h"
#include "spec.h"

/* Append the pages that `text` lists ("p0*2, p1, p0+p2"); o->paths is owned by the spec. 0, -EINVAL, -ERANGE or -ENOMEM with err. */
int owners_parse(struct page_owners *o, const char *text, struct err *err);
/* The same list, as short as it goes. */
void owners_format(const struct page_owners *o, struct strbuf *out);

#endif
