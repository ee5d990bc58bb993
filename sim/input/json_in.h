/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one strict JSON reader, over cJSON. It refuses what cJSON lets pass: text after the value, duplicate and unknown
 * keys, numbers that are not finite, other types and ranges than asked for. Every error names file, line, column, path,
 * value and rule. Readers pull the keys they know out of an object and then call hs_json_end().
 *
 * Contract:
 *  - a struct hs_json_at is a cursor on the caller's stack; it borrows its parent and the document;
 *  - getters of optional keys leave *out as it was when the key is absent;
 *  - strings are borrowed from the document, valid until hs_json_close(). */
#ifndef HS_JSON_IN_H
#define HS_JSON_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct cJSON;

struct hs_json {
  char *text;         /* owned */
  size_t len;
  const char *file;   /* borrowed, for messages */
  struct cJSON *root; /* owned */
};

enum { HS_JSON_MAX_KEYS = 64 };

/* Position in a document: a value, and how it was reached. */
struct hs_json_at {
  const struct hs_json *doc;
  const struct hs_json_at *up;
  const char *key;         /* in an object, else NULL */
  int index;               /* in an array, else -1 */
  const struct cJSON *item;
  uint64_t seen;           /* objects: which children were read, by position; an object has at most 64 keys */
  int n_absent;            /* objects: optional keys that were asked for and aren't there: */
  const char *absent[HS_JSON_MAX_KEYS]; /* which an unknown key may stand for */
};

/* Parses the file. *doc must be closed after success and needs no closing after failure. */
enum hs_status hs_json_open(struct hs_json *doc, const char *file, struct hs_error *err);
/* Parses `len` bytes of text that need not be NUL-terminated; copies them. */
enum hs_status hs_json_parse(struct hs_json *doc, const char *file, const char *text, size_t len, struct hs_error *err);
void hs_json_close(struct hs_json *doc);

/* The root, which must be an object. */
enum hs_status hs_json_root(const struct hs_json *doc, struct hs_json_at *at, struct hs_error *err);

/* HS_INPUT at this place, with file, line, column and path before the text. */
enum hs_status hs_json_fail(const struct hs_json_at *at, struct hs_error *err, const char *format, ...) HS_PRINTF(3, 4);

/* Is there such a key? hs_json_has takes note of the question: a member that nobody reads may have been meant as it, so the key stays with `object`, and an
 * error may suggest it. hs_json_mentions doesn't: for a key that has no meaning here. */
bool hs_json_has(struct hs_json_at *object, const char *key);
bool hs_json_mentions(const struct hs_json_at *object, const char *key);

/* Child `key` of an object; it must exist. The child is marked as read. */
enum hs_status hs_json_get(struct hs_json_at *object, const char *key, struct hs_json_at *child, struct hs_error *err);
enum hs_status hs_json_get_object(struct hs_json_at *object, const char *key, struct hs_json_at *child, struct hs_error *err);
/* Child array with min ≤ length ≤ max. */
enum hs_status hs_json_get_array(struct hs_json_at *object, const char *key, int min, int max, struct hs_json_at *child,
                                 int *n, struct hs_error *err);
/* Element i of an array. */
enum hs_status hs_json_element(const struct hs_json_at *array, int i, struct hs_json_at *child, struct hs_error *err);
enum hs_status hs_json_element_object(const struct hs_json_at *array, int i, struct hs_json_at *child, struct hs_error *err);
/* From an element to the one after it, for long arrays: hs_json_element() counts from the start. False behind the last. */
bool hs_json_next(struct hs_json_at *element);

/* Values at a place. Numbers must lie in [min, max], of hs_json_positive() in (0, max]. */
enum hs_status hs_json_number(const struct hs_json_at *at, double min, double max, double *out, struct hs_error *err);
enum hs_status hs_json_positive(const struct hs_json_at *at, double max, double *out, struct hs_error *err);
enum hs_status hs_json_int(const struct hs_json_at *at, int64_t min, int64_t max, int64_t *out, struct hs_error *err);
enum hs_status hs_json_string(const struct hs_json_at *at, const char **out, struct hs_error *err);
enum hs_status hs_json_bool(const struct hs_json_at *at, bool *out, struct hs_error *err);
bool hs_json_is_string(const struct hs_json_at *at);
bool hs_json_is_object(const struct hs_json_at *at);
bool hs_json_is_number(const struct hs_json_at *at);
bool hs_json_is_array(const struct hs_json_at *at);
int hs_json_length(const struct hs_json_at *at);

/* Values of keys, by the same rules. The _get forms ask for the key, the _opt forms leave *out alone when it is absent. */
enum hs_status hs_json_get_number(struct hs_json_at *o, const char *key, double min, double max, double *out, struct hs_error *err);
enum hs_status hs_json_get_positive(struct hs_json_at *o, const char *key, double max, double *out, struct hs_error *err);
enum hs_status hs_json_get_int(struct hs_json_at *o, const char *key, int64_t min, int64_t max, int64_t *out, struct hs_error *err);
enum hs_status hs_json_get_string(struct hs_json_at *o, const char *key, const char **out, struct hs_error *err);
enum hs_status hs_json_opt_int(struct hs_json_at *o, const char *key, int64_t min, int64_t max, int64_t *out, struct hs_error *err);
enum hs_status hs_json_opt_string(struct hs_json_at *o, const char *key, const char **out, struct hs_error *err);
enum hs_status hs_json_opt_bool(struct hs_json_at *o, const char *key, bool *out, struct hs_error *err);
/* A name: 1–63 characters out of letters, digits and _ . / : + - */
enum hs_status hs_json_get_name(struct hs_json_at *o, const char *key, const char **out, struct hs_error *err);
enum hs_status hs_json_name(const struct hs_json_at *at, const char **out, struct hs_error *err);
/* One of a NULL-terminated list of words; *out is its index. */
enum hs_status hs_json_word(const struct hs_json_at *at, const char *const *words, int *out, struct hs_error *err);
enum hs_status hs_json_get_word(struct hs_json_at *o, const char *key, const char *const *words, int *out, struct hs_error *err);
/* The key "format" must hold exactly this. */
enum hs_status hs_json_format(struct hs_json_at *o, const char *format, struct hs_error *err);

/* Children of an object by position, for objects whose keys are data. */
enum hs_status hs_json_child(struct hs_json_at *object, int i, struct hs_json_at *child, struct hs_error *err);

/* Fails on the first key that nobody read: one that isn't known, or a duplicate of one that is. */
enum hs_status hs_json_end(const struct hs_json_at *object, struct hs_error *err);

/* Where a value stands, as in errors. */
struct hs_place hs_json_place(const struct hs_json_at *at);

/* Writes the path of a place, as $.a[2].b, to buf; returns buf. */
const char *hs_json_path(const struct hs_json_at *at, char *buf, size_t size);

#endif
