/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of text whose columns are as wide as what is in them. Cells are added row by row. */
#ifndef HS_TABLE_H
#define HS_TABLE_H

#include "base/memory.h"
#include "base/text.h"

enum { HS_COLUMNS_MAX = 27 };

struct hs_table {
  int n_columns;
  bool right[HS_COLUMNS_MAX]; /* aligned */
  int n, cap;
  const char **cells;         /* NULL: after a text that fills the rest of its row */
  struct hs_arena arena;
};

void hs_table_add(struct hs_table *table, const char *format, ...) HS_PRINTF(2, 3);
/* The rest of the row; it widens no column. */
void hs_table_rest(struct hs_table *table, const char *text);
/* Two spaces between columns, none at the end of a line. */
void hs_table_print(const struct hs_table *table, struct hs_text *out);
void hs_table_free(struct hs_table *table);

#endif
