/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/json_in.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "base/text.h"
#include "input/json_text.h"

static void line_column(const char *text, size_t offset, int *line, int *column)
{
  *line = 1;
  *column = 1;
  for (size_t i = 0; i < offset && text[i]; i++)
    if (text[i] == '\n') {
      ++*line;
      *column = 1;
    } else
      ++*column;
}

static enum hs_status parse(struct hs_json *doc, struct hs_error *err)
{
  int line, column;
  size_t offset;
  if (hs_text_is_utf16(doc->text, doc->len)) return hs_fail_at(err, HS_INPUT, doc->file, 1, 0, NULL, HS_TEXT_UTF16);
  const char *end = NULL, *rule = hs_json_check(doc->text, doc->len, &offset);
  if (!rule) {
    doc->root = cJSON_ParseWithOpts(doc->text, &end, 1);
    if (doc->root) return HS_OK;
    offset = end ? (size_t)(end - doc->text) : 0;
    rule = "not JSON that can be read: half a surrogate pair, or a number of more than 63 characters";
  }
  line_column(doc->text, offset, &line, &column);
  return hs_fail_at(err, HS_INPUT, doc->file, line, column, NULL, "%s", rule);
}

enum hs_status hs_json_open(struct hs_json *doc, const char *file, struct hs_error *err)
{
  *doc = (struct hs_json){.file = file};
  HS_TRY(hs_file_read(file, &doc->text, &doc->len, err));
  enum hs_status status = parse(doc, err);
  if (status) hs_json_close(doc);
  return status;
}

enum hs_status hs_json_parse(struct hs_json *doc, const char *file, const char *text, size_t len, struct hs_error *err)
{
  *doc = (struct hs_json){.file = file, .len = len};
  doc->text = hs_realloc(NULL, len + 1, 1);
  if (len) memcpy(doc->text, text, len);
  doc->text[len] = 0;
  enum hs_status status = parse(doc, err);
  if (status) hs_json_close(doc);
  return status;
}

void hs_json_close(struct hs_json *doc)
{
  cJSON_Delete(doc->root);
  free(doc->text);
  doc->root = NULL;
  doc->text = NULL;
}

/* --- where a place is in the text: cJSON keeps no positions, so an error walks the text along the path --- */

static const char *skip_space(const char *p)
{
  while (*p && (unsigned char)*p <= 32) p++;
  return p;
}

static const char *skip_string(const char *p) /* p at the opening quote */
{
  for (p++; *p && *p != '"'; p++)
    if (*p == '\\' && p[1]) p++;
  return *p ? p + 1 : p;
}

static const char *skip_value(const char *p)
{
  int depth = 0;
  p = skip_space(p);
  do {
    if (*p == '"') {
      p = skip_string(p);
      continue;
    }
    if (*p == '{' || *p == '[') depth++;
    if (*p == '}' || *p == ']') {
      if (depth == 0) return p;
      depth--;
    }
    if (depth == 0 && *p == ',') return p;
    if (*p) p++;
  } while (*p && !(depth == 0 && (*p == ',' || *p == '}' || *p == ']')));
  return p;
}

/* Start of child number n of the container at p: of its key in an object, of its value in an array. */
static const char *nth_child(const char *p, int n)
{
  p = skip_space(p);
  bool object = *p == '{';
  p = skip_space(p + 1);
  for (int i = 0; i < n && *p; i++) {
    if (object) {
      p = skip_space(skip_string(p));
      if (*p == ':') p++;
    }
    p = skip_space(skip_value(p));
    if (*p == ',') p = skip_space(p + 1);
  }
  return p;
}

static int position_in(const cJSON *container, const cJSON *child)
{
  int n = 0;
  for (const cJSON *c = container->child; c && c != child; c = c->next) n++;
  return n;
}

static const char *locate(const struct hs_json_at *at, bool key)
{
  if (!at->up) return skip_space(hs_text_unmarked(at->doc->text));
  const char *p = nth_child(locate(at->up, false), position_in(at->up->item, at->item));
  if (!at->key || key) return p;
  p = skip_space(skip_string(p));
  return skip_space(*p == ':' ? p + 1 : p);
}

const char *hs_json_path(const struct hs_json_at *at, char *buf, size_t size)
{
  if (!at->up) {
    snprintf(buf, size, "$");
    return buf;
  }
  hs_json_path(at->up, buf, size);
  size_t n = strlen(buf);
  if (at->key)
    snprintf(buf + n, size - n, ".%s", at->key);
  else
    snprintf(buf + n, size - n, "[%d]", at->index);
  return buf;
}

static struct hs_place place_of(const struct hs_json_at *at, bool key)
{
  struct hs_place place;
  line_column(at->doc->text, (size_t)(locate(at, key) - at->doc->text), &place.line, &place.column);
  return place;
}

