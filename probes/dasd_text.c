#include "dasd_text.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "words.h"

static bool to_u32(const struct words *word, uint32_t *out)
{
	uint64_t value;

	if (!words_to_u64(word, &value) || value > UINT32_MAX)
		return false;
	*out = (uint32_t)value;
	return true;
}

/* " 94:     0" */
static bool take_dev(struct words in, struct dasd_device_line *out)
{
	struct words major, minor;

	if (!words_until(&in, ':', &major))
		return false;
	major = words_trim(major);
	minor = words_trim(in);
	out->has_block = to_u32(&major, &out->major) && to_u32(&minor, &out->minor);
	return out->has_block || words_starts(&major, "???");
}

/* "active at blocksize: 4096, 600840 blocks, 2347 MB", "active n/f<TAB> ", "unformatted (probeonly)". */
static bool take_state(struct words in, struct dasd_device_line *out)
{
	struct words text = words_trim(in), word;

	out->block_size = out->blocks = out->megabytes = -1;
	if (!words_starts(&text, "active at blocksize:")) {
		words_copy(&text, out->state, sizeof(out->state));
		return out->state[0] != '\0';
	}
	text_format(out->state, sizeof(out->state), "active");
	return words_skip(&text, "active at blocksize:") && words_until(&text, ',', &word) && (word = words_trim(word), words_to_i64(&word, &out->block_size)) &&
	       words_next(&text, &word) && words_to_i64(&word, &out->blocks) && words_skip(&text, "blocks,") && words_next(&text, &word) &&
	       words_to_i64(&word, &out->megabytes) && words_skip(&text, "MB");
}

static bool take_name(struct words *line, struct dasd_device_line *out)
{
	struct words name, text;

	if (!words_until(line, ':', &text))
		return false;
	out->read_only = text.end - text.at >= 4 && !memcmp(text.end - 4, "(ro)", 4);
	if (!words_next(&text, &name))
		return false;
	words_copy(&name, out->name, sizeof(out->name));
	if (!out->has_block)
		out->name[0] = '\0';
	return true;
}

int dasd_devices_next(const char **at, const char *end, struct dasd_device_line *out)
{
	struct words rest = { *at, end }, line, part;

	*out = (struct dasd_device_line){ 0 };
	if (!words_line(&rest, &line)) {
		*at = end;
		return words_empty(&rest) ? 0 : -EINVAL;
	}
	*at = rest.at;
	if (!words_until(&line, '(', &part) || part.at == part.end)
		return -EINVAL;
	words_copy(&part, out->busid, sizeof(out->busid));
	if (!words_until(&line, ')', &part))
		return -EINVAL;
	part = words_trim(part);
	words_copy(&part, out->discipline, sizeof(out->discipline));
	if (!words_skip(&line, "at (") || !words_until(&line, ')', &part) || !take_dev(part, out) || !words_skip(&line, "is ") ||
	    !take_name(&line, out) || !take_state(line, out))
		return -EINVAL;
	return 1;
}

static bool is_hex(const struct words *w)
{
	for (const char *p = w->at; p < w->end; p++)
		if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f')))
			return false;
	return w->at < w->end;
}

int dasd_parse_uid(const char *text, size_t length, struct dasd_uid *out)
{
	struct words rest = words_of(text, length), line, lcu, part, ua;

	*out = (struct dasd_uid){ "", "", "" };
	if (!length || (length == 1 && text[0] == '\n'))
		return -ENODATA;
	if (!words_line(&rest, &line))
		return -EINVAL;
	line = words_trim(line);
	if (words_empty(&line))
		return -ENODATA;
	lcu = line;
	for (int i = 0; i < 3; i++)
		if (!words_until(&line, '.', &part) || part.at == part.end)
			return -EINVAL;
	if (!is_hex(&part))
		return -EINVAL;
	lcu.end = part.end;
	words_copy(&lcu, out->lcu, sizeof(out->lcu));
	ua = line;
	if (words_until(&line, '.', &ua))
		words_copy(&line, out->vduit, sizeof(out->vduit));
	words_copy(&ua, out->ua, sizeof(out->ua));
	return ua.end - ua.at == 2 && (is_hex(&ua) || words_is(&ua, "xx")) ? 0 : -EINVAL;
}
