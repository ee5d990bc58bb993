/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated tables: a line of column names, then rows. Cells may stand in quotes ("" is a quote inside them); blanks around a
 * cell, empty lines and lines that begin with # don't count. */
#ifndef HS_CSV_H
#define HS_CSV_H

#include "base/memory.h"
#include "base/status.h"

enum { HS_CSV_COLUMNS_MAX = 40 };

struct hs_csv_row {
  int line;
  const char *cells[HS_CSV_COLUMNS_MAX]; /* [n_columns] */
};

struct hs_csv {
  const char *file;
  int n_columns;
  const char *columns[HS_CSV_COLUMNS_MAX];
  int header_line;
  int n_rows, cap_rows;
  struct hs_csv_row *rows;
};

/* Rows have as many cells as there are columns, and column names are there once. Everything lives in `arena` but rows, which
 * hs_csv_free() frees, after an error too; `file` is borrowed. HS_INPUT with file and line. */
enum hs_status hs_csv_parse(const char *file, const char *text, struct hs_arena *arena, struct hs_csv *csv, struct hs_error *err);
void hs_csv_free(struct hs_csv *csv);

/* Cuts the line at *at into cells and moves on to the next line; the number of cells, or -1 where a quote isn't closed or there are
 * too many. Cells after a free text with commas are the caller's to join. */
int hs_csv_cut(const char **at, struct hs_arena *arena, const char **cells);

#endif