struct hs_place hs_json_place(const struct hs_json_at *at) { return place_of(at, false); }

static enum hs_status fail_here(const struct hs_json_at *at, bool key, struct hs_error *err, const char *text)
{
  char path[sizeof err->path];
  const struct hs_place place = place_of(at, key);
  return hs_fail_at(err, HS_INPUT, at->doc->file, place.line, place.column, hs_json_path(at, path, sizeof path), "%s", text);
}

enum hs_status hs_json_fail(const struct hs_json_at *at, struct hs_error *err, const char *format, ...)
{
  char text[sizeof err->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fail_here(at, false, err, text);
}

/* The value stands behind the rule, as far as it is short. */
static enum hs_status not_a(const struct hs_json_at *at, const char *what, struct hs_error *err)
{
  const cJSON *v = at->item;
  if (cJSON_IsNumber(v)) return hs_json_fail(at, err, "is not %s, but %.15g", what, v->valuedouble);
  if (cJSON_IsString(v)) return hs_json_fail(at, err, "is not %s, but \"%.40s\"", what, v->valuestring);
  const char *kind = cJSON_IsObject(v) ? "an object" : cJSON_IsArray(v) ? "an array" : cJSON_IsNull(v) ? "null" : cJSON_IsTrue(v) ? "true" : "false";
  return hs_json_fail(at, err, "is not %s, but %s", what, kind);
}

/* --- structure --- */

enum hs_status hs_json_root(const struct hs_json *doc, struct hs_json_at *at, struct hs_error *err)
{
  *at = (struct hs_json_at){.doc = doc, .index = -1, .item = doc->root};
  if (!cJSON_IsObject(doc->root)) return not_a(at, "an object", err);
  return HS_OK;
}

static const cJSON *find(const struct hs_json_at *object, const char *key, int *position)
{
  int i = 0;
  for (const cJSON *c = object->item->child; c; c = c->next, i++)
    if (strcmp(c->string, key) == 0) {
      if (position) *position = i;
      return c;
    }
  return NULL;
}

bool hs_json_mentions(const struct hs_json_at *object, const char *key) { return find(object, key, NULL) != NULL; }

bool hs_json_has(struct hs_json_at *object, const char *key)
{
  bool has = hs_json_mentions(object, key);
  if (!has && object->n_absent < HS_JSON_MAX_KEYS) object->absent[object->n_absent++] = key;
  return has;
}

static void enter(struct hs_json_at *child, const struct hs_json_at *up, const char *key, int index, const cJSON *item)
{
  *child = (struct hs_json_at){.doc = up->doc, .up = up, .key = key, .index = index, .item = item};
}

/* A key that nobody read yet and that is nearly the missing one may be it, misspelt. */
static enum hs_status missing_key(const struct hs_json_at *object, const char *key, struct hs_error *err)
{
  const char *unread[HS_JSON_MAX_KEYS];
  int n = 0, i = 0;
  for (const cJSON *c = object->item->child; c && i < HS_JSON_MAX_KEYS; c = c->next, i++)
    if (!(object->seen >> i & 1)) unread[n++] = c->string;
  int near = hs_nearest_key(key, unread, n);
  if (near < 0) return hs_json_fail(object, err, "key \"%s\" is missing", key);
  return hs_json_fail(object, err, "key \"%s\" is missing; is \"%.60s\" meant?", key, unread[near]);
}

enum hs_status hs_json_get(struct hs_json_at *object, const char *key, struct hs_json_at *child, struct hs_error *err)
{
  int position = 0;
  const cJSON *c = find(object, key, &position);
  if (!c) return missing_key(object, key, err);
  enter(child, object, c->string, -1, c);
  if (position >= HS_JSON_MAX_KEYS) return hs_json_fail(object, err, "more than %d keys", HS_JSON_MAX_KEYS);
  object->seen |= (uint64_t)1 << position;
  return HS_OK;
}

enum hs_status hs_json_get_object(struct hs_json_at *object, const char *key, struct hs_json_at *child, struct hs_error *err)
{
  HS_TRY(hs_json_get(object, key, child, err));
  if (!cJSON_IsObject(child->item)) return not_a(child, "an object", err);
  return HS_OK;
}

enum hs_status hs_json_get_array(struct hs_json_at *object, const char *key, int min, int max, struct hs_json_at *child,
                                 int *n, struct hs_error *err)
{
  HS_TRY(hs_json_get(object, key, child, err));
  if (!cJSON_IsArray(child->item)) return not_a(child, "an array", err);
  *n = cJSON_GetArraySize(child->item);
  if (*n >= min && *n <= max) return HS_OK;
  if (min == max) return hs_json_fail(child, err, "has %d elements, not %d", *n, min);
  return hs_json_fail(child, err, "has %d elements, not %d to %d", *n, min, max);
}

enum hs_status hs_json_element(const struct hs_json_at *array, int i, struct hs_json_at *child, struct hs_error *err)
{
  const cJSON *c = cJSON_GetArrayItem(array->item, i);
  if (!c) return hs_json_fail(array, err, "has no element %d", i);
  enter(child, array, NULL, i, c);
  return HS_OK;
}

enum hs_status hs_json_element_object(const struct hs_json_at *array, int i, struct hs_json_at *child, struct hs_error *err)
{
  HS_TRY(hs_json_element(array, i, child, err));
  if (!cJSON_IsObject(child->item)) return not_a(child, "an object", err);
  return HS_OK;
}

bool hs_json_next(struct hs_json_at *element)
{
  if (!element->item->next) return false;
  enter(element, element->up, NULL, element->index + 1, element->item->next);
  return true;
}

enum hs_status hs_json_child(struct hs_json_at *object, int i, struct hs_json_at *child, struct hs_error *err)
{
  const cJSON *c = object->item->child;
  for (int k = 0; k < i && c; k++) c = c->next;
  if (!c) return hs_json_fail(object, err, "has no key number %d", i);
  enter(child, object, c->string, -1, c);
  for (const cJSON *d = object->item->child; d != c; d = d->next)
    if (strcmp(d->string, c->string) == 0) return fail_here(child, true, err, "duplicate key");
  if (i < HS_JSON_MAX_KEYS) object->seen |= (uint64_t)1 << i;
  return HS_OK;
}

int hs_json_length(const struct hs_json_at *at)
{
  return cJSON_GetArraySize(at->item);
}

/* A key that no getter took: its own duplicate, or one that isn't known. */
static enum hs_status stray_key(const struct hs_json_at *object, const struct hs_json_at *child, struct hs_error *err)
{
  const char *known[HS_JSON_MAX_KEYS];
  char text[240];
  int n = 0, i = 0;
  for (const cJSON *c = object->item->child; c && i < HS_JSON_MAX_KEYS; c = c->next, i++)
    if (object->seen >> i & 1) known[n++] = c->string;
  for (i = 0; i < n; i++)
    if (strcmp(known[i], child->key) == 0) return fail_here(child, true, err, "duplicate key");
  int near = hs_nearest(child->key, object->absent, object->n_absent), there = near < 0 ? hs_nearest(child->key, known, n) : -1;
  const char *meant = near >= 0 ? object->absent[near] : there >= 0 ? known[there] : NULL;
  snprintf(text, sizeof text, "unknown key \"%.60s\"%s%.60s%s", child->key, meant ? "; did you mean " : "", meant ? meant : "",
           near >= 0 ? "?" : meant ? ", which is there already?" : "");
  return fail_here(child, true, err, text);
}

enum hs_status hs_json_end(const struct hs_json_at *object, struct hs_error *err)
{
  int i = 0;
  for (const cJSON *c = object->item->child; c; c = c->next, i++)
    if (i >= HS_JSON_MAX_KEYS || !(object->seen >> i & 1)) {
      struct hs_json_at child;
      enter(&child, object, c->string, -1, c);
      return stray_key(object, &child, err);
    }
  return HS_OK;
}

/* --- values --- */

bool hs_json_is_string(const struct hs_json_at *at) { return cJSON_IsString(at->item); }
bool hs_json_is_object(const struct hs_json_at *at) { return cJSON_IsObject(at->item); }
bool hs_json_is_number(const struct hs_json_at *at) { return cJSON_IsNumber(at->item); }
bool hs_json_is_array(const struct hs_json_at *at) { return cJSON_IsArray(at->item); }

static enum hs_status finite_number(const struct hs_json_at *at, double *out, struct hs_error *err)
{
  if (!cJSON_IsNumber(at->item)) return not_a(at, "a number", err);
  *out = at->item->valuedouble;
  if (!isfinite(*out)) return hs_json_fail(at, err, "is not a finite number");
  return HS_OK;
}

enum hs_status hs_json_number(const struct hs_json_at *at, double min, double max, double *out, struct hs_error *err)
{
  double v = 0;
  HS_TRY(finite_number(at, &v, err));
  if (v < min || v > max) return hs_json_fail(at, err, "%g is not in [%g, %g]", v, min, max);
  *out = v;
  return HS_OK;
}

enum hs_status hs_json_positive(const struct hs_json_at *at, double max, double *out, struct hs_error *err)
{
  double v = 0;
  HS_TRY(finite_number(at, &v, err));
  if (v <= 0) return hs_json_fail(at, err, "%g is not > 0", v);
  if (v > max) return hs_json_fail(at, err, "%g is not <= %g", v, max);
  *out = v;
  return HS_OK;
}

enum hs_status hs_json_int(const struct hs_json_at *at, int64_t min, int64_t max, int64_t *out, struct hs_error *err)
{
  double v = 0;
  HS_TRY(finite_number(at, &v, err));
  if (v != floor(v)) return hs_json_fail(at, err, "%g is not a whole number", v);
  if (v < (double)min || v > (double)max)
    return hs_json_fail(at, err, "%.15g is not in [%lld, %lld]", v, (long long)min, (long long)max);
  *out = (int64_t)v;
  return HS_OK;
}

/* The first control character (C0, DEL, C1) of a string; 0: none. It would be printed as it is, and a terminal obeys some. */
static unsigned control_character(const char *string)
{
  for (const unsigned char *s = (const unsigned char *)string; *s; s++) {
    if (*s < 0x20 || *s == 0x7f) return *s;
    if (*s == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0) return s[1];
  }
  return 0;
}

enum hs_status hs_json_string(const struct hs_json_at *at, const char **out, struct hs_error *err)
{
  if (!cJSON_IsString(at->item)) return not_a(at, "a string", err);
  unsigned control = control_character(at->item->valuestring);
  if (control) return hs_json_fail(at, err, "has the control character U+%04X", control);
  *out = at->item->valuestring;
  return HS_OK;
}

enum hs_status hs_json_bool(const struct hs_json_at *at, bool *out, struct hs_error *err)
{
  if (!cJSON_IsBool(at->item)) return not_a(at, "true or false", err);
  *out = cJSON_IsTrue(at->item);
  return HS_OK;
}

enum hs_status hs_json_name(const struct hs_json_at *at, const char **out, struct hs_error *err)
{
  const char *s = NULL;
  HS_TRY(hs_json_string(at, &s, err));
  char rule[80];
  if (!hs_name_allowed(s, rule, sizeof rule)) return hs_json_fail(at, err, "%s", rule);
  *out = s;
  return HS_OK;
}

enum hs_status hs_json_word(const struct hs_json_at *at, const char *const *words, int *out, struct hs_error *err)
{
  const char *s = NULL;
  HS_TRY(hs_json_string(at, &s, err));
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], s) == 0) {
      *out = i;
      return HS_OK;
    }
  struct hs_text list = {0};
  hs_text_words(&list, words);
  enum hs_status status = hs_json_fail(at, err, "\"%.40s\" is not one of %.600s", s, list.s);
  hs_text_free(&list);
  return status;
}

