/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/sources.h"

#include <stdio.h>
#include <string.h>

const char *const hs_source_kind_names[HS_SOURCE_KIND_N + 1] = {"measured", "vendor", "derived", "press", "assumed", NULL};

enum { SOURCES_MAX = 500, NUMBERS_MAX = 5000, RECENT = 16 };

/* What tells the numbers of one entry: elements of a list share the source they name and the keys above them. */
struct entry {
  const struct cJSON *spec;
  const char *key, *above; /* nearest two keys */
};

struct walk {
  struct hs_arena *arena;
  struct hs_sources *s;
  struct hs_error *err;
  struct entry recent[RECENT]; /* of the newest numbers: number i at i % RECENT */
};

static enum hs_status read_table(struct walk *w, struct hs_json_at *root)
{
  struct hs_json_at table, at;
  HS_TRY(hs_json_get_object(root, "sources", &table, w->err));
  w->s->n = hs_json_length(&table);
  if (w->s->n > SOURCES_MAX) return hs_json_fail(&table, w->err, "has more than %d sources", SOURCES_MAX);
  w->s->list = HS_NEW_ARRAY(w->arena, struct hs_source, (size_t)w->s->n);
  for (int i = 0; i < w->s->n; i++) {
    const char *ref = NULL;
    int kind = 0;
    HS_TRY(hs_json_child(&table, i, &at, w->err));
    if (!hs_json_is_object(&at)) return hs_json_fail(&at, w->err, "is not an object");
    HS_TRY(hs_json_get_word(&at, "kind", hs_source_kind_names, &kind, w->err));
    HS_TRY(hs_json_get_string(&at, "ref", &ref, w->err));
    if (!*ref) return hs_json_fail(&at, w->err, "ref is empty");
    HS_TRY(hs_json_end(&at, w->err));
    w->s->list[i] = (struct hs_source){hs_arena_strdup(w->arena, at.key), (enum hs_source_kind)kind,
                                       hs_arena_strdup(w->arena, ref)};
  }
  return HS_OK;
}

static enum hs_status find_source(struct walk *w, const struct hs_json_at *spec, int *index)
{
  const char *name = NULL;
  HS_TRY(hs_json_string(spec, &name, w->err));
  for (*index = 0; *index < w->s->n; ++*index)
    if (strcmp(w->s->list[*index].name, name) == 0) return HS_OK;
  return hs_json_fail(spec, w->err, "\"%.60s\" is not in the table of sources", name);
}

/* Elements that share one source are one entry: their path has [] for the index. */
static void shared_path(const struct hs_json_at *at, const struct hs_json_at *owner, char *buf, size_t size)
{
  if (at == owner || !at->up) {
    hs_json_path(at, buf, size);
    return;
  }
  shared_path(at->up, owner, buf, size);
  size_t n = strlen(buf);
  if (at->key)
    snprintf(buf + n, size - n, ".%s", at->key);
  else
    snprintf(buf + n, size - n, "[]");
}

static const struct hs_json_at *nearest_key(const struct hs_json_at *at)
{
  while (at && !at->key) at = at->up;
  return at;
}

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static struct entry entry_of(const struct hs_json_at *at, const struct hs_json_at *spec)
{
  const struct hs_json_at *key = nearest_key(at), *above = key ? nearest_key(key->up) : NULL;
  return (struct entry){spec->item, key ? key->key : NULL, above ? above->key : NULL};
}

static enum hs_status record(struct walk *w, const struct hs_json_at *at, const struct hs_json_at *owner,
                             const struct hs_json_at *spec)
{
  char path[192];
  double v = 0;
  int source = 0;
  HS_TRY(hs_json_number(at, -1e300, 1e300, &v, w->err));
  if (!spec) return hs_json_fail(at, w->err, "no source says where this number comes from");
  const struct entry e = entry_of(at, spec);
  for (int i = w->s->n_numbers - 1; i >= 0 && i >= w->s->n_numbers - RECENT; i--) {
    const struct entry *r = &w->recent[i % RECENT];
    if (r->spec != e.spec || !same(r->key, e.key) || !same(r->above, e.above)) continue;
    w->s->numbers[i].n_values++;
    return HS_OK;
  }
  HS_TRY(find_source(w, spec, &source));
  shared_path(at, owner, path, sizeof path);
  if (w->s->n_numbers == NUMBERS_MAX) return hs_json_fail(at, w->err, "more than %d numbers", NUMBERS_MAX);
  if (!w->s->numbers) w->s->numbers = HS_NEW_ARRAY(w->arena, struct hs_provenance, NUMBERS_MAX);
  w->recent[w->s->n_numbers % RECENT] = e;
  w->s->numbers[w->s->n_numbers++] = (struct hs_provenance){hs_arena_strdup(w->arena, path), v, 1, source};
  return HS_OK;
}

