/* Write the text of an error. */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Through a second buffer, because an outer error often quotes the inner one: err_set(e, ret, "%s:
 * %s", name, e->text). */
int err_set(struct err *e, int code, const char *fmt, ...)
{
	struct err fresh;
	va_list args;

	if (!e)
		return code;
	va_start(args, fmt);
	if (vsnprintf(fresh.text, sizeof(fresh.text), fmt, args) < 0)
		strcpy(fresh.text, "error (its text could not be formatted)");
	va_end(args);
	strcpy(e->text, fresh.text);
	return code;
}

/* What storage answers; strerrorname_np is not in every libc. */
static const struct {
	int code;
	const char *name;
} names[] = {
	{EPERM, "EPERM"},   {ENXIO, "ENXIO"},         {EIO, "EIO"},         {EBADF, "EBADF"},   {EAGAIN, "EAGAIN"},
	{ENOMEM, "ENOMEM"}, {EACCES, "EACCES"},       {EFAULT, "EFAULT"},   {EBUSY, "EBUSY"},   {ENODEV, "ENODEV"},
	{EINVAL, "EINVAL"}, {EFBIG, "EFBIG"},         {ENOSPC, "ENOSPC"},   {EROFS, "EROFS"},   {ENODATA, "ENODATA"},
	{ETIME, "ETIME"},   {ENOLINK, "ENOLINK"},     {EPROTO, "EPROTO"},   {EBADE, "EBADE"},   {EILSEQ, "EILSEQ"},
	{EDQUOT, "EDQUOT"}, {EREMOTEIO, "EREMOTEIO"}, {ENOMEDIUM, "ENOMEDIUM"}, {ETIMEDOUT, "ETIMEDOUT"}, {EOPNOTSUPP, "EOPNOTSUPP"},
	{ESHUTDOWN, "ESHUTDOWN"}, {ECANCELED, "ECANCELED"}, {EBADMSG, "EBADMSG"},
};

const char *errno_name(int code, char *buf, size_t room)
{
	code = code < 0 ? -code : code;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].code == code)
			return names[i].name;
	snprintf(buf, room, "E%d", code);
	return buf;
}