/* --- values of keys --- */

enum hs_status hs_json_get_number(struct hs_json_at *o, const char *key, double min, double max, double *out, struct hs_error *err)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, key, &at, err));
  return hs_json_number(&at, min, max, out, err);
}

enum hs_status hs_json_get_positive(struct hs_json_at *o, const char *key, double max, double *out, struct hs_error *err)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, key, &at, err));
  return hs_json_positive(&at, max, out, err);
}

enum hs_status hs_json_get_int(struct hs_json_at *o, const char *key, int64_t min, int64_t max, int64_t *out, struct hs_error *err)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, key, &at, err));
  return hs_json_int(&at, min, max, out, err);
}

enum hs_status hs_json_get_string(struct hs_json_at *o, const char *key, const char **out, struct hs_error *err)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, key, &at, err));
  return hs_json_string(&at, out, err);
}

enum hs_status hs_json_get_name(struct hs_json_at *o, const char *key, const char **out, struct hs_error *err)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, key, &at, err));
  return hs_json_name(&at, out, err);
}

enum hs_status hs_json_get_word(struct hs_json_at *o, const char *key, const char *const *words, int *out, struct hs_error *err)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, key, &at, err));
  return hs_json_word(&at, words, out, err);
}

enum hs_status hs_json_opt_int(struct hs_json_at *o, const char *key, int64_t min, int64_t max, int64_t *out, struct hs_error *err)
{
  return hs_json_has(o, key) ? hs_json_get_int(o, key, min, max, out, err) : HS_OK;
}

enum hs_status hs_json_opt_string(struct hs_json_at *o, const char *key, const char **out, struct hs_error *err)
{
  return hs_json_has(o, key) ? hs_json_get_string(o, key, out, err) : HS_OK;
}

enum hs_status hs_json_opt_bool(struct hs_json_at *o, const char *key, bool *out, struct hs_error *err)
{
  struct hs_json_at at;
  if (!hs_json_has(o, key)) return HS_OK;
  HS_TRY(hs_json_get(o, key, &at, err));
  return hs_json_bool(&at, out, err);
}

enum hs_status hs_json_format(struct hs_json_at *o, const char *format, struct hs_error *err)
{
  struct hs_json_at at;
  const char *s = NULL;
  HS_TRY(hs_json_get(o, "format", &at, err));
  HS_TRY(hs_json_string(&at, &s, err));
  if (strcmp(s, format) != 0) return hs_json_fail(&at, err, "\"%.60s\" is not \"%s\"", s, format);
  return HS_OK;
}