/* A source name that is in the table, or an object that mirrors `item` (NULL: the object that the source stands in). */
static enum hs_status check_spec(struct walk *w, const struct hs_json_at *spec, const struct hs_json_at *item)
{
  int index;
  if (hs_json_is_string(spec)) return find_source(w, spec, &index);
  if (!hs_json_is_object(spec)) return hs_json_fail(spec, w->err, "is neither a source name nor an object");
  if (item && !hs_json_is_object(item) && !hs_json_is_array(item))
    return hs_json_fail(spec, w->err, "mirrors an object or a list that isn't there");
  return HS_OK;
}

static enum hs_status check_spec_keys(struct walk *w, struct hs_json_at *object, struct hs_json_at *spec)
{
  struct hs_json_at key, item;
  int n = hs_json_length(spec);
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_child(spec, i, &key, w->err));
    if (!hs_json_has(object, key.key)) return hs_json_fail(&key, w->err, "a source for a key that isn't there");
    HS_TRY(hs_json_get(object, key.key, &item, w->err));
    HS_TRY(check_spec(w, &key, &item));
  }
  return HS_OK;
}

static enum hs_status collect(struct walk *w, struct hs_json_at *at, const struct hs_json_at *owner, struct hs_json_at *spec);

static enum hs_status collect_object(struct walk *w, struct hs_json_at *at, const struct hs_json_at *owner,
                                     struct hs_json_at *spec)
{
  struct hs_json_at own, child, child_spec;
  if (hs_json_has(at, "source")) {
    HS_TRY(hs_json_get(at, "source", &own, w->err));
    HS_TRY(check_spec(w, &own, NULL));
    spec = &own;
    owner = at;
  }
  if (spec && hs_json_is_object(spec)) HS_TRY(check_spec_keys(w, at, spec));
  int n = hs_json_length(at);
  for (int i = 0; i < n; i++) {
    struct hs_json_at *below = spec;
    HS_TRY(hs_json_child(at, i, &child, w->err));
    if (strcmp(child.key, "source") == 0 || (!at->up && strcmp(child.key, "sources") == 0)) continue;
    if (spec && hs_json_is_object(spec)) {
      below = NULL;
      if (hs_json_has(spec, child.key)) {
        HS_TRY(hs_json_get(spec, child.key, &child_spec, w->err));
        below = &child_spec;
      }
    }
    HS_TRY(collect(w, &child, owner, below));
  }
  return HS_OK;
}

static enum hs_status collect(struct walk *w, struct hs_json_at *at, const struct hs_json_at *owner, struct hs_json_at *spec)
{
  struct hs_json_at element;
  if (hs_json_is_number(at)) return record(w, at, owner, spec);
  if (hs_json_is_object(at)) return collect_object(w, at, owner, spec);
  if (!hs_json_is_array(at)) return HS_OK;
  int n = hs_json_length(at);
  if (n > 1000) return hs_json_fail(at, w->err, "has more than 1000 elements");
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_element(at, i, &element, w->err));
    HS_TRY(collect(w, &element, owner, spec));
  }
  return HS_OK;
}

enum hs_status hs_sources_read(struct hs_json_at *root, struct hs_arena *arena, struct hs_sources *s, struct hs_error *err)
{
  struct walk w = {.arena = arena, .s = s, .err = err};
  HS_TRY(read_table(&w, root));
  HS_TRY(hs_json_end(root, err)); /* a mistyped key is unknown before it is without a source */
  return collect_object(&w, root, root, NULL);
}

enum hs_status hs_sources_end(struct hs_json_at *object, struct hs_error *err)
{
  struct hs_json_at at;
  if (hs_json_has(object, "source")) HS_TRY(hs_json_get(object, "source", &at, err));
  return hs_json_end(object, err);
}
