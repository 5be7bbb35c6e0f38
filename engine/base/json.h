/* The door to jansson: build one document from front to back, write it whole. */
#ifndef IODECK_JSON_H
#define IODECK_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json; /* a document under construction */

/* A new document whose root is an object; NULL when memory is short. */
struct json *json_new(void);
void json_free(struct json *j);

/* Open an object or array as member `key` of the open object (key NULL inside an array), close it again. */
void json_open_object(struct json *j, const char *key);
void json_open_array(struct json *j, const char *key);
void json_close(struct json *j);

/* Members. Text is passed through text_clean, so the document is always valid UTF-8. A double that is not finite is null. */
void json_put_int(struct json *j, const char *key, int64_t value);
void json_put_real(struct json *j, const char *key, double value);
void json_put_bool(struct json *j, const char *key, bool value);
void json_put_str(struct json *j, const char *key, const char *value);
void json_put_null(struct json *j, const char *key);

/* Write the document with a newline at the end; keys in the order of insertion, a point in any locale. 0, -ENOMEM when building it
 * failed on the way, -EIO when the stream took it badly. */
int json_write(const struct json *j, FILE *f);

#endif
