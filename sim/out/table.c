/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void put(struct hs_table *t, const char *s)
{
  HS_GROW(t->cells, t->n, t->cap);
  t->cells[t->n++] = s;
}

void hs_table_add(struct hs_table *t, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  char *s = hs_arena_alloc(&t->arena, size);
  vsnprintf(s, size, format, again);
  va_end(again);
  va_end(args);
  put(t, s);
}

void hs_table_rest(struct hs_table *t, const char *text)
{
  put(t, hs_arena_strdup(&t->arena, text));
  while (t->n % t->n_columns) put(t, NULL);
}

static bool ends_row(const struct hs_table *t, int cell) { return (cell + 1) % t->n_columns == 0 || !t->cells[cell + 1]; }

void hs_table_print(const struct hs_table *t, struct hs_text *out)
{
  int widths[HS_COLUMNS_MAX] = {0};
  for (int i = 0; i < t->n; i++) {
    bool spans = ends_row(t, i) && (i + 1) % t->n_columns;
    if (t->cells[i] && !spans && hs_text_width(t->cells[i]) > widths[i % t->n_columns]) widths[i % t->n_columns] = hs_text_width(t->cells[i]);
  }
  for (int i = 0; i < t->n; i++) {
    if (!t->cells[i]) continue;
    int c = i % t->n_columns, gap = widths[c] - hs_text_width(t->cells[i]);
    bool last = ends_row(t, i), spans = last && c + 1 < t->n_columns;
    if (t->right[c] && !spans) hs_text_pad(out, ' ', gap);
    hs_text_add(out, t->cells[i]);
    if (!last) hs_text_pad(out, ' ', (t->right[c] ? 0 : gap) + 2);
    if (!last) continue;
    while (out->len && out->s[out->len - 1] == ' ') out->s[--out->len] = 0; /* of empty cells */
    hs_text_add(out, "\n");
  }
}

void hs_table_free(struct hs_table *t)
{
  free(t->cells);
  hs_arena_free(&t->arena);
  *t = (struct hs_table){0};
}
