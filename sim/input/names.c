/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/names.h"

#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "input/json_in.h"

enum { NAMES_MAX = 10000 };

static enum hs_status find_in_document(const struct hs_json *doc, const char *also, char *name, size_t size, struct hs_error *err)
{
  struct hs_json_at root, names, entry;
  const char *source;
  int n = 0;
  HS_TRY(hs_json_root(doc, &root, err));
  HS_TRY(hs_json_format(&root, "hetsim-names/1", err));
  HS_TRY(hs_json_get_string(&root, "source", &source, err));
  HS_TRY(hs_json_get_array(&root, "names", 1, NAMES_MAX, &names, &n, err));
  HS_TRY(hs_json_end(&root, err));
  for (int i = 0; i < n; i++) {
    const char *theirs, *ours;
    HS_TRY(hs_json_element_object(&names, i, &entry, err));
    HS_TRY(hs_json_get_name(&entry, "also", &theirs, err));
    HS_TRY(hs_json_get_name(&entry, "name", &ours, err));
    HS_TRY(hs_json_end(&entry, err));
    if (!hs_spelled_alike(theirs, also)) continue;
    if (*name && strcmp(name, ours) != 0) return hs_json_fail(&entry, err, "\"%s\" stands for %s already", theirs, name);
    snprintf(name, size, "%s", ours);
  }
  return HS_OK;
}

enum hs_status hs_names_find(const char *file, const char *also, char *name, size_t size, struct hs_error *err)
{
  struct hs_json doc;
  *name = 0;
  HS_TRY(hs_json_open(&doc, file, err));
  enum hs_status status = find_in_document(&doc, also, name, size, err);
  hs_json_close(&doc);
  return status;
}
